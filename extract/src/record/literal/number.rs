//! Numbers in figures and in words.

use banyan_engine::Span;
use regex::Regex;
use std::sync::LazyLock;

/// A number as a text writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// What it comes to, magnitude words multiplied in.
    pub value: f64,
    /// The figures or words, with magnitude, without unit.
    pub span: Span,
    /// What may be a unit: the sign before it, or the word after it; empty where there is none.
    pub unit: Span,
    /// Whether it says a place in an order (`3rd`, `third`).
    pub is_ordinal: bool,
}

const ONES: [&str; 20] = [
    "zero",
    "one",
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
];
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const ORDINALS: [&str; 13] = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

/// The factor that a magnitude word or letter stands for.
fn magnitude(word: &str) -> Option<f64> {
    Some(match word {
        "hundred" => 1e2,
        "k" | "K" | "thousand" => 1e3,
        "M" | "m" | "mn" | "mio" | "million" | "millions" => 1e6,
        "B" | "bn" | "billion" | "billions" => 1e9,
        "T" | "tn" | "trillion" => 1e12,
        "lakh" => 1e5,
        "crore" => 1e7,
        "dozen" => 12.0,
        _ => return None,
    })
}

/// The number below one hundred, or the ordinal up to twelfth, that a word says; `is_ordinal` with it.
pub fn number_word(word: &str) -> Option<(f64, bool)> {
    let lower = word.to_lowercase();
    if let Some(at) = ONES.iter().position(|one| *one == lower) {
        return Some((at as f64, false));
    }
    if let Some(at) = ORDINALS.iter().position(|ordinal| *ordinal == lower) {
        return Some((at as f64, true));
    }
    if let Some(stem) = lower.strip_suffix("teenth") {
        let teen = format!("{stem}teen");
        return ONES.iter().position(|one| *one == teen).map(|at| (at as f64, true));
    }
    if let Some(stem) = lower.strip_suffix("tieth") {
        let ten = format!("{stem}ty");
        return TENS
            .iter()
            .position(|word| *word == ten)
            .map(|at| ((at + 2) as f64 * 10.0, true));
    }
    let (ten, one) = lower.split_once('-').unwrap_or((&lower, ""));
    let ten = TENS
        .iter()
        .position(|word| *word == ten)
        .map(|at| (at + 2) as f64 * 10.0)?;
    match one {
        "" => Some((ten, false)),
        _ => number_word(one)
            .filter(|(one, _)| *one < 10.0)
            .map(|(one, is)| (ten + one, is)),
    }
}

/// The numbers of a text, in order, without overlap. Cost O(length).
///
/// Figures with grouping commas, decimals, `K`, `M`, `bn` right after them, magnitude words after a space, and number
/// words. Figures within words, in versions and in dates with dashes are passed over.
pub fn numbers(text: &str) -> Vec<Number> {
    let Some(pattern) = PATTERN.as_ref() else {
        return Vec::new();
    };
    let mut found: Vec<Number> = Vec::new();
    for captures in pattern.captures_iter(text) {
        let number = captures
            .name("figures")
            .and_then(|part| figures(text, part.start(), part.end()));
        let number = number.or_else(|| {
            captures
                .name("word")
                .and_then(|part| spelled(text, part.start(), part.end()))
        });
        let Some(mut number) = number else { continue };
        if found.last().is_some_and(|before| before.span.overlaps(number.span)) {
            continue;
        }
        number.unit = unit(text, number.span);
        found.push(number);
    }
    found
}

/// `None` is impossible for a pattern that compiles once, which a test holds.
static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let ones = ONES[1..].join("|");
    let tens = TENS.join("|");
    let ordinals = ORDINALS[1..].join("|");
    Regex::new(&format!(
        r"(?P<figures>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)|\b(?P<word>(?i:{tens}|{ones}|{ordinals}|zero)(?:[-\s](?i:{ones}|{ordinals}))?)\b"
    ))
    .ok()
});

fn figures(text: &str, start: usize, end: usize) -> Option<Number> {
    let before = text[..start].chars().next_back();
    let mut earlier = text[..start].chars().rev().skip(1);
    let is_inside = before.is_some_and(|ch| ch.is_alphabetic() || ch == '_')
        || matches!(before, Some('.' | ',')) && earlier.next().is_some_and(|ch| ch.is_ascii_digit());
    let goes_on = text[end..].starts_with('.') && text[end + 1..].starts_with(|ch: char| ch.is_ascii_digit());
    if is_inside || goes_on {
        return None;
    }
    let mut value: f64 = text[start..end].replace(',', "").parse().ok()?;
    let sign = matches!(before, Some('-' | '−')) && !earlier.next().is_some_and(char::is_alphanumeric);
    let rest = &text[end..];
    let suffix: String = rest.chars().take_while(|ch| ch.is_alphabetic()).collect();
    let is_ordinal = matches!(suffix.as_str(), "st" | "nd" | "rd" | "th");
    let mut stop = end;
    if let Some(factor) = ["K", "k", "M", "B", "bn", "mn", "T", "tn"]
        .contains(&suffix.as_str())
        .then(|| magnitude(&suffix))
        .flatten()
    {
        value *= factor;
        stop += suffix.len();
    } else if is_ordinal {
        stop += suffix.len();
    } else if let Some((factor, length)) = magnitude_word(rest) {
        value *= factor;
        stop += length;
    }
    let begin = if sign {
        start - before.map_or(0, char::len_utf8)
    } else {
        start
    };
    let span = Span::new(begin, stop);
    let value = if sign { -value } else { value };
    Some(Number {
        value,
        span,
        unit: Span::new(stop, stop),
        is_ordinal,
    })
}

