//! What requests will take, before anything is spent.

use super::{LanguageModel, Prices, Request};
use serde::Serialize;

/// A count of calls to come. All tokens are estimates: [`Request::estimated_prompt_tokens`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forecast {
    /// Calls whose replies are at hand, which cost nothing.
    pub n_known: u64,
    /// Calls to be paid.
    pub n_calls: u64,
    /// Tokens of their prompts.
    pub prompt_tokens: u64,
    /// Tokens of their replies, if each were as long as it may be.
    pub max_completion_tokens: u64,
}

impl Forecast {
    /// The calls that `requests` to `model` will be. Equal requests are counted each. No requests give zeros. O(length).
    pub fn of<'a>(model: &dyn LanguageModel, requests: impl IntoIterator<Item = &'a Request>) -> Self {
        let mut forecast = Self::default();
        for request in requests {
            if model.is_known(request) {
                forecast.n_known += 1;
                continue;
            }
            forecast.n_calls += 1;
            forecast.prompt_tokens += request.estimated_prompt_tokens();
            forecast.max_completion_tokens += u64::from(request.max_reply_tokens);
        }
        forecast
    }

    /// The cost if each reply were as long as it may be.
    pub fn max_cost(&self, prices: &Prices) -> f64 {
        prices.cost(self.prompt_tokens, self.max_completion_tokens)
    }
}
