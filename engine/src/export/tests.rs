//! Export at its boundary: what is chosen hangs together, and no text breaks out of a format.

use super::*;
use crate::document::{Document, Origin, Span};
use crate::fact::{AttributeClaim, Contribution, EntityClaim, Mention, TripleClaim};
use crate::id::{CommunityId, EntityId};
use crate::knowledge::{Knowledge, Settings};
use crate::resolution::Resolution;
use crate::schema::Schema;
use crate::tree::{Branch, Community, Keyword, KnowledgeTree, Level};
use std::collections::BTreeSet;

const SCHEMA: &str =
    r#"{"name": "s", "relations": [{"name": "near"}], "attributes": [{"name": "description", "kind": "text"}]}"#;
/// A name that means something in each format.
const HOSTILE: &str = "A \"b\" <c> & 'd', \\ ]]> \u{1}\n;";

/// Four entities in a row, two communities of two; the first is described.
fn row() -> Knowledge {
    let schema = Schema::from_json(SCHEMA).unwrap();
    let origin = Origin {
        file: "row.txt".to_owned(),
        record: None,
        line: None,
    };
    let document = Document::new("Row", "abcd".repeat(9), origin);
    let names = [HOSTILE, "b", "c", "d"];
    let keys = ["a", "b", "c", "d"].map(str::to_owned);
    let span = |at: usize| Span::new(at, at + 1);
    let mut said = Contribution::new(document.id);
    said.chunks = vec![(Span::new(0, document.text.len()), 9)];
    for (at, (key, name)) in keys.iter().zip(names).enumerate() {
        let claim = EntityClaim {
            entity: key.as_str().into(),
            name: name.into(),
            entity_type: None,
            span: span(at),
            is_subject: false,
        };
        said.entities.push(claim);
        said.mentions.push(Mention {
            span: span(at),
            entity: key.as_str().into(),
            certainty: 100,
            is_term: false,
        });
    }
    let near = schema.relation_id("near").unwrap();
    for at in 0..3 {
        let (head, tail, phrase) = (keys[at].clone(), keys[at + 1].clone(), String::new());
        said.triples.push(TripleClaim {
            head: head.into(),
            relation: near,
            tail: tail.into(),
            phrase,
            span: span(at),
        });
    }
    let (entity, attribute) = (keys[0].clone(), schema.attribute_id("description").unwrap());
    said.attributes.push(AttributeClaim {
        entity: entity.into(),
        attribute,
        value: HOSTILE.to_owned(),
        span: span(8),
    });
    let mut knowledge = Knowledge::assemble(
        Settings::default(),
        schema,
        vec![document],
        vec![said],
        Resolution::default(),
    );
    let community = |members: [u32; 2]| {
        let members = members.map(EntityId).to_vec();
        let keywords = vec![Keyword {
            entity: members[0],
            score: 1.5,
        }];
        Community {
            name: HOSTILE.to_owned(),
            description: String::new(),
            members,
            keywords,
        }
    };
    let tree = KnowledgeTree::new(vec![community([0, 1]), community([2, 3])], 4).unwrap();
    let branch = Branch {
        name: HOSTILE.to_owned(),
        description: String::new(),
        children: vec![CommunityId(0), CommunityId(1)],
        keywords: tree.communities()[0].keywords.clone(),
    };
    knowledge.tree = tree.with_branches(vec![vec![branch]]).unwrap();
    knowledge
}

fn levels(levels: &[Level]) -> Selection {
    Selection {
        levels: levels.iter().copied().collect(),
        ..Selection::default()
    }
}

/// Nodes of a kind and edges of a relation.
fn count(picture: &Picture, kind: NodeKind, relation: &str) -> (usize, usize) {
    let nodes = picture.nodes.iter().filter(|node| node.kind == kind);
    (
        nodes.count(),
        picture.edges.iter().filter(|edge| edge.relation == relation).count(),
    )
}

#[test]
fn every_level_is_shown_with_what_joins_it() {
    let picture = select(&row(), &Selection::default());
    assert_eq!(count(&picture, NodeKind::Branch, "part_of"), (1, 2));
    assert_eq!((picture.nodes[0].level, picture.nodes[0].sources.len()), (5, 1));
    assert_eq!(count(&picture, NodeKind::Community, "linked"), (2, 1));
    assert_eq!(count(&picture, NodeKind::Keyword, "keyword_of"), (2, 2));
    assert_eq!(count(&picture, NodeKind::Entity, "near"), (4, 3));
    assert_eq!(count(&picture, NodeKind::Attribute, "description"), (1, 1));
    assert_eq!(count(&picture, NodeKind::Entity, "member_of"), (4, 4));
    let first = picture.nodes.iter().find(|node| node.id == "e0").unwrap();
    assert_eq!(
        (first.description.as_str(), first.sources.as_slice()),
        (HOSTILE, &["row.txt:1:1".to_owned()][..])
    );
}

