//! Literal values in text: dates, numbers, quantities.

use banyan_engine::Span;
use banyan_engine::schema::ValueKind;
use regex::Regex;
use std::sync::LazyLock;

const MONTHS: &str = "January|February|March|April|May|June|July|August|September|October|November|December";
const UNITS: &str = "square kilometres|square kilometers|square miles|km²|km2|kilometres|kilometers|km|metres|meters|m|\
    feet|ft|miles|mi|hectares|acres|kilograms|kg|tonnes|tons|gross tons|minutes|hours|seconds|days|years|litres|liters|\
    crowns|dollars|pounds|euros|per cent|percent|%|knots|volts|watts|MW";

/// A value as a text writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Where it stands.
    pub span: Span,
    /// What it can be the value of.
    pub kind: ValueKind,
}

impl Literal {
    /// Whether it can be a value of `kind`: a bare number serves as a quantity, a quantity as a number.
    pub fn serves(self, kind: ValueKind) -> bool {
        match kind {
            ValueKind::Date => self.kind == ValueKind::Date,
            ValueKind::Number | ValueKind::Quantity => matches!(self.kind, ValueKind::Number | ValueKind::Quantity),
            ValueKind::Text | ValueKind::Enum => false,
        }
    }
}

/// The dates, numbers and quantities in one sentence of `text`, in order, without overlap. Cost O(length).
///
/// Years from 1000 to 2199 standing alone are dates; ordinals and numbers inside words are passed over.
pub fn literals(text: &str, sentence: Span) -> Vec<Literal> {
    let Some(pattern) = PATTERN.as_ref() else {
        return Vec::new();
    };
    let offset = sentence.start as usize;
    pattern
        .captures_iter(sentence.of(text))
        .filter_map(|found| {
            let (kind, part) = [
                ("date", ValueKind::Date),
                ("quantity", ValueKind::Quantity),
                ("number", ValueKind::Number),
            ]
            .into_iter()
            .find_map(|(name, kind)| Some((kind, found.name(name)?)))?;
            Some(Literal {
                span: Span::new(offset + part.start(), offset + part.end()),
                kind,
            })
        })
        .collect()
}

/// One pattern for all; `None` is impossible for a pattern that compiles once, which a test holds.
static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let day = r"\d{1,2}(?:st|nd|rd|th)?";
    let date = format!(
        r"{day}\s+(?:of\s+)?(?:{MONTHS}),?\s+\d{{4}}|(?:{MONTHS})\s+{day},?\s+\d{{4}}|(?:{MONTHS})\s+\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}|(?:1\d|20|21)\d{{2}}"
    );
    let number = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s+(?:thousand|million|billion|trillion))?";
    let quantity = format!(r"{number}(?:\s*[-‑]?\s*)(?:{UNITS})");
    Regex::new(&format!(
        r"(?:^|[^\w.,-])(?:(?P<quantity>{quantity})(?:\W|$)|(?P<date>{date})(?:[^\w-]|$)|(?P<number>{number})(?:\W|$))"
    ))
    .ok()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, ValueKind)]) {
        let found = literals(text, Span::new(0, text.len()));
        let found: Vec<_> = found
            .iter()
            .map(|literal| (literal.span.of(text), literal.kind))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn dates_numbers_and_quantities_are_told_apart() {
        check(
            "Born 3 May 1901 and left in June 1920.",
            &[("3 May 1901", ValueKind::Date), ("June 1920", ValueKind::Date)],
        );
        check(
            "It covers 388 km² and has 27,900 people.",
            &[("388 km²", ValueKind::Quantity), ("27,900", ValueKind::Number)],
        );
        check(
            "In 1931, 3.5 million crowns (41 metres)",
            &[
                ("1931", ValueKind::Date),
                ("3.5 million crowns", ValueKind::Quantity),
                ("41 metres", ValueKind::Quantity),
            ],
        );
        check("the 12th man of B52", &[]);
    }
}
