//! Growth by what a model states and proposes. The statements are written by hand.

use super::{MU, Meanings};
use crate::Extractor;
use crate::analysis::Analysis;
use crate::chunk::EstimateTokens;
use crate::expand::{Grown, Rule, grow_and_read, proposed};
use crate::pipeline::extract;
use crate::stated::{Intake, NewType};
use crate::watch::Watch;
use banyan_engine::schema::{ElementKind, Growth, SchemaMode};
use banyan_engine::{Document, DocumentId, Origin, Resolution, Schema, Span, StatedAt};
use std::collections::BTreeMap;

struct Nobody;
impl Watch for Nobody {}

const SEED: &str = r#"{"name": "isles", "entity_types": [{"name": "person"}]}"#;
const BOATS: [&str; 6] = ["Skua", "Petrel", "Gannet", "Osprey", "Dunlin", "Knot"];

/// Six boats, and of each: its type, a relation with a proposal that describes it, an attribute.
fn boats() -> (Vec<Document>, BTreeMap<DocumentId, Vec<StatedAt>>) {
    let document = |name: &&str| {
        let text = format!("{name} is a lugger. {name} sank off Tidd. {name} had 7 guns.");
        Document::new(*name, text, Origin::default())
    };
    let mut documents: Vec<Document> = BOATS.iter().map(document).collect();
    banyan_engine::document::canonicalise(&mut documents);
    let stated = |document: &Document| {
        let name = &document.title;
        let mut intake = Intake::default();
        intake.entity(name, Some("Lugger"));
        intake.entity("Tidd", Some("Person"));
        intake.triple(name, "sank off", "Tidd");
        intake.attribute(name, "guns", "7");
        intake.new_type(&NewType {
            kind: ElementKind::Relation,
            name: "sank_off".to_owned(),
            description: "where a boat went down".to_owned(),
            domain: vec!["lugger".to_owned()],
            range: Vec::new(),
            value: None,
        });
        let at = StatedAt {
            span: Span::new(0, document.text.len()),
            stated: intake.finish(),
            tokens: 0,
        };
        (document.id, vec![at])
    };
    let statements = documents.iter().map(stated).collect();
    (documents, statements)
}

fn grown(mode: SchemaMode) -> Grown {
    let (documents, statements) = boats();
    let rule = Rule {
        mode,
        mu: MU,
        embedder: &Meanings,
        proposed: &proposed(&documents, &statements),
    };
    let seed = Schema::from_json(SEED).unwrap();
    let parsed = Analysis::surfaces(&documents);
    grow_and_read(&parsed, &seed, &Growth::default(), &rule, |schema| {
        extract(
            &parsed,
            Extractor::Stated(&statements),
            schema,
            &EstimateTokens,
            256,
            &Nobody,
        )
        .map_err(|error| panic!("{error}"))
    })
    .unwrap_or_else(|error: crate::expand::ExpandError| panic!("{error}"))
}

#[test]
fn what_a_model_says_and_the_schema_lacks_grows_it_and_is_read_with_it() {
    let Grown {
        schema,
        growth,
        contributions,
    } = grown(SchemaMode::Expand);
    let accepted: Vec<String> = growth
        .accepted()
        .iter()
        .map(|proposal| proposal.element.to_string())
        .collect();
    for expected in ["entity type lugger", "attribute guns (lugger: number)"] {
        assert!(
            accepted.iter().any(|element| element == expected),
            "expected {expected:?}: {accepted:#?}"
        );
    }
    let sank = schema.relation_id("sank_off").unwrap();
    assert_eq!(schema.relations()[sank.index()].description, "where a boat went down");
    let (_, graph, refusals) = banyan_engine::graph::assemble(&schema, &contributions, &Resolution::default());
    let skua = graph.entity(graph.find("skua").unwrap());
    assert_eq!(schema.entity_type(skua.entity_type).name, "lugger");
    let n = |relation| {
        graph
            .triples()
            .iter()
            .filter(|triple| triple.relation == relation)
            .count()
    };
    assert_eq!((n(sank), graph.attributes().len()), (6, 6), "{refusals:#?}");
}

#[test]
fn a_strict_schema_stays_whatever_a_model_says() {
    let Grown { schema, growth, .. } = grown(SchemaMode::Strict);
    assert_eq!(schema, Schema::from_json(SEED).unwrap());
    assert_eq!(growth, Growth::default());
}
