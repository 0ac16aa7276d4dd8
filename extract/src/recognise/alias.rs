//! What else a Chinese document calls its subject in the opening sentence: "云川大学（简称云大）", "梅琳·多恩（Mellin Dorn）".

use crate::analysis::Analysis;
use crate::han::{folded, is_han};
use banyan_engine::Span;

/// Words before another name of a document's subject.
const MARKS: &[&str] = &[
    "简称", "又称", "亦称", "也称", "又名", "别名", "原名", "本名", "旧称", "旧名", "笔名", "艺名", "俗称", "别称",
    "全称", "英语",
];
/// What may stand between such a word and the name.
const BEFORE: [char; 12] = ['为', '是', '：', ':', ' ', '“', '"', '「', '『', '《', '叫', '作'];
/// Longest name in characters. Arbitrary.
const MAX_CHARS: usize = 24;

/// The other names of the subject, in text order, each once. Cost O(length of the sentence).
pub fn other_names(parsed: &Analysis) -> Vec<Span> {
    let Some((sentence, _)) = parsed.opening() else {
        return Vec::new();
    };
    let opening = folded(sentence.of(parsed.text()));
    if !opening.trim_start_matches('《').starts_with(is_han) {
        return Vec::new();
    }
    let marks = MARKS.iter().flat_map(|mark| opening.match_indices(mark));
    let bracket = opening.match_indices(['（', '(']).next();
    let mut found: Vec<Span> = marks
        .chain(bracket)
        .map(|(at, mark)| at + mark.len())
        .filter_map(|start| name_at(&opening, start))
        .map(|span| span.moved(sentence.start))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The name that begins at `start`, up to the next mark. Right behind a parenthesis only a foreign name is one.
fn name_at(opening: &str, start: usize) -> Option<Span> {
    let rest = &opening[start..];
    let follows_bracket = opening[..start].ends_with(['（', '(']);
    let inner = rest.trim_start_matches(BEFORE);
    let is_inner = |ch: char| ch.is_alphanumeric() || matches!(ch, ' ' | '·' | '.' | '-' | '\'');
    let name = inner[..inner.find(|ch| !is_inner(ch)).unwrap_or(inner.len())].trim_end();
    let first = start + rest.len() - inner.len();
    let is_foreign = name.is_ascii() && name.starts_with(|ch: char| ch.is_ascii_uppercase());
    let fits = (2..=MAX_CHARS).contains(&name.chars().count()) && (is_foreign || !follows_bracket);
    // "又称" may be followed by a sentence; a name holds no comma-free clause of its own.
    let is_clause = name.contains(['的', '是', '了']);
    (fits && !is_clause).then(|| Span::new(first, first + name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_engine::{Document, Origin};

    fn check(text: &str, expected: &[&str]) {
        let document = Document::new("T", text, Origin::default());
        let found = other_names(&Analysis::surface(&document));
        let found: Vec<_> = found.iter().map(|span| span.of(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn other_names_follow_their_words_or_a_parenthesis() {
        check("云川大学（简称云大，旧名云口學堂）是一所大学。", &["云大", "云口學堂"]);
        check("梅琳·多恩（Mellin Dorn，1931年—1989年）是工程师。", &["Mellin Dorn"]);
        check("東嶺省，簡稱「嶺東」，位於北灣。", &["嶺東"]);
        check("林远（1960年—2014年）是小说家。又名老林。", &[]);
        check("Yunchuan (Chinese: 云川; 旧称云口) is a city.", &[]);
    }
}
