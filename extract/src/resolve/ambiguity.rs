//! The homonym guard: short names that may stand for several things keep to themselves.

use super::judge::{Edge, Edges, Judge};
use banyan_engine::Evidence;
use std::collections::{BTreeMap, BTreeSet};

/// Documents that may name an entity which still tells where one is: a share of all, and at least so many. Arbitrary.
const MAX_TELLING_SHARE: usize = 100;
const MIN_TELLING: usize = 2;

impl Judge<'_> {
    /// Drops the readings of a short name that are not clearly its best one. All of them go where another thing is about as
    /// good a reading, or is named with the short name as well; where a text uses the short name for something else; and
    /// where most of the documents naming it have nothing to do with its best reading although there is another one.
    pub(super) fn drop_unclear(&self, edges: &mut Edges) {
        let mut readings: BTreeMap<usize, Vec<(f32, usize)>> = BTreeMap::new();
        for ((a, b), edge) in edges.iter() {
            if let Some(short) = edge.short {
                let other = if *a == short { *b } else { *a };
                readings.entry(short).or_default().push((edge.score, other));
            }
        }
        for (short, mut list) in readings {
            list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let best = list[0].1;
            let strange: Vec<(f32, usize)> = list
                .iter()
                .copied()
                .filter(|(_, other)| !self.are_alike(edges, best, *other))
                .collect();
            let is_clear = self.is_clear(edges, short, list[0], &strange);
            for (_, other) in if is_clear { strange } else { list } {
                edges.remove(&pair(short, other));
            }
        }
    }

    /// Whether two readings of one name may be one thing themselves.
    fn are_alike(&self, edges: &Edges, best: usize, other: usize) -> bool {
        other == best || edges.contains_key(&pair(best, other)) || self.likeness(best, other).is_some()
    }

    fn is_clear(&self, edges: &Edges, short: usize, (score, best): (f32, usize), strange: &[(f32, usize)]) -> bool {
        let edge = |other: usize| edges.get(&pair(short, other));
        let Some(best_edge) = edge(best) else { return false };
        let is_behind = |(other_score, other): &(f32, usize)| {
            *other_score <= score - self.config.margin && edge(*other).is_none_or(|edge| edge.share <= 0.0)
        };
        let is_wide = self.profiles[short].documents.len() >= self.config.n_wide && best_edge.is_stated_word();
        let least = match (strange.is_empty(), is_wide) {
            (false, _) => self.config.min_share,
            (true, true) => self.config.min_wide_share,
            (true, false) => 0.0,
        };
        strange.iter().all(is_behind) && !self.has_rival(short, best) && self.is_at_home(short, best, best_edge, least)
    }

    /// Whether a text puts an acronym in brackets after something else than `full`, or a longer name that ends with it.
    fn has_rival(&self, short: usize, full: usize) -> bool {
        let is_other = |rival: &usize| !self.profiles[*rival].key.ends_with(self.profiles[full].key);
        let rivals = self.statements.rivals.get(&short);
        rivals.is_some_and(|rivals| rivals.iter().any(is_other))
    }

    /// Whether at least a share of the documents naming a short name also name `full`, or something that is named rarely and
    /// in a document with `full`. Cost O(names of those documents).
    fn is_at_home(&self, short: usize, full: usize, edge: &Edge, least: f32) -> bool {
        if edge.share >= least {
            return true;
        }
        let profiles = self.profiles;
        let max_telling = (profiles.n_documents() / MAX_TELLING_SHARE).max(MIN_TELLING);
        let is_telling = |at: &usize| *at != short && *at != full && profiles[*at].documents.len() <= max_telling;
        let named = profiles[full].documents.iter().flat_map(|at| profiles.named_in(*at));
        let telling: BTreeSet<usize> = named.copied().filter(is_telling).collect();
        let is_akin = |document: &&usize| {
            let mut named = profiles.named_in(**document).iter();
            profiles[full].documents.binary_search(document).is_ok() || named.any(|at| telling.contains(at))
        };
        let documents = &profiles[short].documents;
        let n_akin = documents.iter().filter(is_akin).count();
        n_akin as f32 >= least * documents.len() as f32
    }
}

impl Edge {
    /// Whether a text states an alias that the name itself does not show.
    fn is_stated_word(&self) -> bool {
        let has = |kind: fn(&Evidence) -> bool| self.evidence.iter().any(kind);
        has(|evidence| matches!(evidence, Evidence::Alias { .. }))
            && !has(|evidence| matches!(evidence, Evidence::Initials | Evidence::Spelling | Evidence::Title))
    }
}

fn pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}
