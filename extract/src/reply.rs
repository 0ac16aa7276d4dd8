//! A model's reply to what it states: text to typed values plus defects. Total: no reply makes it fail.
//!
//! ```text
//! text ─► json: tolerant values ─► shape: which object says what about which passage ─► Intake: trimmed, bounded, once
//! ```
//!
//! A reply is data. It is read in one pass over at most [`MAX_BYTES`], with an explicit stack of bounded depth, so that
//! neither its size nor its nesting can cost more than a constant times its length. What was written wrongly is repaired
//! where there is one likely meaning, and counted ([`DefectKind::Syntax`]); where a reply breaks off, complete statements
//! are kept and the open one is dropped.
//!
//! # Shapes
//! The reply that is asked for:
//! ```json
//! {"passages": [{"about": 1,
//!                "attributes": [{"attribute": "release date", "entity": "Teak", "value": "1999"}],
//!                "entities": [{"name": "Teak", "type": "film"}],
//!                "triples": [{"head": "Teak", "relation": "director", "tail": "Mara Voss"}]}],
//!  "proposed_types": {"attributes": [], "entity_types": [], "relations": []}}
//! ```
//! What other prompts and models make of it is read as well: no passages; lists instead of objects; `subject`, `predicate`
//! and `object`; entities by type or types by entity; attributes by entity, as `name: value` or as objects; wrappers
//! around it; several objects in a row; JSON within a JSON string; the reference's `entity_types` and `new_schema_types`.

use crate::stated::{Defect, DefectKind, Intake, Stated};

mod attribute;
mod builder;
mod json;
mod lexeme;
mod object;
mod proposal;
mod repair;
mod shape;
mod statement;
mod triple;
mod value;

#[cfg(test)]
mod tests;

pub use object::{Object, object};
use repair::{Repair, Repairs};

/// Longest reply that is read, in bytes; arbitrary, sixty times the longest that is asked for. The rest is cut off.
pub const MAX_BYTES: usize = 1 << 20;

/// What one reply states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statements {
    /// By passage, in the order of their numbers; what names no passage comes first.
    pub parts: Vec<Part>,
    /// What was wrong with the reply as a whole.
    pub defects: Vec<Defect>,
    /// Whether it breaks off in the middle.
    pub is_cut: bool,
}

/// What a reply states of one passage.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Number of the passage, from 1; `None` where the reply names none.
    pub passage: Option<u32>,
    /// What is said of it.
    pub stated: Stated,
    /// Whether the reply breaks off within this part.
    pub is_cut: bool,
}

impl Statements {
    /// Whether nothing in the reply has a shape that is known. A known shape that states nothing is an answer.
    pub fn is_unusable(&self) -> bool {
        self.parts.is_empty()
    }

    /// Everything stated, of whatever passage, with all defects.
    pub fn together(self) -> Stated {
        let mut intake = Intake::default();
        for defect in self.defects {
            intake.defect(defect.kind, defect.detail);
        }
        for part in self.parts {
            intake.add(part.stated);
        }
        intake.finish()
    }
}

/// Reads a reply about `n_passages` passages, numbered from 1. Cost O(length) up to [`MAX_BYTES`], O(n log n) in its
/// statements. An empty reply gives no parts and a defect.
///
/// ```
/// use banyan_extract::reply::read;
///
/// let reply = "Sure!\n```json\n{'triples': [['Teak', 'director', 'Mara Voss'], ['Teak', 'writer', 'Ad";
/// let statements = read(reply, 1);
/// assert!(statements.is_cut);
/// let stated = statements.together();
/// assert_eq!(stated.triples.len(), 1);
/// assert_eq!(stated.triples[0].tail, "Mara Voss");
/// ```
pub fn read(text: &str, n_passages: u32) -> Statements {
    let (bounded, n_cut) = bounded(text);
    let mut before = Repairs::default();
    let answer = json::after_thinking(bounded, &mut before);
    let (found, repairs) = look(answer, n_passages, before.clone())
        .or_else(|| second_look(answer, n_passages, &before))
        .unwrap_or_else(|| (shape::Parts::new(n_passages), before));
    let mut defects = repairs.defects();
    if n_cut > 0 {
        let detail = format!("{n_cut} bytes beyond the first {MAX_BYTES}");
        defects.push(Defect::new(DefectKind::TooLong, detail));
    }
    if found.is_empty() {
        defects.push(Defect::new(DefectKind::NotJson, bounded.trim()));
    }
    let (parts, unknown, is_cut) = found.finish();
    if is_cut {
        defects.push(Defect::new(DefectKind::Truncated, "the reply"));
    }
    defects.extend(unknown);
    Statements { parts, defects, is_cut }
}

/// The text that is read, and how many bytes are not.
fn bounded(text: &str) -> (&str, usize) {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (&text[..end], text.len() - end)
}

/// Where nothing was found: JSON within strings, and objects that a bracket in the prose before them hides.
fn second_look(text: &str, n_passages: u32, before: &Repairs) -> Option<(shape::Parts, Repairs)> {
    let outer = json::values(text, &mut Repairs::default());
    let within = outer.iter().flat_map(value::Value::json_texts).find_map(|inner| {
        let mut repairs = before.clone();
        repairs.note(Repair::Nested);
        look(inner, n_passages, repairs)
    });
    within.or_else(|| {
        json::fresh_starts(text).find_map(|start| {
            let mut repairs = before.clone();
            repairs.note_outside(&text[..start]);
            look(&text[start..], n_passages, repairs)
        })
    })
}

/// What the values of a text say, if their shape is known; with all repairs.
fn look(text: &str, n_passages: u32, mut repairs: Repairs) -> Option<(shape::Parts, Repairs)> {
    let mut parts = shape::Parts::new(n_passages);
    for value in json::values(text, &mut repairs) {
        parts.read(&value);
    }
    (!parts.is_empty()).then_some((parts, repairs))
}
