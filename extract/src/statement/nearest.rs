//! The triggers of relations nearest to a candidate.

use super::passage::Passage;
use super::trigger::Triggers;

/// The triggers of a relation nearest to a candidate, in tokens: 1 is adjacent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nearest {
    pub(crate) left: Option<Found>,
    pub(crate) right: Option<Found>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) distance: usize,
    /// Of the label itself.
    pub(crate) is_own: bool,
    /// In the candidate's sentence.
    pub(crate) is_inside: bool,
}

impl Nearest {
    /// The distance of the nearer trigger in the same sentence.
    pub(crate) fn distance(&self) -> Option<usize> {
        let found = [self.left, self.right].into_iter().flatten();
        let inside = found.filter(|found| found.is_inside);
        inside.map(|found| found.distance).min()
    }
}

/// The triggers of a relation nearest to the candidate at `index`. Cost O(triggers · occurrences).
pub(crate) fn nearest(passage: &Passage, index: usize, triggers: &Triggers) -> Nearest {
    let candidate = &passage.candidates[index];
    let mut nearest = Nearest::default();
    let own = triggers.own.iter().map(|word| (word, true));
    for (word, is_own) in own.chain(triggers.kin.iter().map(|word| (word, false))) {
        for at in passage.places.get(word).into_iter().flatten().copied() {
            let (slot, distance) = if at < candidate.first {
                (&mut nearest.left, candidate.first - at)
            } else if at >= candidate.end {
                (&mut nearest.right, at - candidate.end + 1)
            } else {
                continue;
            };
            if slot.is_none_or(|found| (found.distance, !found.is_own) > (distance, !is_own)) {
                *slot = Some(Found {
                    distance,
                    is_own,
                    is_inside: passage.tokens[at].sentence == passage.tokens[candidate.first].sentence,
                });
            }
        }
    }
    nearest
}

/// The nearest triggers of all relations at one candidate, each with whether no other relation has a nearer one. Cost
/// O(relations · triggers · occurrences).
pub(crate) fn compared(passage: &Passage, index: usize, relations: &[Triggers]) -> Vec<(Nearest, bool)> {
    let all: Vec<Nearest> = relations
        .iter()
        .map(|triggers| nearest(passage, index, triggers))
        .collect();
    let best = all.iter().filter_map(Nearest::distance).min();
    let is_best = |nearest: &Nearest| best.is_some() && nearest.distance() == best;
    all.iter().map(|nearest| (*nearest, is_best(nearest))).collect()
}
