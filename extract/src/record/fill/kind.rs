//! Kinds: `is a charming lodge in …` says the type of a thing without the word.

use super::candidate::{Candidate, Wanted};
use crate::record::page::{Page, Sentence};
use crate::record::thesaurus::words;
use banyan_engine::Span;
use banyan_engine::table::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Sentences in which a page says what its subject is.
const LEAD: usize = 4;
/// How sure the noun of a definition is, and one of the values that a description lists.
const SURE: f32 = 0.7;
const LISTED: f32 = 0.85;
/// Words that end the noun of a definition.
const ENDS: &[&str] = &[
    "in",
    "of",
    "with",
    "that",
    "which",
    "who",
    "on",
    "for",
    "at",
    "where",
    "located",
    "situated",
    "by",
    "near",
    "from",
    "set",
    "nestled",
    "and",
    "offering",
    "featuring",
    "just",
    "close",
    "right",
    "overlooking",
    "whose",
    "to",
    "held",
    "played",
];

/// Nouns of two words that name kinds: `boutique hotel`, where `charming hotel` is a hotel.
///
/// A word before the noun of a definition is part of it where it stands before no other noun; adjectives stand before all
/// of them.
#[derive(Debug, Default)]
pub(in crate::record) struct Compounds(BTreeSet<(String, String)>);

/// Definitions in which a noun of two words has to come. Arbitrary.
const MIN_COMPOUND: usize = 3;

impl Compounds {
    /// The nouns of two words in the definitions of a corpus. Cost O(length of the first sentences).
    pub(in crate::record) fn of(pages: &[Page<'_>]) -> Self {
        let mut heads: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for page in pages {
            for sentence in page.sentences.iter().take(LEAD) {
                let Some((before, head)) = noun(sentence).and_then(|span| pair(sentence, span)) else {
                    continue;
                };
                *heads
                    .entry(before.to_owned())
                    .or_default()
                    .entry(head.to_owned())
                    .or_default() += 1;
            }
        }
        let all: BTreeSet<&String> = heads.values().flat_map(BTreeMap::keys).collect();
        let recurs =
            |counts: &BTreeMap<String, usize>| counts.len() == 1 && counts.values().all(|n| *n >= MIN_COMPOUND);
        // Where all are museums, what tells them apart are the words before: maritime ones, folk museums.
        let n_recurring = heads.values().filter(|counts| recurs(counts)).count();
        let has_kinds = all.len() > 1 || n_recurring > 1;
        let parts = heads.iter().filter(|(_, counts)| has_kinds && recurs(counts));
        Self(
            parts
                .flat_map(|(before, counts)| counts.keys().map(|head| (before.clone(), head.clone())))
                .collect(),
        )
    }

    /// The noun at `head` with the word before it, where they are one noun.
    pub(in crate::record) fn whole(&self, sentence: &Sentence, head: Span) -> Span {
        let known =
            pair(sentence, head).is_some_and(|(before, head)| self.0.contains(&(before.to_owned(), head.to_owned())));
        let at = sentence.tokens.iter().position(|token| token.span == head);
        match at.and_then(|at| at.checked_sub(1)) {
            Some(before) if known => Span {
                start: sentence.tokens[before].span.start,
                end: head.end,
            },
            _ => head,
        }
    }
}

/// The word before the noun of a definition, and the noun.
fn pair(sentence: &Sentence, head: Span) -> Option<(&str, &str)> {
    let at = sentence.tokens.iter().position(|token| token.span == head)?;
    let before = sentence.tokens.get(at.checked_sub(1)?)?;
    let is_word =
        before.lower.len() > 2 && before.lower.chars().all(char::is_alphabetic) && sentence.tokens[at].gap == " ";
    is_word.then_some((before.lower.as_str(), sentence.tokens[at].lower.as_str()))
}

/// What a page's first sentences call its subject, for columns that ask for a type.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>, compounds: &Compounds) -> Vec<Candidate> {
    let text = &page.document.text;
    let mut found = Vec::new();
    let options = options(wanted);
    let asks_kind = wanted
        .units
        .iter()
        .any(|unit| matches!(unit.stem.as_str(), "type" | "kind" | "categori" | "sort" | "genr"));
    for (order, sentence) in page.sentences.iter().take(LEAD).enumerate() {
        let score = |sure: f32| sure - 0.05 * order as f32;
        if let Some(span) = listed(&options, sentence) {
            found.push(Candidate {
                value: Value::Text(span.of(text).to_lowercase()),
                span: Some(span),
                source: "option".to_owned(),
                score: score(LISTED),
            });
        }
        if let Some(span) = noun(sentence).filter(|_| asks_kind) {
            let span = compounds.whole(sentence, span);
            found.push(Candidate {
                value: Value::Text(span.of(text).to_owned()),
                span: Some(span),
                source: "definition".to_owned(),
                score: score(SURE),
            });
        }
    }
    found
}

/// The values that a column's description or examples list: `…: hotel, resort or lodge`.
fn options(wanted: &Wanted<'_>) -> Vec<Vec<String>> {
    let listed = wanted.column.description.rsplit_once(':').map_or("", |(_, list)| list);
    let parts = listed
        .split([',', ';', '.'])
        .flat_map(|part| part.split(" or "))
        .map(str::trim);
    let mut options: Vec<Vec<String>> = parts
        .chain(wanted.column.examples.iter().map(String::as_str))
        .map(words)
        .collect();
    options.retain(|option| (1..=4).contains(&option.len()));
    options.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    options.dedup();
    if options.len() < 2 { Vec::new() } else { options }
}

/// The first place where a sentence has one of the values, the longest at each place.
fn listed(options: &[Vec<String>], sentence: &Sentence) -> Option<Span> {
    let tokens = &sentence.tokens;
    (0..tokens.len()).find_map(|at| {
        let option = options.iter().find(|option| {
            tokens.len() >= at + option.len()
                && option
                    .iter()
                    .zip(&tokens[at..])
                    .all(|(word, token)| *word == token.lower)
        })?;
        let is_name = option.len() == 1 && tokens[at].is_capital;
        (!is_name).then(|| Span {
            start: tokens[at].span.start,
            end: tokens[at + option.len() - 1].span.end,
        })
    })
}

/// The noun of `… is a … NOUN …`.
pub(in crate::record) fn noun(sentence: &Sentence) -> Option<Span> {
    let tokens = &sentence.tokens;
    let is_article = |at: usize| matches!(tokens[at].lower.as_str(), "a" | "an");
    let verb = (0..tokens.len().saturating_sub(2))
        .find(|at| matches!(tokens[*at].lower.as_str(), "is" | "was") && is_article(at + 1));
    let is_greeting = tokens.first().is_some_and(|token| {
        matches!(
            token.lower.as_str(),
            "welcome" | "introducing" | "discover" | "meet" | "visit"
        )
    });
    let welcome = || {
        (0..tokens.len().saturating_sub(1)).find(|at| is_greeting && is_article(*at) && tokens[*at].gap.contains(','))
    };
    let start = verb.map(|at| at + 2).or_else(|| welcome().map(|at| at + 1))?;
    let ends =
        |at: &usize| tokens[*at].gap.contains([',', '.', ';', '(']) || ENDS.contains(&tokens[*at].lower.as_str());
    let end = (start + 1..tokens.len()).find(ends).unwrap_or(tokens.len());
    let last = tokens.get(end.checked_sub(1)?)?;
    (end > start && end - start <= 6 && !last.is_capital && last.lower.chars().all(char::is_alphabetic))
        .then_some(last.span)
}
