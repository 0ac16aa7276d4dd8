//! Requests to language models: the port [`LanguageModel`], its implementations, and what stands around a call.
//!
//! | part | what it is for |
//! |---|---|
//! | [`Http`] | any endpoint that speaks `OpenAI`'s chat completions; retries what is transient, waits as it is told |
//! | [`Cassette`] | every call is kept under the hash of what was asked, and replays for free |
//! | [`Metered`], [`Ledger`] | tokens by stage, cost, and a cap that stops before the call that would exceed it |
//! | [`Forecast`] | calls, tokens and cost before anything is spent |
//! | [`Prompt`], [`fence()`] | prompts are files; text of documents stands between marks that do not occur in it |
//! | [`Role`] | what a model is asked to do, and the type that its reply becomes |
//! | [`complete_all`] | many requests, a few at a time, replies in the order of the requests |
//!
//! They nest: `Metered<Cassette<Http>>` records what it pays for and counts both. A reply is data: it is bounded in
//! size, it is parsed by others, and nothing here acts on what it says. An API key goes into one header and nowhere
//! else: not into errors, `Debug`, cassettes or replies.
//!
//! Only [`http`] opens connections and reads a clock; only [`cassette`] keeps bytes. Nothing here reads the environment.

mod batch;
mod budget;
pub mod cassette;
mod error;
mod estimate;
mod excerpt;
mod fence;
pub mod http;
mod json;
mod prompt;
mod role;
mod secret;

pub use batch::{MAX_FAILED_IN_A_ROW, complete_all};
pub use budget::{Budget, Forecast, Ledger, Metered, Prices, Staged, Tally};
pub use cassette::Cassette;
pub use error::LlmError;
pub use estimate::estimate_tokens;
pub use fence::fence;
pub use http::{Http, HttpConfig};
pub use prompt::Prompt;
pub use role::{Asked, Role};
pub use secret::ApiKey;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;

/// A language model behind any transport: [`Http`], a cassette, a script in a test.
pub trait LanguageModel: Sync {
    /// Stable identity: the model's name and the parameters that change replies. Part of every cassette key, so two
    /// models with equal ids are one model to a cassette.
    fn id(&self) -> &str;

    /// One completion. Blocks; called from several threads at once.
    ///
    /// # Errors
    /// [`LlmError`], split by what the caller can do.
    fn complete(&self, request: &Request) -> Result<Reply, LlmError>;

    /// Whether the reply is at hand, so that completing costs nothing; a count of what is yet to be paid asks this.
    fn is_known(&self, _request: &Request) -> bool {
        false
    }

    /// Leaves a reply that is at hand out of account, so that the next call pays for another one.
    fn forget(&self, _request: &Request) {}
}

impl<M: LanguageModel + ?Sized> LanguageModel for &M {
    fn id(&self) -> &str {
        (**self).id()
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        (**self).complete(request)
    }

    fn is_known(&self, request: &Request) -> bool {
        (**self).is_known(request)
    }

    fn forget(&self, request: &Request) {
        (**self).forget(request);
    }
}

/// What is asked, rendered and complete. Temperature is 0 and the seed fixed, as far as the model knows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What the model is to do.
    pub system: String,
    /// What it is to do it with; text of documents stands in a [`fence()`].
    pub user: String,
    /// The JSON that the reply has to be, where it has to be JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<ReplyShape>,
    /// The longest reply, in the model's tokens.
    pub max_reply_tokens: u32,
}

impl Request {
    /// Tokens of the prompt, estimated; see [`estimate_tokens`]. O(len).
    pub fn estimated_prompt_tokens(&self) -> u64 {
        // A chat adds 3 tokens to frame a message and 3 to begin the reply, in the format that `OpenAI` documents.
        let framing = 3 * 3;
        let shape = self
            .shape
            .as_ref()
            .map_or(0, |shape| estimate_tokens(&shape.schema.to_string()));
        estimate_tokens(&self.system) + estimate_tokens(&self.user) + shape + framing
    }
}

/// How long the calls of a job may be, and how many run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLimits {
    /// Most tokens of a prompt, as [`estimate_tokens`] counts them; what is longer is cut or split.
    pub max_prompt_tokens: u32,
    /// Most tokens of a reply.
    pub max_reply_tokens: u32,
    /// Calls under way at once.
    pub max_concurrent: NonZeroUsize,
}

impl Default for CallLimits {
    /// Prompts of 6,144 tokens and replies of 2,048, which fit a context of 8,192, one after the other.
    fn default() -> Self {
        Self {
            max_prompt_tokens: 6_144,
            max_reply_tokens: 2_048,
            max_concurrent: NonZeroUsize::MIN,
        }
    }
}

/// The form of a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplyShape {
    /// Its name: 1 to 64 letters, digits, `_` and `-`.
    pub name: String,
    /// A JSON schema. Endpoints that hold a model to it want every property required and no others admitted; they are
    /// sent in the order in which they are required.
    pub schema: serde_json::Value,
}

impl ReplyShape {
    /// The schema as it is sent: properties in the order in which it requires them, which is the order in which a model
    /// that is held to it writes them.
    pub fn text(&self) -> String {
        role::in_order(&self.schema)
    }
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The text, as it came; empty when the model said nothing.
    pub text: String,
    /// Tokens it took.
    pub usage: Usage,
    /// Why it ended.
    pub finish: Finish,
}

/// Tokens of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: u64,
    /// Tokens of the reply.
    pub completion_tokens: u64,
    /// Whether the endpoint gave no count and these are estimates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_estimated: bool,
    /// Whether the reply came from a cassette: these tokens were paid for earlier.
    #[serde(skip)]
    pub is_replayed: bool,
}

/// Why a reply ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model was done, or the endpoint does not say.
    Stop,
    /// It came to the longest reply: what there is, is cut off.
    Length,
    /// Something else, in the endpoint's word, such as `content_filter`.
    #[serde(untagged)]
    Other(String),
}
