//! The fields of a reply: read strictly, after the reply as a whole was read with tolerance.

use super::{Defect, Defects};
use banyan_engine::llm::{Finish, Reply};
use banyan_extract::reply;
use serde_json::{Map, Value};

/// The entries of a reply with these names; `None` where there is no such object. What was wrong with the reply as a whole
/// is counted.
pub(crate) fn entries(reply: &Reply, wanted: &[&str], defects: &mut Defects) -> Option<Map<String, Value>> {
    let found = reply::object(&reply.text, wanted);
    let Some(found) = found else {
        defects.note(Defect::Unreadable);
        return None;
    };
    defects.note_many(Defect::Repaired, found.defects.len());
    if found.is_cut || reply.finish == Finish::Length {
        defects.note(Defect::Cut);
    }
    Some(found.entries)
}

/// A text as one line without control characters; empty where there is none.
pub(crate) fn line(value: Option<&Value>) -> String {
    let raw = value.and_then(Value::as_str).unwrap_or_default();
    let shown = raw.chars().filter(|ch| !ch.is_control() || ch.is_whitespace());
    shown
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// A text of 1 to `max` characters as one line.
pub(crate) fn text(value: Option<&Value>, max: usize) -> Result<String, Defect> {
    let line = line(value);
    match line.chars().count() {
        0 => Err(Defect::Empty),
        n if n > max => Err(Defect::TooLong),
        _ => Ok(line),
    }
}

/// A number from 1, also where it is written as a text with a word or a mark before it ("#2", "passage 2").
pub(crate) fn number(value: Option<&Value>) -> Option<usize> {
    let number = match value? {
        Value::Number(number) => usize::try_from(number.as_u64()?).ok()?,
        Value::String(text) => {
            let digits = text.trim_start_matches(|ch: char| !ch.is_ascii_digit());
            digits.trim().parse().ok()?
        }
        _ => return None,
    };
    (number > 0).then_some(number)
}

/// The items of a list; none where there is no list.
pub(crate) fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_are_one_bounded_line() {
        let check = |value: Value, expected| assert_eq!(text(Some(&value), 5), expected, "{value}");
        check(json!(" a\n\u{7}b "), Ok("a b".to_owned()));
        check(json!("ninety"), Err(Defect::TooLong));
        check(json!("\n"), Err(Defect::Empty));
        check(json!(7), Err(Defect::Empty));
        assert_eq!(text(None, 5), Err(Defect::Empty));
    }

    #[test]
    fn numbers_may_be_written_as_words() {
        let check = |value: Value, expected| assert_eq!(number(Some(&value)), expected, "{value}");
        check(json!(2), Some(2));
        check(json!("#2"), Some(2));
        check(json!("passage 12"), Some(12));
        check(json!(0), None);
        check(json!(-1), None);
        check(json!([1]), None);
    }
}
