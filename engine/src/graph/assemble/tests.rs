//! Assembly at its boundary: whatever contributions say, the graph keeps to the schema and nothing is lost.

use super::*;
use crate::fact::{AttributeClaim, TripleClaim, UnboundClaim};
use crate::schema::ElementKind;
use serde::de::DeserializeOwned;

mod joined;

const SCHEMA: &str = r#"{
  "name": "sea",
  "entity_types": [{"name": "vessel"}, {"name": "ship", "parent": "vessel"}, {"name": "person"}],
  "relations": [
    {"name": "built_by", "domain": ["vessel"], "range": ["person"]},
    {"name": "met", "domain": ["person"], "range": ["person"]},
    {"name": "near"}
  ],
  "attributes": [
    {"name": "crew", "domain": ["ship"], "kind": "number"},
    {"name": "launched", "kind": "date"},
    {"name": "rig", "domain": ["vessel"], "kind": "enum", "values": ["brig"]},
    {"name": "note", "kind": "text"}
  ]
}"#;
const KEYS: [&str; 4] = ["ada quill", "dipper", "skelva", "vessing"];
const VALUES: [&str; 5] = ["", "forty men", "1901", "brig", "long ago"];
/// One more than the longest list of the schema has, so that some ids are of no definition.
const MAX_ID: usize = 5;

fn schema() -> Schema {
    Schema::from_json(SCHEMA).unwrap()
}

/// Ids come from stores, and so from other schemas, too.
fn id<Id: DeserializeOwned>(number: u16) -> Id {
    serde_json::from_str(&number.to_string()).unwrap()
}

/// Contributions that claim anything, the same for the same seed.
fn random(mut seed: u64) -> Vec<Contribution> {
    let mut next = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % n
    };
    let mut contributions = Vec::new();
    for document in 0..next(5) {
        let mut said = Contribution::new(DocumentId::of(&document.to_string(), ""));
        for _ in 0..next(8) {
            let (key, other, number) = (KEYS[next(4)], KEYS[next(4)], u16::try_from(next(MAX_ID)).unwrap());
            let start = next(40);
            let span = Span::new(start, start + next(20));
            match next(5) {
                0 => said.chunks.push((span, 1)),
                1 => said.entities.push(EntityClaim {
                    entity: key.into(),
                    name: key.into(),
                    entity_type: Some(id(number)).filter(|_| start > 5),
                    span,
                    is_subject: start % 2 == 0,
                }),
                2 => said.triples.push(triple(key, number, other, span)),
                3 => said.attributes.push(attribute(key, number, VALUES[start % 5], span)),
                _ => said.unbound.push(UnboundClaim {
                    kind: ElementKind::ALL[start % 3],
                    word: "sailed to".to_owned(),
                    subject: key.into(),
                    object: other.to_owned(),
                    span,
                }),
            }
        }
        contributions.push(said.normalised());
    }
    contributions
}

fn triple(head: &str, relation: u16, tail: &str, span: Span) -> TripleClaim {
    TripleClaim {
        head: head.into(),
        relation: id(relation),
        tail: tail.into(),
        phrase: String::new(),
        span,
    }
}

fn attribute(entity: &str, attribute: u16, value: &str, span: Span) -> AttributeClaim {
    AttributeClaim {
        entity: entity.into(),
        attribute: id(attribute),
        value: value.to_owned(),
        span,
    }
}

/// Distinct facts of all contributions: triples, attributes, claims on types that do not exist, and what has no place.
fn n_facts(schema: &Schema, contributions: &[Contribution]) -> usize {
    let triples: BTreeSet<_> = contributions
        .iter()
        .flat_map(|c| &c.triples)
        .map(|t| (&t.head, t.relation, &t.tail))
        .collect();
    let attributes = contributions.iter().flat_map(|c| &c.attributes);
    let attributes: BTreeSet<_> = attributes.map(|a| (&a.entity, a.attribute, &a.value)).collect();
    let claims = contributions.iter().flat_map(|c| &c.entities);
    let types = claims.filter_map(|claim| Some((&claim.entity, claim.entity_type?)));
    let strange: BTreeSet<_> = types.filter(|(_, kind)| !schema.has_type(*kind)).collect();
    let unbound: usize = contributions.iter().map(|c| c.unbound.len()).sum();
    triples.len() + attributes.len() + strange.len() + unbound
}

