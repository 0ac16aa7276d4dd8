//! What a language model is asked to do, and what its reply becomes: a prompt file, and a Rust type that the reply has
//! to be.
//!
//! The JSON schema that a request carries is derived from the type; the reply is read with tolerance, held against the
//! same type, and bounded. A reply is data: none makes reading fail, and whatever is wrong with one is a [`Defect`].
//!
//! # The reply's type
//! | in Rust | what a reply needs |
//! |---|---|
//! | a field | a value, or the object is dropped |
//! | `#[serde(default)]` on a plain value, `Option`, `Vec` | nothing; a value of no use is counted, and the default stands |
//! | `#[schemars(length(min = 1, max = 300))]` on a text | so many characters, or the text is not usable |
//! | `#[schemars(length(max = 8))]` on a list | further items are dropped and counted |
//! | `#[schemars(range(min = 1))]` on a number | a number in range |
//! | `#[schemars(extend("x-aliases" = ["subject"]))]` | other names under which the field is found |
//!
//! An item of a list that does not fit is dropped and counted; the others stay. In a `Vec<Option<_>>` its place stays
//! empty, for items that are referred to by their places. The name of a field counts whatever its case and the marks
//! between its words. Texts become one line without control characters; a number or truth value where a text belongs
//! becomes one, `"#2"` and `"passage 2"` are numbers where a number belongs, and a list of as many plain values as an
//! object has fields is that object.
//!
//! Endpoints write properties in the order of the schema they are held to. That is the order in which the type declares
//! them: what a model should think of first stands first.
//!
//! ```
//! use banyan_engine::llm::{Finish, LanguageModel, LlmError, Reply, Request, Role, Usage};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Trees {
//!     trees: Vec<Tree>,
//! }
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Tree {
//!     #[schemars(length(min = 1, max = 80))]
//!     name: String,
//!     #[serde(default)]
//!     height: f64,
//! }
//!
//! struct Scripted;
//! impl LanguageModel for Scripted {
//!     fn id(&self) -> &str {
//!         "scripted"
//!     }
//!     fn complete(&self, _: &Request) -> Result<Reply, LlmError> {
//!         let text = "Sure! {'Trees': [{'name': 'Teak', 'height': 40}, {'height': 3}, ['Oak', 30],]}".into();
//!         Ok(Reply { text, usage: Usage::default(), finish: Finish::Stop })
//!     }
//! }
//!
//! let source = "<!-- system -->\nList the trees.\n<!-- user -->\n{{ text | fence(\"passage\") }}";
//! let role: Role<Trees> = Role::new("trees", source)?;
//! let asked = role.ask(&Scripted, &json!({ "text": "Teak and oak." }), 200)?;
//! let trees = asked.value.unwrap_or(Trees { trees: Vec::new() }).trees;
//! assert_eq!((trees.len(), trees[1].name.as_str(), trees[1].height), (2, "Oak", 30.0));
//! assert!(asked.defects.iter().any(|defect| defect.to_string() == "missing field: name"));
//! # Ok::<(), LlmError>(())
//! ```

use super::json::{self, Found};
use super::{Finish, LanguageModel, LlmError, Prompt, Reply, ReplyShape, Request, complete_all};
use crate::stated::{Defect, DefectCounts, DefectKind};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::marker::PhantomData;
use std::num::NonZeroUsize;

mod fit;
mod schema;

pub(super) use schema::in_order;

/// A prompt and the type of its replies.
#[derive(Clone, Debug)]
pub struct Role<T> {
    prompt: Prompt,
    /// What replies are held against, with limits and other names.
    schema: Value,
    shape: ReplyShape,
    reply: PhantomData<fn() -> T>,
}

/// What a model replied.
#[derive(Clone, Debug)]
pub struct Asked<T> {
    /// The reply; `None` where there is nothing of the form that was asked for.
    pub value: Option<T>,
    /// What was wrong with it.
    pub defects: Vec<Defect>,
    /// Whether it breaks off. What is complete counts.
    pub is_cut: bool,
    /// The field of the reply under which it breaks off.
    pub cut_key: Option<String>,
}

impl<T> Asked<T> {
    /// Counts what was wrong and gives the reply.
    pub fn counted(self, defects: &mut DefectCounts) -> Option<T> {
        defects.add(&self.defects);
        self.value
    }
}

impl<T: DeserializeOwned + JsonSchema> Role<T> {
    /// The role with this name and the text of its prompt file. The name is that of the reply's form, too: letters,
    /// digits,
    /// `_` and `-`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(name: &str, source: &str) -> Result<Self, LlmError> {
        let schema = schema::of::<T>();
        Ok(Self {
            prompt: Prompt::parse(name, source)?,
            shape: ReplyShape {
                name: name.to_owned(),
                schema: schema::sent(&schema),
            },
            schema,
            reply: PhantomData,
        })
    }

    /// The role with the names that data allow for a text: `path` leads to it by fields, through lists, such as
    /// `passages.triples.relation`. Endpoints that hold a model to the form admit no other; a reply that has one is read
    /// all the same. With no names or very many any text is admitted.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the type has no such field.
    pub fn with_enum(mut self, path: &str, names: &[&str]) -> Result<Self, LlmError> {
        if schema::set_names(&mut self.shape.schema, path, names) {
            return Ok(self);
        }
        Err(self.lacks(path))
    }

    /// The role without asking for a field of the outermost object that replies may leave out.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the type has no such field.
    pub fn without(mut self, field: &str) -> Result<Self, LlmError> {
        if schema::remove(&mut self.shape.schema, field) {
            return Ok(self);
        }
        Err(self.lacks(field))
    }

    fn lacks(self, field: &str) -> LlmError {
        LlmError::Prompt {
            name: self.shape.name,
            reason: format!("its replies have no field {field}"),
        }
    }

    /// The request that these values make, a map or a struct; the same for the same values. For dry runs and forecasts,
    /// too.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a value is missing or of the wrong kind.
    pub fn request(&self, values: &impl Serialize, max_reply_tokens: u32) -> Result<Request, LlmError> {
        self.prompt.request(values, Some(self.shape.clone()), max_reply_tokens)
    }

    /// Asks.
    ///
    /// # Errors
    /// [`LlmError`] when there is no reply. A reply of no use is no error.
    pub fn ask(
        &self,
        model: &dyn LanguageModel,
        values: &impl Serialize,
        max_reply_tokens: u32,
    ) -> Result<Asked<T>, LlmError> {
        let reply = model.complete(&self.request(values, max_reply_tokens)?)?;
        Ok(self.read(&reply))
    }

    /// Asks all of these, a few at a time, as [`complete_all`] does; results in the order of the requests.
    pub fn ask_all(
        &self,
        model: &dyn LanguageModel,
        requests: &[Request],
        max_concurrent: NonZeroUsize,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Result<Asked<T>, LlmError>> {
        let replies = complete_all(model, requests, max_concurrent, is_stopped, |_, _| ());
        let read = |reply: Result<Reply, LlmError>| reply.map(|reply| self.read(&reply));
        replies.into_iter().map(read).collect()
    }

    /// What a reply says. Cost O(length), up to a megabyte of it.
    pub fn read(&self, reply: &Reply) -> Asked<T> {
        let (mut found, mut value) = self.look(&reply.text);
        if value.is_none() {
            let mut others = json::fresh_starts(&reply.text).map(|start| self.look(&reply.text[start..]));
            if let Some((other, object)) = others.find(|(_, object)| object.is_some()) {
                (found, value) = (other, object);
            }
        }
        let is_cut = found.is_cut || reply.finish == Finish::Length;
        let mut defects = found.defects;
        if is_cut {
            defects.push(Defect::new(DefectKind::Truncated, "the reply"));
        }
        let fitting = value.and_then(|value| fit::fit(value, &self.schema, &self.shape.name, &mut defects));
        let value = fitting.and_then(|value| serde_json::from_value(value).ok());
        if value.is_none() {
            defects.push(Defect::new(DefectKind::NotJson, reply.text.trim()));
        }
        Asked {
            value,
            defects,
            is_cut,
            cut_key: found.cut_key,
        }
    }

    /// The values of a text, and that among them which has a field of the reply.
    fn look(&self, text: &str) -> (Found, Option<Value>) {
        let mut found = json::read(text);
        let value = fit::find(&mut found, &self.schema);
        (found, value)
    }
}
