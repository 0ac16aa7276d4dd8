//! The reasoner that asks a language model: sub-questions, rounds of reasoning and reflection, the answer.
//!
//! ```text
//! question ─decompose─► plan ─┐
//!            ┌────────────────┘
//!            ▼
//!   open sub-questions ─retrieve (in parallel)─► context ─reason─► found, next, is_sufficient
//!            ▲                                                        │
//!            └──── what was found fills the next sub-questions ◄──────┤ at most R times
//!                                                                     ▼
//!                                                       context ─answer─► answer with checked quotes
//! ```

use super::context::{Context, Shown};
use super::inquiry::Inquiry;
use super::prompt::{self, Prompts};
use super::reflect::{self, Reflection};
use super::retrieve::retrieve;
use super::trail::{Asked, Round, Stop, Trail};
use super::{Conclusion, Listener, ReasonError, Reasoner, Task, Told, conclude};
use crate::decompose::{Decompose, Decomposition};
use crate::evidence::Evidence;
use banyan_engine::llm::{LanguageModel, LlmError};
use banyan_engine::stated::DefectCounts;

/// How a model is asked to reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Most rounds of reasoning (R), at least 1.
    pub max_rounds: usize,
    /// Most tokens of a prompt, as [`banyan_engine::llm::estimate_tokens`] counts them; evidence beyond it is cut and
    /// counted.
    pub max_prompt_tokens: u32,
    /// Most tokens of a reply.
    pub max_reply_tokens: u32,
    /// Passages sought for each sub-question. 4, arbitrary, as the embedded agent reads.
    pub n_passages: usize,
}

impl Default for Options {
    /// Five rounds, as the authors' published configuration has it (`max_steps`; the paper gives no number). Prompts of
    /// 6,144 tokens and replies of 2,048, what the default configuration leaves of 8,192.
    fn default() -> Self {
        Self {
            max_rounds: 5,
            max_prompt_tokens: 6_144,
            max_reply_tokens: 2_048,
            n_passages: 4,
        }
    }
}

impl Options {
    /// Most tokens of the prompt and of the reply of one call after the decomposition.
    pub fn longest_call(&self) -> (u32, u32) {
        (self.max_prompt_tokens, prompt::MAX_REPLY.min(self.max_reply_tokens))
    }
}

/// Who is asked for what; the same model behind all of them, or several.
#[derive(Clone, Copy)]
pub struct Models<'a> {
    /// Takes the question apart.
    pub decomposer: &'a dyn Decompose,
    /// Reasons and reflects.
    pub reason: &'a dyn LanguageModel,
    /// Answers.
    pub answer: &'a dyn LanguageModel,
}

/// Asks a language model.
pub struct ModelReasoner<'a> {
    models: Models<'a>,
    options: Options,
    prompts: Prompts,
}

impl<'a> ModelReasoner<'a> {
    /// A reasoner that asks `models`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt file is not one.
    pub fn new(models: Models<'a>, options: Options) -> Result<Self, LlmError> {
        Ok(Self {
            models,
            options,
            prompts: Prompts::new()?,
        })
    }
}

/// What was looked up for a question.
struct LookedUp {
    inquiry: Inquiry,
    context: Context,
    rounds: Vec<Round>,
    plan: Decomposition,
}

impl Reasoner for ModelReasoner<'_> {
    fn conclude(&self, task: &Task<'_>, listener: Listener<'_>) -> Result<Conclusion, ReasonError> {
        let found = self.look_up(task, listener)?;
        self.answer(task, found)
    }

    /// Without the call that asks for the answer.
    fn gather(&self, task: &Task<'_>) -> Result<Evidence, ReasonError> {
        let found = self.look_up(task, &mut |_| {})?;
        Ok(together(task.evidence, &found.context))
    }
}

