//! The configuration file: which language model to use, and within which limits.
//!
//! ```toml
//! [llm]
//! base_url = "http://127.0.0.1:8080/v1"
//! model = "qwen2.5-7b-instruct"
//! api_key_env = "MY_KEY"           # the variable that holds the key; none for a server without keys
//! ```

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Its name in the current directory.
const LOCAL: &str = "banyan.toml";

/// What the file may say. An absent file says nothing.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// The language model; none unless the file names one.
    pub llm: Option<Llm>,
}

/// An OpenAI-compatible endpoint and how to use it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Llm {
    /// Address up to and without `/chat/completions`.
    pub base_url: String,
    /// Model, as the endpoint names it.
    pub model: String,
    /// Environment variable that holds the key; absent for a server that wants none.
    pub api_key_env: Option<String>,
    /// Address of a proxy to it; absent for the one that the environment names, if any.
    pub proxy: Option<String>,
    /// Tokens that the model takes, prompt and reply together.
    #[serde(default = "context_tokens")]
    pub context_tokens: u32,
    /// Longest reply to one extraction call, in tokens.
    #[serde(default = "max_reply_tokens")]
    pub max_reply_tokens: u32,
    /// Calls under way at once.
    #[serde(default = "max_concurrent")]
    pub max_concurrent: u16,
    /// Calls started a minute; unlimited where absent.
    pub requests_per_minute: Option<u32>,
    /// Seconds to wait for a reply.
    #[serde(default = "timeout_seconds")]
    pub timeout_seconds: u32,
    /// Further tries after a transient failure.
    #[serde(default = "max_retries")]
    pub max_retries: u32,
    /// Whether one call may be about passages of several documents: fewer calls, but what is said of a document may then
    /// depend on its neighbours.
    #[serde(default)]
    pub share_calls: bool,
    /// Price of a million tokens of prompts, in any currency; no cost is told without prices.
    pub prompt_price: Option<f64>,
    /// Price of a million tokens of replies.
    pub completion_price: Option<f64>,
}

/// What small local models take. Arbitrary.
fn context_tokens() -> u32 {
    8_192
}

/// Room for the facts of a few passages. Arbitrary.
fn max_reply_tokens() -> u32 {
    2_048
}

/// Arbitrary, kind to a local server.
fn max_concurrent() -> u16 {
    4
}

/// A long reply of a slow local model. Arbitrary.
fn timeout_seconds() -> u32 {
    300
}

/// Arbitrary.
fn max_retries() -> u32 {
    5
}

impl Config {
    /// Reads `file`, else `banyan.toml` of the current directory, else the user's own, else nothing.
    ///
    /// # Errors
    /// Where the file cannot be read, is not TOML, or has a value out of range; the message names file and field.
    pub(crate) fn read(file: Option<&Path>) -> Result<Self> {
        let Some(file) = file.map(Path::to_owned).or_else(found) else {
            return Ok(Self::default());
        };
        let name = file.display();
        let text = fs::read_to_string(&file).with_context(|| format!("{name}: cannot read the configuration"))?;
        let config: Self = parse(&name.to_string(), &text)?;
        config.validate(&name.to_string())?;
        Ok(config)
    }

    fn validate(&self, name: &str) -> Result<()> {
        let Some(llm) = &self.llm else { return Ok(()) };
        if !llm.base_url.starts_with("http://") && !llm.base_url.starts_with("https://") {
            bail!(
                "{name}: llm.base_url: expected an address that starts with http:// or https://, found {:?}",
                llm.base_url
            );
        }
        for (field, value) in [
            ("context_tokens", llm.context_tokens),
            ("max_reply_tokens", llm.max_reply_tokens),
            ("max_concurrent", llm.max_concurrent.into()),
            ("timeout_seconds", llm.timeout_seconds),
            ("requests_per_minute", llm.requests_per_minute.unwrap_or(1)),
        ] {
            if value == 0 {
                bail!("{name}: llm.{field}: expected at least 1, found 0");
            }
        }
        if llm.max_reply_tokens >= llm.context_tokens {
            bail!(
                "{name}: llm.max_reply_tokens: expected less than the {} of llm.context_tokens, found {}",
                llm.context_tokens,
                llm.max_reply_tokens
            );
        }
        for (field, price) in [
            ("prompt_price", llm.prompt_price),
            ("completion_price", llm.completion_price),
        ] {
            if price.is_some_and(|price| !price.is_finite() || price < 0.0) {
                bail!("{name}: llm.{field}: expected a price of at least 0");
            }
        }
        Ok(())
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
