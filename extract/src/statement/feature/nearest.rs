//! The cues of relations nearest to a candidate, and which relation has the best claim to them.

use crate::statement::cue::Cues;
use crate::statement::view::View;

/// The cues of a relation nearest to a candidate, in tokens: 1 is adjacent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nearest {
    pub(crate) left: Option<Found>,
    pub(crate) right: Option<Found>,
}

/// A cue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) at: usize,
    pub(crate) distance: usize,
    /// Of the label itself.
    pub(crate) is_own: bool,
    /// In the candidate's sentence.
    pub(crate) is_inside: bool,
}

impl Nearest {
    /// The nearer cue in the same sentence.
    pub(crate) fn nearer(&self) -> Option<Found> {
        let inside = |found: Option<Found>| found.filter(|found| found.is_inside);
        match (inside(self.left), inside(self.right)) {
            (Some(left), Some(right)) if right.distance < left.distance => Some(right),
            (left, right) => left.or(right),
        }
    }

    /// Distance of the nearer cue in the same sentence.
    pub(crate) fn distance(&self) -> Option<usize> {
        let inside = |found: Option<Found>| found.filter(|found| found.is_inside).map(|found| found.distance);
        match (inside(self.left), inside(self.right)) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        }
    }
}

/// Finds the cues of a relation nearest to the candidate at `index`. Cost O(cues · occurrences).
pub(crate) fn nearest(view: &View, index: usize, cues: &Cues) -> Nearest {
    let candidate = &view.passage.candidates[index];
    let shape = &view.shapes[index];
    let tokens = &view.passage.tokens;
    let mut nearest = Nearest::default();
    let words = cues
        .own
        .iter()
        .map(|word| (word, true))
        .chain(cues.kin.iter().map(|word| (word, false)));
    for (word, is_own) in words {
        for at in view.places.get(word).into_iter().flatten().copied() {
            let (slot, distance) = if at < candidate.first {
                // Items of a list are as near as its first one.
                (&mut nearest.left, shape.list.max(at + 1) - at)
            } else if at >= candidate.end {
                (
                    &mut nearest.right,
                    at.max(shape.list_end.min(at)) - shape.list_end.min(at) + 1,
                )
            } else {
                continue;
            };
            if slot.is_none_or(|found| (found.distance, !found.is_own) > (distance, !is_own)) {
                *slot = Some(Found {
                    at,
                    distance,
                    is_own,
                    is_inside: tokens[at].sentence == tokens[candidate.first].sentence,
                });
            }
        }
    }
    nearest
}

/// How the cues of a relation compare with those of the other relations at the same candidate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rivalry {
    /// No other relation has a nearer cue.
    pub(crate) is_best: bool,
    /// Other relations of the same kind that have their nearest cue in the same place.
    pub(crate) n_sharing: usize,
    /// One of those has it as a word of its label, this one has not.
    pub(crate) is_outdone: bool,
    /// This one has it as a word of its label, and there are none of those.
    pub(crate) is_ahead: bool,
}

/// The comparisons of all relations at one candidate. Cost O(relations²).
pub(crate) fn rivalries(relations: &[Cues], nearest: &[Nearest]) -> Vec<Rivalry> {
    let best = nearest.iter().filter_map(Nearest::distance).min();
    let one = |place: usize| {
        let mut rivalry = Rivalry {
            is_best: best.is_some() && nearest[place].distance() == best,
            ..Rivalry::default()
        };
        let Some(mine) = nearest[place].nearer() else {
            return rivalry;
        };
        for (other, cues) in relations.iter().enumerate() {
            let Some(theirs) = nearest[other].nearer().filter(|theirs| theirs.at == mine.at) else {
                continue;
            };
            if other != place && cues.kind == relations[place].kind {
                rivalry.n_sharing += 1;
                rivalry.is_outdone |= theirs.is_own && !mine.is_own;
            }
        }
        rivalry.is_ahead = mine.is_own && rivalry.n_sharing == 0;
        rivalry
    };
    (0..relations.len()).map(one).collect()
}
