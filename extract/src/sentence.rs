//! Text to sentences.

use crate::field::is_field;
use banyan_engine::Span;

/// Abbreviations that a full stop does not end a sentence after; lower case, sorted.
const ABBREVIATIONS: &[&str] = &[
    "approx", "apr", "aug", "ave", "ca", "capt", "cf", "co", "col", "corp", "dec", "dept", "dr", "ed", "eds", "est",
    "etc", "feb", "fig", "fl", "ft", "gen", "gov", "hon", "inc", "jan", "jr", "jul", "jun", "lt", "ltd", "maj", "mar",
    "mr", "mrs", "ms", "mt", "nov", "oct", "op", "pp", "prof", "rep", "rev", "sen", "sep", "sept", "sgt", "sr", "st",
    "ste", "vol", "vols", "vs",
];

/// Longest sentence in bytes; what is longer is cut between words. Arbitrary: no prose has such sentences, and the cost
/// of reading one grows faster than its length.
const MAX_BYTES: usize = 4_000;

/// The sentences of a text in order, without surrounding white space.
///
/// Breaks after `. ! ?` before something that starts a sentence, after Chinese full stops and semicolons, at blank lines,
/// before list items, between the fields of a record and between the cells of a table; not after abbreviations and
/// initials. Cost O(length). White space alone gives none.
///
/// ```
/// let text = "Dr. A. Reed sailed in 1901. She returned.";
/// let sentences = banyan_extract::sentence::split(text);
/// assert_eq!(sentences.len(), 2);
/// assert_eq!(sentences[1].of(text), "She returned.");
/// ```
pub fn split(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    let mut in_row = begins_row(text);
    let mut chars = text.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        let end = at + ch.len_utf8();
        if ch == '\n' {
            in_row = begins_row(&text[end..]);
        }
        let is_end = match ch {
            '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' => ends_sentence(&text[start..at], ch, &text[end..]),
            '\n' => starts_block(&text[end..]) || parts_fields(&text[start..at], &text[end..]),
            '|' => in_row,
            _ => false,
        };
        if is_end {
            let mut stop = end;
            while let Some((next, closer)) = chars.next_if(|(_, next)| is_closer(*next)) {
                stop = next + closer.len_utf8();
            }
            while let Some((next, dash)) = chars.next_if(|(_, next)| ch != '\n' && is_dash(*next)) {
                stop = next + dash.len_utf8();
            }
            push(text, start, stop, &mut spans);
            start = stop;
        }
    }
    push(text, start, text.len(), &mut spans);
    spans
}

/// Whether a mark closes what a sentence ends in, and so belongs to it.
fn is_closer(mark: char) -> bool {
    matches!(mark, '"' | '”' | '’' | ')' | '」' | '』' | '》' | '）')
}

/// Whether a mark after the end of a sentence only leads to the next one ("He fell.--So did she.").
fn is_dash(mark: char) -> bool {
    matches!(mark, '-' | '—')
}

/// Adds the sentence at `start..end`, without white space around it, in pieces where it is too long.
fn push(text: &str, mut start: usize, end: usize, spans: &mut Vec<Span>) {
    while end - start > MAX_BYTES {
        let limit = text.floor_char_boundary(start + MAX_BYTES);
        let cut = text[start..limit]
            .rfind(char::is_whitespace)
            .filter(|at| *at > 0)
            .map_or(limit, |at| start + at);
        push(text, start, cut, spans);
        start = cut;
    }
    let part = &text[start..end];
    let bare = part
        .trim_start_matches(|ch: char| ch.is_whitespace() || ch == '•')
        .trim_end();
    if !bare.is_empty() {
        let offset = start + (part.trim_end().len() - bare.len());
        spans.push(Span::new(offset, offset + bare.len()));
    }
}

fn ends_sentence(before: &str, mark: char, after: &str) -> bool {
    let after = after.trim_start_matches(['"', '”', '’', ')', '\'']);
    if after.is_empty() {
        return true;
    }
    let is_led = after.starts_with("--") || after.starts_with('—');
    let next = after.trim_start_matches(|mark: char| mark.is_whitespace() || (is_led && is_dash(mark)));
    if next.len() == after.len() {
        return false;
    }
    let begins = next
        .chars()
        .find(|ch| !matches!(ch, '"' | '“' | '‘' | '\'' | '(' | '['))
        .is_none_or(|ch| ch.is_uppercase() || ch.is_numeric() || !ch.is_ascii());
    begins && (mark != '.' || !is_abbreviation(before, next))
}

