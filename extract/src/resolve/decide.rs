//! The user's decisions, replayed in order on what the evidence gives.

use super::cluster::{Clusters, Ties, agglomerate};
use super::forbid::Contradiction;
use super::judge::{Edges, Judge};
use banyan_engine::{Correction, Decision, TypeId, name};

/// A decision without effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its place in the list of decisions.
    pub index: usize,
    /// Why it has none.
    pub objection: Objection,
}

/// Why a decision has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// No document names this key (any more).
    Unknown(String),
    /// Both keys are one.
    Same,
    /// The two are of different types, which the schema tells apart.
    Types(TypeId, TypeId),
    /// Facts are stated of the two that the schema does not admit of one thing.
    Facts,
    /// The decision at this place of the list says the opposite.
    Contradicts(usize),
}

/// The clusters that evidence and decisions give together, and the decisions that could not be respected. Cost of
/// [`agglomerate`] once for each decision to split, and once more.
///
/// A merge holds whatever the evidence says, unless types or facts contradict each other or an earlier decision keeps the
/// two apart. A split keeps `b` apart from everything that `a` is joined with at that point.
pub(crate) fn replay(judge: &Judge, edges: &Edges, decisions: &[Decision]) -> (Clusters, Vec<Held>) {
    let mut replay = Replay {
        judge,
        edges,
        ties: Ties::default(),
        merges: Vec::new(),
        splits: Vec::new(),
    };
    let mut held = Vec::new();
    for (index, decision) in decisions.iter().enumerate() {
        if let Err(objection) = replay.apply(index, decision) {
            held.push(Held { index, objection });
        }
    }
    (agglomerate(judge, edges, &replay.ties), held)
}

struct Replay<'a> {
    judge: &'a Judge<'a>,
    edges: &'a Edges,
    ties: Ties,
    /// Pairs that were merged and split, with the place of the decision.
    merges: Vec<(usize, usize, usize)>,
    splits: Vec<(usize, usize, usize)>,
}

impl Replay<'_> {
    fn apply(&mut self, index: usize, decision: &Decision) -> Result<(), Objection> {
        let find = |key: &str| {
            self.judge
                .profiles
                .find(key)
                .ok_or_else(|| Objection::Unknown(key.to_owned()))
        };
        let pair = |a: &str, b: &str| match (find(a)?, find(b)?) {
            (a, b) if a == b => Err(Objection::Same),
            pair => Ok(pair),
        };
        match decision {
            Decision::Merge { a, b } => pair(a, b).and_then(|(a, b)| self.merge(index, a, b)),
            Decision::Split { a, b } => pair(a, b).and_then(|(a, b)| self.split(index, a, b)),
            // A text that uses the name that was given means what it was given to.
            Decision::Correct {
                what: Correction::Rename { entity, name },
                ..
            } => match (find(entity), find(&name::key(name))) {
                (Ok(a), Ok(b)) if a != b => self.merge(index, a, b),
                _ => Ok(()),
            },
            // Names are one or two whatever is held of what they name.
            Decision::Correct { .. } => Ok(()),
        }
    }

    fn merge(&mut self, index: usize, a: usize, b: usize) -> Result<(), Objection> {
        let decided = Clusters::of_pairs(&self.ties.together);
        let (one, other) = (decided.cluster(a), decided.cluster(b));
        let is_across = |x: usize, y: usize| one.contains(&x) && other.contains(&y);
        let opposite = self
            .splits
            .iter()
            .find(|(x, y, _)| is_across(*x, *y) || is_across(*y, *x));
        if let Some((.., earlier)) = opposite {
            return Err(Objection::Contradicts(*earlier));
        }
        let mut across = one.iter().flat_map(|x| other.iter().map(move |y| (*x, *y)));
        match across.find_map(|(x, y)| self.judge.contradiction(x, y)) {
            Some(Contradiction::Types(x, y)) => return Err(Objection::Types(x, y)),
            Some(Contradiction::Facts) => return Err(Objection::Facts),
            None => {}
        }
        self.ties.together.push((a, b));
        self.merges.push((a, b, index));
        Ok(())
    }

    fn split(&mut self, index: usize, a: usize, b: usize) -> Result<(), Objection> {
        let own = Clusters::of_pairs(&self.ties.together).cluster(b);
        if own.contains(&a) {
            let touches = self.merges.iter().rev().find(|(x, y, _)| *x == b || *y == b);
            let earlier = touches.map_or(index, |(.., earlier)| *earlier);
            return Err(Objection::Contradicts(earlier));
        }
        let joined = agglomerate(self.judge, self.edges, &self.ties).cluster(a);
        let left = joined.iter().filter(|x| joined.contains(&b) && !own.contains(x));
        let apart: Vec<usize> = left.copied().chain([a]).collect();
        self.ties.apart.extend(apart.into_iter().map(|x| (x.min(b), x.max(b))));
        self.splits.push((a, b, index));
        Ok(())
    }
}
