//! What can go wrong between a request and its reply, told by what the caller can do.

/// Why there is no reply. No variant ever holds an API key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The endpoint cannot be reached, takes too long, fails or wants to be left alone, and went on doing so. Ask again
    /// later.
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
    /// What every request would meet: no access, no such model, no such path, no credit, no connection that can be
    /// trusted.
    #[error("{0}")]
    Refused(String),
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
    #[error("{0}; record it first")]
    Missing(String),
    /// The cassette cannot be used: the file system refuses, another process records into it, or a line is not one.
    #[error("{0}")]
    Cassette(String),
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
