//! Evaluation of named entities on sentences tagged token by token: where names stand, and what they name.

use super::label::Labels;
use super::tally::Tally;
use super::tokens::Tokenised;
use super::understanding::Understanding;
use crate::args::Measure;
use anyhow::{Context, Result};
use banyan::eval::report::Part;
use banyan::eval::suite::Bench;
use banyan::parts::Watched;
use banyan_engine::Schema;
use banyan_extract::Watch;
use banyan_extract::literal::literals;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

mod bio;

pub(super) use bio::Tagging;
use bio::{Tagged, parse};

/// Extension of tagged files in a directory.
const EXTENSION: &str = "txt";
/// The label of a name whose type nothing shows, in a set without a residual label.
const UNTYPED: &str = "–";

/// All labels of some sentences.
fn labels(sentences: &[Tagged]) -> BTreeSet<String> {
    let tags = sentences.iter().flat_map(|sentence| &sentence.names);
    tags.map(|name| name.label.clone()).collect()
}

/// The schema that has the labels of a set as entity types, and no relation.
fn schema(labels: &Labels) -> Result<Schema> {
    let types: Vec<_> = labels.entity_types().collect();
    Ok(Schema::from_json(
        &json!({"name": "labels", "entity_types": types}).to_string(),
    )?)
}

/// The names that the embedded extractor finds in each sentence, read as a document of its own without a title.
///
/// A name covers every token that it touches. Its label is the type of its entity in the whole set; a name without a type
/// has the residual label, else [`UNTYPED`]. Dates and numbers count as names where the set labels them.
fn find(sentences: &[Tagged], labels: &Labels, watch: &dyn Watch) -> Result<Vec<BTreeSet<Tagging>>> {
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

/// Reads the tagged sentences of a file or directory and counts the names that are found in them.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let part = |path: &PathBuf| -> Result<Part> {
        let mut sentences: Vec<Tagged> = Vec::new();
        for file in super::files(path, EXTENSION)? {
            let text = fs::read_to_string(&file).with_context(|| format!("{}: cannot read", file.display()))?;
            sentences.extend(parse(&text).with_context(|| file.display().to_string())?);
        }
        let known = Labels::new(&labels(&sentences), &Schema::general()?);
        let bar = bench.env.progress.bar("extracting", sentences.len());
        let watch = Watched {
            bar: &bar,
            stop: &bench.env.stop,
        };
        let found = find(&sentences, &known, &watch)?;
        drop(bar);
        let mut part = super::part(path, sentences.len());
        score(&mut part, &sentences, &found);
        Ok(part)
    };
    args.paths.iter().map(part).collect()
}

/// Counts names that are right in place, and in place and label; by label of the latter.
fn score(part: &mut Part, sentences: &[Tagged], found: &[BTreeSet<Tagging>]) {
    let mut gold = BTreeSet::new();
    let mut predicted = BTreeSet::new();
    for (at, (sentence, names)) in sentences.iter().zip(found).enumerate() {
        gold.extend(sentence.names.iter().map(|name| (at, name.clone())));
        predicted.extend(names.iter().map(|name| (at, name.clone())));
    }
    count(part, "names", &gold, &predicted);
}

/// The figures of names by place and label, by place alone, and by label.
pub(super) fn count(
    part: &mut Part,
    method: &str,
    gold: &BTreeSet<(usize, Tagging)>,
    found: &BTreeSet<(usize, Tagging)>,
) {
    let placed = |set: &BTreeSet<(usize, Tagging)>| -> BTreeSet<_> {
        set.iter().map(|(at, name)| (*at, name.first, name.end)).collect()
    };
    Tally::of(gold, found).set_down(part, method, "");
    Tally::of(&placed(gold), &placed(found)).set_down(part, method, "span ");
    for (label, tally) in Tally::by(gold, found, |(_, name)| name.label.clone()) {
        part.total(method, &format!("f1 {label}"), tally.gold, tally.f1());
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
        let mut part = Part::default();
        score(&mut part, &sentences, &found);
        let value = |metric: &str| part.totals.iter().find(|one| one.metric == metric).unwrap().value;
        // Right in place: two of three found, of three to be found. In label as well: one.
        assert!((value("span f1") - 2.0 / 3.0).abs() < 1e-6 && (value("f1") - 1.0 / 3.0).abs() < 1e-6);
        assert!((value("f1 x") - 0.5).abs() < 1e-6 && value("f1 y").abs() < 1e-6);
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
