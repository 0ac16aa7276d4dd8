//! Questions with known answers in the shapes in which they are published, as one shape.
//!
//! | set | a record has |
//! |---|---|
//! | own | `question`, and `id`, `answers`, `gold` (ids of the corpus's records), `type` where they are known |
//! | `HotpotQA`, `2WikiMultiHopQA` | `question`, `context` (titles with sentences), `supporting_facts`, `answer` |
//! | `MuSiQue` | `question`, `paragraphs` with `is_supporting`, `answer`, `answer_aliases` |
//! | `HippoRAG` | one of the two above, with the corpus in a file of its own |
//! | `GraphRAG-Bench` | `question`, `answer`, `question_type`; or `Question`, `Answer`, `Level-1 Topic` |
//! | Youtu-GraphRAG's reference | `question`, `answer` |
//!
//! A file is a JSON array, or one object a line. What tells the shape is the first record; every other one must have it too.

use anyhow::Context;
use banyan_engine::{Document, Origin, QaPair, name};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

mod record;
mod shape;

pub use shape::Shape;

/// Why a file of questions gives none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file} {place}: expected {expected}; found {found}")]
pub struct DatasetError {
    /// The file.
    pub file: String,
    /// Line or record, from 1.
    pub place: String,
    /// What a question has.
    pub expected: String,
    /// What is there.
    pub found: String,
}

/// A passage that a question brings with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its id, which the question's `gold` names.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Whether it holds evidence for the question that brings it.
    pub is_gold: bool,
}

/// The questions of a file, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dataset {
    /// In which shape they were written.
    pub shape: Shape,
    /// The questions; each id once.
    pub questions: Vec<QaPair>,
    /// The passages that came with them, each once; empty for shapes with the corpus in a file of its own.
    pub passages: Vec<Passage>,
}

/// The questions of a file.
///
/// # Errors
/// When it cannot be read, and as [`parse`].
pub fn read(file: &Path) -> anyhow::Result<Dataset> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file).with_context(|| format!("{name}: cannot read"))?;
    Ok(parse(&name, &text)?)
}

/// Reads the questions in `text`, which is the content of `file`. Cost O(bytes).
///
/// # Errors
/// [`DatasetError`] for a record that does not have the shape of the first, for an id that two have, and for none at all.
pub fn parse(file: &str, text: &str) -> Result<Dataset, DatasetError> {
    let records = record::records(file, text)?;
    let Some((place, first)) = records.first() else {
        return Err(error(file, "the file", "a question", "none"));
    };
    let shape = Shape::of(first).ok_or_else(|| error(file, place, Shape::KNOWN, &record::keys(first)))?;
    let mut dataset = Dataset {
        shape,
        questions: Vec::new(),
        passages: Vec::new(),
    };
    let mut known: HashMap<(String, String), String> = HashMap::new();
    let mut ids = BTreeSet::new();
    for (at, (place, record)) in records.iter().enumerate() {
        let (mut pair, passages) = shape
            .read(record, at)
            .map_err(|(expected, found)| error(file, place, expected, &found))?;
        if !ids.insert(pair.id.clone()) {
            return Err(error(
                file,
                place,
                "an `id` of its own",
                &format!("`{}` again", pair.id),
            ));
        }
        for passage in passages {
            let key = (name::key(&passage.title), squeezed(&passage.text));
            let id = known.entry(key).or_insert_with(|| passage.id.clone()).clone();
            if passage.is_gold && !pair.gold.contains(&Value::String(id.clone())) {
                pair.gold.push(Value::String(id.clone()));
            }
            if id == passage.id {
                dataset.passages.push(passage);
            } else if passage.is_gold {
                dataset.mark_gold(&id);
            }
        }
        dataset.questions.push(pair);
    }
    Ok(dataset)
}

impl Dataset {
    fn mark_gold(&mut self, id: &str) {
        for passage in self.passages.iter_mut().filter(|passage| passage.id == id) {
            passage.is_gold = true;
        }
    }

    /// The passages as documents of `file`, for a set that has no corpus beside it.
    pub fn documents(&self, file: &str) -> Vec<Document> {
        let document = |passage: &Passage| Document::new(&passage.title, &passage.text, origin(file, &passage.id));
        self.passages.iter().map(document).collect()
    }

    /// Lets the documents of a corpus bear the ids of the gold passages: by title and text without white space, else by a
    /// title that one document alone has. Gives the titles of gold passages that the corpus does not hold. Cost O(bytes).
    pub fn find_gold_in(&self, file: &str, documents: &mut [Document]) -> Vec<String> {
        let mut by_text: HashMap<(String, String), usize> = HashMap::new();
        let mut by_title: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, document) in documents.iter().enumerate() {
            let title = name::key(&document.title);
            by_text.insert((title.clone(), squeezed(&document.text)), at);
            by_title.entry(title).or_default().push(at);
        }
        let mut missing = Vec::new();
        for passage in self.passages.iter().filter(|passage| passage.is_gold) {
            let title = name::key(&passage.title);
            let alone = by_title
                .get(&title)
                .filter(|found| found.len() == 1)
                .map(|found| found[0]);
            match by_text.get(&(title, squeezed(&passage.text))).copied().or(alone) {
                Some(at) => documents[at].origins.push(origin(file, &passage.id)),
                None => missing.push(passage.title.clone()),
            }
        }
        missing
    }
}

fn origin(file: &str, id: &str) -> Origin {
    Origin {
        file: file.to_owned(),
        record: Some(id.to_owned()),
        line: None,
    }
}

/// Sets join sentences with and without spaces, so white space does not tell texts apart.
fn squeezed(text: &str) -> String {
    text.chars().filter(|ch| !ch.is_whitespace()).collect()
}

fn error(file: &str, place: &str, expected: &str, found: &str) -> DatasetError {
    DatasetError {
        file: file.to_owned(),
        place: place.to_owned(),
        expected: expected.to_owned(),
        found: found.to_owned(),
    }
}

#[cfg(test)]
mod tests;
