//! Two reports side by side: what became better and what broke, question by question.

use super::Report;
use super::figure::Paired;
use crate::corpus;
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
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
        let text = corpus::text(file)?;
        let report = serde_json::from_str(&text);
        report.with_context(|| format!("{place}: expected a report, as `banyan eval … --json` prints it"))
    };
    Ok(compare(&read(before)?, &read(after)?))
}

/// Compares `after` with `before`: sets and methods by name, questions by id. Cost O(values) and the tests.
pub fn compare(before: &Report, after: &Report) -> Comparison {
    let (old, new) = (values(before), values(after));
    let mut unmatched = BTreeSet::new();
    for (these, those, which) in [(&old, &new, "first"), (&new, &old, "second")] {
        for key in these.keys() {
            let is_missing = |depth: &usize| !those.keys().any(|other| other[..*depth] == key[..*depth]);
            if let Some(depth) = (1..=key.len()).find(is_missing) {
                unmatched.insert(format!("{} is in the {which} report only", key[..depth].join(" ")));
            }
        }
    }
    let mut changes = Vec::new();
    for (key @ [set, method, metric], known) in &old {
        let Some(values) = new.get(key) else {
            continue;
        };
        for (these, those, which) in [(known, values, "first"), (values, known, "second")] {
            let n = these.keys().filter(|id| !those.contains_key(*id)).count();
            if n > 0 {
                unmatched.insert(format!(
                    "{}: {n} questions are in the {which} report only",
                    key.join(" ")
                ));
            }
        }
        let both = known.iter().filter_map(|(id, old)| Some((*id, old, values.get(id)?)));
        let mut rows: Vec<(&str, &Outcome<'_>, &Outcome<'_>)> = both.collect();
        rows.sort_by_key(|(_, _, new)| new.at);
        let pairs: Vec<(f64, f64)> = rows.iter().map(|(_, old, new)| (new.value, old.value)).collect();
        let moved = rows
            .iter()
            .filter(|(_, old, new)| (new.value - old.value).abs() > 1e-12);
        let mut questions: Vec<Moved> = moved
            .map(|(id, old, new)| Moved {
                id: (*id).to_owned(),
                question: new.question.to_owned(),
                before: old.value,
                after: new.value,
                answer_before: old.answer.cloned(),
                answer_after: new.answer.cloned(),
            })
            .collect();
        let change = |one: &Moved| one.after - one.before;
        questions.sort_by(|a, b| change(a).total_cmp(&change(b)).then_with(|| a.id.cmp(&b.id)));
        let n = rows.len() as f64;
        if !rows.is_empty() {
            changes.push(Change {
                set: (*set).to_owned(),
                method: (*method).to_owned(),
                metric: (*metric).to_owned(),
                before: pairs.iter().map(|(_, before)| before).sum::<f64>() / n,
                after: pairs.iter().map(|(after, _)| after).sum::<f64>() / n,
                paired: Paired::new(&pairs, after.seed),
                questions,
            });
        }
    }
    Comparison {
        changes,
        unmatched: unmatched.into_iter().collect(),
    }
}

/// What a method made of a question.
struct Outcome<'a> {
    at: usize,
    value: f64,
    question: &'a str,
    answer: Option<&'a String>,
}

/// The values of a report by set, method and metric, and then by the question's id.
fn values(report: &Report) -> BTreeMap<[&str; 3], BTreeMap<&str, Outcome<'_>>> {
    let mut values: BTreeMap<[&str; 3], BTreeMap<&str, Outcome<'_>>> = BTreeMap::new();
    for part in &report.parts {
        for (name, method) in &part.methods {
            for metric in method.scores.keys() {
                let own = method.values(metric).filter_map(|(at, value)| {
                    let asked = part.questions.get(at)?;
                    let outcome = Outcome {
                        at,
                        value,
                        question: &asked.text,
                        answer: method.answers.get(at).and_then(Option::as_ref),
                    };
                    Some((asked.id.as_str(), outcome))
                });
                values.insert([&part.set, name, metric], own.collect());
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::super::part::{Asked, Method, Part};
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
            ["s banyan em: 1 questions are in the first report only"]
        );
        let same = compare(&after, &after);
        assert!(same.changes[0].questions.is_empty() && same.unmatched.is_empty());
    }
}
