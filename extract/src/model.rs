//! The extractor that asks a language model: chunks to requests to what each chunk states (Eq. 2, Youtu-GraphRAG).
//!
//! ```text
//! Passage* ─plan─► Call* (several passages each) ─render─► Request ─model─► Reply ─read─► statements ─assign─► Extracted
//!                                      ▲                                                    │
//!                                      └──── halves of what is too long, cut off or missing ┘
//! ```
//!
//! Nothing here fails because of a reply: what cannot be used is put into quarantine with its reason, and the next passage
//! is asked about. What would fail every further call ends the run, which keeps what it has ([`Run::stopped`]).
//!
//! The same replies give the same result for any number of calls at a time: calls are planned before the first one is
//! made, and their replies are taken in the order of the plan.

mod ledger;
mod options;
mod outcome;
mod outline;
mod plan;
mod prompt;
mod reply;
mod run;

#[cfg(test)]
mod tests;

pub use banyan_engine::stated::{Quarantine, QuarantineReason};
pub use ledger::Tokens;
pub use options::{Grouping, Guard, ModelError, Options, Vocabulary};
pub use outcome::{Extracted, Outcome, Run};
pub use outline::Outline;
pub use plan::Call;

use banyan_engine::llm::{LanguageModel, Request};
use banyan_engine::{Document, DocumentId, Schema, Span};
use prompt::Prompts;

/// A chunk, with what a model has to see of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'a> {
    /// The document it is from.
    pub document: DocumentId,
    /// Its place in the document's text.
    pub span: Span,
    /// The document's title.
    pub title: &'a str,
    /// The chunk's text.
    pub text: &'a str,
}

impl<'a> Passage<'a> {
    /// The part of a document that the span covers; without text where it does not fit.
    pub fn of(document: &'a Document, span: Span) -> Self {
        Self {
            document: document.id,
            span,
            title: &document.title,
            text: span.of(&document.text),
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
/// let passage = Passage::of(&document, Span::new(0, document.text.len()));
///
/// let extractor = ModelExtractor::new(&Scripted, &Schema::general()?, Options::default())?;
/// let calls = extractor.plan(&[passage])?;
/// assert_eq!(calls.len(), 1);
/// let run = extractor.run(&[passage], &calls, &Nobody);
/// assert_eq!(run.chunks[0].stated.triples[0].tail, "Mara Voss");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ModelExtractor<'a> {
    model: &'a dyn LanguageModel,
    options: Options,
    prompts: Prompts,
}

impl<'a> ModelExtractor<'a> {
    /// An extractor that asks `model` for what `schema` has.
    ///
    /// # Errors
    /// [`ModelError::Options`] when an option is out of range, [`ModelError::SchemaTooLong`] when the schema alone fills a
    /// prompt, [`ModelError::Prompt`] when a prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel, schema: &Schema, options: Options) -> Result<Self, ModelError> {
        options.validate()?;
        let prompts = Prompts::new(schema, &options)?;
        let extractor = Self {
            model,
            options,
            prompts,
        };
        extractor.check_schema()?;
        Ok(extractor)
    }

    /// The request that a call makes. The same for the same passages.
    ///
    /// # Errors
    /// [`ModelError::Prompt`] when the prompt cannot be rendered.
    pub fn request(&self, passages: &[Passage<'_>], call: &Call) -> Result<Request, ModelError> {
        self.prompts.extract(&select(passages, &call.passages), &self.options)
    }
}

/// The passages at these positions; positions beyond the end are left out.
fn select<'p, 't>(passages: &'p [Passage<'t>], positions: &[usize]) -> Vec<&'p Passage<'t>> {
    positions
        .iter()
        .filter_map(|position| passages.get(*position))
        .collect()
}
