//! What was found of a text, packed: a column for each thing that is known of a word.

use crate::error::ExtractError;
use crate::foreign;
use crate::grammar::{Dependency, Kind, Pos};
use crate::word::Word;
use banyan_engine::{Document, Span};
use serde::{Deserialize, Serialize};

/// Raised when texts are cut into sentences and words, or parses laid over them, in another way.
const VERSION: u32 = 3;
/// Bits of a word's shape.
const CAPITALISED: u8 = 1;
const NUMBER: u8 = 2;
const BEGINS: u8 = 4;

#[derive(Default, Serialize, Deserialize)]
struct Packed {
    version: u32,
    /// Blocks of code, which are read otherwise than prose.
    blocks: Vec<Span>,
    /// Bytes from the end of the sentence before, length, and number of words.
    sentences: Vec<(u32, u32, u32)>,
    /// Bytes from the end of the word before or the beginning of the sentence, and length.
    words: Vec<(u32, u32)>,
    shapes: Vec<u8>,
    kinds: Vec<Kind>,
    parts_of_speech: Vec<Pos>,
    dependencies: Vec<Dependency>,
    /// How many words further on each one's head stands.
    heads: Vec<i32>,
    foreign: Vec<(Span, String)>,
}

/// Sentences with their words.
type Sentences = Vec<(Span, Vec<Word>)>;
/// Parts in other languages, with what these are called.
type Foreign = Vec<(Span, &'static str)>;

/// What was found of a document, as bytes.
pub(crate) fn pack(document: &Document, sentences: &Sentences, foreign: &Foreign) -> Result<Vec<u8>, ExtractError> {
    let foreign = foreign.iter();
    let mut packed = Packed {
        version: VERSION,
        blocks: document.layout.blocks.clone(),
        foreign: foreign.map(|(span, name)| (*span, (*name).to_owned())).collect(),
        ..Packed::default()
    };
    let mut end = 0;
    for (span, words) in sentences {
        let n = Span::new(0, words.len()).end;
        packed.sentences.push((span.start - end, span.end - span.start, n));
        end = span.end;
        let mut before = span.start;
        for (at, word) in words.iter().enumerate() {
            let Span { start, end } = word.span;
            packed.words.push((start.wrapping_sub(before), end.wrapping_sub(start)));
            before = end;
            let bits = [
                (word.is_capitalised, CAPITALISED),
                (word.is_number, NUMBER),
                (word.begins, BEGINS),
            ];
            let set = bits.iter().filter(|(is_set, _)| *is_set);
            packed.shapes.push(set.fold(0, |shape, (_, bit)| shape | bit));
            packed.kinds.push(word.kind);
            packed.parts_of_speech.push(word.pos);
            packed.dependencies.push(word.dependency);
            let place = |at: usize| i32::try_from(at).unwrap_or(i32::MAX);
            packed.heads.push(place(word.head) - place(at));
        }
    }
    Ok(bincode::serde::encode_to_vec(&packed, bincode::config::standard())?)
}

/// What was packed of a document; `None` where the bytes are not that of it as it is read today.
pub(crate) fn unpack(document: &Document, bytes: &[u8]) -> Option<(Sentences, Foreign)> {
    let (packed, _): (Packed, usize) = bincode::serde::decode_from_slice(bytes, bincode::config::standard()).ok()?;
    if packed.version != VERSION || packed.blocks != document.layout.blocks {
        return None;
    }
    let mut columns = packed
        .words
        .iter()
        .zip(&packed.shapes)
        .zip(packed.kinds.iter().zip(&packed.parts_of_speech))
        .zip(packed.dependencies.iter().zip(&packed.heads));
    let mut sentences = Vec::with_capacity(packed.sentences.len());
    let mut end = 0_u32;
    for (gap, length, n) in &packed.sentences {
        let start = end.checked_add(*gap)?;
        end = start.checked_add(*length)?;
        let mut before = start;
        let mut words = Vec::with_capacity(columns.len().min(*n as usize));
        for at in 0..*n as usize {
            let ((((gap, length), shape), (kind, pos)), (dependency, head)) = columns.next()?;
            let start = before.wrapping_add(*gap);
            before = start.wrapping_add(*length);
            let head = at
                .checked_add_signed(*head as isize)
                .filter(|head| *head < *n as usize)?;
            words.push(Word {
                span: Span { start, end: before },
                is_capitalised: shape & CAPITALISED > 0,
                is_number: shape & NUMBER > 0,
                kind: *kind,
                begins: shape & BEGINS > 0,
                pos: *pos,
                head,
                dependency: *dependency,
            });
        }
        let within = words.iter().all(|word| {
            document
                .text
                .get(word.span.start as usize..word.span.end as usize)
                .is_some()
        });
        let span = Span { start, end };
        within.then(|| sentences.push((span, words)))?;
    }
    let foreign = packed.foreign.iter();
    let foreign: Option<Vec<_>> = foreign
        .map(|(span, name)| Some((*span, foreign::named(name)?)))
        .collect();
    Some((sentences, foreign?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentence;
    use crate::word::words;
    use banyan_engine::document::Layout;

    #[test]
    fn an_analysis_comes_back_as_it_was_and_only_to_the_text_that_it_is_of() {
        let document = Document {
            text: "Bo Ferren’s mill stood at Vessing.\n\nEs war 1912, 周敏 [PERSON#3].".to_owned(),
            ..Document::default()
        };
        let cut = sentence::split(&document.text).into_iter();
        let mut sentences: Sentences = cut.map(|span| (span, words(&document.text, span))).collect();
        for (_, words) in &mut sentences {
            for (at, word) in words.iter_mut().enumerate() {
                word.head = at / 2;
                word.begins = at % 3 == 0;
                word.kind = Kind::Place;
                word.pos = Pos::Gerund;
                word.dependency = Dependency::Particle;
            }
        }
        let foreign = vec![(Span::new(4, 9), "German")];
        let bytes = pack(&document, &sentences, &foreign).unwrap();
        assert_eq!(unpack(&document, &bytes), Some((sentences, foreign)));
        assert!((0..bytes.len()).all(|end| unpack(&document, &bytes[..end]).is_none()));
        let shorter = Document {
            text: "Bo".to_owned(),
            ..document.clone()
        };
        let layout = Layout {
            blocks: vec![Span::new(0, 2)],
            ..Layout::default()
        };
        let in_code = Document { layout, ..document };
        assert!(unpack(&shorter, &bytes).is_none() && unpack(&in_code, &bytes).is_none());
    }
}
