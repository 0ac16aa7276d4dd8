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
    /// Vectors or a partition that are not those of the graph, or are no numbers.
    #[error("{0}")]
    Input(String),
    /// The clustering library refused its input.
    #[error("the K-means start failed: {0}")]
    Start(String),
    /// The communities do not form a tree.
    #[error("communities do not cover the graph: {0}")]
    Tree(#[from] banyan_engine::tree::TreeError),
}
