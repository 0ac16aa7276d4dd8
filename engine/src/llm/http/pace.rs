//! How many requests run at a time, and when the next may begin.

use super::Clock;
use crate::llm::LlmError;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);

/// The turnstile before an endpoint.
#[derive(Debug)]
pub(super) struct Pace {
    /// Requests that may still begin.
    n_free: Mutex<usize>,
    freed: Condvar,
    /// Between the beginnings of two requests.
    interval: Duration,
    /// When the next may begin, by [`Clock::elapsed`].
    next: Mutex<Duration>,
}

impl Pace {
    pub(super) fn new(max_concurrent: NonZeroUsize, requests_per_minute: Option<NonZeroU32>) -> Self {
        Self {
            n_free: Mutex::new(max_concurrent.get()),
            freed: Condvar::new(),
            interval: requests_per_minute.map_or(Duration::ZERO, |n| MINUTE / n.get()),
            next: Mutex::default(),
        }
    }

    /// Waits until a request may begin; it runs until the slot is dropped.
    ///
    /// # Errors
    /// [`LlmError::Stopped`] when the caller asked to stop meanwhile.
    pub(super) fn enter(&self, clock: &dyn Clock) -> Result<Slot<'_>, LlmError> {
        let mut n_free = lock(&self.n_free);
        while *n_free == 0 {
            n_free = self.freed.wait(n_free).unwrap_or_else(PoisonError::into_inner);
        }
        *n_free -= 1;
        drop(n_free);
        let slot = Slot(self);
        let wait = {
            let mut next = lock(&self.next);
            let now = clock.elapsed();
            let turn = now.max(*next);
            *next = turn + self.interval;
            turn.saturating_sub(now)
        };
        if !wait.is_zero() {
            clock.pause(wait)?;
        }
        Ok(slot)
    }

    /// Lets no request begin before `until`.
    pub(super) fn hold(&self, until: Duration) {
        let mut next = lock(&self.next);
        *next = until.max(*next);
    }
}

/// A request that runs.
#[derive(Debug)]
pub(super) struct Slot<'a>(&'a Pace);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *lock(&self.0.n_free) += 1;
        self.0.freed.notify_one();
    }
}

/// Each value is whole after every statement, so a thread that panicked left nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
