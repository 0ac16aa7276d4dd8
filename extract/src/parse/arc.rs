//! Dependency heads by an arc-eager transition system.
//!
//! The system is non-monotonic (Honnibal and Johnson 2015, "An improved non-monotonic transition system for dependency
//! parsing"): a word popped without a head goes back to the buffer, and a later arc replaces an earlier one. A move of
//! its own starts sentences.

use super::error::ParseError;
use super::load::ModelFile;
use super::moves::{Move, Moves};
use super::score::{Scorer, best};

/// Words of a state that the model sees.
const PLACES: usize = 8;

/// The package's files of this module.
const MODEL: &str = "parser/model";
const MOVES: &str = "parser/moves";

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The next word of the buffer goes on the stack.
    Shift,
    /// The top of the stack goes: away if it has a head, else back to the buffer.
    Reduce,
    /// The next word becomes the head of the top of the stack, which goes.
    Left,
    /// The top of the stack becomes the head of the next word, which goes on the stack.
    Right,
    /// The word behind the next one starts a sentence.
    Break,
}

/// The kinds by their number in the file of moves.
const KINDS: &[(&str, Kind)] = &[
    ("0", Kind::Shift),
    ("1", Kind::Reduce),
    ("2", Kind::Left),
    ("3", Kind::Right),
    ("4", Kind::Break),
];

/// The label of a word without a head.
const ROOT: &str = "ROOT";

/// A trained parser.
#[derive(Debug)]
pub(super) struct ArcParser {
    scorer: Scorer<PLACES>,
    moves: Vec<Move<Kind>>,
    labels: Vec<String>,
    root: usize,
}

/// A head of each word (its own index at a root) and the label of the dependency, as an index.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Arcs {
    pub(super) heads: Vec<usize>,
    pub(super) labels: Vec<usize>,
}

impl ArcParser {
    /// Reads the package's `parser/model` and `parser/moves` for word vectors of `width`.
    ///
    /// # Errors
    /// Where they have another form or size.
    pub(super) fn read(model: &[u8], moves: &[u8], width: usize) -> Result<Self, ParseError> {
        let Moves { moves, labels } = Moves::read(MOVES, moves, KINDS)?;
        let root = labels.iter().position(|label| label == ROOT);
        Ok(Self {
            scorer: Scorer::read(MODEL, &ModelFile::read(MODEL, model)?, width, moves.len())?,
            root: root.ok_or_else(|| ParseError::new(MOVES, "a label ROOT", "none"))?,
            moves,
            labels,
        })
    }

    /// The labels that [`Arcs`] index.
    pub(super) fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Parses words of these vectors, `(n_words, width)`. Cost O(words).
    pub(super) fn parse(&self, vectors: &[f32], n_words: usize, width: usize) -> Arcs {
        let mut prepared = self.scorer.prepare(vectors, n_words, width);
        let mut state = State::new(n_words, self.root);
        while !state.is_final() {
            let allowed = state.allowed();
            let scores = prepared.scores(state.places());
            let Some(at) = best(scores, |at| allowed[self.moves[at].kind as usize]) else {
                break;
            };
            state.take(self.moves[at]);
        }
        state.into_arcs()
    }
}

/// A parse on its way.
#[derive(Debug)]
struct State {
    stack: Vec<usize>,
    /// Words that came back from the stack; the last is the next of the buffer.
    returned: Vec<usize>,
    /// The first word that was never on the stack.
    next: usize,
    heads: Vec<Option<usize>>,
    labels: Vec<usize>,
    /// Dependants before and behind each word, the one attached last at the end.
    lefts: Vec<Vec<usize>>,
    rights: Vec<Vec<usize>>,
    /// Words that came back once and must not go on the stack by a shift again.
    has_returned: Vec<bool>,
    starts_sentence: Vec<bool>,
}

impl State {
    fn new(n_words: usize, root: usize) -> Self {
        Self {
            stack: Vec::new(),
            returned: Vec::new(),
            next: 0,
            heads: vec![None; n_words],
            labels: vec![root; n_words],
            lefts: vec![Vec::new(); n_words],
            rights: vec![Vec::new(); n_words],
            has_returned: vec![false; n_words],
            starts_sentence: vec![false; n_words],
        }
    }

    /// The `i`-th word from the top of the stack.
    fn stacked(&self, i: usize) -> Option<usize> {
        self.stack.len().checked_sub(i + 1).map(|at| self.stack[at])
    }

    /// The `i`-th word of the buffer.
    fn buffered(&self, i: usize) -> Option<usize> {
        if let Some(at) = self.returned.len().checked_sub(i + 1) {
            return Some(self.returned[at]);
        }
        Some(self.next + i - self.returned.len()).filter(|word| *word < self.heads.len())
    }

    fn n_buffered(&self) -> usize {
        self.heads.len() - self.next + self.returned.len()
    }

    fn is_final(&self) -> bool {
        self.stack.is_empty() && self.n_buffered() == 0
    }

