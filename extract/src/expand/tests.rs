//! Growth at its boundary: what is accepted, in which order, and what stays open.

use super::*;
use banyan_engine::embed::{Vectors, normalize};
use banyan_engine::schema::{AttributeType, EntityType, RelationType};

mod stated;
mod texts;

const SCHEMA: &str = r#"{
  "name": "coast",
  "entity_types": [{"name": "structure"}, {"name": "person"}],
  "relations": [{"name": "built_by", "domain": ["structure"], "range": ["person"], "aliases": ["raised by"]}, {"name": "related_to"}],
  "attributes": [{"name": "height", "kind": "quantity"}]
}"#;

/// The paper's threshold μ.
const MU: f32 = 0.9;

/// Vectors in which words are equal where they mean the same, and at right angles where they do not.
struct Meanings;

const WORDS: [&[&str]; 13] = [
    &["built", "constructed"],
    &["by"],
    &["lit", "illuminated"],
    &["structure"],
    &["person"],
    &["lighthouse"],
    &["reef"],
    &["height"],
    &["keeper"],
    &["of"],
    &["range"],
    &["near"],
    &["rekindled"],
];

impl Embedder for Meanings {
    fn id(&self) -> &'static str {
        "meanings"
    }

    fn dimension(&self) -> usize {
        WORDS.len()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError> {
        let mut vectors = Vectors::zeros(self.dimension(), texts.len());
        for (at, text) in texts.iter().enumerate() {
            let row = vectors.row_mut(at);
            for word in text.split(' ') {
                // Words of no meaning of their own tell names apart less than content words do.
                let weight = if word == "by" || word == "of" { 0.3 } else { 1.0 };
                if let Some(column) = WORDS.iter().position(|same| same.contains(&word)) {
                    row[column] += weight;
                }
            }
            normalize(row);
        }
        Ok(vectors)
    }
}

fn schema() -> Schema {
    Schema::from_json(SCHEMA).unwrap()
}

fn candidate(element: Element, document: usize) -> Candidate {
    Candidate {
        element,
        document: DocumentId::of(&document.to_string(), ""),
        span: Span::new(document, document + 1),
        head_type: None,
        tail_type: None,
        value_kind: None,
    }
}

fn entity_type(name: &str, document: usize) -> Candidate {
    candidate(
        Element::EntityType(EntityType {
            name: name.to_owned(),
            ..EntityType::default()
        }),
        document,
    )
}

fn relation(name: &str, (head, tail): (&str, &str), document: usize) -> Candidate {
    let element = Element::Relation(RelationType {
        name: name.to_owned(),
        ..RelationType::default()
    });
    Candidate {
        head_type: Some(head.to_owned()).filter(|name| !name.is_empty()),
        tail_type: Some(tail.to_owned()).filter(|name| !name.is_empty()),
        ..candidate(element, document)
    }
}

/// `n` documents that all suggest the same.
fn times(n: usize, suggest: impl Fn(usize) -> Candidate) -> Vec<Candidate> {
    (0..n).map(suggest).collect()
}

fn grow(candidates: &[Candidate], growth: &Growth, mode: SchemaMode) -> (Schema, Growth) {
    expand(candidates, &schema(), growth, mode, MU, &Meanings).unwrap()
}

/// Expects growth to accept these, version by version, and to leave these open, in order.
fn check(candidates: &[Candidate], accepted: &[&[&str]], open: &[&str]) -> (Schema, Growth) {
    let (schema, growth) = grow(candidates, &Growth::default(), SchemaMode::Expand);
    let names = |list: &[Proposal]| {
        list.iter()
            .map(|proposal| proposal.element.to_string())
            .collect::<Vec<_>>()
    };
    let versions: Vec<Vec<String>> = growth.versions.iter().map(|version| names(&version.accepted)).collect();
    assert_eq!(versions, accepted);
    assert_eq!(names(&growth.open), open);
    assert!(
        growth
            .versions
            .iter()
            .all(|version| version.by == AcceptedBy::Confidence)
    );
    assert_eq!(schema.version(), 1 + u32::try_from(accepted.len()).unwrap());
    (schema, growth)
}

#[test]
fn enough_documents_that_agree_make_an_element_and_fewer_a_proposal() {
    let enough = times(5, |at| relation("was lit by", ("structure", "person"), at));
    let (schema, growth) = check(&enough, &[&["relation was_lit_by (structure → person)"]], &[]);
    assert!(schema.relation_id("was_lit_by").is_some());
    let proposal = &growth.versions[0].accepted[0];
    assert!(proposal.n_documents == 5 && proposal.consistency > 0.999);
    assert_eq!(proposal.evidence.len(), 5, "a place in each document");
    check(&enough[..4], &[], &["relation was_lit_by (structure → person)"]);
    let one_document: Vec<Candidate> = times(50, |_| relation("lit by", ("structure", "person"), 1));
    check(&one_document, &[], &["relation lit_by (structure → person)"]);
}

#[test]
fn spellings_of_one_name_count_together_and_the_most_frequent_is_kept() {
    let mut mixed = times(3, |at| relation("lit by", ("structure", "person"), at));
    mixed.extend((3..5).map(|at| relation("was lit by", ("structure", "person"), at)));
    check(&mixed, &[&["relation lit_by (structure → person)"]], &[]);
}

