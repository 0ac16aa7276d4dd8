//! What was stated of a corpus as examples: sentences with the statements that a model or a recording found in them.

use super::example::{Example, Triple};
use crate::sentence::split;
use crate::statement::Relation;
use banyan_engine::{Contribution, Document, Schema, Span};
use std::collections::BTreeSet;

/// The sentences of documents that name both ends of a fact, with these facts, in the order of the documents.
///
/// `contributions` stand beside their documents; their facts are bound to `schema` already. A fact is told in the words
/// of the sentence: each end as it is named there. What no sentence is asked for ([`Relation::all`]) is passed over. Labels of this kind are never known to be complete. Cost O(sentences · facts of a document).
pub fn recorded_examples(documents: &[Document], contributions: &[Contribution], schema: &Schema) -> Vec<Example> {
    let mut examples = Vec::new();
    let asked: BTreeSet<String> = Relation::all(schema)
        .into_iter()
        .map(|relation| relation.label)
        .collect();
    for (document, contribution) in documents.iter().zip(contributions) {
        for (at, sentence) in split(&document.text).into_iter().enumerate() {
            let triples = triples(&asked, document, contribution, schema, sentence);
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

fn triples(
    asked: &BTreeSet<String>,
    document: &Document,
    contribution: &Contribution,
    schema: &Schema,
    sentence: Span,
) -> Vec<Triple> {
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
            asked.contains(kind.label()).then_some(())?;
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
        asked.contains(kind.label()).then_some(())?;
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
