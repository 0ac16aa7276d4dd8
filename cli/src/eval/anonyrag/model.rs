//! Answers of a language model, from passages or from memory alone.

use super::answer::{Answerer, Given};
use super::item::{Item, letter};
use anyhow::Result;
use banyan_engine::llm::{Asked, LanguageModel, LlmError, Request, Role};
use banyan_extract::tag::Tag;
use banyan_retrieve::{Evidence, Mode, Searcher};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::num::NonZeroUsize;

/// Passages that are shown: as many as the paper's top 20.
const N_SHOWN: usize = 20;
/// Longest reply in tokens. Arbitrary: a name for each of forty tags.
const MAX_REPLY: u32 = 1_024;
/// Confidence of an answer that does not tell its own. Arbitrary.
const UNTOLD: f64 = 0.5;

/// What a model replies: the letter of a choice, or names behind tags.
#[derive(Default, Deserialize, JsonSchema)]
struct Reply {
    #[serde(default)]
    answer: Option<String>,
    #[serde(default)]
    names: Vec<Named>,
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    confidence: Option<f64>,
}

#[derive(Deserialize, JsonSchema)]
struct Named {
    tag: String,
    #[schemars(length(min = 1, max = 120))]
    name: String,
}

/// A model that reads passages and answers.
pub(super) struct ModelAnswerer<'a> {
    searcher: &'a Searcher,
    model: &'a dyn LanguageModel,
    concurrency: NonZeroUsize,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    choice: Role<Reply>,
    reversion: Role<Reply>,
}

impl<'a> ModelAnswerer<'a> {
    /// A model over a corpus; at most `concurrency` calls at a time, and none once `is_stopped` says so.
    pub(super) fn new(
        searcher: &'a Searcher,
        model: &'a dyn LanguageModel,
        concurrency: NonZeroUsize,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self> {
        let (choice, reversion) = (
            include_str!("../../../prompts/anony_choice.md"),
            include_str!("../../../prompts/anony_reversion.md"),
        );
        Ok(Self {
            searcher,
            model,
            concurrency,
            is_stopped,
            choice: Role::new("choice", choice)?.without("names")?,
            reversion: Role::new("reversion", reversion)?.without("answer")?,
        })
    }

    /// What the model is asked; nothing is shown without evidence.
    fn request(&self, item: &Item, evidence: Option<&Evidence>, mode: Mode) -> Result<Request, LlmError> {
        let shown = evidence.map_or(&[][..], |evidence| &evidence.passages);
        let passages = shown.iter().take(N_SHOWN);
        let passages = passages.map(|passage| self.searcher.knowledge().passage(passage.chunk));
        let values = json!({
            "question": item.question, "passages": passages.collect::<Vec<_>>(), "is_open": mode == Mode::Open,
        });
        let is_choice = !item.options.is_empty();
        let role = if is_choice { &self.choice } else { &self.reversion };
        role.request(&values, MAX_REPLY)
    }
}

/// What a reply says. An option that the question does not have is no answer.
fn given(item: &Item, reply: Reply) -> Given {
    let is_option = |letter: &char| item.options.iter().any(|option| option.0 == *letter);
    let names = reply.names.into_iter().filter(|_| item.options.is_empty());
    let given = Given {
        letter: reply.answer.and_then(|answer| letter(&answer)).filter(is_option),
        names: names
            .filter_map(|named| Some((Tag::parse(&named.tag)?, named.name)))
            .collect(),
        confidence: reply.confidence.unwrap_or(UNTOLD),
    };
    if given.lines().is_some() {
        given
    } else {
        Given::default()
    }
}

impl Answerer for ModelAnswerer<'_> {
    fn answer(&self, items: &[Item], evidence: Option<&[Evidence]>, mode: Mode) -> Result<Vec<Given>> {
        let one = |(at, item)| self.request(item, evidence.and_then(|evidence| evidence.get(at)), mode);
        let requests: Vec<Request> = items.iter().enumerate().map(one).collect::<Result<_, _>>()?;
        let replies = self
            .choice
            .ask_all(self.model, &requests, self.concurrency, self.is_stopped);
        let given =
            |(item, reply): (&Item, Result<Asked<Reply>, LlmError>)| Ok(given(item, reply?.value.unwrap_or_default()));
        items.iter().zip(replies).map(given).collect()
    }
}
