//! What is thought before anything is built (`SchemaRAG` §3.1): the query tree, the task, and the structures K × I.

use super::structure::{IndexStructure, KnowledgeStructure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The task types 𝒴 of `SchemaRAG` §3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// What documents say, in short.
    Summarisation,
    /// Which has more, or how things differ.
    Comparison,
    /// Which belong together.
    Clustering,
    /// Facts or passages of each document.
    Extraction,
    /// What to do, in which order.
    Planning,
    /// Facts that lead to one another.
    MultiHop,
}

/// A node t = (q, l, s) of the query tree. Its state s is `continue` where it has children, `end` where it has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueryNode {
    /// `level-number`, numbers from 1 within a level; the root is `0-1`.
    pub id: String,
    /// Position of the parent; the root has none.
    pub parent: Option<usize>,
    /// Depth l; the root's is 0.
    pub level: usize,
    /// The sub-query q.
    pub query: String,
}

/// A question and what has to be known before it can be answered; a parent stands before its children.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct QueryTree {
    nodes: Vec<QueryNode>,
}

/// Most sub-queries of a tree. Arbitrary: one for each document that is read at once.
pub(super) const MAX_QUERIES: usize = super::MAX_DOCUMENTS;

impl QueryTree {
    /// The tree of a question with these sub-queries below it. Each names its parent by number, the root being 0 and the
    /// first sub-query 1; one whose parent does not stand before it hangs on the root. Further ones than two dozen are
    /// left out.
    pub fn new(question: &str, parts: impl IntoIterator<Item = (usize, String)>) -> Self {
        let mut nodes: Vec<QueryNode> = Vec::new();
        let root = (0, question.to_owned());
        for (at, (parent, query)) in std::iter::once(root).chain(parts).enumerate().take(1 + MAX_QUERIES) {
            let parent = (at > 0).then_some(if parent < at { parent } else { 0 });
            let level = parent.map_or(0, |parent| nodes[parent].level + 1);
            let number = 1 + nodes.iter().filter(|node| node.level == level).count();
            nodes.push(QueryNode {
                id: format!("{level}-{number}"),
                parent,
                level,
                query,
            });
        }
        Self { nodes }
    }

    /// All nodes; the root is the first.
    pub fn nodes(&self) -> &[QueryNode] {
        &self.nodes
    }

    /// Positions of a node's children, ascending.
    pub fn children(&self, parent: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(move |at| self.nodes[*at].parent == Some(parent))
    }
}

/// What is built for a question and how it is joined, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The question and what has to be known before.
    pub tree: QueryTree,
    /// The task type y, as a model says; the embedded thinker chooses structures without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Task>,
    /// The knowledge structure K.
    pub knowledge: KnowledgeStructure,
    /// The index structure I.
    pub index: IndexStructure,
    /// The values that a table takes of each document.
    pub columns: Vec<String>,
    /// The groups that a catalogue has; without any, documents with an equal value stand together.
    pub categories: Vec<String>,
    /// What decided.
    pub reasons: Vec<String>,
    /// What was wrong with what a model said, in words; none without a model.
    #[serde(skip)]
    pub defects: Vec<String>,
}

impl Plan {
    /// What is taken of each document, in words: `R_con^K`.
    pub fn construction(&self) -> String {
        match self.knowledge {
            KnowledgeStructure::Table if self.columns.is_empty() => {
                "take the values that the question asks for".to_owned()
            }
            KnowledgeStructure::Table => format!("take the values of {}", self.columns.join(", ")),
            KnowledgeStructure::Graph => "take the facts that it states of things".to_owned(),
            KnowledgeStructure::Chunk => "take the sentences that bear on the question".to_owned(),
        }
    }

    /// How documents are joined, in words: `R_con^I`.
    pub fn joining(&self) -> String {
        match self.index {
            IndexStructure::ParallelChunk => "put the documents side by side".to_owned(),
            IndexStructure::CatalogueGroup if self.categories.is_empty() => {
                "put documents of equal values together".to_owned()
            }
            IndexStructure::CatalogueGroup => format!("put each document under one of: {}", self.categories.join("; ")),
            IndexStructure::CorrelationGraph => "join documents that name one another".to_owned(),
            IndexStructure::CausalChain => "follow the documents from one to the one that it names".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_queries_hang_on_the_parent_that_they_name() {
        let part = |parent: usize, query: &str| (parent, query.to_owned());
        let tree = QueryTree::new("q", [part(0, "a"), part(1, "b"), part(9, "c")]);
        let ids: Vec<&str> = tree.nodes().iter().map(|node| node.id.as_str()).collect();
        assert_eq!(ids, ["0-1", "1-1", "2-1", "1-2"]);
        assert_eq!(tree.children(0).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(
            QueryTree::new("q", (0..99).map(|_| part(0, "a"))).nodes().len(),
            1 + MAX_QUERIES
        );
    }
}
