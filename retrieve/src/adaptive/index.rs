//! How the units of documents are joined (`SchemaRAG` Eq. 6, 7).

use super::structure::IndexStructure;
use super::unit::KnowledgeUnit;
use crate::answer::Citation;
use crate::searcher::Searcher;
use banyan_engine::{ChunkId, DocumentIndex};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Steps of the search for the longest chain. Arbitrary: more than any tree of two dozen documents that name few others
/// needs; the longest found until then counts.
const MAX_STEPS: usize = 200_000;

/// ℐ: the units, joined. Documents are named by their position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Index {
    /// Side by side.
    Parallel,
    /// Documents by category, categories by name; a document without one is in none.
    Groups(BTreeMap<String, Vec<usize>>),
    /// Documents that name others.
    Links(Vec<Link>),
    /// The links along the longest way that visits no document twice; empty where none names another.
    Chain(Vec<Link>),
}

/// One document that names what another is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Link {
    /// The document that names.
    pub from: usize,
    /// The one that is named.
    pub to: usize,
    /// The words that name it.
    pub citation: Citation,
}

/// Joins units (Eq. 7). Cost O(mentions), and for a chain the bounded search of the longest one.
pub(super) fn join(searcher: &Searcher, units: &[KnowledgeUnit], structure: IndexStructure) -> Index {
    match structure {
        IndexStructure::ParallelChunk => Index::Parallel,
        IndexStructure::CatalogueGroup => {
            let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (at, unit) in units.iter().enumerate() {
                if let Some(category) = &unit.category {
                    groups.entry(category.clone()).or_default().push(at);
                }
            }
            Index::Groups(groups)
        }
        IndexStructure::CorrelationGraph => Index::Links(links(searcher, units)),
        IndexStructure::CausalChain => {
            let links = links(searcher, units);
            let longest = longest(&links, units.len());
            let step = |pair: &[usize]| {
                links
                    .iter()
                    .find(|link| link.from == pair[0] && link.to == pair[1])
                    .cloned()
            };
            Index::Chain(longest.windows(2).filter_map(step).collect())
        }
    }
}

/// Who names whom: an entity that a document is about, mentioned in another one.
fn links(searcher: &Searcher, units: &[KnowledgeUnit]) -> Vec<Link> {
    let graph = &searcher.knowledge().graph;
    let mut links = Vec::new();
    for (from, unit) in units.iter().enumerate() {
        let own: BTreeSet<ChunkId> = chunks(searcher, unit.document).collect();
        let entities = own.iter().flat_map(|chunk| searcher.incidence().entities_of(*chunk));
        let named: BTreeSet<_> = entities.map(|(entity, _)| *entity).collect();
        for (to, other) in units.iter().enumerate().filter(|(to, _)| *to != from) {
            let subject = named
                .iter()
                .find(|entity| graph.entity(**entity).subject_of.contains(&other.document));
            let mentions = subject.into_iter().flat_map(|entity| &graph.entity(*entity).mentions);
            let first = mentions
                .map(|(source, _)| *source)
                .find(|source| own.contains(&source.chunk));
            links.extend(first.map(|source| {
                let document = searcher.knowledge().document(unit.document);
                let citation = Citation::of(document, searcher.sentence_of(source).unwrap_or(source.span));
                Link { from, to, citation }
            }));
        }
    }
    links
}

pub(super) fn chunks(searcher: &Searcher, document: DocumentIndex) -> impl Iterator<Item = ChunkId> {
    let chunks = &searcher.knowledge().chunks;
    let first = chunks.partition_point(|chunk| chunk.document < document);
    let end = chunks.partition_point(|chunk| chunk.document <= document);
    (first..end).map(ChunkId::at)
}

/// The longest way along links that visits no document twice; of equals the first in order.
fn longest(links: &[Link], n: usize) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); n];
    for link in links {
        next[link.from].push(link.to);
    }
    let mut search = Search {
        next,
        path: Vec::new(),
        best: Vec::new(),
        n_left: MAX_STEPS,
    };
    for start in 0..n {
        search.visit(start);
    }
    search.best
}

struct Search {
    next: Vec<Vec<usize>>,
    path: Vec<usize>,
    best: Vec<usize>,
    n_left: usize,
}

impl Search {
    fn visit(&mut self, at: usize) {
        if self.n_left == 0 || self.path.contains(&at) {
            return;
        }
        self.n_left -= 1;
        self.path.push(at);
        if self.path.len() > self.best.len() {
            self.best.clone_from(&self.path);
        }
        for to in self.next[at].clone() {
            self.visit(to);
        }
        self.path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link((from, to): (usize, usize)) -> Link {
        let citation = Citation {
            page: None,
            title: String::new(),
            section: String::new(),
            origin: String::new(),
            start: 0,
            end: 0,
            line: 1,
            column: 1,
            quote: String::new(),
        };
        Link { from, to, citation }
    }

    #[test]
    fn the_longest_chain_visits_nobody_twice() {
        assert_eq!(longest(&[(0, 1), (1, 0), (2, 0), (1, 3)].map(link), 4), [2, 0, 1, 3]);
        assert_eq!(longest(&[], 3), [0]);
    }

    #[test]
    fn a_dense_set_of_links_ends_at_its_limit() {
        let pairs = (0..24).flat_map(|from| (0..24).filter(move |to| *to != from).map(move |to| (from, to)));
        assert_eq!(longest(&pairs.map(link).collect::<Vec<_>>(), 24).len(), 24);
    }
}