fn is_abbreviation(before: &str, after: &str) -> bool {
    let word = before
        .rsplit(|ch: char| ch.is_whitespace() || ch == '(')
        .next()
        .unwrap_or("");
    let last = word.rsplit('.').next().unwrap_or(word);
    let is_initial = last.chars().count() == 1 && last.chars().all(char::is_alphabetic);
    let is_number_sign = matches!(last, "No" | "no" | "Nos" | "nos");
    if is_number_sign {
        return after.starts_with(|ch: char| ch.is_ascii_digit());
    }
    is_initial || ABBREVIATIONS.binary_search(&last.to_lowercase().as_str()).is_ok()
}

/// Whether a row of a table begins, whose cells are no parts of one sentence.
fn begins_row(rest: &str) -> bool {
    rest.trim_start_matches([' ', '\t']).starts_with('|')
}

/// Whether a line break before `rest` separates blocks: a blank line, a list item or a heading follows.
fn starts_block(rest: &str) -> bool {
    let line = rest.trim_start_matches([' ', '\t', '\r']);
    line.starts_with(['\n', '#', '-', '*', '•', '|']) || line.is_empty() || is_numbered(line)
}

/// Whether a line break stands between two fields of a record.
fn parts_fields(before: &str, after: &str) -> bool {
    let lines = [before.lines().next_back(), after.lines().next()];
    lines.into_iter().all(|line| line.is_some_and(is_field))
}

/// Whether a line begins with the number of an item.
fn is_numbered(line: &str) -> bool {
    let after = line.trim_start_matches(|ch: char| ch.is_ascii_digit());
    let n_digits = line.len() - after.len();
    (1..=2).contains(&n_digits) && (after.starts_with(". ") || after.starts_with(") "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = split(text).iter().map(|span| span.of(text)).collect();
        assert_eq!(found, expected);
        assert!(ABBREVIATIONS.is_sorted());
    }

    #[test]
    fn sentences_end_where_a_reader_would_end_them() {
        check("It rose. It fell!  Why?", &["It rose.", "It fell!", "Why?"]);
        check(
            "J. R. Reed (b. 1901) met St. Anne. Then left.",
            &["J. R. Reed (b. 1901) met St. Anne.", "Then left."],
        );
        check(
            "He said \"No.\" She left at 3.5 km.",
            &["He said \"No.\"", "She left at 3.5 km."],
        );
        check(
            "It rose!--It fell. Some--not all--rose.—So.",
            &["It rose!--", "It fell.", "Some--not all--rose.—", "So."],
        );
        check("one\ntwo\n\nthree\n- four", &["one\ntwo", "three", "- four"]);
        check(
            "• a rope\n• an oar\n10) a sail\n1901. a year",
            &["a rope", "an oar", "10) a sail\n1901. a year"],
        );
        check("宋江上山。林冲来了！", &["宋江上山。", "林冲来了！"]);
        check(
            "她说：「你来吗？」他没有来；船走了。",
            &["她说：「你来吗？」", "他没有来；", "船走了。"],
        );
        check(
            "He said no. She left No. 5 there.",
            &["He said no.", "She left No. 5 there."],
        );
        check(" \n ", &[]);
        let endless = "word ".repeat(2_000);
        assert!(split(&endless).iter().all(|span| span.of(&endless).len() <= MAX_BYTES));
    }

    #[test]
    fn cells_of_a_table_are_apart() {
        let expected = ["Pumps:", "|", "Ondle |", "lifts water |", "A|B is no table."];
        check("Pumps:\n| Ondle | lifts water |\n\nA|B is no table.", &expected);
    }

    #[test]
    fn fields_of_a_record_are_apart() {
        let fields = "name: Tern\nborn: 1860\nplace of death: Orle";
        check(fields, &["name: Tern", "born: 1860", "place of death: Orle"]);
        let wrapped = "It has three parts of which one\nis the most telling: the keel.";
        check(wrapped, &[wrapped]);
    }
}
