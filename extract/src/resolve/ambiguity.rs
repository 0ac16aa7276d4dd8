//! The homonym guard: short names that may stand for several things keep to themselves.

use super::block::Pairs;
use super::judge::{Edges, Judge};
use banyan_engine::Evidence;
use std::collections::BTreeMap;

/// Least lead of a short name's best reading over another one that is something else.
const MARGIN: f32 = 0.15;

impl Judge<'_> {
    /// Drops the readings of a short name that are not clearly its best one; all of them where another thing is about as
    /// good a reading, or where a text uses the short name for something else.
    pub(super) fn drop_unclear(&self, edges: &mut Edges, pairs: &Pairs) {
        let mut readings: BTreeMap<usize, Vec<(f32, usize)>> = BTreeMap::new();
        for ((a, b), edge) in edges.iter() {
            if let Some(short) = edge.short {
                let other = if *a == short { *b } else { *a };
                readings.entry(short).or_default().push((edge.score, other));
            }
        }
        for (short, mut list) in readings {
            list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let (score, best) = list[0];
            // "Mr. Voss" and "Mara Voss", where nobody else is called Voss.
            let is_one = pairs.carried.get(&short).is_some_and(|carried| !carried.is_family);
            let kind = |other: usize| edges.get(&pair(short, other)).and_then(|edge| edge.evidence.first());
            let are_parts = |a: usize, b: usize| {
                let kinds = [kind(a), kind(b)];
                is_one && kinds.contains(&Some(&Evidence::Title)) && kinds.contains(&Some(&Evidence::Containment))
            };
            let (alike, strange): (Vec<_>, Vec<_>) = list
                .into_iter()
                .partition(|(_, other)| self.are_alike(edges, best, *other) || are_parts(best, *other));
            let is_behind = |(other, _): &(f32, usize)| *other <= score - MARGIN;
            let named = edges.get(&pair(short, best)).map_or(&[][..], |edge| &edge.evidence);
            let is_part = named.contains(&Evidence::Title) || named.contains(&Evidence::Containment);
            let is_clear = strange.iter().all(is_behind) && (is_part || !self.has_rival(short, best));
            let unclear = alike.into_iter().filter(|_| !is_clear).chain(strange);
            for (_, other) in unclear {
                edges.remove(&pair(short, other));
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
