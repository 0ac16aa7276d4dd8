//! The one place that chooses a language model: an endpoint behind a cassette, or a cassette alone; counted and capped.

use crate::config::Llm;
use crate::environment::Environment;
use anyhow::{Context, Result};
use banyan_engine::llm::http::{SystemClock, model_id};
use banyan_engine::llm::{
    ApiKey, Budget, CallLimits, Cassette, Forecast, Http, HttpConfig, Ledger, Metered, Prices, Staged,
};
use serde::Serialize;
use std::env;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is said where nothing says which model to ask.
const UNCONFIGURED: &str = "no language model is configured, and no server answers on this machine (ports 11434, 8080, 1234, 8000); expected `[llm]` with `base_url` and `model` in banyan.toml or in the file of --config";
/// How addresses of endpoints on this machine go on after their scheme.
const LOCAL: [&str; 3] = ["localhost", "127.", "[::1]"];

/// Who does what a language model can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Worker {
    /// The program itself.
    #[default]
    Embedded,
    /// The configured language model.
    Llm,
}

impl Worker {
    /// Both, with their names on the command line.
    pub const ALL: &[(&str, Self)] = &[("embedded", Self::Embedded), ("llm", Self::Llm)];

    /// The model, where it does the work; calls are recorded beside the store at `beside`.
    pub(crate) fn language(self, env: &Environment, beside: &Path) -> Result<Option<Language>> {
        match self {
            Self::Embedded => Ok(None),
            Self::Llm => Language::open(env, beside, Spent::default()).map(Some),
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
    pub fn add(&mut self, language: &Language) {
        let ledger = language.ledger();
        self.tokens += ledger.total().tokens();
        self.cost += language.prices().map_or(0.0, |prices| ledger.cost(&prices));
    }

    fn rest_of(self, env: &Environment) -> Budget {
        let options = &env.language;
        Budget {
            max_tokens: options.max_tokens.map(|most| most.saturating_sub(self.tokens)),
            max_cost: options.max_cost.map(|most| (most - self.cost).max(0.0)),
        }
    }
}

/// A model as commands use it.
#[derive(Debug)]
pub struct Language {
    metered: Metered<Cassette<Http>>,
    llm: Option<Llm>,
    cassette: PathBuf,
}

impl Language {
    /// Opens the configured model, else one of a server on this machine, or the cassette that the user wants replayed; by default calls are recorded beside the
    /// store at `beside`.
    ///
    /// # Errors
    /// When no model is configured, or it or the cassette cannot be used.
    pub fn open(env: &Environment, beside: &Path, spent: Spent) -> Result<Self> {
        let (path, llm) = chosen(env, beside)?;
        let cassette = if env.language.replay.is_some() {
            Cassette::replay(&path, llm.as_ref().map(|llm| model_id(&llm.model)).as_deref())?
        } else {
            Cassette::record(&path, endpoint(llm.as_ref().context(UNCONFIGURED)?, env)?)?
        };
        if let Some(remark) = cassette.remark() {
            env.progress.remark(&remark);
        }
        Self::new(cassette, llm, path, spent.rest_of(env))
    }

    /// Opens the model for counting only: nothing is asked, no key is needed, and no cassette is begun where there is
    /// none.
    ///
    /// # Errors
    /// When no model is configured, or the cassette cannot be read.
    pub fn to_count(env: &Environment, beside: &Path) -> Result<Self> {
        let (path, llm) = chosen(env, beside)?;
        let id = llm.as_ref().map(|llm| model_id(&llm.model));
        let cassette = if path.exists() {
            Cassette::replay(&path, id.as_deref())?
        } else {
            Cassette::blank(id.context(UNCONFIGURED)?)
        };
        Self::new(cassette, llm, path, Budget::default())
    }

    fn new(cassette: Cassette<Http>, llm: Option<Llm>, path: PathBuf, budget: Budget) -> Result<Self> {
        let prices = llm.as_ref().and_then(Llm::prices);
        Ok(Self {
            metered: Metered::new(cassette, budget, prices)?,
            llm,
            cassette: path,
        })
    }

    /// The model for one stage, whose calls are counted under its name.
    pub fn stage<'a>(&'a self, name: &'a str) -> Staged<'a, Cassette<Http>> {
        self.metered.stage(name)
    }

    /// What was counted so far.
    pub fn ledger(&self) -> Ledger {
        self.metered.ledger()
    }

    /// How long calls may be and how many run, as configured.
    pub fn limits(&self) -> CallLimits {
        self.llm.as_ref().map(Llm::limits).unwrap_or_default()
    }

    /// Whether a call may be about several short documents.
    pub fn shares_calls(&self) -> bool {
        self.llm.as_ref().is_none_or(|llm| llm.share_calls)
    }

    /// Where calls are kept.
    pub fn cassette(&self) -> &Path {
        &self.cassette
    }

    /// What calls come to at most, with the cost where there are prices.
    pub fn plan(&self, forecast: Forecast) -> Plan {
        let max_cost = self.prices().map(|prices| forecast.max_cost(&prices));
        Plan { forecast, max_cost }
    }

    /// Tells in a line what calls took and what came of them, and what the endpoint did not take of what it was asked.
    pub fn report(&self, came: &str, env: &Environment) {
        let ledger = self.ledger();
        let total = ledger.total();
        let cost = self.prices().map(|prices| ledger.cost(&prices));
        let cost = cost.map_or_else(String::new, |cost| format!(", cost {cost:.4}"));
        let failed = match total.n_failed {
            0 => String::new(),
            n => format!(", {n} without a reply"),
        };
        let came = if came.is_empty() {
            String::new()
        } else {
            format!("; {came}")
        };
        env.progress.remark(&format!(
            "model: {} calls paid ({} tokens{cost}), {} from the cassette{failed}{came}",
            total.n_paid,
            total.tokens(),
            total.n_replayed
        ));
        for name in self.metered.model().model().map(Http::refused).unwrap_or_default() {
            env.progress
                .remark(&format!("the endpoint takes no {name}, so replies came without it"));
        }
    }

    fn prices(&self) -> Option<Prices> {
        self.llm.as_ref().and_then(Llm::prices)
    }
}

/// What calls come to at most, before any is made.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Plan {
    /// Calls and tokens.
    #[serde(flatten)]
    pub forecast: Forecast,
    /// None without prices.
    pub max_cost: Option<f64>,
}

impl Plan {
    /// The cost in words.
    pub fn cost(&self) -> String {
        let cost = self.max_cost.map(|cost| format!("at most {cost:.4}"));
        cost.unwrap_or_else(|| "no prices configured".to_owned())
    }
}

/// The cassette that the user named, else the one beside a store, and the configured model.
fn chosen(env: &Environment, beside: &Path) -> Result<(PathBuf, Option<Llm>)> {
    let options = &env.language;
    let named = options.replay.as_ref().or(options.record.as_ref()).cloned();
    let path = named.unwrap_or_else(|| beside.with_extension("cassette.jsonl"));
    Ok((path, Llm::asked(env)?))
}

fn endpoint(llm: &Llm, env: &Environment) -> Result<Http> {
    let mut config = HttpConfig::new(&llm.base_url, &llm.model);
    config.timeout = Duration::from_secs(llm.timeout_seconds.into());
    config.max_concurrent = llm.limits().max_concurrent;
    config.requests_per_minute = llm.requests_per_minute.and_then(NonZeroU32::new);
    config.max_retries = llm.max_retries;
    let (_, host) = llm.base_url.split_once("://").unwrap_or_default();
    config.proxy = match &llm.proxy {
        Some(address) => Some(ureq::Proxy::new(address).context("llm.proxy: expected the address of a proxy")?),
        None if LOCAL.iter().any(|local| host.starts_with(local)) => None,
        None => ureq::Proxy::try_from_env(),
    };
    if let Some(variable) = &llm.api_key_env {
        config.api_key = Some(ApiKey::new(variable, &env::var(variable).unwrap_or_default())?);
    }
    let stop = env.stop.clone();
    Ok(Http::new(config, SystemClock::new(move || stop.is_asked()))?)
}
