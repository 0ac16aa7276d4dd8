//! What questions to a model can come to at most, before anything is asked.

use super::{Reasoning, asking};
use crate::language::Worker;
use crate::language::{Language, Plan};
use crate::progress::counted;
use anyhow::{Result, bail};
use banyan_engine::llm::{Forecast, LanguageModel, LlmError, Reply, Request};
use banyan_retrieve::reason::{Options, ReasonError, Reasoner};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::sync::{Mutex, PoisonError};

/// Asks only what the cassette knows, and counts that and the first request that it does not know.
struct Known<'a> {
    model: &'a dyn LanguageModel,
    seen: &'a Mutex<Forecast>,
}

impl LanguageModel for Known<'_> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let one = Forecast::of(self.model, [request]);
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) += one;
        if one.n_calls > 0 {
            return Err(LlmError::Stopped);
        }
        self.model.complete(request)
    }

    fn is_known(&self, request: &Request) -> bool {
        self.model.is_known(request)
    }
}

/// What questions to a model can come to at most.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionPlan {
    questions: usize,
    /// Rounds that each question may take.
    max_rounds: usize,
    #[serde(flatten)]
    plan: Plan,
}

/// What `n_questions` can come to at most: every round is needed, every prompt and reply as long as it may be, but what
/// the cassette knows is free. `ask` asks all of them, one after the other; `n_beside` is the most calls that the
/// method of a question makes beside the reasoner's, known or not.
pub(crate) fn forecast(
    reasoning: &Reasoning<'_>,
    n_questions: usize,
    n_beside: impl Fn(usize) -> usize,
    ask: impl Fn(&dyn Reasoner, usize) -> Option<ReasonError>,
) -> Result<QuestionPlan> {
    if reasoning.options.reasoner != Worker::Llm {
        bail!("--dry-run counts calls to a model; expected --reasoner llm beside it");
    }
    let language = Language::to_count(reasoning.env, reasoning.store)?;
    let options = reasoning.options(&language);
    let mut total = Forecast::default();
    for question in 0..n_questions {
        reasoning.env.stop.check()?;
        let seen = Mutex::default();
        let stage = language.stage("forecast");
        let known = Known {
            model: &stage,
            seen: &seen,
        };
        let failure = asking(&known, &known, &known, &options, |reasoner| Ok(ask(reasoner, question)))?;
        let seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        total += seen;
        add_calls(&mut total, n_after(&seen, failure, &options)?, &options);
        add_calls(&mut total, n_beside(question) as u64, &options);
    }
    Ok(QuestionPlan {
        questions: n_questions,
        max_rounds: options.max_rounds,
        plan: language.plan(total),
    })
}

/// The most calls that can follow the first that was not known.
fn n_after(seen: &Forecast, failure: Option<ReasonError>, options: &Options) -> Result<u64> {
    let n_rounds = options.max_rounds as u64;
    match failure {
        None => Ok(0),
        Some(ReasonError::Model { stage, source }) if matches!(*source, LlmError::Stopped) => Ok(match stage {
            "decompose" => n_rounds + 1,
            // One of the known calls is the decomposition; the round that is not known is one of all.
            "reason" => (n_rounds + 1).saturating_sub(seen.n_known),
            _ => 0,
        }),
        Some(error) => Err(error.into()),
    }
}

/// Adds calls of which nothing is known but how long one may be.
fn add_calls(total: &mut Forecast, n: u64, options: &Options) {
    let (prompt, reply) = options.longest_call();
    *total += Forecast {
        n_known: 0,
        n_calls: n,
        prompt_tokens: u64::from(prompt) * n,
        max_completion_tokens: u64::from(reply) * n,
    };
}

impl Display for QuestionPlan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Forecast {
            n_calls,
            n_known,
            prompt_tokens,
            max_completion_tokens,
        } = self.plan.forecast;
        let cost = self.plan.cost();
        write!(
            f,
            "{} in at most {} rounds each: at most {n_calls} calls, {prompt_tokens} tokens of prompts, {max_completion_tokens} of replies, {cost}; {n_known} more from the cassette",
            counted(self.questions, "question"),
            self.max_rounds
        )
    }
}
