//! The closed word lists of names: titles, legal forms, abbreviations. All sorted.

use crate::record::literal::number_word;

/// Titles of honour and office that stand before a name. Titles that a wife takes with her husband's name ("Mrs John
/// Orde", "Lady Randolph Orde") are missing on purpose: they name somebody else.
const HONORIFICS: &[&str] = &[
    "admiral",
    "ambassador",
    "archbishop",
    "bishop",
    "brigadier",
    "captain",
    "cardinal",
    "chancellor",
    "colonel",
    "commander",
    "dame",
    "detective",
    "doctor",
    "dr",
    "emperor",
    "father",
    "general",
    "governor",
    "imam",
    "inspector",
    "judge",
    "justice",
    "king",
    "lieutenant",
    "lord",
    "major",
    "marshal",
    "mayor",
    "minister",
    "miss",
    "mr",
    "ms",
    "pope",
    "president",
    "prince",
    "prof",
    "professor",
    "queen",
    "rabbi",
    "rev",
    "reverend",
    "saint",
    "secretary",
    "senator",
    "sergeant",
    "sheikh",
    "sir",
];
/// Words that make an office of the title after them: "*Prime* Minister", "*Vice* President".
const RANKS: &[&str] = &["assistant", "chief", "deputy", "former", "prime", "vice"];
/// Forms of companies, which stand after a name.
const LEGAL_FORMS: &[&str] = &[
    "ab",
    "ag",
    "bv",
    "company",
    "corporation",
    "gmbh",
    "incorporated",
    "kk",
    "limited",
    "llc",
    "llp",
    "nv",
    "oy",
    "plc",
    "pty",
    "sa",
    "spa",
    "srl",
];
/// Abbreviations and second spellings with what is written for them.
const SPELLINGS: &[(&str, &str)] = &[
    ("assn", "association"),
    ("assoc", "association"),
    ("bros", "brothers"),
    ("center", "centre"),
    ("co", "company"),
    ("corp", "corporation"),
    ("defense", "defence"),
    ("dept", "department"),
    ("ft", "fort"),
    ("harbor", "harbour"),
    ("inc", "incorporated"),
    ("intl", "international"),
    ("ltd", "limited"),
    ("mt", "mount"),
    ("mtn", "mountain"),
    ("natl", "national"),
    ("theater", "theatre"),
    ("univ", "university"),
];
/// Words that an acronym may skip.
const SMALL: &[&str] = &[
    "a", "an", "and", "da", "de", "del", "der", "des", "di", "do", "du", "e", "et", "for", "fur", "in", "la", "le",
    "of", "on", "the", "to", "und", "van", "von", "y",
];
/// Marks of a generation, as they are compared.
const GENERATIONS: &[(&str, &str)] = &[
    ("elder", "elder"),
    ("jnr", "jr"),
    ("jr", "jr"),
    ("junior", "jr"),
    ("senior", "sr"),
    ("snr", "sr"),
    ("sr", "sr"),
    ("younger", "younger"),
];
/// Tens and ones of Roman numbers.
const TENS: [&str; 5] = ["", "x", "xx", "xxx", "xl"];
const ONES: [&str; 10] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
/// Shortest Roman number that is one wherever it stands; shorter ones are names as well ("Xi", "Vi").
const MIN_FREE_ROMAN: usize = 3;

/// Whether a word is a title of honour or office.
pub(crate) fn is_honorific(word: &str) -> bool {
    HONORIFICS.binary_search(&word).is_ok()
}

/// Whether a word makes an office of the title after it.
pub(crate) fn is_rank(word: &str) -> bool {
    RANKS.binary_search(&word).is_ok()
}

/// Whether a word, as [`spelling`] gives it, is the form of a company.
pub(crate) fn is_legal_form(word: &str) -> bool {
    LEGAL_FORMS.binary_search(&word).is_ok()
}

/// Whether an acronym may skip a word.
pub(crate) fn is_small(word: &str) -> bool {
    SMALL.binary_search(&word).is_ok()
}

/// What is written for an abbreviation or a second spelling. "st" is a saint before a name and a street after one.
pub(crate) fn spelling(word: &str, is_last: bool) -> &str {
    if word == "st" {
        return if is_last { "street" } else { "saint" };
    }
    let found = SPELLINGS.binary_search_by(|(short, _)| (*short).cmp(word));
    found.map_or(word, |at| SPELLINGS[at].1)
}

/// The mark of a generation.
pub(crate) fn generation(word: &str) -> Option<&'static str> {
    let found = GENERATIONS.binary_search_by(|(written, _)| (*written).cmp(word));
    found.ok().map(|at| GENERATIONS[at].1)
}

/// The number that a word is: digits, "12th", "twelve", "twelfth", "xii". A Roman number is no first word unless it is
/// long, and one letter is a number at the end only.
pub(crate) fn number(word: &str, is_first: bool, is_last: bool) -> Option<u64> {
    let digits = word
        .strip_suffix("st")
        .or_else(|| word.strip_suffix("nd"))
        .or_else(|| word.strip_suffix("rd"))
        .or_else(|| word.strip_suffix("th"))
        .unwrap_or(word);
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

/// A Roman number below 50 in lower case.
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
    fn the_lists_are_sorted() {
        for list in [HONORIFICS, RANKS, LEGAL_FORMS, SMALL] {
            assert!(list.is_sorted(), "{list:?}");
        }
        for list in [SPELLINGS, GENERATIONS] {
            assert!(list.is_sorted_by_key(|(written, _)| *written), "{list:?}");
        }
    }

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
