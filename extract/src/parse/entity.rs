//! Named entities by a BILUO transition system: each word begins, continues, ends or is an entity, or is in none.

use super::embed::Vectors;
use super::error::ParseError;
use super::feature::Features;
use super::load::ModelFile;
use super::moves::{Move, Moves};
use super::score::{Scorer, best};
use super::token::Entity;

/// Words of a state that the model sees: the next one, the first of the open entity, the one before the next.
const PLACES: usize = 3;

/// The package's files of this module.
const MODEL: &str = "ner/model";
const MOVES: &str = "ner/moves";

/// What a move says of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Begin,
    In,
    Last,
    Unit,
    Out,
}

/// The kinds by their number in the file of moves; 0 is for training only.
const KINDS: &[(&str, Kind)] = &[
    ("1", Kind::Begin),
    ("2", Kind::In),
    ("3", Kind::Last),
    ("4", Kind::Unit),
    ("5", Kind::Out),
];

/// A trained recogniser, with word vectors of its own.
#[derive(Debug)]
pub(super) struct Recogniser {
    vectors: Vectors,
    scorer: Scorer<PLACES>,
    moves: Vec<Move<Kind>>,
    labels: Vec<String>,
}

/// An entity that has begun: its first word and its label.
type Open = Option<(usize, usize)>;

impl Recogniser {
    /// Reads the package's `ner/model` and `ner/moves`.
    ///
    /// # Errors
    /// Where they have another form or size.
    pub(super) fn read(model: &[u8], moves: &[u8]) -> Result<Self, ParseError> {
        let Moves { moves, labels } = Moves::read(MOVES, moves, KINDS)?;
        let model = ModelFile::read(MODEL, model)?;
        let vectors = Vectors::read(MODEL, &model)?;
        Ok(Self {
            scorer: Scorer::read(MODEL, &model, vectors.width(), moves.len())?,
            vectors,
            moves,
            labels,
        })
    }

    /// The entity that each word is part of. No entity crosses the start of a sentence or begins with white space.
    ///
    /// Cost O(words).
    pub(super) fn recognise(
        &self,
        words: &[Features],
        starts_sentence: &[bool],
        is_space: impl Fn(usize) -> bool,
    ) -> Vec<Option<Entity<'_>>> {
        let vectors = self.vectors.of(words);
        let mut prepared = self.scorer.prepare(&vectors, words.len(), self.vectors.width());
        let mut open: Open = None;
        let mut entities = Vec::with_capacity(words.len());
        for word in 0..words.len() {
            let first = open.map(|(first, _)| first);
            let scores = prepared.scores([Some(word), first, first.and(word.checked_sub(1))]);
            let goes_on = starts_sentence.get(word + 1).is_some_and(|starts| !starts);
            let passes = |at: usize| self.is_allowed(self.moves[at], open, goes_on, is_space(word));
            let taken = best(scores, passes).map(|at| self.moves[at]);
            entities.push(taken.filter(|taken| taken.kind != Kind::Out).map(|taken| Entity {
                label: &self.labels[taken.label],
                begins: matches!(taken.kind, Kind::Begin | Kind::Unit),
            }));
            open = match taken {
                Some(Move {
                    kind: Kind::Begin,
                    label,
                }) => Some((word, label)),
                Some(Move { kind: Kind::In, .. }) => open,
                _ => None,
            };
        }
        entities
    }

    /// Whether a move is allowed with this entity open; `goes_on` says whether the sentence does.
    fn is_allowed(&self, one: Move<Kind>, open: Open, goes_on: bool, is_space: bool) -> bool {
        let is_labelled = !self.labels[one.label].is_empty();
        let is_open = open.is_some_and(|(_, label)| label == one.label);
        match one.kind {
            Kind::Begin => is_labelled && open.is_none() && goes_on && !is_space,
            Kind::In => is_open && goes_on,
            Kind::Last => is_open,
            Kind::Unit => is_labelled && open.is_none() && !is_space,
            Kind::Out => open.is_none(),
        }
    }
}
