//! The columns of a table.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a column's values are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Any text.
    #[default]
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// Yes or no.
    Boolean,
    /// Calendar dates.
    Date,
    /// Years.
    Year,
}

impl Kind {
    /// Whether values of this kind are added up and compared as numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Number)
    }

    /// Whether values of this kind lie in time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Date | Self::Year)
    }

    /// The kind that a word of a schema file names; JSON schema's words and `SQLite`'s are known.
    pub fn of_word(word: &str) -> Option<Self> {
        Some(match word.trim().to_lowercase().as_str() {
            "text" | "string" | "str" | "varchar" | "enum" => Self::Text,
            "integer" | "int" | "bigint" => Self::Integer,
            "number" | "real" | "float" | "double" | "decimal" | "numeric" => Self::Number,
            "boolean" | "bool" => Self::Boolean,
            "date" | "datetime" | "date-time" => Self::Date,
            "year" => Self::Year,
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// One attribute of a record: the `a_j` of S-RAG's Eq. 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name: letters, digits and `_`; any word, also one that SQL reserves.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
    /// What it means, for people and for models; may be empty.
    #[serde(default)]
    pub description: String,
    /// Some values, as documents write them.
    #[serde(default)]
    pub examples: Vec<String>,
    /// The unit of its numbers, where they have one.
    #[serde(default)]
    pub unit: Option<String>,
    /// The table whose records its values name by their titles; `None` where they are no keys.
    #[serde(default)]
    pub references: Option<String>,
    /// Whether a record may leave it empty.
    #[serde(default = "is_nullable")]
    pub nullable: bool,
}

fn is_nullable() -> bool {
    true
}

impl Column {
    /// A nullable column with this name and kind, and nothing else said of it.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            kind,
            nullable: true,
            ..Self::default()
        }
    }
}

/// A table's name and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSchema {
    /// Its name in SQL.
    pub name: String,
    /// What one record is, as questions call it: `hotel`, `World Cup`; several words where there are several.
    #[serde(default)]
    pub nouns: Vec<String>,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The column that names a record: its title, its year.
    #[serde(default)]
    pub key: Option<String>,
}

impl TableSchema {
    /// The position of a column. O(columns).
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}
