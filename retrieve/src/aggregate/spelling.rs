//! Values by how they are spelled, so that one with a letter wrong is found without looking at all of them.

use std::collections::BTreeMap;

/// Bytes of a name from which on it is compared with one letter wrong. Shorter names differ by one letter too often.
const MIN_FUZZY: usize = 6;

/// Values by first letter and number of letters, without the spaces between their words.
#[derive(Clone, Debug, Default)]
pub(super) struct Spellings(BTreeMap<(char, usize), Vec<Spelled>>);

/// A value without spaces, and its words.
type Spelled = (String, Vec<String>);

impl Spellings {
    /// The spellings of values that are given by their words. Cost O(letters · log).
    pub(super) fn new<'a>(values: impl Iterator<Item = &'a Vec<String>>) -> Self {
        let mut spellings = Self::default();
        for words in values {
            let joined = words.concat();
            if let Some(place) = place(&joined, 0) {
                let bucket = spellings.0.entry(place).or_default();
                bucket.push((joined, words.clone()));
            }
        }
        spellings
    }

    /// The words of the only value that `joined` spells with one letter wrong, or of which it is the plural. Cost O(values of
    /// its first letter and, by one, its length).
    pub(super) fn near(&self, joined: &str) -> Option<&Vec<String>> {
        let singular = joined.strip_suffix('s');
        let buckets = (-1..=1).filter_map(|by| self.0.get(&place(joined, by)?)).flatten();
        let mut close = buckets.filter(|(other, _)| singular == Some(other.as_str()) || is_one_off(other, joined));
        match (close.next(), close.next()) {
            (Some((_, words)), None) => Some(words),
            _ => None,
        }
    }
}

/// The first letter of a name and its number of letters, moved `by` some; `None` for a short name.
fn place(joined: &str, by: isize) -> Option<(char, usize)> {
    let first = joined.chars().next().filter(|_| joined.len() >= MIN_FUZZY)?;
    Some((first, joined.chars().count().checked_add_signed(by)?))
}

/// Whether two different words are one insertion, deletion, replacement or swap apart; the first letter is the same.
fn is_one_off(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.first() != b.first() || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let tail = |skip_a: usize, skip_b: usize| a[(head + skip_a).min(a.len())..] == b[(head + skip_b).min(b.len())..];
    let swapped = a.get(head) == b.get(head + 1) && a.get(head + 1) == b.get(head) && tail(2, 2);
    tail(1, 1) && a.len() == b.len()
        || tail(1, 0) && a.len() > b.len()
        || tail(0, 1) && b.len() > a.len()
        || swapped && a.len() == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_may_be_wrong_where_only_one_value_is_near() {
        let values: Vec<Vec<String>> = ["grand harbour", "grand harbor inn", "tidd", "marlow", "marlot"]
            .iter()
            .map(|text| text.split(' ').map(str::to_owned).collect())
            .collect();
        let spellings = Spellings::new(values.iter());
        let check = |joined: &str, expected: Option<usize>| {
            assert_eq!(spellings.near(joined), expected.map(|at| &values[at]), "{joined}");
        };
        check("grandharbor", Some(0));
        check("grandharbours", Some(0));
        check("garndharbour", Some(0));
        check("xrandharbour", None);
        check("marlowe", Some(3));
        check("marlo", None);
        check("marloo", None);
        check("tid", None);
        check("", None);
    }
}
