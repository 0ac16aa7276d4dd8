//! Columns from words that names recur with: `managed by Ana Ruiz`, `located in Oslo`.

use super::{Found, column, enough};
use crate::record::page::{Page, Sentence};
use crate::stem::stem;
use banyan_engine::table::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Share of the documents that have to have the word with a name.
const SHARE: f32 = 0.5;
/// Sentences of a document that are about the whole. Arbitrary.
const LEAD: usize = 40;
const PREPOSITIONS: &[&str] = &["by", "in", "at", "from", "with", "on", "to", "of", "is", "was"];
/// Words before a preposition that name no attribute.
const STOP: &[&str] = &[
    "and",
    "are",
    "as",
    "been",
    "being",
    "but",
    "first",
    "guests",
    "has",
    "have",
    "he",
    "it",
    "its",
    "more",
    "most",
    "not",
    "one",
    "only",
    "or",
    "she",
    "that",
    "the",
    "them",
    "they",
    "this",
    "time",
    "was",
    "we",
    "were",
    "which",
    "who",
    "you",
    "some",
    "all",
    "both",
    "part",
    "also",
    "there",
    "just",
    "right",
    "experience",
    "welcome",
    "heart",
];

/// A word, the documents that have it with a name, and the names.
struct Slot(String, BTreeSet<usize>, Vec<String>);

/// The columns of words that names recur with.
pub(super) fn columns(pages: &[Page<'_>]) -> Vec<Found> {
    let mut slots: BTreeMap<(String, String), Slot> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        for sentence in page.sentences.iter().take(LEAD) {
            for (word, preposition, name) in filled(sentence, &page.document.text) {
                let slot = slots
                    .entry((stem(&word), preposition))
                    .or_insert_with(|| Slot(word, BTreeSet::new(), Vec::new()));
                slot.1.insert(at);
                slot.2.push(name);
            }
        }
    }
    let least = enough(pages.len(), SHARE);
    let found = slots.into_iter().filter(|(_, slot)| slot.1.len() >= least);
    found
        .map(|((_, preposition), Slot(word, documents, examples))| {
            let name = format!("{word}_{preposition}");
            let description = format!("The name that documents give after `{word} {preposition}`.");
            Found {
                column: column(name, Kind::Text, &examples, description),
                n_documents: documents.len(),
            }
        })
        .collect()
}

/// Word, preposition and name, wherever a sentence has them one after the other.
fn filled(sentence: &Sentence, text: &str) -> Vec<(String, String, String)> {
    let tokens = &sentence.tokens;
    let mut found = Vec::new();
    for at in 1..tokens.len().saturating_sub(1) {
        let (word, preposition) = (&tokens[at - 1], &tokens[at]);
        let is_slot = PREPOSITIONS.contains(&preposition.lower.as_str())
            && !word.is_capital
            && word.lower.len() > 3
            && !STOP.contains(&word.lower.as_str())
            && word.lower.chars().all(char::is_alphabetic)
            && preposition.gap.trim().is_empty();
        let next = if tokens[at + 1].lower == "the" { at + 2 } else { at + 1 };
        let is_name = tokens
            .get(next)
            .is_some_and(|token| token.is_capital && token.gap.trim().is_empty());
        if is_slot && is_name {
            found.push((
                word.lower.clone(),
                preposition.lower.clone(),
                tokens[next].span.of(text).to_owned(),
            ));
        }
    }
    found
}
