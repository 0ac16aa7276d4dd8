//! The beginning of something long or hostile, fit to stand in one line of an error.

/// Most characters of an excerpt. Arbitrary: two lines of a terminal.
const MAX_CHARS: usize = 160;

/// The first characters of `text` on one line: space runs become one space, control characters vanish. `nothing` for an
/// empty text. O(1) for long texts.
pub(super) fn excerpt(text: &str) -> String {
    let mut line = String::new();
    let mut n_chars = 0;
    let mut chars = text.chars();
    for ch in chars.by_ref() {
        let ch = if ch.is_whitespace() { ' ' } else { ch };
        if ch.is_control() || (ch == ' ' && (line.is_empty() || line.ends_with(' '))) {
            continue;
        }
        line.push(ch);
        n_chars += 1;
        if n_chars == MAX_CHARS {
            break;
        }
    }
    let is_cut = chars.next().is_some();
    line.truncate(line.trim_end().len());
    match (line.is_empty(), is_cut) {
        (true, _) => "nothing".to_owned(),
        (false, true) => line + "…",
        (false, false) => line,
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
