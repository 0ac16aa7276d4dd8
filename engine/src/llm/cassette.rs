//! Calls on a cassette: what was asked and answered once is answered again for free.
//!
//! **Definitions.** A cassette is a file of JSON lines, one a call: the key, the model, the request in full so that people
//! can read it, and the reply. The key is the hash of model and request; see [`Key`]. It has no place for an API key.
//!
//! **Invariants.**
//! 1. While recording, lines are only appended, each as a whole and synced, under an exclusive lock. A process that is
//!    killed leaves at most one line without its end. [`Recorder`] cuts it off, [`Replay`] leaves it out, and both say so.
//! 2. A line whose key is not the hash of its request is refused with its number, so that a request cannot be edited alone.
//! 3. Of several lines with one key the last counts.
//!
//! **Key operations.** Opening reads the file once, O(length), and keeps keys and replies. A reply is a look-up.

mod line;
mod tape;

pub use line::Key;

use super::{LanguageModel, LlmError, Reply, Request};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tape::Tape;

/// A model whose calls are recorded: what the cassette knows is replayed, what it does not is asked and appended.
///
/// Two equal requests at the same time are one call.
#[derive(Debug)]
pub struct Recorder<M> {
    model: M,
    state: Mutex<State>,
    answered: Condvar,
}

#[derive(Debug)]
struct State {
    tape: Tape,
    /// Keys of the calls that run.
    running: BTreeSet<Key>,
}

impl<M: LanguageModel> Recorder<M> {
    /// Records the calls of `model` into the cassette at `path`, which is begun where there is none.
    ///
    /// # Errors
    /// [`LlmError::File`] when it cannot be opened or repaired, [`LlmError::Locked`] when another process records into it,
    /// [`LlmError::Cassette`] for a line that is not one.
    pub fn open(path: &Path, model: M) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            state: Mutex::new(State {
                tape: Tape::record(path)?,
                running: BTreeSet::new(),
            }),
            answered: Condvar::new(),
        })
    }

    /// What was odd about the file when it was opened, for people.
    pub fn remark(&self) -> Option<String> {
        self.state().tape.remark().map(str::to_owned)
    }

    /// Number of different calls recorded.
    pub fn len(&self) -> usize {
        self.state().tape.len()
    }

    /// Whether nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Leaves the reply to `request` out of account, so that the next call asks the model again; its reply then counts.
    pub fn forget(&self, request: &Request) {
        self.state().tape.forget(&Key::of(self.model.id(), request));
    }

    /// The model itself.
    pub fn model(&self) -> &M {
        &self.model
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
    recorder: &'a Recorder<M>,
    key: Key,
}

impl<M: LanguageModel> Drop for Running<'_, M> {
    fn drop(&mut self) {
        self.recorder.state().running.remove(&self.key);
        self.recorder.answered.notify_all();
    }
}

impl<M: LanguageModel> LanguageModel for Recorder<M> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let key = Key::of(self.id(), request);
        if let Some(reply) = self.begin(&key) {
            return Ok(reply);
        }
        let _running = Running { recorder: self, key };
        let reply = self.model.complete(request)?;
        self.state().tape.append(key, self.id(), request, &reply)?;
        Ok(reply)
    }

    fn is_known(&self, request: &Request) -> bool {
        self.state().tape.has(&Key::of(self.model.id(), request))
    }
}

/// A cassette without a model: a request that it does not know is an error.
#[derive(Debug)]
pub struct Replay {
    id: String,
    tape: Tape,
}

impl Replay {
    /// Opens the cassette at `path` to answer as the model `id`; as the only model on it where there is `None`.
    ///
    /// # Errors
    /// [`LlmError::File`] when it cannot be read, [`LlmError::Cassette`] for a line that is not one, [`LlmError::Config`]
    /// when no `id` is given and the cassette has not exactly one.
    pub fn open(path: &Path, id: Option<&str>) -> Result<Self, LlmError> {
        let tape = Tape::replay(path)?;
        let Some(id) = id.or(tape.only_model()).map(str::to_owned) else {
            let expected = format!("one of those on the cassette {}", path.display());
            return Err(LlmError::config("model", expected, format!("none; {}", tape.summary())));
        };
        Ok(Self { id, tape })
    }

    /// What was odd about the file when it was opened, for people.
    pub fn remark(&self) -> Option<String> {
        self.tape.remark().map(str::to_owned)
    }
}

impl LanguageModel for Replay {
    fn id(&self) -> &str {
        &self.id
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let key = Key::of(&self.id, request);
        let tape = &self.tape;
        tape.reply(&key).ok_or_else(|| LlmError::Missing {
            path: tape.path().to_owned(),
            key: format!("{:.12}", key.to_string()),
            request: super::excerpt::excerpt(&request.user),
            model: self.id.clone(),
            recorded: tape.summary(),
        })
    }

    fn is_known(&self, request: &Request) -> bool {
        self.tape.has(&Key::of(&self.id, request))
    }
}
