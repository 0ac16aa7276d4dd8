//! One of two named things: which is earlier, larger, longer …, or which is what the question says.

use super::Found;
use super::role;
use super::subject::Subject;
use crate::form::QuestionForm;
use crate::form::comparison::{Alternative, Scale};
use crate::question::Question;
use crate::read::Weights;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use std::collections::BTreeSet;

/// The alternative whose value is first on the scale that the question sets; without a scale or values, the one whose
/// documents hold most of what the question says. `None` without two alternatives.
pub(super) fn choose(
    searcher: &Searcher,
    question: &Question,
    form: &QuestionForm,
    weights: &Weights,
) -> Option<Found> {
    let alternatives = &form.alternatives;
    if alternatives.len() < 2 {
        return None;
    }
    let subjects: Vec<Vec<Subject>> = alternatives
        .iter()
        .map(|one| role::subjects(searcher, &question.text, one, weights))
        .collect();
    let by_scale = form.scale.and_then(|(scale, wants_smallest)| {
        let values: Vec<Option<f64>> = subjects
            .iter()
            .map(|of_one| {
                of_one
                    .iter()
                    .find_map(|subject| value(searcher, question, *subject, scale))
            })
            .collect();
        pick(&values, wants_smallest, scale)
    });
    let at = by_scale.unwrap_or_else(|| most_said(searcher, question, alternatives, &subjects));
    Some(Found {
        text: alternatives[at].text.clone(),
        support: subjects
            .iter()
            .filter_map(|of_one| of_one.first().and_then(|subject| subject.opening(searcher)))
            .collect(),
    })
}

/// The position of the extreme value; of a death that no text tells, the person lives on.
fn pick(values: &[Option<f64>], wants_smallest: bool, scale: Scale) -> Option<usize> {
    let lives_on = if scale == Scale::Death { Some(f64::MAX) } else { None };
    let known: Vec<(usize, f64)> = values
        .iter()
        .enumerate()
        .filter_map(|(at, value)| Some((at, value.or(lives_on)?)))
        .collect();
    if known.len() < values.len() || values.iter().all(Option::is_none) {
        return None;
    }
    let order = |a: &&(usize, f64), b: &&(usize, f64)| a.1.total_cmp(&b.1);
    let extreme = if wants_smallest {
        known.iter().min_by(|a, b| order(a, b).then(a.0.cmp(&b.0)))
    } else {
        known.iter().max_by(|a, b| order(a, b).then(b.0.cmp(&a.0)))
    };
    extreme.map(|(at, _)| *at)
}

fn value(searcher: &Searcher, question: &Question, subject: Subject, scale: Scale) -> Option<f64> {
    match scale {
        Scale::Birth => subject.birth(searcher).or_else(|| subject.start(searcher, question)),
        Scale::Death => subject.death(searcher),
        Scale::Life => Some(subject.death(searcher)? - subject.birth(searcher)?),
        Scale::Start => subject.start(searcher, question),
        Scale::Number => subject.measured(searcher, question),
    }
}

/// The alternative whose documents hold most of the question's words that are no names of alternatives.
fn most_said(
    searcher: &Searcher,
    question: &Question,
    alternatives: &[Alternative],
    subjects: &[Vec<Subject>],
) -> usize {
    let names: BTreeSet<String> = alternatives.iter().flat_map(|one| term::terms(&one.text)).collect();
    let said: Vec<&String> = question.terms.iter().filter(|word| !names.contains(*word)).collect();
    let score = |of_one: &Vec<Subject>| -> f32 {
        let held: BTreeSet<String> = of_one.iter().flat_map(|subject| subject.terms(searcher)).collect();
        said.iter()
            .filter(|word| held.contains(**word))
            .map(|word| searcher.passages().idf(word))
            .sum()
    };
    let scores: Vec<f32> = subjects.iter().map(score).collect();
    (0..scores.len())
        .max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extreme_value_wins_and_the_living_outlive() {
        assert_eq!(pick(&[Some(3.0), Some(2.0)], true, Scale::Start), Some(1));
        assert_eq!(pick(&[Some(3.0), Some(2.0)], false, Scale::Start), Some(0));
        assert_eq!(pick(&[Some(3.0), None], true, Scale::Start), None);
        assert_eq!(pick(&[None, Some(2.0)], true, Scale::Death), Some(1));
        assert_eq!(pick(&[None, None], true, Scale::Death), None);
        assert_eq!(pick(&[Some(1.0), Some(1.0)], true, Scale::Birth), Some(0));
    }
}
