//! Figures of records: cells against gold cells, answers against gold answers.

use super::{Generated, Kind};
use crate::eval::aggregate::is_match;
use anyhow::Result;
use banyan_engine::table::{Database, Limits, Table, Value};
use banyan_engine::{Document, Origin};
use banyan_retrieve::aggregate::{Catalogue, ask};

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Cells of one kind of column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// Cells that the page states.
    pub n_gold: usize,
    /// Cells that were filled. A `no` where the page says nothing is not counted.
    pub n_filled: usize,
    /// Filled cells that are as the page states them.
    pub n_right: usize,
}

/// What became of questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Answers that are the gold one.
    pub n_right: usize,
    /// Other answers.
    pub n_wrong: usize,
    /// Questions that were refused.
    pub n_refused: usize,
}

/// The pages as documents, in their order.
pub fn documents(made: &Generated) -> Vec<Document> {
    let document = |(page, record): (&String, &banyan_engine::table::Record)| {
        let origin = Origin {
            file: record.title.clone(),
            record: None,
            line: None,
        };
        Document::new(record.title.clone(), page.clone(), origin)
    };
    made.pages.iter().zip(&made.gold.records).map(document).collect()
}

/// Compares a filled table with the gold one, column by column in their common order, by the kind of column. Cost
/// O(cells).
pub fn cells(gold: &Table, filled: &Table) -> BTreeMap<String, Cells> {
    let mut figures: BTreeMap<String, Cells> = BTreeMap::new();
    for (at, column) in gold.schema.columns.iter().enumerate().skip(1) {
        let own = figures.entry(column.kind.to_string()).or_default();
        for (gold, filled) in gold.column(at).zip(filled.column(at)) {
            let is_unsaid_no = gold.value.is_null() && filled.value == Value::Boolean(false);
            let is_filled = !filled.value.is_null() && !is_unsaid_no;
            let is_right = is_filled && is_match(&gold.value.to_string(), &filled.value.to_string());
            own.n_gold += usize::from(!gold.value.is_null());
            own.n_filled += usize::from(is_filled);
            own.n_right += usize::from(is_right);
        }
    }
    figures
}

/// Asks all questions over a table.
///
/// # Errors
/// Where the table cannot be loaded, or a statement of ours is refused.
pub fn answers(made: &Generated, table: &Table) -> Result<Answers> {
    let (catalogue, database) = (Catalogue::new(table), Database::new(std::slice::from_ref(table))?);
    let mut figures = Answers::default();
    for question in &made.questions {
        let asked = ask(&question.question, &catalogue, table, &database, Limits::default())?;
        match asked.answer.filter(|_| asked.refusal.is_none()) {
            Some(answer) if is_match(&question.answer, &answer) => figures.n_right += 1,
            Some(_) => figures.n_wrong += 1,
            None => figures.n_refused += 1,
        }
    }
    Ok(figures)
}

/// The figures of one kind of page.
#[derive(Clone, Debug)]
pub struct Report {
    name: String,
    n_pages: usize,
    /// Cells by the kind of column, the gold columns given.
    pub cells: BTreeMap<String, Cells>,
    /// Answers over gold records, over filled ones, and over those of induced columns; of the last none where no columns
    /// were found.
    pub answers: [(&'static str, Option<Answers>); 3],
    n_induced: usize,
}

impl Report {
    /// Fills the gold columns and induced ones, and asks the questions over each.
    ///
    /// # Errors
    /// As [`answers`].
    pub fn new(name: &str, kind: &Kind, made: &Generated) -> Result<Self> {
        use banyan_extract::record::{fill, induce};
        let documents = documents(made);
        let filled = fill(&kind.schema(), &documents);
        let induced = induce(&documents, &[], &kind.table).into_iter().next();
        let of_induced = induced.as_ref().map(|schema| answers(made, &fill(schema, &documents)));
        Ok(Self {
            name: name.to_owned(),
            n_pages: documents.len(),
            cells: cells(&made.gold, &filled),
            answers: [
                ("gold records", Some(answers(made, &made.gold)?)),
                ("columns given", Some(answers(made, &filled)?)),
                ("columns induced", of_induced.transpose()?),
            ],
            n_induced: induced.map_or(0, |schema| schema.columns.len()),
        })
    }
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} pages, {} columns induced",
            self.name, self.n_pages, self.n_induced
        )?;
        writeln!(
            f,
            "  {:<16} {:>6} {:>7} {:>6} {:>10} {:>9}",
            "cells", "gold", "filled", "right", "precision", "coverage"
        )?;
        let mut all = Cells::default();
        for own in self.cells.values() {
            all.n_gold += own.n_gold;
            all.n_filled += own.n_filled;
            all.n_right += own.n_right;
        }
        for (kind, own) in self
            .cells
            .iter()
            .map(|(kind, own)| (kind.as_str(), own))
            .chain([("all", &all)])
        {
            let (precision, coverage) = (share(own.n_right, own.n_filled), share(own.n_right, own.n_gold));
            let Cells {
                n_gold,
                n_filled,
                n_right,
            } = own;
            writeln!(
                f,
                "  {kind:<16} {n_gold:>6} {n_filled:>7} {n_right:>6} {precision:>10.3} {coverage:>9.3}"
            )?;
        }
        writeln!(f, "  {:<16} {:>6} {:>7} {:>6}", "answers", "right", "refused", "wrong")?;
        for (name, answers) in &self.answers {
            match answers {
                Some(Answers {
                    n_right,
                    n_wrong,
                    n_refused,
                }) => {
                    writeln!(f, "  {name:<16} {n_right:>6} {n_refused:>7} {n_wrong:>6}")?;
                }
                None => writeln!(f, "  {name:<16} no columns")?,
            }
        }
        Ok(())
    }
}
