//! Which columns a corpus has (S-RAG §3.2.1), from a few documents and questions, in rounds.
//!
//! | round | what it looks for |
//! |---|---|
//! | titles | what tells the documents apart: a name, a year |
//! | labels | recurring labels of labelled values, with the numbers that stand in brackets behind them |
//! | counts | nouns that numbers recur with: `64 matches`, `a rating of 9.2`, `2 km from the airport` |
//! | events | dates that recur with a verb: `opened on 3 May 1901`; the place and the type that first sentences name |
//! | slots | words that names recur with: `managed by …`, `located in …` |
//! | flags | things that some documents offer and others do not |
//! | questions | columns that a question asks for and the documents have |
//!
//! A column that a later round finds is added only where none of the earlier ones says the same.

mod count;
mod event;
mod flag;
mod label;
mod slot;
mod title;

use super::page::Page;
use super::subject;
use super::thesaurus::{coverage, likeness, units, words};
use banyan_engine::Document;
use banyan_engine::table::sql::identifier;
use banyan_engine::table::{Column, Kind, TableSchema};
use rayon::prelude::*;

/// Documents that are read (S-RAG §3.2.1).
pub const MAX_DOCUMENTS: usize = 12;
/// Questions that are read (S-RAG §3.2.1).
pub const MAX_QUESTIONS: usize = 10;
/// Most columns of a table: what a person still oversees, and half of what `SQLite`'s default would take in one prompt.
const MAX_COLUMNS: usize = 60;
/// Two columns say the same from this likeness of their names on.
const SAME: f32 = 0.85;

/// A column, with how many of the documents read have it.
#[derive(Clone, Debug)]
struct Found {
    column: Column,
    n_documents: usize,
}

/// Predicts the tables of a corpus: one, or none where the documents share no attribute. Up to [`MAX_DOCUMENTS`]
/// documents, spread evenly, and [`MAX_QUESTIONS`] questions are read. Cost O(length of those). One document alone gives
/// what its labels say.
pub fn induce(documents: &[Document], questions: &[&str], table: &str) -> Vec<TableSchema> {
    let sample = sample(documents);
    let pages: Vec<Page<'_>> = sample.par_iter().map(|document| Page::new(document)).collect();
    let mut columns: Vec<Column> = Vec::new();
    for round in [
        label::columns,
        count::columns,
        event::dated,
        event::situated,
        slot::columns,
        flag::columns,
    ] {
        add(&mut columns, round(&pages));
    }
    if columns.is_empty() {
        return Vec::new();
    }
    let asked = questions.iter().take(MAX_QUESTIONS);
    add(
        &mut columns,
        asked.flat_map(|question| count::asked(question, &pages)).collect(),
    );
    let titles: Vec<&str> = documents.iter().map(|document| document.title.as_str()).collect();
    let titled = title::columns(&titles);
    let key = titled.first().map(|column| column.name.clone());
    columns.retain(|column| titled.iter().all(|other| other.name != column.name));
    columns.splice(0..0, titled);
    columns.truncate(MAX_COLUMNS);
    vec![TableSchema {
        name: identifier(table),
        nouns: subject::nouns(&pages),
        parent: None,
        columns,
        key,
    }]
}

/// Documents spread evenly over the corpus, in its order.
fn sample(documents: &[Document]) -> Vec<&Document> {
    let n = documents.len().min(MAX_DOCUMENTS);
    (0..n).map(|at| &documents[at * documents.len() / n]).collect()
}

/// Adds the columns that none says already, the most frequent first.
fn add(columns: &mut Vec<Column>, mut found: Vec<Found>) {
    found.sort_by(|a, b| {
        b.n_documents
            .cmp(&a.n_documents)
            .then_with(|| a.column.name.cmp(&b.column.name))
    });
    for Found { column, .. } in found {
        let own = units(&column.name);
        let is_known = columns.iter().any(|other| {
            let is_same = other.name == column.name || likeness(&units(&other.name), &own) >= SAME;
            let is_flag = column.kind == Kind::Boolean
                && coverage(&units(&other.name), &own).max(coverage(&own, &units(&other.name))) > 0.6;
            is_flag
                || is_same
                    && (other.kind == column.kind
                        || other.kind.is_number() && column.kind.is_number()
                        || other.name == column.name)
        });
        if !is_known && !own.is_empty() {
            columns.push(column);
        }
    }
}

/// How many of `n` documents have to have something for it to recur: at least `share`, and two where there are two.
fn enough(n: usize, share: f32) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a dozen"
    )]
    let least = (n as f32 * share).ceil() as usize;
    least.max(n.min(2))
}

/// A name for a column from the words of a label: `Top scorer(s)` is `top_scorer`.
fn name_of(label: &str) -> String {
    let kept: Vec<String> = words(label).into_iter().filter(|word| word != "s").collect();
    identifier(&kept.join(" "))
}

/// A column with examples.
fn column(name: String, kind: Kind, examples: &[String], description: String) -> Column {
    let mut distinct: Vec<String> = Vec::new();
    for example in examples {
        if !distinct.contains(example) && distinct.len() < 3 {
            distinct.push(example.clone());
        }
    }
    Column {
        examples: distinct,
        description,
        ..Column::new(name, kind)
    }
}
