//! Words of a question to values and to columns.

use super::adjective::Measure;
use super::catalogue::{Catalogue, ColumnView, value_words};
use super::mark::{Mark, Meaning, Word, take};
use banyan_engine::table::Kind;
use banyan_extract::record::literal::unit_of;
use banyan_extract::record::term::{Term as Unit, coverage, likeness, terms_of as units_of};

/// Least fit of a column. Measured on our own questions: `goals` is .5 of `top_scorer_goals`.
const LEAST: f32 = 0.4;
/// Longest run of units that name one column.
const MAX_UNITS: usize = 5;
/// What each further word of a column's name adds to its fit, where the question says the whole name.
const CONTEXT: f32 = 0.25;
/// From this share of a name on it is said as a whole.
const WHOLE: f32 = 0.75;
/// What a column of another table is worth less than the table's own. Arbitrary; enough to prefer the own one of two that
/// fit alike.
const JOINED: f32 = 0.1;
/// What a description is worth beside a name.
const DESCRIPTION: f32 = 0.5;

/// Marks values of the records of at least so many words, longest first. A value of one word that also names a column, or is a word of its own, is
/// only meant where it is written as a name.
pub(super) fn values(words: &[Word], catalogue: &Catalogue, min_words: usize, taken: &mut [Option<Mark>]) {
    let keys: Vec<Vec<String>> = words.iter().map(|word| value_words(&word.text)).collect();
    for n in (min_words..=catalogue.max_words.min(words.len())).rev() {
        for from in 0..=words.len() - n {
            let joined: Vec<String> = keys[from..from + n].concat();
            let Some(found) = known(&joined, catalogue) else {
                continue;
            };
            let is_name = words[from..from + n]
                .iter()
                .any(|word| word.text.starts_with(char::is_uppercase))
                && (from > 0 || n > 1);
            if is_name || n > 1 || !is_common(&words[from], catalogue) {
                let (text, columns) = found;
                take(taken, from, from + n, Meaning::Value { text, columns });
            }
        }
    }
}

/// The value with these words, or with one letter of a long name wrong.
fn known(words: &[String], catalogue: &Catalogue) -> Option<(String, Vec<usize>)> {
    let view = |known: &super::catalogue::Known| (known.text.clone(), known.columns.keys().copied().collect());
    if let Some(known) = catalogue.values.get(words) {
        return Some(view(known));
    }
    let joined = words.concat();
    if words.iter().any(|word| word.parse::<f64>().is_ok()) {
        return None;
    }
    let near = catalogue.spellings.near(&joined)?;
    catalogue.values.get(near).map(view)
}

/// Whether a small word means something else than a value.
fn is_common(word: &Word, catalogue: &Catalogue) -> bool {
    let one = units_of(std::slice::from_ref(&word.lower));
    one.is_empty() || catalogue.columns.iter().any(|view| coverage(&one, &view.units) > 0.9)
}

/// Marks columns: runs of words that say most of a column's name.
pub(super) fn columns(words: &[Word], catalogue: &Catalogue, taken: &mut [Option<Mark>]) {
    let lower: Vec<String> = words.iter().map(|word| word.lower.clone()).collect();
    let is_free = |from: usize, to: usize, taken: &[Option<Mark>]| taken[from..to].iter().all(Option::is_none);
    let units: Vec<Unit> = units_of(&lower);
    let all: Vec<Unit> = units
        .iter()
        .filter(|unit| is_free(unit.start, unit.end, taken))
        .cloned()
        .collect();
    let mut at = 0;
    while at < all.len() {
        let best = (1..=MAX_UNITS.min(all.len() - at))
            .filter(|n| is_run(&all[at..at + n], taken))
            .map(|n| (n, candidates(&all[at..at + n], &[], catalogue)))
            .filter(|(_, found)| !found.is_empty())
            .max_by(|(n, a), (m, b)| {
                (a[0].1 + 0.02 * *n as f32)
                    .total_cmp(&(b[0].1 + 0.02 * *m as f32))
                    .then(m.cmp(n))
            });
        let found = best.map(|(n, _)| (n, candidates(&all[at..at + n], &all, catalogue)));
        let Some((n, found)) = found else {
            at += 1;
            continue;
        };
        let (from, to) = (all[at].start, all[at + n - 1].end);
        take(taken, from, to, Meaning::Column(found));
        at += n;
    }
}

