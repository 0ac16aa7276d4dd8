//! A reply as one object, for whoever asks a model for another form than statements.

use super::json;
use super::repair::{Repair, Repairs};
use super::value::{self, Value};
use super::{Defect, bounded};
use serde_json::Value as Json;

/// The object that a reply is, as plain JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// Its entries by the names that were asked for; a name counts whatever its case and the marks between its words, and
    /// of a repeated name the last entry holds.
    pub entries: serde_json::Map<String, Json>,
    /// What was written wrongly and repaired.
    pub defects: Vec<Defect>,
    /// Whether it breaks off.
    pub is_cut: bool,
}

/// The first object of a reply that has one of the `wanted` names (in `snake_case`), with those entries alone; what stands
/// around it is passed over. `None` where there is none. Total; cost O(length) up to [`super::MAX_BYTES`]. Objects within
/// it keep the keys that they have.
///
/// ```
/// use banyan_extract::reply::object;
///
/// let found = object("Sure: ```json\n{'shortAnswer': 'Teak', \"n\": 3,}\n```", &["short_answer"]).unwrap();
/// assert_eq!(found.entries["short_answer"], "Teak");
/// assert!(!found.defects.is_empty() && !found.is_cut);
/// assert_eq!(object("I would rather not.", &["short_answer"]), None);
/// ```
pub fn object(text: &str, wanted: &[&str]) -> Option<Object> {
    let (bounded, _) = bounded(text);
    let mut before = Repairs::default();
    let answer = json::after_thinking(bounded, &mut before);
    let found = look(answer, wanted, before.clone());
    let outer = || json::values(answer, &mut Repairs::default());
    let nested = |repairs: &Repairs| {
        let mut repairs = repairs.clone();
        repairs.note(Repair::Nested);
        let texts = outer();
        let mut texts = texts.iter().flat_map(Value::json_texts);
        texts.find_map(|inner| look(inner, wanted, repairs.clone()))
    };
    let hidden = |repairs: &Repairs| {
        json::fresh_starts(answer).find_map(|start| {
            let mut repairs = repairs.clone();
            repairs.note_outside(&answer[..start]);
            look(&answer[start..], wanted, repairs)
        })
    };
    found.or_else(|| nested(&before)).or_else(|| hidden(&before))
}

fn look(text: &str, wanted: &[&str], mut repairs: Repairs) -> Option<Object> {
    let values = json::values(text, &mut repairs);
    let found = values.iter().find_map(|value| within(value, wanted))?;
    let entries = wanted.iter().filter_map(|name| {
        let letters = name.replace('_', "");
        Some(((*name).to_owned(), plain(found.field(&[&letters])?)))
    });
    Some(Object {
        entries: entries.collect(),
        is_cut: found.is_cut(),
        defects: repairs.defects(),
    })
}

/// The object with a wanted name: this value, or the one that it wraps as its only entry or item.
fn within<'v>(outer: &'v Value, wanted: &[&str]) -> Option<&'v Value> {
    let inner = match outer {
        Value::Object { entries, .. } => {
            let is_wanted =
                |(key, _): &(String, Value)| wanted.iter().any(|name| value::is_called(key, &name.replace('_', "")));
            if entries.iter().any(is_wanted) {
                return Some(outer);
            }
            let [(_, inner)] = entries.as_slice() else { return None };
            inner
        }
        Value::List { items, .. } => items.first()?,
        _ => return None,
    };
    within(inner, wanted)
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(is_so) => Json::Bool(*is_so),
        Value::Number(digits) => digits
            .parse::<serde_json::Number>()
            .map_or_else(|_| Json::String(digits.clone()), Json::Number),
        Value::Text(text) => Json::String(text.clone()),
        Value::List { items, .. } => Json::Array(items.iter().map(plain).collect()),
        Value::Object { entries, .. } => {
            Json::Object(entries.iter().map(|(key, value)| (key.clone(), plain(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(reply: &str, expected: Option<&Json>) {
        let found = object(reply, &["steps", "is_done"]).map(|found| Json::Object(found.entries));
        assert_eq!(found.as_ref(), expected, "{reply}");
    }

    #[test]
    fn the_object_that_was_asked_for_is_found_wherever_it_stands() {
        let expected = Some(json!({"steps": [{"ask": "who?"}], "is_done": true}));
        for reply in [
            r#"{"steps": [{"ask": "who?"}], "is_done": true}"#,
            r#"<think>{}</think> {"Steps": [{"ask": "who?"}], "isDone": True, "more": 1}"#,
            r#"[note] {"steps": [{"ask": "who?"}], "is_done": true} as you said"#,
            r#"{"result": {"steps": [{"ask": "who?"}], "is_done": true}}"#,
            r#""{\"steps\": [{\"ask\": \"who?\"}], \"is_done\": true}""#,
        ] {
            check(reply, expected.as_ref());
        }
        check("", None);
        check("{}", None);
        check(r#"{"other": 1, "steps_": 2}"#, Some(&json!({"steps": 2})));
        check(&"[".repeat(100_000), None);
    }

    #[test]
    fn an_object_that_breaks_off_says_so() {
        let found = object(r#"{"steps": [{"ask": "who?"}, {"ask": "wh"#, &["steps"]).unwrap();
        assert!(found.is_cut);
    }
}
