//! Columns from recurring labels.

use super::{Found, column, enough, name_of};
use crate::record::literal::{Quantity, boolean, convert, days, numbers, range, unit_of, year_of};
use crate::record::page::{Field, Page};
use crate::stem::stem;
use banyan_engine::table::{Column, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// Share of the documents that have a label that becomes a column. Arbitrary: a third.
const SHARE: f32 = 0.34;
/// Share of a label's values that say its kind. Arbitrary: four of five, since pages have slips.
const AGREE: f32 = 0.8;
/// Longest mean value of a text column in characters: longer ones are descriptions (S-RAG, appendix B).
const MAX_MEAN: usize = 60;

/// A label with its values, one a document.
#[derive(Default)]
struct Label {
    name: String,
    values: Vec<String>,
    documents: BTreeSet<usize>,
}

/// The columns of labels that recur.
pub(super) fn columns(pages: &[Page<'_>]) -> Vec<Found> {
    let mut labels: BTreeMap<String, Label> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        let mut seen: Vec<String> = Vec::new();
        for field in &page.fields {
            let key = key(field);
            // A label that a page has twice is the head of a list.
            if key.is_empty() || seen.contains(&key) {
                continue;
            }
            let label = labels.entry(key.clone()).or_default();
            if label.name.is_empty() {
                label.name = name_of(field.label.of(&page.document.text));
            }
            label.values.push(field.value.of(&page.document.text).to_owned());
            label.documents.insert(at);
            seen.push(key);
        }
    }
    let least = enough(pages.len(), 0.0);
    // What other labels have as values is a name, not a label: lists of names look alike.
    let values: BTreeSet<String> = labels
        .values()
        .flat_map(|label| &label.values)
        .map(|value| name_of(value.split('(').next().unwrap_or("")))
        .collect();
    // So is what is written with figures, or with letters only: a heading of a column of scores.
    let is_word = |name: &str| {
        !name.contains(|ch: char| ch.is_ascii_digit()) && name.split('_').any(|word| word.chars().count() > 1)
    };
    let is_attribute =
        |label: &Label| label.values.len() >= least && !values.contains(&label.name) && is_word(&label.name);
    let frequent = labels.into_values().filter(is_attribute);
    frequent.flat_map(|label| of_label(&label, least)).collect()
}

fn key(field: &Field) -> String {
    let stems: Vec<&str> = field
        .units
        .iter()
        .map(|unit| unit.stem.as_str())
        .filter(|stem| *stem != "s")
        .collect();
    stems.join(" ")
}

/// The columns of one label: its own, two where its values are spans of dates, and those of numbers in brackets.
fn of_label(label: &Label, least: usize) -> Vec<Found> {
    let n_values = label.values.len();
    let all = |is: &dyn Fn(&str) -> bool| {
        let n = label.values.iter().filter(|value| is(value)).count();
        n as f32 >= AGREE * n_values as f32
    };
    let found = |column: Column| Found {
        column,
        documents: label.documents.clone(),
        share: SHARE,
    };
    let describe = |what: &str| format!("{what} that documents label `{}`.", label.name.replace('_', " "));
    let examples: Vec<String> = label
        .values
        .iter()
        .map(|value| value.split('\n').next().unwrap_or("").to_owned())
        .collect();
    let mut columns = Vec::new();
    let make = |name: &str, kind: Kind| column(name.to_owned(), kind, &examples, describe("What"));
    if all(&|value| range(value).is_some()) {
        let base = singular(&label.name);
        columns.push(found(make(&format!("start_{base}"), Kind::Date)));
        columns.push(found(make(&format!("end_{base}"), Kind::Date)));
        return columns;
    }
    let kind = if all(&|value| boolean(value.split(['(', ',']).next().unwrap_or("")).is_some()) {
        Kind::Boolean
    } else if all(&|value| days(value).first().is_some_and(|day| day.year.is_some())) {
        Kind::Date
    } else if all(&|value| value.len() == 4 && year_of(value).is_some()) {
        Kind::Year
    } else if all(&begins_with_number) {
        if is_whole(&label.values) {
            Kind::Integer
        } else {
            Kind::Number
        }
    } else {
        Kind::Text
    };
    let mean = label.values.iter().map(|value| value.chars().count()).sum::<usize>() / n_values;
    if kind != Kind::Text || mean <= MAX_MEAN {
        let mut own = make(&label.name, kind);
        own.unit = if kind.is_number() { unit(&label.values) } else { None };
        columns.push(found(own));
    }
    columns.extend(asides(label, least));
    columns
}

fn begins_with_number(value: &str) -> bool {
    numbers(value).first().is_some_and(|number| {
        let before = &value[..number.span.start as usize];
        let is_unit = unit_of(before.trim()).is_some();
        !number.is_ordinal && (is_unit || !before.contains(char::is_alphabetic))
    })
}

/// The unit that most numbers have with a unit, where more than half have one; the rest is converted to it. Of units that
/// are as frequent the one that comes first.
fn unit(values: &[String]) -> Option<String> {
    let written = values
        .iter()
        .filter_map(|value| Some(numbers(value).first()?.unit.of(value)));
    let units: Vec<(Quantity, &str)> = written.filter_map(|word| Some((unit_of(word)?, word))).collect();
    if units.len() * 2 <= values.len() {
        return None;
    }
    let share = |unit: &Quantity| units.iter().filter(|(other, _)| other == unit).count();
    // Of equals the first, which `max_by_key` over the reverse takes.
    let most = units.iter().rev().max_by_key(|(unit, _)| share(unit))?;
    Some(most.1.to_owned())
}

/// Whether all numbers are whole in the unit of the column.
fn is_whole(values: &[String]) -> bool {
    let own = unit(values).as_deref().and_then(unit_of);
    values.iter().all(|value| {
        let number = numbers(value).into_iter().next();
        number.is_none_or(|number| {
            let units = unit_of(number.unit.of(value)).zip(own);
            let value = units.and_then(|(from, to)| convert(number.value, from, to));
            value.unwrap_or(number.value).fract() == 0.0
        })
    })
}

/// Numbers with a noun in brackets: `10 (in 9 host cities)` has host cities, `Ana Ruiz (8 goals)` goals of whatever the
/// label says.
fn asides(label: &Label, least: usize) -> Vec<Found> {
    let mut nouns: BTreeMap<String, (String, BTreeSet<usize>)> = BTreeMap::new();
    for (value, document) in label.values.iter().zip(&label.documents) {
        let Some(open) = value.find('(') else { continue };
        let inside = &value[open..];
        for number in numbers(inside).into_iter().filter(|number| !number.is_ordinal) {
            let rest = &inside[number.span.end as usize..];
            let end = rest.find([')', ',', ';', '.']).unwrap_or(rest.len());
            let words: Vec<&str> = rest[..end]
                .split_whitespace()
                .take(2)
                .filter(|word| word.chars().all(char::is_alphabetic))
                .collect();
            if words.is_empty() || matches!(words[0], "per" | "each" | "of" | "in") {
                continue;
            }
            let words: Vec<&str> = words
                .into_iter()
                .filter(|word| !matches!(*word, "each" | "in" | "total"))
                .collect();
            let key: Vec<String> = words.iter().map(|word| stem(word)).collect();
            let entry = nouns
                .entry(key.join(" "))
                .or_insert_with(|| (words.join("_").to_lowercase(), BTreeSet::new()));
            entry.1.insert(*document);
        }
    }
    let own_is_number = label.values.iter().filter(|value| begins_with_number(value)).count() * 2 > label.values.len();
    let name = |noun: &str| {
        if own_is_number {
            noun.to_owned()
        } else {
            format!("{}_{noun}", label.name)
        }
    };
    let frequent = nouns.into_values().filter(|(_, documents)| documents.len() >= least);
    frequent
        .map(|(noun, documents)| {
            let description = format!(
                "How many {} documents give in brackets behind `{}`.",
                noun.replace('_', " "),
                label.name
            );
            Found {
                column: column(name(&noun), Kind::Integer, &[], description),
                documents,
                share: SHARE,
            }
        })
        .collect()
}

/// `dates` is `date`.
fn singular(name: &str) -> String {
    name.strip_suffix('s').unwrap_or(name).to_owned()
}
