//! What can be asked about: columns with their words, values with the columns that hold them.

use banyan_engine::name;
use banyan_engine::table::{Column, Kind, Table};
use banyan_extract::record::term::{Term, flag_terms, terms, words};
use banyan_extract::stem::stem;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Words that call a record what it is to a table.
const RECORD_WORDS: &[&str] = &[
    "record", "document", "page", "entry", "row", "item", "dataset", "listing",
];

#[derive(Clone, Debug)]
pub(super) struct ColumnView {
    pub(super) column: Column,
    pub(super) terms: Vec<Term>,
    pub(super) description: Vec<Term>,
    pub(super) is_unique: bool,
    pub(super) n_filled: usize,
    /// Whether some cell holds several values, parted by `;`.
    pub(super) has_lists: bool,
    /// The join that brings the column, by position; `None` for the table's own.
    pub(super) join: Option<usize>,
}

/// Another table whose records a key names.
#[derive(Clone, Debug)]
pub(super) struct Join {
    pub(super) table: String,
    pub(super) key: usize,
}

/// A text value of the records, and who has it.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) text: String,
    /// The columns that hold it, with how many records.
    pub(super) columns: BTreeMap<usize, usize>,
}

/// A table, prepared for questions.
#[derive(Clone, Debug)]
pub struct Catalogue {
    pub(super) table: String,
    pub(super) columns: Vec<ColumnView>,
    pub(super) values: BTreeMap<Vec<String>, Known>,
    pub(super) max_words: usize,
    /// The stems of the words that name a record.
    pub(super) nouns: Vec<Vec<String>>,
    pub(super) key: Option<usize>,
    pub(super) joins: Vec<Join>,
}

impl Catalogue {
    /// Prepares a table. Cost O(cells · log). A table without records can be asked, and knows no values.
    pub fn new(table: &Table) -> Self {
        let columns = (0..table.schema.columns.len())
            .map(|at| view(table, at))
            .collect::<Vec<_>>();
        let (mut values, max_words) = values(table);
        forget_echoes(table, &mut values);
        let titles: Vec<&str> = table.records.iter().map(|record| record.title.as_str()).collect();
        let key = key(table, &columns);
        let nouns = nouns(&table.schema.nouns, &titles, &table.schema.name);
        Self {
            key,
            table: table.schema.name.clone(),
            nouns,
            joins: Vec::new(),
            columns,
            values,
            max_words,
        }
    }

    /// Adds the columns and values of another table, whose records a column names. Cost as [`Self::new`] of it.
    pub(super) fn join(&mut self, key: usize, other: &Table) {
        let (first, join) = (self.columns.len(), self.joins.len());
        self.joins.push(Join {
            table: other.schema.name.clone(),
            key,
        });
        let columns = (0..other.schema.columns.len()).map(|at| ColumnView {
            is_unique: false,
            join: Some(join),
            ..view(other, at)
        });
        self.columns.extend(columns);
        let (mut values, max_words) = values(other);
        // What the other table calls its records is what the key says.
        let named = other.schema.key.as_deref().and_then(|key| other.schema.position(key));
        for known in values.values_mut() {
            known.columns.retain(|at, _| Some(*at) != named);
        }
        values.retain(|_, known| !known.columns.is_empty());
        for (words, known) in values {
            let own = self.values.entry(words).or_default();
            if own.text.is_empty() {
                own.text = known.text;
            }
            own.columns
                .extend(known.columns.into_iter().map(|(at, n)| (first + at, n)));
        }
        self.max_words = self.max_words.max(max_words);
    }

    pub(super) fn kind(&self, column: usize) -> Kind {
        self.columns[column].column.kind
    }

    /// The only column whose kind fits; `None` where there are several or none.
    pub(super) fn only(&self, fits: impl Fn(Kind) -> bool) -> Option<usize> {
        let mut fitting = (0..self.columns.len()).filter(|at| fits(self.kind(*at)));
        fitting.next().filter(|_| fitting.next().is_none())
    }
}

fn view(table: &Table, at: usize) -> ColumnView {
    let column = table.schema.columns[at].clone();
    let filled: Vec<String> = table
        .column(at)
        .filter(|cell| !cell.value.is_null())
        .map(|cell| cell.value.to_string())
        .collect();
    let distinct: BTreeSet<&String> = filled.iter().collect();
    ColumnView {
        terms: if column.kind == Kind::Boolean {
            flag_terms(&column.name)
        } else {
            terms(&column.name)
        },
        description: terms(&column.description),
        is_unique: distinct.len() == filled.len() && !filled.is_empty(),
        n_filled: filled.len(),
        has_lists: column.kind == Kind::Text && filled.iter().any(|value| value.contains(';')),
        join: None,
        column,
    }
}

/// The words of a value, as questions are compared with them.
pub(super) fn value_words(text: &str) -> Vec<String> {
    words(&name::key(text))
}

