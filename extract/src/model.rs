//! The extractor that asks a language model: chunks to requests to what each chunk states (Eq. 2, Youtu-GraphRAG).
//!
//! ```text
//! Passage* ─plan─► Call* (several passages each) ─render─► Request ─model─► Reply ─read─► statements ─assign─► Extracted
//!                                      ▲                                                    │
//!                                      └──── halves of what is too long, cut off or missing ┘
//! ```
//!
//! A reply that breaks off is never the last word: half the passages are asked about, then half the text of one, down to
//! a few sentences; what still breaks off is quarantined with what it says.
//!
//! Nothing here fails because of a reply: what cannot be used is put into quarantine with its reason, and the next passage
//! is asked about. What would fail every further call ends the run, which keeps what it has ([`Run::stopped`]).
//!
//! The same replies give the same result for any number of calls at a time: calls are planned before the first one is
//! made, and their replies are taken in the order of the plan.

mod outline;
mod passage;
mod plan;
mod reply;
mod run;

#[cfg(test)]
mod tests;

pub use outline::Outline;
pub use passage::Passage;
pub use plan::Call;
pub use run::{Extracted, Outcome, Run};

use banyan_engine::llm::{LanguageModel, LlmError, Request, Role};
use banyan_engine::{DocumentId, Schema, Span};
use reply::Extraction;
use serde_json::json;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

/// Why there is no extractor or no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
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

/// What a model may say beyond the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vocabulary {
    /// Nothing: it is asked for the names of the schema only.
    Closed,
    /// New schema types where none fits (Eq. 3, Youtu-GraphRAG).
    #[default]
    Growing,
}

/// How a model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Longest prompt in tokens, as estimated. A passage that is longer by itself is asked about all the same.
    pub max_prompt_tokens: u32,
    /// Most passages in one call.
    pub max_passages: NonZeroUsize,
    /// Longest reply to a call in tokens. A call takes no more text than a reply of this length can be about, one passage
    /// at least.
    pub max_reply_tokens: u32,
    /// Most calls at a time.
    pub max_concurrent: NonZeroUsize,
    /// Whether documents of one passage share calls with their neighbours in the order of the corpus; passages of a longer
    /// one share calls with each other alone.
    pub share_calls: bool,
    /// What it may say beyond the schema.
    pub vocabulary: Vocabulary,
}

impl Default for Options {
    /// Prompts of 6,000 tokens: the built-in schema takes three quarters by the estimate, four chunks of 256 tokens the
    /// rest, and replies that have room for the facts of these. All arbitrary; a context of 16,384 tokens has room.
    fn default() -> Self {
        let four = NonZeroUsize::MIN.saturating_add(3);
        Self {
            max_prompt_tokens: 6_000,
            max_passages: four,
            max_reply_tokens: 4_096,
            max_concurrent: four,
            share_calls: true,
            vocabulary: Vocabulary::default(),
        }
    }
}

/// Extraction by a language model, under a schema.
///
/// ```
/// use banyan_engine::llm::{Finish, LanguageModel, LlmError, Reply, Request, Usage};
/// use banyan_engine::{Document, Origin, Schema, Span};
/// use banyan_extract::Watch;
/// use banyan_extract::model::{ModelExtractor, Options, Passage};
///
/// struct Scripted;
/// impl LanguageModel for Scripted {
///     fn id(&self) -> &str {
///         "scripted"
///     }
///     fn complete(&self, _: &Request) -> Result<Reply, LlmError> {
///         let text = r#"{"passages": [{"passage": 1, "triples": [["Teak", "director", "Mara Voss"]]}]}"#.into();
///         Ok(Reply { text, usage: Usage::default(), finish: Finish::Stop })
///     }
/// }
/// struct Nobody;
/// impl Watch for Nobody {}
///
/// let origin = Origin { file: "teak.txt".into(), record: None, line: None };
/// let document = Document::new("Teak", "Teak is a film directed by Mara Voss.", origin);
/// let passage = Passage { document: &document, span: Span::new(0, document.text.len()) };
///
/// let extractor = ModelExtractor::new(&Scripted, &Schema::general()?, Options::default())?;
/// let calls = extractor.plan(&[passage], usize::MAX)?;
/// assert_eq!(calls.len(), 1);
/// let run = extractor.run(&[passage], &calls, &Nobody);
/// assert_eq!(run.chunks[0].stated.triples[0].tail, "Mara Voss");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ModelExtractor<'a> {
    model: &'a dyn LanguageModel,
    options: Options,
    role: Role<Extraction>,
    schema: Outline,
    /// Chunks whose replies at hand are not used.
    anew: BTreeSet<(DocumentId, Span)>,
}

impl<'a> ModelExtractor<'a> {
    /// An extractor that asks `model` for what `schema` has.
    ///
    /// # Errors
    /// [`ModelError::SchemaTooLong`] when the schema alone fills a prompt, [`ModelError::Prompt`] when a prompt file is not
    /// one.
    pub fn new(model: &'a dyn LanguageModel, schema: &Schema, options: Options) -> Result<Self, ModelError> {
        let mut role = Role::new("extraction", include_str!("../prompts/extract.md"))?;
        if options.vocabulary == Vocabulary::Closed {
            role = closed(role, schema)?;
        }
        let extractor = Self {
            model,
            options,
            role,
            schema: Outline::new(schema),
            anew: BTreeSet::new(),
        };
        let (tokens, limit) = (extractor.base_tokens()?, extractor.options.max_prompt_tokens);
        if tokens >= u64::from(limit) {
            return Err(ModelError::SchemaTooLong { tokens, limit });
        }
        Ok(extractor)
    }

    /// The same, which asks anew about these chunks, whatever replies are at hand.
    #[must_use]
    pub fn anew(mut self, chunks: impl IntoIterator<Item = (DocumentId, Span)>) -> Self {
        self.anew = chunks.into_iter().collect();
        self
    }

    /// The request that a call makes. The same for the same passages; positions beyond their end are left out.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt cannot be rendered.
    pub fn request(&self, passages: &[Passage<'_>], call: &Call) -> Result<Request, LlmError> {
        let values = json!({
            "schema": self.schema,
            "is_growing": self.options.vocabulary == Vocabulary::Growing,
            "passages": call.shown(passages),
        });
        self.role.request(&values, self.options.max_reply_tokens)
    }
}

/// The role whose types, relations and attributes can only be those of the schema, and that proposes nothing.
fn closed(role: Role<Extraction>, schema: &Schema) -> Result<Role<Extraction>, LlmError> {
    let types: Vec<&str> = schema.entity_types().iter().map(|kind| kind.name.as_str()).collect();
    let relations: Vec<&str> = outline::relations(schema).map(|kind| kind.name.as_str()).collect();
    let attributes: Vec<&str> = schema.attributes().iter().map(|kind| kind.name.as_str()).collect();
    role.without("proposed_types")?
        .with_enum("passages.entities.type", &types)?
        .with_enum("passages.triples.relation", &relations)?
        .with_enum("passages.attributes.attribute", &attributes)
}
