//! Records of a store's documents: filled once, kept beside the store, asked many times.

use crate::progress::Progress;
use anyhow::Result;
use banyan_engine::Document;
use banyan_engine::store::Derived;
use banyan_engine::table::{Database, Kind, Limits, Table, TableSchema};
use banyan_extract::record::{fill, induce};
use banyan_retrieve::aggregate::{Asked, Catalogue, Coverage, ask, coverage};
use banyan_retrieve::tabulate::TABLE;
use std::sync::Mutex;

/// Columns beside names that documents have to share to be records of one kind. Measured: corpora of unlike articles
/// (musique100, hotpot100, 2wiki51, data/harrow, data/notes) share one at most, pages of one kind (worldcup, generated
/// hotels) more than twenty.
const LEAST_COLUMNS: usize = 3;
/// What a kept table is called in the store.
const NAME: &str = "records";

/// A filled table, ready to be asked.
pub(super) struct Records {
    pub(super) table: Table,
    pub(super) catalogue: Catalogue,
    database: Mutex<Database>,
}

impl Records {
    /// The records of these documents; `None` where the documents share no columns. Whether they look like records of one
    /// kind at all is for [`has_shape`] to say. Kept tables are taken, new ones are kept.
    pub(super) fn open(documents: &[Document], derived: &Derived, progress: Progress) -> Result<Option<Self>> {
        let Some(schema) = induce(documents, &[], TABLE).into_iter().next() else {
            return Ok(None);
        };
        let key = serde_json::to_string(&(env!("CARGO_PKG_VERSION"), &schema))?;
        let kept: Option<Table> = derived.get(NAME, &key);
        let is_kept = kept.is_some();
        let table = kept.unwrap_or_else(|| fill(&schema, documents));
        if !is_kept && let Err(error) = derived.keep(NAME, &key, &table) {
            progress.remark(&format!("the records are filled again next time: {error}"));
        }
        let database = Mutex::new(Database::new(std::slice::from_ref(&table))?);
        Ok(Some(Self {
            catalogue: Catalogue::new(&table),
            database,
            table,
        }))
    }

    /// The answer to a question, and how much of it the columns cover.
    pub(super) fn ask(&self, question: &str) -> Result<(Asked, Coverage)> {
        let database = self.lock()?;
        let asked = ask(question, &self.catalogue, &self.table, &database, Limits::default())?;
        Ok((asked, coverage(question, &self.catalogue)))
    }

    /// Positions of the records that satisfy what the columns know of a question; `None` where that restricts nothing.
    pub(super) fn narrowed(&self, coverage: &Coverage) -> Result<Option<Vec<usize>>> {
        let Some(query) = coverage.narrowing() else {
            return Ok(None);
        };
        let database = self.lock()?;
        let limits = Limits {
            max_rows: usize::MAX,
            ..Limits::default()
        };
        let found = database.run(&query.provenance_sql(&self.catalogue), limits)?;
        let position = |row: &Vec<banyan_engine::table::Value>| row.first()?.as_number();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positions of records"
        )]
        let positions: Vec<usize> = found.rows.iter().filter_map(position).map(|at| at as usize).collect();
        let is_part = !positions.is_empty() && positions.len() < self.table.records.len();
        Ok(is_part.then_some(positions))
    }

    fn lock(&self) -> Result<std::sync::MutexGuard<'_, Database>> {
        let locked = self.database.lock();
        locked.map_err(|_| anyhow::anyhow!("the records cannot be asked: another question stopped in them"))
    }
}

/// Whether documents are records of one kind: they share more than names. Cost O(length of a dozen documents).
pub(super) fn has_shape(documents: &[Document]) -> bool {
    let schemas = induce(documents, &[], TABLE);
    let attributes = |schema: &TableSchema| {
        let columns = schema.columns.iter();
        let is_name = |name: &str| schema.key.as_deref() == Some(name) || name == "name";
        columns
            .filter(|column| !is_name(&column.name) && column.kind != Kind::Boolean)
            .count()
    };
    schemas.iter().map(attributes).max().unwrap_or(0) >= LEAST_COLUMNS
}
