//! A question as retrieval sees it: its words, and the kind of answer that it asks for.

use banyan_engine::index::term;

pub(crate) mod expected;
mod han;
pub(crate) mod vocabulary;

pub use expected::Expected;

/// Whether a word is in a list of words, which spaces part.
pub(crate) fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// A question with what does not depend on a corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// As asked.
    pub text: String,
    /// Its distinct terms, sorted.
    pub terms: Vec<String>,
    /// Its unit vector by the corpus's embedder, if there is one.
    pub vector: Option<Vec<f32>>,
}

impl Question {
    /// A question; `vector` comes from the embedder of the corpus it will be asked of.
    pub fn new(text: impl Into<String>, vector: Option<Vec<f32>>) -> Self {
        let text = text.into();
        Self {
            terms: term::distinct(&text),
            text,
            vector,
        }
    }
}
