//! Runs of capitalised words, whole and in parts.

use super::{Finder, Source};
use crate::statement::lexicon::LEXICON;
use crate::statement::token::{Kind, Token};

/// Small words that may stand inside a name; sorted.
const JOINTS: &[&str] = &[
    "a", "al", "an", "and", "at", "bin", "da", "das", "de", "del", "della", "den", "der", "des", "di", "do", "dos",
    "du", "e", "el", "for", "from", "ibn", "in", "la", "las", "le", "les", "los", "of", "on", "or", "the", "to", "van",
    "von", "with", "y", "zu",
];
/// Those that hold the parts of a name together and at which it is seldom cut; sorted.
const CLOSE: &[&str] = &[
    "al", "bin", "da", "das", "de", "del", "della", "den", "der", "des", "di", "do", "dos", "du", "el", "ibn", "la",
    "las", "le", "les", "los", "van", "von", "y", "zu",
];
/// Small words at which two names may meet; sorted.
const WEAK: &[&str] = &["and", "at", "from", "in", "on", "or", "to", "with"];
/// Marks that may stand inside a name.
const MARKS: &[&str] = &["&", "'", "’", ",", "/", ":", "-", "–", "!", "?", ".", "(", ")"];
/// Most small words and marks in a row.
const MAX_JOINTS: usize = 3;
/// Most pieces of a run of which parts are made. Arbitrary: the number of parts grows with its square.
const MAX_PIECES: usize = 8;
/// Most pieces of one part.
const MAX_PART: usize = 4;
/// Longest name in tokens. Arbitrary.
const MAX_TOKENS: usize = 16;
/// Months and days of the week, but for "May" and "March", which are names as well; sorted.
const CALENDAR: &[&str] = &[
    "april",
    "august",
    "december",
    "february",
    "friday",
    "january",
    "july",
    "june",
    "monday",
    "november",
    "october",
    "saturday",
    "september",
    "sunday",
    "thursday",
    "tuesday",
    "wednesday",
];
/// Capitalised words that open sentences and are no names; those of the closed classes aside; sorted.
const OPENERS: &[&str] = &[
    "according",
    "additionally",
    "based",
    "born",
    "co-written",
    "composed",
    "created",
    "currently",
    "developed",
    "directed",
    "due",
    "eventually",
    "featuring",
    "finally",
    "first",
    "following",
    "formerly",
    "founded",
    "furthermore",
    "instead",
    "intended",
    "later",
    "located",
    "meanwhile",
    "moreover",
    "narrated",
    "nevertheless",
    "originally",
    "people",
    "produced",
    "published",
    "recorded",
    "released",
    "set",
    "several",
    "shot",
    "starring",
    "subsequently",
    "today",
    "two",
    "unlike",
    "upon",
    "using",
    "written",
];

/// Finds the runs. `taken` marks tokens of dates and numbers, which only an inner part of a name may have.
pub(super) fn find(finder: &mut Finder, taken: &[bool]) {
    let tokens = finder.tokens;
    let mut at = 0;
    while at < tokens.len() {
        if !begins(tokens, taken, at) {
            at += 1;
            continue;
        }
        let last = last(tokens, taken, at);
        run(finder, at, last + 1);
        at = last + 1;
    }
}

/// Whether a token is a word of a name.
fn is_name(tokens: &[Token], taken: &[bool], at: usize) -> bool {
    let token = &tokens[at];
    let is_ordinal = || ["st", "nd", "rd", "th"].iter().any(|end| token.lower.ends_with(end));
    let has_inner_capital = || token.lower.contains(['-', '\'', '’']) && !token.is_capital && has_capital(token);
    match token.kind {
        Kind::Word => (token.is_capital && !taken[at]) || has_inner_capital(),
        Kind::Number => !taken[at] || is_ordinal(),
        _ => false,
    }
}

/// Whether the part after a hyphen or apostrophe is long enough to be a name of its own ("al-Rashid").
fn has_capital(token: &Token) -> bool {
    token.span.end - token.span.start > 3 && token.lower.starts_with("al-") || token.lower.starts_with("el-")
}

fn begins(tokens: &[Token], taken: &[bool], at: usize) -> bool {
    let token = &tokens[at];
    let is_opener = token.is_initial && OPENERS.binary_search(&token.lower.as_str()).is_ok();
    let is_article = matches!(token.lower.as_str(), "the" | "a" | "an" | "i" | "my" | "one");
    let is_bare = token.is_function && !is_article && token.is_initial;
    let next_is_name = |at: usize| at < tokens.len() && is_name(tokens, taken, at) && tokens[at].kind == Kind::Word;
    match token.kind {
        Kind::Number => is_name(tokens, taken, at) && next_is_name(at + 1),
        Kind::Word if is_opener || is_bare => false,
        Kind::Word if is_article => token.is_capital && next_is_name(at + 1),
        Kind::Word => is_name(tokens, taken, at),
        _ => false,
    }
}

/// The last token of the run that begins at `first`.
fn last(tokens: &[Token], taken: &[bool], first: usize) -> usize {
    let mut last = first;
    for at in first + 1..tokens.len() {
        let token = &tokens[at];
        if token.sentence != tokens[first].sentence || at - last > MAX_JOINTS + 1 {
            break;
        }
        let is_digits = token.kind == Kind::Number && at == last + 1;
        if is_name(tokens, taken, at) && token.kind == Kind::Word || is_digits {
            last = at;
        } else if !is_joint(token) {
            break;
        }
    }
    last
}

