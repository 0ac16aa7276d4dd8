//! Flags: whether a page mentions something, and whether to deny it.

use super::absent;
use super::candidate::{Candidate, Wanted};
use crate::record::page::{Page, Sentence};
use crate::record::thesaurus::coverage;
use banyan_engine::Span;
use banyan_engine::table::Value;

/// Words of a flag may stand so far apart.
const WINDOW: usize = 6;
/// Words before a flag's words in which a denial is looked for.
const REACH: usize = 6;
const DENIALS: &[&str] = &[
    "no",
    "not",
    "without",
    "lacks",
    "lack",
    "lacking",
    "neither",
    "nor",
    "never",
    "unavailable",
    "cannot",
    "isn't",
    "doesn't",
    "don't",
    "aren't",
    "can't",
    "excluding",
    "except",
    "none",
    "missing",
];
/// How sure it is that what a page does not mention is not so.
const SILENCE: f32 = 0.4;

/// Whether a page's sentences affirm or deny a flag; a page that says nothing, not even under a label, denies it, unsure.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>, is_labelled: bool) -> Vec<Candidate> {
    let mut found = Vec::new();
    if wanted.units.is_empty() {
        return found;
    }
    for sentence in &page.sentences {
        if coverage(&wanted.units, &sentence.units) < 0.75 {
            continue;
        }
        found.extend(mention(wanted, sentence));
    }
    if found.is_empty() && !is_labelled {
        let value = absent(wanted.column).unwrap_or_default();
        found.push(Candidate {
            value,
            span: None,
            source: "silence".to_owned(),
            score: SILENCE / 0.6,
        });
    }
    found
}

/// The closest place where a sentence has all words of the flag.
fn mention(wanted: &Wanted<'_>, sentence: &Sentence) -> Option<Candidate> {
    let hits: Vec<usize> = (0..sentence.units.len())
        .filter(|at| {
            wanted
                .units
                .iter()
                .any(|unit| unit.likeness(&sentence.units[*at]) > 0.0)
        })
        .collect();
    let windows = hits.iter().filter_map(|from| {
        let start = sentence.units[*from].start;
        let units: Vec<_> = sentence.units[*from..]
            .iter()
            .filter(|unit| unit.end <= start + WINDOW)
            .cloned()
            .collect();
        let share = coverage(&wanted.units, &units);
        (share >= 0.75).then_some((start, share))
    });
    let (start, share) = windows.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    let is_denied = denied(sentence, start);
    let (first, last) = (
        sentence.tokens.get(start)?,
        sentence.tokens.get((start + WINDOW).min(sentence.tokens.len()) - 1)?,
    );
    Some(Candidate {
        value: Value::Boolean(!is_denied),
        span: Some(Span {
            start: first.span.start,
            end: last.span.end,
        }),
        source: "mention".to_owned(),
        score: share * 0.9,
    })
}

/// Whether the words before `at`, or right after, deny it: back to the clause's beginning.
fn denied(sentence: &Sentence, at: usize) -> bool {
    let tokens = &sentence.tokens;
    let is_break = |gap: &str| gap.contains([';', '.', ':', '–', '—']);
    let mut from = at;
    while from > 0
        && at - from < REACH
        && !is_break(&tokens[from].gap)
        && !matches!(tokens[from].lower.as_str(), "but" | "however" | "though" | "although")
    {
        from -= 1;
    }
    let before = tokens[from..at]
        .iter()
        .any(|token| DENIALS.contains(&token.lower.as_str()));
    let after = tokens
        .iter()
        .skip(at + 1)
        .take(REACH)
        .take_while(|token| !token.gap.contains([',', ';', '.']))
        .collect::<Vec<_>>();
    let follows = after.windows(2).any(|pair| {
        matches!(pair[0].lower.as_str(), "is" | "are" | "was" | "were") && DENIALS.contains(&pair[1].lower.as_str())
    });
    before || follows || after.iter().any(|token| token.lower == "unavailable")
}