#[test]
fn ends_that_disagree_lower_confidence_and_unknown_ends_show_nothing() {
    let (a, b) = (("structure", "person"), ("person", "structure"));
    let disagreeing = times(8, |at| relation("lit by", if at < 4 { a } else { b }, at));
    let (_, growth) = grow(&disagreeing, &Growth::default(), SchemaMode::Expand);
    assert!((growth.open[0].consistency - 0.5).abs() < 1e-6);
    let unknown = times(40, |at| relation("lit by", ("", ""), at));
    check(&unknown, &[], &["relation lit_by (any → any)"]);
    let half_known = times(8, |at| relation("lit by", if at < 4 { a } else { ("", "person") }, at));
    check(&half_known, &[&["relation lit_by (structure → person)"]], &[]);
}

#[test]
fn what_the_schema_says_already_is_no_candidate() {
    let mut known = times(9, |at| relation("was raised by", ("structure", "person"), at));
    known.extend(times(9, |at| relation("builtBy", ("structure", "person"), at)));
    known.extend(times(9, |at| entity_type("persons", at)));
    known.push(entity_type("—", 1));
    check(&known, &[], &[]);
}

#[test]
fn a_near_duplicate_is_proposed_as_a_phrase_and_never_accepted_by_itself() {
    let near = times(99, |at| relation("constructed by", ("structure", "person"), at));
    let (_, growth) = check(&near, &[], &["relation constructed_by (structure → person)"]);
    assert_eq!(growth.open[0].alias_of.as_deref(), Some("built_by"));
    assert!(growth.open[0].confidence < 0.1, "nothing new");
}

#[test]
fn of_two_that_mean_the_same_the_first_is_accepted_and_the_other_becomes_its_phrase() {
    let mut both = times(9, |at| relation("lit by", ("structure", "person"), at));
    both.extend(times(9, |at| relation("illuminated by", ("structure", "person"), at)));
    let lit: &[&str] = &["relation lit_by (structure → person)"];
    let (_, growth) = check(&both, &[lit], &["relation illuminated_by (structure → person)"]);
    assert_eq!(growth.open[0].alias_of.as_deref(), Some("lit_by"));
}

#[test]
fn a_relation_waits_for_its_types() {
    let keepers = times(9, |at| relation("lit by", ("lighthouse", "person"), at));
    check(&keepers, &[], &["relation lit_by (lighthouse → person)"]);
    let mut with_type = keepers.clone();
    with_type.extend(times(9, |at| entity_type("Lighthouse", at)));
    check(
        &with_type,
        &[&["entity type lighthouse", "relation lit_by (lighthouse → person)"]],
        &[],
    );
}

#[test]
fn a_type_that_is_mostly_of_another_type_is_a_kind_of_it() {
    let structures = times(9, |at| Candidate {
        head_type: Some("structure".to_owned()).filter(|_| at > 1),
        ..entity_type("lighthouse", at)
    });
    let (schema, _) = check(&structures, &[&["entity type lighthouse (a structure)"]], &[]);
    let (lighthouse, built_by) = (
        schema.type_id("lighthouse").unwrap(),
        schema.relation_id("built_by").unwrap(),
    );
    assert!(schema.admits_head(lighthouse, built_by));
}

#[test]
fn an_attribute_takes_the_kind_of_most_of_its_values() {
    let ranges = times(10, |at| Candidate {
        value_kind: Some(if at == 0 {
            ValueKind::Number
        } else {
            ValueKind::Quantity
        }),
        head_type: Some("structure".to_owned()),
        ..candidate(
            Element::Attribute(AttributeType {
                name: "range".to_owned(),
                ..AttributeType::default()
            }),
            at,
        )
    });
    let (_, growth) = check(&ranges, &[&["attribute range (structure: quantity)"]], &[]);
    assert!((growth.versions[0].accepted[0].consistency - 0.9).abs() < 1e-6);
}

#[test]
fn strict_changes_nothing_and_open_accepts_everything_and_says_so() {
    let some = [
        entity_type("reef", 1),
        relation("near", ("reef", "shoal"), 1),
        relation("constructed by", ("", ""), 1),
    ];
    let earlier = Growth::default();
    assert_eq!(grow(&some, &earlier, SchemaMode::Strict), (schema(), earlier.clone()));
    let (open, growth) = grow(&some, &earlier, SchemaMode::Open);
    assert!(open.type_id("reef").is_some() && open.relation_id("constructed_by").is_some());
    assert_eq!(growth.versions.len(), 1);
    assert_eq!(
        (growth.versions[0].by, growth.versions[0].accepted.len()),
        (AcceptedBy::OpenMode, 2)
    );
    assert_eq!(growth.open.len(), 1, "a type that nobody defines is not well formed");
}

#[test]
fn what_a_person_rejected_is_not_proposed_again() {
    let growth = Growth {
        rejected: vec![(ElementKind::EntityType, "reef".to_owned())],
        ..Growth::default()
    };
    for mode in [SchemaMode::Expand, SchemaMode::Open] {
        let (same, after) = grow(&times(9, |at| entity_type("reefs", at)), &growth, mode);
        assert_eq!((same, after), (schema(), growth.clone()), "{mode}");
    }
}

#[test]
fn no_candidates_leave_nothing_open_and_a_bad_mu_is_named() {
    let old = Growth {
        open: grow(&[entity_type("reef", 1)], &Growth::default(), SchemaMode::Expand)
            .1
            .open,
        ..Growth::default()
    };
    assert_eq!(
        (old.open.len(), grow(&[], &old, SchemaMode::Expand).1.open.len()),
        (1, 0)
    );
    for mu in [-0.1, 1.1, f32::NAN] {
        let error = expand(&[], &schema(), &old, SchemaMode::Expand, mu, &Meanings).unwrap_err();
        assert!(error.to_string().contains("expected a number from 0 to 1"), "{error}");
    }
}
