//! The generator, at its boundary.

use super::*;
use std::collections::BTreeSet;

/// What the kinds may have in common: words of grammar, and that things have names.
const SHARED: [&str; 14] = [
    "name", "the", "of", "in", "that", "is", "a", "to", "and", "has", "are", "it", "what", "with",
];

fn words<'a>(texts: impl Iterator<Item = &'a String>) -> BTreeSet<String> {
    let words = texts.flat_map(|text| text.split(|ch: char| !ch.is_alphabetic()));
    let words = words.map(str::to_lowercase).filter(|word| !word.is_empty());
    words.filter(|word| !SHARED.contains(&word.as_str())).collect()
}

#[test]
fn one_seed_makes_the_same_bytes_and_another_does_not() {
    let kind = Kind::named("hotels").unwrap();
    let made = |seed| {
        let made = kind.generate(5, 5, seed).unwrap();
        (made.pages, made.questions)
    };
    assert_eq!(made(7), made(7));
    assert_ne!(made(7), made(8));
}

#[test]
fn names_and_labels_of_two_kinds_share_no_word() {
    let kinds: Vec<Kind> = Kind::names().map(|name| Kind::named(name).unwrap()).collect();
    let vocabulary = |kind: &Kind| {
        words(
            kind.columns
                .iter()
                .flat_map(|spec| spec.labels.iter().chain([&spec.name])),
        )
    };
    for (at, kind) in kinds.iter().enumerate() {
        for other in &kinds[at + 1..] {
            let shared: Vec<String> = vocabulary(kind).intersection(&vocabulary(other)).cloned().collect();
            assert!(shared.is_empty(), "{} and {}: {shared:?}", kind.table, other.table);
        }
    }
}

#[test]
fn every_column_is_said_in_three_wordings_and_every_value_stands_on_its_page() {
    for name in Kind::names() {
        let kind = Kind::named(name).unwrap();
        for spec in &kind.columns[1..] {
            let in_leads = kind
                .leads
                .iter()
                .filter(|lead| lead.contains(&format!("{{{}}}", spec.name)));
            let n = spec.said.len().max(spec.yes.len()).max(in_leads.count());
            assert!(n >= 3, "{name}: {} has {n} wordings", spec.name);
        }
        let made = kind.generate(20, 30, 3).unwrap();
        assert_eq!(made.questions.len(), 30, "{name}");
        for (record, page) in made.gold.records.iter().zip(&made.pages) {
            for cell in record.cells.iter().filter(|cell| cell.value.as_text().is_some()) {
                let text = cell.value.to_string();
                // Dates have several notations; the year stands in each.
                assert!(page.contains(&text) || page.contains(&text[..4]), "{text} in {page}");
            }
        }
    }
}
