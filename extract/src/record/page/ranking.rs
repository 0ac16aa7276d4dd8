//! Ranked lists: headings that count down, `9 goals`, `6 goals`, each with the names below it.

use crate::record::literal::numbers;
use crate::record::thesaurus::{Unit, units};
use banyan_engine::Span;

/// Longest heading of a rank in words, and longest name. Arbitrary.
const MAX_WORDS: usize = 5;
/// Ranks that make a list: two may be any two lines.
const MIN_RANKS: usize = 3;

/// A list in which names are ranked by a number.
#[derive(Clone, Debug)]
pub(in crate::record) struct Ranking {
    /// The units of the noun that is counted, and of the short line above the list.
    pub(in crate::record) units: Vec<Unit>,
    /// That line; empty where there is none.
    pub(in crate::record) title: String,
    /// That noun.
    pub(in crate::record) noun: String,
    /// The largest number.
    pub(in crate::record) best: f64,
    /// Its bytes.
    pub(in crate::record) span: Span,
    /// The names below it, in order.
    pub(in crate::record) names: Vec<Span>,
}

/// A heading of a rank.
struct Rank {
    line: usize,
    value: f64,
    noun: String,
}

/// The ranked lists of a text. Cost O(length).
pub(in crate::record) fn rankings(text: &str, lines: &[Span]) -> Vec<Ranking> {
    let ranks: Vec<Rank> = lines
        .iter()
        .enumerate()
        .filter_map(|(line, span)| rank(line, span.of(text)))
        .collect();
    let mut found = Vec::new();
    let mut from = 0;
    while from < ranks.len() {
        let goes_on = |pair: &&[Rank]| pair[1].value < pair[0].value && stem(&pair[1].noun) == stem(&pair[0].noun);
        let n = 1 + ranks[from..].windows(2).take_while(goes_on).count();
        if n >= MIN_RANKS {
            found.extend(ranking(text, lines, &ranks[from], ranks[from + 1].line));
        }
        from += n;
    }
    found
}

/// `6 goals` and `1 goal` count one thing.
fn stem(noun: &str) -> String {
    crate::stem::stem(noun)
}

/// A line that is a number and a noun.
fn rank(line: usize, body: &str) -> Option<Rank> {
    let bare = body
        .trim_start_matches(['#', '=', '|', '*', ' '])
        .trim_end_matches(['*', ':', '=', ' ']);
    if bare.split_whitespace().count() > MAX_WORDS || !bare.starts_with(|ch: char| ch.is_ascii_digit()) {
        return None;
    }
    let number = numbers(bare).into_iter().next().filter(|number| !number.is_ordinal)?;
    let noun = bare[number.span.end as usize..].trim();
    let is_noun = !noun.is_empty()
        && noun.chars().all(|ch| ch.is_alphabetic() || ch == ' ')
        && noun.starts_with(char::is_lowercase);
    is_noun.then(|| Rank {
        line,
        value: number.value,
        noun: noun.to_owned(),
    })
}

fn ranking(text: &str, lines: &[Span], first: &Rank, next: usize) -> Option<Ranking> {
    let is_name = |line: &&Span| {
        let body = line.of(text);
        (1..=MAX_WORDS).contains(&body.split_whitespace().count()) && !body.contains(':')
    };
    let bare = |line: &Span| {
        let body = line.of(text);
        let name = body.trim_start_matches(['-', '*', '•', '|', ' ']);
        let name = name.split(['(', '[']).next().unwrap_or(name).trim();
        super::within(text, name)
    };
    let names: Vec<Span> = lines[first.line + 1..next]
        .iter()
        .filter(is_name)
        .map(bare)
        .filter(|name| name.start < name.end)
        .collect();
    let mut all = units(&first.noun);
    let title = title(text, &lines[..first.line]);
    all.extend(units(title));
    (!names.is_empty()).then(|| Ranking {
        units: all,
        title: title.to_owned(),
        noun: first.noun.clone(),
        best: first.value,
        span: lines[first.line],
        names,
    })
}

/// The last short line before a list that is no sentence.
fn title<'t>(text: &'t str, before: &[Span]) -> &'t str {
    let is_title = |line: &&Span| {
        let body = line.of(text);
        !body.is_empty() && body.split_whitespace().count() <= MAX_WORDS && !body.ends_with('.')
    };
    let last = before.iter().rev().take(2 * MAX_WORDS).find(is_title);
    last.map_or("", |line| {
        let body = line.of(text).trim_start_matches(['#', '=', ' ']);
        body.split('[').next().unwrap_or(body)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::page::lines;

    #[test]
    fn names_under_the_largest_number_lead() {
        let text = "Catches\n\n9 pike\nAno Bel\nCira Dun\n4 pike\nEno Far\n1 pike\nGil Hart\n";
        let found = rankings(text, &lines(text));
        let names: Vec<&str> = found[0].names.iter().map(|name| name.of(text)).collect();
        assert_eq!(names, ["Ano Bel", "Cira Dun"]);
        assert!((found[0].best - 9.0).abs() < f64::EPSILON);
        assert!(rankings("9 pike\nAno\n", &lines("9 pike\nAno\n")).is_empty());
    }
}