/// A magnitude word after one space, with how many bytes it takes.
fn magnitude_word(rest: &str) -> Option<(f64, usize)> {
    let after = rest.strip_prefix([' ', '\u{a0}', '-'])?;
    let word: String = after.chars().take_while(|ch| ch.is_alphabetic()).collect();
    let factor = (word.len() > 1).then(|| magnitude(&word.to_lowercase())).flatten()?;
    Some((factor, rest.len() - after.len() + word.len()))
}

/// A number in words: `twenty-four`, `two hundred and ten`, `one million`.
fn spelled(text: &str, start: usize, end: usize) -> Option<Number> {
    let joined = text[start..end].replace(' ', "-");
    let first = joined.split('-').next().unwrap_or("");
    let (value, is_ordinal, mut stop) = match number_word(&joined) {
        Some((value, is)) => (value, is, end),
        None => number_word(first).map(|(value, is)| (value, is, start + first.len()))?,
    };
    let (mut total, mut current) = (0.0, value);
    while let Some((factor, length)) = magnitude_word(&text[stop..]) {
        stop += length;
        current *= factor;
        if factor >= 1e3 {
            total += current;
            current = 0.0;
        }
        let rest = text[stop..].strip_prefix(" and ").map(|rest| (5, rest));
        let (skip, rest) = rest
            .or_else(|| text[stop..].strip_prefix(' ').map(|rest| (1, rest)))
            .unwrap_or((0, ""));
        let word: String = rest.chars().take_while(|ch| ch.is_alphabetic() || *ch == '-').collect();
        if let Some((more, false)) = number_word(&word) {
            current += more;
            stop += skip + word.len();
        }
    }
    let span = Span::new(start, stop);
    Some(Number {
        value: total + current,
        span,
        unit: Span::new(stop, stop),
        is_ordinal,
    })
}

/// The sign right before a number, or the word or sign after it.
fn unit(text: &str, span: Span) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text[..start].trim_end();
    let sign = before
        .chars()
        .next_back()
        .filter(|ch| matches!(ch, '$' | '€' | '£' | '¥' | '₹' | '₩'));
    if let Some(sign) = sign {
        return Span::new(before.len() - sign.len_utf8(), before.len());
    }
    let code = before.rsplit(|ch: char| !ch.is_alphabetic()).next().unwrap_or("");
    let is_code = code.len() == 3 && code.chars().all(char::is_uppercase) && super::unit_of(code).is_some();
    if is_code {
        return Span::new(before.len() - 3, before.len());
    }
    let rest = &text[end..];
    let skipped = rest.len() - rest.trim_start_matches([' ', '\u{a0}', '-', '‑']).len();
    let begin = end + skipped;
    let length = text[begin..]
        .find(|ch: char| !(ch.is_alphabetic() || matches!(ch, '%' | '²' | '³' | '°' | '$' | '€' | '£' | '¥' | '/')))
        .unwrap_or(text.len() - begin);
    let word = &text[begin..begin + length];
    // `square metres` and `per cent` are one unit.
    let second = text[begin + length..]
        .strip_prefix(' ')
        .filter(|_| ["square", "per"].iter().any(|first| word.eq_ignore_ascii_case(first)));
    let more = second.map_or(0, |rest| {
        1 + rest.find(|ch: char| !ch.is_alphabetic()).unwrap_or(rest.len())
    });
    Span::new(begin, begin + length + more)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[f64]) {
        let found: Vec<f64> = numbers(text).iter().map(|number| number.value).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn one_number_has_many_spellings() {
        for text in [
            "1M",
            "1,000,000",
            "one million",
            "1.0 million",
            "1000000",
            "1 million",
            "1000K",
        ] {
            check(text, &[1e6]);
        }
        check("twenty-four teams, Thirty-two nations", &[24.0, 32.0]);
        check("two hundred and ten rooms", &[210.0]);
        check("three thousand five hundred", &[3_500.0]);
        check("the 12th edition and the third", &[12.0, 3.0]);
        check("−3.5 and -4, B52, v1.2.3, 5.6.4", &[-3.5, -4.0]);
        check("4 m tall, $3bn", &[4.0, 3e9]);
    }
}
