//! The moves of a transition system, in the order of the model's outputs.

use super::error::ParseError;
use super::load;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// One move: what it does and the label that it gives, as an index into the labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move<K> {
    pub(super) kind: K,
    pub(super) label: usize,
}

/// All moves and labels of a component.
#[derive(Debug)]
pub(super) struct Moves<K> {
    pub(super) moves: Vec<Move<K>>,
    /// Each label once; the empty one is among them where a move has none.
    pub(super) labels: Vec<String>,
}

/// What is read of the file.
#[derive(Deserialize)]
struct File {
    /// JSON.
    moves: String,
}

impl<K: Copy> Moves<K> {
    /// Reads a component's file `moves`: by kind, numbered as in `kinds`, the labels with their counts in training.
    ///
    /// The model's outputs go by kind, then by falling count, then by falling label.
    ///
    /// # Errors
    /// Where the file has another form, a kind that is not known or a label that was added after training.
    pub(super) fn read(file: &'static str, bytes: &[u8], kinds: &[(&str, K)]) -> Result<Self, ParseError> {
        let File { moves } = load::read(file, bytes)?;
        let by_kind: BTreeMap<String, BTreeMap<String, i64>> =
            serde_json::from_str(&moves).map_err(|source| ParseError::new(file, "moves as JSON", source))?;
        let mut all = Self {
            moves: Vec::new(),
            labels: Vec::new(),
        };
        for (number, counts) in by_kind {
            let mut labels: Vec<_> = counts.into_iter().collect();
            labels.sort_by_key(|(label, count)| Reverse((*count, label.clone())));
            for (label, count) in labels {
                let kind = kinds.iter().find(|(name, _)| *name == number).filter(|_| count >= 0);
                let kind = kind.ok_or_else(|| ParseError::new(file, "known moves", format!("{number} {label}")))?;
                let label = all.label(label);
                all.moves.push(Move { kind: kind.1, label });
            }
        }
        Ok(all)
    }

    /// The index of a label, which is added if it is new.
    fn label(&mut self, label: String) -> usize {
        let known = self.labels.iter().position(|other| *other == label);
        known.unwrap_or_else(|| {
            self.labels.push(label);
            self.labels.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_go_by_kind_then_falling_count_then_falling_label() {
        let json = r#"{"1":{"a":2,"b":2,"c":9},"0":{"":1}}"#;
        let mut bytes = b"\x81\xa5moves\xd9".to_vec();
        bytes.push(u8::try_from(json.len()).unwrap());
        bytes.extend(json.as_bytes());
        let moves = Moves::read("test", &bytes, &[("0", 'S'), ("1", 'B')]).unwrap();
        let named: Vec<_> = moves
            .moves
            .iter()
            .map(|one| (one.kind, moves.labels[one.label].as_str()))
            .collect();
        assert_eq!(named, [('S', ""), ('B', "c"), ('B', "b"), ('B', "a")]);
        assert!(Moves::read("test", &bytes, &[("0", 'S')]).is_err());
    }
}