impl ModelReasoner<'_> {
    fn look_up(&self, task: &Task<'_>, listener: Listener<'_>) -> Result<LookedUp, ReasonError> {
        let plan = self.plan(task)?;
        listener(Told::Plan(&plan));
        let mut inquiry = Inquiry::new(&plan);
        let mut context = Context::new(task.evidence);
        let mut rounds: Vec<Round> = Vec::new();
        for number in 1..=self.options.max_rounds.max(1) {
            let round = self.round(task, number, &mut inquiry, &mut context)?;
            listener(Told::Round(&round));
            let is_last = round.stop.is_some();
            rounds.push(round);
            if is_last {
                break;
            }
        }
        Ok(LookedUp {
            inquiry,
            context,
            rounds,
            plan,
        })
    }

    fn plan(&self, task: &Task<'_>) -> Result<Decomposition, ReasonError> {
        let names = task.searcher.names_in(&task.question.text);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let schema = &task.searcher.knowledge().schema;
        let plan = self.models.decomposer.decompose(&task.question.text, &names, schema);
        plan.map_err(failed("decompose"))
    }

    /// Retrieves for the open sub-questions and lets the model reason over all that is known.
    fn round(
        &self,
        task: &Task<'_>,
        number: usize,
        inquiry: &mut Inquiry,
        context: &mut Context,
    ) -> Result<Round, ReasonError> {
        let asked = self.seek(task, inquiry, context)?;
        let (request, shown) = self
            .prompts
            .reason(task, inquiry, context, number, &self.options)
            .map_err(failed("reason"))?;
        let reply = self.models.reason.complete(&request).map_err(failed("reason"))?;
        let Reflection {
            assessment,
            found,
            is_sufficient,
            next,
            defects,
        } = reflect::read(self.prompts.reason.read(&reply), task.searcher, inquiry, &shown);
        let wanted = next.iter().map(|step| step.text.clone()).collect();
        inquiry.learn(&assessment, &found, next);
        let stop = if is_sufficient {
            Some(Stop::Sufficient)
        } else if inquiry.open().is_empty() {
            Some(Stop::NothingToAsk)
        } else {
            (number >= self.options.max_rounds).then_some(Stop::Rounds)
        };
        Ok(Round {
            number,
            asked,
            n_shown: shown.chunks.len(),
            assessment,
            found,
            is_sufficient,
            next: wanted,
            stop,
            defects,
        })
    }

    /// Retrieves for the open sub-questions, all at once.
    fn seek(&self, task: &Task<'_>, inquiry: &mut Inquiry, context: &mut Context) -> Result<Vec<Asked>, ReasonError> {
        let open = inquiry.open();
        let filled: Vec<_> = open
            .iter()
            .map(|at| (&inquiry.steps[*at], inquiry.filled(*at)))
            .collect();
        let mut found = retrieve(task.searcher, task.embedder, &filled, self.options.n_passages)?;
        for (at, found) in open.iter().zip(&mut found) {
            found
                .passages
                .iter_mut()
                .for_each(|passage| passage.step = Some(at + 1));
        }
        let told = open
            .iter()
            .zip(&filled)
            .zip(&found)
            .map(|((at, (step, text)), found)| Asked {
                step: at + 1,
                text: text.clone(),
                target: step.target,
                n_passages: found.passages.len(),
            });
        let asked = told.collect();
        for at in &open {
            inquiry.ask(*at);
        }
        for found in found {
            context.add(found);
        }
        Ok(asked)
    }

    fn answer(
        &self,
        task: &Task<'_>,
        LookedUp {
            inquiry,
            context,
            rounds,
            plan,
        }: LookedUp,
    ) -> Result<Conclusion, ReasonError> {
        let (request, shown) = self
            .prompts
            .answer(task, &inquiry, &context, &self.options)
            .map_err(failed("answer"))?;
        let reply = self.models.answer.complete(&request).map_err(failed("answer"))?;
        let evidence = together(task.evidence, &context);
        let mut defects = DefectCounts::default();
        defects.merge(&plan.defects);
        for round in &rounds {
            defects.merge(&round.defects);
        }
        let role = self.prompts.answer_role(task.mode);
        let answer = conclude::read(role, &reply, task, &shown, &evidence, &mut defects)?;
        let Shown {
            chunks,
            n_cut,
            n_orders,
            ..
        } = shown;
        let trail = Trail {
            plan,
            rounds,
            n_shown: chunks.len(),
            n_cut,
            n_orders,
            is_cited: answer.text.is_some() && !answer.citations.is_empty(),
            defects,
        };
        Ok(Conclusion {
            answer,
            evidence,
            trail: Some(trail),
        })
    }
}

/// The evidence of the whole question, with the further passages of sub-questions behind its own.
fn together(whole: &Evidence, context: &Context) -> Evidence {
    let mut evidence = whole.clone();
    for passage in context.ranked() {
        if whole.passages.iter().all(|known| known.chunk != passage.chunk) {
            evidence.passages.push(passage.clone());
        }
    }
    evidence
}

fn failed(stage: &'static str) -> impl Fn(LlmError) -> ReasonError {
    move |source| ReasonError::Model {
        stage,
        source: Box::new(source),
    }
}