fn is_joint(token: &Token) -> bool {
    match token.kind {
        Kind::Word => JOINTS.binary_search(&token.lower.as_str()).is_ok(),
        Kind::Number | Kind::Possessive => true,
        Kind::Mark => MARKS.contains(&token.lower.as_str()),
    }
}

/// Adds a run and its parts.
fn run(finder: &mut Finder, first: usize, end: usize) {
    let pieces = pieces(finder.tokens, first, end);
    if end - first <= MAX_TOKENS && is_balanced(finder.tokens, first, end) {
        add(finder, first, end, Source::Name);
    }
    units(finder, first, end);
    let n = pieces.len();
    for (position, (start, _)) in pieces.iter().enumerate() {
        let reach = if n > MAX_PIECES { 2 } else { MAX_PART };
        for (_, stop) in pieces.iter().skip(position).take(reach) {
            if is_balanced(finder.tokens, *start, *stop) {
                let is_whole = (*start, *stop) == (first, end);
                add(
                    finder,
                    *start,
                    *stop,
                    if is_whole { Source::Name } else { Source::Part },
                );
            }
        }
    }
    for (start, stop) in pieces {
        inside(finder, start, stop);
    }
}

/// Adds the parts of a run between commas, "and", "in" and the like.
fn units(finder: &mut Finder, first: usize, end: usize) {
    let tokens = finder.tokens;
    let is_weak = |token: &Token| match token.kind {
        Kind::Word => !token.is_capital && WEAK.binary_search(&token.lower.as_str()).is_ok(),
        Kind::Possessive => true,
        Kind::Mark => matches!(token.lower.as_str(), "," | "(" | ")" | ":" | "/" | "." | "-" | "–"),
        Kind::Number => false,
    };
    let mut start = first;
    for at in first..=end {
        if at < end && !is_weak(&tokens[at]) {
            continue;
        }
        let mut unit = start..at;
        while unit.start < unit.end && is_trimmed(&tokens[unit.start]) {
            unit.start += 1;
        }
        while unit.end > unit.start && is_trimmed(&tokens[unit.end - 1]) {
            unit.end -= 1;
        }
        if unit.start < unit.end {
            add(finder, unit.start, unit.end, Source::Unit);
        }
        start = at + 1;
    }
}

/// Whether a token is no part of a name at its edge.
fn is_trimmed(token: &Token) -> bool {
    !token.is_word()
        || (!token.is_capital && token.kind == Kind::Word)
        || (token.is_initial && token.is_function && token.lower != "the")
}

/// The pieces of a run between its joints, as token ranges; close joints part nothing.
fn pieces(tokens: &[Token], first: usize, end: usize) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    let mut start: Option<usize> = None;
    for (at, token) in tokens.iter().enumerate().take(end).skip(first) {
        let is_close = CLOSE.binary_search(&token.lower.as_str()).is_ok() && token.kind == Kind::Word;
        let cuts =
            is_joint(token) && token.kind != Kind::Number && !is_close && (!token.is_capital || token.is_function);
        if cuts {
            pieces.extend(start.take().map(|start| (start, at)));
        } else if start.is_none() {
            start = Some(at);
        }
    }
    pieces.extend(start.map(|start| (start, end)));
    pieces
}

/// Adds a range, and the same without a leading article.
fn add(finder: &mut Finder, first: usize, end: usize, source: Source) {
    let token = &finder.tokens[first];
    let is_alone = end - first == 1;
    if is_alone && (token.is_function || token.kind == Kind::Number || is_calendar(&token.lower)) {
        return;
    }
    finder.add(first, end, source);
    let lower = token.lower.as_str();
    if matches!(lower, "the" | "a" | "an") && !is_alone {
        finder.add(first + 1, end, Source::Part);
    }
    if is_alone && LEXICON.country_of(lower).is_some() {
        finder.add(first, end, Source::People);
    }
}

/// Whether a word is a month or a day of the week, which names nothing by itself.
fn is_calendar(lower: &str) -> bool {
    CALENDAR.binary_search(&lower).is_ok()
}

/// Adds what a piece has inside: adjectives of origin, and the name after a title or such an adjective.
fn inside(finder: &mut Finder, start: usize, stop: usize) {
    for at in start..stop {
        let token = &finder.tokens[at];
        let is_people = LEXICON.country_of(&token.lower).is_some();
        let is_title = !LEXICON.kinds_of(&token.root).is_empty()
            || matches!(
                token.lower.as_str(),
                "dr" | "mr" | "mrs" | "ms" | "sir" | "lord" | "lady" | "prof" | "professor" | "st" | "rev"
            );
        if is_people {
            finder.add(at, at + 1, Source::People);
        }
        if (is_people || is_title) && at + 1 < stop {
            finder.add(at + 1, stop, Source::Stripped);
            if at > start {
                finder.add(start, at, Source::Stripped);
            }
        }
        if is_title && at > start {
            finder.add(start, at + 1, Source::Stripped);
        }
    }
}

fn is_balanced(tokens: &[Token], first: usize, end: usize) -> bool {
    let mut depth = 0_i32;
    for token in &tokens[first..end] {
        depth += i32::from(token.is_mark("(")) - i32::from(token.is_mark(")"));
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_binary_search() {
        assert!(
            JOINTS.is_sorted() && CLOSE.is_sorted() && CALENDAR.is_sorted() && WEAK.is_sorted() && OPENERS.is_sorted()
        );
    }
}
