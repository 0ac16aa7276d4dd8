//! Documents as records: the columns that a question asks for, filled once for all of them.

use super::shelf::Shelf;
use super::unit::{Body, Field};
use crate::aggregate::{Catalogue, wanted};
use crate::answer::Citation;
use crate::question::Question;
use banyan_engine::Document;
use banyan_engine::index::term;
use banyan_engine::table::{Cell, Column, Kind, Table, TableSchema};
use banyan_extract::record::{fill, induce};

/// What a table is called.
const TABLE: &str = "documents";
/// Columns that are shown where a question names none. Arbitrary: what fits a line.
const MAX_COLUMNS: usize = 6;

/// Documents as records of the columns asked for; without any, of those that the question names or, where it names none, of
/// the first that the documents share. Equal tables are filled once: what the documents share is taken from `shelf` where
/// it was kept. Says whether it was. Cost O(length of the documents · columns).
pub(super) fn tables(
    question: &Question,
    documents: &[Document],
    columns: &[String],
    shelf: &dyn Shelf,
) -> (Vec<Body>, bool) {
    let common = induce(documents, &[], TABLE).into_iter().next().unwrap_or_default();
    let (shared, is_kept) = kept(&common, documents, shelf);
    let mut chosen: Vec<(String, Column)> = Vec::new();
    for name in columns {
        chosen.push((name.clone(), asked(name, &common)));
    }
    if columns.is_empty() {
        let of_question = of_question(&question.text, &shared);
        chosen.extend(
            of_question
                .into_iter()
                .map(|column| (column.name.replace('_', " "), column)),
        );
    }
    let unknown = chosen.iter().filter(|(_, column)| !common.columns.contains(column));
    let own = TableSchema {
        name: TABLE.to_owned(),
        columns: unknown.map(|(_, column)| column.clone()).collect(),
        ..TableSchema::default()
    };
    let filled = (!own.columns.is_empty()).then(|| fill(&own, documents));
    let bodies = documents.iter().enumerate().map(|(at, document)| {
        let cell = |column: &Column| -> Option<&Cell> {
            let of = |table: &'_ Table| table.schema.columns.iter().position(|other| other == column);
            let shared = of(&shared).and_then(|position| shared.records.get(at)?.cells.get(position));
            shared.or_else(|| {
                let filled = filled.as_ref()?;
                filled.records.get(at)?.cells.get(of(filled)?)
            })
        };
        let fields = chosen
            .iter()
            .filter_map(|(name, column)| field(name, cell(column)?, document));
        Body::Table(fields.collect())
    });
    (bodies.collect(), is_kept)
}

/// What the documents share, filled; from the shelf where it lies there.
fn kept(common: &TableSchema, documents: &[Document], shelf: &dyn Shelf) -> (Table, bool) {
    let ids: Vec<String> = documents.iter().map(|document| document.id.to_string()).collect();
    let key = format!("{common:?} {}", ids.join(" "));
    if let Some(table) = shelf.table(&key) {
        return (table, true);
    }
    let table = fill(common, documents);
    shelf.keep_table(&key, &table);
    (table, false)
}

/// The columns that a question names, what it speaks of and no column says, or else the first that are no names.
fn of_question(question: &str, shared: &Table) -> Vec<Column> {
    let columns = &shared.schema.columns;
    let wanted = wanted(question, &Catalogue::new(shared));
    let is_named = |at: &&usize| Some(&columns[**at].name) != shared.schema.key.as_ref();
    let mut named: Vec<Column> = wanted
        .named
        .iter()
        .filter(is_named)
        .map(|at| columns[*at].clone())
        .collect();
    if named.is_empty() {
        let plain = columns
            .iter()
            .filter(|column| column.kind != Kind::Boolean && column.name != "name");
        named = plain
            .filter(|column| Some(&column.name) != shared.schema.key.as_ref())
            .cloned()
            .collect();
    }
    named.truncate(MAX_COLUMNS);
    named
}

/// A column of this name: as the documents suggest it, where one of theirs has its words; else of numbers where the name
/// counts or measures, and of texts where not.
fn asked(name: &str, common: &TableSchema) -> Column {
    let words = term::distinct(name);
    let same = common
        .columns
        .iter()
        .find(|column| term::distinct(&column.name.replace('_', " ")) == words);
    if let Some(column) = same {
        return column.clone();
    }
    let lower = name.to_lowercase();
    let has = |signs: &[&str]| signs.iter().any(|sign| lower.contains(sign));
    let kind = if has(&["date", "day", "when"]) {
        Kind::Date
    } else if has(&["year"]) {
        Kind::Year
    } else if has(&[
        "name", "author", "owner", "type", "kind", "style", "place", "location", "city", "country", "material",
        "colour", "color",
    ]) {
        Kind::Text
    } else {
        Kind::Number
    };
    Column::new(name.replace(' ', "_"), kind)
}

fn field(name: &str, cell: &Cell, document: &Document) -> Option<Field> {
    let text = if cell.raw.is_empty() {
        cell.value.to_string()
    } else {
        cell.raw.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    (!cell.value.is_null()).then(|| Field {
        column: name.to_owned(),
        value: cell.value.clone(),
        text,
        citation: cell.span.map(|span| Citation::of(document, span)),
    })
}
