//! The weights of retrieval, one set for every corpus.
//!
//! Each was chosen on a plateau: moving it by a third changes recall@5 on the three development sets by less than the
//! width of its bootstrap interval.

use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Weights and limits of [`crate::Searcher::search`].
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Which routes run. Without the chunk route paths start from what the question names.
    pub routes: Routes,
    /// Passages to return.
    pub top_k: usize,
    /// Share of BM25 against dense similarity in a passage's direct score, 0..=1; 1 without an embedder.
    pub lexical_share: f32,
    /// Weight of a passage being about an entity that the question names.
    pub entity_weight: f32,
    /// Passages from which paths start.
    pub n_starts: usize,
    /// Passages from which paths go on, per further hop.
    pub n_continued: usize,
    /// Longest path in hops; the paper's d is 5. Measured: 2, 3 and 5 differ within the interval, and cost grows with
    /// them.
    pub max_hops: usize,
    /// Factor of a path's first step.
    pub first_hop: f32,
    /// Further factor of that step where the question names nothing that the corpus knows; it rises to 1 with the rarity of
    /// the rarest name. A question without names asks for one passage more often than for a way between two. Measured:
    /// recall@5 of a manual, a novel, musique100 and hotpot100 is .521, .438, .832 and .960 with it and `same_document`,
    /// .479, .417, .837 and .960 without.
    pub without_name: f32,
    /// Factor of every further step, below 1: scores decay along a path.
    pub further_hop: f32,
    /// Part of a step's score that the link alone earns.
    pub link_share: f32,
    /// Part that the question's words not yet covered by the path earn.
    pub residual_share: f32,
    /// Part that the target's similarity to the whole question earns.
    pub similarity_share: f32,
    /// Part that a matching community of the target earns. Measured: 0.05 and 0.1 raise recall@10 of musique100 from .905
    /// to .921, 0.2 costs recall@2.
    pub topic_share: f32,
    /// Exponent on an entity's rarity: hubs are hardly followed.
    pub rarity_exponent: f32,
    /// Entities in more than this share of all chunks are not followed.
    pub max_frequency: f32,
    /// Entities that more chunks name lead only to what is about them; it bounds the cost on large corpora.
    pub max_links: usize,
    /// Factor for leaving a passage through the entity it is about: it leads to whatever mentions it.
    pub own_entity: f32,
    /// Factor for a step within one document: its passages share what it is about, so that such a step tells little.
    pub same_document: f32,
    /// How much stronger a link is through an end of what its passage states, times how much that says what the question
    /// asks for. Measured, searches alone: recall@5 of musique100 with the facts of a large model is .824 at 0.5, .818 at 1
    /// and .793 at 0, without titles .709, .692 and .702, with the facts read here .804, .808 and .794.
    pub fact_share: f32,
    /// Share of the smaller of direct and path score that is added to the larger.
    pub agreement: f32,
    /// Share of a triple's score that passages about its further end earn.
    pub further_end: f32,
    /// Triples to return. Measured: 10, 20 and 50 differ within the interval.
    pub n_triples: usize,
    /// Weight of what the best matching triple speaks of. Measured: recall@5 of hotpot100 is .960 at 0.01, .955 at 0.05 and
    /// .950 at 0.15, of musique100 .837, .825 and .825. It is what the route ranks by where it runs alone.
    pub triple_weight: f32,
    /// Weight of naming a pivotal entity of the best matching community. Measured: up to 0.01 it changes no ranking; it
    /// is what the route ranks by where it runs alone.
    pub community_weight: f32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            routes: Routes::all(),
            top_k: 10,
            lexical_share: 0.5,
            entity_weight: 0.5,
            n_starts: 10,
            n_continued: 10,
            max_hops: 3,
            first_hop: 2.5,
            without_name: 0.6,
            further_hop: 0.7,
            link_share: 0.25,
            residual_share: 1.0,
            similarity_share: 0.5,
            topic_share: 0.05,
            rarity_exponent: 1.5,
            max_frequency: 0.2,
            max_links: 500,
            own_entity: 0.7,
            same_document: 0.4,
            fact_share: 0.5,
            agreement: 0.1,
            further_end: 0.5,
            n_triples: 10,
            triple_weight: 0.01,
            community_weight: 0.01,
        }
    }
}

/// A way from a question to evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Route {
    /// Passages by vector and by BM25.
    Chunk,
    /// What the question names, and the passages about it.
    Entity,
    /// Facts, and the passages that state them.
    Triple,
    /// Communities from the top down, and the passages that name their members.
    Community,
    /// From passage to passage along the entities that they share.
    Path,
}

impl Route {
    /// All routes, in the order of their bits.
    pub const ALL: [Self; 5] = [Self::Chunk, Self::Entity, Self::Triple, Self::Community, Self::Path];

    /// Its name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Entity => "entity",
            Self::Triple => "triple",
            Self::Community => "community",
            Self::Path => "path",
        }
    }
}

impl Display for Route {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which routes run: a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routes(u8);

impl Routes {
    /// All of them.
    pub fn all() -> Self {
        Self(u8::MAX)
    }

    /// One alone.
    pub fn only(route: Route) -> Self {
        Self(1 << route as u8)
    }

    /// These without one.
    #[must_use]
    pub fn without(self, route: Route) -> Self {
        Self(self.0 & !Self::only(route).0)
    }

    /// Whether a route is among them.
    pub fn has(self, route: Route) -> bool {
        self.0 & Self::only(route).0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_in_all_and_in_itself_alone() {
        for route in Route::ALL {
            assert!(Routes::all().has(route) && !Routes::all().without(route).has(route));
            let alone: Vec<Route> = Route::ALL
                .into_iter()
                .filter(|other| Routes::only(route).has(*other))
                .collect();
            assert_eq!(alone, [route]);
        }
    }
}
