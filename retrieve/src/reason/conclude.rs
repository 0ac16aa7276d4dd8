//! A model's reply with the answer: bounded, and every quote checked against the passages that were shown.

use super::context::Shown;
use super::{ReasonError, Task, quote};
use crate::answer::{Answer, Citation, Expected, Mode, cite, nearest};
use crate::evidence::Evidence;
use banyan_engine::llm::{Reply, Role};
use banyan_engine::stated::{DefectCounts, DefectKind};
use banyan_engine::{ChunkId, Span};
use schemars::JsonSchema;
use serde::Deserialize;

/// Most characters of an answer, as the prompt says. Arbitrary.
const MAX_ANSWER: usize = 600;
/// Most citations of an answer, as the prompt says. Arbitrary.
const MAX_CITATIONS: usize = 4;
/// Characters of a reply that an error shows.
const MAX_EXCERPT: usize = 80;

/// The reply.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AnswerReply {
    #[schemars(length(max = MAX_CITATIONS))]
    citations: Vec<Quoted>,
    is_answered: bool,
    #[serde(default)]
    short_answer: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Quoted {
    #[serde(default)]
    passage: usize,
    #[schemars(length(min = 1))]
    quote: String,
}

/// The answer of a reply about `shown`, over all `evidence`; a refusal where the reply says that it does not answer. A
/// quote that stands in no passage is dropped and counted.
///
/// # Errors
/// [`ReasonError::Unusable`] where the reply holds no such object, or none that says whether it answers.
pub(super) fn read(
    role: &Role<AnswerReply>,
    reply: &Reply,
    task: &Task<'_>,
    shown: &Shown,
    evidence: &Evidence,
    defects: &mut DefectCounts,
) -> Result<Answer, ReasonError> {
    let Some(answered) = role.read(reply).counted(defects) else {
        return Err(ReasonError::Unusable {
            expected: "`citations`, `is_answered` and `short_answer`",
            found: reply.text.trim().chars().take(MAX_EXCERPT).collect(),
        });
    };
    let line = answered.short_answer;
    if answered.is_answered && line.is_empty() {
        defects.note(DefectKind::EmptyName, 1);
    }
    if line.chars().count() > MAX_ANSWER {
        defects.note(DefectKind::TooLong, 1);
    }
    let text: String = line.chars().take(MAX_ANSWER).collect();
    let text = Some(text).filter(|text| answered.is_answered && !text.is_empty());
    let (sufficiency, near) = nearest(task.searcher, task.question, evidence, task.embedder)?;
    let citations = match text {
        Some(_) => citations(&answered.citations, task, shown, defects),
        None => near,
    };
    Ok(Answer {
        likeliest: None,
        is_rejected: text.is_none() && task.mode == Mode::Reject,
        text,
        expected: Expected::of(&task.question.text, &task.searcher.knowledge().schema),
        sufficiency,
        citations,
        history: Vec::new(),
    })
}

fn citations(quoted: &[Quoted], task: &Task<'_>, shown: &Shown, defects: &mut DefectCounts) -> Vec<Citation> {
    let mut found: Vec<Citation> = Vec::new();
    for entry in quoted {
        match citation(entry, task, shown, defects) {
            Ok(citation) if found.contains(&citation) => defects.note(DefectKind::Duplicate, 1),
            Ok(citation) => found.push(citation),
            Err(defect) => defects.note(defect, 1),
        }
    }
    found
}

/// A quote from the passage that it names, or from another one that was shown: models mix up the numbers of passages.
fn citation(
    entry: &Quoted,
    task: &Task<'_>,
    shown: &Shown,
    defects: &mut DefectCounts,
) -> Result<Citation, DefectKind> {
    let knowledge = task.searcher.knowledge();
    let place = |chunk: ChunkId| Some((chunk, quote::place(knowledge.chunk_text(chunk), &entry.quote)?));
    let named = shown.chunk(entry.passage);
    let (chunk, place) = if let Some(found) = named.and_then(place) {
        found
    } else {
        let elsewhere = shown.chunks.iter().copied().find_map(place);
        let defect = named.map_or(DefectKind::UnknownPassage, |_| DefectKind::NotInText);
        let found = elsewhere.ok_or(defect)?;
        defects.note(DefectKind::UnknownPassage, 1);
        found
    };
    let start = knowledge.chunk(chunk).span.start;
    let span = Span {
        start: start + place.start,
        end: start + place.end,
    };
    Ok(cite(task.searcher, chunk, span))
}
