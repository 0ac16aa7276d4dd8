//! Sentences to words: runs of letters and digits with their place and shape.

use banyan_engine::Span;
use banyan_engine::index::term;

/// A word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it stands.
    pub span: Span,
    /// Whether it begins with a capital letter (of any script that has them).
    pub is_capitalised: bool,
    /// Whether it is all digits.
    pub is_number: bool,
}

impl Word {
    /// The word as written in `text`.
    pub fn of(self, text: &str) -> &str {
        self.span.of(text)
    }
}

/// The words of one sentence of `text` in order. Apostrophes and hyphens between letters belong to the word, a
/// possessive ending does not; every ideograph is a word of its own. Cost O(length).
pub fn words(text: &str, sentence: Span) -> Vec<Word> {
    let mut words = Vec::new();
    let mut start: Option<usize> = None;
    let mut chars = sentence.of(text).char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        let at = at + sentence.start as usize;
        let joins = matches!(ch, '\'' | '’' | '-')
            && start.is_some()
            && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if term::is_ideograph(ch) {
            finish(text, &mut start, at, &mut words);
            finish(text, &mut Some(at), at + ch.len_utf8(), &mut words);
        } else if ch.is_alphanumeric() || joins || (start.is_some() && is_mark(ch)) {
            start = start.or(Some(at));
        } else {
            finish(text, &mut start, at, &mut words);
        }
    }
    finish(text, &mut start, sentence.end as usize, &mut words);
    words
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
    words.push(Word {
        span: Span::new(start, start + bare.len()),
        is_capitalised: bare.starts_with(char::is_uppercase),
        is_number: bare.bytes().all(|byte| byte.is_ascii_digit()),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_hyphens_and_lose_possessives() {
        let text = "O'Neill's well-kept dog, 宋江 1901";
        let found: Vec<_> = words(text, Span::new(0, text.len()))
            .iter()
            .map(|word| word.of(text))
            .collect();
        assert_eq!(found, ["O'Neill", "well-kept", "dog", "宋", "江", "1901"]);
    }
}
