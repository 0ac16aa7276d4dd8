//! The sub-questions of a question and what is known of each.

use super::trail::Finding;
use crate::decompose::{Decomposition, SubQuery};
use banyan_engine::index::term;

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

    /// Positions of the steps that are to be asked, ascending: those that need no answer that is still sought.
    pub(super) fn open(&self) -> Vec<usize> {
        // What a round did not find keeps nobody waiting: it stands in its own words in what needs it.
        let is_settled = |needed: &usize| self.answers[needed - 1].is_some() || self.is_asked[needed - 1];
        let steps = self.steps.iter().enumerate();
        let open = steps.filter(|(at, step)| !self.is_asked[*at] && step.depends_on.iter().all(is_settled));
        open.map(|(at, _)| at).collect()
    }

    /// The words of a step with the answers that it needs; what was asked and not found stands in its own words.
    pub(super) fn filled(&self, at: usize) -> String {
        let mut texts: Vec<Option<String>> = Vec::new();
        for (number, step) in self.steps[..at].iter().enumerate() {
            let known: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
            texts.push(match &self.answers[number] {
                Some(found) => Some(found.answer.clone()),
                None if self.is_asked[number] => Some(step.filled(&known).trim_end_matches('?').to_owned()),
                None => None,
            });
        }
        let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        self.steps[at].filled(&texts)
    }

    /// Notes that passages were sought for a step.
    pub(super) fn ask(&mut self, at: usize) {
        self.is_asked[at] = true;
    }

    /// Notes what a round came to. A later answer to a step takes the place of an earlier one: that is reflection, and what
    /// rested on the earlier one is asked again.
    pub(super) fn learn(&mut self, assessment: &str, found: &[Finding], next: Vec<SubQuery>) {
        for finding in found {
            let known = self.answers[finding.step - 1].replace(finding.clone());
            let is_new = known.is_none_or(|known| known.answer.to_lowercase() != finding.answer.to_lowercase());
            if is_new {
                self.forget(finding.step, found);
            }
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

    /// Has the steps asked again that need this one, and those that need them, but for what was just found.
    fn forget(&mut self, number: usize, found: &[Finding]) {
        for at in number..self.steps.len() {
            let is_found = found.iter().any(|finding| finding.step == at + 1);
            if self.steps[at].depends_on.contains(&number) && self.is_asked[at] && !is_found {
                self.is_asked[at] = false;
                if self.answers[at].take().is_some() {
                    self.forget(at + 1, found);
                }
            }
        }
    }

    /// Whether a step asks for what another one asks for, in other words of the same terms.
    pub(super) fn repeats(&self, step: &SubQuery) -> bool {
        let own = term::distinct(&step.text);
        let says = |text: &str| own == term::distinct(text);
        (0..self.steps.len()).any(|at| says(&self.steps[at].text) || says(&self.filled(at)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_engine::Schema;

    fn inquiry(texts: &[&str]) -> Inquiry {
        let schema = Schema::general().unwrap();
        let steps = texts
            .iter()
            .enumerate()
            .map(|(n, text)| SubQuery::read(text, n, &schema));
        Inquiry::new(&Decomposition {
            steps: steps.collect(),
            ..Decomposition::whole("", &schema)
        })
    }

    fn finding(step: usize, answer: &str) -> Finding {
        Finding {
            step,
            answer: answer.to_owned(),
            title: String::new(),
        }
    }

    #[test]
    fn what_rests_on_a_corrected_answer_is_asked_again() {
        let mut inquiry = inquiry(&[
            "Who performed Teak?",
            "Where was #1 born?",
            "Who leads #2?",
            "When did Teak appear?",
        ]);
        (0..4).for_each(|at| inquiry.ask(at));
        inquiry.learn(
            "",
            &[
                finding(1, "Mara Voss"),
                finding(2, "Tidd"),
                finding(3, "Reed"),
                finding(4, "1901"),
            ],
            Vec::new(),
        );
        assert!(inquiry.open().is_empty());
        inquiry.learn("", &[finding(1, "Ada Quill")], Vec::new());
        assert_eq!(
            (inquiry.open(), inquiry.filled(1)),
            (vec![1], "Where was Ada Quill born?".to_owned())
        );
        inquiry.learn("", &[finding(4, "1901")], Vec::new());
        assert_eq!(inquiry.open(), [1]);
    }

    #[test]
    fn what_was_not_found_keeps_nobody_waiting_and_repeats_are_noticed() {
        let mut inquiry = inquiry(&["Who performed Teak?", "Where was #1 born?"]);
        assert_eq!(inquiry.open(), [0]);
        inquiry.ask(0);
        inquiry.learn("", &[], Vec::new());
        assert_eq!(
            (inquiry.open(), inquiry.filled(1)),
            (vec![1], "Where was Who performed Teak born?".to_owned())
        );
        let schema = Schema::general().unwrap();
        assert!(inquiry.repeats(&SubQuery::read("who has performed Teak", 2, &schema)));
        assert!(!inquiry.repeats(&SubQuery::read("Who wrote Teak?", 2, &schema)));
    }
}
