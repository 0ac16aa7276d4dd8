//! Which columns a corpus has (S-RAG §3.2.1), from a few documents and questions, in rounds.
//!
//! Four rounds of twelve documents are read, and every finder looks at all of them:
//!
//! | finder | what it looks for |
//! |---|---|
//! | titles | what tells the documents apart: a name, a year |
//! | labels | recurring labels of labelled values, with the numbers that stand in brackets behind them |
//! | contests | what pages that list contests show: how many, who won the last, who leads a ranking |
//! | counts | nouns that numbers recur with: `64 matches`, `a rating of 9.2`, `2 km from the airport` |
//! | events | dates that recur with a verb: `opened on 3 May 1901`; the place and the type that first sentences name |
//! | slots | words that names recur with: `managed by …`, `located in …` |
//! | flags | things that some documents offer and others do not |
//! | questions | columns that a question asks for and the documents have |
//!
//! What several finders see of one attribute counts together: a label in some documents and a sentence in others. A
//! column that a later finder sees is added only where none of the earlier ones says the same.

mod contest;
mod count;
mod event;
mod flag;
mod label;
mod slot;
mod title;

use super::page::Page;
use super::subject;
use super::thesaurus::{Unit, coverage, likeness, units, words};
use banyan_engine::Document;
use banyan_engine::table::sql::identifier;
use banyan_engine::table::{Column, Kind, TableSchema};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Rounds (S-RAG, appendix B).
pub const ROUNDS: usize = 4;
/// Documents that a round reads (S-RAG §3.2.1).
pub const MAX_DOCUMENTS: usize = 12;
/// Questions that are read (S-RAG §3.2.1).
pub const MAX_QUESTIONS: usize = 10;
/// Most columns of a table: what a person still oversees, and half of what `SQLite`'s default would take in one prompt.
const MAX_COLUMNS: usize = 60;
/// Two columns say the same from this likeness of their names on.
const SAME: f32 = 0.85;

/// A proposed column.
#[derive(Clone, Debug)]
struct Found {
    column: Column,
    /// Which of the documents read have it.
    documents: BTreeSet<usize>,
    /// The share of the documents that have to have it, whichever finder sees it there.
    share: f32,
}

/// Predicts the tables of a corpus: one, or none where the documents share no attribute. [`ROUNDS`] times
/// [`MAX_DOCUMENTS`] documents, spread evenly, and [`MAX_QUESTIONS`] questions are read. Cost O(length of those). One
/// document alone gives what its labels say.
pub fn induce(documents: &[Document], questions: &[&str], table: &str) -> Vec<TableSchema> {
    let read: Vec<Page<'_>> = sample(documents, ROUNDS * MAX_DOCUMENTS);
    let asked = questions.iter().take(MAX_QUESTIONS);
    let mut proposals: Vec<Vec<Found>> = [
        label::columns,
        contest::columns,
        count::columns,
        event::dated,
        event::situated,
        slot::columns,
        flag::columns,
    ]
    .iter()
    .map(|finder| finder(&read))
    .collect();
    if read.is_empty() || proposals.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    proposals.push(asked.flat_map(|question| count::asked(question, &read)).collect());
    let mut columns: Vec<Column> = Vec::new();
    for found in admitted(proposals, read.len()) {
        add(&mut columns, found);
    }
    if columns.is_empty() {
        return Vec::new();
    }
    let titles: Vec<&str> = documents.iter().map(|document| document.title.as_str()).collect();
    let titled = title::columns(&titles);
    let key = titled.first().map(|column| column.name.clone());
    let nouns = subject::nouns(&sample(documents, super::fill::SUBJECTS));
    let is_subject = |column: &Column| column.kind == Kind::Text && says_subject(&column.name, &nouns);
    columns.retain(|column| titled.iter().all(|other| other.name != column.name) && !is_subject(column));
    columns.splice(0..0, titled);
    columns.truncate(MAX_COLUMNS);
    vec![TableSchema {
        name: identifier(table),
        nouns,
        parent: None,
        columns,
        key,
    }]
}

/// Whether a name says no more than what a record is: `museum in`.
fn says_subject(name: &str, nouns: &[String]) -> bool {
    let subjects: Vec<Unit> = nouns.iter().flat_map(|noun| units(noun)).collect();
    let own = units(name);
    !own.is_empty()
        && own
            .iter()
            .all(|unit| subjects.iter().any(|other| other.stem == unit.stem))
}

