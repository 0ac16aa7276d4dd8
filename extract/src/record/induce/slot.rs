//! Columns from words that names recur with: `managed by Ana Ruiz`, `located in Oslo`.

use super::{Found, column, enough};
use crate::record::fill::{name_at, name_until};
use crate::record::page::{Page, Sentence, Token};
use crate::record::thesaurus::{Unit, units};
use banyan_engine::Span;
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

/// A word with a name beside it.
struct Filled {
    word: String,
    /// The preposition between them; none where the word is a role: `the curator, Ana Ruiz`.
    preposition: String,
    name: String,
}

/// How a word is written, the documents that have it with a name, and the names.
#[derive(Default)]
struct Slot {
    surfaces: BTreeMap<String, usize>,
    documents: BTreeSet<usize>,
    names: Vec<String>,
}

/// The columns of words that names recur with.
pub(super) fn columns(pages: &[Page<'_>]) -> Vec<Found> {
    let mut slots: BTreeMap<(String, String), Slot> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        let text = &page.document.text;
        for sentence in page.sentences.iter().take(LEAD) {
            for filled in after_preposition(sentence, text)
                .into_iter()
                .chain(roles(sentence, text))
            {
                let Some(unit) = units(&filled.word).first().cloned() else {
                    continue;
                };
                let slot = slots.entry((unit.meaning(), filled.preposition)).or_default();
                *slot.surfaces.entry(filled.word).or_default() += 1;
                slot.documents.insert(at);
                slot.names.push(filled.name);
            }
        }
    }
    let least = enough(pages.len(), 0.0);
    let kept = slots.into_iter().filter(|(_, slot)| slot.documents.len() >= least);
    kept.filter_map(|((_, preposition), slot)| found(&preposition, slot))
        .collect()
}

fn found(preposition: &str, slot: Slot) -> Option<Found> {
    let surfaces = slot.surfaces.into_iter();
    let (word, _) = surfaces.max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
    let name = if preposition.is_empty() {
        units(&word)
            .first()
            .and_then(Unit::canonical)
            .unwrap_or_else(|| word.clone())
    } else {
        format!("{word}_{preposition}")
    };
    let description = format!("The name that documents give with `{word}`.");
    Some(Found {
        column: column(name, Kind::Text, &slot.names, description),
        documents: slot.documents,
        share: SHARE,
    })
}

fn is_word(token: &Token) -> bool {
    !token.is_capital
        && token.lower.len() > 3
        && !STOP.contains(&token.lower.as_str())
        && token.lower.chars().all(char::is_alphabetic)
}

/// Word, preposition and name, wherever a sentence has them one after the other. Who does something (`managed by`) has the
/// role of that.
fn after_preposition(sentence: &Sentence, text: &str) -> Vec<Filled> {
    let tokens = &sentence.tokens;
    let mut found = Vec::new();
    for at in 1..tokens.len().saturating_sub(1) {
        let (word, preposition) = (&tokens[at - 1], &tokens[at]);
        let is_slot =
            PREPOSITIONS.contains(&preposition.lower.as_str()) && is_word(word) && preposition.gap.trim().is_empty();
        let next = if tokens[at + 1].lower == "the" { at + 2 } else { at + 1 };
        let is_name = tokens
            .get(next)
            .is_some_and(|token| token.is_capital && token.gap.trim().is_empty());
        if is_slot && is_name {
            let is_role = preposition.lower == "by" && units(&word.lower).first().is_some_and(Unit::is_known);
            found.push(Filled {
                word: word.lower.clone(),
                preposition: if is_role {
                    String::new()
                } else {
                    preposition.lower.clone()
                },
                name: name_at(tokens, next).of(text).to_owned(),
            });
        }
    }
    found
}

/// Roles: `the manager, Ana Ruiz`, `its curator Ana Ruiz`, `Ana Ruiz is the captain`, with a name of at least two words.
fn roles(sentence: &Sentence, text: &str) -> Vec<Filled> {
    let tokens = &sentence.tokens;
    let is_open = |at: usize| tokens[at].gap.trim().is_empty();
    let is_article = |at: usize| matches!(tokens[at].lower.as_str(), "the" | "its" | "their" | "our" | "a" | "an");
    let filled = |word: usize, name: Span| Filled {
        word: tokens[word].lower.clone(),
        preposition: String::new(),
        name: name.of(text).to_owned(),
    };
    let mut found = Vec::new();
    for at in 1..tokens.len() {
        if !is_word(&tokens[at]) || !is_article(at - 1) || !is_open(at) {
            continue;
        }
        if let Some(next) = tokens.get(at + 1).filter(|next| next.is_capital) {
            let name = name_at(tokens, at + 1);
            if matches!(next.gap.trim(), "" | ",") && name.end > next.span.end {
                found.push(filled(at, name));
            }
        }
        let is_said = at >= 3
            && matches!(tokens[at - 2].lower.as_str(), "is" | "was" | "as")
            && is_open(at - 1)
            && is_open(at - 2)
            && tokens[at - 3].is_capital;
        if is_said {
            let name = name_until(tokens, at - 3);
            if name.start < tokens[at - 3].span.start {
                found.push(filled(at, name));
            }
        }
    }
    found
}
