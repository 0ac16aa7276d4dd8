//! Time, as a port: tests look at the waits that were asked for instead of waiting.

use crate::llm::LlmError;
use std::fmt;
use std::time::{Duration, Instant, SystemTime};

/// How long a pause goes on before it looks again whether to stop.
const SLICE: Duration = Duration::from_millis(100);

/// What [`super::Http`] knows of time.
pub trait Clock: fmt::Debug + Send + Sync {
    /// The time of day, for a `Retry-After` that names one.
    fn now(&self) -> SystemTime;

    /// Time since some moment; never goes back.
    fn elapsed(&self) -> Duration;

    /// Waits.
    ///
    /// # Errors
    /// [`LlmError::Stopped`] when the caller asked to stop meanwhile.
    fn pause(&self, wait: Duration) -> Result<(), LlmError>;
}

/// The system's clock.
pub struct SystemClock {
    start: Instant,
    is_stopped: Box<dyn Fn() -> bool + Send + Sync>,
}

impl SystemClock {
    /// A clock whose pauses end soon after `is_stopped` says so.
    pub fn new(is_stopped: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            start: Instant::now(),
            is_stopped: Box::new(is_stopped),
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn pause(&self, wait: Duration) -> Result<(), LlmError> {
        let end = self.elapsed() + wait;
        while !(self.is_stopped)() {
            let left = end.saturating_sub(self.elapsed());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(SLICE));
        }
        Err(LlmError::Stopped)
    }
}

impl fmt::Debug for SystemClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SystemClock")
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_when_the_caller_stops() {
        let hour = Duration::from_hours(1);
        assert!(matches!(SystemClock::new(|| true).pause(hour), Err(LlmError::Stopped)));
        assert!(SystemClock::new(|| false).pause(Duration::ZERO).is_ok());
    }
}
