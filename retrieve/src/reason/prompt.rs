//! What a model reads while reasoning and answering: the prompt files, rendered.

use super::context::{Context, Shown};
use super::inquiry::Inquiry;
use super::model::Options;
use super::{Mode, Task};
use crate::decompose::step_form;
use banyan_engine::llm::{LlmError, Prompt, ReplyShape, Request};
use serde::Serialize;
use serde_json::{Value, json};

/// Most further sub-questions of one round. Arbitrary.
pub(super) const MAX_NEXT: usize = 2;
/// Longest reply in tokens. Arbitrary: 600 characters of assessment or answer at three a token, four times that for what
/// else there is.
pub(super) const MAX_REPLY: u32 = 1_024;

/// The prompts.
pub(super) struct Prompts {
    reason: Prompt,
    open: Prompt,
    reject: Prompt,
}

#[derive(Serialize)]
struct ReasonValues<'a> {
    #[serde(flatten)]
    evidence: Evidence<'a>,
    round: usize,
    max_rounds: usize,
    max_next: usize,
}

#[derive(Serialize)]
struct Evidence<'a> {
    question: &'a str,
    notes: Vec<String>,
    facts: &'a [String],
    passages: &'a [String],
}

impl Prompts {
    pub(super) fn new() -> Result<Self, LlmError> {
        Ok(Self {
            reason: Prompt::parse("reason.md", include_str!("../../prompts/reason.md"))?,
            open: Prompt::parse("answer_open.md", include_str!("../../prompts/answer_open.md"))?,
            reject: Prompt::parse("answer_reject.md", include_str!("../../prompts/answer_reject.md"))?,
        })
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
        let request = |shown: &Shown| {
            let values = ReasonValues {
                evidence: evidence(task, inquiry, shown),
                round,
                max_rounds: options.max_rounds,
                max_next: MAX_NEXT,
            };
            self.reason
                .request(&values, Some(reason_form()), options.longest_call().1)
        };
        fitted(task, context, options, request)
    }

    /// Asks for the answer; with what is shown.
    pub(super) fn answer(
        &self,
        task: &Task<'_>,
        inquiry: &Inquiry,
        context: &Context,
        options: &Options,
    ) -> Result<(Request, Shown), LlmError> {
        let prompt = match task.mode {
            Mode::Open => &self.open,
            Mode::Reject => &self.reject,
        };
        let request = |shown: &Shown| {
            prompt.request(
                &evidence(task, inquiry, shown),
                Some(answer_form()),
                options.longest_call().1,
            )
        };
        fitted(task, context, options, request)
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

fn evidence<'a>(task: &Task<'a>, inquiry: &Inquiry, shown: &'a Shown) -> Evidence<'a> {
    Evidence {
        question: &task.question.text,
        notes: inquiry.notes(),
        facts: &shown.facts,
        passages: &shown.passages,
    }
}

fn reason_form() -> ReplyShape {
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let found = object(&json!({"answer": text, "passage": number, "step": number}));
    let fields = json!({
        "assessment": text,
        "found": {"type": "array", "items": found},
        "is_sufficient": {"type": "boolean"},
        "next": {"type": "array", "items": step_form()},
    });
    ReplyShape {
        name: "reasoning".to_owned(),
        schema: object(&fields),
    }
}

fn answer_form() -> ReplyShape {
    let text = json!({"type": "string"});
    let citation = object(&json!({"passage": {"type": "integer"}, "quote": text}));
    let fields = json!({
        "citations": {"type": "array", "items": citation},
        "is_answered": {"type": "boolean"},
        "short_answer": text,
    });
    ReplyShape {
        name: "answer".to_owned(),
        schema: object(&fields),
    }
}

/// An object that has exactly these fields.
fn object(fields: &Value) -> Value {
    let names: Vec<&String> = fields.as_object().into_iter().flat_map(serde_json::Map::keys).collect();
    json!({"type": "object", "properties": fields, "required": names, "additionalProperties": false})
}
