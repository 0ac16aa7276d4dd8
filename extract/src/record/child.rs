//! Child tables: what a record has several of. The paper leaves lists out, since they take several tables (S-RAG, footnote 2);
//! here a list in a cell becomes a table with a row for each item, and each row names the record that it belongs to.

use banyan_engine::Span;
use banyan_engine::table::{Cell, Column, Kind, Record, Table, TableSchema, Value};
use std::collections::BTreeSet;

/// Longest item of a list in words. Arbitrary: longer ones are clauses.
const MAX_WORDS: usize = 5;
/// Items that some cell has to have, so that `Oslo, Norway` in every cell is no list.
const MIN_LONGEST: usize = 3;

/// The child tables of a filled table: one for each column of lists, whose cells are then written with `;` between the
/// items. Cost O(cells).
pub fn children(table: &mut Table) -> Vec<Table> {
    let lists: Vec<usize> = (0..table.schema.columns.len())
        .filter(|at| is_list(table, *at))
        .collect();
    lists.into_iter().map(|at| items_of(table, at)).collect()
}

/// Whether a column's cells are lists: half of them have several items, they differ in how many, and items recur.
fn is_list(table: &Table, at: usize) -> bool {
    if table.schema.columns[at].kind != Kind::Text {
        return false;
    }
    let cells = table.column(at).filter(|cell| !cell.value.is_null());
    let lists: Vec<Vec<Span>> = cells.map(|cell| items(text_of(cell))).collect();
    let several = lists.iter().filter(|items| items.len() > 1).count();
    let lengths: BTreeSet<usize> = lists.iter().map(Vec::len).collect();
    let texts = table.column(at).filter(|cell| !cell.value.is_null()).map(text_of);
    let all: Vec<String> = texts
        .zip(&lists)
        .flat_map(|(text, items)| items.iter().map(|item| item.of(text).to_lowercase()))
        .collect();
    let distinct: BTreeSet<&String> = all.iter().collect();
    several * 2 >= lists.len()
        && lengths.len() > 1
        && lengths.last().is_some_and(|longest| *longest >= MIN_LONGEST)
        && distinct.len() * 2 <= all.len()
        && all.iter().all(|item| item.split_whitespace().count() <= MAX_WORDS)
}

/// What a cell's items are read from: what the document writes, where that is known.
fn text_of(cell: &Cell) -> &str {
    if cell.span.is_some() && !cell.raw.is_empty() {
        &cell.raw
    } else {
        cell.value.as_text().unwrap_or("")
    }
}

/// The items of a text: parted by commas, semicolons, line ends and a last `and`.
fn items(text: &str) -> Vec<Span> {
    let mut cuts: Vec<(usize, usize)> = text
        .match_indices([',', ';', '\n'])
        .map(|(at, mark)| (at, at + mark.len()))
        .collect();
    if !cuts.is_empty() || text.matches(" and ").count() == 1 {
        cuts.extend(text.match_indices(" and ").map(|(at, mark)| (at, at + mark.len())));
    }
    cuts.sort_unstable();
    cuts.push((text.len(), text.len()));
    let mut from = 0;
    let mut items = Vec::new();
    for (at, next) in cuts {
        if at >= from {
            let part = &text[from..at];
            let bare = part.trim().trim_end_matches('.');
            let start = from + (part.len() - part.trim_start().len());
            if !bare.is_empty() {
                items.push(Span::new(start, start + bare.len()));
            }
            from = next;
        }
    }
    items
}

/// The table of a column's items.
fn items_of(table: &mut Table, at: usize) -> Table {
    let column = table.schema.columns[at].clone();
    let mut child = child(
        table,
        &column.name,
        vec![Column {
            description: format!("An item of `{}`.", column.name),
            ..Column::new(column.name.clone(), Kind::Text)
        }],
    );
    for (position, record) in table.records.iter_mut().enumerate() {
        let Some(cell) = record.cells.get_mut(at).filter(|cell| !cell.value.is_null()) else {
            continue;
        };
        let text = text_of(cell).to_owned();
        let offset = cell.span.map(|span| span.start);
        let items = items(&text);
        for item in &items {
            child.records.push(row(
                record.document,
                &record.title,
                position,
                vec![Cell {
                    value: Value::Text(item.of(&text).to_owned()),
                    raw: item.of(&text).to_owned(),
                    span: offset.map(|offset| Span {
                        start: offset + item.start,
                        end: offset + item.end,
                    }),
                    confidence: cell.confidence,
                    others: Vec::new(),
                }],
            ));
        }
        let joined: Vec<&str> = items.iter().map(|item| item.of(&text)).collect();
        cell.value = Value::Text(joined.join("; "));
    }
    child
}

/// An empty table whose records belong to those of another.
fn child(parent: &Table, name: &str, columns: Vec<Column>) -> Table {
    Table {
        schema: TableSchema {
            name: format!("{}_{name}", parent.schema.name),
            parent: Some(parent.schema.name.clone()),
            columns,
            ..TableSchema::default()
        },
        records: Vec::new(),
    }
}

fn row(document: banyan_engine::DocumentId, title: &str, parent: usize, cells: Vec<Cell>) -> Record {
    Record {
        document,
        title: title.to_owned(),
        parent: u32::try_from(parent).ok(),
        cells,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fill;
    use banyan_engine::{Document, Origin};

    fn page(title: &str, text: &str) -> Document {
        let origin = Origin {
            file: title.to_owned(),
            record: None,
            line: None,
        };
        Document::new(title, text, origin)
    }

    fn check(pages: &[(&str, &str)], column: &str) -> Vec<String> {
        let documents: Vec<Document> = pages.iter().map(|(title, text)| page(title, text)).collect();
        let schema = TableSchema {
            name: "inns".into(),
            columns: vec![Column::new(column, Kind::Text)],
            ..TableSchema::default()
        };
        let mut table = fill(&schema, &documents);
        let found = children(&mut table);
        let rows = found.iter().flat_map(|child| &child.records);
        let told = |record: &Record| {
            let parent = record.parent.map_or(0, |at| at as usize);
            let cell = &record.cells[0];
            assert_eq!(cell.span.unwrap().of(&documents[parent].text), cell.raw);
            format!("{}: {}", table.records[parent].title, cell.value)
        };
        rows.map(told).collect()
    }

    #[test]
    fn a_list_in_a_cell_becomes_rows_with_their_places() {
        let pages = [
            ("Tern", "Languages: English, French and Danish"),
            ("Marram", "Languages: English, Danish"),
            ("Dunlin", "Languages: French"),
        ];
        assert_eq!(
            check(&pages, "languages"),
            [
                "Tern: English",
                "Tern: French",
                "Tern: Danish",
                "Marram: English",
                "Marram: Danish",
                "Dunlin: French"
            ]
        );
    }

    #[test]
    fn a_place_with_its_country_is_no_list() {
        let pages = [("Tern", "Location: Ansay, Tidd"), ("Marram", "Location: Corrow, Tidd")];
        assert!(check(&pages, "location").is_empty());
    }
}
