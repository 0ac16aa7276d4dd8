//! Sets of characters.

/// A set of characters as sorted, disjoint ranges. Membership costs O(1) in ASCII, O(log ranges) elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CharSet {
    /// Bit `c` says whether the ASCII character `c` is in the set.
    ascii: u128,
    /// Inclusive ranges in order; no two overlap or touch.
    ranges: Vec<(char, char)>,
}

impl CharSet {
    /// The set of the characters in these inclusive ranges, in any order, overlapping or not.
    pub(super) fn new(mut ranges: Vec<(char, char)>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(char, char)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match merged.last_mut() {
                Some((_, end)) if u32::from(first) <= u32::from(*end) + 1 => *end = last.max(*end),
                _ => merged.push((first, last)),
            }
        }
        let in_ranges = |character| merged.iter().any(|(first, last)| (*first..=*last).contains(&character));
        let ascii = (0..128u8)
            .filter(|code| in_ranges(char::from(*code)))
            .fold(0, |bits, code| bits | 1 << code);
        Self { ascii, ranges: merged }
    }

    /// The set of one character.
    pub(super) fn one(character: char) -> Self {
        Self::new(vec![(character, character)])
    }

    /// The set of the characters in any of these sets.
    pub(super) fn union<'a>(sets: impl Iterator<Item = &'a Self>) -> Self {
        Self::new(sets.flat_map(|set| set.ranges.iter().copied()).collect())
    }

    /// Whether the character is in the set.
    pub(super) fn contains(&self, character: char) -> bool {
        if character.is_ascii() {
            return self.ascii >> u32::from(character) & 1 == 1;
        }
        let after = self.ranges.partition_point(|(first, _)| *first <= character);
        after > 0 && self.ranges[after - 1].1 >= character
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_ranges_are_one() {
        let set = CharSet::new(vec![('k', 'p'), ('a', 'c'), ('m', 'z'), ('é', 'é'), ('d', 'd')]);
        assert_eq!(set.ranges, [('a', 'd'), ('k', 'z'), ('é', 'é')]);
        for (character, expected) in [
            ('a', true),
            ('d', true),
            ('e', false),
            ('z', true),
            ('é', true),
            ('ê', false),
        ] {
            assert_eq!(set.contains(character), expected, "{character}");
        }
    }

    #[test]
    fn the_empty_set_has_no_character() {
        assert!(!CharSet::default().contains('a'));
        assert!(!CharSet::default().contains('é'));
    }
}
