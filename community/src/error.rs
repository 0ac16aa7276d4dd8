//! What can stop a detection.

/// Why communities cannot be found. Variants are split by what the caller can do about them.
#[derive(Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CommunityError {
    /// A field of [`crate::Config`] is outside its range.
    #[error("config field `{field}`: expected {expected}, found {found}")]
    Config {
        /// The field's name.
        field: &'static str,
        /// What it admits.
        expected: &'static str,
        /// What it holds.
        found: String,
    },
    /// A matrix has too few or too many rows for the graph.
    #[error("{matrix} has {found} rows; expected {expected}")]
    Rows {
        /// Which of the matrices of [`crate::Semantics`].
        matrix: &'static str,
        /// Rows that the graph needs.
        expected: usize,
        /// Rows there are.
        found: usize,
    },
    /// Vectors of entities and of relations have different widths.
    #[error("relation vectors have {found} dimensions; entity vectors have {expected}")]
    Dimension {
        /// Width of the entities' vectors.
        expected: usize,
        /// Width of the relations' vectors.
        found: usize,
    },
    /// A vector holds NaN or an infinity.
    #[error("{matrix}: row {row} holds {value}; expected finite numbers")]
    NotFinite {
        /// Which of the matrices of [`crate::Semantics`].
        matrix: &'static str,
        /// The first such row.
        row: usize,
        /// The first such value.
        value: String,
    },
    /// The partition was made for a graph of another size.
    #[error("the partition covers {found} entities; the graph has {expected}")]
    Partition {
        /// Entities of the graph.
        expected: usize,
        /// Entities of the partition.
        found: usize,
    },
    /// The clustering library refused its input.
    #[error("the K-means start failed: {0}")]
    Start(String),
    /// The communities do not form a tree.
    #[error("communities do not cover the graph: {0}")]
    Tree(#[from] banyan_engine::tree::TreeError),
}
