//! Columns from numbers that recur with a noun.

use super::{Found, column, enough};
use crate::record::literal::{days, numbers, unit_of, year_of};
use crate::record::page::{Page, Sentence};
use crate::record::thesaurus::{Unit, coverage, units, units_of};
use banyan_engine::Span;
use banyan_engine::table::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Share of the documents in which a number has to have the noun.
const SHARE: f32 = 0.4;
/// The same where the number has a unit of measure, which strays seldom have.
const UNIT_SHARE: f32 = 0.3;
/// Sentences of a document that are about the whole. Arbitrary.
const LEAD: usize = 40;
/// Words that numbers stand before and that name no attribute.
const STOP: &[&str] = &[
    "a",
    "after",
    "against",
    "am",
    "an",
    "and",
    "are",
    "as",
    "at",
    "be",
    "before",
    "but",
    "by",
    "day",
    "days",
    "each",
    "extra",
    "first",
    "following",
    "for",
    "from",
    "had",
    "has",
    "have",
    "he",
    "hour",
    "hours",
    "if",
    "in",
    "is",
    "it",
    "last",
    "later",
    "minute",
    "minutes",
    "month",
    "months",
    "more",
    "most",
    "new",
    "next",
    "o'clock",
    "of",
    "on",
    "one",
    "or",
    "other",
    "others",
    "out",
    "over",
    "per",
    "pm",
    "second",
    "since",
    "she",
    "so",
    "than",
    "that",
    "the",
    "their",
    "there",
    "they",
    "this",
    "time",
    "times",
    "to",
    "two",
    "under",
    "until",
    "was",
    "we",
    "week",
    "weeks",
    "were",
    "when",
    "where",
    "which",
    "while",
    "who",
    "will",
    "with",
    "within",
    "year",
    "years",
    "you",
];

/// What numbers recur with.
#[derive(Default)]
struct Noun {
    surfaces: BTreeMap<String, usize>,
    documents: BTreeSet<usize>,
    is_fraction: bool,
    unit: Option<String>,
    examples: Vec<String>,
}

/// The columns of nouns that recur beside numbers.
pub(super) fn columns(pages: &[Page<'_>]) -> Vec<Found> {
    let mut nouns: BTreeMap<String, Noun> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        let text = &page.document.text;
        for sentence in page.sentences.iter().take(LEAD) {
            for (name, number, unit) in named(text, sentence) {
                let noun = nouns.entry(key(&name)).or_default();
                *noun.surfaces.entry(name).or_default() += 1;
                noun.documents.insert(at);
                noun.is_fraction |= number.fract() != 0.0;
                noun.unit = noun.unit.take().or(unit);
                noun.examples.push(number.to_string());
            }
        }
    }
    let frequent = nouns
        .into_values()
        .filter(|noun| noun.documents.len() >= enough(pages.len(), 0.0));
    frequent
        .filter(|noun| pages.len() == 1 || noun.examples.iter().any(|example| *example != noun.examples[0]))
        .filter_map(|noun| {
            let (name, _) = noun
                .surfaces
                .iter()
                .max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)))?;
            let kind = if noun.is_fraction { Kind::Number } else { Kind::Integer };
            let description = format!("The number that documents give with `{}`.", name.replace('_', " "));
            let mut column = column(name.clone(), kind, &noun.examples, description);
            let share = if noun.unit.is_some() { UNIT_SHARE } else { SHARE };
            column.unit = noun.unit;
            Some(Found {
                column,
                documents: noun.documents,
                share,
            })
        })
        .collect()
}

/// What is the same for all words of one meaning: `rated` and `rating`.
fn key(name: &str) -> String {
    let keys: Vec<String> = units(&name.replace('_', " ")).iter().map(Unit::meaning).collect();
    keys.join(" ")
}

/// The numbers of a sentence with the noun that names each, and the unit.
fn named(text: &str, sentence: &Sentence) -> Vec<(String, f64, Option<String>)> {
    let body = sentence.span.of(text);
    let offset = sentence.span.start as usize;
    let dates = days(body);
    let mut found = Vec::new();
    for number in numbers(body).into_iter().filter(|number| !number.is_ordinal) {
        let is_date = dates.iter().any(|day| day.span.overlaps(number.span)) || year_of(number.span.of(body)).is_some();
        if is_date {
            continue;
        }
        let span = Span::new(offset + number.span.start as usize, offset + number.span.end as usize);
        let unit = number.unit.of(body);
        let is_unit = unit_of(unit).is_some();
        let is_length = unit_of(unit).is_some_and(|unit| unit.dimension == "length");
        let name = if is_unit {
            measured(sentence, span, is_length)
        } else {
            counted(sentence, span).or_else(|| measured(sentence, span, is_length))
        };
        if let Some(name) = name {
            found.push((name, number.value, is_unit.then(|| unit.to_owned())));
        }
    }
    found
}

