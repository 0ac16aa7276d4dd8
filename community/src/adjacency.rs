//! The relational side of a graph: who is tied to whom, how strongly, and by which types of relations.

use crate::config::ASSOCIATION_WEIGHT;
use banyan_engine::KnowledgeGraph;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Most directed relation types told apart; the rarest beyond share the last place. Arbitrary, bounds the memory of
/// a community's profile at 2 KiB.
const MAX_TYPES: usize = 512;

/// Rows of (index, weight) pairs with ascending indices, in one buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseRows {
    starts: Vec<usize>,
    entries: Vec<(u32, f32)>,
}

impl SparseRows {
    /// Rows `0..n` from `(row, (index, weight))`; equal places add up, in the order given. Cost O(n + m log r) for rows of
    /// r entries; `entries` are gone through twice.
    pub(crate) fn new(n: usize, entries: impl Iterator<Item = (u32, (u32, f32))> + Clone) -> Self {
        let mut starts = vec![0; n + 1];
        for (row, _) in entries.clone() {
            starts[row as usize + 1] += 1;
        }
        for row in 0..n {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut places = vec![(0, 0.0); starts[n]];
        for (row, entry) in entries {
            let place = &mut next[row as usize];
            places[*place] = entry;
            *place += 1;
        }
        let (mut entries, mut n_kept) = (places, 0);
        for row in 0..n {
            let inside = starts[row]..starts[row + 1];
            entries[inside.clone()].sort_by_key(|entry| entry.0);
            starts[row] = n_kept;
            for at in inside {
                let (index, weight) = entries[at];
                if n_kept > starts[row] && entries[n_kept - 1].0 == index {
                    entries[n_kept - 1].1 += weight;
                } else {
                    entries[n_kept] = (index, weight);
                    n_kept += 1;
                }
            }
        }
        starts[n] = n_kept;
        entries.truncate(n_kept);
        Self { starts, entries }
    }

    /// The entries of one row.
    pub(crate) fn row(&self, row: usize) -> &[(u32, f32)] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }

    /// The entries of all rows, each with the label of its row.
    pub(crate) fn by_label(&self, labels: &[u32]) -> impl Iterator<Item = (u32, (u32, f32))> + Clone {
        let rows = labels.iter().enumerate();
        rows.flat_map(|(row, label)| self.row(row).iter().map(move |entry| (*label, *entry)))
    }

    /// Scales each row to the sum 1; a row that sums up to nothing becomes zeros.
    pub(crate) fn scale_to_shares(&mut self) {
        for row in 0..self.len() {
            let total = self.total(row);
            for entry in &mut self.entries[self.starts[row]..self.starts[row + 1]] {
                entry.1 = if total > 0.0 { entry.1 / total } else { 0.0 };
            }
        }
    }

    /// For each row the first that is equal to it. Cost O(n + m).
    pub(crate) fn first_alike(&self) -> Vec<u32> {
        let mut firsts: FxHashMap<Vec<(u32, u32)>, u32> = FxHashMap::default();
        let rows = (0u32..).zip(0..self.len());
        rows.map(|(label, row)| {
            let bits = self.row(row).iter().map(|(index, weight)| (*index, weight.to_bits()));
            *firsts.entry(bits.collect()).or_insert(label)
        })
        .collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(crate) fn total(&self, row: usize) -> f32 {
        self.row(row).iter().map(|entry| entry.1).sum()
    }
}

/// Ties between entities, whatever their direction, and the relation types that each entity takes part in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Adjacency {
    /// Neighbours of each entity with the weight of all triples and associations between; self-loops left out.
    pub(crate) neighbours: SparseRows,
    /// Ψ: weights of each entity's directed relation types, as shares that sum to 1; empty for isolated entities.
    pub(crate) types: SparseRows,
    /// The first entity with the same row of `types`, for each: few entities have one that no other has.
    pub(crate) roles: Vec<u32>,
    /// Number of places in `types`.
    pub(crate) n_types: usize,
    pub(crate) degrees: Vec<f32>,
    /// Sum of all degrees, twice the weight of all ties.
    pub(crate) volume: f32,
}

impl Adjacency {
    /// The ties of `graph`. Cost O(n + t log r) in the numbers of triples and associations, r of them at one entity.
    pub(crate) fn new(graph: &KnowledgeGraph) -> Self {
        let n = graph.entities().len();
        let mut uses = Vec::with_capacity(graph.triples().len() * 2);
        for triple in graph.triples() {
            let kind = u32::try_from(triple.relation.index() * 2).unwrap_or(u32::MAX - 1);
            uses.push((triple.head.0, (kind, 1.0)));
            uses.push((triple.tail.0, (kind + 1, 1.0)));
        }
        let triples = graph.triples().iter().map(|triple| (triple.head.0, triple.tail.0, 1.0));
        let triples = triples.filter(|(head, tail, _)| head != tail);
        let associations = graph.associations().iter();
        let associations = associations.map(|one| (one.a.0, one.b.0, ASSOCIATION_WEIGHT * one.weight));
        let both = |(a, b, weight): (u32, u32, f32)| [(a, (b, weight)), (b, (a, weight))];
        let neighbours = SparseRows::new(n, triples.chain(associations).flat_map(both));
        let degrees: Vec<f32> = (0..n).map(|entity| neighbours.total(entity)).collect();
        let volume = degrees.iter().map(|degree| f64::from(*degree)).sum::<f64>();
        let (types, n_types) = shares(n, uses);
        #[expect(clippy::cast_possible_truncation, reason = "a weight needs no more than f32")]
        let volume = volume as f32;
        Self {
            roles: types.first_alike(),
            neighbours,
            types,
            n_types,
            degrees,
            volume,
        }
    }

    /// Weight of the ties of `entity` to the entities that `is_in` holds for.
    pub(crate) fn weight(&self, entity: usize, is_in: impl Fn(u32) -> bool) -> f32 {
        let row = self.neighbours.row(entity).iter();
        row.filter(|entry| is_in(entry.0)).map(|entry| entry.1).sum()
    }
}

/// Renumbers relation types by falling frequency, so that [`MAX_TYPES`] keeps the frequent ones apart, and scales each
/// row to the sum 1.
fn shares(n: usize, mut uses: Vec<(u32, (u32, f32))>) -> (SparseRows, usize) {
    let mut counts: Vec<(u32, usize)> = Vec::new();
    let mut kinds: Vec<u32> = uses.iter().map(|entry| entry.1.0).collect();
    kinds.sort_unstable();
    for group in kinds.chunk_by(|a, b| a == b) {
        counts.push((group[0], group.len()));
    }
    counts.sort_by_key(|&(kind, count)| (Reverse(count), kind));
    let n_types = counts.len().min(MAX_TYPES);
    let ranks = counts.iter().zip(0u32..).map(|((kind, _), rank)| (*kind, rank));
    let mut ranks: Vec<(u32, u32)> = ranks.collect();
    ranks.sort_unstable();
    let last = u32::try_from(MAX_TYPES - 1).unwrap_or(u32::MAX);
    for (_, (kind, _)) in &mut uses {
        let place = ranks.binary_search_by_key(kind, |rank| rank.0).map(|at| ranks[at].1);
        *kind = place.map_or(last, |rank| rank.min(last));
    }
    let mut rows = SparseRows::new(n, uses.iter().copied());
    rows.scale_to_shares();
    (rows, n_types)
}
