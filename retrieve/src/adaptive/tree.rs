//! The query tree (`SchemaRAG` §3.1): a question, and what has to be known before it can be answered.

use super::aspect::{aspects, categories};
use super::task::Task;
use serde::{Deserialize, Serialize};

/// Whether a node is to be split further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It has children.
    Continue,
    /// It is answered from the knowledge schema itself.
    End,
}

/// What a node is about, as far as code can act on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Focus {
    /// All of it.
    Whole,
    /// One aspect, in every document.
    Aspect(String),
    /// The documents of one category.
    Category(String),
    /// One document, by its position.
    Document(usize),
    /// One aspect of one document.
    Value {
        /// The aspect.
        aspect: String,
        /// The document, by its position.
        document: usize,
    },
}

/// A node t = (q, l, s).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryNode {
    /// `level-number`, numbers from 1 within a level; the root is `0-1`.
    pub id: String,
    /// Position of the parent; the root has none.
    pub parent: Option<usize>,
    /// Depth l; the root's is 0.
    pub level: usize,
    /// The sub-query q.
    pub query: String,
    /// What it is about.
    pub focus: Focus,
    /// The state s.
    pub state: State,
}

/// Nodes by level; a parent stands before its children.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryTree {
    nodes: Vec<QueryNode>,
}

/// Most children of a node. Arbitrary: more documents than this are asked about at once.
const MAX_CHILDREN: usize = 24;
/// Most documents for which an aspect is asked document by document. Arbitrary: a trace of more is not read.
const MAX_VALUES: usize = 8;

impl QueryTree {
    /// Most nodes of a tree: the root, its children, and the documents of each.
    pub const MAX_NODES: usize = 1 + MAX_CHILDREN + MAX_CHILDREN * MAX_VALUES;

    /// A tree of the question alone.
    pub fn new(question: &str) -> Self {
        let root = QueryNode {
            id: "0-1".to_owned(),
            parent: None,
            level: 0,
            query: question.to_owned(),
            focus: Focus::Whole,
            state: State::End,
        };
        Self { nodes: vec![root] }
    }

    /// The tree of a question over documents of these titles, without a model: one child for each category of a
    /// clustering, for each aspect that is asked for and below it for each of a few documents, or for each document where each
    /// has to be read for itself. A question that does none of this stays whole.
    pub fn of(question: &str, task: Task, titles: &[String]) -> Self {
        let mut tree = Self::new(question);
        let groups = if task == Task::Clustering {
            categories(question)
        } else {
            Vec::new()
        };
        let wanted = aspects(question);
        if !groups.is_empty() {
            let node = |group: String| (format!("Which documents are {group}?"), Focus::Category(group));
            tree.split(0, groups.into_iter().map(node));
        } else if wanted.len() > 1 {
            let node = |aspect: String| (format!("What is the {aspect} in each document?"), Focus::Aspect(aspect));
            tree.split(0, wanted.into_iter().map(node));
            if (2..=MAX_VALUES).contains(&titles.len()) {
                tree.split_aspects(titles);
            }
        } else if titles.len() > 1 && is_by_document(task) {
            let of_title = |(at, title): (usize, &String)| (sub_query(task, title), Focus::Document(at));
            tree.split(0, titles.iter().enumerate().map(of_title));
        }
        tree
    }

    /// All nodes; the root is the first.
    pub fn nodes(&self) -> &[QueryNode] {
        &self.nodes
    }

    /// Positions of a node's children, ascending.
    pub fn children(&self, parent: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(move |at| self.nodes[*at].parent == Some(parent))
    }

    /// The tree of these nodes below a question: each is one level below its parent, which is named by its position among
    /// the nodes, the root being 0 and the first of `parts` 1. A part whose parent does not stand before it hangs on the
    /// root.
    pub fn from_parts(question: &str, parts: impl IntoIterator<Item = (usize, String, Focus)>) -> Self {
        let mut tree = Self::new(question);
        for (parent, query, focus) in parts {
            let parent = if parent < tree.nodes.len() { parent } else { 0 };
            tree.split(parent, std::iter::once((query, focus)));
        }
        tree
    }

    /// Gives a node children; without any it stays an end.
    fn split(&mut self, parent: usize, parts: impl Iterator<Item = (String, Focus)>) {
        let level = self.nodes[parent].level + 1;
        for (query, focus) in parts.take(MAX_CHILDREN) {
            let number = 1 + self.nodes.iter().filter(|node| node.level == level).count();
            self.nodes.push(QueryNode {
                id: format!("{level}-{number}"),
                parent: Some(parent),
                level,
                query,
                focus,
                state: State::End,
            });
            self.nodes[parent].state = State::Continue;
        }
    }

    /// Asks for every aspect document by document.
    fn split_aspects(&mut self, titles: &[String]) {
        for at in 1..self.nodes.len() {
            let Focus::Aspect(aspect) = self.nodes[at].focus.clone() else {
                continue;
            };
            let node = |(document, title): (usize, &String)| {
                let query = format!("What is the {aspect} of “{title}”?");
                let aspect = aspect.clone();
                (query, Focus::Value { aspect, document })
            };
            let parts: Vec<(String, Focus)> = titles.iter().enumerate().map(node).collect();
            self.split(at, parts.into_iter());
        }
    }
}

fn is_by_document(task: Task) -> bool {
    matches!(task, Task::Summarisation | Task::Comparison | Task::MultiHop)
}

fn sub_query(task: Task, title: &str) -> String {
    match task {
        Task::MultiHop => format!("Which of the documents does “{title}” lead to?"),
        Task::Comparison => format!("What does “{title}” say on what is compared?"),
        _ => format!("What does “{title}” say?"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(question: &str, titles: &[&str]) -> Vec<String> {
        let titles: Vec<String> = titles.iter().map(ToString::to_string).collect();
        let tree = QueryTree::of(question, Task::of(question), &titles);
        let n_children: usize = (0..tree.nodes().len()).map(|at| tree.children(at).count()).sum();
        assert_eq!(n_children + 1, tree.nodes().len());
        for (at, node) in tree.nodes().iter().enumerate() {
            assert_eq!(node.state == State::Continue, tree.children(at).next().is_some());
        }
        tree.nodes()
            .iter()
            .skip(1)
            .map(|node| format!("{} {}", node.id, node.query))
            .collect()
    }

    #[test]
    fn categories_aspects_and_documents_become_children() {
        assert_eq!(
            queries(
                "Group the mills into those below 10 workers and those above.",
                &["A", "B"]
            ),
            [
                "1-1 Which documents are below 10 workers?",
                "1-2 Which documents are those above?"
            ]
        );
        assert_eq!(
            queries("Compare the ferries in terms of fare and speed.", &["A", "B"]),
            [
                "1-1 What is the fare in each document?",
                "1-2 What is the speed in each document?",
                "2-1 What is the fare of “A”?",
                "2-2 What is the fare of “B”?",
                "2-3 What is the speed of “A”?",
                "2-4 What is the speed of “B”?"
            ]
        );
        assert_eq!(
            queries("Summarise the letters.", &["A", "B"]),
            ["1-1 What does “A” say?", "1-2 What does “B” say?"]
        );
        assert_eq!(queries("Who built the weir?", &["A", "B"]), Vec::<String>::new());
    }

    #[test]
    fn a_tree_without_children_ends_at_its_root() {
        assert_eq!(QueryTree::of("", Task::Extraction, &[]).nodes()[0].state, State::End);
    }
}
