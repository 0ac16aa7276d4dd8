//! Contests in rows: `| Brazil | 4–1 (a.e.t.) | Italy`, in one line or a cell a line, or `Brazil 4–1 Italy` alone in a line.
//!
//! Pages of tournaments, leagues and cups list what was played; how much was played, and who won the last of it, often
//! stands nowhere else.

use super::grid::Cell;
use super::within;
use crate::record::literal::{Day, days};
use crate::record::thesaurus::{Unit, units};
use banyan_engine::{Span, name};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Longest name of a side in words. Arbitrary.
const MAX_NAME: usize = 5;
/// Lines around a row that belong to it. Arbitrary: scorers, time, place, attendance, officials.
const REACH: usize = 40;
/// Longest line that is a heading or a place, in bytes. Arbitrary.
const MAX_LINE: usize = 70;

/// Two sides and what came of it.
#[derive(Clone, Debug)]
pub(in crate::record) struct Contest {
    /// The sides, as they stand.
    pub(in crate::record) sides: [Span; 2],
    /// What each scored.
    pub(in crate::record) score: [u32; 2],
    /// What decided it where the score is even: the units of its label, and the second score.
    pub(in crate::record) decider: Option<(Vec<Unit>, [u32; 2])>,
    /// The place named after it: `Rose Bowl, Pasadena`.
    pub(in crate::record) place: Option<Span>,
    /// The day named before it.
    pub(in crate::record) day: Option<Day>,
    /// The units of the short lines between the contest before it and this one: its heading is among them.
    pub(in crate::record) headings: Vec<Vec<Unit>>,
}

impl Contest {
    /// Which side won, 0 or 1; `None` where nothing decides it.
    pub(in crate::record) fn winner(&self) -> Option<usize> {
        let of = |score: [u32; 2]| (score[0] != score[1]).then_some(usize::from(score[1] > score[0]));
        of(self.score).or_else(|| of(self.decider.as_ref()?.1))
    }
}

/// The contests of a text in order, each once: pages repeat a row in a schedule and in a report. Cost O(lines · [`REACH`]).
pub(in crate::record) fn contests(text: &str, lines: &[Span], cells: &[Cell]) -> Vec<Contest> {
    let mut rows = rows(text, cells);
    rows.extend(
        lines
            .iter()
            .enumerate()
            .filter_map(|(line, span)| alone(text, line, *span)),
    );
    rows.sort_by_key(|row| (row.line, row.span.start));
    let mut seen: BTreeSet<(String, String, [u32; 2])> = BTreeSet::new();
    let mut found: Vec<Contest> = Vec::new();
    let mut last_line = 0;
    for (at, row) in rows.iter().enumerate() {
        let next = rows[at + 1..].iter().find(|row| row.sides.is_some());
        let end = next
            .map_or(lines.len(), |row| row.line)
            .min(row.line + REACH)
            .max(row.line + 1);
        let Some(sides) = row.sides else {
            decide(text, cells, row, found.last_mut());
            continue;
        };
        let key = sides.map(|side| name::key(side.of(text)));
        let [home, away] = key;
        let before = &lines[last_line.max(row.line.saturating_sub(REACH))..row.line];
        last_line = row.line + 1;
        let contest = Contest {
            sides,
            score: row.score,
            decider: None,
            place: lines[row.line + 1..end].iter().find_map(|line| place(text, *line)),
            day: before.iter().rev().find_map(|line| day(text, *line)),
            headings: before.iter().filter_map(|line| heading(text, *line)).collect(),
        };
        if seen.insert((home, away, row.score)) {
            found.push(contest);
        } else if let Some(known) = found
            .iter_mut()
            .find(|known| known.score == row.score && same(text, &known.sides, &sides))
        {
            // The report says more than the schedule.
            known.place = known.place.or(contest.place);
            known.day = contest.day.or(known.day);
            known.headings.extend(contest.headings);
        }
    }
    found
}

fn same(text: &str, a: &[Span; 2], b: &[Span; 2]) -> bool {
    a.iter()
        .zip(b)
        .all(|(a, b)| name::key(a.of(text)) == name::key(b.of(text)))
}

/// A score with the sides beside it, where names stand there.
struct Row {
    line: usize,
    sides: Option<[Span; 2]>,
    score: [u32; 2],
    span: Span,
}

fn rows(text: &str, cells: &[Cell]) -> Vec<Row> {
    let mut rows = Vec::new();
    for at in 1..cells.len().saturating_sub(1) {
        let (before, cell, after) = (cells[at - 1], cells[at], cells[at + 1]);
        let Some(score) = score(cell.span.of(text)) else {
            continue;
        };
        let is_beside = before.n_more == 0 && cell.line - before.line <= 1 && after.line - cell.line <= 1;
        let sides = [side(text, before.span), side(text, after.span)];
        let sides = match sides {
            [Some(home), Some(away)] if is_beside => Some([home, away]),
            _ => None,
        };
        rows.push(Row {
            line: cell.line,
            sides,
            score,
            span: cell.span,
        });
    }
    rows
}

/// A line that is nothing but two names with a score between.
fn alone(text: &str, line: usize, span: Span) -> Option<Row> {
    let body = span.of(text);
    if body.len() > MAX_LINE || body.starts_with('|') {
        return None;
    }
    let body = body.trim_start_matches(['-', '*', '•', ' ']);
    let captures = ALONE.as_ref()?.captures(body)?;
    let part = |name: &str| captures.name(name).map(|part| within(text, part.as_str()));
    let (home, away, middle) = (part("home")?, part("away")?, part("score")?);
    Some(Row {
        line,
        sides: Some([side(text, home)?, side(text, away)?]),
        score: score(middle.of(text))?,
        span: middle,
    })
}

