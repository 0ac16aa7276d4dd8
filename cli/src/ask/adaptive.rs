//! `banyan query --method schemarag`: a question over several documents, by structures chosen for it.

use super::{Asking, Reply};
use banyan_retrieve::adaptive::Adaptive;
use banyan_retrieve::{Answer, Citation, Evidence, Expected, Question};

/// Citations of the whole answer. Arbitrary, as for tables.
const MAX_ALL_CITATIONS: usize = 20;

/// The reply that the root's findings make; none of them is no answer.
pub(super) fn reply(question: &Question, adaptive: &Adaptive, asking: &Asking<'_>) -> Reply {
    let found = adaptive.lines();
    let texts: Vec<&str> = found.iter().map(|line| line.text.as_str()).collect();
    let mut citations: Vec<Citation> = Vec::new();
    for citation in found.iter().flat_map(|line| &line.citations) {
        if !citations.contains(citation) {
            citations.push(citation.clone());
        }
    }
    citations.truncate(MAX_ALL_CITATIONS);
    Reply {
        question: question.text.clone(),
        mode: asking.mode,
        evidence: Evidence::default(),
        answer: Answer {
            text: (!citations.is_empty()).then(|| texts.join("; ")),
            expected: Expected::Any,
            sufficiency: if citations.is_empty() { 0.0 } else { 1.0 },
            is_rejected: false,
            citations,
            history: Vec::new(),
        },
        points: Vec::new(),
        trail: None,
    }
}
