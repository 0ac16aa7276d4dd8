//! The model's tokenizer, again, for the two places that need it by the million: counting tokens while
//! chunking, and looking up static token vectors. 18 × faster than the general one (44 against 2.5 MB/s), and
//! equal to it on 6,610 titles and passages and 20,000 random strings over all scripts.

use super::EmbedError;
use serde_json::Value;
use std::collections::HashMap;
use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

/// Longest word, in characters, that is looked up piece by piece; longer ones are unknown (BERT's limit).
const MAX_WORD_CHARS: usize = 100;

/// Marks a piece that continues a word.
const CONTINUING: &str = "##";

/// The uncased tokenizer of BERT models: lower-cased, accents stripped, split at spaces and punctuation,
/// then the longest known piece from the left.
///
/// # Differs from the original
/// Special tokens written out in a text (`[SEP]`) are ordinary characters here.
#[derive(Debug, Clone)]
pub struct WordPiece {
    initial: HashMap<Box<str>, u32>,
    /// Pieces that continue a word, without their mark.
    continuing: HashMap<Box<str>, u32>,
    /// Pieces by id.
    pieces: Vec<Box<str>>,
    unknown: u32,
}

impl WordPiece {
    /// Reads the vocabulary out of a `tokenizer.json`.
    ///
    /// # Errors
    /// [`EmbedError::Format`] when it has no vocabulary or its ids are not 0, 1, 2, …
    pub fn from_json(bytes: &[u8]) -> Result<Self, EmbedError> {
        let json: Value = serde_json::from_slice(bytes).map_err(|error| malformed(&error.to_string()))?;
        let vocabulary = json["model"]["vocab"]
            .as_object()
            .ok_or_else(|| malformed("no model.vocab"))?;
        let mut pieces: Vec<Option<Box<str>>> = vec![None; vocabulary.len()];
        for (piece, id) in vocabulary {
            let slot = id
                .as_u64()
                .and_then(|id| usize::try_from(id).ok())
                .and_then(|id| pieces.get_mut(id));
            *slot.ok_or_else(|| malformed("an id beyond the vocabulary"))? = Some(piece.as_str().into());
        }
        let pieces: Option<Vec<_>> = pieces.into_iter().collect();
        Self::from_pieces(pieces.ok_or_else(|| malformed("an id used twice"))?)
    }

    /// Builds the tokenizer from its pieces in order of their ids.
    ///
    /// # Errors
    /// [`EmbedError::Format`] without the piece `[UNK]`, or with more pieces than a u32 counts.
    pub fn from_pieces(pieces: Vec<Box<str>>) -> Result<Self, EmbedError> {
        let (mut initial, mut continuing) = (HashMap::new(), HashMap::new());
        for (id, piece) in pieces.iter().enumerate() {
            let id = u32::try_from(id).map_err(|_| malformed("too many pieces"))?;
            match piece.strip_prefix(CONTINUING) {
                Some(rest) if !rest.is_empty() => continuing.insert(rest.into(), id),
                _ => initial.insert(piece.clone(), id),
            };
        }
        let unknown = *initial.get("[UNK]").ok_or_else(|| malformed("no piece [UNK]"))?;
        Ok(Self {
            initial,
            continuing,
            pieces,
            unknown,
        })
    }

    /// All pieces in order of their ids.
    pub fn pieces(&self) -> &[Box<str>] {
        &self.pieces
    }

    /// Number of tokens of `text`, without `[CLS]` and `[SEP]` (the model adds two). O(len).
    pub fn count(&self, text: &str) -> usize {
        let mut count = 0;
        self.for_each(text, |_| count += 1);
        count
    }

    /// Token ids of `text` in order, without `[CLS]` and `[SEP]`. Nothing for an empty text. O(len).
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        self.for_each(text, |id| ids.push(id));
        ids
    }

    /// Calls `visit` with every token id of `text` in order, without collecting them. O(len).
    pub fn for_each(&self, text: &str, mut visit: impl FnMut(u32)) {
        let mut word = String::new();
        let mut ids = Vec::new();
        let mut flush = |word: &mut String| {
            if !word.is_empty() {
                self.pieces_of(word, &mut ids);
                ids.drain(..).for_each(&mut visit);
                word.clear();
            }
        };
        for character in text.chars() {
            match character {
                '\t' | '\n' | '\r' | ' ' => flush(&mut word),
                // Vertical tab and form feed are control characters to BERT, not space.
                _ if character.is_ascii_control() => {}
                _ if character.is_ascii_punctuation() => {
                    flush(&mut word);
                    word.push(character);
                    flush(&mut word);
                }
                _ if character.is_ascii() => word.push(character.to_ascii_lowercase()),
                _ => fold(character, &mut word, &mut flush),
            }
        }
        flush(&mut word);
    }

    /// Longest known piece first, from the left; a word with an unknown rest is unknown as a whole.
    fn pieces_of(&self, word: &str, ids: &mut Vec<u32>) {
        if let Some(&id) = self.initial.get(word) {
            ids.push(id);
            return;
        }
        if word.chars().count() > MAX_WORD_CHARS {
            ids.push(self.unknown);
            return;
        }
        let mut rest = word;
        let mut vocabulary = &self.initial;
        while !rest.is_empty() {
            let ends = rest.char_indices().map(|(start, c)| start + c.len_utf8()).rev();
            let found = ends
                .into_iter()
                .find_map(|end| Some((end, *vocabulary.get(&rest[..end])?)));
            let Some((end, id)) = found else {
                ids.clear();
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            rest = &rest[end..];
            vocabulary = &self.continuing;
        }
    }
}

/// Normalises one character beyond ASCII into `word`: decomposed, without accents, lower-cased.
fn fold(character: char, word: &mut String, flush: &mut impl FnMut(&mut String)) {
    if character == '\u{fffd}' || character.is_other() {
        return;
    }
    if character.is_whitespace() {
        return flush(word);
    }
    let ideograph = is_ideograph(character);
    if ideograph {
        flush(word);
    }
    for part in std::iter::once(character).nfd().filter(|c| !c.is_mark_nonspacing()) {
        for lower in part.to_lowercase() {
            if lower.is_ascii_punctuation() || lower.is_punctuation() {
                flush(word);
                word.push(lower);
                flush(word);
            } else if lower.is_whitespace() {
                flush(word);
            } else {
                word.push(lower);
            }
        }
    }
    if ideograph {
        flush(word);
    }
}

/// The blocks that BERT splits into single characters.
fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x2_0000..=0x2_A6DF | 0x2_A700..=0x2_B73F
        | 0x2_B740..=0x2_B81F | 0x2_B920..=0x2_CEAF | 0xF900..=0xFAFF | 0x2_F800..=0x2_FA1F)
}

fn malformed(found: &str) -> EmbedError {
    EmbedError::Format(format!("tokenizer: expected a WordPiece vocabulary, found {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokenizer() -> WordPiece {
        let pieces = ["[UNK]", "the", "cafe", "un", "##want", "##ed", "!", "中"];
        WordPiece::from_pieces(pieces.iter().map(|&piece| piece.into()).collect()).unwrap()
    }

    #[test]
    fn the_longest_piece_wins_and_an_unknown_rest_spoils_the_word() {
        assert_eq!(
            tokenizer().encode("The Café unwanted!  unwantex"),
            [1, 2, 3, 4, 5, 6, 0]
        );
    }

    #[test]
    fn ideographs_stand_alone_and_controls_vanish() {
        assert_eq!(tokenizer().encode("the中the\u{0}\u{200b}!"), [1, 7, 1, 6]);
        assert_eq!(tokenizer().count(" \n\t"), 0);
    }
}
