//! Literal values in text: dates, numbers, quantities.

use crate::han::is_han;
use banyan_engine::Span;
use banyan_engine::schema::ValueKind;
use regex::Regex;
use std::sync::LazyLock;

mod han;

const MONTHS: &str = "January|February|March|April|May|June|July|August|September|October|November|December";
const UNITS: &str = "square kilometres|square kilometers|square miles|km²|km2|kilometres|kilometers|km|metres|meters|m|\
    feet|ft|miles|mi|hectares|acres|kilograms|kg|tonnes|tons|gross tons|minutes|hours|seconds|days|years|litres|liters|\
    crowns|dollars|pounds|euros|per cent|percent|%|knots|volts|watts|MW";

/// Longest name of an entity, in characters. Arbitrary: longer ones are clauses.
const MAX_NAME_CHARS: usize = 100;
/// Longest name of an entity, in words. Arbitrary.
const MAX_NAME_WORDS: usize = 10;

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
/// Years from 1000 to 2199 standing alone are dates; ordinals and numbers inside words are passed over. In Chinese, too,
/// numbers may be written in words.
pub fn literals(text: &str, sentence: Span) -> Vec<Literal> {
    let mut found = western(text, sentence);
    if sentence.of(text).contains(is_han) {
        let chinese = han::literals(text, sentence);
        found.retain(|literal| chinese.iter().all(|other| !other.span.overlaps(literal.span)));
        found.extend(chinese);
        found.sort_by_key(|literal| literal.span);
    }
    found
}

/// Whether a stated text can name an entity: it has a letter, is no clause and no bare date or number.
pub(crate) fn is_entity(text: &str) -> bool {
    let is_short = text.chars().count() <= MAX_NAME_CHARS && text.split_whitespace().count() <= MAX_NAME_WORDS;
    is_short && text.chars().any(char::is_alphabetic) && !is_literal(text)
}

/// Whether all of a text is one value.
fn is_literal(text: &str) -> bool {
    let whole = Span::new(0, text.len());
    literals(text, whole)
        .first()
        .is_some_and(|literal| literal.span == whole)
}

/// The values in the notation of English.
fn western(text: &str, sentence: Span) -> Vec<Literal> {
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

    #[test]
    fn chinese_values_are_read_in_figures_and_in_words() {
        check(
            "林远1998年3月5日生，一九九五年建桥，第三次，二〇〇一年十二月竣工。",
            &[
                ("1998年3月5日", ValueKind::Date),
                ("一九九五年", ValueKind::Date),
                ("二〇〇一年十二月", ValueKind::Date),
            ],
        );
        check(
            "面积一千二百平方公里，人口三百二十万，长12.5公里，有七座岛，两千户，共三百二十，费用3.5亿元。",
            &[
                ("一千二百平方公里", ValueKind::Quantity),
                ("三百二十万", ValueKind::Number),
                ("12.5公里", ValueKind::Quantity),
                ("七", ValueKind::Number),
                ("两千", ValueKind::Number),
                ("三百二十", ValueKind::Number),
                ("3.5亿元", ValueKind::Quantity),
            ],
        );
        check(
            "１９８７年三月，三月五日，兩千萬元，３．５公里",
            &[
                ("１９８７年三月", ValueKind::Date),
                ("三月五日", ValueKind::Date),
                ("兩千萬元", ValueKind::Quantity),
                ("３．５公里", ValueKind::Quantity),
            ],
        );
        check("他一直十分高兴，万一不成，也一定再来。", &[]);
    }
}
