//! Executable strategies (`SchemaRAG` §3.1, step 3): what is built from each document, how documents are joined, and what
//! each node of the query tree takes from it.

use super::aspect::{aspects, categories};
use super::structure::{IndexStructure, KnowledgeStructure};
use super::task::Task;
use super::tree::{Focus, QueryTree, State};
use banyan_engine::index::term;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a schema is built and used, and why so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strategy {
    /// The task type y.
    pub task: Task,
    /// The knowledge structure K.
    pub knowledge: KnowledgeStructure,
    /// The index structure I.
    pub index: IndexStructure,
    /// What decided for them.
    pub reasons: Vec<String>,
    /// What is taken from each document: `R_con^K`.
    pub intra: Intra,
    /// How documents are joined: `R_con^I`.
    pub inter: Inter,
    /// What each node of the query tree takes, in its order: `R_uti`.
    pub utilise: Vec<Utilisation>,
}

/// What is taken from a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intra {
    /// Values of these columns; without any, of the columns that the documents themselves suggest.
    Columns(Vec<String>),
    /// What it states of things and how they are related.
    Relations,
    /// The sentences that bear most on the question.
    Passages,
}

/// How documents are joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inter {
    /// Side by side.
    Parallel,
    /// Under the category whose bound they meet or whose words they share; without categories, by equal values.
    Groups(Vec<String>),
    /// By naming one another.
    Links,
    /// The longest way along which one names the next.
    Chain,
}

/// What a node of the query tree takes from the schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Utilisation {
    /// One column of every document.
    Column(String),
    /// The documents of one category.
    Category(String),
    /// What is known of one document, and where it leads.
    Document(usize),
    /// One column of one document.
    Value {
        /// The column.
        column: String,
        /// The document, by its position.
        document: usize,
    },
    /// Everything that bears on the query.
    Everything,
    /// What the children found, put together.
    Merge(Merge),
}

/// How findings are put together (Eq. 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Merge {
    /// One after the other.
    List,
    /// Aspect by aspect, with the order of the documents where values can be ordered.
    Compare,
    /// Category by category.
    Groups,
    /// As the longest chain.
    Chain,
    /// The sentences that most of the rest agrees with.
    Digest,
}

impl Strategy {
    /// The strategy without a model, for a knowledge structure that was chosen because of `reasons`. Cost O(words).
    pub fn new(
        question: &str,
        task: Task,
        knowledge: KnowledgeStructure,
        reasons: Vec<String>,
        tree: &QueryTree,
    ) -> Self {
        let index = IndexStructure::of(question, task);
        let mut reasons = reasons;
        reasons.push(format!("{index}, because the task is {task}"));
        let intra = match knowledge {
            KnowledgeStructure::Table => Intra::Columns(columns(question)),
            KnowledgeStructure::Graph => Intra::Relations,
            KnowledgeStructure::Chunk => Intra::Passages,
        };
        let inter = match index {
            IndexStructure::ParallelChunk => Inter::Parallel,
            IndexStructure::CatalogueGroup => Inter::Groups(categories(question)),
            IndexStructure::CorrelationGraph => Inter::Links,
            IndexStructure::CausalChain => Inter::Chain,
        };
        Self::of_parts(task, reasons, intra, inter, tree)
    }

    /// The strategy that builds this, and uses it for the nodes of a tree. Cost O(nodes).
    pub fn of_parts(task: Task, reasons: Vec<String>, intra: Intra, inter: Inter, tree: &QueryTree) -> Self {
        let nodes = 0..tree.nodes().len();
        Self {
            task,
            knowledge: match intra {
                Intra::Columns(_) => KnowledgeStructure::Table,
                Intra::Relations => KnowledgeStructure::Graph,
                Intra::Passages => KnowledgeStructure::Chunk,
            },
            index: match inter {
                Inter::Parallel => IndexStructure::ParallelChunk,
                Inter::Groups(_) => IndexStructure::CatalogueGroup,
                Inter::Links => IndexStructure::CorrelationGraph,
                Inter::Chain => IndexStructure::CausalChain,
            },
            reasons,
            intra,
            inter,
            utilise: nodes.map(|at| utilisation(task, tree, at)).collect(),
        }
    }
}

impl IndexStructure {
    /// The index structure that a task asks for (Eq. 2); a chain only where the question asks for an order.
    pub fn of(question: &str, task: Task) -> Self {
        match task {
            Task::Clustering => Self::CatalogueGroup,
            Task::MultiHop if is_ordered(question) => Self::CausalChain,
            Task::MultiHop => Self::CorrelationGraph,
            Task::Summarisation | Task::Comparison | Task::Extraction | Task::Planning => Self::ParallelChunk,
        }
    }
}

/// Whether a question asks for what follows what.
fn is_ordered(question: &str) -> bool {
    let lower = question.to_lowercase();
    let signs = [
        "chain", "sequence", "lead", "led to", "caus", "path", "trace", "order", "链", "顺序", "导致",
    ];
    signs.iter().any(|sign| lower.contains(sign))
}

