//! What calls take: tokens by stage and their cost, a cap that stops before the call that would exceed it, and a forecast
//! before anything is spent.

use super::{LanguageModel, LlmError, Reply, Request};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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
        let of = |tokens: u64, price: f64| tokens as f64 * price / 1e6;
        of(prompt_tokens, self.prompt_per_million) + of(completion_tokens, self.completion_per_million)
    }
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

    fn of(reply: &Result<Reply, LlmError>) -> Self {
        let mut tally = Self::default();
        match reply.as_ref().map(|reply| reply.usage) {
            Err(_) => tally.n_failed = 1,
            Ok(usage) if usage.is_replayed => {
                tally.n_replayed = 1;
                tally.replayed_tokens = usage.prompt_tokens.saturating_add(usage.completion_tokens);
            }
            Ok(usage) => {
                tally.n_paid = 1;
                tally.n_estimated = usage.is_estimated.into();
                tally.prompt_tokens = usage.prompt_tokens;
                tally.completion_tokens = usage.completion_tokens;
            }
        }
        tally
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        self.n_paid += other.n_paid;
        self.n_replayed += other.n_replayed;
        self.n_failed += other.n_failed;
        self.n_estimated += other.n_estimated;
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(other.completion_tokens);
        self.replayed_tokens = self.replayed_tokens.saturating_add(other.replayed_tokens);
    }
}

/// Tallies by stage. Sums of whole numbers, so the same for any order of calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// By the stage's name.
    pub stages: BTreeMap<String, Tally>,
}

impl Ledger {
    /// All stages together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.stages.values().for_each(|tally| total += tally);
        total
    }

    /// What was paid for, at these prices.
    pub fn cost(&self, prices: &Prices) -> f64 {
        let total = self.total();
        prices.cost(total.prompt_tokens, total.completion_tokens)
    }
}

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

    fn tokens(&self) -> u64 {
        self.prompt_tokens + self.max_completion_tokens
    }
}

impl AddAssign for Forecast {
    fn add_assign(&mut self, other: Self) {
        self.n_known += other.n_known;
        self.n_calls += other.n_calls;
        self.prompt_tokens += other.prompt_tokens;
        self.max_completion_tokens += other.max_completion_tokens;
    }
}

/// Caps on what a run may take. No cap where there is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Most tokens of prompts and replies together.
    pub max_tokens: Option<u64>,
    /// Highest cost, in the currency of the prices.
    pub max_cost: Option<f64>,
}

/// A model that counts its calls by stage, and refuses a call that could exceed the budget.
///
/// A call may take its estimated prompt and its longest reply. That much is reserved while it runs; then what the
/// endpoint counted takes its place. A call for which there is no room beside those that run waits for them, and is
/// refused when there is none beside what was spent. So calls at the same time cannot exceed a cap together, and a cap
/// is exceeded only by as much as an endpoint counts more than was estimated. Replies at hand
/// ([`LanguageModel::is_known`]) are free of any cap.
#[derive(Debug)]
pub struct Metered<M> {
    model: M,
    budget: Budget,
    prices: Option<Prices>,
    state: Mutex<State>,
    released: Condvar,
}

#[derive(Debug, Default)]
struct State {
    ledger: Ledger,
    /// What the calls that run may take.
    reserved: Forecast,
}

impl<M: LanguageModel> Metered<M> {
    /// Counts the calls of `model`.
    ///
    /// # Errors
    /// [`LlmError::Config`] when an amount is negative or not a number, or the cost is capped and there are no prices.
    pub fn new(model: M, budget: Budget, prices: Option<Prices>) -> Result<Self, LlmError> {
        let amounts = [
            ("prompt_per_million", prices.map(|prices| prices.prompt_per_million)),
            (
                "completion_per_million",
                prices.map(|prices| prices.completion_per_million),
            ),
            ("max_cost", budget.max_cost),
        ];
        for (field, amount) in amounts.into_iter().filter_map(|(field, amount)| Some((field, amount?))) {
            if !amount.is_finite() || amount < 0.0 {
                return Err(LlmError::config(field, "an amount of 0 or more", amount.to_string()));
            }
        }
        if budget.max_cost.is_some() && prices.is_none() {
            return Err(LlmError::config("max_cost", "prices to compute a cost with", "none"));
        }
        Ok(Self {
            model,
            budget,
            prices,
            state: Mutex::default(),
            released: Condvar::new(),
        })
    }

