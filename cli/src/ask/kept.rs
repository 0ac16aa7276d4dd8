//! What methods build for a question, kept beside the store for the next one.

use crate::progress::Progress;
use banyan_engine::Document;
use banyan_engine::store::Derived;
use banyan_engine::table::{Table, TableSchema};
use banyan_retrieve::adaptive::{Shelf, Unit};
use banyan_retrieve::tabulate::{Filled, Filler, TabulateError};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The place beside a store. What cannot be kept there is built again, which costs nothing but time, and is told.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    pub(super) derived: &'a Derived,
    pub(super) progress: &'a Progress,
}

impl Kept<'_> {
    fn get<T: DeserializeOwned>(&self, name: &str, key: &str) -> Option<T> {
        self.derived.get(name, &versioned(key))
    }

    fn keep<T: Serialize>(&self, name: &str, key: &str, value: &T) {
        // A store that cannot be written is asked as well, only slower.
        if let Err(error) = self.derived.keep(name, &versioned(key), value) {
            self.progress.remark(&format!(
                "what was built for the question is built again next time: {error}"
            ));
        }
    }
}

/// A key of this version of the program: another one may build otherwise.
fn versioned(key: &str) -> String {
    format!("{} {key}", env!("CARGO_PKG_VERSION"))
}

impl Shelf for Kept<'_> {
    fn table(&self, key: &str) -> Option<Table> {
        self.get("units", key)
    }

    fn keep_table(&self, key: &str, table: &Table) {
        self.keep("units", key, table);
    }

    fn unit(&self, key: &str) -> Option<Unit> {
        self.get("unit", key)
    }

    fn keep_unit(&self, key: &str, unit: &Unit) {
        self.keep("unit", key, unit);
    }
}

/// A filler that takes tables from beside the store where it filled them before.
pub(super) struct Refilled<'a> {
    pub(super) filler: &'a dyn Filler,
    pub(super) kept: Kept<'a>,
}

impl Filler for Refilled<'_> {
    fn id(&self) -> String {
        self.filler.id()
    }

    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Filled, TabulateError> {
        let ids: Vec<String> = documents.iter().map(|document| document.id.to_string()).collect();
        let key = format!("{} {schema:?} {}", self.filler.id(), ids.join(" "));
        if let Some(table) = self.kept.get("srag", &key) {
            let notes = vec!["the table was filled for an earlier question".to_owned()];
            return Ok(Filled { table, notes });
        }
        let filled = self.filler.fill(schema, documents)?;
        self.kept.keep("srag", &key, &filled.table);
        Ok(filled)
    }
}
