//! Whether a text can be the value of an attribute: the least that its kind asks for.
//!
//! This is a wall, not a parser. Extraction reads values out of text and may normalise them; whatever reaches the graph
//! has passed here.

use super::element::{AttributeType, ValueKind};
use crate::name;

/// Number words that stand where digits could.
const NUMBER_WORDS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
     sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million \
     billion trillion dozen half";
/// The first letters of the months' names.
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
/// Ordinals up to the twelfth; the others have endings of their own.
const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
];
/// Words that make a date of a number of any length ("the 9th century", "44 BC").
const ERAS: &[&str] = &["ad", "bc", "bce", "ce", "centuries", "century", "millennium"];

impl AttributeType {
    /// Whether `value`, as a text writes it, can be a value of this attribute. Cost O(length).
    ///
    /// | kind | asks for |
    /// |---|---|
    /// | text | a letter or digit |
    /// | number, quantity | digits, or a number word; units are not compared |
    /// | date | a year of three or four digits, a month beside digits, digits joined by `-`, `/` or `.`, or an era |
    /// | enum | one of `values`, whatever its case and punctuation |
    pub fn holds(&self, value: &str) -> bool {
        match self.kind {
            ValueKind::Text => value.chars().any(char::is_alphanumeric),
            ValueKind::Number | ValueKind::Quantity => {
                has_digit(value) || words(value).any(|word| is_number_word(&word))
            }
            ValueKind::Date => is_date(value),
            ValueKind::Enum => {
                let key = name::key(value);
                !key.is_empty() && self.values.iter().any(|allowed| name::key(allowed) == key)
            }
        }
    }
}

fn words(value: &str) -> impl Iterator<Item = String> {
    name::words(value).map(str::to_lowercase)
}

fn is_number_word(word: &str) -> bool {
    // Chinese writes number and unit as one word: 一千二百平方公里.
    NUMBER_WORDS.split(' ').any(|known| known == word) || word.starts_with(is_numeral)
}

fn is_numeral(ch: char) -> bool {
    "〇零一二两兩三四五六七八九十百千万萬亿億".contains(ch)
}

/// A decimal digit, also in its full width; powers, fractions and circled numbers are none.
fn is_digit(ch: char) -> bool {
    ch.is_ascii_digit() || ('\u{ff10}'..='\u{ff19}').contains(&ch)
}

fn has_digit(text: &str) -> bool {
    text.contains(is_digit)
}

fn is_date(value: &str) -> bool {
    let is_year = |run: &str| (3..=4).contains(&run.chars().count());
    let has_year = value.split(|ch| !is_digit(ch)).any(is_year);
    let is_named = words(value).any(|word| {
        MONTHS.iter().any(|month| word.starts_with(month)) || ERAS.contains(&word.as_str()) || is_number_word(&word)
    });
    let is_joined = value
        .split(['-', '/', '.'])
        .filter(|part| part.chars().all(is_digit) && !part.is_empty())
        .count()
        > 1;
    let is_chinese = value.contains(['年', '月', '日'])
        && (has_digit(value) || value.contains(is_numeral) || value.contains("元年"));
    has_year || (has_digit(value) && (is_named || is_joined)) || is_chinese || has_spelled_century(value)
}

/// "the nineteenth century".
fn has_spelled_century(value: &str) -> bool {
    let words: Vec<String> = words(value).collect();
    let is_ordinal = |word: &str| ORDINALS.contains(&word) || word.ends_with("eenth") || word.ends_with("tieth");
    words
        .windows(2)
        .any(|pair| is_ordinal(&pair[0]) && ERAS.contains(&pair[1].as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: ValueKind, holds: &[&str], refuses: &[&str]) {
        let attribute = AttributeType {
            kind,
            values: vec!["Non-binary".to_owned(), "male".to_owned()],
            ..AttributeType::default()
        };
        for value in holds {
            assert!(attribute.holds(value), "{kind} refuses {value:?}");
        }
        for value in refuses {
            assert!(!attribute.holds(value), "{kind} holds {value:?}");
        }
    }

    #[test]
    fn each_kind_asks_for_the_least_that_makes_it_one() {
        check(ValueKind::Text, &["film", "宋", "7"], &["", " — "]);
        let numbers = ["27,900", "3.5 million", "about forty", "４２", "三千", "-5"];
        check(ValueKind::Number, &numbers, &["", "many", "km²", "½"]);
        check(
            ValueKind::Quantity,
            &["388 km²", "two miles", "41", "一千二百平方公里", "兩萬公頃"],
            &["long", "km²", "公里"],
        );
        check(
            ValueKind::Date,
            &[
                "1901",
                "3 May 1901",
                "May 3",
                "1932-07-27",
                "12/5/99",
                "44 BC",
                "the 1890s",
                "9th century",
                "1901年",
                "五月三日",
            ],
            &["", "May", "long ago", "12", "12 crowns", "a century"],
        );
        check(ValueKind::Date, &["the nineteenth century"], &["with century"]);
        check(
            ValueKind::Enum,
            &["male", "Male", "non binary"],
            &["", "mal", "male or female"],
        );
    }
}
