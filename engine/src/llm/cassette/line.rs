//! One call as a line of JSON.

use super::super::{Reply, Request};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt;

/// Part of every key: what a key is made of. A change of it makes all cassettes unknown.
const FORM: &str = "banyan cassette 1";

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line<'a> {
    pub(super) key: String,
    pub(super) model: Cow<'a, str>,
    pub(super) request: Cow<'a, Request>,
    pub(super) reply: Cow<'a, Reply>,
}

/// What a call is known by: SHA-256 over the model's id, system and user text, name and schema of the shape, and the
/// longest reply, each preceded by its length. Shown as hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of `request` to the model with this id. O(length).
    pub fn of(model: &str, request: &Request) -> Self {
        let mut hash = Sha256::new();
        let mut field = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        field(FORM);
        field(model);
        field(&request.system);
        field(&request.user);
        match &request.shape {
            Some(shape) => {
                field(&shape.name);
                field(&shape.schema.to_string());
            }
            None => field(""),
        }
        field(&request.max_reply_tokens.to_string());
        Self(hash.finalize().into())
    }

    /// The hash itself: bytes as good as random, and always the same.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Reads a line, and checks its key.
///
/// # Errors
/// What was expected and what was found.
pub(super) fn parse(line: &[u8]) -> Result<(Key, Line<'static>), (&'static str, String)> {
    let line: Line<'static> = serde_json::from_slice(line).map_err(|error| ("a recorded call", error.to_string()))?;
    let key = Key::of(&line.model, &line.request);
    if key.to_string() == line.key {
        return Ok((key, line));
    }
    Err((
        "the hash of model and request as its key",
        format!("the key {:.12}", line.key),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::ReplyShape;
    use serde_json::json;

    fn request() -> Request {
        Request {
            system: "List.".into(),
            user: "Teak.".into(),
            shape: Some(ReplyShape {
                name: "trees".into(),
                schema: json!({ "type": "object", "properties": { "b": {}, "a": {} } }),
            }),
            max_reply_tokens: 9,
        }
    }

    #[test]
    fn a_key_stays_what_it_is() {
        // Cassettes are kept: a change here makes every one of them unknown.
        let expected = "4496d1347ae6dd27097a2467fbe0fc992b64763c52ff247ad5d1314514529f81";
        assert_eq!(Key::of("m", &request()).to_string(), expected);
    }

    #[test]
    fn whatever_changes_a_reply_changes_the_key() {
        let plain = Key::of("m", &request());
        let changes: [fn(&mut Request); 5] = [
            |request| request.system.push('!'),
            |request| request.user.push('!'),
            |request| request.shape = None,
            |request| request.max_reply_tokens += 1,
            |request| (request.system, request.user) = ("List.T".into(), "eak.".into()),
        ];
        for change in changes {
            let mut other = request();
            change(&mut other);
            assert_ne!(Key::of("m", &other), plain);
        }
        assert_ne!(Key::of("n", &request()), plain);
    }
}
