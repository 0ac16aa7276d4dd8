//! Names of entities: one normal form for comparing, and the shorter forms people use.

use crate::script::{is_han, simplified};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The key under which two spellings of a name are the same entity.
///
/// Lower case, accents removed, punctuation and white space folded to single spaces but for signs that belong to a word
/// ([`is_sign`]), a leading article dropped; traditional Chinese characters as simplified ones.
/// Empty for a text without a letter or digit. Cost O(length).
///
/// ```
/// assert_eq!(banyan_engine::name::key("The  Café-Müller"), "cafe muller");
/// assert_eq!(banyan_engine::name::key("C++"), "c++");
/// ```
pub fn key(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for (at, ch) in name.char_indices() {
        if is_sign(name, at) {
            folded.push(ch);
        } else if ch.is_ascii() {
            fold(ch, &mut folded);
        } else {
            let letters = std::iter::once(ch).nfkd().filter(|ch| !is_combining_mark(*ch));
            letters.for_each(|ch| fold(ch, &mut folded));
        }
    }
    let trimmed = folded.trim();
    let bare = ["the ", "a ", "an "]
        .iter()
        .find_map(|article| trimmed.strip_prefix(article))
        .unwrap_or(trimmed);
    bare.to_owned()
}

/// A text in lower case without accents. Cost O(length).
pub fn plain(text: &str) -> String {
    let letters = text.nfkd().filter(|ch| !is_combining_mark(*ch));
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether the byte at `at` is a sign of the word before it, without which that is another word: `C++`, `F#`, `Na+`. Those
/// are one or two plus or number signs behind a word that begins and ends with letters. Where a letter or digit follows,
/// only two plus signs are (`C++17`, but `a+b` and `issue#12`). Cost O(word).
pub fn is_sign(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let Some(sign @ (b'+' | b'#')) = bytes.get(at) else {
        return false;
    };
    let same = |byte: &&u8| *byte == sign;
    let n_before = bytes[..at].iter().rev().take(2).take_while(same).count();
    let n_behind = bytes[at + 1..].iter().take(2).take_while(same).count();
    let n = n_before + 1 + n_behind;
    let is_letter = |ch: char| ch.is_alphabetic() && !is_han(ch);
    let word = text[..at - n_before].rsplit(|ch: char| !ch.is_alphanumeric()).next();
    let is_word = word.is_some_and(|word| word.starts_with(is_letter) && word.ends_with(is_letter));
    let is_end = !text[at + 1 + n_behind..].starts_with(char::is_alphanumeric);
    n <= 2 && is_word && (is_end || (*sign == b'+' && n == 2))
}

/// The words of a text: runs of letters, digits and signs of words. Cost O(length).
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut places = text.char_indices().chain(std::iter::once((text.len(), ' ')));
    std::iter::from_fn(move || {
        let is_inner = |(at, ch): (usize, char)| ch.is_alphanumeric() || is_sign(text, at);
        let (first, _) = places.find(|one| is_inner(*one))?;
        let (end, _) = places.find(|one| !is_inner(*one))?;
        Some(&text[first..end])
    })
}

/// Appends a letter in its simplest form; anything else is a space between words, an apostrophe nothing.
fn fold(ch: char, folded: &mut String) {
    if ch.is_ascii_alphanumeric() {
        folded.push(ch.to_ascii_lowercase());
    } else if ch.is_alphanumeric() {
        folded.extend(simplified(ch).to_lowercase());
    } else if !matches!(ch, '\'' | '’') && !folded.ends_with(' ') {
        folded.push(' ');
    }
}

/// A title without its disambiguating tail: `Home (2009 film)` and `Paris, Texas` are called `Home` and `Paris`.
///
/// `None` where there is no such tail.
pub fn without_disambiguator(title: &str) -> Option<&str> {
    let cut = [" (", "（", ", "].iter().find_map(|mark| title.find(mark))?;
    let bare = title[..cut].trim();
    (!bare.is_empty()).then_some(bare)
}

/// The terms of a key beyond its first `n_words`: what tells `home 2009 film` from other things called Home.
pub fn disambiguator_of_key(key: &str, n_words: usize) -> Vec<String> {
    let tail: Vec<&str> = key.split(' ').skip(n_words).collect();
    crate::index::term::terms(&tail.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_belong_to_the_word_before_them() {
        let keys = ["C", "C++", "C#", "Notepad++ 8", "C++17", "Na+/Cl", "Café+"].map(key);
        assert_eq!(keys, ["c", "c++", "c#", "notepad++ 8", "c++17", "na+ cl", "cafe+"]);
        let others = [
            "x+y", "issue#12", "C+++", "1+", "+ #", "# Title", "500k+", "会员+", "Na⁺",
        ]
        .map(key);
        assert_eq!(others, ["x y", "issue 12", "c", "1", "", "title", "500k", "会员", "na"]);
    }

    #[test]
    fn words_are_those_of_the_key() {
        for text in ["C++ and C#.", "x+y", "", "über C++-Code, #1", "é+", "Na⁺ e\u{301}+"] {
            let found: Vec<String> = words(text).map(key).collect();
            let key = key(text);
            assert_eq!(found.join(" "), key, "{text}");
        }
    }
}
