//! Tables whose cells stand one after the other, as pages come out of a browser: `| Silver | Gold`, then a line for each
//! value. Which cells are labels the corpus says: those that many documents have.

use super::{Field, within};
use crate::record::thesaurus::{units, words};
use banyan_engine::{Document, Span};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Longest cell in bytes that may be a label. Arbitrary: longer ones are prose.
const MAX_LABEL: usize = 40;
/// One in so many of the documents that have tables has a label. Measured on the pages without summary tables: from one in
/// three on the labels of small tables are missed, from one in ten on names that recur count as labels.
const SHARE: usize = 6;
/// How often a label may stand in a document in the mean. Arbitrary: once, and slips.
const ONCE: f32 = 1.5;

/// A cell of a table.
#[derive(Clone, Copy, Debug)]
pub(in crate::record) struct Cell {
    /// Its text, without white space around it; empty where the cell is.
    pub(in crate::record) span: Span,
    /// The line it stands in.
    pub(in crate::record) line: usize,
    /// How many lines go on with it.
    pub(in crate::record) n_more: usize,
    /// The first of these.
    more: Option<Span>,
}

/// The cells of a text in order; a line without a bar goes on with the cell before it. Cost O(length).
pub(in crate::record) fn cells(text: &str, lines: &[Span]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for (line, span) in lines.iter().enumerate() {
        let body = span.of(text);
        if let Some(row) = body.strip_prefix('|') {
            let row = row.strip_suffix('|').unwrap_or(row);
            cells.extend(row.split('|').map(|cell| Cell {
                span: within(text, cell.trim()),
                line,
                n_more: 0,
                more: None,
            }));
        } else if let (false, Some(last)) = (body.is_empty(), cells.last_mut()) {
            last.n_more += 1;
            last.more = last.more.or(Some(*span));
        }
    }
    cells
}

/// The labels of a corpus's tables: short cells that at least two of its documents, and one in [`SHARE`] of those that have
/// tables, have as a cell, about once each: what comes again and again is a value or the head of a column. Cost O(length).
pub(in crate::record) fn labels(documents: &[&Document]) -> BTreeSet<String> {
    let keys: Vec<BTreeMap<String, usize>> = documents
        .par_iter()
        .filter(|document| document.text.contains('|'))
        .map(|document| {
            let text = document.text.as_str();
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for cell in cells(text, &super::lines(text)) {
                if let Some(key) = key(cell.span.of(text)) {
                    *counts.entry(key).or_default() += 1;
                }
            }
            counts
        })
        .collect();
    let least = keys.len().div_ceil(SHARE).max(2);
    let mut counts: BTreeMap<&String, (usize, usize)> = BTreeMap::new();
    for (key, n) in keys.iter().flatten() {
        let count = counts.entry(key).or_default();
        count.0 += 1;
        count.1 += n;
    }
    let is_label = |(n_documents, n): (usize, usize)| n_documents >= least && n as f32 <= ONCE * n_documents as f32;
    let labels = counts.into_iter().filter(|(_, counts)| is_label(*counts));
    labels.map(|(key, _)| key.clone()).collect()
}

/// The form under which a cell's text is counted; `None` for what cannot be a label.
fn key(cell: &str) -> Option<String> {
    let is_short = (1..=MAX_LABEL).contains(&cell.len());
    (is_short && cell.chars().any(char::is_alphabetic)).then(|| words(cell).join(" "))
}

/// Labels with the values that stand below them: a run of labels, then as many other cells. Cost O(cells).
pub(in crate::record) fn fields(text: &str, cells: &[Cell], labels: &BTreeSet<String>) -> Vec<Field> {
    let keys: Vec<Option<String>> = cells.iter().map(|cell| key(cell.span.of(text))).collect();
    let is_known = |at: usize| keys[at].as_ref().is_some_and(|key| labels.contains(key));
    let last = |at: usize| {
        keys[at]
            .as_ref()
            .and_then(|key| key.split(' ').next_back().map(str::to_owned))
    };
    // Beside `Gold medal` an unknown `Silver medal` is a label too.
    let is_kin = |at: usize| {
        let near = at.saturating_sub(2)..cells.len().min(at + 3);
        last(at).is_some()
            && near
                .into_iter()
                .any(|other| other != at && is_known(other) && last(other) == last(at))
    };
    // A row of two cells says itself which is the label.
    let is_pair = |at: usize| {
        let line = cells[at].line;
        let from = cells.partition_point(|cell| cell.line < line);
        cells[from..].iter().take_while(|cell| cell.line == line).count() == 2
    };
    let is_label: Vec<bool> = (0..cells.len())
        .map(|at| !is_pair(at) && (is_known(at) || is_kin(at)))
        .collect();
    let mut fields = Vec::new();
    let mut at = 0;
    while at < cells.len() {
        let run = (at..cells.len()).take_while(|next| is_label[*next] && cells[*next].n_more == 0);
        let n = run.count();
        let values = &cells[at + n..];
        let n_values = (at + n..cells.len())
            .take(n)
            .take_while(|next| !is_label[*next] && !is_pair(*next))
            .count();
        if n > 0 && n_values == n {
            for (label, value) in cells[at..at + n].iter().zip(values) {
                fields.extend(field(text, *label, *value));
            }
            at += 2 * n;
        } else {
            at += n.max(1);
        }
    }
    fields
}

fn field(text: &str, label: Cell, value: Cell) -> Option<Field> {
    let own = Some(value.span).filter(|span| span.of(text).contains(char::is_alphanumeric));
    Some(Field {
        label: label.span,
        units: units(label.span.of(text)),
        value: own.or(value.more)?,
    })
}
