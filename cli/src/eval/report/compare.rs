//! Two reports side by side: what became better and what broke, question by question.

use super::Report;
use super::figure::Paired;
use super::part::{Method, Part};
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

/// How two reports differ.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// A line a set, method and metric that both have.
    pub changes: Vec<Change>,
    /// What only one of the two has: sets, methods, questions.
    pub unmatched: Vec<String>,
}

/// What became of a figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The set.
    pub set: String,
    /// The method.
    pub method: String,
    /// The metric.
    pub metric: String,
    /// Mean of the first report over the questions that count in both.
    pub before: f64,
    /// Mean of the second over them.
    pub after: f64,
    /// The second against the first.
    #[serde(flatten)]
    pub paired: Paired,
    /// Questions whose value changed, worse ones first.
    pub questions: Vec<Moved>,
}

/// A question whose value changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moved {
    /// The set's id of it.
    pub id: String,
    /// The question.
    pub question: String,
    /// Its value in the first report.
    pub before: f64,
    /// Its value in the second.
    pub after: f64,
    /// The first report's answer, where the method gives one.
    pub answer_before: Option<String>,
    /// The second's.
    pub answer_after: Option<String>,
}

/// How the report in the file `after` differs from that in `before`.
///
/// # Errors
/// When one cannot be read, or is none.
pub fn files(before: &Path, after: &Path) -> Result<Comparison> {
    let read = |file: &Path| -> Result<Report> {
        let place = file.display();
        let text = fs::read_to_string(file).with_context(|| format!("{place}: cannot read"))?;
        let report = serde_json::from_str(&text);
        report.with_context(|| format!("{place}: expected a report, as `banyan eval … --json` prints it"))
    };
    Ok(compare(&read(before)?, &read(after)?))
}

/// Compares `after` with `before`: sets and methods by name, questions by id. Cost O(values) and the tests.
pub fn compare(before: &Report, after: &Report) -> Comparison {
    let by_set = |report: &'_ Report| -> BTreeMap<String, Part> {
        let parts = report.parts.iter();
        parts.map(|part| (part.set.clone(), part.clone())).collect()
    };
    let mut comparison = Comparison::default();
    let (old, new) = (by_set(before), by_set(after));
    for (set, old, new) in comparison.both("set", &old, &new) {
        comparison.part(&set, old, new, after.seed);
    }
    comparison
}

impl Comparison {
    /// What both have under one name; what only one has is said.
    fn both<'a, T>(
        &mut self,
        what: &str,
        old: &'a BTreeMap<String, T>,
        new: &'a BTreeMap<String, T>,
    ) -> Vec<(String, &'a T, &'a T)> {
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let mut both = Vec::new();
        for name in names {
            match (old.get(name), new.get(name)) {
                (Some(old), Some(new)) => both.push((name.clone(), old, new)),
                (old, _) => self.only(&format!("{what} {name} is"), old.is_some()),
            }
        }
        both
    }

    fn only(&mut self, what: &str, is_first: bool) {
        let which = if is_first { "first" } else { "second" };
        self.unmatched.push(format!("{what} in the {which} report only"));
    }

    fn part(&mut self, set: &str, before: &Part, after: &Part, seed: u64) {
        let positions: BTreeMap<&str, usize> = before.questions.iter().map(|one| one.id.as_str()).zip(0..).collect();
        let matched: Vec<(usize, usize)> = (after.questions.iter().zip(0..))
            .filter_map(|(one, at)| Some((*positions.get(one.id.as_str())?, at)))
            .collect();
        for (part, is_first) in [(before, true), (after, false)] {
            let n = part.questions.len() - matched.len();
            if n > 0 {
                self.only(&format!("set {set}: {n} questions are"), is_first);
            }
        }
        let what = format!("set {set}: method");
        for (method, old, new) in self.both(&what, &before.methods, &after.methods) {
            let what = format!("set {set}: {method}'s metric");
            for (metric, known, values) in self.both(&what, &old.scores, &new.scores) {
                let value = |(a, b): &(usize, usize)| {
                    let values = (known.get(*a).copied()??, values.get(*b).copied()??);
                    Some(((*a, *b), values))
                };
                let rows: Vec<_> = matched.iter().filter_map(value).collect();
                if rows.is_empty() {
                    continue;
                }
                let moved = rows.iter().filter(|(_, (a, b))| (a - b).abs() > 1e-12);
                let mut questions: Vec<Moved> = moved
                    .map(|(at, values)| moved_of(after, old, new, *at, *values))
                    .collect();
                questions.sort_by(|a, b| {
                    let change = |one: &Moved| one.after - one.before;
                    change(a).total_cmp(&change(b)).then_with(|| a.id.cmp(&b.id))
                });
                let n = rows.len() as f64;
                let pairs: Vec<(f64, f64)> = rows.iter().map(|(_, (before, after))| (*after, *before)).collect();
                self.changes.push(Change {
                    set: set.to_owned(),
                    method: method.clone(),
                    metric,
                    before: pairs.iter().map(|(_, before)| before).sum::<f64>() / n,
                    after: pairs.iter().map(|(after, _)| after).sum::<f64>() / n,
                    paired: Paired::new(&pairs, seed),
                    questions,
                });
            }
        }
    }
}

