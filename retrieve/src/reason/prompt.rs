//! What a model reads while reasoning and answering: the prompt files, rendered.

use super::conclude::AnswerReply;
use super::context::{Context, Shown};
use super::inquiry::Inquiry;
use super::model::Options;
use super::reflect::Reasoning;
use super::{Mode, Task};
use banyan_engine::llm::{LlmError, Request, Role};
use serde_json::{Value, json};

/// Most further sub-questions of one round. Arbitrary.
pub(super) const MAX_NEXT: usize = 2;
/// Longest reply in tokens. Arbitrary: 600 characters of assessment or answer at three a token, four times that for what
/// else there is.
pub(super) const MAX_REPLY: u32 = 1_024;

pub(super) struct Prompts {
    pub(super) reason: Role<Reasoning>,
    open: Role<AnswerReply>,
    reject: Role<AnswerReply>,
}

impl Prompts {
    pub(super) fn new() -> Result<Self, LlmError> {
        Ok(Self {
            reason: Role::new("reasoning", include_str!("../../prompts/reason.md"))?,
            open: Role::new("answer", include_str!("../../prompts/answer_open.md"))?,
            reject: Role::new("answer", include_str!("../../prompts/answer_reject.md"))?,
        })
    }

    /// The role that answers in this mode.
    pub(super) fn answer_role(&self, mode: Mode) -> &Role<AnswerReply> {
        match mode {
            Mode::Open => &self.open,
            Mode::Reject => &self.reject,
        }
    }

    /// Asks what the evidence tells and what is missing; with what is shown.
    pub(super) fn reason(
        &self,
        task: &Task<'_>,
        inquiry: &Inquiry,
        context: &Context,
        round: usize,
        options: &Options,
    ) -> Result<(Request, Shown), LlmError> {
        fitted(task, context, options, |shown| {
            let mut values = evidence(task, inquiry, shown);
            values["round"] = round.into();
            values["max_rounds"] = options.max_rounds.into();
            values["max_next"] = MAX_NEXT.into();
            self.reason.request(&values, options.longest_call().1)
        })
    }

    /// Asks for the answer; with what is shown.
    pub(super) fn answer(
        &self,
        task: &Task<'_>,
        inquiry: &Inquiry,
        context: &Context,
        options: &Options,
    ) -> Result<(Request, Shown), LlmError> {
        fitted(task, context, options, |shown| {
            let values = evidence(task, inquiry, shown);
            self.answer_role(task.mode).request(&values, options.longest_call().1)
        })
    }
}

/// The request with as much of the evidence as there is room for.
fn fitted(
    task: &Task<'_>,
    context: &Context,
    options: &Options,
    request: impl Fn(&Shown) -> Result<Request, LlmError>,
) -> Result<(Request, Shown), LlmError> {
    let facts = Shown {
        facts: vec![String::new()],
        ..Shown::default()
    };
    let base = request(&facts)?.estimated_prompt_tokens();
    let room = u64::from(options.max_prompt_tokens).saturating_sub(base);
    let shown = context.shown(task.searcher, room);
    Ok((request(&shown)?, shown))
}

fn evidence(task: &Task<'_>, inquiry: &Inquiry, shown: &Shown) -> Value {
    json!({
        "question": task.question.text,
        "notes": inquiry.notes(),
        "facts": shown.facts,
        "passages": shown.passages,
    })
}
