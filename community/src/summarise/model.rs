//! The summariser that asks a language model, several communities a call.

use super::SummaryText;
use super::digest::Digest;
use banyan_engine::llm::{Asked, CallLimits, LanguageModel, LlmError, Request, Role, estimate_tokens, fence};
use banyan_engine::stated::{DefectCounts, DefectKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::ops::Range;

/// Most characters of a name, as the prompt says.
const MAX_NAME: usize = 80;
/// Most characters of a summary, as the prompt says.
const MAX_SUMMARY: usize = 400;

/// The reply.
#[derive(Debug, Deserialize, JsonSchema)]
struct Written {
    communities: Vec<Entry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Entry {
    #[serde(default)]
    about: usize,
    #[schemars(length(min = 1, max = MAX_NAME))]
    name: String,
    #[schemars(length(min = 1, max = MAX_SUMMARY))]
    summary: String,
}

/// Most communities of a call. Arbitrary: small models lose count of more.
const MAX_COMMUNITIES: usize = 8;
/// Tokens of one entry of a reply: 480 characters of text at three a token, and what stands around them. Arbitrary.
const ENTRY_TOKENS: u32 = 200;

/// Asks a model. The same replies give the same texts for any number of calls at a time.
pub struct ModelSummariser<'a> {
    model: &'a dyn LanguageModel,
    limits: CallLimits,
    role: Role<Written>,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> ModelSummariser<'a> {
    /// A summariser that asks `model` until `is_stopped`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(
        model: &'a dyn LanguageModel,
        limits: CallLimits,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            limits,
            role: Role::new("summaries", include_str!("../../prompts/summarise.md"))?,
            is_stopped,
        })
    }

    /// The request about these, the same for the same.
    fn request(&self, digests: &[Digest]) -> Result<Request, LlmError> {
        let lines: Vec<String> = digests.iter().map(Digest::lines).collect();
        let n = u32::try_from(digests.len()).unwrap_or(u32::MAX);
        let max_reply = ENTRY_TOKENS.saturating_mul(n).min(self.limits.max_reply_tokens);
        self.role.request(&json!({ "communities": lines }), max_reply)
    }

    /// Which digests each call is about: as many as prompt and reply have room for, at least one.
    fn plan(&self, digests: &[Digest]) -> Result<Vec<Range<usize>>, LlmError> {
        let base = self.request(&[])?.estimated_prompt_tokens();
        let room = u64::from(self.limits.max_prompt_tokens).saturating_sub(base);
        let by_reply = self.limits.max_reply_tokens / ENTRY_TOKENS;
        let most = usize::try_from(by_reply).unwrap_or(1).clamp(1, MAX_COMMUNITIES);
        let (mut plan, mut start, mut filled) = (Vec::new(), 0, 0);
        for (place, digest) in digests.iter().enumerate() {
            let tokens = estimate_tokens(&fence("group 1", &digest.lines()));
            if place > start && (filled + tokens > room || place - start >= most) {
                plan.push(start..place);
                (start, filled) = (place, 0);
            }
            filled += tokens;
        }
        if start < digests.len() {
            plan.push(start..digests.len());
        }
        Ok(plan)
    }

    /// Writes `texts` for these digests, in their order; `None` where there is none to be had.
    ///
    /// # Errors
    /// The first call that failed, whose digests have no text; all others are made unless it ends the job.
    pub(super) fn write(
        &self,
        digests: &[Digest],
        texts: &mut Vec<Option<SummaryText>>,
        defects: &mut DefectCounts,
    ) -> Result<(), LlmError> {
        let plan = self.plan(digests)?;
        let requests = plan.iter().map(|range| self.request(&digests[range.clone()]));
        let requests: Vec<Request> = requests.collect::<Result<_, _>>()?;
        let n = self.limits.max_concurrent;
        let replies = self.role.ask_all(self.model, &requests, n, self.is_stopped);
        let mut failure = Ok(());
        for (range, reply) in plan.iter().zip(replies) {
            match reply {
                Ok(asked) => texts.extend(texts_of(asked, range.len(), defects)),
                Err(error) => {
                    defects.note(DefectKind::Unanswered, 1);
                    texts.extend(vec![None; range.len()]);
                    // The cause comes before the calls that were then not begun.
                    failure = failure.and(Err(error));
                }
            }
        }
        failure
    }
}

/// The texts of a reply about `n` communities, by their numbers.
fn texts_of(asked: Asked<Written>, n: usize, defects: &mut DefectCounts) -> Vec<Option<SummaryText>> {
    let mut texts = vec![None; n];
    let written = asked.counted(defects).map(|written| written.communities);
    for Entry { about, name, summary } in written.unwrap_or_default() {
        match about.checked_sub(1).and_then(|place| texts.get_mut(place)) {
            None => defects.note(DefectKind::UnknownPassage, 1),
            Some(Some(_)) => defects.note(DefectKind::Duplicate, 1),
            Some(text) => *text = Some(SummaryText { name, summary }),
        }
    }
    texts
}
