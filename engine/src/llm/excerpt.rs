//! The beginning of something long or hostile, fit to stand in one line of an error.

use crate::document::one_line;

/// Most characters of an excerpt. Arbitrary: two lines of a terminal.
const MAX_CHARS: usize = 160;
/// Most characters that are looked at, of which white space may be many. Arbitrary.
const MAX_READ: usize = 16 * MAX_CHARS;

/// The first characters of `text` on one line: space runs become one space, control characters vanish. `nothing` for an
/// empty text. O(1) for long texts.
pub(super) fn excerpt(text: &str) -> String {
    let shown = text.chars().filter(|ch| ch.is_whitespace() || !ch.is_control());
    let shown: String = shown.take(MAX_READ).collect();
    let line = one_line(&shown);
    match line.char_indices().nth(MAX_CHARS) {
        Some((cut, _)) => line[..cut].trim_end().to_owned() + "…",
        None if line.is_empty() => "nothing".to_owned(),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_short_line_without_control_characters() {
        let check = |text: &str, expected: &str| assert_eq!(excerpt(text), expected);
        check(" \n\t", "nothing");
        check("<html>\n  <b>\u{1b}[31mNo\u{7}</b>\n", "<html> <b>[31mNo</b>");
        check(&"ä".repeat(161), &("ä".repeat(160) + "…"));
        check(&"ä".repeat(160), &"ä".repeat(160));
    }
}
