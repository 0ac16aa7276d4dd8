//! What was found against what was to be found, counted.

use banyan::eval::report::Part;
use std::collections::{BTreeMap, BTreeSet};

/// Counts behind precision and recall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Things to be found.
    pub(super) gold: usize,
    /// Things found.
    pub(super) found: usize,
    /// Things found that were to be found.
    pub(super) hits: usize,
}

impl Tally {
    /// Compares two sets. Cost O(n log n).
    pub(super) fn of<T: Ord>(gold: &BTreeSet<T>, found: &BTreeSet<T>) -> Self {
        Self {
            gold: gold.len(),
            found: found.len(),
            hits: gold.intersection(found).count(),
        }
    }

    /// Compares two sets group by group; a group is there when either set has a member of it. Cost O(n log n).
    pub(super) fn by<T: Ord>(
        gold: &BTreeSet<T>,
        found: &BTreeSet<T>,
        group: impl Fn(&T) -> String,
    ) -> BTreeMap<String, Self> {
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

    /// Share of what was found that is right; 0 where nothing was found.
    pub(super) fn precision(self) -> f64 {
        self.hits as f64 / self.found.max(1) as f64
    }

    /// Share of what is right that was found; 0 where there was nothing to find.
    pub(super) fn recall(self) -> f64 {
        self.hits as f64 / self.gold.max(1) as f64
    }

    /// Harmonic mean of both; 0 without a hit.
    pub(super) fn f1(self) -> f64 {
        2.0 * self.hits as f64 / (self.gold + self.found).max(1) as f64
    }

    /// Writes the three into a report, their names after `before`.
    pub(super) fn set_down(self, part: &mut Part, method: &str, before: &str) {
        part.total(method, &format!("{before}f1"), self.gold, self.f1());
        part.total(method, &format!("{before}precision"), self.found, self.precision());
        part.total(method, &format!("{before}recall"), self.gold, self.recall());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_computed_case_agrees() {
        let gold = BTreeSet::from(["a1", "a2", "b1", "b2"]);
        let found = BTreeSet::from(["a1", "b3", "c1"]);
        let tally = Tally::of(&gold, &found);
        // One of three is right, one of four was found: 2·1/(4 + 3).
        assert!((tally.precision() - 1.0 / 3.0).abs() < 1e-12 && (tally.recall() - 0.25).abs() < 1e-12);
        assert!((tally.f1() - 2.0 / 7.0).abs() < 1e-12);
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
        for tally in [Tally::of(&none, &none), Tally::of(&none, &BTreeSet::from([1]))] {
            assert!(tally.f1().abs() + tally.precision().abs() + tally.recall().abs() < 1e-12);
        }
    }
}
