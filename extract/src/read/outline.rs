//! Headings of a text without markup: what stands alone between blank lines and says that something begins.

use banyan_engine::document::{LISTED, Layout};
use banyan_engine::{Span, name};
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Longest heading in characters. Arbitrary: two lines of print.
const MAX_CHARS: usize = 120;

/// What begins with these words, and how high it stands.
const PARTS: [(&str, u8); 3] = [
    (
        r"(?i)^(part|book|volume|act|tome)\s+([\divxlc]+|[a-z]+)\b[^a-z]|^第.{1,6}[卷部]",
        1,
    ),
    (
        r"(?i)^(chapter|appendix|letter|canto|scene)\s+\S|^(preface|prologue|epilogue|introduction|foreword|afterword|contents|index|glossary|bibliography|conclusion)\W*$|^(?-i:[IVXLC]+)\.?$|^第.{1,8}[回章]",
        2,
    ),
    (r"(?i)^(section|article|item)\s+\d|^第.{1,8}[节節]", 3),
];

/// `None` is impossible for patterns that compile once, which a test holds.
static PATTERNS: LazyLock<Option<Vec<(Regex, u8)>>> = LazyLock::new(|| {
    let compiled = PARTS.map(|(pattern, level)| Some((Regex::new(pattern).ok()?, level)));
    compiled.into_iter().collect()
});
static NUMBERED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^(\d{1,3}(?:\.\d{1,3})*)[.)]?\s+\p{Lu}").ok());

/// The headings of a text, and the lines of its table of contents. Cost O(length).
pub(super) fn layout(text: &str) -> Layout {
    let mut headings = headings(text);
    let spelled: HashSet<String> = headings.iter().map(|(span, _)| spelling(span.of(text))).collect();
    let listed = lines(text).filter(|(_, line)| spelled.contains(&spelling(line)));
    headings.extend(listed.map(|(start, line)| (Span::new(start, start + line.len()), LISTED)));
    headings.sort_unstable();
    headings.dedup_by_key(|(span, _)| *span);
    Layout::with_headings(headings)
}

/// A heading as its table of contents may write it, too.
fn spelling(line: &str) -> String {
    name::words(line).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The lines of a text without the white space around them, each with where it begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = offset + line.len() - line.trim_start().len();
        offset += line.len();
        (start, line.trim())
    })
}

fn headings(text: &str) -> Vec<(Span, u8)> {
    let mut headings = Vec::new();
    let mut follows_blank = true;
    let mut lines = lines(text).peekable();
    while let Some((start, line)) = lines.next() {
        let is_last = lines.peek().is_none_or(|(_, next)| next.is_empty());
        if let Some(level) = level(line).filter(|_| follows_blank && is_last) {
            let span = Span::new(start, start + line.len());
            headings.push((span, level));
        }
        follows_blank = line.is_empty();
    }
    headings
}

/// How high a line stands, if it is a heading.
fn level(line: &str) -> Option<u8> {
    if line.is_empty() || line.chars().nth(MAX_CHARS).is_some() {
        return None;
    }
    let mut patterns = PATTERNS.iter().flatten();
    if let Some((_, level)) = patterns.find(|(pattern, _)| pattern.is_match(line)) {
        return Some(*level);
    }
    let is_sentence = line.ends_with(['.', '!', '?', ',', ';', ':']);
    if let Some(found) = NUMBERED.as_ref().and_then(|pattern| pattern.captures(line)) {
        let level = found[1]
            .chars()
            .filter(|ch| *ch == '.')
            .fold(2_u8, |level, _| level.saturating_add(1));
        return (!is_sentence).then_some(level);
    }
    let n_upper = line.chars().filter(|ch| ch.is_uppercase()).count();
    let is_shouted = n_upper > 2 && !line.chars().any(char::is_lowercase);
    (is_shouted && !is_sentence).then_some(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_alone_and_begins_something_is_a_heading() {
        let text = "CHAPTER 1. Loomings.\n\nCall me Reed.\n\n2.1 The mill\n\nIt stood\nCHAPTER two\nthere.\n\nTHE END\n\nXIV.\n\nNo.\n\n第三回 云川\n";
        let found = layout(text).headings;
        let found: Vec<_> = found.iter().map(|one| (one.span.of(text), one.level)).collect();
        let expected = [
            ("CHAPTER 1. Loomings.", 2),
            ("2.1 The mill", 3),
            ("THE END", 2),
            ("XIV.", 2),
            ("第三回 云川", 2),
        ];
        assert_eq!(found, expected);
    }
}
