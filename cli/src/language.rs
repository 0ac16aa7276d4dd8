//! The one place that chooses a language model: an endpoint behind a cassette, or a cassette alone; counted and capped.

use crate::config::Llm;
use crate::environment::Environment;
use anyhow::{Result, bail};
use banyan_engine::llm::http::{SystemClock, model_id};
use banyan_engine::llm::{
    ApiKey, Budget, Http, HttpConfig, LanguageModel, Ledger, LlmError, Metered, Prices, Recorder, Replay, Reply,
    Request,
};
use std::env;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

mod proxy;

/// Where replies are kept or taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tape {
    /// Known calls are replayed, new ones made and kept.
    Record(PathBuf),
    /// Known calls are replayed, a new one is an error.
    Replay(PathBuf),
}

impl Tape {
    /// The cassette that the user named, else the one beside the store.
    pub fn of(env: &Environment, store: &Path) -> Self {
        match (&env.language.replay, &env.language.record) {
            (Some(path), _) => Self::Replay(path.clone()),
            (None, Some(path)) => Self::Record(path.clone()),
            (None, None) => Self::Record(store.with_extension("cassette.jsonl")),
        }
    }
}

/// What a run has spent, so that a cap holds for all of its stages together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    tokens: u64,
    cost: f64,
}

impl Spent {
    /// Counts what `language` took.
    pub fn add(&mut self, language: &Language, llm: Option<&Llm>) {
        let ledger = language.ledger();
        self.tokens += ledger.total().tokens();
        self.cost += llm.and_then(prices).map_or(0.0, |prices| ledger.cost(&prices));
    }

    /// What is left of what the user admits.
    pub fn rest_of(&self, env: &Environment) -> Budget {
        let options = &env.language;
        Budget {
            max_tokens: options.max_tokens.map(|most| most.saturating_sub(self.tokens)),
            max_cost: options.max_cost.map(|most| (most - self.cost).max(0.0)),
        }
    }
}

/// What is said where nothing says which model to ask.
const UNCONFIGURED: &str = "no language model is configured; expected `[llm]` with `base_url` and `model` in banyan.toml or in the file of --config";

/// A model as commands use it.
pub type Language = Metered<Source>;

/// Who answers.
#[derive(Debug)]
pub enum Source {
    /// An endpoint whose calls are recorded.
    Endpoint(Recorder<Endpoint>),
    /// A cassette alone.
    Replay(Replay),
    /// An endpoint that is only counted for.
    Unasked(Endpoint),
}

/// An endpoint, or what is known of one whose key is missing.
#[derive(Debug)]
pub enum Endpoint {
    /// It can be asked.
    Http(Box<Http>),
    /// It cannot be asked, so only what is recorded of it can be had.
    NoKey { id: String, variable: String },
}

/// Opens the model that the configuration names.
pub fn open(llm: Option<&Llm>, tape: &Tape, budget: Budget, env: &Environment) -> Result<Language> {
    let source = match tape {
        Tape::Replay(path) => Source::Replay(Replay::open(path, llm.map(|llm| model_id(&llm.model)).as_deref())?),
        Tape::Record(path) => {
            let Some(llm) = llm else {
                bail!(UNCONFIGURED);
            };
            Source::Endpoint(Recorder::open(path, endpoint(llm, env)?)?)
        }
    };
    if let Some(remark) = source.remark() {
        env.progress.remark(&remark);
    }
    Ok(Metered::new(source, budget, llm.and_then(prices))?)
}

/// Opens the model for counting only: nothing is asked, no key is needed, and no cassette is begun where there is none.
pub fn open_to_count(llm: Option<&Llm>, tape: &Tape, env: &Environment) -> Result<Language> {
    let (Tape::Record(path) | Tape::Replay(path)) = tape;
    let id = llm.map(|llm| model_id(&llm.model));
    let source = if path.exists() {
        Source::Replay(Replay::open(path, id.as_deref())?)
    } else {
        let Some(llm) = llm else { bail!(UNCONFIGURED) };
        Source::Unasked(endpoint(llm, env)?)
    };
    Ok(Metered::new(source, Budget::default(), llm.and_then(prices))?)
}

