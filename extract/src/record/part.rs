//! Documents longer than a prompt: cut into parts that fit, and of too many the ones that speak of what is sought.

use banyan_engine::Span;
use banyan_engine::index::term;
use banyan_engine::llm::estimate_tokens;
use std::collections::{BTreeMap, BTreeSet};

/// Least bytes of a part, however small a prompt is.
const LEAST: usize = 100;

/// A text in parts of at most so many tokens by estimate, in order: cut behind a paragraph where one ends in the second
/// half of what fits, else behind a line, else behind a word. Cost O(length · log length).
pub fn parts(text: &str, max_tokens: u64) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let fitting = fitting(rest, max_tokens);
        let end = if fitting == rest.len() {
            fitting
        } else {
            let cut = |mark: &str| {
                rest[..fitting]
                    .rfind(mark)
                    .map(|at| at + mark.len())
                    .filter(|at| 2 * at > fitting)
            };
            ["\n\n", "\n", " "].into_iter().find_map(cut).unwrap_or(fitting)
        };
        parts.push(Span::new(start, start + end));
        start += end;
    }
    parts
}

/// How many bytes of a text so many tokens hold, at least its first hundred, and never part of a character.
pub(super) fn fitting(text: &str, max_tokens: u64) -> usize {
    let fits = |end: usize| estimate_tokens(&text[..text.floor_char_boundary(end)]) <= max_tokens;
    let (mut low, mut high) = (LEAST.min(text.len()), text.len());
    if fits(high) {
        return high;
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        (low, high) = if fits(middle) { (middle, high) } else { (low, middle) };
    }
    text.floor_char_boundary(low)
        .max(text.chars().next().map_or(0, char::len_utf8))
}

/// At most `n` of these parts, in their order: those that hold most of what is sought, a word the more the fewer parts hold
/// it; of equal ones the earlier. Cost O(length).
pub fn relevant(text: &str, parts: Vec<Span>, sought: &str, n: usize) -> Vec<Span> {
    if parts.len() <= n {
        return parts;
    }
    let sought: BTreeSet<String> = term::terms(sought).into_iter().collect();
    let held = |part: &Span| -> BTreeSet<String> {
        let terms = term::terms(part.of(text)).into_iter();
        terms.filter(|term| sought.contains(term)).collect()
    };
    let held: Vec<BTreeSet<String>> = parts.iter().map(held).collect();
    let mut n_parts: BTreeMap<&String, usize> = BTreeMap::new();
    for word in held.iter().flatten() {
        *n_parts.entry(word).or_default() += 1;
    }
    let worth = |at: &usize| held[*at].iter().map(|word| 1.0 / n_parts[word] as f32).sum::<f32>();
    let mut best: Vec<usize> = (0..parts.len()).collect();
    best.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.cmp(b)));
    best.truncate(n);
    best.sort_unstable();
    best.into_iter().map(|at| parts[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_a_text_and_end_where_paragraphs_do() {
        let paragraph = "The Ondle rises in Harrow and is short. ".repeat(8);
        let text = format!("{paragraph}\n\n{paragraph}\n\nIts source lies at 41 metres.");
        let max_tokens = estimate_tokens(&paragraph) + 2;
        let found = parts(&text, max_tokens);
        let joined: String = found.iter().map(|part| part.of(&text)).collect();
        assert_eq!(joined, text);
        assert_eq!(found.len(), 3);
        assert!(found[..2].iter().all(|part| part.of(&text).ends_with("\n\n")));
        assert_eq!(parts(&text, 100_000), [Span::new(0, text.len())]);
        let glued = "é".repeat(2_000);
        let joined: String = parts(&glued, 1).iter().map(|part| part.of(&glued)).collect();
        assert_eq!(joined, glued);
    }

    #[test]
    fn the_parts_that_speak_of_what_is_sought_are_read() {
        let text = "Harrow is old. Harrow has a mill. The mill is at 41 metres.";
        let sentences = crate::sentence::split(text);
        let found = relevant(text, sentences.clone(), "height in metres of the mill", 1);
        assert_eq!(found, [sentences[2]]);
        assert_eq!(relevant(text, sentences.clone(), "snow", 2), sentences[..2]);
    }
}
