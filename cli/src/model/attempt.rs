//! What was tried, and why it failed: one readable error instead of the last one.

use std::fmt::Write;

/// Sources tried in order, each with the reason it gave nothing.
#[derive(Debug, Default)]
pub(super) struct Attempts(Vec<(String, String)>);

impl Attempts {
    /// Notes that `what` gave nothing because of `why`.
    pub(super) fn failed(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.0.push((what.into(), why.into()));
    }

    /// The error that names every attempt, and what to do, on `hint:` lines.
    pub(super) fn into_error(self, missing: &str, hints: &[&str]) -> anyhow::Error {
        let mut message = format!("{missing}; tried:");
        for (what, why) in &self.0 {
            // Writing to a String cannot fail.
            let _ = write!(message, "\n  - {what}: {}", why.trim().replace('\n', "\n      "));
        }
        for hint in hints {
            let _ = write!(message, "\nhint: {hint}");
        }
        anyhow::Error::msg(message)
    }

    /// The error that names every attempt, and what to do, on one line.
    pub(super) fn into_line(self, missing: &str, advice: &str) -> anyhow::Error {
        let attempts: Vec<String> = self
            .0
            .iter()
            .map(|(what, why)| format!("{what}: {}", why.trim().replace('\n', ", ")))
            .collect();
        anyhow::anyhow!("{missing}; tried {}; {advice}", attempts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_lists_every_attempt_and_what_to_do() {
        let mut attempts = Attempts::default();
        attempts.failed("the cache", "no such directory");
        attempts.failed("pip", "not found\ninstall it");
        let error = attempts.into_error("no model", &["pass --model-dir"]);
        assert_eq!(
            error.to_string(),
            "no model; tried:\n  - the cache: no such directory\n  - pip: not found\n      install it\nhint: pass --model-dir"
        );
    }

    #[test]
    fn the_error_fits_a_line() {
        let mut attempts = Attempts::default();
        attempts.failed("the cache", "no such directory");
        attempts.failed("pip", "not found\ninstall it\n");
        let error = attempts.into_line("no model", "pass --model-dir");
        assert_eq!(
            error.to_string(),
            "no model; tried the cache: no such directory; pip: not found, install it; pass --model-dir"
        );
    }
}
