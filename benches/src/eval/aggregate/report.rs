//! The report: systems side by side, columns, and every answer given.

use super::align::ColumnFigures;
use super::question::AggregateQuestion;
use super::verdict::{is_match, recall};
use banyan::eval::report::Part;
use banyan_retrieve::aggregate::Asked;
use serde::Serialize;
use std::collections::BTreeMap;

/// The figures of one system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct System {
    /// Share of questions whose answer is the gold one.
    pub answer_match: f64,
    /// Mean share of the gold answer's parts that the answer has.
    pub answer_recall: f64,
    /// Share of questions that were translated into a statement that ran.
    pub sql_valid: f64,
}

/// One answer of one system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scored {
    /// The answer; absent where there was none.
    pub answer: Option<String>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The statement.
    pub sql: String,
    /// Whether the answer is the gold one.
    pub is_match: bool,
    /// Share of the gold answer's parts that it has.
    pub recall: f64,
}

/// One question with all answers given.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Given {
    /// The question's id.
    pub id: String,
    /// What the set calls its shape.
    #[serde(rename = "type")]
    pub kind: String,
    /// The question.
    pub question: String,
    /// The gold answer.
    pub gold: String,
    /// Answers by system.
    #[serde(flatten)]
    pub answers: BTreeMap<String, Scored>,
}

/// All of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Number of documents.
    pub documents: usize,
    /// Figures by system: `gold_schema`, `induced_schema`, `baseline`; `gold_records` is the translator over gold cells,
    /// `srag` a table for each question.
    #[serde(flatten)]
    pub systems: BTreeMap<String, System>,
    /// Accuracy of filled cells by column, under the gold schema.
    pub columns: BTreeMap<String, ColumnFigures>,
    /// The columns that were induced, as `name kind`.
    pub induced_columns: Vec<String>,
    /// Every question.
    pub questions: Vec<Given>,
}

/// Scores the answers of one system, one a question.
pub fn score(questions: &[AggregateQuestion], asked: &[Asked]) -> (System, Vec<Scored>) {
    let scored: Vec<Scored> = questions
        .iter()
        .zip(asked)
        .map(|(question, asked)| {
            let answer = asked.answer.clone().unwrap_or_default();
            let is_given = asked.refusal.is_none();
            Scored {
                is_match: is_given && is_match(&question.answer, &answer),
                recall: if is_given {
                    recall(&question.answer, &answer)
                } else {
                    0.0
                },
                answer: asked.answer.clone(),
                refusal: asked.refusal.clone(),
                sql: asked.sql.clone(),
            }
        })
        .collect();
    let n = scored.len().max(1) as f64;
    let system = System {
        answer_match: scored.iter().filter(|scored| scored.is_match).count() as f64 / n,
        answer_recall: scored.iter().map(|scored| scored.recall).sum::<f64>() / n,
        sql_valid: scored.iter().filter(|scored| !scored.sql.is_empty()).count() as f64 / n,
    };
    (system, scored)
}

impl Report {
    /// The same as one part of a report: a system beside the other, and the accuracy of cells by column.
    pub fn part(&self) -> Part {
        let mut part = Part {
            set: "records".to_owned(),
            ..Part::default()
        };
        part.source.n_documents = self.documents;
        let n = self.questions.len();
        for (name, system) in &self.systems {
            part.total(name, "match", n, system.answer_match);
            part.total(name, "recall", n, system.answer_recall);
            part.total(name, "valid SQL", n, system.sql_valid);
        }
        for (name, figures) in &self.columns {
            part.total(
                "gold_schema",
                &format!("cells of {name}"),
                figures.gold_filled,
                figures.accuracy,
            );
        }
        part
    }
}
