//! Passages to calls: as many neighbours in one call as fit, counted on the prompts as they will be sent.

use super::prompt::{max_reply_tokens, passage_tokens};
use super::{Grouping, ModelError, ModelExtractor, Passage};
use banyan_engine::llm::Forecast;

/// One call, before it is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Positions of its passages, in order; at least one.
    pub passages: Vec<usize>,
    /// Tokens of the prompt as it will be sent, estimated.
    pub prompt_tokens: u64,
    /// The longest reply that is asked for.
    pub max_reply_tokens: u32,
}

impl ModelExtractor<'_> {
    /// Plans the calls about `passages`, which stand in the order of the corpus. Every passage is in exactly one call, and
    /// calls keep the order. No passages give no calls. Cost O(total length).
    ///
    /// # Errors
    /// [`ModelError::Prompt`] when a prompt cannot be rendered.
    pub fn plan(&self, passages: &[Passage<'_>]) -> Result<Vec<Call>, ModelError> {
        let base = self.base_tokens()?;
        let mut calls: Vec<Call> = Vec::new();
        for (position, passage) in passages.iter().enumerate() {
            let tokens = passage_tokens(passage);
            let open = calls
                .last_mut()
                .filter(|call| self.has_room(call, passages, passage, tokens));
            match open {
                Some(call) => {
                    call.passages.push(position);
                    call.prompt_tokens += tokens;
                }
                None => calls.push(Call {
                    passages: vec![position],
                    prompt_tokens: base + tokens,
                    max_reply_tokens: 0,
                }),
            }
        }
        for call in &mut calls {
            call.max_reply_tokens = max_reply_tokens(call.passages.len(), &self.options);
        }
        Ok(calls)
    }

    /// Whether a call can take one more passage of so many tokens.
    fn has_room(&self, call: &Call, passages: &[Passage<'_>], passage: &Passage<'_>, tokens: u64) -> bool {
        let last = call.passages.last().and_then(|position| passages.get(*position));
        let is_neighbour =
            self.options.grouping == Grouping::Corpus || last.is_some_and(|last| last.document == passage.document);
        is_neighbour
            && call.passages.len() < self.options.max_passages as usize
            && call.prompt_tokens + tokens <= u64::from(self.options.max_prompt_tokens)
    }

    /// What a plan will take of the model that is asked. Gleanings, and calls that have to be split, come on top. Renders
    /// every call; O(total length).
    ///
    /// # Errors
    /// [`ModelError::Prompt`] when a prompt cannot be rendered.
    pub fn forecast(&self, passages: &[Passage<'_>], calls: &[Call]) -> Result<Forecast, ModelError> {
        let mut forecast = Forecast::default();
        for call in calls {
            let request = self.request(passages, call)?;
            let one = Forecast::of(self.model, [&request]);
            forecast.n_known += one.n_known;
            forecast.n_calls += one.n_calls;
            forecast.prompt_tokens += one.prompt_tokens;
            forecast.max_completion_tokens += one.max_completion_tokens;
        }
        Ok(forecast)
    }

    /// Refuses a schema that leaves no room.
    pub(super) fn check_schema(&self) -> Result<(), ModelError> {
        let (tokens, limit) = (self.base_tokens()?, self.options.max_prompt_tokens);
        if tokens >= u64::from(limit) {
            return Err(ModelError::SchemaTooLong { tokens, limit });
        }
        Ok(())
    }

    /// Tokens of a prompt about no passage.
    fn base_tokens(&self) -> Result<u64, ModelError> {
        let request = self.prompts.extract(&[], &self.options)?;
        Ok(request.estimated_prompt_tokens())
    }
}
