//! Growth and seeds from texts alone.

use super::{MU, Meanings};
use crate::Extractor;
use crate::analysis::Analysis;
use crate::chunk::EstimateTokens;
use crate::expand::{Grown, Rule, grow_and_read};
use crate::infer::{InferError, THRESHOLD, infer};
use crate::pipeline::extract;
use crate::watch::Watch;
use banyan_engine::embed::LexicalEmbedder;
use banyan_engine::schema::{Growth, SchemaMode};
use banyan_engine::{Contribution, Document, Origin, Resolution, Schema};
use std::collections::BTreeSet;

struct Nobody;
impl Watch for Nobody {}

const KEEPERS: [(&str, &str); 6] = [
    ("Skelva Light", "Ada Quill"),
    ("Ommer Light", "Bo Ferren"),
    ("Tidd Light", "Cass Orde"),
    ("Karrow Light", "Dov Merrow"),
    ("Wrenna Light", "Eve Harl"),
    ("Ansay Light", "Finn Osk"),
];

/// Documents that define a thing by a noun and join names by words that the general schema does not have.
fn seamarks() -> Vec<Document> {
    let document = |(light, keeper): &(&str, &str)| {
        let text = format!(
            "{light} is a seamark. {light} was rekindled by {keeper}. It has a candle power of 9,000 and was mothballed in 1921."
        );
        Document::new(*light, text, Origin::default())
    };
    let mut documents: Vec<Document> = KEEPERS.iter().map(document).collect();
    banyan_engine::document::canonicalise(&mut documents);
    documents
}

fn read(documents: &[Document], schema: &Schema) -> Result<Vec<Contribution>, InferError> {
    Ok(extract(
        &Analysis::surfaces(documents),
        Extractor::Embedded,
        schema,
        &EstimateTokens,
        256,
        &Nobody,
    )?)
}

fn grown(documents: &[Document]) -> Grown {
    let rule = Rule {
        mode: SchemaMode::Expand,
        mu: MU,
        embedder: &Meanings,
        proposed: &[],
    };
    let general = Schema::general().unwrap();
    grow_and_read(
        &Analysis::surfaces(documents),
        &general,
        &Growth::default(),
        &rule,
        |schema| read(documents, schema),
    )
    .unwrap()
}

#[test]
fn texts_suggest_elements_with_evidence_that_can_be_looked_up() {
    let documents = seamarks();
    let growth = grown(&documents).growth;
    let accepted: Vec<String> = growth
        .accepted()
        .iter()
        .map(|proposal| proposal.element.to_string())
        .collect();
    assert_eq!(
        accepted,
        [
            "entity type seamark",
            "relation rekindled_by (seamark → any)",
            "attribute candle_power (seamark: number)",
            "attribute mothballed_date (seamark: date)",
        ]
    );
    for proposal in growth.accepted() {
        assert_eq!(proposal.evidence.len(), KEEPERS.len());
        for (id, span) in &proposal.evidence {
            let document = documents.iter().find(|document| document.id == *id).unwrap();
            assert!(!span.of(&document.text).is_empty(), "{span:?}");
        }
    }
}

#[test]
fn what_was_accepted_is_read_in_the_same_build() {
    let documents = seamarks();
    let Grown {
        schema, contributions, ..
    } = grown(&documents);
    let (_, graph, _) = banyan_engine::graph::assemble(&schema, &contributions, &Resolution::default());
    let light = graph.entity(graph.find("skelva light").unwrap());
    assert_eq!(schema.entity_type(light.entity_type).name, "seamark");
    let rekindled_by = schema.relation_id("rekindled_by").unwrap();
    let stated = graph.triples().iter().filter(|triple| triple.relation == rekindled_by);
    assert_eq!(stated.count(), KEEPERS.len());
    let values: BTreeSet<&str> = graph
        .attributes()
        .iter()
        .map(|attribute| attribute.value.as_str())
        .collect();
    assert!(values.contains("9,000") && values.contains("1921"), "{values:?}");
    assert_eq!(
        contributions,
        read(&documents, &schema).unwrap(),
        "all is read with the last version"
    );
}

#[test]
fn a_seed_is_inferred_from_what_recurs() {
    let (documents, general) = (seamarks(), Schema::general().unwrap());
    let seed = |documents: &[Document]| {
        infer(
            "lights",
            &Analysis::surfaces(documents),
            &general,
            THRESHOLD,
            &LexicalEmbedder,
            &Nobody,
        )
    };
    let schema = seed(&documents).unwrap();
    assert_eq!((schema.name(), schema.version()), ("lights", 1));
    assert!(schema.type_id("seamark").is_some() && schema.relation_id("rekindled_by").is_some());
    assert!(schema.attribute_id("candle_power").is_some() && schema.attribute_id("description").is_some());
    assert!(
        schema.type_id("award").is_none() && schema.relation_id("spouse").is_none(),
        "nothing that no text uses"
    );
    let text = schema.to_json().unwrap();
    assert_eq!(Schema::read("lights.json", &text).unwrap(), schema);
    assert!(matches!(
        seed(&documents[..1]),
        Err(InferError::Nothing { n_documents: 1 })
    ));
}
