//! Sentences to words: runs of letters and digits with their place and shape.

pub use crate::grammar::Kind;
use crate::grammar::{Dependency, Pos};
use crate::tag;
use banyan_engine::index::term;
use banyan_engine::{Span, name};
use serde::Serialize;

/// A word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Word {
    /// Where it stands.
    pub span: Span,
    /// Whether it begins with a capital letter, or was recognised as part of a name in a script that has none.
    pub is_capitalised: bool,
    /// Whether it is all digits, with points between them if any.
    pub is_number: bool,
    /// What it is part of the name of.
    pub kind: Kind,
    /// Whether that name begins here.
    pub begins: bool,
    /// Part of speech.
    pub pos: Pos,
    /// Position in its sentence of the word that it depends on; its own at a root and without a parser.
    pub head: usize,
    /// How it depends on that word.
    pub dependency: Dependency,
}

impl Word {
    /// A word of which nothing but its place and shape is known.
    fn new(span: Span, is_capitalised: bool, is_number: bool) -> Self {
        Self {
            span,
            is_capitalised,
            is_number,
            kind: Kind::Common,
            begins: false,
            pos: Pos::Unknown,
            head: 0,
            dependency: Dependency::Other,
        }
    }

    /// Whether its tag, or who recognised it, says that it is part of a name; `None` without a tag.
    pub(crate) fn is_tagged_name(self) -> Option<bool> {
        (self.pos != Pos::Unknown).then(|| self.is_capitalised && (self.pos == Pos::Name || self.kind.is_name()))
    }

    /// The word as written in `text`.
    pub fn of(self, text: &str) -> &str {
        self.span.of(text)
    }
}

/// The words of one sentence of `text` in order. Apostrophes, hyphens, underscores, the points of `settings.yaml`
/// and `1.30` and the signs of `C++` belong to the word, a possessive ending does not; a tag that stands for a name ([`crate::tag`]) is a
/// capitalised word; every ideograph is a word of its own. Cost O(length).
pub fn words(text: &str, sentence: Span) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = sentence.start;
    for tag in tag::find(sentence.of(text)) {
        let [start, end] = [tag.start, tag.end].map(|place| Span::new(0, place).end + sentence.start);
        plain_words(text, Span { start: at, end: start }, &mut words);
        let inner = Span {
            start: start + 1,
            end: end - 1,
        };
        words.push(Word {
            pos: Pos::Name,
            ..Word::new(inner, true, false)
        });
        at = end;
    }
    plain_words(text, Span { start: at, ..sentence }, &mut words);
    // All words of a corpus are kept.
    words.shrink_to_fit();
    words
}

/// The words of a stretch of text without tags.
fn plain_words(text: &str, sentence: Span, words: &mut Vec<Word>) {
    let mut start: Option<usize> = None;
    let mut chars = sentence.of(text).char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        let is_after_digit = sentence.of(text)[..at].ends_with(|before: char| before.is_ascii_digit());
        let at = at + sentence.start as usize;
        let next = chars.peek().map(|(_, next)| *next);
        let joins = start.is_some()
            && match ch {
                '\'' | '’' | '-' | '_' => next.is_some_and(char::is_alphanumeric),
                '+' | '#' => name::is_sign(text, at),
                '.' => next.is_some_and(|next| next.is_ascii_lowercase() || (is_after_digit && next.is_ascii_digit())),
                _ => false,
            };
        if term::is_ideograph(ch) {
            finish(text, &mut start, at, words);
            finish(text, &mut Some(at), at + ch.len_utf8(), words);
        } else if ch.is_alphanumeric() || joins || (start.is_some() && is_mark(ch)) {
            start = start.or(Some(at));
        } else {
            finish(text, &mut start, at, words);
        }
    }
    finish(text, &mut start, sentence.end as usize, words);
}

/// The first word that depends so on another. Cost O(words).
pub(crate) fn dependent(words: &[Word], head: usize, sought: Dependency) -> Option<usize> {
    let depends = |at: &usize| words[*at].head == head && *at != head && words[*at].dependency == sought;
    (0..words.len()).find(depends)
}

/// Whether a word begins its sentence or item of a list, or what stands behind a colon, a bullet or a break of the line: a
/// capital there says nothing of it.
pub(crate) fn opens(text: &str, words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| words[before].span.end as usize);
    let gap = before.and_then(|end| text.get(end..words[at].span.start as usize));
    gap.is_none_or(|gap| gap.contains([':', '•', '\n'])) || words[..at].iter().all(|word| word.is_number)
}

/// Whether a character is a combining mark, which belongs to the letter before it.
pub(crate) fn is_mark(ch: char) -> bool {
    matches!(ch, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}')
}

fn finish(text: &str, start: &mut Option<usize>, end: usize, words: &mut Vec<Word>) {
    let Some(start) = start.take() else { return };
    let whole = &text[start..end];
    let bare = whole
        .strip_suffix("'s")
        .or_else(|| whole.strip_suffix("’s"))
        .filter(|bare| !bare.is_empty())
        .unwrap_or(whole);
    let is_number = bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let span = Span::new(start, start + bare.len());
    let is_capitalised = bare.starts_with(char::is_uppercase);
    // A parser reads the sign of "C#" by itself, and what stands before it as any noun.
    let pos = if is_capitalised && bare.ends_with(['+', '#']) {
        Pos::Name
    } else {
        Pos::Unknown
    };
    words.push(Word {
        pos,
        ..Word::new(span, is_capitalised, is_number)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = words(text, Span::new(0, text.len()));
        let found: Vec<_> = found.iter().map(|word| word.of(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_keep_hyphens_and_lose_possessives() {
        check(
            "O'Neill's well-kept dog, 1901",
            &["O'Neill", "well-kept", "dog", "1901"],
        );
    }

    #[test]
    fn signs_of_a_word_belong_to_it() {
        check("C++'s and F#, a+b", &["C++", "and", "F#", "a", "b"]);
    }

    #[test]
    fn a_version_is_one_word() {
        check(
            "Kestrel v1.58.1 needs 0.30. See 2.",
            &["Kestrel", "v1.58.1", "needs", "0.30", "See", "2"],
        );
    }

    #[test]
    fn a_tag_is_one_word_with_a_capital() {
        check("[PERSON#3]'s boat, [C#1x]", &["PERSON#3", "s", "boat", "C", "1x"]);
        check("[PERSON#334]道：好", &["PERSON#334", "道", "好"]);
        check("云川1901 Ada", &["云", "川", "1901", "Ada"]);
    }
}
