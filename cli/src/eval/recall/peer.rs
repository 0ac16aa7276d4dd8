//! Rankings that other systems really returned, stored with a set, to stand in the same table.

use crate::eval::ranking::Ranking;
use banyan_engine::{QaPair, name};
use banyan_retrieve::searcher::Searcher;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

/// One system's titles for one question.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct PeerOutput {
    /// The system.
    pub(crate) system: String,
    /// The set's id of the question.
    pub(crate) question_id: String,
    /// Titles it returned, best first.
    pub(crate) retrieved_titles: Vec<String>,
}

/// A line of stored outputs that is none.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: expected an object with `system`, `question_id` and `retrieved_titles`; found {found}")]
pub(crate) struct PeerError {
    /// The line, from 1.
    pub(crate) line: usize,
    /// What was wrong.
    pub(crate) found: String,
}

/// Reads stored outputs, one JSON object a line; empty lines are passed over.
///
/// # Errors
/// [`PeerError`] for the first line that is none.
pub(crate) fn parse(text: &str) -> Result<Vec<PeerOutput>, PeerError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(line, text)| {
            serde_json::from_str(text).map_err(|error| PeerError {
                line,
                found: error.to_string(),
            })
        })
        .collect()
}

/// Each system's ranking of every question, by name; a title that no document has counts as a miss in its place, and a
/// question that a system did not answer as an empty ranking. Cost O(documents + titles).
pub(crate) fn rankings(
    searcher: &Searcher,
    questions: &[QaPair],
    outputs: &[PeerOutput],
) -> BTreeMap<String, Vec<Ranking>> {
    let documents = searcher.knowledge().documents.iter().enumerate();
    let positions: HashMap<String, usize> = documents
        .map(|(at, document)| (name::key(&document.title), at))
        .collect();
    let order: HashMap<&str, usize> = questions
        .iter()
        .enumerate()
        .map(|(at, pair)| (pair.id.as_str(), at))
        .collect();
    let mut systems: BTreeMap<String, Vec<Ranking>> = BTreeMap::new();
    for output in outputs {
        let lists = systems
            .entry(output.system.clone())
            .or_insert_with(|| vec![Ranking::new(); questions.len()]);
        let Some(at) = order.get(output.question_id.as_str()) else {
            continue;
        };
        lists[*at] = output
            .retrieved_titles
            .iter()
            .map(|title| positions.get(&name::key(title)).copied().unwrap_or(usize::MAX))
            .collect();
    }
    systems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_output_is_named() {
        let good = r#"{"system": "a", "question_id": "q", "retrieved_titles": ["T"]}"#;
        assert_eq!(parse(&format!("{good}\n\n{good}")).unwrap().len(), 2);
        assert_eq!(parse(&format!("{good}\n[]")).unwrap_err().line, 2);
    }
}
