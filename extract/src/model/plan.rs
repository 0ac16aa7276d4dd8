//! Passages to calls: as many neighbours in one call as fit, counted on the prompts as they will be sent.

use super::{ModelExtractor, Passage};
use banyan_engine::llm::{Forecast, LlmError, estimate_tokens, fence};

/// One call, before it is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Positions of its passages, in order; at least one.
    pub passages: Vec<usize>,
}

impl ModelExtractor<'_> {
    /// Plans the calls about `passages`, which stand in the order of the corpus. Every passage is in exactly one call, and
    /// calls keep the order. No passages give no calls. Cost O(total length).
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt cannot be rendered.
    pub fn plan(&self, passages: &[Passage<'_>]) -> Result<Vec<Call>, LlmError> {
        let (base, max) = (self.base_tokens()?, u64::from(self.options.max_prompt_tokens));
        let mut calls: Vec<Call> = Vec::new();
        let mut n_tokens = base;
        for (position, passage) in passages.iter().enumerate() {
            // Exact: the estimate of a text is the sum of those of its lines.
            let tokens = estimate_tokens(&fence("passage 1", &passage.body()));
            let is_neighbour =
                self.options.share_calls || position > 0 && passages[position - 1].document == passage.document;
            match calls.last_mut() {
                Some(call)
                    if is_neighbour
                        && call.passages.len() < self.options.max_passages.get()
                        && n_tokens + tokens <= max =>
                {
                    call.passages.push(position);
                    n_tokens += tokens;
                }
                _ => {
                    calls.push(Call {
                        passages: vec![position],
                    });
                    n_tokens = base + tokens;
                }
            }
        }
        Ok(calls)
    }

    /// What a plan will take of the model that is asked. Calls that have to be split come on top. Renders every call;
    /// O(total length).
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt cannot be rendered.
    pub fn forecast(&self, passages: &[Passage<'_>], calls: &[Call]) -> Result<Forecast, LlmError> {
        let mut forecast = Forecast::default();
        for call in calls {
            let one = Forecast::of(self.model, [&self.request(passages, call)?]);
            forecast.n_known += one.n_known;
            forecast.n_calls += one.n_calls;
            forecast.prompt_tokens += one.prompt_tokens;
            forecast.max_completion_tokens += one.max_completion_tokens;
        }
        Ok(forecast)
    }

    /// Tokens of a prompt about no passage.
    pub(super) fn base_tokens(&self) -> Result<u64, LlmError> {
        let nothing = Call { passages: Vec::new() };
        Ok(self.request(&[], &nothing)?.estimated_prompt_tokens())
    }
}
