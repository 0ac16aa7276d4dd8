//! Documents to chunks that fit the embedder.

use crate::analysis::Analysis;
use crate::word::words;
use banyan_engine::Span;
use banyan_engine::document::LISTED;
use banyan_engine::embed::WordPiece;

/// Tokens that the embedder adds to every text.
const SPECIAL_TOKENS: usize = 2;

/// Counts tokens as an embedder would.
pub trait CountTokens: Sync {
    /// Tokens of a text, without those added to every text. Cost O(length).
    fn count(&self, text: &str) -> usize;
}

impl CountTokens for WordPiece {
    fn count(&self, text: &str) -> usize {
        Self::count(self, text)
    }
}

/// An estimate for builds without an embedder: a word costs one token for every six letters begun, a mark one.
#[derive(Clone, Copy, Debug, Default)]
pub struct EstimateTokens;

impl CountTokens for EstimateTokens {
    fn count(&self, text: &str) -> usize {
        let (mut count, mut run) = (0_usize, 0_usize);
        for ch in text.chars() {
            if ch.is_alphanumeric() && ch.is_ascii() {
                run += 1;
            } else {
                count += run.div_ceil(6) + usize::from(!ch.is_whitespace());
                run = 0;
            }
        }
        count + run.div_ceil(6)
    }
}

/// A section that fills less than one in so many of a chunk goes with those that follow. Arbitrary.
const MIN_SECTION: usize = 4;

/// Cuts a document into chunks of at most `max_tokens` tokens, title, section and added tokens included; each chunk with its
/// length in tokens.
///
/// Chunks are whole sentences of one section, and each begins with the last sentence of the one before where both fit; a
/// section that fills less than a quarter of a chunk goes with those of its level that follow. A sentence that is too long
/// alone is cut between words, a word that is too long between characters. Cost O(length). A document without text gives no
/// chunks.
pub fn chunks(parsed: &Analysis, counter: &dyn CountTokens, max_tokens: u32) -> Vec<(Span, u32)> {
    let text = parsed.text();
    let layout = &parsed.document.layout;
    let overhead = |place: u32| counter.count(&parsed.document.heading_at(place)) + SPECIAL_TOKENS;
    // A title that fills the chunk by itself still leaves room for an eighth of text.
    let room = |overhead: usize| {
        let left = (max_tokens as usize).saturating_sub(overhead);
        left.max(max_tokens as usize / 8).max(1)
    };
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut follows_heading, mut known) = (false, None);
    for (sentence, _) in &parsed.sentences {
        let level = layout
            .heading(*sentence)
            .map(|heading| heading.level)
            .filter(|level| *level != LISTED);
        let opens = level.filter(|_| !follows_heading);
        // What stands before a chunk is the same from one heading to the next.
        let same = known.filter(|_| level.is_none() && !follows_heading);
        let overhead = same.unwrap_or_else(|| overhead(sentence.start));
        known = Some(overhead);
        follows_heading = level.is_some();
        let fitting = fit(text, *sentence, counter, room(overhead)).into_iter().enumerate();
        pieces.extend(fitting.map(|(at, (span, n_tokens))| Piece {
            span,
            n_tokens,
            overhead,
            opens: opens.filter(|_| at == 0),
        }));
    }
    let mut chunks = Vec::new();
    let mut first = 0;
    while first < pieces.len() {
        let overhead = pieces[first].overhead;
        let room = room(overhead);
        let mut end = first + 1;
        let mut total = pieces[first].n_tokens;
        while end < pieces.len() && total + pieces[end].n_tokens <= room {
            let is_small = MIN_SECTION * total < room;
            let goes_on = |level: u8| is_small && pieces[first].opens.is_some_and(|own| level >= own);
            if !pieces[end].opens.is_none_or(goes_on) {
                break;
            }
            total += pieces[end].n_tokens;
            end += 1;
        }
        let span = pieces[first].span.to(pieces[end - 1].span);
        chunks.push((span, u32::try_from(total + overhead).unwrap_or(u32::MAX)));
        let Some(next) = pieces.get(end) else { break };
        let is_cut = next.opens.is_none();
        let repeats = is_cut && end - first > 1 && pieces[end - 1].n_tokens + next.n_tokens <= room;
        first = if repeats { end - 1 } else { end };
    }
    chunks
}

/// A sentence, or a part of one that is too long.
struct Piece {
    span: Span,
    n_tokens: usize,
    /// Tokens of what stands before a chunk that begins with it.
    overhead: usize,
    /// Level of the heading that it begins a section with.
    opens: Option<u8>,
}

