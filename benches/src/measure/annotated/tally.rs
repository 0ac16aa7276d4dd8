//! What was found against what was to be found, counted.

use banyan::eval::report::Part;
use std::collections::{BTreeMap, BTreeSet};

/// Writes F1, precision and recall of a set into a report, their names after `before`; 0 without a hit.
pub(super) fn set_down<T: Ord>(part: &mut Part, method: &str, before: &str, gold: &BTreeSet<T>, found: &BTreeSet<T>) {
    let hits = gold.intersection(found).count() as f64;
    let share = |n: usize| hits / n.max(1) as f64;
    let f1 = 2.0 * share(gold.len() + found.len());
    part.total(method, &format!("{before}f1"), gold.len(), f1);
    part.total(method, &format!("{before}precision"), found.len(), share(found.len()));
    part.total(method, &format!("{before}recall"), gold.len(), share(gold.len()));
}

/// Writes F1 of each group that either set has a member of.
pub(super) fn by<'a, T: Ord>(
    part: &mut Part,
    method: &str,
    gold: &'a BTreeSet<T>,
    found: &'a BTreeSet<T>,
    group: impl Fn(&'a T) -> &'a str,
) {
    let mut groups: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for thing in gold {
        let [n_gold, _, n_hits] = groups.entry(group(thing)).or_default();
        *n_gold += 1;
        *n_hits += usize::from(found.contains(thing));
    }
    for thing in found {
        groups.entry(group(thing)).or_default()[1] += 1;
    }
    for (name, [n_gold, n_found, n_hits]) in groups {
        let f1 = 2.0 * n_hits as f64 / (n_gold + n_found) as f64;
        part.total(method, &format!("f1 {name}"), n_gold, f1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_computed_case_agrees() {
        let (gold, found) = (["a1", "a2", "b1", "b2"].into(), ["a1", "b3", "c1"].into());
        let mut part = Part::default();
        set_down(&mut part, "m", "", &gold, &found);
        by(&mut part, "m", &gold, &found, |name| &name[..1]);
        set_down(&mut part, "m", "no ", &BTreeSet::<u8>::new(), &BTreeSet::new());
        // One of three is right, one of four was found: 2·1/(4 + 3).
        let expected = [
            ("f1", 2.0 / 7.0),
            ("precision", 1.0 / 3.0),
            ("recall", 0.25),
            ("f1 a", 2.0 / 3.0),
            ("f1 b", 0.0),
            ("f1 c", 0.0),
            ("no f1", 0.0),
            ("no precision", 0.0),
            ("no recall", 0.0),
        ];
        for (total, (metric, value)) in part.totals.iter().zip(expected) {
            assert!(
                total.metric == metric && (total.value - value).abs() < 1e-6,
                "{total:?}"
            );
        }
        assert_eq!(part.totals.len(), expected.len());
    }
}
