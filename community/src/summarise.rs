//! Names and summaries of communities and branches by a language model, in place of those that the program made.

mod digest;
mod model;

use crate::error::CommunityError;
use banyan_engine::llm::LlmError;
use banyan_engine::stated::DefectCounts;
use banyan_engine::{KnowledgeGraph, KnowledgeTree, Schema};
use digest::Digest;

pub use model::ModelSummariser;

/// What is written about a community or a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SummaryText {
    name: String,
    summary: String,
}

/// Which nodes of a tree have texts that were made anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// For each community.
    pub communities: Vec<bool>,
    /// For each branch of each level, the lowest first.
    pub branches: Vec<Vec<bool>>,
}

impl Touched {
    /// All nodes of `tree`.
    pub fn all(tree: &KnowledgeTree) -> Self {
        Self::each(tree, true)
    }

    /// None of the nodes of `tree`.
    pub fn none(tree: &KnowledgeTree) -> Self {
        Self::each(tree, false)
    }

    fn each(tree: &KnowledgeTree, is_touched: bool) -> Self {
        Self {
            communities: vec![is_touched; tree.n_communities()],
            branches: tree
                .branches()
                .iter()
                .map(|level| vec![is_touched; level.len()])
                .collect(),
        }
    }
}

/// A tree with new texts.
#[derive(Debug, Default)]
pub struct Summarised {
    /// The tree.
    pub tree: KnowledgeTree,
    /// Communities and branches that were asked about.
    pub n_asked: usize,
    /// Those of them that keep the text that the program made, because there was no other to be had.
    pub n_kept: usize,
    /// What was wrong with replies, and how often.
    pub defects: DefectCounts,
    /// The first call that failed.
    pub failure: Option<LlmError>,
}

/// The tree with texts by a model for the nodes that are `touched`: communities first, then the levels above them,
/// which are described by what is below them. A node without a usable text keeps the one it has; these are counted. Cost
/// O(t log t) and that of the summariser.
///
/// # Errors
/// [`CommunityError::Tree`] if `tree` is not one over `graph`.
pub fn summarise(
    schema: &Schema,
    graph: &KnowledgeGraph,
    tree: &KnowledgeTree,
    touched: &Touched,
    summariser: &ModelSummariser<'_>,
) -> Result<Summarised, CommunityError> {
    let mut communities = tree.communities().to_vec();
    let mut branches = tree.branches().to_vec();
    let mut round = Round::default();
    let wanted = chosen(&touched.communities);
    let digests = digest::of_communities(schema, graph, tree, &wanted);
    for (place, text) in wanted.into_iter().zip(round.ask(summariser, &digests)) {
        if let Some(text) = text {
            (communities[place].name, communities[place].description) = (text.name, text.summary);
        }
    }
    let names = |node: (&str, &str)| (node.0.to_owned(), node.1.to_owned());
    let told = communities.iter().map(|node| names((&node.name, &node.description)));
    let mut below: Vec<(String, String)> = told.collect();
    for (level, touched) in branches.iter_mut().zip(&touched.branches) {
        let wanted = chosen(touched);
        let digests = digest::of_branches(graph, level, &below, &wanted);
        for (place, text) in wanted.into_iter().zip(round.ask(summariser, &digests)) {
            if let Some(text) = text {
                (level[place].name, level[place].description) = (text.name, text.summary);
            }
        }
        below = level
            .iter()
            .map(|node| names((&node.name, &node.description)))
            .collect();
    }
    let grown = KnowledgeTree::new(communities, graph.entities().len())?;
    round.result.tree = grown.with_branches(branches)?.refreshed(tree.n_refreshes());
    Ok(round.result)
}

fn chosen(touched: &[bool]) -> Vec<usize> {
    let places = touched.iter().enumerate().filter(|(_, is_touched)| **is_touched);
    places.map(|(place, _)| place).collect()
}

#[derive(Debug, Default)]
struct Round {
    result: Summarised,
    is_stopped: bool,
}

impl Round {
    /// Texts for these digests; none once something has ended the asking.
    fn ask(&mut self, summariser: &ModelSummariser<'_>, digests: &[Digest]) -> Vec<Option<SummaryText>> {
        let result = &mut self.result;
        result.n_asked += digests.len();
        let mut texts = Vec::new();
        if !self.is_stopped && !digests.is_empty() {
            let failure = summariser.write(digests, &mut texts, &mut result.defects).err();
            self.is_stopped = failure.as_ref().is_some_and(LlmError::ends_job);
            result.failure = result.failure.take().or(failure);
        }
        texts.resize(digests.len(), None);
        result.n_kept += texts.iter().filter(|text| text.is_none()).count();
        texts
    }
}
