//! Literal values in text: dates, numbers, quantities.

use crate::han::is_han;
use crate::record::literal::{Number, days, numbers, unit_of, year_of};
use banyan_engine::Span;
use banyan_engine::schema::ValueKind;

mod han;

/// Digits of a year that stands alone.
const YEAR_DIGITS: usize = 4;
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
/// Years from 1000 to 2199 standing alone are dates; ordinals and numbers inside words are passed over. Numbers may be
/// written in words, in Chinese, too.
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
    let part = sentence.of(text);
    let literal = |span: Span, kind| Literal {
        span: span.moved(sentence.start),
        kind,
    };
    let dates: Vec<Span> = days(part)
        .into_iter()
        .filter(|day| day.year.is_some())
        .map(|day| day.span)
        .collect();
    let mut found: Vec<Literal> = dates.iter().map(|date| literal(*date, ValueKind::Date)).collect();
    let is_free = |number: &Number| dates.iter().all(|date| !date.overlaps(number.span));
    for number in numbers(part).into_iter().filter(is_free) {
        let unit = Some(number.unit).filter(|unit| unit_of(unit.of(part)).is_some());
        if number.is_ordinal || !is_apart(part, number.span, unit) {
            continue;
        }
        let written = number.span.of(part);
        found.push(match unit {
            Some(unit) => literal(number.span.min(unit).to(number.span.max(unit)), ValueKind::Quantity),
            None if written.len() == YEAR_DIGITS && year_of(written).is_some() => literal(number.span, ValueKind::Date),
            // "One of them" counts nothing.
            None if written.eq_ignore_ascii_case("one") => continue,
            None => literal(number.span, ValueKind::Number),
        });
    }
    found.sort_by_key(|literal| literal.span);
    found
}

/// Whether a number is no part of a longer word; its unit may follow at once.
fn is_apart(text: &str, number: Span, unit: Option<Span>) -> bool {
    let before = text[..number.start as usize].chars().next_back();
    let after = text[number.end as usize..].chars().next();
    let joins = |ch: char| ch.is_alphanumeric() || ch == '_';
    let has_unit = unit.is_some_and(|unit| unit.start == number.end);
    !before.is_some_and(|ch| joins(ch) || matches!(ch, '.' | ',' | '-')) && (has_unit || !after.is_some_and(joins))
}

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
        check("the 12th man of B52, one of UTF-8, PHP 5.6.4 at 127.0.0.1", &[]);
        check(
            "Twenty-six kinds, £60 of 16 MiB within two hundred days",
            &[
                ("Twenty-six", ValueKind::Number),
                ("£60", ValueKind::Quantity),
                ("16 MiB", ValueKind::Quantity),
                ("two hundred days", ValueKind::Quantity),
            ],
        );
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
