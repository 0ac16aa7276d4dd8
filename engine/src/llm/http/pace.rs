//! How many requests run at a time, when the next may begin, and how long to wait after a failure.

use super::Clock;
use crate::llm::LlmError;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

const MINUTE: Duration = Duration::from_mins(1);
/// The first wait, at most; it doubles with each attempt.
const FIRST: Duration = Duration::from_secs(1);
/// Doublings after which a wait grows no further: 64 s, beyond any sensible `max_wait`.
const MAX_DOUBLINGS: u32 = 6;

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

/// The wait after `n_failed` attempts, from 1: between half and all of 1, 2, 4, … seconds. The share comes from the
/// hash of the request and the number of the attempt, so it differs between requests and is the same in every run.
pub(super) fn backoff(hash: &[u8; 32], n_failed: u32) -> Duration {
    let doublings = n_failed.saturating_sub(1).min(MAX_DOUBLINGS);
    let most = FIRST * 2u32.pow(doublings);
    let share = hash[n_failed as usize % hash.len()];
    most / 2 + most / 2 * u32::from(share) / u32::from(u8::MAX)
}

/// The wait that a `Retry-After` asks for: seconds, or a date after `now`; a date that has passed asks for none. `None`
/// for anything else.
pub(super) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_differ_by_request() {
        let (low, high) = ([0; 32], [255; 32]);
        for (n_failed, most) in [(1, 1), (2, 2), (3, 4), (4, 8), (7, 64), (8, 64), (u32::MAX, 64)] {
            assert_eq!(backoff(&high, n_failed), Duration::from_secs(most));
            assert_eq!(backoff(&low, n_failed), Duration::from_secs(most) / 2);
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let check = |value: &str, expected: Option<u64>| {
            assert_eq!(retry_after(value, now), expected.map(Duration::from_secs), "{value}");
        };
        check(" 7 ", Some(7));
        check("0", Some(0));
        check("Sun, 06 Nov 1994 08:49:57 GMT", Some(20));
        check("Sun, 06 Nov 1994 08:49:17 GMT", Some(0));
        check("soon", None);
        check("-1", None);
        check("", None);
    }
}