fn endpoint(llm: &Llm, env: &Environment) -> Result<Endpoint> {
    let mut config = HttpConfig::new(&llm.base_url, &llm.model);
    config.timeout = Duration::from_secs(llm.timeout_seconds.into());
    config.max_concurrent = concurrency(llm);
    config.requests_per_minute = llm.requests_per_minute.and_then(NonZeroU32::new);
    config.max_retries = llm.max_retries;
    config.proxy = proxy::proxy(&llm.base_url, llm.proxy.as_deref(), |name| env::var(name).ok());
    if let Some(variable) = &llm.api_key_env {
        let key = env::var(variable).unwrap_or_default();
        if key.trim().is_empty() {
            return Ok(Endpoint::NoKey {
                id: model_id(&llm.model),
                variable: variable.clone(),
            });
        }
        config.api_key = Some(ApiKey::new(variable, &key)?);
    }
    let stop = env.stop.clone();
    let clock = SystemClock::new(move || stop.is_asked());
    Ok(Endpoint::Http(Box::new(Http::new(config, clock)?)))
}

/// Calls under way at once.
pub fn concurrency(llm: &Llm) -> NonZeroUsize {
    NonZeroUsize::new(llm.max_concurrent.into()).unwrap_or(NonZeroUsize::MIN)
}

/// What calls took, in a line.
pub fn spent_line(ledger: &Ledger, llm: Option<&Llm>) -> String {
    let total = ledger.total();
    let cost = llm.and_then(prices).map(|prices| ledger.cost(&prices));
    let cost = cost.map_or_else(String::new, |cost| format!(", cost {cost:.4}"));
    let failed = match total.n_failed {
        0 => String::new(),
        n => format!(", {n} without a reply"),
    };
    format!(
        "model: {} calls paid ({} tokens{cost}), {} from the cassette{failed}",
        total.n_paid,
        total.tokens(),
        total.n_replayed
    )
}

/// What tokens cost, where the configuration says.
pub fn prices(llm: &Llm) -> Option<Prices> {
    let (prompt, completion) = (llm.prompt_price, llm.completion_price);
    (prompt.is_some() || completion.is_some()).then(|| Prices {
        prompt_per_million: prompt.unwrap_or(0.0),
        completion_per_million: completion.unwrap_or(0.0),
    })
}

impl Source {
    fn remark(&self) -> Option<String> {
        match self {
            Self::Endpoint(recorder) => recorder.remark(),
            Self::Replay(replay) => replay.remark(),
            Self::Unasked(_) => None,
        }
    }

    /// What the endpoint did not take of what it was asked, for people.
    pub fn concessions(&self) -> Vec<String> {
        let Self::Endpoint(recorder) = self else {
            return Vec::new();
        };
        let Endpoint::Http(http) = recorder.model() else {
            return Vec::new();
        };
        http.concessions()
            .into_iter()
            .map(|(what, n)| format!("{what} ({n} replies)"))
            .collect()
    }

    /// Leaves a recorded reply out of account, so that the endpoint is asked again.
    pub fn forget(&self, request: &Request) {
        if let Self::Endpoint(recorder) = self {
            recorder.forget(request);
        }
    }

    fn model(&self) -> &dyn LanguageModel {
        match self {
            Self::Endpoint(recorder) => recorder,
            Self::Replay(replay) => replay,
            Self::Unasked(endpoint) => endpoint,
        }
    }
}

impl LanguageModel for Source {
    fn id(&self) -> &str {
        self.model().id()
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        self.model().complete(request)
    }

    fn is_known(&self, request: &Request) -> bool {
        self.model().is_known(request)
    }
}

impl LanguageModel for Endpoint {
    fn id(&self) -> &str {
        match self {
            Self::Http(http) => http.id(),
            Self::NoKey { id, .. } => id,
        }
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        match self {
            Self::Http(http) => http.complete(request),
            Self::NoKey { variable, .. } => Err(LlmError::Config {
                field: "llm.api_key_env".to_owned(),
                expected: format!("a key in the environment variable {variable}"),
                found: "none".to_owned(),
            }),
        }
    }
}
