//! The configuration file: which language model to use, and within which limits, and which database keeps stores. Where a
//! model is asked for and no file names one, a server on this machine is looked for.
//!
//! ```toml
//! [llm]
//! base_url = "http://127.0.0.1:8080/v1"
//! model = "qwen2.5-7b-instruct"
//! api_key_env = "MY_KEY"           # the variable that holds the key; none for a server without keys
//!
//! [store]
//! engine = "redb"                  # or "sled"
//! ```

use crate::environment::Environment;
use anyhow::{Context, Result, ensure};
use banyan_engine::llm::http::local;
use banyan_engine::llm::{CallLimits, HttpConfig, Prices};
use banyan_engine::store::{Engine, StoreError, Writer};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Its name in the current directory.
const LOCAL: &str = "banyan.toml";
/// The model of a server on this machine, sought once.
static FOUND: OnceLock<Option<Llm>> = OnceLock::new();
/// What comes before the name of a model in a store, and alone stands for the configured one.
pub(crate) const LLM: &str = "llm";

/// What the file may say. An absent file says nothing.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    llm: Option<Llm>,
    store: Storage,
}

/// How stores are written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Storage {
    engine: Option<Engine>,
}

impl Config {
    /// What the named file says, with its name, else `banyan.toml` of the current directory, else the user's own.
    fn read(env: &Environment) -> Result<Option<(String, Self)>> {
        let Some(file) = env.language.config.clone().or_else(found) else {
            return Ok(None);
        };
        let name = file.display().to_string();
        let text = fs::read_to_string(&file).with_context(|| format!("{name}: cannot read the configuration"))?;
        let config = parse(&name, &text)?;
        Ok(Some((name, config)))
    }
}

/// How often is looked whether another process is done with a store.
const LOOKED: Duration = Duration::from_millis(10);

/// The right to write the store at `path`, by the database that the user wants; while another process writes it, it is waited
/// for as long as the user has patience.
///
/// # Errors
/// As [`Writer::lock`]; where the configuration cannot be read.
pub(crate) fn writer(path: &Path, env: &Environment) -> Result<Writer> {
    let configured = || Ok::<_, anyhow::Error>(Config::read(env)?.and_then(|(_, config)| config.store.engine));
    let engine = env.engine.map_or_else(configured, |engine| Ok(Some(engine)))?;
    let start = Instant::now();
    loop {
        match Writer::lock(path) {
            Err(StoreError::Busy { .. }) if start.elapsed() < env.patience => {
                env.stop.check()?;
                thread::sleep(LOOKED);
            }
            taken => return Ok(taken?.with(engine)),
        }
    }
}

/// An OpenAI-compatible endpoint and how to use it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Llm {
    /// Address up to and without `/chat/completions`.
    pub base_url: String,
    /// Model, as the endpoint names it.
    pub model: String,
    /// Environment variable that holds the key; absent for a server that wants none.
    pub api_key_env: Option<String>,
    /// Address of a proxy to it; absent for the one that the environment names, if any.
    pub proxy: Option<String>,
    /// Tokens that the model takes, prompt and reply together.
    pub context_tokens: u32,
    /// Longest reply to one extraction call, in tokens.
    pub max_reply_tokens: u32,
    /// Calls under way at once.
    pub max_concurrent: u16,
    /// Calls started a minute; unlimited where absent.
    pub requests_per_minute: Option<u32>,
    /// Seconds to wait for a reply.
    pub timeout_seconds: u32,
    /// Further tries after a transient failure.
    pub max_retries: u32,
    /// Whether one call may be about several short documents: fewer calls, but what is said of one may then depend on its
    /// neighbours.
    pub share_calls: bool,
    /// Price of a million tokens of prompts, in any currency; no cost is told without prices.
    pub prompt_price: Option<f64>,
    /// Price of a million tokens of replies.
    pub completion_price: Option<f64>,
}

impl Default for Llm {
    /// No endpoint. The context that small local models take, room for the facts of a few passages, few calls at once
    /// and a long wait, kind to a local server. All arbitrary.
    fn default() -> Self {
        Self {
            base_url: String::new(),
            model: String::new(),
            api_key_env: None,
            proxy: None,
            context_tokens: 8_192,
            max_reply_tokens: 2_048,
            max_concurrent: 4,
            requests_per_minute: None,
            timeout_seconds: 300,
            max_retries: 5,
            share_calls: true,
            prompt_price: None,
            completion_price: None,
        }
    }
}

