//! Questions over a table that is filled for them (SRAG §3): question → target schema and SQL → documents that can matter
//! → rows → answer from the table alone.
//!
//! | step of the paper | here |
//! |---|---|
//! | query → SQL and schema (§3.1) | [`Planner`]: [`Embedded`] reads the question's own nouns, cues and names, [`ModelPlanner`] asks a model |
//! | which text is read (§3.1) | [`relevant`] |
//! | extraction by the schema (§3.1) | [`Filler`]: the filler of records, or [`ModelFiller`] |
//! | execute, filter, build the table (§3.1) | `Tabulated::table` keeps the columns that the SQL reads |
//! | reasoning over the table (§3.2) | the SQL's result, with the rows that it rests on |
//!
//! # Differs from the paper
//! There a language model reasons over the table. Here the SQL computes the answer, so that nothing but the table can be
//! in it.

mod embedded;
mod filler;
mod model;
mod relevant;

pub use embedded::Embedded;
pub use filler::{FillOptions, ModelFiller};
pub use model::{ModelPlanner, max_calls};
pub use relevant::{MAX_DOCUMENTS, Relevant, relevant};

use crate::aggregate::Asked;
use banyan_engine::Document;
use banyan_engine::llm::LlmError;
use banyan_engine::table::{SqlError, Table, TableSchema};
use serde::Serialize;

/// The table's name in SQL.
pub const TABLE: &str = "records";

/// What a question is to be answered with, before any document is filled in.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Target {
    /// The columns that may be needed.
    pub schema: TableSchema,
    /// The statement, where it is written before the table is filled; the embedded planner writes it after, when it knows
    /// which values there are.
    pub statement: Option<Statement>,
    /// Those of the columns that the question alone names: the documents share none that says the same. They are asked only
    /// where the others do not do.
    pub own: Vec<String>,
    /// Why these columns.
    pub reasons: Vec<String>,
}

/// A statement with the one that tells what it rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// Gives the answer.
    pub sql: String,
    /// Selects the numbers of the rows that it rests on; may be empty.
    pub rows: String,
}

/// A filled table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filled {
    /// A record a document.
    pub table: Table,
    /// What was odd on the way, in words.
    pub notes: Vec<String>,
}

/// A table with the answer that it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The answer.
    pub asked: Asked,
    /// The columns that the statement reads, and those that name a record.
    pub table: Table,
}

/// Who turns a question into a target schema, and a filled table into an answer.
pub trait Planner {
    /// The columns that a question needs; `sample` are some of the documents.
    ///
    /// # Errors
    /// [`TabulateError`] where nobody could be asked.
    fn target(&self, question: &str, sample: &[Document]) -> Result<Target, TabulateError>;

    /// The answer of a filled table.
    ///
    /// # Errors
    /// [`TabulateError`] where a statement was stopped. A question that the table cannot answer is no error but a refusal.
    fn ask(&self, question: &str, target: &Target, filled: Table) -> Result<Planned, TabulateError>;
}

/// Who fills a table from documents.
pub trait Filler {
    /// Who it is, for whoever keeps what it fills.
    fn id(&self) -> String;

    /// A record for each document, in their order.
    ///
    /// # Errors
    /// [`TabulateError`] where nobody could be asked.
    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Filled, TabulateError>;
}

/// Why a table could not be made or asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TabulateError {
    /// The statement was stopped.
    #[error(transparent)]
    Sql(#[from] SqlError),
    /// The model could not be asked.
    #[error(transparent)]
    Llm(#[from] LlmError),
}

/// What came of a question, with all that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabulated {
    /// Which documents were read.
    pub relevant: Relevant,
    /// What was looked for in them.
    pub target: Target,
    /// The answer.
    pub asked: Asked,
    /// The table that it was computed from.
    pub table: Table,
}

/// Answers a question from a table that is filled for it. `documents` are all there are, `ranking` the positions that
/// retrieval found, best first: it decides only where more documents can matter than are read. Cost O(length of the
/// documents read · columns).
///
/// # Errors
/// [`TabulateError`] from planner and filler.
pub fn tabulate(
    question: &str,
    documents: &[Document],
    ranking: &[usize],
    planner: &dyn Planner,
    filler: &dyn Filler,
) -> Result<Tabulated, TabulateError> {
    let mut relevant = relevant(question, documents, ranking);
    let chosen = |relevant: &Relevant| -> Vec<Document> {
        let positions = relevant.documents.iter();
        positions.map(|at| documents[*at].clone()).collect()
    };
    let target = planner.target(question, &chosen(&relevant))?;
    relevant.admit(&target.schema, documents);
    let chosen = chosen(&relevant);
    let Filled { table, notes } = filler.fill(&target.schema, &chosen)?;
    let Planned { mut asked, table } = planner.ask(question, &target, table)?;
    asked.notes.extend(notes);
    Ok(Tabulated {
        relevant,
        target,
        asked,
        table,
    })
}

#[cfg(test)]
mod tests;
