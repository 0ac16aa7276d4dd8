//! What was found against what was to be found, counted.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Counts behind precision and recall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Things to be found.
    pub gold: usize,
    /// Things found.
    pub found: usize,
    /// Things found that were to be found.
    pub hits: usize,
}

impl Tally {
    /// Compares two sets. Cost O(n log n).
    pub fn of<T: Ord>(gold: &BTreeSet<T>, found: &BTreeSet<T>) -> Self {
        Self {
            gold: gold.len(),
            found: found.len(),
            hits: gold.intersection(found).count(),
        }
    }

    /// Compares two sets group by group; a group is there when either set has a member of it. Cost O(n log n).
    pub fn by<T: Ord>(gold: &BTreeSet<T>, found: &BTreeSet<T>, group: impl Fn(&T) -> String) -> BTreeMap<String, Self> {
        let mut tallies: BTreeMap<String, Self> = BTreeMap::new();
        for thing in gold {
            let tally = tallies.entry(group(thing)).or_default();
            tally.gold += 1;
            tally.hits += usize::from(found.contains(thing));
        }
        for thing in found {
            tallies.entry(group(thing)).or_default().found += 1;
        }
        tallies
    }
}

/// Micro-averaged precision, recall and F1, each 0..=1, with the counts they come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Harmonic mean of precision and recall; 0 without a hit.
    pub f1: f64,
    /// Share of what was found that is right; 0 where nothing was found.
    pub precision: f64,
    /// Share of what is right that was found; 0 where there was nothing to find.
    pub recall: f64,
    /// Things to be found.
    pub gold: usize,
    /// Things found.
    pub found: usize,
    /// Right ones.
    pub hits: usize,
}

impl From<Tally> for Figures {
    fn from(Tally { gold, found, hits }: Tally) -> Self {
        let share = |n: usize, of: usize| if of > 0 { n as f64 / of as f64 } else { 0.0 };
        Self {
            f1: share(2 * hits, gold + found),
            precision: share(hits, found),
            recall: share(hits, gold),
            gold,
            found,
            hits,
        }
    }
}

/// The figures of tallies by name.
pub(super) fn figures(tallies: BTreeMap<String, Tally>) -> BTreeMap<String, Figures> {
    let each = tallies.into_iter();
    each.map(|(name, tally)| (name, Figures::from(tally))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_computed_case_agrees() {
        let gold = BTreeSet::from(["a1", "a2", "b1", "b2"]);
        let found = BTreeSet::from(["a1", "b3", "c1"]);
        let figures = Figures::from(Tally::of(&gold, &found));
        // One of three is right, one of four was found: 2·1/(4 + 3).
        assert!((figures.precision - 1.0 / 3.0).abs() < 1e-12 && (figures.recall - 0.25).abs() < 1e-12);
        assert!((figures.f1 - 2.0 / 7.0).abs() < 1e-12);
        let by_letter = Tally::by(&gold, &found, |name| name[..1].to_owned());
        let counts: Vec<_> = by_letter
            .iter()
            .map(|(name, t)| (name.as_str(), t.gold, t.found, t.hits))
            .collect();
        assert_eq!(counts, [("a", 2, 1, 1), ("b", 2, 1, 0), ("c", 0, 1, 0)]);
    }

    #[test]
    fn nothing_found_and_nothing_to_find_are_zero() {
        let none = BTreeSet::<u8>::new();
        assert_eq!(Figures::from(Tally::of(&none, &none)), Figures::default());
        assert!(Figures::from(Tally::of(&none, &BTreeSet::from([1]))).f1.abs() < 1e-12);
    }
}
