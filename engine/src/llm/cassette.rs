//! Calls on a cassette: what was asked and answered once is answered again for free.
//!
//! **Definitions.** A cassette is a file of JSON lines, one a call: the key, the model, the request in full so that
//! people can read it, and the reply. The key is the hash of model and request; see [`Key`]. It has no place for an API
//! key.
//!
//! **Invariants.**
//! 1. While recording, lines are only appended, each as a whole and synced, under an exclusive lock. A process that is
//!    killed leaves at most one line without its end. Recording cuts it off, replaying leaves it out, and both say so.
//! 2. A line whose key is not the hash of its request is refused with its number, so that a request cannot be edited
//!    alone.
//! 3. Of several lines with one key the last counts.
//!
//! **Key operations.** Opening reads the file once, O(length), and keeps keys and replies. A reply is a look-up.

mod line;
mod tape;

pub use line::Key;

use super::excerpt::excerpt;
use super::{LanguageModel, LlmError, Reply, Request};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tape::Tape;

/// A model behind a cassette: what is on it is replayed; what is not is asked and appended, or an error where there is no
/// model to ask.
///
/// Two equal requests at the same time are one call.
#[derive(Debug)]
pub struct Cassette<M> {
    id: String,
    model: Option<M>,
    state: Mutex<State>,
    answered: Condvar,
}

#[derive(Debug)]
struct State {
    tape: Tape,
    /// Keys of the calls that run.
    running: BTreeSet<Key>,
}

impl<M: LanguageModel> Cassette<M> {
    /// Records the calls of `model` into the cassette at `path`, which is begun where there is none.
    ///
    /// # Errors
    /// [`LlmError::Cassette`] when it cannot be opened or repaired, another process records into it, or a line is not
    /// one.
    pub fn record(path: &Path, model: M) -> Result<Self, LlmError> {
        Ok(Self::new(model.id().to_owned(), Tape::record(path)?, Some(model)))
    }

    /// Opens the cassette at `path` to answer as the model `id`; as the only model on it where there is `None`. A request
    /// that it does not know is an error.
    ///
    /// # Errors
    /// [`LlmError::Cassette`] when it cannot be read or a line is not one, [`LlmError::Config`] when no `id` is given and
    /// the cassette has not exactly one.
    pub fn replay(path: &Path, id: Option<&str>) -> Result<Self, LlmError> {
        let tape = Tape::replay(path)?;
        let Some(id) = id.or(tape.only_model()).map(str::to_owned) else {
            let expected = format!("one of those on the cassette {}", path.display());
            return Err(LlmError::config("model", expected, format!("none; {}", tape.summary())));
        };
        Ok(Self::new(id, tape, None))
    }

    /// The model `id` of which nothing is recorded, to count calls that are yet to be made.
    pub fn blank(id: String) -> Self {
        Self::new(id, Tape::default(), None)
    }

    fn new(id: String, tape: Tape, model: Option<M>) -> Self {
        let running = BTreeSet::new();
        Self {
            id,
            model,
            state: Mutex::new(State { tape, running }),
            answered: Condvar::new(),
        }
    }

    /// What was odd about the file when it was opened, for people.
    pub fn remark(&self) -> Option<String> {
        self.state().tape.remark().map(str::to_owned)
    }

    /// The model that is asked, where one is.
    pub fn model(&self) -> Option<&M> {
        self.model.as_ref()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is whole after every statement, so a thread that panicked left nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The recorded reply; or `None`, and then the call is the caller's to make.
    fn begin(&self, key: &Key) -> Option<Reply> {
        let mut state = self.state();
        while state.running.contains(key) {
            state = self.answered.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let known = state.tape.reply(key);
        if known.is_none() {
            state.running.insert(*key);
        }
        known
    }
}

/// A call that runs; its key is free again when this is dropped, however the call ended.
struct Running<'a, M: LanguageModel> {
    cassette: &'a Cassette<M>,
    key: Key,
}

impl<M: LanguageModel> Drop for Running<'_, M> {
    fn drop(&mut self) {
        self.cassette.state().running.remove(&self.key);
        self.cassette.answered.notify_all();
    }
}

impl<M: LanguageModel> LanguageModel for Cassette<M> {
    fn id(&self) -> &str {
        &self.id
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let key = Key::of(&self.id, request);
        if let Some(reply) = self.begin(&key) {
            return Ok(reply);
        }
        let _running = Running { cassette: self, key };
        let Some(model) = &self.model else {
            let key = format!("{:.12}", key.to_string());
            let asked = excerpt(&request.user);
            return Err(self.state().tape.missing(&key, &asked, &self.id));
        };
        let reply = model.complete(request)?;
        self.state().tape.append(key, &self.id, request, &reply)?;
        Ok(reply)
    }

    fn is_known(&self, request: &Request) -> bool {
        self.state().tape.has(&Key::of(&self.id, request))
    }

    fn forget(&self, request: &Request) {
        self.state().tape.forget(&Key::of(&self.id, request));
    }
}