fn values(table: &Table) -> (BTreeMap<Vec<String>, Known>, usize) {
    let mut values: BTreeMap<Vec<String>, Known> = BTreeMap::new();
    let mut max_words = 0;
    for (at, column) in table.schema.columns.iter().enumerate() {
        if column.kind != Kind::Text {
            continue;
        }
        for text in table.column(at).filter_map(|cell| cell.value.as_text()) {
            let whole = [text];
            let parts = text.split(';').map(str::trim).filter(|part| *part != text);
            for part in whole.into_iter().chain(parts) {
                let words = value_words(part);
                if words.is_empty() {
                    continue;
                }
                max_words = max_words.max(words.len());
                let known = values.entry(words).or_default();
                if known.text.is_empty() {
                    part.clone_into(&mut known.text);
                }
                *known.columns.entry(at).or_default() += 1;
            }
        }
    }
    (values, max_words)
}

/// Leaves to the fuller of two columns the values that another one only repeats, record by record: a name that both hold
/// means one thing.
fn forget_echoes(table: &Table, values: &mut BTreeMap<Vec<String>, Known>) {
    let texts = |at: usize| table.column(at).map(|cell| cell.value.as_text());
    let n_filled = |at: usize| texts(at).flatten().count();
    let repeats = |echo: usize, own: usize| {
        let is_same = texts(echo)
            .zip(texts(own))
            .all(|(echo, own)| echo.is_none() || echo == own);
        is_same && (n_filled(own), Reverse(own)) > (n_filled(echo), Reverse(echo))
    };
    let n = table.schema.columns.len();
    let pairs = (0..n).flat_map(|echo| (0..n).map(move |own| (echo, own)));
    let echoes: Vec<(usize, usize)> = pairs
        .filter(|(echo, own)| echo != own && n_filled(*echo) > 0 && repeats(*echo, *own))
        .collect();
    for known in values.values_mut() {
        for (echo, own) in &echoes {
            if known.columns.contains_key(own) {
                known.columns.remove(echo);
            }
        }
    }
}

/// The column that names a record: the one the schema says, else the first unique one that is filled everywhere, names
/// before years before the rest.
fn key(table: &Table, columns: &[ColumnView]) -> Option<usize> {
    let said = table.schema.key.as_deref().and_then(|key| table.schema.position(key));
    let fits = |at: &usize| columns[*at].is_unique && columns[*at].n_filled == table.records.len();
    let is_name = |at: &usize| {
        columns[*at]
            .terms
            .iter()
            .any(|term| matches!(term.stem.as_str(), "name" | "titl"))
    };
    let unique = || (0..columns.len()).filter(fits);
    let of_kind = |kind: Kind| unique().find(|at| columns[*at].column.kind == kind);
    said.or_else(|| unique().find(is_name))
        .or_else(|| unique().next().filter(|first| *first == 0))
        .or_else(|| of_kind(Kind::Text))
        .or_else(|| of_kind(Kind::Year))
        .or_else(|| unique().next())
        .or_else(|| (0..columns.len()).find(is_name))
}

/// What a record is called: what the schema says, the words that most titles share, the table's name, and words for
/// records as such.
fn nouns(said: &[String], titles: &[&str], table: &str) -> Vec<Vec<String>> {
    let stems = |text: &str| -> Vec<String> { words(text).iter().map(|word| stem(word)).collect() };
    let mut nouns: Vec<Vec<String>> = Vec::new();
    for said in said.iter().map(|noun| stems(noun)) {
        let runs = (0..said.len()).flat_map(|from| (from + 1..=said.len()).map(move |to| (from, to)));
        let is_noun = |(from, to): &(usize, usize)| to - from > 1 || *to == said.len();
        nouns.extend(runs.filter(is_noun).map(|(from, to)| said[from..to].to_vec()));
    }
    let shared = shared(&titles.iter().map(|title| stems(title)).collect::<Vec<_>>());
    for start in 0..shared.len() {
        nouns.push(shared[start..].to_vec());
    }
    nouns.push(stems(table));
    if let Some(last) = stems(table).last() {
        nouns.push(vec![last.clone()]);
    }
    nouns.extend(RECORD_WORDS.iter().map(|word| stems(word)));
    nouns.retain(|noun| !noun.is_empty() && noun.iter().any(|word| word.parse::<f64>().is_err()));
    nouns.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    nouns.dedup();
    nouns
}

/// The words, in order, that at least four of five titles have: `annual report` of `1998 Annual Report`.
fn shared(titles: &[Vec<String>]) -> Vec<String> {
    let n = titles.len();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for title in titles {
        let distinct: BTreeSet<&str> = title.iter().map(String::as_str).collect();
        for word in distinct {
            *counts.entry(word).or_default() += 1;
        }
    }
    let is_shared = |word: &&String| n > 1 && counts.get(word.as_str()).is_some_and(|count| count * 5 >= n * 4);
    titles
        .first()
        .map_or_else(Vec::new, |first| first.iter().filter(is_shared).cloned().collect())
}