    /// The words that the model sees; their order is the model's.
    fn places(&self) -> [Option<usize>; PLACES] {
        let left = |word: Option<usize>| word.and_then(|word| self.lefts[word].last().copied());
        let right = |word: Option<usize>| word.and_then(|word| self.rights[word].last().copied());
        let (top, next) = (self.stacked(0), self.buffered(0));
        [
            next,
            self.buffered(1),
            top,
            self.stacked(1),
            self.stacked(2),
            left(next),
            left(top),
            right(top),
        ]
    }

    /// Whether each kind of move is allowed, by kind.
    fn allowed(&self) -> [bool; KINDS.len()] {
        let is_start = |word: Option<usize>| word.is_some_and(|word| self.starts_sentence[word]);
        let next = self.buffered(0);
        let is_empty = self.stack.is_empty();
        let has_returned = next.is_some_and(|next| self.has_returned[next]);
        let shift = is_empty || (self.n_buffered() >= 2 && !is_start(next) && !has_returned);
        let arc = !is_empty && next.is_some() && !is_start(next);
        let behind = self.buffered(1);
        let is_adjacent = behind.is_some() && behind == next.map(|next| next + 1);
        [shift, !is_empty, arc, arc, is_adjacent && !is_start(behind)]
    }

    fn take(&mut self, one: Move<Kind>) {
        match one.kind {
            Kind::Shift => self.push(),
            Kind::Reduce => self.reduce(),
            Kind::Left => {
                if let (Some(head), Some(child)) = (self.buffered(0), self.stack.pop()) {
                    self.attach(head, child, one.label);
                    self.has_returned[head] = false;
                }
            }
            Kind::Right => {
                if let (Some(child), Some(head)) = (self.buffered(0), self.stacked(0)) {
                    self.attach(head, child, one.label);
                    self.push();
                }
            }
            Kind::Break => {
                if let Some(word) = self.buffered(1) {
                    self.starts_sentence[word] = true;
                }
            }
        }
    }

    fn push(&mut self) {
        let Some(word) = self.buffered(0) else { return };
        if self.returned.pop().is_none() {
            self.next += 1;
        }
        self.stack.push(word);
    }

    fn reduce(&mut self) {
        let is_last = self.stack.len() == 1;
        let Some(word) = self.stack.pop() else { return };
        if self.heads[word].is_none() && !is_last {
            self.has_returned[word] = true;
            self.returned.push(word);
        }
    }

    /// Makes `head` the head of `child`, in place of any other.
    fn attach(&mut self, head: usize, child: usize, label: usize) {
        if let Some(old) = self.heads[child] {
            self.dependants(old, child).retain(|other| *other != child);
        }
        self.dependants(head, child).push(child);
        self.heads[child] = Some(head);
        self.labels[child] = label;
    }

    /// The dependants of `head` on the side of `child`.
    fn dependants(&mut self, head: usize, child: usize) -> &mut Vec<usize> {
        if head > child {
            &mut self.lefts[head]
        } else {
            &mut self.rights[head]
        }
    }

    fn into_arcs(self) -> Arcs {
        let heads = self.heads.iter().enumerate();
        Arcs {
            heads: heads.map(|(word, head)| head.unwrap_or(word)).collect(),
            labels: self.labels,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes moves from the start of a text of `n` words; labels are 1 upwards, 0 is the root's.
    fn after(n: usize, kinds: &[Kind]) -> State {
        let mut state = State::new(n, 0);
        for (at, kind) in kinds.iter().enumerate() {
            assert!(state.allowed()[*kind as usize], "move {at}: {state:?}");
            state.take(Move {
                kind: *kind,
                label: at + 1,
            });
        }
        state
    }

    #[test]
    fn arcs_go_left_and_right() {
        use Kind::{Left, Reduce, Right, Shift};
        let state = after(3, &[Shift, Left, Shift, Right, Reduce, Reduce]);
        assert!(state.is_final());
        let expected = Arcs {
            heads: vec![1, 1, 1],
            labels: vec![2, 0, 4],
        };
        assert_eq!(state.into_arcs(), expected);
    }

    #[test]
    fn a_word_reduced_without_a_head_returns_and_may_not_be_shifted() {
        use Kind::{Left, Reduce, Shift};
        let state = after(3, &[Shift, Shift, Reduce]);
        assert_eq!((state.buffered(0), state.buffered(1)), (Some(1), Some(2)));
        assert!(!state.allowed()[Shift as usize]);
        let state = after(3, &[Shift, Shift, Reduce, Left]);
        assert!(state.allowed()[Shift as usize]);
    }

    #[test]
    fn nothing_is_attached_across_the_start_of_a_sentence() {
        use Kind::{Break, Left, Reduce, Right, Shift};
        let state = after(2, &[Break, Shift]);
        assert_eq!(state.allowed(), [false, true, false, false, false]);
        let state = after(2, &[Break, Shift, Reduce, Shift]);
        assert!(!state.allowed()[Left as usize] && !state.allowed()[Right as usize]);
        assert_eq!(state.starts_sentence, [false, true]);
    }
}
