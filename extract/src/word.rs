//! Sentences to words: runs of letters and digits with their place and shape.

pub use crate::grammar::Kind;
use crate::grammar::{Dependency, Pos};
use crate::han;
use crate::tag;
use banyan_engine::Span;
use banyan_engine::index::term;

/// Least share of Chinese characters among the letters and digits of a sentence whose Chinese is cut into words. Below it
/// they are glosses ("Beijing (北京)"), which need no dictionary; in three English sets every such gloss lies below .15.
const MIN_CHINESE: f32 = 0.2;

/// A word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it stands.
    pub span: Span,
    /// Whether it begins with a capital letter (of any script that has them).
    pub is_capitalised: bool,
    /// Whether it is all digits.
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
    fn new(span: Span, is_capitalised: bool, is_number: bool, kind: Kind) -> Self {
        Self {
            span,
            is_capitalised,
            is_number,
            kind,
            begins: kind != Kind::Common,
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

/// The words of one sentence of `text` in order. Apostrophes, hyphens, underscores and the points of `settings.yaml` between letters belong to the word, a
/// possessive ending does not; a tag that stands for a name ([`crate::tag`]) is a capitalised word; Chinese is cut by dictionary where the sentence is Chinese, and every other ideograph is a word
/// of its own. Cost O(length).
pub fn words(text: &str, sentence: Span) -> Vec<Word> {
    let is_chinese = is_chinese(sentence.of(text));
    let mut words = Vec::new();
    let mut at = sentence.start;
    for tag in tag::find(sentence.of(text)) {
        let [start, end] = [tag.start, tag.end].map(|place| Span::new(0, place).end + sentence.start);
        plain_words(text, Span { start: at, end: start }, is_chinese, &mut words);
        let inner = Span {
            start: start + 1,
            end: end - 1,
        };
        words.push(Word {
            pos: Pos::Name,
            ..Word::new(inner, true, false, Kind::Common)
        });
        at = end;
    }
    plain_words(text, Span { start: at, ..sentence }, is_chinese, &mut words);
    words
}

/// The words of a stretch of text without tags.
fn plain_words(text: &str, sentence: Span, is_chinese: bool, words: &mut Vec<Word>) {
    let mut start: Option<usize> = None;
    let mut chars = sentence.of(text).char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        let at = at + sentence.start as usize;
        let next = chars.peek().map(|(_, next)| *next);
        let joins = start.is_some()
            && match ch {
                '\'' | '’' | '-' | '_' => next.is_some_and(char::is_alphanumeric),
                '.' => next.is_some_and(|next| next.is_ascii_lowercase()),
                _ => false,
            };
        if is_chinese && han::is_han(ch) {
            finish(text, &mut start, at, words);
            let mut end = at + ch.len_utf8();
            while let Some((next, ch)) = chars.next_if(|(_, next)| han::is_han(*next)) {
                end = next + sentence.start as usize + ch.len_utf8();
            }
            chinese(text, at, end, words);
        } else if term::is_ideograph(ch) {
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

/// Whether a sentence holds Chinese, and more than a gloss of it.
fn is_chinese(sentence: &str) -> bool {
    let n_tags: usize = tag::find(sentence).iter().map(ExactSizeIterator::len).sum();
    let n_han = sentence.chars().filter(|ch| han::is_han(*ch)).count();
    n_han > 0
        && n_han as f32
            >= MIN_CHINESE * (sentence.chars().filter(|ch| ch.is_alphanumeric()).count()).saturating_sub(n_tags) as f32
}

/// Adds the words of a run of Han characters.
fn chinese(text: &str, start: usize, end: usize, words: &mut Vec<Word>) {
    let follows_digit = text[..start].ends_with(|ch: char| ch.is_ascii_digit() || ('０'..='９').contains(&ch));
    let cut = han::cut(&text[start..end], follows_digit);
    let word = |(range, kind): (std::ops::Range<usize>, Kind)| {
        let span = Span::new(start + range.start, start + range.end);
        Word::new(span, false, false, kind)
    };
    words.extend(cut.into_iter().map(word));
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
    let is_number = bare.bytes().all(|byte| byte.is_ascii_digit());
    let span = Span::new(start, start + bare.len());
    words.push(Word::new(
        span,
        bare.starts_with(char::is_uppercase),
        is_number,
        Kind::Common,
    ));
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
    fn a_tag_is_one_word_with_a_capital() {
        check("[PERSON#3]'s boat, [C#1x]", &["PERSON#3", "s", "boat", "C", "1x"]);
        check("[PERSON#334]道：好", &["PERSON#334", "道", "好"]);
    }

    #[test]
    fn chinese_is_cut_but_for_glosses() {
        check("宋江来了1901 Ada", &["宋江", "来", "了", "1901", "Ada"]);
        check(
            "Yunchuan (云川大学) is an old university",
            &["Yunchuan", "云", "川", "大", "学", "is", "an", "old", "university"],
        );
    }
}
