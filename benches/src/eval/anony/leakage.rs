//! How much of what is answered right comes from memory: the same questions with names and with tags, with passages and
//! without.

use super::answer::Given;
use super::item::Item;
use super::report::correct;
use banyan::eval::metric::Mean;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// What was answered under one condition, parallel to the questions.
pub struct Answers {
    /// With passages, by mode.
    pub retrieved: BTreeMap<String, Vec<Given>>,
    /// Openly, without any passage.
    pub closed: Vec<Given>,
}

/// Figures of one corpus.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Condition {
    /// Mean correctness with passages, by mode.
    pub modes: BTreeMap<String, Mean>,
    /// Mean correctness without any passage.
    pub closed_book: Mean,
}

/// The same questions over both corpora. Correctness is 0 or 1 of a choice and F1 of a reversion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Leakage {
    /// The set, by its directory.
    pub set: String,
    /// Who answered.
    pub answerer: String,
    /// Questions.
    pub questions: usize,
    /// With the original names.
    pub plain: Condition,
    /// With tags.
    pub anonymised: Condition,
    /// What names alone bring without a passage: closed book with names less closed book with tags, question by question.
    pub remembered: Mean,
    /// What passages bring where nothing can be remembered: tags, open, with passages less without.
    pub retrieved: Mean,
    /// What is lost by tags with passages, by mode: memory that passes for retrieval, and whatever else names help with.
    pub gap: BTreeMap<String, Mean>,
}

impl Leakage {
    /// Compares the answers to `plain` questions with those to the same questions with tags; all lists run in parallel.
    pub fn new(
        set: String,
        answerer: String,
        questions: (&[Item], &[Item]),
        plain: &Answers,
        anonymised: &Answers,
        seed: u64,
    ) -> Self {
        let (named, tagged) = questions;
        let right = |items: &[Item], given: &[Given]| -> Vec<f64> {
            items
                .iter()
                .zip(given)
                .map(|(item, given)| correct(item, given))
                .collect()
        };
        let less = |a: &[f64], b: &[f64]| Mean::of(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>(), seed);
        let condition = |items: &[Item], answers: &Answers| Condition {
            modes: (answers.retrieved.iter())
                .map(|(mode, given)| (mode.clone(), Mean::of(&right(items, given), seed)))
                .collect(),
            closed_book: Mean::of(&right(items, &answers.closed), seed),
        };
        let closed = right(tagged, &anonymised.closed);
        let open = anonymised
            .retrieved
            .values()
            .next()
            .map_or_else(Vec::new, |given| right(tagged, given));
        let gaps = plain.retrieved.iter().zip(&anonymised.retrieved);
        Self {
            set,
            answerer,
            questions: named.len(),
            plain: condition(named, plain),
            anonymised: condition(tagged, anonymised),
            remembered: less(&right(named, &plain.closed), &closed),
            retrieved: less(&open, &closed),
            gap: gaps
                .map(|((mode, a), (_, b))| (mode.clone(), less(&right(named, a), &right(tagged, b))))
                .collect(),
        }
    }
}

impl Display for Leakage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mean = |mean: &Mean| format!("{:.3} [{:.3}, {:.3}]", mean.value, mean.interval.0, mean.interval.1);
        writeln!(f, "{}: {} questions · {}", self.set, self.questions, self.answerer)?;
        for (name, condition) in [("names", &self.plain), ("tags", &self.anonymised)] {
            let modes = condition
                .modes
                .iter()
                .map(|(mode, value)| format!("{mode} {}", mean(value)));
            let modes: Vec<String> = modes.collect();
            writeln!(
                f,
                "  {name:<6} {}, without passages {}",
                modes.join(", "),
                mean(&condition.closed_book)
            )?;
        }
        for (mode, value) in &self.gap {
            writeln!(f, "  lost by tags, {mode}: {}", mean(value))?;
        }
        write!(
            f,
            "remembered {}, retrieved {}",
            mean(&self.remembered),
            mean(&self.retrieved)
        )
    }
}