impl Llm {
    /// The language model that the named file configures, else `banyan.toml` of the current directory, else the user's
    /// own; none unless a file names one.
    ///
    /// # Errors
    /// Where the file cannot be read, is not TOML, or has a value out of range; the message names file and field.
    pub(crate) fn configured(env: &Environment) -> Result<Option<Self>> {
        let Some((name, Config { llm, .. })) = Config::read(env)? else {
            return Ok(None);
        };
        llm.as_ref().map_or(Ok(()), |llm| llm.validate(&name))?;
        Ok(llm)
    }

    /// The configured model, else one of a server on this machine, which is said; none is sought for a cassette that
    /// answers alone.
    ///
    /// # Errors
    /// As [`Self::configured`].
    pub(crate) fn asked(env: &Environment) -> Result<Option<Self>> {
        let configured = Self::configured(env)?;
        if configured.is_some() || env.language.replay.is_some() {
            return Ok(configured);
        }
        let local = FOUND.get_or_init(|| {
            let found = local::find(&local::PORTS)?;
            let HttpConfig { base_url, model, .. } = found;
            env.progress.remark(&format!(
                "no language model is configured; asking {model} of the server at {base_url}"
            ));
            Some(Self {
                base_url,
                model,
                max_concurrent: 1,
                ..Self::default()
            })
        });
        Ok(local.clone())
    }

    /// The configured model's identity as stores record it; a cassette alone stands for the one that it was recorded
    /// from.
    ///
    /// # Errors
    /// As [`Self::configured`].
    pub(crate) fn name(env: &Environment) -> Result<String> {
        let llm = Self::asked(env)?;
        Ok(llm.map_or_else(|| LLM.to_owned(), |llm| format!("{LLM}:{}", llm.model)))
    }

    fn validate(&self, name: &str) -> Result<()> {
        let is_address = ["http://", "https://"]
            .iter()
            .any(|scheme| self.base_url.starts_with(scheme));
        ensure!(
            is_address,
            "{name}: llm.base_url: expected an address that starts with http:// or https://, found {:?}",
            self.base_url
        );
        ensure!(
            !self.model.is_empty(),
            "{name}: llm.model: expected the model's name, found nothing"
        );
        for (field, value) in [
            ("context_tokens", self.context_tokens),
            ("max_reply_tokens", self.max_reply_tokens),
            ("max_concurrent", self.max_concurrent.into()),
            ("timeout_seconds", self.timeout_seconds),
            ("requests_per_minute", self.requests_per_minute.unwrap_or(1)),
        ] {
            ensure!(value > 0, "{name}: llm.{field}: expected at least 1, found 0");
        }
        ensure!(
            self.max_reply_tokens < self.context_tokens,
            "{name}: llm.max_reply_tokens: expected less than the {} of llm.context_tokens, found {}",
            self.context_tokens,
            self.max_reply_tokens
        );
        for (field, price) in [
            ("prompt_price", self.prompt_price),
            ("completion_price", self.completion_price),
        ] {
            let is_price = price.is_none_or(|price| price.is_finite() && price >= 0.0);
            ensure!(is_price, "{name}: llm.{field}: expected a price of at least 0");
        }
        Ok(())
    }

    /// How long calls may be, and how many run.
    pub(crate) fn limits(&self) -> CallLimits {
        CallLimits {
            max_prompt_tokens: self.context_tokens.saturating_sub(self.max_reply_tokens),
            max_reply_tokens: self.max_reply_tokens,
            max_concurrent: NonZeroUsize::new(self.max_concurrent.into()).unwrap_or(NonZeroUsize::MIN),
        }
    }

    /// What tokens cost, where the configuration says.
    pub(crate) fn prices(&self) -> Option<Prices> {
        let (prompt, completion) = (self.prompt_price, self.completion_price);
        (prompt.is_some() || completion.is_some()).then(|| Prices {
            prompt_per_million: prompt.unwrap_or(0.0),
            completion_per_million: completion.unwrap_or(0.0),
        })
    }
}

/// The file that is there without being named.
fn found() -> Option<PathBuf> {
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".config"));
    let user = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).or_else(home);
    let user = user.map(|directory| directory.join("banyan").join("config.toml"));
    [Some(PathBuf::from(LOCAL)), user]
        .into_iter()
        .flatten()
        .find(|path| path.is_file())
}

/// TOML as a value; an error names file, line and column in one line.
///
/// # Errors
/// Where the text is not TOML of that form.
pub(crate) fn parse<T: DeserializeOwned>(name: &str, text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let (line, column) = error.span().map_or((1, 1), |span| place(text, span.start));
        anyhow::anyhow!("{name}:{line}:{column}: {}", error.message().replace('\n', "; "))
    })
}

/// Line and column, from 1, of a byte of `text`.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}
