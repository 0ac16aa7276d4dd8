//! The API key: held so that it can only go into a header.

use super::LlmError;
use std::fmt;

/// Keys of this length and longer are looked for in replies. Providers issue 32 characters and more; local servers take
/// placeholders such as `none`, which occur in honest replies.
const MIN_SECRET_CHARS: usize = 16;

/// Stands where a key stood.
const HIDDEN: &str = "[key]";

/// An API key and the environment variable that it came from. Neither `Debug` nor serialisation shows it.
#[derive(Clone)]
pub struct ApiKey {
    variable: String,
    secret: String,
}

impl ApiKey {
    /// The key `secret`, read from the environment variable `variable`. Space around it is dropped. Without a key nothing
    /// can be asked, but a cassette be replayed.
    ///
    /// # Errors
    /// [`LlmError::Config`] when it has characters that no header may have; the error names the variable only.
    pub fn new(variable: impl Into<String>, secret: &str) -> Result<Self, LlmError> {
        let (variable, secret) = (variable.into(), secret.trim().to_owned());
        if secret.chars().all(|ch| ch.is_ascii_graphic()) {
            return Ok(Self { variable, secret });
        }
        let field = format!("the environment variable {variable}");
        Err(LlmError::config(
            field,
            "an API key",
            "a character that is not visible ASCII",
        ))
    }

    /// The environment variable that it came from.
    pub fn variable(&self) -> &str {
        &self.variable
    }

    /// The header's value.
    ///
    /// # Errors
    /// [`LlmError::Config`] where the variable holds no key.
    pub(super) fn authorization(&self) -> Result<String, LlmError> {
        if self.secret.is_empty() {
            let expected = format!("a key in the environment variable {}", self.variable);
            return Err(LlmError::config("llm.api_key_env", expected, "none"));
        }
        Ok(format!("Bearer {}", self.secret))
    }

    /// `text` without the key.
    pub(super) fn hide(&self, text: &str) -> String {
        if self.secret.is_empty() {
            return text.to_owned();
        }
        text.replace(&self.secret, HIDDEN)
    }

    /// Whether `text` gives the key away.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.secret.len() >= MIN_SECRET_CHARS && text.contains(&self.secret)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiKey")
            .field("variable", &self.variable)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_nowhere() {
        let key = ApiKey::new("BANYAN_LLM_KEY", " sk-0123456789abcdef\n").unwrap();
        assert_eq!(format!("{key:?}"), "ApiKey { variable: \"BANYAN_LLM_KEY\", .. }");
        assert_eq!(key.hide("found sk-0123456789abcdef."), "found [key].");
        assert!(key.is_in("sk-0123456789abcdef!") && !key.is_in("sk-0123456789abcde"));
    }

    #[test]
    fn a_key_that_is_none_is_refused_without_being_told() {
        for secret in ["to\u{301}p", "a b"] {
            let error = ApiKey::new("BANYAN_LLM_KEY", secret).unwrap_err().to_string();
            assert!(error.contains("BANYAN_LLM_KEY") && !error.contains(secret), "{error}");
        }
        let missing = ApiKey::new("BANYAN_LLM_KEY", " ").unwrap().authorization();
        assert!(missing.unwrap_err().to_string().contains("BANYAN_LLM_KEY"));
    }
}
