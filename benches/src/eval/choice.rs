//! Choices against labels: accuracy, F1 of each class, and cross-validation.

use banyan_retrieve::classify::{Classifier, Example};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Parts of a cross-validation.
const N_FOLDS: usize = 5;

/// Figures of one classifier on a labelled set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// How the choices were made.
    pub method: String,
    /// Questions.
    pub questions: usize,
    /// Share chosen as labelled.
    pub accuracy: f64,
    /// Mean F1 of the classes that are labelled.
    pub macro_f1: f64,
    /// Each class.
    pub classes: BTreeMap<String, Class>,
    /// How often what is labelled so was chosen as what.
    pub confusion: BTreeMap<String, BTreeMap<String, usize>>,
}

/// Figures of one class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Class {
    /// Questions labelled so.
    pub questions: usize,
    /// Share of what was chosen so that is labelled so.
    pub precision: f64,
    /// Share of what is labelled so that was chosen so.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

impl Report {
    /// The figures of `(label, choice)` pairs.
    pub fn new(method: impl Into<String>, pairs: &[(String, String)]) -> Self {
        let mut confusion: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for (label, chosen) in pairs {
            *confusion
                .entry(label.clone())
                .or_default()
                .entry(chosen.clone())
                .or_default() += 1;
        }
        let labels: BTreeSet<&String> = pairs.iter().map(|(label, _)| label).collect();
        let classes: BTreeMap<String, Class> = labels
            .into_iter()
            .map(|label| (label.clone(), Class::new(label, pairs)))
            .collect();
        let n_right = pairs.iter().filter(|(label, chosen)| label == chosen).count();
        Self {
            method: method.into(),
            questions: pairs.len(),
            accuracy: ratio(n_right, pairs.len()),
            macro_f1: classes.values().map(|class| class.f1).sum::<f64>() / classes.len().max(1) as f64,
            classes,
            confusion,
        }
    }

    /// The choices of `classifier` on `examples`, whose vectors are of `embedder`.
    pub fn of(method: &str, classifier: &Classifier, examples: &[Example], embedder: &str) -> Self {
        Self::new(method, &choices(classifier, examples.iter(), embedder))
    }

    /// Five-fold cross-validation: each fifth of the examples, every fifth in their order, is chosen by weights fitted to
    /// the others.
    pub fn cross_validated(examples: &[Example], embedder: &str) -> Self {
        let fold = |held: usize| {
            let is_held = move |at: &usize| at % N_FOLDS == held;
            let rest: Vec<Example> = (0..examples.len())
                .filter(|at| !is_held(at))
                .map(|at| examples[at].clone())
                .collect();
            let held = (0..examples.len()).filter(is_held).map(|at| &examples[at]);
            choices(&Classifier::fit(&rest, embedder), held, embedder)
        };
        let pairs: Vec<(String, String)> = (0..N_FOLDS).flat_map(fold).collect();
        Self::new("cross-validated", &pairs)
    }
}

fn choices<'a>(
    classifier: &Classifier,
    examples: impl Iterator<Item = &'a Example>,
    embedder: &str,
) -> Vec<(String, String)> {
    let choose = |example: &Example| {
        let vector = example.vector.as_deref().map(|vector| (embedder, vector));
        let choice = classifier.choose(&example.text, vector);
        (
            example.class.clone(),
            choice.map_or_else(String::new, |choice| choice.class),
        )
    };
    examples.map(choose).collect()
}

impl Class {
    fn new(label: &String, pairs: &[(String, String)]) -> Self {
        let questions = pairs.iter().filter(|pair| pair.0 == *label).count();
        let chosen = pairs.iter().filter(|pair| pair.1 == *label).count();
        let both = pairs.iter().filter(|pair| pair.0 == *label && pair.1 == *label).count();
        Self {
            questions,
            precision: ratio(both, chosen),
            recall: ratio(both, questions),
            f1: ratio(2 * both, questions + chosen),
        }
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} questions, accuracy {:.3}, macro F1 {:.3}",
            self.method, self.questions, self.accuracy, self.macro_f1
        )?;
        writeln!(
            f,
            "  {:<12} {:>9} {:>6} {:>6} {:>6}  chosen as",
            "class", "questions", "P", "R", "F1"
        )?;
        let row = |(name, class): (&String, &Class)| {
            let chosen = self.confusion.get(name).into_iter().flatten();
            let chosen: Vec<String> = chosen.map(|(as_what, n)| format!("{as_what} {n}")).collect();
            let Class {
                questions,
                precision,
                recall,
                f1,
            } = class;
            format!(
                "  {name:<12} {questions:>9} {precision:>6.3} {recall:>6.3} {f1:>6.3}  {}",
                chosen.join(", ")
            )
        };
        f.write_str(&self.classes.iter().map(row).collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_and_f1_are_counted() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let report = Report::new("m", &[pair("x", "x"), pair("x", "y"), pair("y", "y"), pair("y", "y")]);
        assert!((report.accuracy - 0.75).abs() < 1e-12);
        assert!((report.classes["x"].f1 - 2.0 / 3.0).abs() < 1e-12);
        assert!((report.classes["y"].precision - 2.0 / 3.0).abs() < 1e-12);
        assert!((report.macro_f1 - f64::midpoint(2.0 / 3.0, 0.8)).abs() < 1e-12);
        assert_eq!(report.confusion["x"]["y"], 1);
        assert_eq!(Report::new("m", &[]).questions, 0);
    }

    #[test]
    fn cross_validation_judges_every_question_once_by_others() {
        let example = |at: usize| Example {
            text: if at.is_multiple_of(2) { "how many" } else { "why" }.to_owned(),
            vector: None,
            class: if at.is_multiple_of(2) { "table" } else { "chunk" }.to_owned(),
        };
        let report = Report::cross_validated(&(0..40).map(example).collect::<Vec<_>>(), "none");
        assert_eq!((report.questions, report.accuracy), (40, 1.0));
    }
}
