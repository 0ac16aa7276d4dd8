//! What can be chosen about asking a model.

use banyan_engine::llm::LlmError;
use std::num::NonZeroUsize;

/// Why there is no extractor or no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An option is out of range.
    #[error("{field}: expected {expected}, found {found}")]
    Options {
        /// The option.
        field: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: u32,
    },
    /// The schema leaves no room for a passage.
    #[error(
        "the schema takes {tokens} tokens of a prompt of at most {limit}; raise max_prompt_tokens, or use a smaller schema"
    )]
    SchemaTooLong {
        /// Tokens of a prompt without a passage, estimated.
        tokens: u64,
        /// The limit.
        limit: u32,
    },
    /// A prompt file is not one.
    #[error(transparent)]
    Prompt(#[from] LlmError),
}

/// Which chunks may share a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Neighbours of one document.
    Document,
    /// Neighbours in the order of the corpus, so that short documents share calls, too.
    #[default]
    Corpus,
}

/// What a model may say beyond the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vocabulary {
    /// Nothing: it is asked for the names of the schema only.
    Closed,
    /// New schema types where none fits (Eq. 3, Youtu-GraphRAG).
    #[default]
    Growing,
}

/// What is done about statements that the passage does not bear out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guard {
    /// Names and values that the passage does not contain are dropped and counted.
    #[default]
    InText,
    /// They are let through.
    Off,
}

/// How a model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Longest prompt in tokens, as estimated. A passage that is longer by itself is asked about all the same.
    pub max_prompt_tokens: u32,
    /// Most passages in one call.
    pub max_passages: u32,
    /// Longest reply in tokens, for each passage of a call.
    pub max_reply_tokens: u32,
    /// How often a model is asked again what it missed.
    pub n_gleanings: u32,
    /// Most calls at a time.
    pub max_concurrent: NonZeroUsize,
    /// Which chunks may share a call.
    pub grouping: Grouping,
    /// What it may say beyond the schema.
    pub vocabulary: Vocabulary,
    /// What is done about statements that the passage does not bear out.
    pub guard: Guard,
}

impl Default for Options {
    /// Prompts of 6,000 tokens: the built-in schema takes three quarters by the estimate, four chunks of 256 tokens the
    /// rest. Replies of 1,024 tokens a passage: four times its text. All arbitrary; a context of 16,384 tokens has room.
    fn default() -> Self {
        Self {
            max_prompt_tokens: 6_000,
            max_passages: 4,
            max_reply_tokens: 1_024,
            n_gleanings: 0,
            max_concurrent: NonZeroUsize::MIN.saturating_add(3),
            grouping: Grouping::default(),
            vocabulary: Vocabulary::default(),
            guard: Guard::default(),
        }
    }
}

impl Options {
    /// # Errors
    /// [`ModelError::Options`] with the field that is out of range.
    pub fn validate(&self) -> Result<(), ModelError> {
        // Beyond the last two, a reply could not be told apart from one that never ends.
        let ranges = [
            ("max_prompt_tokens", self.max_prompt_tokens, 1, u32::MAX, "at least 1"),
            ("max_passages", self.max_passages, 1, 64, "1 to 64"),
            ("max_reply_tokens", self.max_reply_tokens, 16, 65_536, "16 to 65536"),
            ("n_gleanings", self.n_gleanings, 0, 8, "0 to 8"),
        ];
        let wrong = ranges
            .into_iter()
            .find(|(_, found, min, max, _)| !(min..=max).contains(&found));
        match wrong {
            Some((field, found, _, _, expected)) => Err(ModelError::Options { field, expected, found }),
            None => Ok(()),
        }
    }
}
