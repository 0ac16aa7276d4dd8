//! `SchemaRAG`: knowledge structures chosen for the question (a query tree, structures, strategies, units, bottom-up merging).

pub mod aspect;
pub mod structure;
pub mod task;
pub mod tree;

pub use structure::{IndexStructure, KnowledgeStructure, StructureChooser};
pub use task::Task;
pub use tree::{Focus, QueryNode, QueryTree, State};
