//! Flags that compare two other columns: `host_won` is whether `champion` is in `host_country`.

use crate::record::thesaurus::{Unit, units};
use banyan_engine::name;
use banyan_engine::table::{Cell, Kind, Table, Value};

/// Fills each flag whose name joins the words of two text columns by whether a record's two values are equal. Cost
/// O(columns² + records).
pub(super) fn fill(table: &mut Table) {
    let texts: Vec<(usize, Vec<Unit>)> = table
        .schema
        .columns
        .iter()
        .enumerate()
        .filter(|(_, column)| column.kind == Kind::Text)
        .map(|(at, column)| (at, units(&column.name)))
        .collect();
    for flag in 0..table.schema.columns.len() {
        let column = &table.schema.columns[flag];
        let words = units(&column.name);
        if column.kind != Kind::Boolean || words.len() < 2 {
            continue;
        }
        let Some((a, b)) = pair(&words, &texts) else { continue };
        for record in &mut table.records {
            let (Some(left), Some(right)) = (record.cells.get(a), record.cells.get(b)) else {
                continue;
            };
            let (Value::Text(x), Value::Text(y)) = (&left.value, &right.value) else {
                continue;
            };
            let confidence = left.confidence.min(right.confidence);
            let is = name::key(x) == name::key(y);
            if let Some(cell) = record.cells.get_mut(flag) {
                *cell = Cell {
                    value: Value::Boolean(is),
                    confidence,
                    ..Cell::default()
                };
            }
        }
    }
}

/// Two different columns, one for each word of the flag.
fn pair(words: &[Unit], texts: &[(usize, Vec<Unit>)]) -> Option<(usize, usize)> {
    let of = |unit: &Unit| {
        let mut fitting = texts
            .iter()
            .filter(|(_, name)| name.iter().any(|other| other.likeness(unit) > 0.0));
        fitting.next().map(|(at, _)| *at)
    };
    let found: Vec<Option<usize>> = words.iter().map(of).collect();
    match found[..] {
        [Some(a), Some(b)] if a != b => Some((a, b)),
        _ => None,
    }
}
