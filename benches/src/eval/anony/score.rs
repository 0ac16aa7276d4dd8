//! Mappings of tags to names against gold: exact and relaxed.

use crate::anonymise::Tag;
use banyan_engine::index::term::is_ideograph;
use banyan_engine::name;
use banyan_retrieve::answer::score::score as overlap;
use serde::Serialize;
use std::collections::BTreeMap;

/// Least F1 of words at which a name counts in the relaxed mapping: half of both names is shared. Arbitrary.
const RELAXED_F1: f64 = 0.5;

/// Names, counted: how many were asked for, given, and right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Tags with a gold name.
    pub gold: usize,
    /// Tags that were given a name, also such as were not asked for.
    pub given: usize,
    /// Names that are the gold one, apart from case, accents and marks.
    pub exact: usize,
    /// Names that are it, are part of it, hold it, or share half of their words with it.
    pub relaxed: usize,
}

impl Named {
    /// Counts one reply against gold. Cost O(tags).
    pub fn new(given: &BTreeMap<Tag, String>, gold: &BTreeMap<Tag, Vec<String>>) -> Self {
        let mut named = Self {
            gold: gold.len(),
            given: given.len(),
            ..Self::default()
        };
        for (tag, name) in given {
            let accepted = gold.get(tag).map_or(&[][..], Vec::as_slice);
            named.exact += usize::from(accepted.iter().any(|gold| is_exact(name, gold)));
            named.relaxed += usize::from(accepted.iter().any(|gold| is_relaxed(name, gold)));
        }
        named
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            gold: self.gold + other.gold,
            given: self.given + other.given,
            exact: self.exact + other.exact,
            relaxed: self.relaxed + other.relaxed,
        }
    }

    /// Share of the given names that are exactly right; 0 where none was given.
    pub fn precision(self) -> f64 {
        ratio(self.exact, self.given)
    }

    /// Share of the gold names that were given exactly; 0 without gold.
    pub fn recall(self) -> f64 {
        ratio(self.exact, self.gold)
    }

    /// Harmonic mean of both.
    pub fn f1(self) -> f64 {
        ratio(2 * self.exact, self.given + self.gold)
    }

    /// The same with relaxed matches.
    pub fn relaxed_f1(self) -> f64 {
        ratio(2 * self.relaxed, self.given + self.gold)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn is_exact(name: &str, gold: &str) -> bool {
    let key = name::key(gold);
    !key.is_empty() && name::key(name) == key
}

fn is_relaxed(name: &str, gold: &str) -> bool {
    let (given, gold) = (name::key(name), name::key(gold));
    if given.is_empty() || gold.is_empty() {
        return false;
    }
    if given.chars().any(is_ideograph) || gold.chars().any(is_ideograph) {
        let (short, long) = if given.len() < gold.len() {
            (&given, &gold)
        } else {
            (&gold, &given)
        };
        return short.chars().count() > 1 && long.contains(short.as_str());
    }
    let has = |long: &str, short: &str| format!(" {long} ").contains(&format!(" {short} "));
    let shared = || overlap(Some(&given), std::slice::from_ref(&gold)).1;
    has(&given, &gold) || has(&gold, &given) || shared() >= RELAXED_F1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pairs: &[(&str, &str)]) -> BTreeMap<Tag, String> {
        pairs
            .iter()
            .map(|(tag, name)| (Tag::parse(tag).unwrap(), (*name).to_owned()))
            .collect()
    }

    fn gold(pairs: &[(&str, &str)]) -> BTreeMap<Tag, Vec<String>> {
        names(pairs).into_iter().map(|(tag, name)| (tag, vec![name])).collect()
    }

    #[test]
    fn the_hand_computed_case_agrees() {
        let gold = gold(&[
            ("PERSON#1", "Ann Hall"),
            ("PERSON#2", "Bob"),
            ("PERSON#3", "Captain Cole"),
        ]);
        let given = names(&[("PERSON#1", "ann  hall"), ("PERSON#3", "Cole"), ("PERSON#9", "Dora")]);
        let named = Named::new(&given, &gold);
        assert_eq!(
            named,
            Named {
                gold: 3,
                given: 3,
                exact: 1,
                relaxed: 2
            }
        );
        assert!((named.precision() - 1.0 / 3.0).abs() < 1e-12 && (named.recall() - 1.0 / 3.0).abs() < 1e-12);
        assert!((named.f1() - 1.0 / 3.0).abs() < 1e-12 && (named.relaxed_f1() - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(named.plus(named).gold, 6);
    }

    #[test]
    fn chinese_names_are_relaxed_by_part() {
        assert!(is_relaxed("智深", "鲁智深") && !is_exact("智深", "鲁智深") && !is_relaxed("深", "鲁智深"));
        assert!(is_exact("鲁 智深", "鲁智深") || is_relaxed("鲁智深", "鲁智深"));
    }

    #[test]
    fn nothing_given_is_nothing_right() {
        let named = Named::new(&BTreeMap::new(), &gold(&[("PERSON#1", "Ann")]));
        assert!(named.precision().abs() < 1e-12 && named.recall().abs() < 1e-12 && named.f1().abs() < 1e-12);
        assert!(Named::default().relaxed_f1().abs() < 1e-12 && !is_relaxed("", "Ann"));
    }
}
