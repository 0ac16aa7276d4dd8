//! A model's reply to a round of reasoning, checked against the sub-questions and the passages shown.

use super::context::{Shown, body};
use super::inquiry::{Inquiry, MAX_ASKED, MAX_ASSESSMENT};
use super::prompt::MAX_NEXT;
use super::trail::Finding;
use crate::decompose::{Step, SubQuery, step};
use crate::question::Expected;
use crate::searcher::Searcher;
use banyan_engine::ChunkId;
use banyan_engine::index::term;
use banyan_engine::llm::Asked;
use banyan_engine::stated::{DefectCounts, DefectKind};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Most characters of the answer to a sub-question, as the prompt says. Arbitrary.
const MAX_ANSWER: usize = 200;

/// The reply. What it does not say is not so: the evidence does not suffice and nothing more is to be asked.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Reasoning {
    #[serde(default)]
    assessment: String,
    #[schemars(length(max = MAX_ASKED))]
    found: Vec<Found>,
    #[serde(default)]
    is_sufficient: bool,
    next: Vec<Step>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Found {
    #[schemars(length(min = 1, max = MAX_ANSWER))]
    answer: String,
    #[serde(default)]
    passage: usize,
    #[serde(default)]
    step: usize,
}

/// What a round came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Reflection {
    pub(super) assessment: String,
    pub(super) found: Vec<Finding>,
    pub(super) is_sufficient: bool,
    pub(super) next: Vec<SubQuery>,
    pub(super) defects: DefectCounts,
}

pub(super) fn read(asked: Asked<Reasoning>, searcher: &Searcher, inquiry: &Inquiry, shown: &Shown) -> Reflection {
    let mut defects = DefectCounts::default();
    let reply = asked.counted(&mut defects).unwrap_or_default();
    if reply.assessment.chars().count() > MAX_ASSESSMENT {
        defects.note(DefectKind::TooLong, 1);
    }
    let mut by_step: BTreeMap<usize, Finding> = BTreeMap::new();
    for found in reply.found {
        match finding(found, searcher, inquiry, shown) {
            Ok(finding) if by_step.contains_key(&finding.step) => defects.note(DefectKind::Duplicate, 1),
            Ok(finding) => drop(by_step.insert(finding.step, finding)),
            Err(defect) => defects.note(defect, 1),
        }
    }
    Reflection {
        assessment: reply.assessment.chars().take(MAX_ASSESSMENT).collect(),
        found: by_step.into_values().collect(),
        is_sufficient: reply.is_sufficient,
        next: next(&reply.next, searcher, inquiry, &mut defects),
        defects,
    }
}

/// An answer to a sub-question, whose words all stand in the passage named for it, or in another one that was shown.
fn finding(found: Found, searcher: &Searcher, inquiry: &Inquiry, shown: &Shown) -> Result<Finding, DefectKind> {
    if !(1..=inquiry.steps.len()).contains(&found.step) {
        return Err(DefectKind::UnknownReference);
    }
    let named = shown.chunk(found.passage).ok_or(DefectKind::UnknownPassage)?;
    let is_yes_or_no = inquiry.steps[found.step - 1].expected == Expected::YesNo;
    let answer: BTreeSet<String> = term::terms(&found.answer).into_iter().collect();
    let says =
        |chunk: &ChunkId| is_yes_or_no || answer.is_subset(&term::terms(&body(searcher, *chunk)).into_iter().collect());
    // Models mix up the numbers of passages.
    let mut passages = std::iter::once(named).chain(shown.chunks.iter().copied());
    let chunk = passages.find(says).ok_or(DefectKind::NotInText)?;
    let knowledge = searcher.knowledge();
    Ok(Finding {
        step: found.step,
        answer: found.answer,
        title: knowledge.document(knowledge.chunk(chunk).document).title.clone(),
    })
}

/// The further sub-questions that are valid and not asked already.
fn next(entries: &[Step], searcher: &Searcher, inquiry: &Inquiry, defects: &mut DefectCounts) -> Vec<SubQuery> {
    let most = MAX_NEXT.min(MAX_ASKED.saturating_sub(inquiry.steps.len()));
    defects.note(DefectKind::TooMany, entries.len().saturating_sub(most));
    let mut steps = inquiry.steps.clone();
    for entry in entries.iter().take(most) {
        let numbers: BTreeMap<usize, usize> = (1..=steps.len()).map(|number| (number, number)).collect();
        match step(entry, &searcher.knowledge().schema, &steps, &numbers, defects) {
            Ok(step) if inquiry.repeats(&step) => defects.note(DefectKind::Duplicate, 1),
            Ok(step) => steps.push(step),
            Err(defect) => defects.note(defect, 1),
        }
    }
    steps.split_off(inquiry.steps.len())
}
