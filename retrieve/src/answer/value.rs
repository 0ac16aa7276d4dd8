//! Values as sentences write them where no attribute of the graph would: days without a year, centuries and decades, times of
//! day, numbers in words, small units.

use super::Expected;
use super::ask::Ask;
use super::choice::Word;
use super::date;
use super::page::Sentence;
use banyan_engine::Span;
use banyan_engine::schema::ValueKind;

/// Units of small things and of rates.
const UNITS: &[&str] = &[
    "mm", "cm", "inch", "inches", "yards", "mph", "degrees", "weeks", "months", "°",
];
/// Numbers in words from two on: "one" is said of anything.
const NUMBERS: &[&str] = &[
    "once",
    "twice",
    "thrice",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
];
/// Halves of a day.
const HALVES: &[&str] = &["a.m.", "p.m.", "a.m", "p.m", "am", "pm"];

/// The values of the kind asked for in a sentence, in order of kind, then of place.
pub(super) fn spoken(ask: &Ask, text: &str, sentence: &Sentence) -> Vec<(Span, ValueKind)> {
    let noun = ask.noun.as_deref();
    let spans = match ask.expected {
        Expected::Number if ask.is_count => numbers(text, &sentence.words),
        Expected::Date if noun == Some("time") => times(text, &sentence.words),
        Expected::Date => {
            let mut found = days(text, sentence);
            found.extend(ages(&sentence.words));
            found
        }
        Expected::Any => days(text, sentence),
        _ => Vec::new(),
    };
    let kind = match ask.expected {
        Expected::Number => ValueKind::Number,
        _ => ValueKind::Date,
    };
    spans.into_iter().map(|span| (span, kind)).collect()
}

/// A number with the unit after it, where that is one which no value of the graph has.
pub(super) fn with_unit(text: &str, number: Span, words: &[Word]) -> Span {
    let after = words.iter().find(|word| word.span.start >= number.end);
    let unit = after.filter(|word| {
        let between = &text[number.end as usize..word.span.start as usize];
        matches!(between, " " | "-" | "") && UNITS.contains(&word.lower.as_str())
    });
    unit.map_or(number, |word| Span {
        start: number.start,
        end: word.span.end,
    })
}

/// The four digits of the year in a date.
pub(super) fn year(text: &str, span: Span) -> Span {
    let part = span.of(text);
    let digits = part
        .char_indices()
        .filter(|(at, ch)| ch.is_ascii_digit() && part[*at..].chars().take_while(char::is_ascii_digit).count() == 4);
    let mut starts = digits.map(|(at, _)| at);
    match starts.next() {
        Some(at) => Span::new(span.start as usize + at, span.start as usize + at + 4),
        None => span,
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Days without a year: "June 6", "6 June".
fn days(text: &str, sentence: &Sentence) -> Vec<Span> {
    let is_day = |word: &Word| word.lower.len() <= 2 && is_number(&word.lower);
    let is_month = |word: &Word| date::is_month(&word.lower) && word.span.of(text).starts_with(char::is_uppercase);
    let pairs = sentence
        .words
        .windows(2)
        .filter(|pair| (is_day(&pair[0]) && is_month(&pair[1])) || (is_month(&pair[0]) && is_day(&pair[1])));
    let spans = pairs.map(|pair| joined(&pair[0], &pair[1]));
    spans
        .filter(|span| !sentence.literals.iter().any(|literal| literal.span.overlaps(*span)))
        .collect()
}

/// Centuries and decades: "the early 19th century", "the 1930s".
fn ages(words: &[Word]) -> Vec<Span> {
    let is_decade = |word: &Word| word.lower.len() == 5 && word.lower.ends_with('s') && is_number(&word.lower[..4]);
    let is_part = |word: &Word| matches!(word.lower.as_str(), "early" | "mid" | "late");
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let first = match () {
            () if is_decade(word) => at,
            () if word.lower == "century" && at > 0 && words[at - 1].term.is_some() => at - 1,
            () => continue,
        };
        let before = first.checked_sub(1).filter(|before| is_part(&words[*before]));
        let is_beside = |before: &usize| words[first].span.start == words[*before].span.end + 1;
        found.push(joined(&words[before.filter(is_beside).unwrap_or(first)], word));
    }
    found
}

/// Times of day: "3 a.m.", "10:30 pm".
fn times(text: &str, words: &[Word]) -> Vec<Span> {
    let is_minute = |word: &Word| text[..word.span.start as usize].ends_with(':');
    let hours = words
        .iter()
        .filter(|word| word.lower.len() <= 2 && is_number(&word.lower) && !is_minute(word));
    let end = |hour: &Word| {
        let behind = text.get(hour.span.end as usize..)?;
        let minutes = behind
            .strip_prefix(':')
            .and_then(|rest| rest.get(2..))
            .unwrap_or(behind);
        let rest = minutes.trim_start_matches([' ', '\u{a0}']);
        let half = HALVES.iter().find(|half| {
            rest.get(..half.len())
                .is_some_and(|part| part.eq_ignore_ascii_case(half))
        })?;
        Some(text.len() - rest.len() + half.len())
    };
    hours
        .filter_map(|hour| Some(Span::new(hour.span.start as usize, end(hour)?)))
        .collect()
}

/// Numbers in words: "three", "twice", "two-time".
fn numbers(text: &str, words: &[Word]) -> Vec<Span> {
    let spoken = words.iter().filter(|word| NUMBERS.contains(&word.lower.as_str()));
    let whole = |word: &Word| {
        let behind = text.get(word.span.end as usize..).unwrap_or_default();
        let more = if behind.starts_with("-time") { "-time".len() } else { 0 };
        Span::new(word.span.start as usize, word.span.end as usize + more)
    };
    spoken.map(whole).collect()
}

fn joined(first: &Word, last: &Word) -> Span {
    Span {
        start: first.span.start,
        end: last.span.end,
    }
}

#[cfg(test)]
mod tests {
    use super::super::choice::words;
    use super::*;

    fn check(found: fn(&str, &[Word]) -> Vec<Span>, text: &str, expected: &[&str]) {
        let spans = found(text, &words(text, Span::new(0, text.len())));
        let texts: Vec<&str> = spans.iter().map(|span| span.of(text)).collect();
        assert_eq!(texts, expected, "{text}");
    }

    #[test]
    fn values_without_figures_of_the_graph_are_found() {
        check(
            |_, words| ages(words),
            "Built in the early 19th century, mended in the 1930s.",
            &["early 19th century", "1930s"],
        );
        check(
            times,
            "It opens at 7 a.m. and shuts at 10:30 PM on 3 days.",
            &["7 a.m.", "10:30 PM"],
        );
        check(
            numbers,
            "A two-time winner with four boats, elected twice.",
            &["two-time", "four", "twice"],
        );
        check(times, "", &[]);
    }
}
