//! Figures of records: cells against gold cells, answers against gold answers.

use super::{Generated, Kind};
use crate::aggregate::is_match;
use anyhow::Result;
use banyan::eval::report::Part;
use banyan_engine::table::{Database, Limits, Record, Table, Value};
use banyan_engine::{Document, Origin};
use banyan_extract::record::{fill, induce};
use banyan_retrieve::aggregate::{Catalogue, ask};
use std::collections::BTreeMap;

/// Cells of one kind of column.
#[derive(Clone, Copy, Debug, Default)]
struct Cells {
    /// Cells that the page states.
    gold: usize,
    /// Cells that were filled. A `no` where the page says nothing is not counted.
    filled: usize,
    /// Filled cells that are as the page states them.
    right: usize,
}

/// Fills the gold columns and induced ones and asks the questions over each: cells by kind of column, the gold columns given,
/// and what became of the questions over gold records, filled ones, and those of induced columns.
///
/// # Errors
/// Where a table cannot be loaded, or a statement of ours is refused.
pub fn parts(name: &str, kind: &Kind, made: &Generated) -> Result<Vec<Part>> {
    let part = |what: &str| {
        let mut part = Part {
            set: format!("{name}: {what}"),
            ..Part::default()
        };
        part.source.n_documents = made.pages.len();
        part
    };
    let documents = documents(made);
    let filled = fill(&kind.schema(), &documents);
    let (mut of_cells, mut of_answers) = (part("cells"), part("answers"));
    for (kind, Cells { gold, filled, right }) in cells(&made.gold, &filled) {
        let share = |whole: usize| right as f64 / whole.max(1) as f64;
        of_cells.total(&kind, "filled", gold, filled as f64);
        of_cells.total(&kind, "right", gold, right as f64);
        of_cells.total(&kind, "precision", gold, share(filled));
        of_cells.total(&kind, "coverage", gold, share(gold));
    }
    answers(&mut of_answers, "gold records", made, &made.gold)?;
    answers(&mut of_answers, "columns given", made, &filled)?;
    if let Some(schema) = induce(&documents, &[], &kind.table).first() {
        let n = schema.columns.len();
        answers(
            &mut of_answers,
            &format!("{n} columns induced"),
            made,
            &fill(schema, &documents),
        )?;
    }
    Ok(vec![of_cells, of_answers])
}

/// The pages as documents, in their order.
fn documents(made: &Generated) -> Vec<Document> {
    let document = |(page, record): (&String, &Record)| {
        let origin = Origin {
            file: record.title.clone(),
            record: None,
            line: None,
        };
        Document::new(record.title.clone(), page.clone(), origin)
    };
    made.pages.iter().zip(&made.gold.records).map(document).collect()
}

/// Compares a filled table with the gold one, column by column in their common order, by the kind of column and all together.
/// Cost O(cells).
fn cells(gold: &Table, filled: &Table) -> BTreeMap<String, Cells> {
    let mut figures: BTreeMap<String, Cells> = BTreeMap::new();
    for (at, column) in gold.schema.columns.iter().enumerate().skip(1) {
        for (gold, filled) in gold.column(at).zip(filled.column(at)) {
            let is_unsaid_no = gold.value.is_null() && filled.value == Value::Boolean(false);
            let is_filled = !filled.value.is_null() && !is_unsaid_no;
            let is_right = is_filled && is_match(&gold.value.to_string(), &filled.value.to_string());
            for kind in [column.kind.to_string(), "all".to_owned()] {
                let own = figures.entry(kind).or_default();
                own.gold += usize::from(!gold.value.is_null());
                own.filled += usize::from(is_filled);
                own.right += usize::from(is_right);
            }
        }
    }
    figures
}

/// Asks all questions over a table, and sets down how many answers are the gold one, other ones, or none.
fn answers(part: &mut Part, method: &str, made: &Generated, table: &Table) -> Result<()> {
    let (catalogue, database) = (Catalogue::new(table), Database::new(std::slice::from_ref(table))?);
    let (mut n_right, mut n_wrong, mut n_refused) = (0_u32, 0_u32, 0_u32);
    for question in &made.questions {
        let asked = ask(&question.question, &catalogue, table, &database, Limits::default())?;
        match asked.answer.filter(|_| asked.refusal.is_none()) {
            Some(answer) if is_match(&question.answer, &answer) => n_right += 1,
            Some(_) => n_wrong += 1,
            None => n_refused += 1,
        }
    }
    for (metric, n) in [("right", n_right), ("refused", n_refused), ("wrong", n_wrong)] {
        part.total(method, metric, made.questions.len(), n.into());
    }
    Ok(())
}
