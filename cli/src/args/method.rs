//! `query --method`, as it is typed.

use banyan_retrieve::router::Method;
use clap::ValueEnum;

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodKind {
    /// As the question needs: the tree, unless it asks for what many documents say together and they can be tabulated
    Auto,
    /// Retrieval over the knowledge tree (Youtu-GraphRAG)
    Tree,
    /// SQL over a record of each document; where the columns cover a part of the question only, SQL chooses the documents
    /// that retrieval answers from (S-RAG)
    Records,
    /// SQL over a table that is filled for the question (SRAG)
    Srag,
    /// Structures that are chosen and built for the question (`SchemaRAG`)
    Schemarag,
}

impl MethodKind {
    /// The method that is forced; `None` where the question decides.
    pub(crate) fn forced(self) -> Option<Method> {
        match self {
            Self::Auto => None,
            Self::Tree => Some(Method::Tree),
            Self::Records => Some(Method::Records),
            Self::Srag => Some(Method::Srag),
            Self::Schemarag => Some(Method::SchemaRag),
        }
    }
}
