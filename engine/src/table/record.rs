//! Records: what one document says about its thing.

use super::{TableSchema, Value};
use crate::document::Span;
use crate::id::DocumentId;
use serde::{Deserialize, Serialize, Serializer};

/// One value with where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The value, of the column's kind.
    pub value: Value,
    /// What the document writes; empty where the value is not written in one place.
    pub raw: String,
    /// Where the record's document writes it.
    pub span: Option<Span>,
    /// How sure the reading is, 0 to 1.
    pub confidence: f32,
    /// Different values that the same document states as plainly.
    pub others: Vec<Other>,
}

/// A value that contradicts the one taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Other {
    /// The value.
    pub value: Value,
    /// What the document writes.
    pub raw: String,
    /// Where it stands.
    pub span: Span,
}

/// A row: the `r(d_i)` of S-RAG's Eq. 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The document it was read from.
    #[serde(serialize_with = "shown")]
    pub document: DocumentId,
    /// That document's title.
    pub title: String,
    /// One cell a column.
    pub cells: Vec<Cell>,
}

/// A schema with records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The columns.
    pub schema: TableSchema,
    /// The records, in the order of their documents.
    pub records: Vec<Record>,
}

/// A document in JSON as it is told everywhere, elsewhere as it is.
fn shown<S: Serializer>(document: &DocumentId, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return serializer.collect_str(document);
    }
    document.serialize(serializer)
}

impl Table {
    /// The cells of a column, in the order of the records; cells that a record does not have are left out.
    pub fn column(&self, position: usize) -> impl Iterator<Item = &Cell> {
        self.records.iter().filter_map(move |record| record.cells.get(position))
    }
}
