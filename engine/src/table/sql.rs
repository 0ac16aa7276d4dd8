//! Tables in `SQLite`, in memory, asked in SQL from anywhere.
//!
//! A statement can only read: one statement, which an authorizer admits action by action from a list of what is allowed
//! (selecting, reading our tables, pure functions), on a database that is marked read-only. It ends: steps of the virtual
//! machine, rows, the length of a value and memory are limited. Nothing here reads a clock.

mod error;
mod function;
mod guard;

pub use error::SqlError;

use super::{Table, Value};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql};
use std::sync::Arc;

/// The column that every table has beside its own: the record's position, from 0.
pub const ROW: &str = "_row";
/// The column that every table has: its document's title.
pub const TITLE: &str = "_title";

/// How far a statement may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most rows of a result.
    pub max_rows: usize,
    /// Most instructions of `SQLite`'s virtual machine. A pass over 100,000 records takes some millions.
    pub max_steps: u64,
}

impl Default for Limits {
    /// 10,000 rows, arbitrary; 100 million steps, which a machine of 2020 runs in one to two seconds.
    fn default() -> Self {
        Self {
            max_rows: 10_000,
            max_steps: 100_000_000,
        }
    }
}

/// What a statement gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each as wide as `columns`. Dates come back as text, booleans as 0 and 1: `SQLite` has neither.
    pub rows: Vec<Vec<Value>>,
}

impl Rows {
    /// The first column as positions of records ([`ROW`]); `None` where it holds anything else. Cost O(rows).
    pub fn positions(&self) -> Option<Vec<usize>> {
        let position = |row: &Vec<Value>| match row.first() {
            Some(Value::Integer(n)) => usize::try_from(*n).ok(),
            _ => None,
        };
        self.rows.iter().map(position).collect()
    }
}

/// Tables in memory.
pub struct Database {
    connection: Connection,
    meter: Arc<guard::Meter>,
}

impl Database {
    /// Loads tables. Cost O(cells).
    ///
    /// # Errors
    /// [`SqlError`] when `SQLite` refuses, as for two tables of one name.
    pub fn new(tables: &[Table]) -> Result<Self, SqlError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_MEMORY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_in_memory_with_flags(flags).map_err(SqlError::load)?;
        // Else a misspelt column in double quotes would be a text that equals nothing.
        let strict = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false);
        strict.map_err(SqlError::load)?;
        function::register(&connection).map_err(SqlError::load)?;
        for table in tables {
            load(&mut connection, table).map_err(SqlError::load)?;
        }
        let names = tables.iter().map(|table| table.schema.name.to_lowercase());
        let meter = guard::install(&mut connection, names.collect()).map_err(SqlError::load)?;
        Ok(Self { connection, meter })
    }

    /// Runs one statement.
    ///
    /// # Errors
    /// [`SqlError`] by what to do: ask for something else, mend the statement, or ask for less.
    pub fn run(&self, sql: &str, limits: Limits) -> Result<Rows, SqlError> {
        self.meter.start(limits.max_steps);
        let read = |error| SqlError::of(error, &self.meter, limits);
        let mut statement = self.connection.prepare(sql).map_err(read)?;
        if statement.is_explain() != 0 || !statement.readonly() || statement.column_count() == 0 {
            return Err(SqlError::refused("a statement that selects nothing"));
        }
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let n_columns = columns.len();
        let mut found = statement.query([]).map_err(read)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(read)? {
            if rows.len() == limits.max_rows {
                return Err(SqlError::limit(limits.max_rows as u64, "rows"));
            }
            let values = (0..n_columns).map(|at| row.get_ref(at).map(value_of));
            rows.push(values.collect::<Result<Vec<_>, _>>().map_err(read)?);
        }
        Ok(Rows { columns, rows })
    }
}

/// A name as SQL writes it: in double quotes, so that it may be any word.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as SQL writes it.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''").replace('\0', ""))
}

/// A name of letters, digits and `_` in lower case, from any text; other characters part words.
pub fn identifier(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower
        .split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

fn load(connection: &mut Connection, table: &Table) -> rusqlite::Result<()> {
    let name = quoted(&table.schema.name);
    let own = table.schema.columns.iter().map(|column| quoted(&column.name));
    let own: Vec<String> = own.collect();
    let list = own.iter().fold(String::new(), |list, name| list + ", " + name);
    let marks = ", ?".repeat(own.len());
    connection.execute_batch(&format!(
        "CREATE TABLE {name} ({ROW} INTEGER PRIMARY KEY, {TITLE} TEXT{list})"
    ))?;
    let transaction = connection.transaction()?;
    {
        let mut insert = transaction.prepare(&format!("INSERT INTO {name} VALUES (?, ?{marks})"))?;
        for (position, record) in table.records.iter().enumerate() {
            let position = i64::try_from(position).unwrap_or(i64::MAX);
            let mut values: Vec<&dyn ToSql> = vec![&position, &record.title];
            let empty = &Value::Null;
            let cells = (0..own.len()).map(|at| record.cells.get(at).map_or(empty, |cell| &cell.value));
            let cells: Vec<&Value> = cells.collect();
            values.extend(cells.into_iter().map(|value| value as &dyn ToSql));
            insert.execute(&values[..])?;
        }
    }
    transaction.commit()
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Self::Boolean(is) => ToSqlOutput::Borrowed(ValueRef::Integer((*is).into())),
            Self::Integer(n) => ToSqlOutput::Borrowed(ValueRef::Integer(*n)),
            Self::Number(n) => ToSqlOutput::Borrowed(ValueRef::Real(*n)),
            Self::Date(text) | Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

fn value_of(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => Value::Integer(n),
        ValueRef::Real(n) => Value::Number(n),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
    }
}
