//! The weights of retrieval, one set for every corpus.
//!
//! Each was chosen on a plateau: moving it by a third changes recall@5 on the three development sets by less than the
//! width of its bootstrap interval.

use crate::route::Routes;

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
    /// Longest path in hops; the paper's d is 5, passages found in more than two hops displace better ones.
    pub max_hops: usize,
    /// Factor of a path's first step.
    pub first_hop: f32,
    /// Factor of every further step, below 1: scores decay along a path.
    pub further_hop: f32,
    /// Part of a step's score that the link alone earns.
    pub link_share: f32,
    /// Part that the question's words not yet covered by the path earn.
    pub residual_share: f32,
    /// Part that the target's similarity to the whole question earns.
    pub similarity_share: f32,
    /// Part that a matching community of the target earns.
    pub topic_share: f32,
    /// Exponent on an entity's rarity: hubs are hardly followed.
    pub rarity_exponent: f32,
    /// Entities in more than this share of all chunks are not followed.
    pub max_frequency: f32,
    /// Entities that more chunks name lead only to what is about them; it bounds the cost on large corpora.
    pub max_links: usize,
    /// Factor for leaving a passage through the entity it is about: it leads to whatever mentions it.
    pub own_entity: f32,
    /// Share of the smaller of direct and path score that is added to the larger.
    pub agreement: f32,
    /// Part of a triple's score that its cosine to the question earns, beside its ends and words.
    pub cosine_share: f32,
    /// Share of a triple's score that passages about its further end earn.
    pub further_end: f32,
    /// Share of triples.
    pub n_triples: usize,
    /// Weight of stating the best matching triple. Measured: anything up to 0.1 moves recall within its interval.
    pub triple_weight: f32,
    /// Weight of naming a pivotal entity of the best matching community. Measured: as above.
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
            further_hop: 0.7,
            link_share: 0.25,
            residual_share: 1.0,
            similarity_share: 0.5,
            topic_share: 0.05,
            rarity_exponent: 1.5,
            max_frequency: 0.2,
            max_links: 500,
            own_entity: 0.7,
            agreement: 0.1,
            cosine_share: 1.0,
            further_end: 0.5,
            n_triples: 10,
            triple_weight: 0.15,
            community_weight: 0.0,
        }
    }
}
