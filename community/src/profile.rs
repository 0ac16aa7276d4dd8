//! What a community is, summed over its members: meaning, relation types, ties.

use crate::adjacency::Adjacency;
use crate::matrix::{Matrix, add, add_scaled};
use banyan_engine::embed::dot;

/// The graph as detection sees it: unit rows of meaning, and ties ([`crate::perceive()`]).
#[derive(Debug)]
pub struct Space {
    /// Eq. 4 projected to the dimensions that groups are found in, unit or zero rows.
    pub(crate) start: Matrix,
    /// Eq. 4 projected to the dimensions that groups are judged in, unit or zero rows.
    pub(crate) rows: Matrix,
    /// The relational side.
    pub(crate) ties: Adjacency,
}

/// Squared length below which a sum of unit vectors has no direction: rounding of f32.
pub(crate) const NO_DIRECTION: f32 = 1e-6;

/// Sums over the members of one community.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Profile {
    pub(crate) n_members: usize,
    /// Sum of the members' rows: the centroid, up to length.
    pub(crate) sum: Vec<f32>,
    /// Squared length of `sum`.
    pub(crate) length2: f32,
    /// Sum of the members' shares of relation types.
    pub(crate) types: Vec<f32>,
    /// Squared length of `types`.
    pub(crate) types2: f32,
    /// Number of members with a relation.
    pub(crate) n_typed: usize,
    /// Weight of all ties of members.
    pub(crate) volume: f32,
}

impl Profile {
    /// The profile of nobody.
    pub(crate) fn empty(space: &Space) -> Self {
        Self {
            n_members: 0,
            sum: vec![0.0; space.rows.width()],
            length2: 0.0,
            types: vec![0.0; space.ties.n_types],
            types2: 0.0,
            n_typed: 0,
            volume: 0.0,
        }
    }

    /// The profile of these members.
    pub(crate) fn of(space: &Space, members: &[u32]) -> Self {
        let mut profile = Self::empty(space);
        for member in members {
            profile.shift(space, *member as usize, 1.0);
        }
        profile.n_members = members.len();
        profile.n_typed = members
            .iter()
            .filter(|member| is_typed(space, **member as usize))
            .count();
        profile
    }

    /// The profile of the members of two communities that share none. Cost O(p).
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let mut both = self.clone();
        add(&mut both.sum, &other.sum);
        add(&mut both.types, &other.types);
        both.length2 = dot(&both.sum, &both.sum);
        both.types2 = dot(&both.types, &both.types);
        both.n_members += other.n_members;
        both.n_typed += other.n_typed;
        both.volume += other.volume;
        both
    }

    /// Takes a new member in. Cost O(p).
    pub(crate) fn add(&mut self, space: &Space, entity: usize) {
        self.shift(space, entity, 1.0);
        self.n_members += 1;
        self.n_typed += usize::from(is_typed(space, entity));
    }

    /// Lets a member go. Cost O(p).
    pub(crate) fn remove(&mut self, space: &Space, entity: usize) {
        self.shift(space, entity, -1.0);
        self.n_members -= 1;
        self.n_typed -= usize::from(is_typed(space, entity));
    }

    /// Length of `sum`; 0 where the members' meanings cancel out, up to rounding.
    pub(crate) fn length(&self) -> f32 {
        if self.length2 > NO_DIRECTION {
            self.length2.sqrt()
        } else {
            0.0
        }
    }

    fn shift(&mut self, space: &Space, entity: usize, sign: f32) {
        let row = space.rows.row(entity);
        add_scaled(&mut self.sum, row, sign);
        self.length2 = dot(&self.sum, &self.sum);
        for &(kind, share) in space.ties.types.row(entity) {
            let slot = &mut self.types[kind as usize];
            let before = *slot;
            *slot += sign * share;
            self.types2 += *slot * *slot - before * before;
        }
        self.volume += sign * space.ties.degrees[entity];
    }
}

fn is_typed(space: &Space, entity: usize) -> bool {
    !space.ties.types.row(entity).is_empty()
}
