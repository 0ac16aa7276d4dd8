//! What stands around a call, with scripted models.

mod batch;
mod cassette;
mod metered;
mod reply;

use super::{Finish, LanguageModel, LlmError, Reply, Request, Usage};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A model that does as a function says, and counts how often it was asked.
struct Scripted<F> {
    script: F,
    n_calls: AtomicUsize,
}

impl<F: Fn(&Request) -> Result<Reply, LlmError> + Sync> Scripted<F> {
    fn new(script: F) -> Self {
        Self {
            script,
            n_calls: AtomicUsize::new(0),
        }
    }

    fn n_calls(&self) -> usize {
        self.n_calls.load(Ordering::SeqCst)
    }
}

impl<F: Fn(&Request) -> Result<Reply, LlmError> + Sync> LanguageModel for Scripted<F> {
    fn id(&self) -> &'static str {
        "scripted"
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        self.n_calls.fetch_add(1, Ordering::SeqCst);
        (self.script)(request)
    }
}

/// A request that says `user`, for a reply of 100 tokens at most.
fn request(user: &str) -> Request {
    Request {
        system: String::new(),
        user: user.to_owned(),
        shape: None,
        max_reply_tokens: 100,
    }
}

/// Says back what it is told, for 10 tokens in and 20 out.
#[expect(clippy::unnecessary_wraps, reason = "the type of a script")]
fn echo(request: &Request) -> Result<Reply, LlmError> {
    let usage = Usage {
        prompt_tokens: 10,
        completion_tokens: 20,
        ..Usage::default()
    };
    Ok(Reply {
        text: request.user.clone(),
        usage,
        finish: Finish::Stop,
    })
}

fn outage() -> LlmError {
    LlmError::Transient {
        attempts: 1,
        status: Some(500),
        cause: String::new(),
    }
}
