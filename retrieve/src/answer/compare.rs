//! One of two named things: which is earlier, larger, longer …, or which is what the question says.

use super::Found;
use super::alternative::{Alternative, alternatives};
use super::role;
use super::subject::Subject;
use crate::question::{Question, expected, is_among};
use crate::read::Weights;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use std::collections::BTreeSet;

const SMALLEST: &str = "earlier earliest first older oldest elder eldest";
const LARGEST: &str = "later latest newer newest last recently recent younger youngest";
const MORE: &str = "bigger biggest deeper farther further greater heavier higher highest larger largest longer \
    longest more most taller tallest wider";
const LESS: &str = "fewer less lighter lower nearer shallower shorter smaller smallest";

/// What is set against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Birth,
    Death,
    Life,
    Start,
    Number,
}

pub(super) fn is_choice(question: &str) -> bool {
    let lower = question.to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or_default();
    let asks = ["which", "who", "what", "whose", "between", "where", "out"]
        .iter()
        .any(|word| lower.contains(word));
    asks && !expected::is_auxiliary(first)
        && (lower.contains(" or ")
            || (scale(question).is_some() && (lower.contains("between ") || lower.contains("out of "))))
}

/// The alternative whose value is first on the scale that the question sets; without a scale or values, the one whose
/// documents hold most of what the question says. `None` without two alternatives.
pub(super) fn choose(searcher: &Searcher, question: &Question, weights: &Weights) -> Option<Found> {
    let alternatives = alternatives(searcher, &question.text);
    if alternatives.len() < 2 {
        return None;
    }
    let subjects: Vec<Vec<Subject>> = alternatives
        .iter()
        .map(|one| role::subjects(searcher, &question.text, one, weights))
        .collect();
    let by_scale = scale(&question.text).and_then(|(scale, wants_smallest)| {
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
    let at = by_scale.unwrap_or_else(|| most_said(searcher, question, &alternatives, &subjects));
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

/// What to compare by, and whether the smallest value wins.
fn scale(question: &str) -> Option<(Scale, bool)> {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|ch: char| !ch.is_alphabetic())
        .filter(|word| !word.is_empty())
        .collect();
    let has = |list: &str| words.iter().any(|word| is_among(list, word));
    let is_life = has("lived live life") && has("longer longest shorter");
    if is_life {
        return Some((Scale::Life, has("shorter")));
    }
    let kind = if has("died death die") {
        Scale::Death
    } else if has("born older oldest younger youngest elder eldest birth") {
        Scale::Birth
    } else {
        Scale::Start
    };
    match () {
        () if has(SMALLEST) => Some((kind, true)),
        () if has(LARGEST) => Some((kind, false)),
        () if has(MORE) => Some((Scale::Number, false)),
        () if has(LESS) => Some((Scale::Number, true)),
        () => None,
    }
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
    fn a_choice_needs_alternatives() {
        assert!(is_choice("Which opened first, Tidd Bridge or Ansay Pier?"));
        assert!(!is_choice("Which opened first?"));
        assert!(!is_choice("Is it Tidd or Ansay?"));
        assert_eq!(scale("Who is older?"), Some((Scale::Birth, true)));
        assert_eq!(scale("Who lived longer?"), Some((Scale::Life, false)));
        assert_eq!(scale("Which film came out later?"), Some((Scale::Start, false)));
        assert_eq!(scale("Which river is longer?"), Some((Scale::Number, false)));
        assert_eq!(scale("Which is it?"), None);
    }

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
