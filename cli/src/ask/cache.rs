//! What methods build for a question, kept beside the store for the next one.

use crate::progress::Progress;
use banyan_engine::Document;
use banyan_engine::llm::LlmError;
use banyan_engine::store::Derived;
use banyan_engine::table::{Table, TableSchema};
use banyan_extract::record::{Filler, Given};
use banyan_retrieve::adaptive::{KnowledgeUnit, UnitCache};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The place beside a store. What cannot be kept there is built again, which costs nothing but time, and is told.
#[derive(Clone, Copy)]
pub(super) struct QueryCache<'a> {
    pub(super) derived: &'a Derived,
    pub(super) progress: &'a Progress,
}

impl QueryCache<'_> {
    pub(super) fn read<T: DeserializeOwned>(&self, name: &str, key: &str) -> Option<T> {
        self.derived.get(name, &versioned(key))
    }

    pub(super) fn write<T: Serialize>(&self, name: &str, key: &str, value: &T) {
        // A store that cannot be written is asked as well, only slower.
        if let Err(error) = self.derived.keep(name, &versioned(key), value) {
            self.progress.remark(&format!(
                "what was built for the question is built again next time: {error}"
            ));
        }
    }
}

/// How tables are laid out; 2 since a value that contradicts another has the words that say so.
const LAYOUT: u32 = 2;

/// A key of this version of the program: another one may build otherwise.
fn versioned(key: &str) -> String {
    format!("{} {LAYOUT} {key}", env!("CARGO_PKG_VERSION"))
}

impl UnitCache for QueryCache<'_> {
    fn get(&self, key: &str) -> Option<KnowledgeUnit> {
        self.read("unit", key)
    }

    fn put(&self, key: &str, unit: &KnowledgeUnit) {
        self.write("unit", key, unit);
    }
}

/// A filler that takes tables from beside the store where it filled them before.
pub(super) struct CachedFiller<'a> {
    pub(super) filler: &'a dyn Filler,
    /// Who fills.
    pub(super) id: &'a str,
    pub(super) cache: QueryCache<'a>,
}

impl Filler for CachedFiller<'_> {
    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Given<Table>, LlmError> {
        let ids: Vec<String> = documents.iter().map(|document| document.id.to_string()).collect();
        let key = format!("{} {schema:?} {}", self.id, ids.join(" "));
        if let Some((what, n_partly)) = self.cache.read("srag", &key) {
            return Ok(Given {
                what,
                n_partly,
                ..Given::default()
            });
        }
        let given = self.filler.fill(schema, documents)?;
        if given.failure.is_none() {
            self.cache.write("srag", &key, &(&given.what, given.n_partly));
        }
        Ok(given)
    }
}
