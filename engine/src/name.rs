//! Names of entities: one normal form for comparing, and the shorter forms people use.

use crate::script::simplified;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The key under which two spellings of a name are the same entity.
///
/// Lower case, accents removed, punctuation and white space folded to single spaces, a leading article dropped;
/// traditional Chinese characters as simplified ones.
/// Empty for a text without a letter or digit. Cost O(length).
///
/// ```
/// assert_eq!(banyan_engine::name::key("The  Café-Müller"), "cafe muller");
/// ```
pub fn key(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    if name.is_ascii() {
        name.chars().for_each(|ch| fold(ch, &mut folded));
    } else {
        let letters = name.nfkd().filter(|ch| !is_combining_mark(*ch));
        letters.for_each(|ch| fold(ch, &mut folded));
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
