//! Numbers that a page does not write but shows: how many contests it lists, what they add up to, how many sides took part,
//! how often a label comes, how long a list is.

use super::candidate::{Candidate, Wanted};
use crate::record::literal::numbers;
use crate::record::page::{Contest, Page};
use crate::record::thesaurus::{Unit, coverage, likeness, units};
use banyan_engine::name;
use banyan_engine::table::{Kind, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What a count of rows is worth beside a label that names the column. Measured on pages with and without a summary table:
/// the label wins where both are there, the count wins over numbers in sentences.
const COUNTED: f32 = 0.78;
/// What the length of a list is worth: pages cut lists off.
const LISTED: f32 = 0.6;
/// Fewest rows that are worth counting: one or two stand on many pages.
const LEAST: usize = 3;
/// How alike a column and what is counted have to be.
const ALIKE: f32 = 0.75;
/// How alike a column and the heading of a list have to be: a heading may say more than what is listed. Arbitrary.
const MENTIONED: f32 = 0.3;
/// Words of a column that ask for something else than a count.
const RATES: &[&str] = &[
    "averag", "mean", "per", "median", "most", "top", "highest", "lowest", "best", "max", "min",
];

/// What a page's rows come to, for a column that asks for it.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
    let is_rate = crate::record::thesaurus::words(&wanted.column.name)
        .iter()
        .any(|word| RATES.contains(&crate::stem::stem(word).as_str()) || word == "per");
    if is_rate || wanted.column.unit.is_some() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut add = |value: f64, source: &str, score: f32| {
        found.push(Candidate {
            value: number(wanted.column.kind, value),
            span: None,
            source: source.to_owned(),
            score,
        });
    };
    if page.contests.len() >= LEAST {
        for (nouns, count) in counts(page) {
            let (noun, fit) = best(wanted, nouns);
            if fit >= ALIKE {
                add(count as f64, &format!("rows {noun}"), COUNTED * fit);
            }
        }
        let deciders = deciders(&page.contests, wanted);
        let fit =
            likeness(&wanted.units, &units("penalty shootouts")).max(likeness(&wanted.units, &units("tie breaks")));
        if fit >= ALIKE || deciders > 0 {
            add(deciders as f64, "rows deciders", COUNTED * 0.95);
        }
    }
    if let Some(total) = repeated(wanted, page) {
        add(total, "labels together", COUNTED);
    }
    if let Some(length) = listed(wanted, page) {
        add(length as f64, "list", LISTED);
    }
    found
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "counts of rows and sums of figures on a page"
)]
fn number(kind: Kind, value: f64) -> Value {
    if kind == Kind::Integer {
        Value::Integer(value.round() as i64)
    } else {
        Value::Number(value)
    }
}

/// What contests count: themselves, their scores, sides and places.
fn counts(page: &Page<'_>) -> Vec<(&'static [&'static str], usize)> {
    let text = page.document.text.as_str();
    let contests = &page.contests;
    let scored: u32 = contests.iter().flat_map(|contest| contest.score).sum();
    let sides: BTreeSet<String> = contests
        .iter()
        .flat_map(|contest| contest.sides)
        .map(|side| name::key(side.of(text)))
        .collect();
    let mut counts: Vec<(&[&str], usize)> = vec![
        (&["matches", "matches played"], contests.len()),
        (&["goals", "goals scored", "points scored"], scored as usize),
        (&["teams", "teams participating"], sides.len()),
    ];
    let places: Vec<(String, String)> = contests
        .iter()
        .filter_map(|contest| contest.place?.of(text).split_once(", "))
        .map(|(venue, city)| (name::key(venue), name::key(city)))
        .collect();
    // Places that only some rows have are not all of them.
    if places.len() * 2 >= contests.len() {
        let venues: BTreeSet<&(String, String)> = places.iter().collect();
        let cities: BTreeSet<&String> = places.iter().map(|(_, city)| city).collect();
        counts.push((&["stadiums", "stadiums used"], venues.len()));
        counts.push((&["cities", "host cities"], cities.len()));
    }
    counts
}

/// The noun that is most like the column, with how much.
fn best(wanted: &Wanted<'_>, nouns: &'static [&'static str]) -> (&'static str, f32) {
    let fits = nouns.iter().map(|noun| (*noun, likeness(&wanted.units, &units(noun))));
    fits.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(("", 0.0))
}

/// How many contests something decided that the column names.
fn deciders(contests: &[Contest], wanted: &Wanted<'_>) -> usize {
    let is_named = |contest: &&Contest| {
        let label = contest.decider.as_ref().map(|(label, _)| label);
        label.is_some_and(|label| likeness(&wanted.units, label) >= ALIKE)
    };
    contests.iter().filter(is_named).count()
}

/// The sum of the numbers that a label has which comes again and again: `Attendance: 93,000` under each row.
fn repeated(wanted: &Wanted<'_>, page: &Page<'_>) -> Option<f64> {
    let text = page.document.text.as_str();
    let mut sums: BTreeMap<Vec<&str>, (usize, f64)> = BTreeMap::new();
    for field in &page.fields {
        if likeness(&wanted.units, &field.units) < ALIKE {
            continue;
        }
        let number = numbers(field.value.of(text)).into_iter().next()?;
        let key = field.units.iter().map(|unit| unit.stem.as_str()).collect();
        let entry = sums.entry(key).or_default();
        entry.0 += 1;
        entry.1 += number.value;
    }
    let (n, sum) = sums.into_values().max_by_key(|(n, _)| *n)?;
    (n >= LEAST).then_some(sum)
}

/// The length of a list of bullets whose heading names what the column counts.
fn listed(wanted: &Wanted<'_>, page: &Page<'_>) -> Option<usize> {
    if wanted.units.iter().all(Unit::is_generic) {
        return None;
    }
    let fits = |heading: &[Unit]| {
        let all = coverage(&wanted.units, heading);
        if all >= ALIKE && likeness(&wanted.units, heading) >= MENTIONED {
            all
        } else {
            0.0
        }
    };
    let lists = page.lists.iter().map(|(heading, n)| (fits(heading), *n));
    lists
        .filter(|(fit, _)| *fit > 0.0)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, n)| n)
}