/// Documents spread evenly over the corpus, in its order, read.
fn sample(documents: &[Document], max: usize) -> Vec<Page<'_>> {
    let chosen = spread(documents, max);
    let labels = super::page::labels(&chosen);
    chosen
        .into_par_iter()
        .map(|document| Page::with_labels(document, &labels))
        .collect()
}

/// At most `max` things spread evenly over all, in their order.
pub fn spread<T>(all: &[T], max: usize) -> Vec<&T> {
    let n = all.len().min(max);
    (0..n).map(|at| &all[at * all.len() / n]).collect()
}

/// The proposals whose attribute enough documents have, each finder's in its place.
fn admitted(proposals: Vec<Vec<Found>>, n: usize) -> Vec<Vec<Found>> {
    let all: Vec<(Column, BTreeSet<usize>)> = proposals
        .iter()
        .flatten()
        .map(|found| (found.column.clone(), found.documents.clone()))
        .collect();
    let has_enough = |found: &Found| {
        let alike = all.iter().filter(|(column, _)| is_same(column, &found.column));
        let together: BTreeSet<usize> = alike.flat_map(|(_, documents)| documents).copied().collect();
        together.len() >= enough(n, found.share)
    };
    let mut kept = proposals;
    for found in &mut kept {
        found.retain(has_enough);
    }
    kept
}

/// Whether two columns are one attribute.
pub(super) fn is_same(a: &Column, b: &Column) -> bool {
    let is_kind = a.kind == b.kind || a.kind.is_number() && b.kind.is_number() || a.kind.is_time() && b.kind.is_time();
    a.name == b.name || is_kind && likeness(&core(a), &core(b)) >= SAME
}

/// The units of a column's name; of a time without what only says that it is one, of an amount without what it is per.
fn core(column: &Column) -> Vec<Unit> {
    let all = units(column.name.split("_per_").next().unwrap_or(&column.name));
    let says_what = |unit: &&Unit| !matches!(unit.stem.as_str(), "date" | "dai" | "year" | "time" | "last");
    let core: Vec<Unit> = all.iter().filter(says_what).cloned().collect();
    if core.is_empty() || !column.kind.is_time() {
        all
    } else {
        core
    }
}

/// Adds the columns that none says already, the most frequent first.
fn add(columns: &mut Vec<Column>, mut found: Vec<Found>) {
    found.sort_by(|a, b| {
        b.documents
            .len()
            .cmp(&a.documents.len())
            .then_with(|| a.column.name.cmp(&b.column.name))
    });
    for Found { column, .. } in found {
        let own = units(&column.name);
        let is_known = columns.iter().any(|other| {
            let theirs = units(&other.name);
            let is_flag = column.kind == Kind::Boolean && coverage(&theirs, &own).max(coverage(&own, &theirs)) > 0.6;
            is_flag || is_same(&column, other)
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

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_engine::Origin;

    /// Pages of museums that nobody built, of two kinds.
    fn museums() -> Vec<Document> {
        let page = |at: usize| {
            let kind = ["maritime", "folk"][at % 2];
            let (title, size) = (format!("House {at}"), 1_200 + 50 * at);
            let text = format!(
                "{title}, in Corrin, Wessany, is a {kind} museum.\n\nThe floor area is {size} m². There are {at}00 objects."
            );
            let origin = Origin {
                file: title.clone(),
                record: None,
                line: None,
            };
            Document::new(title, text, origin)
        };
        (1..=8).map(page).collect()
    }

    #[test]
    fn prose_gives_columns_by_the_words_that_it_uses() {
        let schemas = induce(&museums(), &[], "records");
        let columns: Vec<String> = schemas[0]
            .columns
            .iter()
            .map(|column| format!("{} {}", column.name, column.kind))
            .collect();
        for expected in ["objects integer", "type text", "city text", "country text"] {
            assert!(
                columns.iter().any(|column| column == expected),
                "{expected} in {columns:?}"
            );
        }
    }

    #[test]
    fn what_tells_things_of_one_noun_apart_is_their_type() {
        let documents = museums();
        let schemas = induce(&documents, &[], "records");
        let table = crate::record::fill(&schemas[0], &documents);
        let at = schemas[0].position("type").unwrap();
        let types: Vec<String> = table.column(at).take(2).map(|cell| cell.value.to_string()).collect();
        assert_eq!(types, ["folk museum", "maritime museum"]);
    }
}