/// Whether units stand together: only free function words between them.
fn is_run(units: &[Unit], taken: &[Option<Mark>]) -> bool {
    units.windows(2).all(|pair| {
        let gap = &taken[pair[0].end..pair[1].start];
        gap.len() <= 2 && gap.iter().all(Option::is_none)
    })
}

/// The columns that a run of units may name, best first.
fn candidates(run: &[Unit], all: &[Unit], catalogue: &Catalogue) -> Vec<(usize, f32)> {
    if run.iter().all(Unit::is_generic) {
        return Vec::new();
    }
    let mut found: Vec<(usize, f32)> = Vec::new();
    for (at, view) in catalogue.columns.iter().enumerate() {
        let name = likeness(&view.units, run);
        let described = DESCRIPTION * coverage(run, &view.description);
        // A flag is named by all of its words or not at all: `won` alone does not ask whether the host won.
        let is_part = view.column.kind == Kind::Boolean && coverage(&view.units, run) < 0.6;
        let base = if is_part { 0.0 } else { name.max(described) };
        let base = if view.join.is_some() { base - JOINED } else { base };
        if base >= LEAST {
            found.push((at, base + CONTEXT * context(view, all)));
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found
}

/// How much of a column's name beyond one word the rest of the question says: `the top scorer with the most goals` asks for
/// `top_scorer_goals`, not for `goals`.
fn context(view: &ColumnView, all: &[Unit]) -> f32 {
    let own = view.units.iter().filter(|unit| !unit.is_generic());
    let n_said = own
        .filter(|unit| all.iter().any(|other| unit.likeness(other) > 0.0))
        .count();
    if coverage(&view.units, all) < WHOLE {
        0.0
    } else {
        n_said.saturating_sub(1) as f32
    }
}

/// What a word of a measure is worth less than the one before it. Arbitrary; small, so that only likeness beats it.
const LATER: f32 = 0.02;

/// The columns that say what an adjective measures, best first: by name, else the only one of its dimension, else for a
/// place in time any.
pub(super) fn hinted(measure: &Measure, catalogue: &Catalogue, fits: impl Fn(Kind) -> bool) -> Vec<usize> {
    let units = units_of(&measure.words);
    let score = |at: usize| {
        let view = &catalogue.columns[at];
        let like = |(place, unit): (usize, &Unit)| {
            likeness(&view.units, std::slice::from_ref(unit)) * (1.0 - LATER * place as f32)
        };
        units.iter().enumerate().map(like).max_by(f32::total_cmp).unwrap_or(0.0)
    };
    let mut found: Vec<(usize, f32)> = (0..catalogue.columns.len())
        .filter(|at| fits(catalogue.kind(*at)))
        .map(|at| (at, score(at)))
        .filter(|(_, score)| *score >= LEAST)
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    if !found.is_empty() {
        return found.into_iter().map(|(at, _)| at).collect();
    }
    let is_measured = |at: &usize| {
        let unit = catalogue.columns[*at].column.unit.as_deref().and_then(unit_of);
        fits(catalogue.kind(*at)) && unit.is_some_and(|unit| measure.has_dimension(unit.dimension))
    };
    let measured: Vec<usize> = (0..catalogue.columns.len()).filter(is_measured).collect();
    if let [only] = measured[..] {
        return vec![only];
    }
    let times = catalogue.time_columns().into_iter();
    times
        .filter(|at| measure.is_time() && fits(catalogue.kind(*at)))
        .collect()
}
