//! Two reports side by side: what became better and what broke, question by question.

use super::Report;
use super::paired::Paired;
use super::part::{Method, Part};
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

/// How two reports differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
        report.with_context(|| format!("{place}: expected a report, as `banyan eval SUITE --json` prints it"))
    };
    Ok(compare(&read(before)?, &read(after)?))
}

/// Compares `after` with `before`: sets and methods by name, questions by id. Cost O(values) and the tests.
pub fn compare(before: &Report, after: &Report) -> Comparison {
    let mut comparison = Comparison {
        changes: Vec::new(),
        unmatched: Vec::new(),
    };
    let old: BTreeMap<&str, &Part> = before.parts.iter().map(|part| (part.set.as_str(), part)).collect();
    let new: BTreeSet<&str> = after.parts.iter().map(|part| part.set.as_str()).collect();
    for name in old.keys().filter(|name| !new.contains(*name)) {
        comparison
            .unmatched
            .push(format!("set {name} is in the first report only"));
    }
    for part in &after.parts {
        match old.get(part.set.as_str()) {
            Some(old) => comparison.part(old, part, after.seed),
            None => comparison
                .unmatched
                .push(format!("set {} is in the second report only", part.set)),
        }
    }
    comparison
}

impl Comparison {
    fn part(&mut self, before: &Part, after: &Part, seed: u64) {
        let positions: BTreeMap<&str, usize> = before
            .questions
            .iter()
            .enumerate()
            .map(|(at, one)| (one.id.as_str(), at))
            .collect();
        let matched: Vec<(usize, usize)> = after
            .questions
            .iter()
            .enumerate()
            .filter_map(|(at, one)| Some((*positions.get(one.id.as_str())?, at)))
            .collect();
        for (name, n) in [("first", before.questions.len()), ("second", after.questions.len())] {
            if n > matched.len() {
                let n = n - matched.len();
                self.unmatched.push(format!(
                    "set {}: {n} questions are in the {name} report only",
                    after.set
                ));
            }
        }
        let names: BTreeSet<&String> = before.methods.keys().chain(after.methods.keys()).collect();
        for name in names {
            match (before.methods.get(name), after.methods.get(name)) {
                (Some(old), Some(new)) => self.method(name, after, old, new, &matched, seed),
                (old, _) => {
                    let which = if old.is_some() { "first" } else { "second" };
                    self.unmatched.push(format!(
                        "set {}: method {name} is in the {which} report only",
                        after.set
                    ));
                }
            }
        }
    }

    fn method(&mut self, name: &str, part: &Part, old: &Method, new: &Method, matched: &[(usize, usize)], seed: u64) {
        for (metric, values) in &new.scores {
            let Some(known) = old.scores.get(metric) else {
                self.unmatched.push(format!(
                    "set {}: metric {metric} of {name} is in the second report only",
                    part.set
                ));
                continue;
            };
            let value = |(a, b): &(usize, usize)| Some((*a, *b, known.get(*a).copied()??, values.get(*b).copied()??));
            let rows: Vec<(usize, usize, f64, f64)> = matched.iter().filter_map(value).collect();
            if rows.is_empty() {
                continue;
            }
            let pairs: Vec<(f64, f64)> = rows.iter().map(|(_, _, before, after)| (*after, *before)).collect();
            let mut questions: Vec<Moved> = rows
                .iter()
                .filter(|(_, _, before, after)| (before - after).abs() > 1e-12)
                .map(|(a, b, before, after)| moved(part, old, new, (*a, *b), (*before, *after)))
                .collect();
            questions.sort_by(|a, b| {
                (a.after - a.before)
                    .total_cmp(&(b.after - b.before))
                    .then_with(|| a.id.cmp(&b.id))
            });
            let n = pairs.len() as f64;
            self.changes.push(Change {
                set: part.set.clone(),
                method: name.to_owned(),
                metric: metric.clone(),
                before: pairs.iter().map(|(_, before)| before).sum::<f64>() / n,
                after: pairs.iter().map(|(after, _)| after).sum::<f64>() / n,
                paired: Paired::new(&pairs, seed),
                questions,
            });
        }
    }
}

fn moved(part: &Part, old: &Method, new: &Method, (a, b): (usize, usize), (before, after): (f64, f64)) -> Moved {
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
        assert_eq!(
            change
                .questions
                .iter()
                .map(|moved| moved.id.as_str())
                .collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(
            (change.paired.n, change.paired.n_better, change.paired.n_worse),
            (3, 1, 1)
        );
        assert_eq!(
            comparison.unmatched,
            ["set s: 1 questions are in the first report only"]
        );
        let text = comparison.to_string();
        assert!(text.contains("worse  1.000 → 0.000  a  What is a?  [x → w]"), "{text}");
    }

    #[test]
    fn a_report_is_like_itself() {
        let one = report(&[("a", Some(1.0), "x"), ("b", None, "")]);
        let comparison = compare(&one, &one);
        assert!(comparison.changes[0].questions.is_empty() && comparison.unmatched.is_empty());
        assert_eq!(comparison.to_string(), "1 of 1 figures are the same on every question");
    }
}