/// The noun right after a number: `64 matches`, `120 guest rooms` (its last word).
fn counted(sentence: &Sentence, number: Span) -> Option<String> {
    let tokens = &sentence.tokens;
    let first = tokens.iter().position(|token| token.span.start >= number.end)?;
    let is_word = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            let is_open = if at == first {
                token.gap.trim_matches(['-', '‑', ' ']).is_empty()
            } else {
                token.gap.trim().is_empty()
            };
            is_open
                && !token.is_capital
                && !STOP.contains(&token.lower.as_str())
                && token.lower.chars().all(char::is_alphabetic)
                && token.lower.len() > 2
        })
    };
    let last = (first..first + 3).take_while(|at| is_word(*at)).last()?;
    // A plural within reach is the noun; a word after it is a verb.
    let plural = (first..=last).find(|at| tokens[*at].lower.ends_with('s'));
    let end = plural.unwrap_or(first);
    Some(tokens[end].lower.clone())
}

/// Whether a word names a place that distances are measured to.
fn is_place(word: &str) -> bool {
    matches!(
        word,
        "airport" | "beach" | "centr" | "centre" | "center" | "station" | "downtown" | "coast" | "port"
    )
}

/// What a measure is of: `a rating of 9.2`, `rated 9.2`, `2 km from the airport`.
fn measured(sentence: &Sentence, number: Span, is_length: bool) -> Option<String> {
    let tokens = &sentence.tokens;
    let after = tokens
        .iter()
        .position(|token| token.span.start >= number.end)
        .unwrap_or(tokens.len());
    let from =
        (after..tokens.len().min(after + 3)).find(|at| matches!(tokens[*at].lower.as_str(), "from" | "away" | "to"));
    if let Some(from) = from {
        let nouns = units_of(
            &tokens[from + 1..]
                .iter()
                .take(7)
                .take_while(|token| token.gap.trim().is_empty())
                .map(|token| token.lower.clone())
                .collect::<Vec<_>>(),
        );
        let noun = nouns
            .iter()
            .find(|unit| unit.stem.contains(' ') && !unit.stem.starts_with("go ") || is_place(&unit.stem));
        if let Some(unit) = noun {
            let words: Vec<&str> = tokens[from + 1 + unit.start..from + 1 + unit.end]
                .iter()
                .map(|token| token.lower.as_str())
                .collect();
            return Some(format!("distance_to_{}", words.join("_")));
        }
    }
    let first = tokens.iter().position(|token| token.span.end > number.start)?;
    let mut at = first.checked_sub(1)?;
    let is_link = matches!(
        tokens[at].lower.as_str(),
        "of" | "is" | "at" | "was" | "to" | "from" | "a" | "usd"
    );
    while at > 0
        && matches!(
            tokens[at].lower.as_str(),
            "of" | "is" | "at" | "was" | "to" | "from" | "stands" | "a" | "usd" | "per" | "night" | "day"
        )
    {
        at -= 1;
    }
    let is_away = is_link
        && tokens[after..tokens.len().min(after + 3)]
            .iter()
            .any(|token| token.lower == "away");
    let token = &tokens[at];
    let is_name = (!token.is_capital || at == 0)
        && !STOP.contains(&token.lower.as_str())
        && token.lower.chars().all(char::is_alphabetic)
        && token.lower.len() > 3;
    if is_away && is_name {
        let phrase = at
            .checked_sub(1)
            .filter(|before| tokens[*before].lower == "city" || tokens[*before].lower == "town");
        let words: Vec<&str> = tokens[phrase.unwrap_or(at)..=at]
            .iter()
            .map(|token| token.lower.as_str())
            .collect();
        return Some(format!("distance_to_{}", words.join("_")));
    }
    let has_meaning = units(&token.lower).first().is_some_and(Unit::is_known);
    if !(is_name && (is_link || has_meaning || token.lower.ends_with("ed"))) {
        return None;
    }
    let of_length = is_length
        && !matches!(
            token.lower.as_str(),
            "distance" | "length" | "height" | "width" | "depth"
        );
    let name = units(&token.lower)
        .first()
        .and_then(Unit::canonical)
        .unwrap_or_else(|| token.lower.clone());
    Some(if of_length && is_place(&token.lower) {
        format!("distance_to_{}", token.lower)
    } else {
        name
    })
}

/// The numeric columns that a question asks for: its words after `how many`, `average`, `number of` that stand beside
/// numbers in the documents.
pub(super) fn asked(question: &str, pages: &[Page<'_>]) -> Vec<Found> {
    let wanted = units(question);
    let found = columns_loosely(pages);
    found
        .into_iter()
        .filter(|found| coverage(&units(&found.column.name), &wanted) > 0.7)
        .collect()
}

/// Columns that half as many documents have as [`columns`] asks for.
fn columns_loosely(pages: &[Page<'_>]) -> Vec<Found> {
    let half: Vec<Page<'_>> = pages.iter().step_by(2).cloned().collect();
    columns(&half)
}
