//! The features of a word's form.

use unicode_categories::UnicodeCategories;

/// Words of this many characters and more have no shape of their own.
const LONG: usize = 100;
/// A run of characters of one class is kept up to this length.
const MAX_RUN: usize = 4;

/// Ranges of characters that are digits by form but not decimal (superscripts, circled and the like), sorted.
const OTHER_DIGITS: &[(char, char)] = &[
    ('\u{b2}', '\u{b3}'),
    ('\u{b9}', '\u{b9}'),
    ('\u{1369}', '\u{1371}'),
    ('\u{19da}', '\u{19da}'),
    ('\u{2070}', '\u{2070}'),
    ('\u{2074}', '\u{2079}'),
    ('\u{2080}', '\u{2089}'),
    ('\u{2460}', '\u{2468}'),
    ('\u{2474}', '\u{247c}'),
    ('\u{2488}', '\u{2490}'),
    ('\u{24ea}', '\u{24ea}'),
    ('\u{24f5}', '\u{24fd}'),
    ('\u{24ff}', '\u{24ff}'),
    ('\u{2776}', '\u{277e}'),
    ('\u{2780}', '\u{2788}'),
    ('\u{278a}', '\u{2792}'),
    ('\u{10a40}', '\u{10a43}'),
    ('\u{10e60}', '\u{10e68}'),
    ('\u{11052}', '\u{1105a}'),
    ('\u{1f100}', '\u{1f10a}'),
];

/// The shape of a word: letters become `X` or `x`, digits `d`, other characters stay; runs are cut to four.
///
/// A word of 100 characters and more gives `LONG`.
pub(super) fn of(word: &str) -> String {
    if word.chars().count() >= LONG {
        return "LONG".to_owned();
    }
    let mut shape = String::with_capacity(word.len());
    let mut last = None;
    let mut run = 0;
    for character in word.chars() {
        let class = class_of(character);
        run = if last == Some(class) { run + 1 } else { 1 };
        last = Some(class);
        if run <= MAX_RUN {
            shape.push(class);
        }
    }
    shape
}

/// Whether a text is white space throughout and not empty, as the model's training counted white space: the
/// separators U+001C to U+001F are among it.
pub(super) fn is_space(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_space_character)
}

/// Whether one character counts as white space.
pub(super) fn is_space_character(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

fn class_of(character: char) -> char {
    if is_letter(character) {
        if character.is_uppercase() { 'X' } else { 'x' }
    } else if is_digit(character) {
        'd'
    } else {
        character
    }
}

/// Letters by general category: combining marks and letter numbers, which the standard library counts, are none.
pub(super) fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphabetic()
    } else {
        character.is_letter()
    }
}

fn is_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_digit();
    }
    let is_other = |(first, last): &(char, char)| (*first..=*last).contains(&character);
    character.is_number_decimal_digit() || OTHER_DIGITS.iter().any(is_other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_keeps_four_of_a_run() {
        let check = |word: &str, expected: &str| assert_eq!(of(word), expected, "{word}");
        check("Apple", "Xxxxx");
        check("Pineapples", "Xxxxx");
        check("e.g.", "x.x.");
        check("1984-85", "dddd-dd");
        check("²km", "dxx");
        check("½", "½");
        check("--------", "----");
        check("Élan", "Xxxx");
        check(&"a".repeat(100), "LONG");
        check("", "");
    }

    #[test]
    fn separators_are_space_and_the_empty_text_is_not() {
        assert!(is_space(" \u{a0}\u{1f}\n"));
        assert!(!is_space(""));
        assert!(!is_space(" a"));
        assert!(!is_space("\u{200b}"));
    }
}
