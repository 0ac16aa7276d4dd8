//! Tables of records: what the documents of a corpus say about things of one kind, column by column (S-RAG §3.1).
//!
//! | part | what it is for |
//! |---|---|
//! | [`TableSchema`], [`Column`], [`Kind`] | the columns, as a person or an induction names them |
//! | [`Value`], [`Cell`], [`Record`], [`Table`] | one record a document, each cell with where it was read (Eq. 1) |
//! | [`ColumnStats`] | what a translator of questions sees of a column (appendix D) |
//! | [`Database`] | the tables in memory, asked in SQL that cannot change or exhaust anything |

mod column;
mod file;
mod record;
pub mod sql;
mod stats;
mod value;

pub use column::{Column, Kind, TableSchema};
pub use file::{SchemaFileError, columns_of_csv, from_csv, from_json, parse_csv};
pub use record::{Cell, Other, Record, Table};
pub use sql::{Database, Limits, Rows, SqlError};
pub use stats::{ColumnStats, Numbers};
pub use value::Value;

#[cfg(test)]
mod tests;
