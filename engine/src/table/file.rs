//! Schemas from files: our own JSON, a JSON schema as S-RAG's prompts ask for, or the header of a CSV file.

use super::sql::identifier;
use super::{Column, Kind, TableSchema};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// Why a schema file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaFileError {
    /// Not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// JSON of another form.
    #[error("found no columns; expected `{{\"columns\": […]}}`, a list of columns, or a JSON schema with `properties`")]
    Shape,
    /// A column that cannot be used.
    #[error(
        "column {position}: {problem}; expected a name of its own and a kind (text, integer, number, boolean, date, year)"
    )]
    Column {
        /// Its place, from 1.
        position: usize,
        /// What is wrong.
        problem: String,
    },
    /// A CSV file with a row of another width than its header.
    #[error("{0}")]
    Csv(#[from] csv::Error),
}

/// Reads a schema from JSON: a [`TableSchema`], `{"columns": […]}`, a list of columns, or a JSON schema whose
/// `properties` are columns. Cost O(length).
///
/// # Errors
/// [`SchemaFileError`] for what is none of these, and for columns without a name, with one used twice or of no known
/// kind.
pub fn from_json(text: &str, table: &str) -> Result<TableSchema, SchemaFileError> {
    let value: Value = serde_json::from_str(text)?;
    let outlines: Vec<Outline> = match (value.as_array().or(value["columns"].as_array()), &value["properties"]) {
        (Some(list), _) => list.iter().map(Outline::of_value).collect(),
        (None, Value::Object(properties)) => {
            let named = properties.iter().map(|(name, of)| Outline {
                name: Some(name.clone()),
                ..Outline::of_value(of)
            });
            named.collect()
        }
        _ => return Err(SchemaFileError::Shape),
    };
    let columns = (1..).zip(outlines).map(|(position, outline)| outline.column(position));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    check_names(&columns)?;
    let word = |key: &str| value[key].as_str().map(str::to_owned);
    let nouns = value["nouns"]
        .as_array()
        .map(|list| texts(list).map(str::to_owned).collect());
    Ok(TableSchema {
        name: word("name").map_or_else(|| table.to_owned(), |name| identifier(&name)),
        nouns: nouns.unwrap_or_else(|| word("title").into_iter().collect()),
        key: word("key"),
        columns,
    })
}

fn texts(list: &[Value]) -> impl Iterator<Item = &str> {
    list.iter().filter_map(Value::as_str)
}

/// A column as files write it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Outline {
    name: Option<String>,
    /// A word, or a list of words of which one may be `null`.
    #[serde(alias = "type")]
    kind: Value,
    format: Option<String>,
    description: String,
    examples: Vec<Value>,
    unit: Option<String>,
    nullable: Option<bool>,
}

impl Outline {
    /// What is said of a column; a bare text is its name.
    fn of_value(value: &Value) -> Self {
        let bare = || Self {
            name: value.as_str().map(str::to_owned),
            ..Self::default()
        };
        serde_json::from_value(value.clone()).unwrap_or_else(|_| bare())
    }

    fn column(self, position: usize) -> Result<Column, SchemaFileError> {
        let problem = |problem: String| SchemaFileError::Column { position, problem };
        let name = self.name.filter(|name| name.chars().any(char::is_alphanumeric));
        let name = name.ok_or_else(|| problem("no name".to_owned()))?;
        let mut words: Vec<&str> = self
            .format
            .as_deref()
            .filter(|word| word.starts_with("date"))
            .into_iter()
            .collect();
        match &self.kind {
            Value::Null => {}
            Value::Array(list) => words.extend(texts(list).filter(|word| *word != "null")),
            other => words.push(other.as_str().unwrap_or("?")),
        }
        let known = words.iter().find_map(|word| Kind::of_word(word));
        let unknown = || problem(format!("kind {} of `{name}` is unknown", words.join("|")));
        let kind = known
            .or_else(|| words.is_empty().then_some(Kind::Text))
            .ok_or_else(unknown)?;
        let example = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Ok(Column {
            name: identifier(&name),
            kind,
            description: self.description,
            examples: self.examples.iter().map(example).collect(),
            unit: self.unit,
            nullable: self.nullable.unwrap_or(true),
            references: None,
        })
    }
}

