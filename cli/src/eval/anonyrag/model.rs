//! Answers of a language model, from passages or from memory alone.

use super::answer::{Answerer, Given};
use super::item::Item;
use super::reply::Reading;
use anyhow::Result;
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, Request, complete_all};
use banyan_retrieve::{Evidence, Mode, Searcher};
use serde_json::json;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// Passages that are shown: as many as the paper's top 20.
const N_SHOWN: usize = 20;
/// Longest reply in tokens. Arbitrary: a line for each of forty tags.
const MAX_REPLY: u32 = 1_024;
/// Confidence of an answer that does not tell its own. Arbitrary.
const UNTOLD: f64 = 0.5;

/// A model that reads passages and answers.
pub(super) struct ModelAnswerer<'a> {
    searcher: &'a Searcher,
    model: &'a dyn LanguageModel,
    concurrency: NonZeroUsize,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    reading: Reading,
    /// Choice and reversion, each open and reject.
    prompts: [[Prompt; 2]; 2],
}

impl<'a> ModelAnswerer<'a> {
    /// A model over a corpus; at most `concurrency` calls at a time, and none once `is_stopped` says so.
    pub(super) fn new(
        searcher: &'a Searcher,
        model: &'a dyn LanguageModel,
        concurrency: NonZeroUsize,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self> {
        Ok(Self {
            searcher,
            model,
            concurrency,
            is_stopped,
            reading: Reading::new()?,
            prompts: prompts()?,
        })
    }

    /// What the model is asked; nothing is shown without evidence.
    fn request(&self, item: &Item, evidence: Option<&Evidence>, mode: Mode) -> Result<Request, LlmError> {
        let shown = evidence.map_or(&[][..], |evidence| &evidence.passages);
        let knowledge = self.searcher.knowledge();
        let passages = shown
            .iter()
            .take(N_SHOWN)
            .map(|passage| knowledge.passage(passage.chunk));
        let values = json!({"question": item.question, "passages": passages.collect::<Vec<_>>()});
        let prompt = &self.prompts[usize::from(item.options.is_empty())][usize::from(mode == Mode::Reject)];
        prompt.request(&values, None, MAX_REPLY)
    }

    /// What a reply says. An option that the question does not have is no answer.
    fn read(&self, item: &Item, reply: &str, mode: Mode) -> Given {
        let is_choice = !item.options.is_empty();
        let is_option = |letter: &char| item.options.iter().any(|option| option.0 == *letter);
        let given = Given {
            letter: self.reading.letter(reply).filter(is_option),
            names: if is_choice {
                BTreeMap::new()
            } else {
                self.reading.mapping(reply)
            },
            confidence: self.reading.confidence(reply).unwrap_or(UNTOLD),
        };
        if given.lines().is_none() {
            return Given::default();
        }
        let is_refused = mode == Mode::Reject && is_choice && self.reading.is_unknown(reply);
        if is_refused { given.refused() } else { given }
    }
}

fn prompts() -> Result<[[Prompt; 2]; 2], LlmError> {
    let choice = [
        Prompt::parse(
            "anony_choice_open.md",
            include_str!("../../../prompts/anony_choice_open.md"),
        )?,
        Prompt::parse(
            "anony_choice_reject.md",
            include_str!("../../../prompts/anony_choice_reject.md"),
        )?,
    ];
    let (open, reject) = ("anony_reversion_open.md", "anony_reversion_reject.md");
    let reversion = [
        Prompt::parse(open, include_str!("../../../prompts/anony_reversion_open.md"))?,
        Prompt::parse(reject, include_str!("../../../prompts/anony_reversion_reject.md"))?,
    ];
    Ok([choice, reversion])
}

impl Answerer for ModelAnswerer<'_> {
    fn answer(&self, items: &[Item], evidence: Option<&[Evidence]>, mode: Mode) -> Result<Vec<Given>> {
        let one = |(at, item)| self.request(item, evidence.and_then(|evidence| evidence.get(at)), mode);
        let requests: Vec<Request> = items.iter().enumerate().map(one).collect::<Result<_, _>>()?;
        let replies = complete_all(self.model, &requests, self.concurrency, self.is_stopped, |_, _| {});
        let given = items.iter().zip(replies);
        given
            .map(|(item, reply)| Ok(self.read(item, &reply?.text, mode)))
            .collect()
    }
}
