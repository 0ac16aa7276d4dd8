//! Which documents can matter to a question: those of the kind that it asks about, as many as can be read while somebody
//! waits.

use banyan_engine::Document;
use banyan_engine::index::term;
use banyan_engine::table::{Column, Record, TableSchema};
use banyan_extract::record::fill;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;

/// Most documents that are filled for one question. Arbitrary: about ten seconds of one core.
pub const MAX_DOCUMENTS: usize = 400;
/// Share of all documents that have a word from which on it tells no kinds apart.
const COMMON: f64 = 0.95;

/// The documents that are read for a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Relevant {
    /// Their positions, ascending.
    #[serde(skip)]
    pub documents: Vec<usize>,
    /// How many they are.
    pub n_read: usize,
    /// How many can matter.
    pub n_fitting: usize,
    /// How many there are.
    pub n_all: usize,
    /// The word of the question that those which can matter have; `None` where none tells documents apart.
    pub noun: Option<String>,
}

/// Chooses documents: those that have the word of the question that most documents have, where some have none; of more than
/// [`MAX_DOCUMENTS`] those that come first in `ranking`, then the rest in order. Cost O(bytes).
pub fn relevant(question: &str, documents: &[Document], ranking: &[usize]) -> Relevant {
    let said: Vec<BTreeSet<String>> = documents.par_iter().map(said).collect();
    let frequency = |word: &String| said.iter().filter(|said| said.contains(word)).count();
    let words = term::distinct(question);
    let counted = words.iter().map(|word| (frequency(word), word));
    // Of words that are as frequent the first, which `max_by_key` over the reverse takes.
    let best = counted.rev().max_by_key(|(n, _)| *n).filter(|(n, _)| *n >= 2);
    let noun = best.filter(|(n, _)| (*n as f64) < COMMON * documents.len() as f64);
    let fitting: Vec<usize> = match noun {
        Some((_, word)) => (0..documents.len()).filter(|at| said[*at].contains(word)).collect(),
        None => (0..documents.len()).collect(),
    };
    let n_fitting = fitting.len();
    let mut chosen = fitting;
    if n_fitting > MAX_DOCUMENTS {
        let fits: BTreeSet<usize> = chosen.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let ranked = ranking.iter().copied().filter(|at| fits.contains(at));
        chosen = ranked
            .chain(chosen.iter().copied())
            .filter(|at| seen.insert(*at))
            .collect();
        chosen.truncate(MAX_DOCUMENTS);
        chosen.sort_unstable();
    }
    Relevant {
        n_read: chosen.len(),
        documents: chosen,
        n_fitting,
        n_all: documents.len(),
        noun: noun.map(|(_, word)| word.clone()),
    }
}

impl Relevant {
    /// Adds the documents without the word that are of the kind all the same, as far as more can be read: those that fill at
    /// least half as many columns as the chosen ones do in the median. Lodges are hotels. Cost O(bytes · columns).
    pub fn admit(&mut self, schema: &TableSchema, documents: &[Document]) {
        let room = MAX_DOCUMENTS.saturating_sub(self.n_read);
        if self.noun.is_none() || room == 0 {
            return;
        }
        let is_chosen = |at: &usize| self.documents.binary_search(at).is_ok();
        let others = (0..documents.len()).filter(|at| !is_chosen(at)).take(room);
        let read: Vec<usize> = self.documents.iter().copied().chain(others).collect();
        let texts: Vec<Document> = read.iter().map(|at| documents[*at].clone()).collect();
        let filled: Vec<usize> = fill(schema, &texts)
            .records
            .iter()
            .map(|record| n_filled(schema, record))
            .collect();
        let mut own = filled[..self.n_read].to_vec();
        own.sort_unstable();
        let median = own.get(own.len() / 2).copied().unwrap_or(0);
        let admitted = read.iter().zip(&filled).skip(self.n_read);
        let admitted = admitted.filter(|(_, n)| median > 0 && **n * 2 >= median);
        self.documents.extend(admitted.map(|(at, _)| *at));
        self.documents.sort_unstable();
        self.n_fitting += self.documents.len() - self.n_read;
        self.n_read = self.documents.len();
    }
}

/// How many cells a record has filled beside its name and its flags.
fn n_filled(schema: &TableSchema, record: &Record) -> usize {
    let cells = schema.columns.iter().zip(&record.cells);
    let is_said = |column: &Column| super::embedded::speaks(column, schema.key.as_deref());
    cells
        .filter(|(column, cell)| is_said(column) && !cell.value.is_null())
        .count()
}

/// The words of a document.
fn said(document: &Document) -> BTreeSet<String> {
    let title = term::terms(&document.title).into_iter();
    title.chain(term::terms(&document.text)).collect()
}
