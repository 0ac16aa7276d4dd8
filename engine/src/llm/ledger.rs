//! What calls took: tokens by stage, and their cost.

use super::{LlmError, Usage};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Prices are quoted for this many tokens.
const PER_MILLION: f64 = 1e6;

/// Prices of a model, in any one currency, for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// For a million tokens of prompts.
    pub prompt_per_million: f64,
    /// For a million tokens of replies.
    pub completion_per_million: f64,
}

impl Prices {
    /// The cost of so many tokens.
    pub fn cost(&self, prompt_tokens: u64, completion_tokens: u64) -> f64 {
        let of = |tokens: u64, price: f64| tokens as f64 * price / PER_MILLION;
        of(prompt_tokens, self.prompt_per_million) + of(completion_tokens, self.completion_per_million)
    }

    /// # Errors
    /// [`LlmError::Config`] when a price is negative or not a number.
    pub fn validate(&self) -> Result<(), LlmError> {
        amount("prompt_per_million", self.prompt_per_million)?;
        amount("completion_per_million", self.completion_per_million)
    }
}

/// Refuses what is no amount of money.
pub(super) fn amount(field: &str, value: f64) -> Result<(), LlmError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(LlmError::Config {
        field: field.to_owned(),
        expected: "an amount of 0 or more".to_owned(),
        found: value.to_string(),
    })
}

/// Calls and tokens of a stage, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Calls that were answered and paid for.
    pub n_paid: u64,
    /// Calls answered from a cassette.
    pub n_replayed: u64,
    /// Calls that gave no reply. What the endpoint charged for them is not known here.
    pub n_failed: u64,
    /// Calls among those paid for whose tokens are estimates, because the endpoint gave no count.
    pub n_estimated: u64,
    /// Tokens of prompts paid for.
    pub prompt_tokens: u64,
    /// Tokens of replies paid for.
    pub completion_tokens: u64,
    /// Tokens of prompts and replies that were replayed, so paid for earlier.
    pub replayed_tokens: u64,
}

impl Tally {
    /// Tokens paid for.
    pub fn tokens(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }

    /// Counts one answered call.
    pub(super) fn answer(&mut self, usage: &Usage) {
        if usage.is_replayed {
            self.n_replayed += 1;
            let tokens = usage.prompt_tokens.saturating_add(usage.completion_tokens);
            self.replayed_tokens = self.replayed_tokens.saturating_add(tokens);
            return;
        }
        self.n_paid += 1;
        self.n_estimated += u64::from(usage.is_estimated);
        self.prompt_tokens += usage.prompt_tokens;
        self.completion_tokens += usage.completion_tokens;
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        self.n_paid += other.n_paid;
        self.n_replayed += other.n_replayed;
        self.n_failed += other.n_failed;
        self.n_estimated += other.n_estimated;
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.replayed_tokens += other.replayed_tokens;
    }
}

/// Tallies by stage. Sums of whole numbers, so the same for any order of calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// By the stage's name.
    pub stages: BTreeMap<String, Tally>,
}

impl Ledger {
    /// The tally of a stage, begun where there is none.
    pub(super) fn stage(&mut self, stage: &str) -> &mut Tally {
        self.stages.entry(stage.to_owned()).or_default()
    }

    /// All stages together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for tally in self.stages.values() {
            total += tally;
        }
        total
    }

    /// What was paid for, at these prices.
    pub fn cost(&self, prices: &Prices) -> f64 {
        let total = self.total();
        prices.cost(total.prompt_tokens, total.completion_tokens)
    }
}