fn moved_of(part: &Part, old: &Method, new: &Method, (a, b): (usize, usize), (before, after): (f64, f64)) -> Moved {
    Moved {
        id: part.questions[b].id.clone(),
        question: part.questions[b].text.clone(),
        before,
        after,
        answer_before: old.answers.get(a).cloned().flatten(),
        answer_after: new.answers.get(b).cloned().flatten(),
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_same = |change: &&Change| change.questions.is_empty();
        for change in self.changes.iter().filter(|change| !is_same(change)) {
            let Change {
                set,
                method,
                metric,
                before,
                after,
                paired,
                ..
            } = change;
            writeln!(
                f,
                "{set} {method} {metric}: {before:.3} → {after:.3} ({:+.3}, +{} −{} of {}, p {:.4})",
                paired.difference, paired.n_better, paired.n_worse, paired.n, paired.p
            )?;
            for moved in &change.questions {
                let arrow = if moved.after < moved.before { "worse " } else { "better" };
                write!(
                    f,
                    "  {arrow} {:.3} → {:.3}  {}  {}",
                    moved.before, moved.after, moved.id, moved.question
                )?;
                if moved.answer_before != moved.answer_after {
                    let text = |answer: &Option<String>| answer.clone().unwrap_or_else(|| "no answer".to_owned());
                    write!(f, "  [{} → {}]", text(&moved.answer_before), text(&moved.answer_after))?;
                }
                writeln!(f)?;
            }
        }
        for line in &self.unmatched {
            writeln!(f, "not compared: {line}")?;
        }
        let n = self.changes.iter().filter(is_same).count();
        write!(
            f,
            "{n} of {} figures are the same on every question",
            self.changes.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::part::Asked;
    use super::*;

    fn report(values: &[(&str, Option<f64>, &str)]) -> Report {
        let method = Method {
            scores: BTreeMap::from([("em".to_owned(), values.iter().map(|(_, value, _)| *value).collect())]),
            answers: values.iter().map(|(_, _, answer)| Some((*answer).to_owned())).collect(),
            confidence: Vec::new(),
        };
        let asked = |id: &str| Asked {
            id: id.to_owned(),
            text: format!("What is {id}?"),
            ..Asked::default()
        };
        Report {
            parts: vec![Part {
                set: "s".to_owned(),
                questions: values.iter().map(|(id, ..)| asked(id)).collect(),
                methods: BTreeMap::from([("banyan".to_owned(), method)]),
                ..Part::default()
            }],
            ..Report::default()
        }
    }

    #[test]
    fn questions_are_matched_by_id_and_the_broken_come_first() {
        let before = report(&[
            ("a", Some(1.0), "x"),
            ("b", Some(0.0), "y"),
            ("c", Some(1.0), "z"),
            ("gone", Some(1.0), ""),
        ]);
        let after = report(&[("b", Some(1.0), "Y"), ("a", Some(0.0), "w"), ("c", Some(1.0), "z")]);
        let comparison = compare(&before, &after);
        let change = &comparison.changes[0];
        let ids: Vec<&str> = change.questions.iter().map(|moved| moved.id.as_str()).collect();
        assert_eq!(ids, ["a", "b"]);
        let Paired {
            n, n_better, n_worse, ..
        } = change.paired;
        assert_eq!((n, n_better, n_worse), (3, 1, 1));
        assert_eq!(
            comparison.unmatched,
            ["set s: 1 questions are in the first report only"]
        );
        let text = comparison.to_string();
        assert!(text.contains("worse  1.000 → 0.000  a  What is a?  [x → w]"), "{text}");
        let same = compare(&after, &after);
        assert!(same.changes[0].questions.is_empty() && same.unmatched.is_empty());
        assert_eq!(same.to_string(), "1 of 1 figures are the same on every question");
    }
}