/// The columns that a question names: its aspects, and what its categories bound.
fn columns(question: &str) -> Vec<String> {
    let mut columns = aspects(question);
    for category in categories(question) {
        let words: Vec<&str> = category.split_whitespace().filter(|word| is_noun(word)).collect();
        let has_bound = category.contains(|ch: char| ch.is_ascii_digit());
        if has_bound && !words.is_empty() {
            columns.push(words.join(" "));
        }
    }
    columns.dedup();
    let mut known: Vec<String> = Vec::new();
    columns.retain(|column| {
        let key = term::distinct(column).join(" ");
        let is_new = !known.contains(&key);
        known.push(key);
        is_new
    });
    columns
}

/// Whether a word of a bound can name what is bounded.
fn is_noun(word: &str) -> bool {
    const BOUNDS: &[&str] = &[
        "greater",
        "higher",
        "later",
        "less",
        "lower",
        "earlier",
        "least",
        "fewer",
        "exceeding",
    ];
    let lower = word.to_lowercase();
    let is_plain = lower.chars().all(char::is_alphabetic);
    is_plain && !term::is_stop_word(&lower) && !BOUNDS.contains(&lower.as_str())
}

fn utilisation(task: Task, tree: &QueryTree, at: usize) -> Utilisation {
    let node = &tree.nodes()[at];
    match &node.focus {
        _ if node.state == State::Continue && node.level > 0 => Utilisation::Merge(Merge::List),
        _ if node.state == State::Continue => Utilisation::Merge(merge(task)),
        Focus::Whole => Utilisation::Everything,
        Focus::Aspect(aspect) => Utilisation::Column(aspect.clone()),
        Focus::Category(category) => Utilisation::Category(category.clone()),
        Focus::Document(document) => Utilisation::Document(*document),
        Focus::Value { aspect, document } => Utilisation::Value {
            column: aspect.clone(),
            document: *document,
        },
    }
}

fn merge(task: Task) -> Merge {
    match task {
        Task::Clustering => Merge::Groups,
        Task::Comparison => Merge::Compare,
        Task::MultiHop => Merge::Chain,
        Task::Summarisation => Merge::Digest,
        Task::Extraction | Task::Planning => Merge::List,
    }
}

impl fmt::Display for Intra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns(columns) if columns.is_empty() => {
                f.write_str("take the values that the documents have in common")
            }
            Self::Columns(columns) => write!(f, "take the values of {}", columns.join(", ")),
            Self::Relations => f.write_str("take the facts that it states of things"),
            Self::Passages => f.write_str("take the sentences that bear on the question"),
        }
    }
}

impl fmt::Display for Inter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parallel => f.write_str("put the documents side by side"),
            Self::Groups(categories) if categories.is_empty() => f.write_str("put documents of equal values together"),
            Self::Groups(categories) => write!(f, "put each document under one of: {}", categories.join("; ")),
            Self::Links => f.write_str("join documents that name one another"),
            Self::Chain => f.write_str("follow the documents from one to the one that it names, as far as they lead"),
        }
    }
}

impl fmt::Display for Utilisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column(column) => write!(f, "read {column} of every document"),
            Self::Category(category) => write!(f, "take the documents under {category}"),
            Self::Document(at) => write!(f, "read document {}", at + 1),
            Self::Value { column, document } => write!(f, "read {column} of document {}", document + 1),
            Self::Everything => f.write_str("take what bears on the query"),
            Self::Merge(Merge::List) => f.write_str("list what was found"),
            Self::Merge(Merge::Compare) => f.write_str("set the findings against each other"),
            Self::Merge(Merge::Groups) => f.write_str("list the documents by category"),
            Self::Merge(Merge::Chain) => f.write_str("take the longest chain"),
            Self::Merge(Merge::Digest) => f.write_str("take the sentences that most of the others agree with"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(question: &str) -> Strategy {
        let task = Task::of(question);
        let tree = QueryTree::of(question, task, &["A".to_owned(), "B".to_owned()]);
        Strategy::new(question, task, KnowledgeStructure::Table, Vec::new(), &tree)
    }

    #[test]
    fn categories_with_bounds_become_columns_and_groups() {
        let strategy = strategy("Group the mills into those below 10 workers and those with 10 workers or more.");
        assert_eq!(strategy.index, IndexStructure::CatalogueGroup);
        assert_eq!(strategy.intra, Intra::Columns(vec!["workers".to_owned()]));
        assert_eq!(strategy.intra.to_string(), "take the values of workers");
        assert_eq!(strategy.utilise[0], Utilisation::Merge(Merge::Groups));
        assert_eq!(
            strategy.utilise[1],
            Utilisation::Category("below 10 workers".to_owned())
        );
    }

    #[test]
    fn a_chain_is_followed_only_where_an_order_is_asked_for() {
        let index = |question: &str| strategy(question).index;
        assert_eq!(
            index("Find the longest chain of papers that cite each other."),
            IndexStructure::CausalChain
        );
        assert_eq!(
            index("Which of the papers are cited by both?"),
            IndexStructure::CorrelationGraph
        );
        assert_eq!(index("Summarise the letters."), IndexStructure::ParallelChunk);
    }
}