fn check(contributions: &[Contribution]) {
    let schema = schema();
    let (_, graph, refusals) = assemble(&schema, contributions, &Resolution::default());
    let kind = |id: EntityId| graph.entity(id).entity_type;
    assert!(
        graph
            .entities()
            .iter()
            .all(|entity| schema.has_type(entity.entity_type))
    );
    for triple in graph.triples() {
        assert!(
            schema.admits(kind(triple.head), triple.relation, kind(triple.tail)),
            "{triple:?}"
        );
    }
    for attribute in graph.attributes() {
        assert!(
            schema.admits_attribute(kind(attribute.entity), attribute.attribute),
            "{attribute:?}"
        );
        let definition = &schema.attributes()[attribute.attribute.index()];
        assert!(definition.holds(&attribute.value), "{attribute:?}");
    }
    let n_kept = graph.triples().len() + graph.attributes().len();
    assert_eq!(
        n_facts(&schema, contributions),
        n_kept + refusals.n(),
        "facts were lost or made"
    );
    let documents: BTreeSet<_> = contributions.iter().map(|contribution| contribution.document).collect();
    assert!(
        refusals
            .iter()
            .all(|(_, refused)| documents.contains(&refused.document) && !refused.fact.is_empty())
    );
}

#[test]
fn whatever_is_claimed_the_graph_keeps_to_the_schema_and_nothing_is_lost() {
    (0..2_000).for_each(|seed| check(&random(seed)));
}

#[test]
fn every_reason_is_counted_with_its_first_example() {
    let schema = schema();
    let mut contribution = Contribution::new(DocumentId::of("log", ""));
    let at = |number: usize| Span::new(number, number + 1);
    let kinds = [("dipper", 1), ("ada quill", 2), ("skelva", 7)];
    contribution.entities = (0..)
        .zip(kinds)
        .map(|(start, (key, kind))| EntityClaim {
            entity: key.into(),
            name: key.into(),
            entity_type: Some(id(kind)),
            span: at(start),
            is_subject: false,
        })
        .collect();
    let triples = [
        ("ada quill", 0, "dipper"),
        ("dipper", 0, "dipper"),
        ("dipper", 0, "ada quill"),
        ("dipper", 9, "skelva"),
    ];
    contribution.triples = (10..)
        .zip(triples)
        .map(|(start, (head, relation, tail))| triple(head, relation, tail, at(start)))
        .collect();
    contribution.triples[0].phrase = "was built by".to_owned();
    let attributes = [
        ("dipper", 0, "many"),
        ("ada quill", 0, "12"),
        ("dipper", 1, "of old"),
        ("dipper", 8, "12"),
        ("dipper", 0, "12"),
    ];
    contribution.attributes = (20..)
        .zip(attributes)
        .map(|(start, (entity, number, value))| attribute(entity, number, value, at(start)))
        .collect();
    let (_, graph, refusals) = assemble(&schema, &[contribution.normalised()], &Resolution::default());
    assert_eq!((graph.triples().len(), graph.attributes().len()), (1, 1));
    let tied: Vec<_> = graph.associations().iter().map(|one| one.phrases.join(", ")).collect();
    assert_eq!(tied, ["was built by"], "what is refused leaves its words");
    let found: Vec<String> = refusals
        .iter()
        .map(|(reason, refused)| format!("{} {reason}: {} @{}", refused.n, refused.fact, refused.span.start))
        .collect();
    let expected = [
        "1 no entity type `#7`: skelva is #7 @2",
        "1 no relation `#9`: dipper #9 skelva @13",
        "1 no attribute `#8`: dipper #8 = 12 @23",
        "1 head of `built_by` cannot be person: ada quill built_by dipper @10",
        "1 tail of `built_by` cannot be ship: dipper built_by dipper @11",
        "1 `crew` cannot be said of person: ada quill crew = 12 @21",
        "1 value of `crew` is no number: dipper crew = many @20",
        "1 value of `launched` is no date: dipper launched = of old @22",
    ];
    assert_eq!(found, expected);
}
