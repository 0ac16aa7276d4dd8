//! Numbers in names, however they are written.

use crate::record::literal::number_word;

/// Tens and ones of Roman numbers.
const TENS: [&str; 5] = ["", "x", "xx", "xxx", "xl"];
const ONES: [&str; 10] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
/// Shortest Roman number that is one wherever it stands; shorter ones are names as well ("Xi", "Vi").
const MIN_FREE_ROMAN: usize = 3;

/// The number that a word is: digits, "12th", "twelve", "twelfth", "xii". A Roman number is no first word unless it is
/// long, and one letter is a number at the end only.
pub(crate) fn number(word: &str, is_first: bool, is_last: bool) -> Option<u64> {
    let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end));
    let digits = ordinal.unwrap_or(word);
    if let Ok(number) = digits.parse::<u64>() {
        return Some(number);
    }
    if let Some((number, _)) = number_word(word) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and below one hundred"
        )]
        return Some(number as u64);
    }
    let may_be_roman = if is_first {
        word.len() >= MIN_FREE_ROMAN
    } else {
        word.len() > 1 || is_last
    };
    may_be_roman.then(|| roman(word)).flatten()
}

fn roman(word: &str) -> Option<u64> {
    if word.is_empty() || !word.bytes().all(|byte| matches!(byte, b'i' | b'v' | b'x' | b'l')) {
        return None;
    }
    let found = (0..TENS.len()).find_map(|tens| {
        let rest = word.strip_prefix(TENS[tens])?;
        let ones = ONES.iter().position(|ones| *ones == rest)?;
        Some(10 * tens + ones)
    });
    found.and_then(|number| u64::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_a_number_in_any_writing() {
        for (word, expected) in [
            ("7", Some(7)),
            ("7th", Some(7)),
            ("seven", Some(7)),
            ("seventh", Some(7)),
            ("vii", Some(7)),
            ("xliv", Some(44)),
            ("xxxix", Some(39)),
            ("iiii", None),
            ("mix", None),
            ("civil", None),
            ("north", None),
        ] {
            assert_eq!(number(word, false, false), expected, "{word}");
        }
        assert_eq!(number("xi", true, false), None, "Xi is a family");
        assert_eq!(number("xxi", true, false), Some(21));
        assert_eq!(number("x", false, false), None);
        assert_eq!(number("x", false, true), Some(10));
    }
}
