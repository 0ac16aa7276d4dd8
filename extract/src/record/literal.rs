//! How texts write values, and one form for each: `1M` = `1,000,000` = `one million`; dates, amounts, units.

mod date;
mod number;
mod unit;

pub use date::{Day, MONTHS, days, year_of};
pub use number::{Number, number_word, numbers};
pub use unit::{Quantity, convert, unit_of};

use banyan_engine::table::{Column, Kind, Value};

/// The value of a kind that `raw` writes, in the column's unit where it has one; `None` where it writes none.
///
/// Cost O(length). Booleans are read from `yes`, `no`, `true`, `false` and the like only.
pub fn read(column: &Column, raw: &str) -> Option<Value> {
    let raw = raw.trim();
    if is_blank(raw) && column.kind != Kind::Boolean {
        return None;
    }
    match column.kind {
        Kind::Text => (!raw.is_empty()).then(|| Value::Text(raw.to_owned())),
        Kind::Integer => {
            let number = in_unit(column, raw)?;
            let rounded = number.round();
            #[expect(
                clippy::cast_possible_truncation,
                reason = "within 2^53, where every whole number is exact"
            )]
            (rounded.abs() < 9e15).then_some(Value::Integer(rounded as i64))
        }
        Kind::Number => in_unit(column, raw).map(Value::Number),
        Kind::Boolean => boolean(raw).map(Value::Boolean),
        Kind::Date => days(raw).first().map(|day| Value::Date(day.iso())),
        Kind::Year => year_of(raw).map(|year| Value::Integer(year.into())),
    }
}

/// Whether it says that there is nothing to say, as forms and tables do.
fn is_blank(raw: &str) -> bool {
    let word = raw.trim_end_matches('.').to_lowercase();
    let says_nothing = [
        "n/a",
        "na",
        "n.a",
        "nil",
        "none",
        "not known",
        "null",
        "tba",
        "tbc",
        "tbd",
        "unknown",
    ];
    !raw.contains(char::is_alphanumeric) || says_nothing.contains(&word.as_str())
}

fn in_unit(column: &Column, raw: &str) -> Option<f64> {
    let number = numbers(raw).into_iter().next()?;
    let wanted = column.unit.as_deref().and_then(unit_of);
    let found = unit_of(number.unit.of(raw));
    match (found, wanted) {
        (Some(found), Some(wanted)) => convert(number.value, found, wanted),
        _ => Some(number.value),
    }
}

/// Yes or no in the words of forms and tables.
pub fn boolean(raw: &str) -> Option<bool> {
    let word = raw.trim().trim_end_matches('.').to_lowercase();
    match word.as_str() {
        "yes" | "true" | "y" | "available" | "included" | "offered" | "provided" | "✓" | "✔" | "✅" | "1" | "on" => {
            Some(true)
        }
        "no" | "false" | "n" | "unavailable" | "not available" | "not offered" | "not included" | "none" | "✗"
        | "✘" | "❌" | "0" | "off" => Some(false),
        _ => None,
    }
}
