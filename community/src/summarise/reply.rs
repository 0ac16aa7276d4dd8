//! A model's reply to texts: read strictly, one defect counted for each thing that cannot be used.

use super::SummaryText;
use serde_json::Value;
use std::collections::BTreeMap;

/// Most characters of a name, as the prompt says.
const MAX_NAME: usize = 80;
/// Most characters of a summary, as the prompt says.
const MAX_SUMMARY: usize = 400;
/// Longest reply that is read, in bytes; a text of each of the most communities of a call takes a tenth. Arbitrary.
const MAX_REPLY: usize = 1 << 20;

/// Why a part of a reply is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SummaryDefect {
    /// The call failed: there is no reply.
    Failed,
    /// The reply is no JSON object with a list of communities.
    Unreadable,
    /// An entry is about a number that was not asked about.
    Unknown,
    /// An entry is about a number that there was an entry about before.
    Repeated,
    /// Name or summary is empty or no text.
    Empty,
    /// Name or summary is longer than asked for.
    TooLong,
}

impl SummaryDefect {
    /// In a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "call failed",
            Self::Unreadable => "reply is no list of summaries",
            Self::Unknown => "about nothing that was asked",
            Self::Repeated => "about the same twice",
            Self::Empty => "without a text",
            Self::TooLong => "longer than asked for",
        }
    }
}

/// The texts of a reply about `n` communities; what stands around the object is passed over. Cost O(length).
pub(super) fn read(reply: &str, n: usize, defects: &mut BTreeMap<SummaryDefect, usize>) -> Vec<Option<SummaryText>> {
    let mut texts = vec![None; n];
    let mut is_seen = vec![false; n];
    let mut note = |defect| *defects.entry(defect).or_default() += 1;
    let Some(entries) = entries(reply) else {
        note(SummaryDefect::Unreadable);
        return texts;
    };
    for entry in &entries {
        let about = entry.get("about").and_then(Value::as_u64);
        let place = about.and_then(|about| usize::try_from(about).ok()?.checked_sub(1));
        let Some(place) = place.filter(|place| *place < n) else {
            note(SummaryDefect::Unknown);
            continue;
        };
        if std::mem::replace(&mut is_seen[place], true) {
            note(SummaryDefect::Repeated);
            continue;
        }
        let text = text(entry, "name", MAX_NAME).and_then(|name| {
            let summary = text(entry, "summary", MAX_SUMMARY)?;
            Ok(SummaryText { name, summary })
        });
        match text {
            Ok(text) => texts[place] = Some(text),
            Err(defect) => note(defect),
        }
    }
    texts
}

/// The list in the outermost object of the reply.
fn entries(reply: &str) -> Option<Vec<Value>> {
    if reply.len() > MAX_REPLY {
        return None;
    }
    let object = reply.get(reply.find('{')?..=reply.rfind('}')?)?;
    let mut value: Value = serde_json::from_str(object).ok()?;
    match value.get_mut("communities")?.take() {
        Value::Array(entries) => Some(entries),
        _ => None,
    }
}

/// A field as one line of text.
fn text(entry: &Value, field: &str, max: usize) -> Result<String, SummaryDefect> {
    let raw = entry.get(field).and_then(Value::as_str).ok_or(SummaryDefect::Empty)?;
    let is_shown = |ch: &char| !ch.is_control() || ch.is_whitespace();
    let plain: String = raw.chars().filter(is_shown).collect();
    let text = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() {
        0 => Err(SummaryDefect::Empty),
        n if n > max => Err(SummaryDefect::TooLong),
        _ => Ok(text),
    }
}
