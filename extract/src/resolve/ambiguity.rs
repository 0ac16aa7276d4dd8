//! The homonym guard: short names that may stand for several things keep to themselves.

use super::judge::{Edges, Judge};
use std::collections::BTreeMap;

impl Judge<'_> {
    /// Drops the readings of a short name that may stand for several things, or that a text uses for something else.
    pub(super) fn drop_unclear(&self, edges: &mut Edges) {
        let mut readings: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for ((a, b), edge) in edges.iter() {
            if let Some(short) = edge.short {
                let other = if *a == short { *b } else { *a };
                readings.entry(short).or_default().push(other);
            }
        }
        for (short, others) in readings {
            let is_one = |other: &usize| self.are_alike(edges, others[0], *other);
            if !others.iter().all(is_one) || others.iter().any(|full| self.has_rival(short, *full)) {
                for other in others {
                    edges.remove(&pair(short, other));
                }
            }
        }
    }

    /// Whether two readings of one name may be one thing themselves.
    fn are_alike(&self, edges: &Edges, a: usize, b: usize) -> bool {
        a == b || edges.contains_key(&pair(a, b)) || self.likeness(a, b).is_some()
    }

    /// Whether a text puts an acronym in brackets after something else than `full`, or a longer name that ends with it.
    fn has_rival(&self, short: usize, full: usize) -> bool {
        let is_other = |rival: &usize| !self.profiles[*rival].key.ends_with(self.profiles[full].key);
        let rivals = self.statements.rivals.get(&short);
        rivals.is_some_and(|rivals| rivals.iter().any(is_other))
    }
}

fn pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}
