//! What was stated of a corpus as examples: sentences with the statements that a model or a recording found in them.

use super::example::{Example, Triple};
use crate::sentence::split;
use banyan_engine::schema::RELATED_TO;
use banyan_engine::{Contribution, Document, Schema, Span};

/// The relation between a document's subject and whatever else it names: it says nothing of a sentence.
const MENTIONS: &str = "mentions";

/// The sentences of documents that name both ends of a fact, with these facts, in the order of the documents.
///
/// `contributions` stand beside their documents; their facts are bound to `schema` already. A fact is told in the words
/// of the sentence: each end as it is named there. `related_to` and `mentions` are passed over, as they are no relations
/// that a sentence states. Labels of this kind are never known to be complete. Cost O(sentences · facts of a document).
pub fn recorded_examples(documents: &[Document], contributions: &[Contribution], schema: &Schema) -> Vec<Example> {
    let mut examples = Vec::new();
    for (document, contribution) in documents.iter().zip(contributions) {
        for (at, sentence) in split(&document.text).into_iter().enumerate() {
            let triples = triples(document, contribution, schema, sentence);
            if !triples.is_empty() {
                examples.push(Example {
                    id: format!("{}#{at}", document.id),
                    sentence: sentence.of(&document.text).to_owned(),
                    triples,
                    is_complete: false,
                });
            }
        }
    }
    examples
}

fn triples(document: &Document, contribution: &Contribution, schema: &Schema, sentence: Span) -> Vec<Triple> {
    let surface = |entity: &str| {
        let inside = contribution
            .mentions
            .iter()
            .filter(|mention| mention.entity == entity && sentence.contains(mention.span));
        let longest =
            inside.max_by_key(|mention| (mention.span.end - mention.span.start, std::cmp::Reverse(mention.span)));
        longest.map(|mention| mention.span.of(&document.text).to_owned())
    };
    let facts = contribution
        .triples
        .iter()
        .filter(|claim| sentence.contains(claim.span));
    let mut triples: Vec<Triple> = facts
        .filter_map(|claim| {
            let kind = &schema.relations()[claim.relation.index()];
            let is_telling = kind.name != RELATED_TO && kind.name != MENTIONS;
            is_telling.then_some(())?;
            Some(Triple {
                subject: surface(&claim.head)?,
                relation: kind.label().to_owned(),
                object: surface(&claim.tail)?,
            })
        })
        .collect();
    let values = contribution
        .attributes
        .iter()
        .filter(|claim| sentence.contains(claim.span));
    triples.extend(values.filter_map(|claim| {
        let value = claim.value.trim();
        let kind = &schema.attributes()[claim.attribute.index()];
        sentence.of(&document.text).contains(value).then_some(())?;
        Some(Triple {
            subject: surface(&claim.entity)?,
            relation: kind.label().to_owned(),
            object: value.to_owned(),
        })
    }));
    triples.sort();
    triples.dedup();
    triples
}
