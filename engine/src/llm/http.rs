//! Any endpoint that speaks `OpenAI`'s chat completions: the one module of `llm` that opens connections and reads a
//! clock.
//!
//! **What is retried.** No connection, no answer in time, and the statuses 408, 429 and 5xx, up to
//! [`HttpConfig::max_retries`] times. Waits double from one second, with a share that depends on request and attempt, so
//! that requests that failed together do not return together and a run can be repeated. `Retry-After` goes before, and
//! holds back all requests; no wait is longer than [`HttpConfig::max_wait`].
//!
//! **What is conceded.** An endpoint that refuses a parameter by name is asked without it from then on: a JSON schema
//! becomes any JSON object and then no format, `max_tokens` becomes `max_completion_tokens`, temperature and seed are
//! left out. [`Http::refused`] has what that was, to be told to the user.
//!
//! **What is not done.** Redirects are not followed, proxies are those of the configuration only, nothing is decompressed
//! beyond [`MAX_REPLY_BYTES`]. A reply that repeats the API key is refused.

mod clock;
mod config;
mod failure;
pub mod local;
mod pace;
mod wire;

pub use clock::{Clock, SystemClock};
pub use config::{HttpConfig, model_id};
pub use wire::MAX_REPLY_BYTES;

use super::{LanguageModel, LlmError, Reply, Request, cassette::Key};
use failure::Failure;
use pace::Pace;
use std::io::Read;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use ureq::{Agent, Body};
use wire::{JSON_OBJECT, JSON_SCHEMA, Refused};

/// A model behind an HTTP endpoint.
#[derive(Debug)]
pub struct Http {
    id: String,
    url: String,
    config: HttpConfig,
    agent: Agent,
    clock: Box<dyn Clock>,
    pace: Pace,
    refused: Mutex<Refused>,
}

impl Http {
    /// A model at the endpoint of `config`; waits and deadlines go by `clock`. Opens no connection yet.
    ///
    /// # Errors
    /// [`LlmError::Config`], see [`HttpConfig::validate`].
    pub fn new(config: HttpConfig, clock: impl Clock + 'static) -> Result<Self, LlmError> {
        config.validate()?;
        Ok(Self {
            id: model_id(&config.model),
            url: config.url(),
            agent: config.agent(),
            clock: Box::new(clock),
            pace: Pace::new(config.max_concurrent, config.requests_per_minute),
            refused: Mutex::default(),
            config,
        })
    }

    /// Names of the parameters and formats that the endpoint does not take, so that replies came without them.
    pub fn refused(&self) -> Refused {
        // A set is whole after every statement, so a thread that panicked left nothing half done.
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Leaves out what the endpoint refused when it was asked without what was refused `before`: where that is any JSON
    /// object, the format. Whether it can be asked in another way now.
    fn concede(&self, before: &Refused, parameter: &'static str) -> bool {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let is_json_refused = parameter == JSON_SCHEMA && before.contains(parameter);
        // Where another thread was refused the same meanwhile, the next attempt tells.
        *refused != *before || refused.insert(if is_json_refused { JSON_OBJECT } else { parameter })
    }

    /// Asks once, without what is `refused`.
    fn attempt(&self, request: &Request, refused: &Refused) -> Result<Reply, Failure> {
        let slot = self.pace.enter(self.clock.as_ref()).map_err(Failure::Final)?;
        let body = wire::body(&self.config.model, request, refused);
        let mut call = self.agent.post(&self.url).content_type("application/json");
        if let Some(key) = &self.config.api_key {
            call = call.header("authorization", key.authorization().map_err(Failure::Final)?);
        }
        let key = self.config.api_key.as_ref();
        let response = call.send(&body).map_err(|error| failure::of_transport(&error, key))?;
        let (head, mut body) = response.into_parts();
        let bytes = read(&mut body);
        drop(slot);
        let bytes = bytes.map_err(|error| failure::of_transport(&error, key))?;
        if head.status.is_success() {
            wire::reply(&bytes, request, key)
        } else {
            let retry_after = head.headers.get("retry-after").and_then(|value| value.to_str().ok());
            let retry_after = retry_after.and_then(|value| pace::retry_after(value, self.clock.now()));
            Err(failure::of_status(head.status.as_u16(), retry_after, &bytes, key))
        }
    }

    /// Waits before the next attempt; `n_failed` attempts went before.
    fn wait(&self, request: &Request, n_failed: u32, retry_after: Option<Duration>) -> Result<(), LlmError> {
        if let Some(asked) = retry_after {
            self.pace.hold(self.clock.elapsed() + asked.min(self.config.max_wait));
            return Ok(());
        }
        let wait = pace::backoff(Key::of(&self.id, request).as_bytes(), n_failed);
        self.clock.pause(wait.min(self.config.max_wait))
    }
}

/// The body, decompressed. The bound is on what comes out: ureq's own counts what goes in.
fn read(body: &mut Body) -> Result<Vec<u8>, ureq::Error> {
    let mut bytes = Vec::new();
    body.as_reader().take(MAX_REPLY_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_REPLY_BYTES {
        return Err(ureq::Error::BodyExceedsLimit(MAX_REPLY_BYTES));
    }
    Ok(bytes)
}

impl LanguageModel for Http {
    fn id(&self) -> &str {
        &self.id
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let mut n_failed = 0;
        loop {
            let refused = self.refused();
            match self.attempt(request, &refused) {
                Ok(reply) => return Ok(reply),
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Refused { parameter, error }) => {
                    if !self.concede(&refused, parameter) {
                        return Err(error);
                    }
                }
                Err(Failure::Again {
                    status,
                    cause,
                    retry_after,
                }) => {
                    n_failed += 1;
                    if n_failed > self.config.max_retries {
                        return Err(LlmError::Transient {
                            attempts: n_failed,
                            status,
                            cause,
                        });
                    }
                    self.wait(request, n_failed, retry_after)?;
                }
            }
        }
    }
}
