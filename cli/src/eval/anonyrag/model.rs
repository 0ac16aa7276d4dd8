//! Answers of a language model, from passages or from memory alone.

use super::answer::{Answerer, Given};
use super::item::Item;
use super::reply;
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, Reply, Request, complete_all};
use banyan_retrieve::answer::Mode;
use banyan_retrieve::evidence::Evidence;
use banyan_retrieve::searcher::Searcher;
use serde::Serialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// Passages that are shown: as many as the paper's top 20.
const N_SHOWN: usize = 20;
/// Longest reply in tokens. Arbitrary: a line for each of forty tags.
const MAX_REPLY: u32 = 1_024;
/// Confidence of an answer that does not tell its own. Arbitrary.
const UNTOLD: f64 = 0.5;

/// A model that reads passages and answers.
pub struct ModelAnswerer<'a> {
    searcher: &'a Searcher,
    model: &'a dyn LanguageModel,
    concurrency: NonZeroUsize,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// Choice and reversion, each open and reject.
    prompts: [[Prompt; 2]; 2],
}

#[derive(Serialize)]
struct Values<'a> {
    question: &'a str,
    passages: Vec<String>,
}

impl<'a> ModelAnswerer<'a> {
    /// A model over a corpus; at most `concurrency` calls at a time, and none once `is_stopped` says so.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt file is none.
    pub fn new(
        searcher: &'a Searcher,
        model: &'a dyn LanguageModel,
        concurrency: NonZeroUsize,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, LlmError> {
        Ok(Self {
            searcher,
            model,
            concurrency,
            is_stopped,
            prompts: prompts()?,
        })
    }

    /// What the model is asked; nothing is shown without evidence.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt asks for a value that there is not.
    pub fn request(&self, item: &Item, evidence: Option<&Evidence>, mode: Mode) -> Result<Request, LlmError> {
        let shown = evidence.map_or(&[][..], |evidence| &evidence.passages);
        let passages = shown
            .iter()
            .take(N_SHOWN)
            .map(|passage| self.searcher.knowledge().passage(passage.chunk));
        let values = Values {
            question: &item.question,
            passages: passages.collect(),
        };
        let prompt = &self.prompts[usize::from(item.options.is_empty())][usize::from(mode == Mode::Reject)];
        prompt.request(&values, None, MAX_REPLY)
    }
}

fn prompts() -> Result<[[Prompt; 2]; 2], LlmError> {
    let parse = Prompt::parse;
    Ok([
        [
            parse(
                "anony_choice_open.md",
                include_str!("../../../prompts/anony_choice_open.md"),
            )?,
            parse(
                "anony_choice_reject.md",
                include_str!("../../../prompts/anony_choice_reject.md"),
            )?,
        ],
        [
            parse(
                "anony_reversion_open.md",
                include_str!("../../../prompts/anony_reversion_open.md"),
            )?,
            parse(
                "anony_reversion_reject.md",
                include_str!("../../../prompts/anony_reversion_reject.md"),
            )?,
        ],
    ])
}

impl Answerer for ModelAnswerer<'_> {
    fn answer(&self, items: &[Item], evidence: Option<&[Evidence]>, mode: Mode) -> Result<Vec<Given>, LlmError> {
        let one = |(at, item)| self.request(item, evidence.and_then(|evidence| evidence.get(at)), mode);
        let requests: Vec<Request> = items.iter().enumerate().map(one).collect::<Result<_, _>>()?;
        let replies = complete_all(self.model, &requests, self.concurrency, self.is_stopped, |_, _| {});
        let given = items
            .iter()
            .zip(replies)
            .map(|(item, reply)| Ok(read(item, &reply?, mode)));
        given.collect()
    }
}

/// What a reply says. An option that the question does not have is no answer.
fn read(item: &Item, reply: &Reply, mode: Mode) -> Given {
    let letter = reply::letter(&reply.text).filter(|letter| item.options.iter().any(|option| option.0 == *letter));
    let names = if item.options.is_empty() {
        reply::mapping(&reply.text)
    } else {
        BTreeMap::new()
    };
    let told = reply::confidence(&reply.text);
    let is_unknown = reply.text.lines().any(|line| {
        let said = line.split_once([':', '：']).map_or(line, |(_, said)| said);
        reply::is_unknown(said) && !said.trim().is_empty()
    });
    let given = Given {
        letter: letter.filter(|_| !item.options.is_empty()),
        confidence: told.unwrap_or(UNTOLD),
        names,
    };
    let has_nothing = given.lines().is_none();
    if has_nothing {
        return Given::default();
    }
    let is_refused = mode == Mode::Reject && is_unknown && !item.options.is_empty();
    if is_refused { given.refused() } else { given }
}
