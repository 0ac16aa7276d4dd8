//! The sub-questions of a question and what is known of each.

use super::trail::Finding;
use crate::decompose::{Decomposition, SubQuery};

/// Most sub-questions in all rounds. Arbitrary: a plan of six and two more for each of five rounds.
pub(super) const MAX_ASKED: usize = 16;
/// Most characters of an assessment that later rounds are told. Arbitrary, as the prompt says.
pub(super) const MAX_ASSESSMENT: usize = 600;

/// Sub-questions, their answers, and what was thought: the history H that the next prompt shows.
#[derive(Clone, Debug)]
pub(super) struct Inquiry {
    pub(super) steps: Vec<SubQuery>,
    /// Of each step.
    answers: Vec<Option<Finding>>,
    is_asked: Vec<bool>,
    assessments: Vec<String>,
}

impl Inquiry {
    pub(super) fn new(plan: &Decomposition) -> Self {
        Self {
            answers: vec![None; plan.steps.len()],
            is_asked: vec![false; plan.steps.len()],
            steps: plan.steps.clone(),
            assessments: Vec::new(),
        }
    }

    /// Positions of the steps that were not asked and need no answer that is missing, ascending.
    pub(super) fn open(&self) -> Vec<usize> {
        let is_ready = |step: &SubQuery| step.depends_on.iter().all(|needed| self.answers[needed - 1].is_some());
        let steps = self.steps.iter().enumerate();
        let open = steps.filter(|(at, step)| !self.is_asked[*at] && is_ready(step));
        open.map(|(at, _)| at).collect()
    }

    /// The words of a step with the answers that it needs.
    pub(super) fn filled(&self, at: usize) -> String {
        let answers: Vec<Option<&str>> = self
            .answers
            .iter()
            .map(|answer| answer.as_ref().map(|found| found.answer.as_str()))
            .collect();
        self.steps[at].filled(&answers)
    }

    /// Notes that passages were sought for a step.
    pub(super) fn ask(&mut self, at: usize) {
        self.is_asked[at] = true;
    }

    /// Notes what a round came to. A later answer to a step takes the place of an earlier one: that is reflection.
    pub(super) fn learn(&mut self, assessment: &str, found: &[Finding], next: Vec<SubQuery>) {
        for finding in found {
            self.answers[finding.step - 1] = Some(finding.clone());
        }
        for step in next {
            self.steps.push(step);
            self.answers.push(None);
            self.is_asked.push(false);
        }
        if !assessment.is_empty() {
            self.assessments.push(assessment.to_owned());
        }
    }

    /// All of it in lines: sub-questions with their answers, then what was thought.
    pub(super) fn notes(&self) -> Vec<String> {
        let steps = (1..)
            .zip(self.steps.iter().zip(&self.answers))
            .map(|(number, (step, answer))| {
                let answer = match answer {
                    Some(Finding { answer, title, .. }) => format!("{answer} (from: {title})"),
                    None if self.is_asked[number - 1] => "not found yet".to_owned(),
                    None => "not asked yet".to_owned(),
                };
                format!("#{number} {} = {answer}", step.text)
            });
        let thoughts = (1..)
            .zip(&self.assessments)
            .map(|(number, thought)| format!("round {number}: {thought}"));
        steps.chain(thoughts).collect()
    }
}
