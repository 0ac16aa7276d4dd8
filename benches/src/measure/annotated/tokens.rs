//! Tokens of an annotated set back to running text, with the place of each token.

use banyan_engine::Span;
use std::ops::Range;

/// Tokens before which prose has no space.
const CLOSING: &[&str] = &[
    "!", "%", "''", "'d", "'ll", "'m", "'re", "'s", "'ve", ")", ",", ".", ":", ";", "?", "]", "n't",
];
/// Tokens after which prose has no space.
const OPENING: &[&str] = &["#", "$", "(", "[", "``", "£", "€"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tokenised {
    /// The text, as prose would write it.
    pub(super) text: String,
    /// Where each token stands in it, in order, without overlap.
    pub(super) places: Vec<Span>,
}

impl Tokenised {
    /// A text whose tokens nobody asks for.
    pub(crate) fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            places: Vec::new(),
        }
    }

    /// Puts sentences together: tokens with a space between, but none before closing and after opening marks, around a
    /// hyphen, and before a possessive ending. Cost O(length).
    pub(super) fn new(sentences: &[Vec<String>]) -> Self {
        let mut joined = Self::default();
        for sentence in sentences {
            for (at, token) in sentence.iter().enumerate() {
                let before = at.checked_sub(1).map(|at| sentence[at].as_str());
                let is_first = joined.text.is_empty();
                if !is_first && before.is_none_or(|before| is_spaced(sentence, before, at)) {
                    joined.text.push(' ');
                }
                let start = joined.text.len();
                joined.text.push_str(token);
                joined.places.push(Span::new(start, joined.text.len()));
            }
        }
        joined
    }

    /// The tokens that a span of the text touches; `None` for a span between tokens. Cost O(log tokens).
    pub(super) fn covered(&self, span: Span) -> Option<Range<usize>> {
        let first = self.places.partition_point(|place| place.end <= span.start);
        let end = self.places.partition_point(|place| place.start < span.end);
        (first < end).then_some(first..end)
    }
}

/// Whether prose has a space between the token before position `at` and the one there.
fn is_spaced(sentence: &[String], before: &str, at: usize) -> bool {
    let token = sentence[at].as_str();
    let next = sentence.get(at + 1).map(String::as_str);
    let is_possessive = token == "'" && next == Some("s");
    let follows_possessive = token == "s" && before == "'";
    let is_letter = |word: &str| word.chars().all(char::is_alphanumeric);
    let opens_hyphen = token == "-" && is_letter(before) && next.is_some_and(is_letter);
    let closes_hyphen = before == "-" && is_letter(token) && at > 1 && is_letter(&sentence[at - 2]);
    let is_joined = CLOSING.binary_search(&token).is_ok() || OPENING.binary_search(&before).is_ok();
    !(is_joined || is_possessive || follows_possessive || opens_hyphen || closes_hyphen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_become_prose_and_keep_their_places() {
        assert!(CLOSING.is_sorted() && OPENING.is_sorted());
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let joined = Tokenised::new(&[
            words("Mara ' s ( b. 1901 ) film - maker , Odd 's ."),
            words("She sang ."),
        ]);
        assert_eq!(joined.text, "Mara's (b. 1901) film-maker, Odd's. She sang.");
        let spelled: Vec<_> = joined.places.iter().map(|place| place.of(&joined.text)).collect();
        assert_eq!(spelled[..5], ["Mara", "'", "s", "(", "b."]);
        let film = joined.text.find("film-maker").unwrap();
        assert_eq!(joined.covered(Span::new(film, film + 10)), Some(7..10));
        assert_eq!(joined.covered(Span::new(film + 5, film + 6)), Some(9..10));
        assert_eq!(joined.covered(Span::new(film - 1, film)), None);
    }
}
