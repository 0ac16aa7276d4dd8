//! A model whose calls are counted and capped.

use super::ledger::amount;
use super::{LanguageModel, Ledger, LlmError, Prices, Reply, Request};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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
/// A call may take its estimated prompt and its longest reply. That much is reserved while it runs; then what the endpoint
/// counted takes its place. A call for which there is no room beside those that run waits for them, and is refused when
/// there is none beside what was spent. So calls at the same time cannot exceed a cap together, and a cap is exceeded only
/// by as much as an endpoint counts more than was estimated. Replies at hand ([`LanguageModel::is_known`]) are free of any
/// cap.
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
    /// Prompts and longest replies of the calls that run.
    reserved: Tokens,
}

/// Tokens of prompts and of replies.
#[derive(Clone, Copy, Debug, Default)]
struct Tokens {
    prompt: u64,
    completion: u64,
}

impl Tokens {
    fn sum(self) -> u64 {
        self.prompt + self.completion
    }

    fn plus(self, other: Self) -> Self {
        Self {
            prompt: self.prompt + other.prompt,
            completion: self.completion + other.completion,
        }
    }
}

impl<M: LanguageModel> Metered<M> {
    /// Counts the calls of `model`.
    ///
    /// # Errors
    /// [`LlmError::Config`] when an amount is negative or not a number, or the cost is capped and there are no prices.
    pub fn new(model: M, budget: Budget, prices: Option<Prices>) -> Result<Self, LlmError> {
        prices.iter().try_for_each(Prices::validate)?;
        if let Some(max_cost) = budget.max_cost {
            amount("max_cost", max_cost)?;
            if prices.is_none() {
                return Err(LlmError::Config {
                    field: "max_cost".to_owned(),
                    expected: "prices to compute a cost with".to_owned(),
                    found: "none".to_owned(),
                });
            }
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

    fn complete(&self, request: &Request, stage: &str) -> Result<Reply, LlmError> {
        let reservation = self.reserve(request)?;
        let reply = self.model.complete(request);
        let mut state = self.state();
        let tally = state.ledger.stage(stage);
        match &reply {
            Ok(reply) => tally.answer(&reply.usage),
            Err(_) => tally.n_failed += 1,
        }
        drop(state);
        drop(reservation);
        reply
    }

    /// Sets aside what the request may take, as soon as the budget has room for it.
    fn reserve(&self, request: &Request) -> Result<Reservation<'_, M>, LlmError> {
        let mut needed = Tokens::default();
        let mut state = self.state();
        if !self.model.is_known(request) {
            needed.prompt = request.estimated_prompt_tokens();
            needed.completion = request.max_reply_tokens.into();
            while let Err(error) = self.check(state.spent().plus(state.reserved), needed) {
                if state.reserved.sum() == 0 {
                    return Err(error);
                }
                state = self.released.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        state.reserved = state.reserved.plus(needed);
        drop(state);
        Ok(Reservation { metered: self, needed })
    }

    /// Whether the budget has room for `needed` beside what is `taken`.
    fn check(&self, taken: Tokens, needed: Tokens) -> Result<(), LlmError> {
        let after = taken.plus(needed);
        if let Some(cap) = self.budget.max_tokens.filter(|cap| after.sum() > *cap) {
            return Err(LlmError::Budget {
                cap: format!("{cap} tokens"),
                spent: taken.sum().to_string(),
                needed: needed.sum().to_string(),
            });
        }
        let (Some(cap), Some(prices)) = (self.budget.max_cost, self.prices) else {
            return Ok(());
        };
        let cost = |tokens: Tokens| prices.cost(tokens.prompt, tokens.completion);
        if cost(after) <= cap {
            return Ok(());
        }
        Err(LlmError::Budget {
            cap: format!("cost {cap}"),
            spent: format!("{:.4}", cost(taken)),
            needed: format!("{:.4}", cost(needed)),
        })
    }
}

impl<M> Metered<M> {
    fn state(&self) -> MutexGuard<'_, State> {
        // Counts are whole after every statement, so a thread that panicked left nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn spent(&self) -> Tokens {
        let total = self.ledger.total();
        Tokens {
            prompt: total.prompt_tokens,
            completion: total.completion_tokens,
        }
    }
}

/// What a running call may take; given back when it ends, however it ends.
struct Reservation<'a, M> {
    metered: &'a Metered<M>,
    needed: Tokens,
}

impl<M> Drop for Reservation<'_, M> {
    fn drop(&mut self) {
        let mut state = self.metered.state();
        state.reserved.prompt -= self.needed.prompt;
        state.reserved.completion -= self.needed.completion;
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
        self.metered.complete(request, self.stage)
    }

    fn is_known(&self, request: &Request) -> bool {
        self.metered.model.is_known(request)
    }
}
