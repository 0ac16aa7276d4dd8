//! A model's reply with the answer: bounded, and every quote checked against the passage that it names.

use super::context::Shown;
use super::{ReasonError, Task, quote};
use crate::answer::{Answer, Citation, Expected, Mode, cite, nearest};
use crate::evidence::Evidence;
use crate::model::{Defect, Defects, field};
use banyan_engine::Span;
use banyan_engine::llm::Reply;
use serde_json::Value;

/// Most characters of an answer, as the prompt says. Arbitrary.
const MAX_ANSWER: usize = 600;
/// Most citations of an answer, as the prompt says. Arbitrary.
const MAX_CITATIONS: usize = 4;
/// Characters of a reply that an error shows.
const MAX_EXCERPT: usize = 80;
const FIELDS: &[&str] = &["citations", "is_answered", "short_answer"];

/// The answer of a reply about `shown`, over all `evidence`; a refusal where the reply says that it does not answer. A quote
/// that does not stand in its passage is dropped and counted.
///
/// # Errors
/// [`ReasonError::Unusable`] where the reply holds no such object, or none that says whether it answers.
pub(super) fn read(
    reply: &Reply,
    task: &Task<'_>,
    shown: &Shown,
    evidence: &Evidence,
    defects: &mut Defects,
) -> Result<Answer, ReasonError> {
    let unusable = || ReasonError::Unusable {
        expected: "`citations`, `is_answered` and `short_answer`",
        found: reply.text.trim().chars().take(MAX_EXCERPT).collect(),
    };
    let entries = field::entries(reply, FIELDS, defects).ok_or_else(unusable)?;
    let line = field::line(entries.get("short_answer"));
    let is_answered = field::flag(entries.get("is_answered")).ok_or_else(unusable)?;
    if is_answered && line.is_empty() {
        defects.note(Defect::Empty);
    }
    if line.chars().count() > MAX_ANSWER {
        defects.note(Defect::TooLong);
    }
    let text: String = line.chars().take(MAX_ANSWER).collect();
    let text = Some(text).filter(|text| is_answered && !text.is_empty());
    let (sufficiency, near) = nearest(task.searcher, task.question, evidence);
    let citations = match text {
        Some(_) => citations(field::list(entries.get("citations")), task, shown, defects),
        None => near,
    };
    Ok(Answer {
        is_rejected: text.is_none() && task.mode == Mode::Reject,
        text,
        expected: Expected::of(&task.question.text, &task.searcher.knowledge().schema),
        sufficiency,
        citations,
        history: Vec::new(),
    })
}

fn citations(list: &[Value], task: &Task<'_>, shown: &Shown, defects: &mut Defects) -> Vec<Citation> {
    defects.note_many(Defect::TooMany, list.len().saturating_sub(MAX_CITATIONS));
    let mut found: Vec<Citation> = Vec::new();
    for entry in list.iter().take(MAX_CITATIONS) {
        match citation(entry, task, shown) {
            Ok(citation) if found.contains(&citation) => defects.note(Defect::Repeated),
            Ok(citation) => found.push(citation),
            Err(defect) => defects.note(defect),
        }
    }
    found
}

fn citation(entry: &Value, task: &Task<'_>, shown: &Shown) -> Result<Citation, Defect> {
    let passage = field::number(entry.get("passage")).and_then(|number| shown.chunks.get(number - 1));
    let chunk = *passage.ok_or(Defect::UnknownPassage)?;
    let quote = field::line(entry.get("quote"));
    if quote.is_empty() {
        return Err(Defect::Empty);
    }
    let knowledge = task.searcher.knowledge();
    let place = quote::place(knowledge.chunk_text(chunk), &quote).ok_or(Defect::NotVerbatim)?;
    let start = knowledge.chunk(chunk).span.start;
    let span = Span {
        start: start + place.start,
        end: start + place.end,
    };
    Ok(cite(task.searcher, chunk, span))
}