/// The rows of a CSV file (RFC 4180), header first, without blank ones. Cost O(length).
///
/// # Errors
/// [`SchemaFileError::Csv`] for a row of another width than the header.
pub fn parse_csv(text: &str) -> Result<Vec<Vec<String>>, SchemaFileError> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader
        .has_headers(false)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let rows = reader.records().map(|row| Ok(row?.iter().map(str::to_owned).collect()));
    let rows: Vec<Vec<String>> = rows.collect::<Result<_, csv::Error>>()?;
    let is_blank = |row: &Vec<String>| row.iter().all(|field| field.trim().is_empty());
    Ok(rows.into_iter().filter(|row| !is_blank(row)).collect())
}

/// The schema of a CSV file of records: names from the header, kinds from what the values are. Cost O(length).
///
/// # Errors
/// [`SchemaFileError::Csv`] for a row of another width, [`SchemaFileError::Column`] for names that are missing or double.
pub fn from_csv(text: &str, table: &str) -> Result<TableSchema, SchemaFileError> {
    let rows = parse_csv(text)?;
    let Some((header, values)) = rows.split_first() else {
        return Err(SchemaFileError::Shape);
    };
    let columns = columns_of_csv(header, values);
    check_names(&columns)?;
    Ok(TableSchema {
        name: table.to_owned(),
        columns,
        ..TableSchema::default()
    })
}

/// Columns named by a header, of the narrowest kind that all values have; empty values say nothing.
pub fn columns_of_csv(header: &[String], rows: &[Vec<String>]) -> Vec<Column> {
    let column = |(at, name): (usize, &String)| {
        let values = rows.iter().filter_map(|row| row.get(at)).map(|value| value.trim());
        let values: Vec<&str> = values.filter(|value| !value.is_empty()).collect();
        Column::new(identifier(name), kind_of(&values))
    };
    header.iter().enumerate().map(column).collect()
}

fn kind_of(values: &[&str]) -> Kind {
    let all = |is: fn(&str) -> bool| !values.is_empty() && values.iter().all(|value| is(value));
    let is_year = |value: &str| value.len() == 4 && value.parse().is_ok_and(|year: u32| (1000..2200).contains(&year));
    let is_boolean = |value: &str| ["true", "false", "yes", "no"].contains(&value.to_lowercase().as_str());
    let is_date = |value: &str| {
        let parts: Vec<&str> = value.split('-').collect();
        matches!(parts[..], [y, m, d] if [(y, 4), (m, 2), (d, 2)].iter().all(|(part, n)| part.len() == *n && part.parse::<u32>().is_ok()))
    };
    if all(is_year) {
        Kind::Year
    } else if all(|value| value.parse::<i64>().is_ok()) {
        Kind::Integer
    } else if all(|value| value.parse::<f64>().is_ok_and(f64::is_finite)) {
        Kind::Number
    } else if all(is_boolean) {
        Kind::Boolean
    } else if all(is_date) {
        Kind::Date
    } else {
        Kind::Text
    }
}

fn check_names(columns: &[Column]) -> Result<(), SchemaFileError> {
    let mut seen = BTreeSet::new();
    for (position, column) in (1..).zip(columns) {
        let problem = match column.name.as_str() {
            "" => "no name".to_owned(),
            name if !seen.insert(name.to_lowercase()) => format!("`{name}` is there twice"),
            _ => continue,
        };
        return Err(SchemaFileError::Column { position, problem });
    }
    if columns.is_empty() {
        Err(SchemaFileError::Shape)
    } else {
        Ok(())
    }
}
