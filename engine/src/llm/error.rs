//! What can go wrong between a request and its reply, told by what the caller can do.

use std::path::PathBuf;

/// Why there is no reply. No variant ever holds an API key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The endpoint cannot be reached, takes too long, fails or wants to be left alone, and went on doing so. Ask again later.
    #[error("the endpoint failed {attempts} times, at last with: {cause}; {}", patience(*status))]
    Transient {
        /// How often it was asked.
        attempts: u32,
        /// The last status, where there was a response; 429 asks for fewer requests.
        status: Option<u16>,
        /// What it was the last time.
        cause: String,
    },
    /// Prompt and reply do not fit into the model's context. Split the text.
    #[error("the request does not fit into the model's context: {cause}")]
    TooLong {
        /// What the endpoint said.
        cause: String,
    },
    /// The key is missing or not accepted.
    #[error("the endpoint refuses access with status {status}: {cause}; {}", advice(variable.as_deref()))]
    Unauthorised {
        /// 401 or 403.
        status: u16,
        /// The environment variable that the key came from; `None` where no key was sent.
        variable: Option<String>,
        /// What the endpoint said.
        cause: String,
    },
    /// The endpoint does not do what was asked, and will not the next time: no such model, no such path, no credit.
    #[error(
        "the endpoint refuses the request with status {status}: {cause}; check its address, the model's name and the account"
    )]
    Rejected {
        /// The status, neither transient nor one of those above.
        status: u16,
        /// What the endpoint said.
        cause: String,
    },
    /// No connection can be made, and will not be the next time: no TLS, a certificate that is not trusted, a proxy that refuses.
    #[error("the endpoint cannot be talked to: {cause}; check its address and the proxy")]
    Unreachable {
        /// What went wrong.
        cause: String,
    },
    /// What came back is not the protocol.
    #[error("the endpoint's reply is not as expected: expected {expected}, found {excerpt}")]
    BadReply {
        /// What the protocol has there.
        expected: &'static str,
        /// The beginning of what came.
        excerpt: String,
    },
    /// The call could exceed the cap, so it was not made.
    #[error("stopped at the cap of {cap}: {spent} spent, and the next call may take {needed}; raise the cap to go on")]
    Budget {
        /// The cap, with its unit.
        cap: String,
        /// What was spent and is being spent.
        spent: String,
        /// What the call may take at most.
        needed: String,
    },
    /// The cassette has no reply to this.
    #[error("{}: no reply is recorded for request {key} ({request}) to {model}; {recorded}; record it first", path.display())]
    Missing {
        /// The cassette.
        path: PathBuf,
        /// The beginning of the hash under which it would be kept.
        key: String,
        /// The beginning of what was asked.
        request: String,
        /// The model that was asked.
        model: String,
        /// What the cassette has, for people.
        recorded: String,
    },
    /// A line of a cassette is not one.
    #[error("{}:{line}: expected {expected}, found {found}; repair or delete the line", path.display())]
    Cassette {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// Another process records into the cassette.
    #[error("cassette {} is being written by another process; try again when it has finished", path.display())]
    Locked {
        /// The cassette.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("{}: {action}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was being done.
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// A setting is wrong.
    #[error("{field}: expected {expected}, found {found}")]
    Config {
        /// The setting, as in the configuration.
        field: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A prompt file is not one, or lacks a value.
    #[error("prompt {name}: {reason}")]
    Prompt {
        /// The prompt.
        name: String,
        /// What is wrong, with the line where it is known.
        reason: String,
    },
    /// The caller asked to stop, or the request was not begun because the job ended.
    #[error("stopped before the model was asked")]
    Stopped,
}

impl LlmError {
    /// A setting that is wrong.
    pub(super) fn config(field: impl Into<String>, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Config {
            field: field.into(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// Whether every further request would fail alike, so that a job ends here and keeps what it has. Otherwise the error
    /// concerns one request.
    pub fn ends_job(&self) -> bool {
        !matches!(
            self,
            Self::Transient { .. } | Self::TooLong { .. } | Self::BadReply { .. }
        )
    }

    /// Whether it is the endpoint that fails, whatever it is asked.
    pub fn is_outage(&self) -> bool {
        matches!(self, Self::Transient { .. })
    }
}

/// What to do about an endpoint that went on failing.
fn patience(status: Option<u16>) -> &'static str {
    match status {
        Some(429) => "allow fewer requests at once or a minute",
        _ => "try again later",
    }
}

/// What to do about a refused key.
fn advice(variable: Option<&str>) -> String {
    match variable {
        Some(variable) => format!("check the key in the environment variable {variable}"),
        None => "no key was sent; name the environment variable that holds it in api_key_env".to_owned(),
    }
}
