//! Names beside the word of a column: `won by Italy`, `host nation Chile`, `the Golden Ball went to Romário`.

use super::candidate::{Candidate, Wanted};
use super::{date, is_title};
use crate::record::literal::{MONTHS, year_of};
use crate::record::page::{Page, Sentence, Token};
use crate::record::subject::heading;
use crate::record::thesaurus::{Unit, words};
use banyan_engine::Span;
use banyan_engine::table::Value;

/// What prose is worth beside a labelled value.
const PROSE: f32 = 0.8;
/// Words between the column's word and the name.
const REACH: usize = 5;
/// Sentences that are about the whole.
pub(super) const LEAD: usize = 15;
/// Words that make a role another's, or another time's.
const OTHERS: &[&str] = &[
    "defending",
    "reigning",
    "former",
    "previous",
    "next",
    "future",
    "past",
    "last",
    "eventual",
    "would",
    "bid",
    "failed",
    "non",
    "not",
    "first",
    "second",
    "never",
];
/// Words within names that are written small.
const SMALL: &[&str] = &[
    "of", "de", "da", "di", "do", "del", "la", "le", "van", "von", "der", "den", "y", "al",
];

/// The names in a page's sentences that a column may mean.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if is_title(wanted.column) {
        let title = page.document.title.trim();
        let score = if title.is_empty() { 0.0 } else { 0.9 };
        found.push(Candidate {
            value: Value::Text(title.to_owned()),
            span: None,
            source: "title".to_owned(),
            score,
        });
    }
    let subject = words(&format!("{} {}", page.document.title, heading(page)));
    let core: Vec<&Unit> = wanted.units.iter().filter(|unit| !unit.is_generic()).collect();
    if core.is_empty() {
        return found;
    }
    let year = date::year_of_page(page);
    for (order, sentence) in page.sentences.iter().enumerate() {
        for cue in cues(&core, sentence) {
            for (span, score, how) in beside(page, sentence, cue) {
                let name = span.of(&page.document.text);
                if is_subject(name, &subject) {
                    continue;
                }
                let other_year =
                    year_of(sentence.span.of(&page.document.text)).is_some_and(|other| Some(other) != year);
                let decay = if order < LEAD { 1.0 } else { 0.75 } * if other_year { 0.7 } else { 1.0 };
                let word = &sentence.tokens[cue.0].lower;
                found.push(Candidate {
                    value: Value::Text(name.to_owned()),
                    span: Some(span),
                    source: format!("{how} {word}"),
                    score: score * PROSE * decay,
                });
            }
        }
    }
    found
}

/// Whether a name only says what the page is about.
fn is_subject(name: &str, subject: &[String]) -> bool {
    words(name).iter().all(|word| subject.contains(word))
}

/// Where a sentence has the column's words one after the other: token positions `start..end`.
fn cues(core: &[&Unit], sentence: &Sentence) -> Vec<(usize, usize)> {
    let units = &sentence.units;
    let n = core.len();
    (0..units.len().saturating_sub(n - 1))
        .filter(|at| {
            core.iter()
                .zip(&units[*at..])
                .all(|(wanted, unit)| wanted.likeness(unit) > 0.0)
        })
        .filter(|at| units[at + n - 1].end - units[*at].start <= n * 3 + 1)
        .map(|at| (units[at].start, units[at + n - 1].end))
        .filter(|(start, _)| *start == 0 || !OTHERS.contains(&sentence.tokens[start - 1].lower.as_str()))
        .collect()
}

/// Names right after and right before a cue, with how strong the construction is.
fn beside(page: &Page<'_>, sentence: &Sentence, (start, end): (usize, usize)) -> Vec<(Span, f32, &'static str)> {
    let tokens = &sentence.tokens;
    let mut found = Vec::new();
    let is_stop = |token: &Token| token.gap.contains(['.', ';', '(', ')', '–']);
    let last = tokens.len().min(end + REACH);
    let mut at = end;
    while at < last && !is_stop(&tokens[at]) {
        if page.is_name(sentence, at) && !is_month(&tokens[at].lower) {
            let words: Vec<&str> = tokens[end..at].iter().map(|token| token.lower.as_str()).collect();
            let score = match words.as_slice() {
                [] => 0.9,
                list if list.contains(&"by") => 1.0,
                list if list
                    .last()
                    .is_some_and(|word| matches!(*word, "in" | "at" | "is" | "was" | "were" | "to" | "as")) =>
                {
                    0.95
                }
                list if list
                    .iter()
                    .all(|word| matches!(*word, "the" | "nation" | "country" | "team" | "side")) =>
                {
                    0.9
                }
                _ => 0.55,
            };
            found.push((name_at(tokens, at), score, "after"));
            break;
        }
        at += 1;
    }
    if let Some(before) = (start.saturating_sub(3)..start)
        .rev()
        .find(|at| page.is_name(sentence, *at))
    {
        let between: Vec<&str> = tokens[before + 1..start]
            .iter()
            .map(|token| token.lower.as_str())
            .collect();
        let is_open = tokens[before + 1..=start]
            .iter()
            .all(|token| token.gap.trim().is_empty());
        let is_verb = between.iter().all(|word| {
            matches!(
                *word,
                "has"
                    | "have"
                    | "had"
                    | "were"
                    | "was"
                    | "are"
                    | "is"
                    | "the"
                    | "successfully"
                    | "themselves"
                    | "crowned"
                    | "as"
                    | "a"
            )
        });
        if is_open && is_verb && !is_month(&tokens[before].lower) {
            found.push((name_until(tokens, before), 0.9, "before"));
        }
    }
    found
}

fn is_month(word: &str) -> bool {
    MONTHS.contains(&word)
}

fn joins(token: &Token) -> bool {
    token.gap.trim().is_empty() && !token.gap.contains('\n') || token.gap == "-"
}

/// The name that begins at a capitalised word.
pub(in crate::record) fn name_at(tokens: &[Token], at: usize) -> Span {
    let mut end = at;
    while let Some(next) = tokens.get(end + 1).filter(|next| joins(next)) {
        let beyond = tokens
            .get(end + 2)
            .is_some_and(|token| token.is_capital && joins(token));
        if next.is_capital {
            end += 1;
        } else if SMALL.contains(&next.lower.as_str()) && beyond {
            end += 2;
        } else {
            break;
        }
    }
    Span {
        start: tokens[at].span.start,
        end: tokens[end].span.end,
    }
}

/// The name that ends at a capitalised word.
pub(in crate::record) fn name_until(tokens: &[Token], at: usize) -> Span {
    let mut start = at;
    while start > 0
        && tokens[start - 1].is_capital
        && joins(&tokens[start])
        && !matches!(
            tokens[start - 1].lower.as_str(),
            "the" | "in" | "when" | "host" | "hosts"
        )
    {
        start -= 1;
    }
    Span {
        start: tokens[start].span.start,
        end: tokens[at].span.end,
    }
}
