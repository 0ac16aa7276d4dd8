//! The features of a word's form.

use unicode_categories::UnicodeCategories;

/// Words of this many characters and more have no shape of their own.
const LONG: usize = 100;
/// A run of characters of one class is kept up to this length.
const MAX_RUN: usize = 4;

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
    character.is_number_decimal_digit() || is_set_digit(character)
}

/// Whether a character is a digit by form but not decimal: raised, lowered or circled. The library knows rarer ones, too.
fn is_set_digit(character: char) -> bool {
    matches!(
        character,
        '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '₀'..='₉' | '①'..='⑨' | '❶'..='❾'
    )
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
