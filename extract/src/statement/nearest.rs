//! The triggers of relations nearest to a candidate, and which relation has the best claim to them.

use super::passage::Passage;
use super::trigger::Triggers;

/// The triggers of a relation nearest to a candidate, in tokens: 1 is adjacent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nearest {
    pub(crate) left: Option<Found>,
    pub(crate) right: Option<Found>,
}

/// A trigger.
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
    /// The nearer trigger in the same sentence; the left one of equals.
    pub(crate) fn nearer(&self) -> Option<Found> {
        let inside = [self.left, self.right]
            .into_iter()
            .flatten()
            .filter(|found| found.is_inside);
        inside.min_by_key(|found| found.distance)
    }

    /// Its distance.
    pub(crate) fn distance(&self) -> Option<usize> {
        self.nearer().map(|found| found.distance)
    }
}

/// The triggers of a relation nearest to the candidate at `index`. Cost O(triggers · occurrences).
pub(crate) fn nearest(passage: &Passage, index: usize, triggers: &Triggers) -> Nearest {
    let candidate = &passage.candidates[index];
    // Items of a list are as near as its first one.
    let (start, end) = passage.shapes[index].list;
    let mut nearest = Nearest::default();
    let own = triggers.own.iter().map(|word| (word, true));
    for (word, is_own) in own.chain(triggers.kin.iter().map(|word| (word, false))) {
        for at in passage.places.get(word).into_iter().flatten().copied() {
            let (slot, distance) = if at < candidate.first {
                (&mut nearest.left, start.max(at + 1) - at)
            } else if at >= candidate.end {
                (&mut nearest.right, at - end.min(at) + 1)
            } else {
                continue;
            };
            if slot.is_none_or(|found| (found.distance, !found.is_own) > (distance, !is_own)) {
                *slot = Some(Found {
                    at,
                    distance,
                    is_own,
                    is_inside: passage.tokens[at].sentence == passage.tokens[candidate.first].sentence,
                });
            }
        }
    }
    nearest
}

/// How the triggers of a relation compare with those of the other relations at the same candidate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rivalry {
    /// No other relation has a nearer trigger.
    pub(crate) is_best: bool,
    /// How far the trigger is this relation's alone among those of its kind.
    pub(crate) standing: Option<&'static str>,
}

/// The nearest triggers and the comparisons of all relations at one candidate. Cost O(relations²).
pub(crate) fn compared(passage: &Passage, index: usize, relations: &[Triggers]) -> Vec<(Nearest, Rivalry)> {
    let all: Vec<Nearest> = relations
        .iter()
        .map(|triggers| nearest(passage, index, triggers))
        .collect();
    let best = all.iter().filter_map(Nearest::distance).min();
    let rivalry = |place: usize| {
        let standing = all[place].nearer().map(|mine| {
            let is_rival = |other: &usize| *other != place && relations[*other].kind == relations[place].kind;
            let theirs = (0..all.len()).filter(is_rival).filter_map(|other| all[other].nearer());
            let sharing: Vec<Found> = theirs.filter(|theirs| theirs.at == mine.at).collect();
            match sharing.len() {
                _ if !mine.is_own && sharing.iter().any(|theirs| theirs.is_own) => "outdone",
                0 if mine.is_own => "ahead",
                0 => "alone",
                1 => "shared",
                _ => "common",
            }
        });
        Rivalry {
            is_best: best.is_some() && all[place].distance() == best,
            standing,
        }
    };
    let rivalries: Vec<Rivalry> = (0..all.len()).map(rivalry).collect();
    all.into_iter().zip(rivalries).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::Relation;

    /// "written" states the author by kinship and the writer by its label's word: the label's word has the better claim.
    #[test]
    fn the_relation_whose_label_says_the_trigger_is_ahead() {
        let relation = |label: &str| {
            Triggers::new(&Relation {
                label: label.to_owned(),
                range: vec!["person".to_owned()],
                ..Relation::default()
            })
        };
        let relations = [relation("author"), relation("written by"), relation("captain")];
        let passage = Passage::new("Teak was written by Ada Voss.");
        let mut candidates = passage.candidates.iter();
        let index = candidates
            .position(|candidate| passage.text_of(candidate) == "Ada Voss")
            .unwrap();
        let found = compared(&passage, index, &relations);
        let standings: Vec<_> = found.iter().map(|(_, rivalry)| rivalry.standing).collect();
        assert_eq!(standings, [Some("outdone"), Some("shared"), None]);
        assert!(compared(&passage, index, &[]).is_empty());
    }
}
