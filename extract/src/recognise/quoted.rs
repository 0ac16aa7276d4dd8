//! Titles between quotation marks.

use super::{MAX_QUOTED_WORDS, MIN_TITLE_WORD, Name};
use crate::word::{Word, words};
use banyan_engine::script::is_han;
use banyan_engine::{Span, name};

/// Emits what stands between quotation marks, if it is short and begins like a title. Marks are paired within a
/// paragraph, so that one that is missing cannot turn the rest of a book inside out. Cost O(length).
pub(super) fn quoted(text: &str, names: &mut Vec<Name>) {
    let mut offset = 0;
    for paragraph in text.split_inclusive("\n\n") {
        for (open, close) in [("\"", "\""), ("“", "”"), ("``", "''"), ("《", "》")] {
            for (start, end) in pairs(paragraph, open, close) {
                let inner = paragraph[start..end].trim_end_matches([',', '.', '，', '。']);
                let span = Span::new(offset + start, offset + start + inner.len());
                if is_title(text, span, open == "《") {
                    names.push(Name { span, is_quoted: true });
                }
            }
        }
        offset += paragraph.len();
    }
}

/// The ranges between each opening mark and the closing mark that follows it before another opening one.
fn pairs(paragraph: &str, open: &str, close: &str) -> Vec<(usize, usize)> {
    if open == close {
        let marks: Vec<usize> = paragraph.match_indices(open).map(|(at, _)| at).collect();
        return marks
            .chunks_exact(2)
            .map(|pair| (pair[0] + open.len(), pair[1]))
            .collect();
    }
    let opens = paragraph.match_indices(open).map(|(at, _)| (at + open.len(), true));
    let closes = paragraph.match_indices(close).map(|(at, _)| (at, false));
    let mut marks: Vec<(usize, bool)> = opens.chain(closes).collect();
    marks.sort_unstable();
    let adjacent = marks.windows(2).filter(|pair| pair[0].1 && !pair[1].1);
    adjacent.map(|pair| (pair[0].0, pair[1].0)).collect()
}

/// Whether a quotation can be a title: short, its longer words capitalised, and no speech; in Chinese, which has no
/// capitals and book marks instead, only what stands between these.
fn is_title(text: &str, span: Span, is_book: bool) -> bool {
    let inner = span.of(text);
    let is_speech =
        inner.contains(['。', '！', '？', '，', '：', '；', ';']) || inner.ends_with(['!', '?', '-', '—', '…']);
    let begins = inner.starts_with(|ch: char| !ch.is_lowercase() && !ch.is_whitespace() && !is_han(ch));
    let words = words(text, span);
    let long = |word: &&Word| word.of(text).chars().count() >= MIN_TITLE_WORD && word.of(text).is_ascii();
    let n_long = words.iter().filter(long).count();
    let n_capitalised = words.iter().filter(long).filter(|word| word.is_capitalised).count();
    let fits = begins && !is_speech && n_capitalised == n_long;
    (is_book || fits) && (1..=MAX_QUOTED_WORDS).contains(&words.len()) && !name::key(inner).is_empty()
}
