//! What is derived for fast search: terms, BM25, names, who is named where, what is stated where. It is stored with the
//! knowledge that it was derived from.

use crate::id::EntityId;
use crate::knowledge::Knowledge;
use crate::name;
use crate::paged::Sorted;
use crate::tree::Community;
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub mod bm25;
pub mod fact;
pub mod incidence;
pub mod term;

pub use bm25::{Bm25, Postings};
pub use fact::{Fact, Facts};
pub use incidence::{Incidence, Named, Place};

/// The indexes of a knowledge.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// BM25 over title and text of every chunk.
    pub passages: Bm25,
    /// BM25 over the text that stands for each community.
    pub communities: Bm25,
    /// Who is named where.
    pub incidence: Incidence,
    /// The entities that bear each name or alias, by its key ([`name::key`]), ascending.
    pub names: Sorted<String, Vec<EntityId>>,
    /// Positions of the documents that were read from each file, ascending.
    pub files: Sorted<String, Vec<u32>>,
    /// What is stated where, and the words of it.
    pub facts: Facts,
}

impl Index {
    /// Derives the indexes of a knowledge; needs its contributions. Cost O(text).
    pub fn new(knowledge: &Knowledge) -> Self {
        let communities: Vec<String> = knowledge
            .tree
            .communities()
            .iter()
            .map(|one| text(knowledge, one))
            .collect();
        let passage = |at| knowledge.passage(crate::id::ChunkId::at(at));
        let of_texts = || {
            let passages = Bm25::of(knowledge.chunks.len(), passage);
            (passages, Bm25::new(&communities), names(knowledge))
        };
        let of_graph = || rayon::join(|| Incidence::new(knowledge), || Facts::new(knowledge));
        let ((passages, communities, names), (incidence, facts)) = rayon::join(of_texts, of_graph);
        Self {
            passages,
            communities,
            incidence,
            names,
            files: files(knowledge),
            facts,
        }
    }
}

/// Every name and alias by its key.
fn names(knowledge: &Knowledge) -> Sorted<String, Vec<EntityId>> {
    let mut names: BTreeMap<String, Vec<EntityId>> = BTreeMap::new();
    for (position, entity) in knowledge.graph.entities().iter().enumerate() {
        let keys: BTreeSet<String> = std::iter::once(&entity.name)
            .chain(&entity.aliases)
            .map(|surface| name::key(surface))
            .chain(std::iter::once(entity.key.clone()))
            .filter(|key| !key.is_empty())
            .collect();
        for key in keys {
            names.entry(key).or_default().push(EntityId::at(position));
        }
    }
    names.into_iter().collect()
}

/// The documents of each file.
fn files(knowledge: &Knowledge) -> Sorted<String, Vec<u32>> {
    let mut files: HashMap<String, Vec<u32>> = HashMap::new();
    for (at, document) in (0..).zip(knowledge.documents.all()) {
        for origin in &document.origins {
            let own = files.entry(origin.file.clone()).or_default();
            if own.last() != Some(&at) {
                own.push(at);
            }
        }
    }
    files.into_iter().collect()
}

/// The text that stands for a community: its name, its description and the names of its members.
fn text(knowledge: &Knowledge, community: &Community) -> String {
    let mut text = format!("{}\n{}", community.name, community.description);
    for member in &community.members {
        text.push('\n');
        text.push_str(&knowledge.graph.entity(*member).name);
    }
    text
}
