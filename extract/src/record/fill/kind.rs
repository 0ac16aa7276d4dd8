//! Kinds: `is a charming lodge in …` says the type of a thing without the word.

use super::candidate::{Candidate, Wanted};
use crate::record::page::{Page, Sentence};
use crate::record::thesaurus::words;
use banyan_engine::Span;
use banyan_engine::table::Value;

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

/// What a page's first sentences call its subject, for columns that ask for a type.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
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
        .find(|at| matches!(tokens[*at].lower.as_str(), "is" | "was" | "are") && is_article(at + 1));
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
