//! Where the endpoint is and how it is asked.

use super::super::{ApiKey, LlmError};
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;
use ureq::{Agent, Proxy};

/// Most requests at a time: a thread each. Arbitrary; hosted endpoints admit fewer.
const MAX_CONCURRENT: usize = 256;
/// The seed that every request names.
pub(super) const SEED: u64 = 42;

/// The identity of a model with the parameters that every request has: what [`super::Http`] gives as its id, and under
/// which a cassette knows it.
pub fn model_id(model: &str) -> String {
    format!("{model} temperature=0 seed={SEED}")
}

/// Where the endpoint is and how it is asked.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// The address up to and including the version, such as `http://127.0.0.1:8080/v1`.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// Sent as a bearer token; local endpoints need none.
    pub api_key: Option<ApiKey>,
    /// The proxy, where there is one. The environment is not asked.
    pub proxy: Option<Proxy>,
    /// For one attempt, from connecting to the last byte.
    pub timeout: Duration,
    /// Most requests at a time.
    pub max_concurrent: NonZeroUsize,
    /// Most requests a minute, spread evenly.
    pub requests_per_minute: Option<NonZeroU32>,
    /// How often a failed attempt is repeated.
    pub max_retries: u32,
    /// The longest wait between attempts, also where the endpoint asks for more.
    pub max_wait: Duration,
}

impl HttpConfig {
    /// `model` at `base_url` without a key, with defaults for the rest: 4 requests at a time, 2 minutes for each, 4
    /// retries (after about 1, 2, 4 and 8 seconds), waits of up to a minute. Arbitrary, on the side of patience.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            model: model.into(),
            api_key: None,
            proxy: None,
            timeout: Duration::from_mins(2),
            max_concurrent: NonZeroUsize::MIN.saturating_add(3),
            requests_per_minute: None,
            max_retries: 4,
            max_wait: Duration::from_mins(1),
        }
    }

    /// # Errors
    /// [`LlmError::Config`] for the first field that is wrong: an address that is not one of `http` or `https`, or that
    /// carries a password or a query, an empty model name, a timeout of zero, too many requests at a time.
    pub fn validate(&self) -> Result<(), LlmError> {
        self.validate_address()?;
        let model = self.model.trim();
        require("model", "the model's name", !model.is_empty(), || "nothing".to_owned())?;
        let is_longer = !self.timeout.is_zero();
        require("timeout", "more than no time", is_longer, || "0 s".to_owned())?;
        let n = self.max_concurrent.get();
        let expected = format!("at most {MAX_CONCURRENT}");
        require("max_concurrent", &expected, n <= MAX_CONCURRENT, || n.to_string())
    }

    fn validate_address(&self) -> Result<(), LlmError> {
        let (scheme, rest) = self.base_url.split_once("://").unwrap_or_default();
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        // A password in an address would be shown in errors, so it is not shown in this one either.
        let expected = "an address without a user or a password; name api_key_env instead";
        require("base_url", expected, !self.base_url.contains('@'), || {
            "one with an @".to_owned()
        })?;
        let is_whole = matches!(scheme, "http" | "https")
            && !host.is_empty()
            && !path.contains(['?', '#'])
            && !self.base_url.chars().any(|ch| ch.is_whitespace() || ch.is_control());
        let expected = "an address such as http://127.0.0.1:8080/v1";
        require("base_url", expected, is_whole, || format!("{:?}", self.base_url))
    }

    /// Where completions are.
    pub(super) fn url(&self) -> String {
        let base = self.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/chat/completions").unwrap_or(base);
        format!("{base}/chat/completions")
    }

    pub(super) fn agent(&self) -> Agent {
        let config = Agent::config_builder()
            .timeout_global(Some(self.timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections_per_host(self.max_concurrent.get())
            .user_agent(concat!("banyan/", env!("CARGO_PKG_VERSION")))
            .proxy(self.proxy.clone());
        config.build().new_agent()
    }
}

fn require(field: &str, expected: &str, holds: bool, found: impl FnOnce() -> String) -> Result<(), LlmError> {
    if holds {
        return Ok(());
    }
    Err(LlmError::config(field, expected, found()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_completions_with_and_without_them() {
        for base in [
            "http://localhost/v1",
            "http://localhost/v1/",
            "http://localhost/v1/chat/completions",
        ] {
            let config = HttpConfig::new(base, "m");
            assert_eq!(config.url(), "http://localhost/v1/chat/completions");
            assert!(config.validate().is_ok());
        }
    }

    #[test]
    fn a_wrong_setting_is_named() {
        let check = |change: fn(&mut HttpConfig), says: &str| {
            let mut config = HttpConfig::new("https://example.com/v1", "m");
            change(&mut config);
            let error = config.validate().unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
            assert!(!error.contains("secret"), "{error}");
        };
        check(
            |config| config.base_url = "ftp://localhost".into(),
            "base_url: expected an address such as",
        );
        check(
            |config| config.base_url = "http://localhost/v1?a=b".into(),
            "base_url: expected an address such as",
        );
        check(
            |config| config.base_url = ["http:", "//me:secret@localhost"].concat(),
            "base_url: expected an address without",
        );
        check(
            |config| config.model = " ".into(),
            "model: expected the model's name, found nothing",
        );
        check(|config| config.timeout = Duration::ZERO, "timeout: ");
        check(
            |config| config.max_concurrent = NonZeroUsize::MAX,
            "max_concurrent: expected at most 256",
        );
    }
}
