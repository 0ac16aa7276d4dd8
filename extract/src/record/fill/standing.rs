//! Who came where: the sides of the last contests, the head of a ranked list.

use super::candidate::{Candidate, Wanted};
use super::contest::{Role, role};
use crate::record::page::{Contest, Page};
use crate::record::thesaurus::{Unit, coverage, likeness, units};
use banyan_engine::Span;
use banyan_engine::table::{Kind, Value};

/// What a row of a deciding contest is worth beside a labelled value. Measured on pages with a summary table: the label
/// wins, the row wins over names in sentences.
const ROW: f32 = 0.88;
/// What the head of a ranked list is worth.
const HEAD: f32 = 0.85;
/// Words that ask for the head of a ranking.
const HEADS: &[&str] = &["top", "best", "most", "lead", "highest", "main", "greatest"];

/// The sides of deciding contests, and heads of rankings, that a column of names asks for.
pub(super) fn names(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
    let text = page.document.text.as_str();
    let mut found = Vec::new();
    if let Some((role, is_third)) = role(wanted)
        && let Some(contest) = deciding(&page.contests, is_third)
        && let Some(winner) = contest.winner()
    {
        let side = contest.sides[if role == Role::Winner { winner } else { 1 - winner }];
        found.push(Candidate {
            value: Value::Text(side.of(text).to_owned()),
            span: Some(side),
            source: "deciding row".to_owned(),
            score: ROW,
        });
    }
    for (names, _, fit) in heads(wanted, page) {
        let list: Vec<&str> = names.iter().map(|name| name.of(text)).collect();
        let span = names.first().zip(names.last()).map(|(first, last)| Span {
            start: first.start,
            end: last.end,
        });
        found.push(Candidate {
            value: Value::Text(list.join("; ")),
            span,
            source: "head of a ranking".to_owned(),
            score: HEAD * fit,
        });
    }
    found
}

/// The numbers at the heads of rankings that a column asks for.
pub(super) fn numbers(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
    let heads = heads(wanted, page).into_iter();
    heads
        .map(|(_, (best, span), fit)| Candidate {
            #[expect(clippy::cast_possible_truncation, reason = "a count on a page")]
            value: if wanted.column.kind == Kind::Integer {
                Value::Integer(best.round() as i64)
            } else {
                Value::Number(best)
            },
            span: Some(span),
            source: "head of a ranking".to_owned(),
            score: HEAD * fit,
        })
        .collect()
}

/// The last contest under a heading that says that it decides.
pub(in crate::record) fn deciding(contests: &[Contest], is_third: bool) -> Option<&Contest> {
    let is_headed = |contest: &&Contest| {
        contest.headings.iter().any(|heading| {
            if is_third {
                likeness(heading, &units("third place")) >= 0.75
                    || coverage(&units("third place"), heading) > 0.9 && heading.len() <= 3
            } else {
                matches!(&heading[..], [only] if only.stem == "final")
            }
        })
    };
    contests.iter().rev().find(is_headed)
}

type Head<'p> = (&'p [Span], (f64, Span), f32);

/// The heads of the rankings that a column asks for by a superlative, with how well each fits.
fn heads<'p>(wanted: &Wanted<'_>, page: &'p Page<'_>) -> Vec<Head<'p>> {
    let is_head = |unit: &Unit| HEADS.contains(&unit.stem.as_str());
    if !wanted.units.iter().any(is_head) {
        return Vec::new();
    }
    let rest: Vec<Unit> = wanted.units.iter().filter(|unit| !is_head(unit)).cloned().collect();
    let rankings = page.rankings.iter();
    let fitting = rankings.filter_map(|ranking| {
        let fit = coverage(&rest, &ranking.units);
        (fit >= 0.75).then_some((&ranking.names[..], (ranking.best, ranking.span), fit))
    });
    fitting.collect()
}