#[test]
fn a_selection_bounds_levels_members_and_distance() {
    let knowledge = row();
    let shown = |selection: &Selection| -> Vec<String> {
        select(&knowledge, selection)
            .nodes
            .into_iter()
            .map(|node| node.id)
            .collect()
    };
    assert_eq!(shown(&levels(&[Level::Communities])), ["b5_0", "c0", "c1"]);
    assert_eq!(shown(&levels(&[Level::Keywords])), ["k0", "k2"]);
    assert_eq!(shown(&levels(&[Level::Triples])), ["e0", "e1", "e2", "e3"]);
    assert_eq!(shown(&levels(&[Level::Attributes])), ["e0", "a0"]);
    let one = Selection {
        community: Some(CommunityId(1)),
        ..levels(&[Level::Triples])
    };
    assert_eq!(shown(&one), ["e2", "e3"]);
    let near = Selection {
        around: Some((EntityId(0), 2)),
        ..levels(&[Level::Triples])
    };
    assert_eq!(shown(&near), ["e0", "e1", "e2"]);
    let both = Selection {
        community: Some(CommunityId(1)),
        ..near
    };
    assert_eq!(shown(&both), ["e2"]);
}

#[test]
fn edges_join_nodes_that_are_shown_whatever_is_chosen() {
    let knowledge = row();
    let all = [Level::Attributes, Level::Triples, Level::Keywords, Level::Communities];
    for chosen in 0..16_u32 {
        let set: Vec<Level> = (0..4)
            .filter(|bit| chosen & (1 << bit) != 0)
            .map(|bit| all[bit])
            .collect();
        for community in [None, Some(CommunityId(0))] {
            let selection = Selection {
                community,
                ..levels(&set)
            };
            let picture = select(&knowledge, &selection);
            let ids: BTreeSet<&str> = picture.nodes.iter().map(|node| node.id.as_str()).collect();
            assert_eq!(ids.len(), picture.nodes.len(), "{selection:?}");
            for edge in &picture.edges {
                let is_joined = ids.contains(edge.source.as_str()) && ids.contains(edge.target.as_str());
                assert!(is_joined, "{selection:?}: {edge:?}");
            }
            let edges: BTreeSet<&str> = picture.edges.iter().map(|edge| edge.id.as_str()).collect();
            assert_eq!(edges.len(), picture.edges.len(), "{selection:?}");
        }
    }
}

#[test]
fn hostile_text_stays_text_in_every_format() {
    let picture = select(&row(), &Selection::default());
    let object: serde_json::Value = serde_json::from_str(&json(&picture).unwrap()).unwrap();
    assert_eq!(object["nodes"][0]["name"], HOSTILE);
    assert_eq!(object["edges"].as_array().unwrap().len(), picture.edges.len());
    let text = graphml(&picture);
    assert!(
        text.contains("A &quot;b&quot; &lt;c&gt; &amp; 'd', \\ ]]&gt; \u{fffd}&#10;;"),
        "{text}"
    );
    assert!(!text.contains("<c>") && !text.contains('\u{1}'));
    let nodes = csv(&picture).unwrap().nodes;
    let cell = "c0,\"A \"\"b\"\" <c> & 'd', \\ ]]> \u{1}\n;\",community,4,";
    assert!(nodes.contains(cell), "{nodes}");
    let lines = json_lines(&picture).unwrap();
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["node"]["name"], HOSTILE);
    assert_eq!(lines.lines().count(), picture.nodes.len() + picture.edges.len());
    let text = cypher(&picture);
    let name = r#"name: "A \"b\" <c> & 'd', \\ ]]> \u0001\n;""#;
    assert!(text.contains(name), "{text}");
    assert_eq!(text.lines().count(), 1 + picture.nodes.len() + picture.edges.len());
    let text = ntriples(&picture);
    let label = r#""A \"b\" <c> & 'd', \\ ]]> \u0001\n;" ."#;
    assert!(text.contains(label), "{text}");
    assert!(
        text.lines()
            .all(|line| line.starts_with("<urn:banyan:") && line.ends_with(" .")),
        "{text}"
    );
}

#[test]
fn notes_link_to_each_other_under_names_that_every_file_system_takes() {
    let mut picture = select(&row(), &Selection::default());
    let names = ["..", "CON/../x", "a", "A", &"é".repeat(300)];
    for (node, name) in picture
        .nodes
        .iter_mut()
        .filter(|node| node.kind != NodeKind::Attribute)
        .zip(names)
    {
        name.clone_into(&mut node.name);
    }
    let notes = obsidian(&picture);
    let folded: BTreeSet<String> = notes.keys().map(|name| name.to_lowercase()).collect();
    assert_eq!(folded.len(), notes.len(), "{:?}", notes.keys());
    for (name, text) in &notes {
        let is_plain = !name.starts_with('.') && name.len() < 250 && !name.contains(['/', '\\', ':', '#']);
        assert!(is_plain, "{name}");
        for link in text.split("[[").skip(1) {
            let target = link.split("]]").next().unwrap();
            assert!(notes.contains_key(&format!("{target}.md")), "{name} links to {target}");
        }
    }
    let facts: usize = notes.values().map(|text| text.matches("- near:: [[").count()).sum();
    assert_eq!(facts, 3, "{notes:#?}");
}

#[test]
fn a_spreadsheet_finds_no_formula() {
    let mut picture = select(&row(), &Selection::default());
    for (node, name) in picture.nodes.iter_mut().zip(["=1+1", "+1", "-1", "@SUM(A1)", "a=b"]) {
        name.clone_into(&mut node.name);
        node.score = -1.0;
    }
    let nodes = csv(&picture).unwrap().nodes;
    for cell in [",'=1+1,", ",'+1,", ",'-1,", ",'@SUM(A1),", ",a=b,", ",-1,"] {
        assert!(nodes.contains(cell), "expected {cell}: {nodes}");
    }
}
