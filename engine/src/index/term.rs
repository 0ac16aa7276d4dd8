//! Text to terms: the words that lexical search compares.

use crate::name;
use crate::script::simplified;
use std::collections::HashSet;
use std::sync::LazyLock;

mod ideograph;

/// Words that carry no topic; the closed classes of English. Questions lose them before they are matched.
const STOP_WORDS: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "all", "also", "although", "among", "an", "and", "any", "are",
    "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "could",
    "despite", "did", "do", "does", "down", "during", "each", "for", "from", "had", "has", "have", "he", "her", "here",
    "him", "his", "how", "however", "i", "if", "in", "into", "is", "it", "its", "just", "like", "many", "me", "more",
    "most", "much", "my", "no", "nor", "not", "of", "off", "on", "once", "one", "only", "or", "other", "our", "out",
    "over", "she", "since", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there", "these",
    "they", "this", "those", "though", "through", "to", "too", "towards", "under", "unless", "unlike", "until", "up",
    "upon", "very", "was", "we", "were", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose",
    "why", "will", "with", "within", "without", "would", "yet", "you", "your",
];

/// Whether a lower-case word carries no topic.
pub fn is_stop_word(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| STOP_WORDS.iter().copied().collect());
    WORDS.contains(word)
}

/// The terms of a text in order: runs of letters and digits in lower case, without stop words, English endings
/// folded, of what an apostrophe parts the longest; a letter and a digit that `#` joins stay one run (`[PERSON#3]`), and
/// so do a word and its signs ([`name::is_sign`]). Chinese, Japanese and Korean give every character and every pair of neighbours, traditional
/// characters as simplified ones. Cost O(length).
///
/// ```
/// let terms = banyan_engine::index::term::terms("The ship's bells, 1901");
/// assert_eq!(terms, ["ship", "bell", "1901"]);
/// assert_eq!(banyan_engine::index::term::terms("directed"), banyan_engine::index::term::terms("directors"));
/// ```
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    let is_joint = |at: usize| {
        let follows_letter = text[..at].ends_with(char::is_alphabetic);
        follows_letter && text[at + 1..].starts_with(|ch: char| ch.is_ascii_digit())
    };
    let is_outer = |(at, ch): (usize, char)| {
        let is_joined = (ch == '#' && is_joint(at)) || name::is_sign(text, at);
        let is_inner = ch.is_alphanumeric() || matches!(ch, '\'' | '’') || is_joined;
        !is_inner
    };
    for run in runs(text, is_outer) {
        // The first of the longest: "ship" of "ship's", "Neill" of "O'Neill".
        let parts = run.split(['\'', '’']).rev().filter(|part| !part.is_empty());
        let Some(word) = parts.max_by_key(|part| part.len()) else {
            continue;
        };
        if word.is_ascii() {
            push(word.to_ascii_lowercase(), &mut terms);
        } else {
            push_mixed(word, &mut terms);
        }
    }
    terms
}

/// The parts of a text between characters that are outside of words.
fn runs(text: &str, is_outer: impl Fn((usize, char)) -> bool) -> impl Iterator<Item = &str> {
    let mut outer = text.char_indices().filter(move |one| is_outer(*one));
    let mut start = Some(0);
    std::iter::from_fn(move || {
        let from = start?;
        let next = outer.next();
        start = next.map(|(at, ch)| at + ch.len_utf8());
        Some(&text[from..next.map_or(text.len(), |(at, _)| at)])
    })
}

/// The distinct terms of a text, sorted.
pub fn distinct(text: &str) -> Vec<String> {
    let mut terms = terms(text);
    terms.sort();
    terms.dedup();
    terms
}

fn push(word: String, terms: &mut Vec<String>) {
    if !is_stop_word(&word) {
        terms.push(stem(word));
    }
}

fn push_mixed(word: &str, terms: &mut Vec<String>) {
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let is_written = is_ideograph(first);
        let end = rest.find(|ch| is_ideograph(ch) != is_written).unwrap_or(rest.len());
        if is_written {
            let run: String = rest[..end].chars().map(simplified).collect();
            ideograph::push(&run, terms);
        } else {
            push(rest[..end].to_lowercase(), terms);
        }
        rest = &rest[end..];
    }
}

/// A word without its plural ending; only endings that are safe to fold without a dictionary.
pub fn singular(mut word: String) -> String {
    let n = word.len();
    if n > 4 && word.ends_with("ies") {
        word.truncate(n - 3);
        word.push('y');
    } else if n > 4 && ["sses", "ches", "shes", "xes"].iter().any(|end| word.ends_with(end)) {
        word.truncate(n - 2);
    } else if n > 3 && word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        word.truncate(n - 1);
    }
    word
}

/// The part of a word that its inflections share: `director`, `directed` and `directing` become `direct`.
fn stem(word: String) -> String {
    let mut word = singular(word);
    if word.bytes().any(|byte| !byte.is_ascii_lowercase()) {
        return word;
    }
    let n = word.len();
    let cut = [("ing", 5), ("ed", 4), ("er", 5), ("or", 5), ("e", 4)]
        .iter()
        .find(|(end, longer_than)| n > *longer_than && word.ends_with(end))
        .map_or(0, |(end, _)| end.len());
    word.truncate(n - cut);
    if cut > 1 && word.len() > 4 && word.ends_with('e') {
        word.pop();
    }
    let bytes = word.as_bytes();
    if let [.., before, last] = bytes
        && before == last
        && bytes.len() > 3
        && !matches!(last, b'l' | b's')
    {
        word.pop();
    }
    word
}

/// Whether a character is written without spaces around words.
pub fn is_ideograph(ch: char) -> bool {
    matches!(ch, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_fold_but_short_words_and_double_s_stay() {
        assert_eq!(terms("cities' glass bus boxes was"), ["city", "glass", "bus", "box"]);
    }

    #[test]
    fn ideographs_and_their_pairs_are_terms() {
        assert_eq!(terms("宋江abc"), ["宋", "宋江", "江", "abc"]);
        assert_eq!(terms("江的河"), ["江", "河"]);
        assert_eq!(terms("他是誰？什麼"), ["他"]);
        assert_eq!(terms("東嶺"), terms("东岭"));
    }
}
