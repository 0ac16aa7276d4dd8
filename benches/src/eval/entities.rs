//! Evaluation of named entities on sentences tagged token by token: where names stand, and what they name.

use super::label::Labels;
use super::tally::Tally;
use super::tokens::Tokenised;
use super::understanding::Understanding;
use banyan_engine::Schema;
use banyan_engine::schema::SchemaError;
use banyan_extract::literal::literals;
use banyan_extract::{ExtractError, Watch};
use serde_json::json;
use std::collections::BTreeSet;

mod bio;
mod report;

pub use bio::{BioError, Tagged, Tagging, parse};
pub use report::Report;

/// Why a set cannot be evaluated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// The labels of the set give no schema.
    #[error("the labels of the set make no schema")]
    Schema(#[from] SchemaError),
    /// Extraction ended early.
    #[error(transparent)]
    Extract(#[from] ExtractError),
}

/// The label of a name whose type nothing shows, in a set without a residual label.
pub const UNTYPED: &str = "–";

/// All labels of some sentences.
pub fn labels(sentences: &[Tagged]) -> BTreeSet<String> {
    let tags = sentences.iter().flat_map(|sentence| &sentence.names);
    tags.map(|name| name.label.clone()).collect()
}

/// The schema that has the labels of a set as entity types, and no relation.
///
/// # Errors
/// [`SchemaError`] for more labels than a schema holds.
pub fn schema(labels: &Labels) -> Result<Schema, SchemaError> {
    let types: Vec<_> = labels.entity_types().collect();
    Schema::from_json(&json!({"name": "labels", "entity_types": types}).to_string())
}

/// The names that the embedded extractor finds in each sentence, read as a document of its own without a title.
///
/// A name covers every token that it touches. Its label is the type of its entity in the whole set; a name without a type
/// has the residual label, else [`UNTYPED`]. Dates and numbers count as names where the set labels them.
///
/// # Errors
/// [`EvalError`] when there are too many labels or names, or `watch` asked to stop.
pub fn find(sentences: &[Tagged], labels: &Labels, watch: &dyn Watch) -> Result<Vec<BTreeSet<Tagging>>, EvalError> {
    let texts: Vec<Tokenised> = sentences
        .iter()
        .map(|one| Tokenised::new(std::slice::from_ref(&one.tokens)))
        .collect();
    let pairs: Vec<(&str, &str)> = texts.iter().map(|text| ("", text.text.as_str())).collect();
    let read = Understanding::of(&pairs, schema(labels)?, watch)?;
    Ok((0..texts.len())
        .map(|at| names(&read, at, &texts[at], labels))
        .collect())
}

/// The names in one text of what was read, dates and numbers among them, by token.
pub(super) fn names(read: &Understanding, at: usize, text: &Tokenised, labels: &Labels) -> BTreeSet<Tagging> {
    let schema = &read.knowledge.schema;
    let mut found: BTreeSet<Tagging> = BTreeSet::new();
    for (span, entity) in read.names(at) {
        let kind = read.knowledge.graph.entity(entity).entity_type;
        let label = labels.of(schema, kind).unwrap_or(UNTYPED);
        found.extend(text.covered(span).map(|tokens| Tagging::new(tokens, label)));
    }
    let whole = banyan_engine::Span::new(0, text.text.len());
    for literal in literals(&text.text, whole) {
        let label = labels.of_value(literal.kind);
        let tokens = text.covered(literal.span);
        let value = label.zip(tokens).map(|(label, tokens)| Tagging::new(tokens, label));
        found.extend(value.filter(|value| found.iter().all(|name| !name.overlaps(value))));
    }
    found
}

/// Counts names that are right in place, and in place and label; by label of the latter.
pub fn score(sentences: &[Tagged], found: &[BTreeSet<Tagging>], files: usize, cpu_seconds: f64) -> Report {
    let mut gold = BTreeSet::new();
    let mut predicted = BTreeSet::new();
    for (at, (sentence, names)) in sentences.iter().zip(found).enumerate() {
        gold.extend(sentence.names.iter().map(|name| (at, name.clone())));
        predicted.extend(names.iter().map(|name| (at, name.clone())));
    }
    let placed = |set: &BTreeSet<(usize, Tagging)>| -> BTreeSet<_> {
        set.iter().map(|(at, name)| (*at, name.first, name.end)).collect()
    };
    Report {
        labels: labels(sentences),
        typed: Tally::of(&gold, &predicted).into(),
        span: Tally::of(&placed(&gold), &placed(&predicted)).into(),
        by_label: super::tally::figures(Tally::by(&gold, &predicted, |(_, name)| name.label.clone())),
        sentences: sentences.len(),
        files,
        cpu_seconds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nobody;
    impl Watch for Nobody {}

    fn tagging(first: usize, end: usize, label: &str) -> Tagging {
        Tagging::new(first..end, label)
    }

    #[test]
    fn the_hand_computed_case_agrees() {
        let sentences = parse("a\tB-x\nb\tI-x\nc\tO\nd\tB-y\n\ne\tB-x\n").unwrap();
        let found = [
            BTreeSet::from([tagging(0, 2, "x"), tagging(3, 4, "x"), tagging(2, 3, "y")]),
            BTreeSet::new(),
        ];
        let report = score(&sentences, &found, 1, 0.5);
        // Right in place: two of three found, of three to be found. In label as well: one.
        assert_eq!((report.span.hits, report.span.found, report.span.gold), (2, 3, 3));
        assert!((report.span.f1 - 2.0 / 3.0).abs() < 1e-12 && (report.typed.f1 - 1.0 / 3.0).abs() < 1e-12);
        let (x, y) = (report.by_label["x"], report.by_label["y"]);
        assert!((x.precision - 0.5).abs() < 1e-12 && (x.recall - 0.5).abs() < 1e-12);
        assert_eq!((y.gold, y.found, y.hits), (1, 1, 0));
    }

    #[test]
    fn names_are_found_with_the_labels_as_types() {
        let text = "the O\nriver O\nOndle B-location\nmet O\nthe O\npoet O\nMara B-person\nVoss I-person\nin O\nMay B-time\n1901 I-time\n. O\n";
        let sentences = parse(text).unwrap();
        let general = Schema::general().unwrap();
        let labels = Labels::new(&labels(&sentences), &general);
        let found = find(&sentences, &labels, &Nobody).unwrap();
        let expected = [
            tagging(2, 3, "location"),
            tagging(6, 8, "person"),
            tagging(9, 11, "time"),
        ];
        assert_eq!(found, [BTreeSet::from(expected)]);
    }
}
