//! Bounds on numbers, as categories write them: "below 10,000,000", "10 or more", "between 5 and 8".

use banyan_extract::record::literal;

/// A stretch of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    least: f64,
    most: f64,
    includes_least: bool,
    includes_most: bool,
}

/// Words before a number that it is not reached with.
const BELOW: &[&str] = &[
    "below",
    "under",
    "less than",
    "fewer than",
    "before",
    "earlier than",
    "lower than",
    "cheaper than",
    "<",
];
/// Words before a number that is exceeded.
const ABOVE: &[&str] = &[
    "above",
    "over",
    "more than",
    "greater than",
    "after",
    "later than",
    "higher than",
    "exceeding",
    ">",
];
/// Words before or after a number that is reached at least.
const AT_LEAST: &[&str] = &[
    "at least",
    "or more",
    "or above",
    "or over",
    "or later",
    "or higher",
    "or greater",
    "and above",
    "minimum",
    "≥",
];
/// Words before or after a number that is reached at most.
const AT_MOST: &[&str] = &[
    "at most",
    "up to",
    "or less",
    "or fewer",
    "or below",
    "or under",
    "or earlier",
    "or lower",
    "maximum",
    "≤",
];

impl Bound {
    /// The bound that a text sets; `None` for a text without a number or without a word that bounds it.
    pub(super) fn of(text: &str) -> Option<Self> {
        let lower = text.to_lowercase();
        let numbers: Vec<f64> = literal::numbers(&lower).iter().map(|number| number.value).collect();
        let first = *numbers.first()?;
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let all = Self {
            least: f64::NEG_INFINITY,
            most: f64::INFINITY,
            includes_least: true,
            includes_most: true,
        };
        if let (true, Some(second)) = (lower.contains("between") || lower.contains(" to "), numbers.get(1)) {
            return Some(Self {
                least: first.min(*second),
                most: first.max(*second),
                ..all
            });
        }
        if has(AT_LEAST) {
            Some(Self { least: first, ..all })
        } else if has(AT_MOST) {
            Some(Self { most: first, ..all })
        } else if has(BELOW) {
            Some(Self {
                most: first,
                includes_most: false,
                ..all
            })
        } else if has(ABOVE) {
            Some(Self {
                least: first,
                includes_least: false,
                ..all
            })
        } else {
            None
        }
    }

    /// Whether a number lies within.
    pub(super) fn admits(&self, value: f64) -> bool {
        let above = value > self.least || (self.includes_least && value >= self.least);
        let below = value < self.most || (self.includes_most && value <= self.most);
        above && below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_admit_what_their_words_say() {
        let check = |text: &str, admitted: f64, refused: f64| {
            let bound = Bound::of(text).unwrap();
            assert!(bound.admits(admitted) && !bound.admits(refused), "{text}: {bound:?}");
        };
        check("below 10,000,000 shares", 9_999_999.0, 10_000_000.0);
        check("10,000,000 shares or more", 10_000_000.0, 9_999_999.0);
        check("at most 5", 5.0, 6.0);
        check("over 5", 6.0, 5.0);
        check("between 5 and 8 rooms", 8.0, 9.0);
        assert_eq!(Bound::of("the cheerful ones"), None);
        assert_eq!(Bound::of("the 5 of them"), None);
    }
}
