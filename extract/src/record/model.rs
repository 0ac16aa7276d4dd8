//! Columns and records by whoever reads the documents: the program itself, or a language model (S-RAG §3.2).
//!
//! | role | the program | a model |
//! |---|---|---|
//! | [`Inducer`] | [`Embedded`]: [`super::induce()`] | [`ModelInducer`]: two stages of prompts, in rounds |
//! | [`Filler`] | [`Embedded`]: [`super::fill()`] | [`ModelFiller`]: one call a document, every cell with a quote |
//!
//! Replies are data: bounded, read tolerantly, checked, and what is wrong with them counted.

mod fill;
mod induce;
mod reply;
#[cfg(test)]
mod tests;

pub use fill::ModelFiller;
pub use induce::ModelInducer;
pub use reply::RecordDefect;

use banyan_engine::Document;
use banyan_engine::llm::LlmError;
use banyan_engine::table::{Table, TableSchema};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// What came of asking for something.
#[derive(Debug)]
pub struct Given<T> {
    /// It, as far as there is any.
    pub what: T,
    /// What was wrong with replies, and how often.
    pub defects: BTreeMap<RecordDefect, usize>,
    /// The first call that failed.
    pub failure: Option<LlmError>,
}

impl<T> Given<T> {
    fn sound(what: T) -> Self {
        Self {
            what,
            defects: BTreeMap::new(),
            failure: None,
        }
    }

    fn note(&mut self, defect: RecordDefect) {
        *self.defects.entry(defect).or_default() += 1;
    }
}

/// Who predicts the columns of a corpus.
pub trait Inducer {
    /// The tables of a corpus; none where the documents share nothing.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt cannot be rendered.
    fn induce(
        &self,
        documents: &[Document],
        questions: &[&str],
        table: &str,
    ) -> Result<Given<Vec<TableSchema>>, LlmError>;
}

/// Who fills records.
pub trait Filler {
    /// A record for each document, in their order; one that could not be read has empty cells.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt cannot be rendered.
    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Given<Table>, LlmError>;
}

/// The program itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Inducer for Embedded {
    fn induce(
        &self,
        documents: &[Document],
        questions: &[&str],
        table: &str,
    ) -> Result<Given<Vec<TableSchema>>, LlmError> {
        Ok(Given::sound(super::induce(documents, questions, table)))
    }
}

impl Filler for Embedded {
    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Given<Table>, LlmError> {
        Ok(Given::sound(super::fill(schema, documents)))
    }
}

/// How a model is asked about records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordOptions {
    /// Most tokens of a prompt, as [`banyan_engine::llm::estimate_tokens`] counts them; documents are cut to fit.
    pub max_prompt_tokens: u32,
    /// Most tokens of a reply.
    pub max_reply_tokens: u32,
    /// Calls under way at once.
    pub max_concurrent: NonZeroUsize,
}

impl Default for RecordOptions {
    /// Prompts of 6,144 tokens and replies of 2,048, what the default configuration leaves of 8,192.
    fn default() -> Self {
        Self {
            max_prompt_tokens: 6_144,
            max_reply_tokens: 2_048,
            max_concurrent: NonZeroUsize::MIN,
        }
    }
}

/// As much of a text as `max_tokens` hold, at least its first hundred characters; whole characters.
fn cut(text: &str, max_tokens: u64) -> &str {
    use banyan_engine::llm::estimate_tokens;
    if estimate_tokens(text) <= max_tokens {
        return text;
    }
    let (mut low, mut high) = (100.min(text.len()), text.len());
    while high - low > 1 {
        let middle = low.midpoint(high);
        let fits = estimate_tokens(&text[..text.floor_char_boundary(middle)]) <= max_tokens;
        (low, high) = if fits { (middle, high) } else { (low, middle) };
    }
    &text[..text.floor_char_boundary(low)]
}