/// A sentence as pieces of at most `room` tokens.
fn fit(text: &str, sentence: Span, counter: &dyn CountTokens, room: usize) -> Vec<(Span, usize)> {
    let whole = counter.count(sentence.of(text));
    if whole <= room {
        return vec![(sentence, whole)];
    }
    let mut pieces: Vec<(Span, usize)> = Vec::new();
    let mut open: Option<(Span, usize)> = None;
    for part in parts(text, sentence, counter, room) {
        let joined = open.map(|(span, _)| Span {
            start: span.start,
            end: part.end,
        });
        let cost = counter.count(part.of(text));
        match (open, joined) {
            // Adding counts overestimates by at most the marks between, so the piece certainly fits.
            (Some((_, n)), Some(joined)) if n + cost <= room => open = Some((joined, n + cost)),
            _ => {
                pieces.extend(open);
                open = Some((part, cost));
            }
        }
    }
    pieces.extend(open);
    pieces
}

/// Contiguous parts of a sentence, each from the start of a word to the start of the next; long words are halved.
fn parts(text: &str, sentence: Span, counter: &dyn CountTokens, room: usize) -> Vec<Span> {
    let mut starts: Vec<u32> = words(text, sentence).iter().map(|word| word.span.start).collect();
    if starts.first() != Some(&sentence.start) {
        starts.insert(0, sentence.start);
    }
    starts.push(sentence.end);
    let mut parts: Vec<Span> = Vec::new();
    let mut stack: Vec<Span> = starts
        .windows(2)
        .rev()
        .map(|pair| Span {
            start: pair[0],
            end: pair[1],
        })
        .collect();
    while let Some(part) = stack.pop() {
        match halve(text, part) {
            Some((left, right)) if counter.count(part.of(text)) > room => stack.extend([right, left]),
            _ => parts.push(part),
        }
    }
    parts
}

/// The two halves of a span, cut at the character boundary nearest its middle; `None` for one character.
fn halve(text: &str, span: Span) -> Option<(Span, Span)> {
    let (start, end) = (span.start as usize, span.end as usize);
    let middle = (start + (end - start) / 2 + 1..end).find(|at| text.is_char_boundary(*at))?;
    Some((Span::new(start, middle), Span::new(middle, end)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_engine::document::Layout;
    use banyan_engine::{Document, Origin};

    struct Letters;
    impl CountTokens for Letters {
        fn count(&self, text: &str) -> usize {
            text.chars().filter(|ch| !ch.is_whitespace()).count()
        }
    }

    fn check(text: &str, max_tokens: u32, expected: &[&str]) {
        let origin = Origin {
            file: String::new(),
            record: None,
            line: None,
        };
        let document = Document::new("T", text, origin);
        let found = chunks(&Analysis::surface(&document), &Letters, max_tokens);
        let texts: Vec<_> = found.iter().map(|(span, _)| span.of(text)).collect();
        assert_eq!(texts, expected);
        assert!(found.iter().all(|(_, n)| *n <= max_tokens));
    }

    #[test]
    fn sentences_are_packed_with_one_sentence_of_overlap() {
        check("Aaa. Bbb. Ccc.", 11, &["Aaa. Bbb.", "Bbb. Ccc."]);
        check("Aaa. Bbb. Ccc.", 99, &["Aaa. Bbb. Ccc."]);
    }

    #[test]
    fn a_chunk_lies_in_one_section_but_small_ones_go_together() {
        let text = "Intro.\n\nOne\n\nAaaaaaaaaaaaa bbb.\n\nTwo\n\nCc.\n\nThree\n\nDdd.";
        let heading = |word: &str| {
            let start = text.find(word).unwrap();
            (Span::new(start, start + word.len()), 2)
        };
        let mut document = Document::new("T", text, Origin::default());
        document.layout = Layout::with_headings(["One", "Two", "Three"].map(heading));
        let found = chunks(&Analysis::surface(&document), &Letters, 40);
        let texts: Vec<_> = found.iter().map(|(span, _)| span.of(text)).collect();
        assert_eq!(
            texts,
            ["Intro.", "One\n\nAaaaaaaaaaaaa bbb.", "Two\n\nCc.\n\nThree\n\nDdd."]
        );
        assert_eq!(document.section(found[2].0.end), "Three");
    }

    #[test]
    fn long_sentences_break_between_words_and_long_words_between_characters() {
        check("aa bb cc dd", 7, &["aa bb ", "cc dd"]);
        check("ééééééé", 6, &["ééé", "é", "ééé"]);
        check("", 9, &[]);
    }
}
