//! Kinds of generated page: a kind is a file (`benches/kinds`) with columns, ranges of values, and several plain
//! wordings of each, and everything else follows from it: records, pages that state them, a schema, and aggregative
//! questions whose answers SQL computes over the records.
//!
//! The kinds share no vocabulary, so that a rule fitted to one does not help with another. Rules may be written while
//! looking at pages of `hotels`; `museums` and `ships` are only ever looked at as figures.

mod folder;
mod page;
mod question;
mod record;

pub use crate::aggregate::of_folder as figures;
pub use folder::write;
use page::pages;
use question::{Question, questions};
use record::records;

use anyhow::{Context, Result};
use banyan_engine::table::{Column, Kind as ColumnKind, Table, TableSchema};
use serde::Deserialize;
use std::collections::BTreeMap;

const FILES: [(&str, &str); 3] = [
    ("hotels", include_str!("../kinds/hotels.json")),
    ("museums", include_str!("../kinds/museums.json")),
    ("ships", include_str!("../kinds/ships.json")),
];

/// Where the values of a column come from.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// One of these.
    OneOf(Vec<String>),
    /// What belongs to the value of another column.
    Paired {
        /// The other column.
        with: String,
        /// Its values with ours.
        to: BTreeMap<String, String>,
    },
    /// A pattern over the word lists of the kind.
    Phrase(String),
    /// A whole number: the least, the greatest, the step.
    Whole([usize; 3]),
    /// A number with one decimal: the least and the greatest.
    Decimal([f64; 2]),
    /// A day between two years.
    Day([usize; 2]),
    /// Yes with this chance.
    Chance(f64),
}

/// A column with everything that is said of it. In wordings `{}` is the value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnSpec {
    name: String,
    kind: ColumnKind,
    #[serde(default)]
    unit: Option<String>,
    description: String,
    /// Absent for the column that names a record.
    #[serde(default)]
    draw: Option<Draw>,
    #[serde(default)]
    blank: f64,
    /// Labels of lists and tables; a column without is only said in sentences.
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default)]
    written: Vec<String>,
    /// Sentences; of a flag, those that affirm it.
    #[serde(default)]
    said: Vec<String>,
    #[serde(default)]
    unsaid: Vec<String>,
    /// Items of a sentence that lists what there is, and of one that lists what there is not.
    #[serde(default)]
    yes: Vec<String>,
    #[serde(default)]
    no: Vec<String>,
    /// How questions call the column, one value and several.
    #[serde(default)]
    called: Vec<String>,
    #[serde(default)]
    several: String,
    /// Superlatives: `highest price`.
    #[serde(default)]
    most: String,
    #[serde(default)]
    least: String,
    /// Phrases that restrict records to a value, to more, to less; of a flag, to those that have it.
    #[serde(default)]
    is: Vec<String>,
    #[serde(default)]
    above: Vec<String>,
    #[serde(default)]
    below: Vec<String>,
    #[serde(default)]
    with: String,
}

/// Sentences that state several columns at once, each as `{column}`.
#[derive(Clone, Debug, Deserialize)]
struct Joint {
    columns: Vec<String>,
    said: Vec<String>,
}

/// A kind of page.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// The table's name in SQL.
    pub table: String,
    noun: String,
    plural: String,
    nouns: Vec<String>,
    words: BTreeMap<String, Vec<String>>,
    titles: Vec<String>,
    leads: Vec<String>,
    headings: Vec<String>,
    rows: Vec<String>,
    offers: Vec<String>,
    denials: Vec<String>,
    asides: Vec<String>,
    columns: Vec<ColumnSpec>,
    #[serde(default)]
    joint: Vec<Joint>,
}

impl Kind {
    /// The names of all kinds.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|(name, _)| *name)
    }

    /// The kind of this name.
    ///
    /// # Errors
    /// Where there is none, or its file is not one.
    pub fn named(name: &str) -> Result<Self> {
        let known: Vec<&str> = Self::names().collect();
        let file = FILES.iter().find(|(known, _)| *known == name);
        let (_, text) = file.with_context(|| format!("{name}: no kind of page; expected {}", known.join(", ")))?;
        serde_json::from_str(text).with_context(|| format!("the file of {name}"))
    }

    /// The columns, as a gold schema.
    pub fn schema(&self) -> TableSchema {
        let column = |spec: &ColumnSpec| Column {
            unit: spec.unit.clone(),
            description: spec.description.clone(),
            ..Column::new(spec.name.clone(), spec.kind)
        };
        TableSchema {
            name: self.table.clone(),
            nouns: self.nouns.clone(),
            columns: self.columns.iter().map(column).collect(),
            key: self.columns.first().map(|column| column.name.clone()),
        }
    }

    /// Everything of one seed.
    ///
    /// # Errors
    /// Where a question's SQL is refused.
    pub fn generate(&self, n_pages: usize, n_questions: usize, seed: u64) -> Result<Generated> {
        let drawn = records(self, n_pages, seed);
        let (gold, pages) = pages(self, &drawn, seed);
        let questions = questions(self, &gold, n_questions, seed)?;
        Ok(Generated { gold, pages, questions })
    }
}

/// Pages with what is known of them.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The records as the pages state them: a flag that a page says nothing of is empty.
    pub gold: Table,
    /// Texts in Markdown, one a record.
    pub pages: Vec<String>,
    /// Questions with answers.
    pub questions: Vec<Question>,
}

/// `pattern` with each `{name}` replaced.
fn with_values<'a>(pattern: &str, values: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fill = |text: String, (name, value): (&str, String)| text.replace(&format!("{{{name}}}"), &value);
    values.into_iter().fold(pattern.to_owned(), fill)
}

#[cfg(test)]
mod tests;