/// A second score, without names beside it, under an even one decides it; its label stands a few cells before.
fn decide(text: &str, cells: &[Cell], row: &Row, last: Option<&mut Contest>) {
    const BACK: usize = 4;
    let Some(contest) = last.filter(|contest| contest.score[0] == contest.score[1]) else {
        return;
    };
    let at = cells.partition_point(|cell| cell.span.start < row.span.start);
    let labels = cells[at.saturating_sub(BACK)..at].iter().rev();
    let label = labels
        .map(|cell| units(cell.span.of(text)))
        .find(|units| units.iter().any(Unit::is_known));
    if let (Some(label), None) = (label, &contest.decider) {
        contest.decider = Some((label, row.score));
    }
}

/// The name of a side, without what stands in brackets behind it.
fn side(text: &str, span: Span) -> Option<Span> {
    let body = span.of(text);
    let bare = body.split(['(', '[']).next().unwrap_or("").trim();
    let is_name = bare.starts_with(char::is_uppercase)
        && bare.split_whitespace().count() <= MAX_NAME
        && !bare.contains(|ch: char| ch.is_ascii_digit() || ch == ':');
    is_name.then(|| within(text, bare))
}

fn score(cell: &str) -> Option<[u32; 2]> {
    let captures = SCORE.as_ref()?.captures(cell)?;
    let number = |name: &str| captures.name(name)?.as_str().parse().ok();
    // `20:30` is a time.
    let is_time = cell.contains(':') && captures.name("b").is_some_and(|part| part.len() == 2);
    Some([number("a")?, number("b")?]).filter(|_| !is_time)
}

/// The first date of a line.
fn day(text: &str, line: Span) -> Option<Day> {
    let mut day = days(line.of(text)).into_iter().next()?;
    day.span = Span {
        start: line.start + day.span.start,
        end: line.start + day.span.end,
    };
    Some(day)
}

/// A line `Rose Bowl, Pasadena`: two names and nothing else.
fn place(text: &str, line: Span) -> Option<Span> {
    let body = line
        .of(text)
        .trim_start_matches(['|', ' '])
        .trim_end_matches(['|', ' ']);
    let is_place = body.len() <= MAX_LINE
        && !body.contains(|ch: char| ch.is_ascii_digit() || matches!(ch, ':' | '(' | ')' | '|' | ';' | '.' | '\''))
        && body.split(", ").count() == 2
        && body.split(", ").all(|part| part.starts_with(char::is_uppercase));
    is_place.then(|| within(text, body))
}

/// The units of a line that may be a heading.
fn heading(text: &str, line: Span) -> Option<Vec<Unit>> {
    let body = line.of(text);
    let bare = body.split('[').next().unwrap_or("").trim_start_matches(['#', '=', ' ']);
    let is_heading = bare.len() <= MAX_LINE && !bare.starts_with('|') && bare.split_whitespace().count() <= MAX_NAME;
    is_heading.then(|| units(bare)).filter(|units| !units.is_empty())
}

const FIGURES: &str = r"(?P<a>\d{1,3})\s?(?:[–−‒-]\s?|:)(?P<b>\d{1,3})";

/// Patterns compile once, which a test holds, so `None` is impossible.
static SCORE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"^{FIGURES}(?:\s*[(\[].*|\s*a\.?e\.?t.*|\s*pen.*)?$")).ok());

static ALONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?P<home>\p{Lu}[^\d|:]*?)\s+(?P<score>\d{1,3}\s?[–−‒:-]\s?\d{1,3}(?:\s*\([^)]*\))?)\s+(?P<away>\p{Lu}[^\d|:]*)$").ok()
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::page::{grid, lines};

    fn read(text: &str) -> Vec<String> {
        let lines = lines(text);
        let found = contests(text, &lines, &grid::cells(text, &lines));
        let told = |contest: &Contest| {
            let [home, away] = contest.sides.map(|side| side.of(text));
            let won = contest.winner().map_or("-", |at| [home, away][at]);
            format!("{home} {:?} {away}: {won}", contest.score)
        };
        found.iter().map(told).collect()
    }

    #[test]
    fn a_row_is_a_contest_however_its_cells_are_cut() {
        assert_eq!(
            read("| Ardo | 2–1 | Belm\n| Ardo\n| 0–3 (a.e.t.)\n| Corv"),
            ["Ardo [2, 1] Belm: Ardo", "Ardo [0, 3] Corv: Corv"]
        );
        assert_eq!(read("- Ardo 2-1 Belm\n"), ["Ardo [2, 1] Belm: Ardo"]);
    }

    #[test]
    fn a_second_score_decides_an_even_one() {
        let text = "| Ardo | 1–1 | Belm\n| Penalties\n| \nAno\nBero\n| 3–4\n| \nCiro";
        assert_eq!(read(text), ["Ardo [1, 1] Belm: Belm"]);
    }

    #[test]
    fn a_schedule_and_a_report_are_one_contest_and_a_time_is_no_score() {
        let text = "| Ardo | 2–1 | Belm\n| Ardo | 20:30 | Hill Park\n\nFinal\n3 May 1990\n| Ardo | 2–1 | Belm\nHill Park, Dorn\n";
        assert_eq!(read(text), ["Ardo [2, 1] Belm: Ardo"]);
    }
}
