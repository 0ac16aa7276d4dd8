//! Names that a resolution joins are one entity of the graph.

use crate::document::Span;
use crate::fact::{Contribution, EntityClaim, Mention, TripleClaim};
use crate::graph::assemble::assemble;
use crate::id::{DocumentId, DocumentIndex};
use crate::resolution::{Evidence, Merge, Resolution};
use crate::schema::Schema;

/// A document about `subject` that names `other` and states a fact of the two.
fn contribution(subject: &str, other: &str, schema: &Schema) -> Contribution {
    let mut contribution = Contribution::new(DocumentId::of(subject, other));
    contribution.chunks = vec![(Span::new(0, 40), 9)];
    for (name, span, is_subject) in [(subject, Span::new(0, 0), true), (other, Span::new(10, 20), false)] {
        contribution.entities.push(EntityClaim {
            entity: crate::name::key(name).into(),
            name: name.into(),
            entity_type: None,
            span,
            is_subject,
        });
        contribution.mentions.push(Mention {
            span,
            entity: crate::name::key(name).into(),
            certainty: 100,
            is_term: false,
        });
    }
    contribution.triples.push(TripleClaim {
        head: crate::name::key(subject).into(),
        relation: schema.relation_id("author").unwrap(),
        tail: crate::name::key(other).into(),
        phrase: "by".to_owned(),
        span: Span::new(5, 20),
    });
    contribution
}

fn joined(from: &str, into: &str) -> Resolution {
    let merge = Merge {
        from: from.to_owned(),
        into: into.to_owned(),
        score: 0.9,
        evidence: vec![Evidence::Initials],
    };
    Resolution::new(vec![merge], Vec::new()).unwrap()
}

#[test]
fn joined_names_are_one_entity_with_all_names_and_sources() {
    let schema = Schema::general().unwrap();
    let contributions = [
        contribution("Gull Songs", "M. Voss", &schema),
        contribution("Mara Voss", "M. Voss", &schema),
        contribution("Salt Road", "Mara Voss", &schema),
    ];
    let (_, graph, refusals) = assemble(&schema, &contributions, &joined("m voss", "mara voss"));
    let id = graph.find("m voss").unwrap();
    assert_eq!(graph.find("mara voss"), Some(id));
    let voss = graph.entity(id);
    assert_eq!((voss.key.as_str(), voss.name.as_str()), ("mara voss", "Mara Voss"));
    assert_eq!(voss.aliases, ["M. Voss"]);
    assert_eq!(
        voss.mentions.len(),
        4,
        "named in every document, and a title: {:?}",
        voss.mentions
    );
    assert_eq!(voss.subject_of, [DocumentIndex::at(1)]);
    let heads: Vec<&str> = graph
        .triples()
        .iter()
        .map(|fact| graph.entity(fact.head).name.as_str())
        .collect();
    assert_eq!(
        heads,
        ["Gull Songs", "Salt Road"],
        "two names of one entity state no fact"
    );
    let reasons: Vec<String> = refusals.iter().map(|(reason, _)| reason.to_string()).collect();
    assert_eq!(reasons, ["both ends of `author` are one thing"]);
    assert_eq!(graph.entities().len(), 3);
}

#[test]
fn inverse_relations_are_two_readings_of_one_triple() {
    let schema = Schema::general().unwrap();
    let relation = |name| schema.relation_id(name).unwrap();
    let mut said = contribution("Teak", "Ada Quill", &schema);
    let reading = |head: &str, name, tail: &str, start: usize| TripleClaim {
        head: head.into(),
        relation: relation(name),
        tail: tail.into(),
        phrase: String::new(),
        span: Span::new(start, start + 5),
    };
    said.triples.push(reading("ada quill", "wrote", "teak", 25));
    said.triples.push(reading("teak", "spouse", "ada quill", 30));
    said.triples.push(reading("ada quill", "spouse", "teak", 35));
    let (_, graph, refusals) = assemble(&schema, &[said], &Resolution::default());
    let told: Vec<_> = graph
        .triples()
        .iter()
        .map(|triple| {
            (
                graph.entity(triple.head).name.as_str(),
                triple.relation,
                triple.sources.len(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [("Teak", relation("author"), 2), ("Ada Quill", relation("spouse"), 2)],
        "{refusals:?}"
    );
}
