//! Growth: versions, decisions, and what they leave of ids.

use super::*;
use crate::document::Span;
use crate::id::DocumentId;
use std::collections::BTreeSet;

fn entity_type(name: &str) -> Element {
    Element::EntityType(EntityType {
        name: name.to_owned(),
        ..EntityType::default()
    })
}

fn relation(name: &str, domain: &str) -> Element {
    Element::Relation(RelationType {
        name: name.to_owned(),
        domain: vec![domain.to_owned()],
        ..RelationType::default()
    })
}

fn proposal(element: Element, confidence: f32) -> Proposal {
    Proposal {
        element,
        alias_of: None,
        confidence,
        n_documents: 2,
        consistency: 1.0,
        distance: 0.75,
        evidence: vec![
            (DocumentId::of("a", ""), Span::new(0, 1)),
            (DocumentId::of("b", ""), Span::new(0, 1)),
        ],
    }
}

/// Proposals of a type, a relation that needs it, and another phrase for a relation of the seed.
fn growth() -> Growth {
    let phrase = Proposal {
        alias_of: Some("built_by".to_owned()),
        ..proposal(relation("constructed_by", "vessel"), 0.6)
    };
    Growth {
        open: vec![
            proposal(entity_type("lighthouse"), 0.8),
            proposal(relation("lit_by", "lighthouse"), 0.7),
            phrase,
            proposal(relation("launched", "person"), 0.5),
        ],
        ..Growth::default()
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn refused(result: Result<(Growth, Schema), SchemaError>, expected: &str) {
    assert_eq!(result.unwrap_err().to_string(), expected);
}

#[test]
fn growing_appends_and_keeps_every_id() {
    let seed = sea();
    let elements = [entity_type("Light House"), relation("lit by", "LightHouse")];
    let grown = seed.grow_by(&elements.map(|element| proposal(element, 1.0))).unwrap();
    assert_eq!(grown.version(), seed.version() + 1);
    assert_eq!(grown.entity_types()[..seed.entity_types().len()], *seed.entity_types());
    assert_eq!(grown.relations()[..seed.relations().len()], *seed.relations());
    for (id, kind) in seed.type_ids() {
        assert_eq!(grown.type_id(&kind.name), Some(id));
    }
    assert_eq!(grown.thing(), seed.thing());
    let stored = serde_json::to_string(&grown).unwrap();
    assert_eq!(
        serde_json::from_str::<Schema>(&stored).unwrap(),
        grown,
        "ids survive the store"
    );
    assert!(grown.type_id("light_house").is_some() && grown.relation_id("lit_by").is_some());
    assert_eq!(seed.grow_by(&[]).unwrap(), seed);
}

#[test]
fn a_person_accepts_by_name_and_the_seed_can_be_told_again() {
    let seed = sea();
    let (growth, grown) = growth()
        .accept(&seed, &names(&["Lit By", "lighthouse", "constructed_by"]))
        .unwrap();
    assert_eq!(grown.version(), 2);
    assert!(grown.defines(ElementKind::EntityType, "lighthouse") && grown.defines(ElementKind::Relation, "lit_by"));
    assert!(
        !grown.defines(ElementKind::Relation, "constructed_by"),
        "a phrase is no relation of its own"
    );
    let built_by = &grown.relations()[grown.relation_id("built_by").unwrap().index()];
    assert_eq!(built_by.aliases, ["launched by", "constructed by"]);
    assert_eq!(growth.versions.len(), 1);
    assert_eq!(
        (growth.versions[0].number, growth.versions[0].by),
        (2, AcceptedBy::User)
    );
    assert_eq!(growth.open.len(), 1);
    assert_eq!(growth.seed(&grown).unwrap(), seed);
    let stored = serde_json::to_string(&growth).unwrap();
    assert_eq!(serde_json::from_str::<Growth>(&stored).unwrap(), growth);
}

#[test]
fn what_cannot_be_accepted_is_named() {
    let seed = sea();
    refused(
        growth().accept(&seed, &names(&["lit_by"])),
        "relation `lit_by`: its domain names `lighthouse`, which the schema does not define; accept or reject what belongs \
         together with one command",
    );
    refused(
        growth().accept(&seed, &names(&["ship"])),
        "`ship` is part of the schema already",
    );
    refused(
        growth().accept(&seed, &names(&["lighthouse", "harbour"])),
        "nothing named `harbour` is proposed; open are lighthouse, lit_by, constructed_by, launched",
    );
    refused(
        Growth::default().accept(&seed, &names(&["harbour"])),
        "nothing named `harbour` is proposed; there are no proposals",
    );
    let mut both = growth();
    both.open.push(proposal(entity_type("lit_by"), 0.1));
    refused(
        both.accept(&seed, &names(&["lit_by"])),
        "`lit_by` is of several kinds; name one as relation:lit_by or type:lit_by",
    );
    assert!(both.accept(&seed, &names(&["type:lit_by"])).is_ok());
}

#[test]
fn rejecting_closes_a_proposal_and_takes_back_what_was_accepted() {
    let seed = sea();
    let (accepted, grown) = growth()
        .accept(&seed, &names(&["lit_by", "lighthouse", "constructed_by"]))
        .unwrap();
    refused(
        accepted.reject(&grown, &names(&["lighthouse"])),
        "relation `lit_by`: its domain names `lighthouse`, which the schema does not define; accept or reject what belongs \
         together with one command",
    );
    let (growth, shrunk) = accepted
        .reject(&grown, &names(&["lighthouse", "lit_by", "constructed_by", "launched"]))
        .unwrap();
    assert_eq!(shrunk.version(), 3, "taking back is a version, too");
    assert_eq!((shrunk.elements(), growth.accepted()), (seed.elements(), Vec::new()));
    assert!(
        growth.open.is_empty()
            && growth
                .rejected
                .contains(&(ElementKind::Relation, "launched".to_owned()))
    );
    assert_eq!(growth.seed(&shrunk).unwrap(), seed);
    let (freed, same) = growth.accept(&shrunk, &names(&["launched"])).unwrap();
    assert_eq!(
        (freed.rejected.len(), same.version()),
        (3, 3),
        "freed, to be proposed again"
    );
    refused(
        growth.reject(&shrunk, &names(&["ship"])),
        "`ship` is part of the seed schema; edit that file and build with it",
    );
    refused(
        growth.reject(&shrunk, &names(&["harbour"])),
        "nothing named `harbour` is proposed; there are no proposals",
    );
}

#[test]
fn a_build_starts_anew_from_what_people_decided() {
    let seed = sea();
    let first = seed
        .grow_by(&[
            proposal(entity_type("lighthouse"), 0.95),
            proposal(entity_type("reef"), 0.93),
        ])
        .unwrap();
    let mut growth = growth();
    growth.versions.push(SchemaVersion {
        number: 2,
        by: AcceptedBy::Confidence,
        accepted: vec![
            proposal(entity_type("lighthouse"), 0.95),
            proposal(entity_type("reef"), 0.93),
        ],
        withdrawn: Vec::new(),
    });
    growth.open.remove(0);
    let (growth, grown) = growth.accept(&first, &names(&["lit_by"])).unwrap();
    let (growth, grown) = growth.reject(&grown, &names(&["launched"])).unwrap();
    assert_eq!(growth.seed(&grown).unwrap(), seed);
    let left = BTreeSet::from([DocumentId::of("b", "")]);
    let (decided, start) = growth.decided(&seed, &left).unwrap();
    assert!(
        start.relation_id("lit_by").is_some() && start.type_id("lighthouse").is_some(),
        "with what it needs"
    );
    assert!(start.type_id("reef").is_none(), "confidence is measured again");
    assert_eq!(
        (decided.versions.len(), start.version(), decided.rejected.len()),
        (1, 2, 1)
    );
    let evidence = decided.versions[0]
        .accepted
        .iter()
        .flat_map(|proposal| &proposal.evidence);
    assert!(
        evidence.into_iter().all(|(document, _)| left.contains(document)),
        "nothing of a document that is gone"
    );
    let (nothing, same) = Growth::default().decided(&seed, &left).unwrap();
    assert_eq!((nothing, same), (Growth::default(), seed));
}

#[test]
fn a_difference_names_what_was_added_removed_and_changed() {
    let old = sea();
    let text = SEA
        .replace(
            r#"{"name": "vessel", "description": "Anything that floats.", "aliases": ["craft"]}"#,
            r#"{"name": "vessel", "aliases": ["hull", "craft"]}"#,
        )
        .replace(
            r#"{"name": "rig", "kind": "enum", "values": ["barque", "brig"]}"#,
            r#"{"name": "crew", "kind": "number"}"#,
        )
        .replace("\"name\": \"sea\"", "\"name\": \"sea\", \"version\": 2");
    let new = Schema::from_json(&text).unwrap();
    let found = SchemaDiff::new(&old, &new);
    assert_eq!(
        found.to_string(),
        "sea version 1 → sea version 2\n\
         + attribute crew (any: number)\n\
         - attribute rig (any: enum of barque | brig)\n\
         ~ entity type vessel: aliases [\"craft\"] → [\"craft\",\"hull\"]\n\
         ~ entity type vessel: description \"Anything that floats.\" → null"
    );
    assert_eq!(
        SchemaDiff::new(&old, &old).to_string(),
        "sea version 1 → sea version 1\nno difference"
    );
}