    /// The model for one stage, whose calls are counted under `stage`.
    pub fn stage<'a>(&'a self, stage: &'a str) -> Staged<'a, M> {
        Staged { metered: self, stage }
    }

    /// What was counted so far.
    pub fn ledger(&self) -> Ledger {
        self.state().ledger.clone()
    }

    /// The model itself.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Sets aside what the request may take, as soon as the budget has room for it.
    fn reserve(&self, request: &Request) -> Result<Reservation<'_, M>, LlmError> {
        let needed = Forecast::of(&self.model, [request]);
        let mut state = self.state();
        while needed.n_calls > 0
            && let Err(error) = self.check(&state, &needed)
        {
            if state.reserved.tokens() == 0 {
                return Err(error);
            }
            state = self.released.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.reserved.prompt_tokens += needed.prompt_tokens;
        state.reserved.max_completion_tokens += needed.max_completion_tokens;
        drop(state);
        Ok(Reservation { metered: self, needed })
    }

    /// Whether the budget has room for `needed` beside what is spent and reserved.
    fn check(&self, state: &State, needed: &Forecast) -> Result<(), LlmError> {
        let spent = state.ledger.total();
        let taken = Forecast {
            prompt_tokens: spent.prompt_tokens + state.reserved.prompt_tokens,
            max_completion_tokens: spent.completion_tokens + state.reserved.max_completion_tokens,
            ..Forecast::default()
        };
        if let Some(cap) = self
            .budget
            .max_tokens
            .filter(|cap| taken.tokens() + needed.tokens() > *cap)
        {
            return Err(LlmError::Budget {
                cap: format!("{cap} tokens"),
                spent: taken.tokens().to_string(),
                needed: needed.tokens().to_string(),
            });
        }
        let (Some(cap), Some(prices)) = (self.budget.max_cost, self.prices) else {
            return Ok(());
        };
        let (taken, needed) = (taken.max_cost(&prices), needed.max_cost(&prices));
        if taken + needed <= cap {
            return Ok(());
        }
        Err(LlmError::Budget {
            cap: format!("cost {cap}"),
            spent: format!("{taken:.4}"),
            needed: format!("{needed:.4}"),
        })
    }
}

impl<M> Metered<M> {
    fn state(&self) -> MutexGuard<'_, State> {
        // Counts are whole after every statement, so a thread that panicked left nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a running call may take; given back when it ends, however it ends.
struct Reservation<'a, M> {
    metered: &'a Metered<M>,
    needed: Forecast,
}

impl<M> Drop for Reservation<'_, M> {
    fn drop(&mut self) {
        let mut state = self.metered.state();
        state.reserved.prompt_tokens -= self.needed.prompt_tokens;
        state.reserved.max_completion_tokens -= self.needed.max_completion_tokens;
        drop(state);
        self.metered.released.notify_all();
    }
}

/// A [`Metered`] model for one stage.
#[derive(Debug)]
pub struct Staged<'a, M> {
    metered: &'a Metered<M>,
    stage: &'a str,
}

impl<M: LanguageModel> LanguageModel for Staged<'_, M> {
    fn id(&self) -> &str {
        self.metered.model.id()
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let reservation = self.metered.reserve(request)?;
        let reply = self.metered.model.complete(request);
        let mut state = self.metered.state();
        *state.ledger.stages.entry(self.stage.to_owned()).or_default() += &Tally::of(&reply);
        drop(state);
        drop(reservation);
        reply
    }

    fn is_known(&self, request: &Request) -> bool {
        self.metered.model.is_known(request)
    }

    fn forget(&self, request: &Request) {
        self.metered.model.forget(request);
    }
}
