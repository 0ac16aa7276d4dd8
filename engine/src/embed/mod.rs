//! Texts to unit vectors: the port [`Embedder`], its implementations, and the cache in front of them.
//!
//! | implementation | for | cost of a text |
//! |---|---|---|
//! | [`MiniLm`] | passages, communities, questions | milliseconds |
//! | [`StaticEmbedder`] | names, relations, triples | microseconds |
//! | [`LexicalEmbedder`] | runs without a model | microseconds |
//!
//! Nothing here opens the network, starts a process or prints. Paths come from the caller. The one
//! module that keeps bytes on disk is [`file_cache`], because a cache must survive an interrupted run.
//!
//! Padding and batch shape change the last bits of a vector, so callers go through [`embed_all`]:
//! each distinct text is computed once, rounded to f16, and remembered under its content hash.

mod cache;
mod distilled;
mod error;
pub mod file_cache;
mod lexical;
mod minilm;
pub(crate) mod passages;
mod vectors;
mod wordpiece;

pub use cache::{Key, embed_all};
pub use distilled::StaticEmbedder;
pub use error::EmbedError;
pub use file_cache::FileCache;
pub use lexical::LexicalEmbedder;
pub use minilm::{MAX_TOKENS, MiniLm, MiniLmFiles, environment};
pub use passages::PassageVectors;
pub use vectors::{Vectors, dot, normalize};
pub use wordpiece::WordPiece;

/// A source of sentence vectors.
pub trait Embedder: Send + Sync {
    /// Stable identity: content hash of the model and its maximal length. Part of every cache key, so
    /// two embedders with equal ids must give the same vector to the same text.
    fn id(&self) -> &str;

    /// Number of columns of every vector, the `d` of `(n, d)`.
    fn dimension(&self) -> usize;

    /// Unit-length rows `(texts.len(), dimension)`, one per text, in the order given. No texts give no rows.
    ///
    /// # Errors
    /// Whatever the model refuses; see [`EmbedError`].
    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError>;
}
