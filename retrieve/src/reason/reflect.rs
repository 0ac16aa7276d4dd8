//! A model's reply to a round of reasoning, checked against the sub-questions and the passages shown.

use super::context::Shown;
use super::inquiry::{Inquiry, MAX_ASKED, MAX_ASSESSMENT};
use super::prompt::MAX_NEXT;
use super::trail::Finding;
use crate::decompose::{SubQuery, step};
use crate::model::{Defect, Defects, field};
use crate::searcher::Searcher;
use banyan_engine::llm::Reply;
use serde_json::Value;
use std::collections::BTreeMap;

/// Most characters of the answer to a sub-question, as the prompt says. Arbitrary.
const MAX_ANSWER: usize = 200;
const FIELDS: &[&str] = &["assessment", "found", "is_sufficient", "next"];

/// What a round came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Reflection {
    pub(super) assessment: String,
    pub(super) found: Vec<Finding>,
    pub(super) is_sufficient: bool,
    pub(super) next: Vec<SubQuery>,
    pub(super) defects: Defects,
}

/// Reads a reply. What cannot be read says nothing: the evidence does not suffice and nothing more is to be asked.
pub(super) fn read(reply: &Reply, searcher: &Searcher, inquiry: &Inquiry, shown: &Shown) -> Reflection {
    let mut result = Reflection::default();
    let Some(entries) = field::entries(reply, FIELDS, &mut result.defects) else {
        return result;
    };
    let line = field::line(entries.get("assessment"));
    if line.chars().count() > MAX_ASSESSMENT {
        result.defects.note(Defect::TooLong);
    }
    result.assessment = line.chars().take(MAX_ASSESSMENT).collect();
    match field::flag(entries.get("is_sufficient")) {
        Some(is_sufficient) => result.is_sufficient = is_sufficient,
        None => result.defects.note(Defect::Empty),
    }
    let mut by_step: BTreeMap<usize, Finding> = BTreeMap::new();
    let list = field::list(entries.get("found"));
    result
        .defects
        .note_many(Defect::TooMany, list.len().saturating_sub(MAX_ASKED));
    for entry in list.iter().take(MAX_ASKED) {
        match finding(entry, searcher, inquiry, shown) {
            Ok(finding) if by_step.contains_key(&finding.step) => result.defects.note(Defect::Repeated),
            Ok(finding) => drop(by_step.insert(finding.step, finding)),
            Err(defect) => result.defects.note(defect),
        }
    }
    result.found = by_step.into_values().collect();
    result.next = next(field::list(entries.get("next")), searcher, inquiry, &mut result.defects);
    result
}

fn finding(entry: &Value, searcher: &Searcher, inquiry: &Inquiry, shown: &Shown) -> Result<Finding, Defect> {
    let step = field::number(entry.get("step")).filter(|step| *step <= inquiry.steps.len());
    let step = step.ok_or(Defect::UnknownStep)?;
    let answer = field::text(entry.get("answer"), MAX_ANSWER)?;
    let passage = field::number(entry.get("passage")).and_then(|number| shown.chunks.get(number - 1));
    let chunk = passage.ok_or(Defect::UnknownPassage)?;
    let knowledge = searcher.knowledge();
    let title = knowledge.document(knowledge.chunk(*chunk).document).title.clone();
    Ok(Finding { step, answer, title })
}

/// The further sub-questions that are valid and not asked already.
fn next(list: &[Value], searcher: &Searcher, inquiry: &Inquiry, defects: &mut Defects) -> Vec<SubQuery> {
    let most = MAX_NEXT.min(MAX_ASKED.saturating_sub(inquiry.steps.len()));
    defects.note_many(Defect::TooMany, list.len().saturating_sub(most));
    let mut steps = inquiry.steps.clone();
    for entry in list.iter().take(most) {
        let numbers: BTreeMap<usize, usize> = (1..=steps.len()).map(|number| (number, number)).collect();
        match step(entry, &searcher.knowledge().schema, &steps, &numbers, defects) {
            Ok(step) => steps.push(step),
            Err(defect) => defects.note(defect),
        }
    }
    steps.split_off(inquiry.steps.len())
}
