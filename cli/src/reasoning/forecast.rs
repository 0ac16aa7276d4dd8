//! What questions to a model can come to at most, before anything is asked.

use super::{ReasonerKind, Reasoning, asking};
use crate::language::{Language, Plan};
use crate::progress::counted;
use anyhow::{Result, bail};
use banyan_engine::llm::{Forecast, LanguageModel, LlmError, Reply, Request};
use banyan_retrieve::reason::{Options, ReasonError, Reasoner};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::sync::{Mutex, PoisonError};

/// Asks only what the cassette knows, and keeps the first request that it does not know.
struct Known<'a> {
    model: &'a dyn LanguageModel,
    state: &'a Mutex<State>,
}

#[derive(Default)]
struct State {
    n_known: u64,
    unknown: Option<Request>,
}

impl LanguageModel for Known<'_> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let is_known = self.model.is_known(request);
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if !is_known {
                state.unknown = Some(request.clone());
                return Err(LlmError::Stopped);
            }
            state.n_known += 1;
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
/// the cassette knows is free. `ask` asks all of them, one after the other; `n_beside` is the most calls that the method of a
/// question makes beside the reasoner's, known or not.
pub(crate) fn forecast(
    reasoning: &Reasoning<'_>,
    n_questions: usize,
    n_beside: impl Fn(usize) -> usize,
    ask: impl Fn(&dyn Reasoner, usize) -> Option<ReasonError>,
) -> Result<QuestionPlan> {
    if reasoning.reasoner != ReasonerKind::Llm {
        bail!("--dry-run counts calls to a model; expected --reasoner llm beside it");
    }
    let language = Language::to_count(reasoning.env, reasoning.store)?;
    let options = reasoning.options(&language);
    let mut total = Forecast::default();
    for question in 0..n_questions {
        reasoning.env.stop.check()?;
        let state = Mutex::default();
        let stage = language.stage("forecast");
        let known = Known {
            model: &stage,
            state: &state,
        };
        let failure = asking(&known, &known, &known, &options, |reasoner| Ok(ask(reasoner, question)))?;
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        add(&mut total, &state, failure, &options)?;
        add_calls(&mut total, n_beside(question) as u64, &options);
    }
    Ok(QuestionPlan {
        questions: n_questions,
        max_rounds: options.max_rounds,
        plan: language.plan(total),
    })
}

/// Adds one question: what was known, the first call that was not, and the most that can follow it.
fn add(total: &mut Forecast, state: &State, failure: Option<ReasonError>, options: &Options) -> Result<()> {
    total.n_known += state.n_known;
    let stage = match failure {
        None => return Ok(()),
        Some(ReasonError::Model { stage, source }) if matches!(*source, LlmError::Stopped) => stage,
        Some(error) => return Err(error.into()),
    };
    let n_rounds = options.max_rounds as u64;
    let n_after = match stage {
        "decompose" => n_rounds + 1,
        // One of the known calls is the decomposition; the round that is not known is one of all.
        "reason" => (n_rounds + 1).saturating_sub(state.n_known),
        _ => 0,
    };
    let first = state.unknown.as_ref();
    total.n_calls += 1;
    total.prompt_tokens += first.map_or(0, Request::estimated_prompt_tokens);
    total.max_completion_tokens += first.map_or(0, |first| u64::from(first.max_reply_tokens));
    add_calls(total, n_after, options);
    Ok(())
}

/// Adds calls of which nothing is known but how long one may be.
fn add_calls(total: &mut Forecast, n: u64, options: &Options) {
    let (prompt, reply) = options.longest_call();
    total.n_calls += n;
    total.prompt_tokens += u64::from(prompt) * n;
    total.max_completion_tokens += u64::from(reply) * n;
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
