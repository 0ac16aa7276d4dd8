//! An attempt that gave no reply: is it over, is it worth another attempt, or another wording?

use super::super::excerpt::excerpt;
use super::super::{ApiKey, LlmError};
use super::wire::{JSON_OBJECT, JSON_SCHEMA, MAX_REPLY_BYTES, MAX_TOKENS, SEED_NAME, TEMPERATURE};
use serde_json::Value;
use std::io;
use std::time::Duration;

/// What endpoints call a request that does not fit the context: `OpenAI`'s code; vLLM and `OpenAI` in words;
/// llama.cpp's type and words; Anthropic's words.
const TOO_LONG: [&str; 7] = [
    "context_length_exceeded",
    "context length",
    "context window",
    "exceed_context_size",
    "context size",
    "prompt is too long",
    "reduce the length",
];
/// What endpoints call a parameter that they do not know or do not take.
const UNSUPPORTED: [&str; 7] = [
    "unsupported",
    "not support",
    "unrecognized",
    "unknown",
    "not permitted",
    "not allowed",
    "unexpected",
];

/// Why an attempt gave no reply.
#[derive(Debug)]
pub(super) enum Failure {
    /// Asking again would fail alike.
    Final(LlmError),
    /// The endpoint refuses a parameter or the format; where it was asked without already, `error` is the end.
    Refused { parameter: &'static str, error: LlmError },
    /// Worth another attempt.
    Again {
        status: Option<u16>,
        cause: String,
        retry_after: Option<Duration>,
    },
}

/// No whole response came.
pub(super) fn of_transport(error: &ureq::Error, key: Option<&ApiKey>) -> Failure {
    let told = quote(&error.to_string(), key);
    let again = |cause: String| Failure::Again {
        status: None,
        cause,
        retry_after: None,
    };
    match error {
        ureq::Error::Timeout(_) => again("no whole reply in time".to_owned()),
        ureq::Error::HostNotFound => again("no such host".to_owned()),
        ureq::Error::ConnectionFailed => again("no connection".to_owned()),
        // What is no TLS, or a certificate that is not trusted, comes as invalid data.
        ureq::Error::Io(source) if source.kind() != io::ErrorKind::InvalidData => again(said(source)),
        ureq::Error::BodyExceedsLimit(_) => {
            let excerpt = format!("more than {} MiB", MAX_REPLY_BYTES >> 20);
            bad_reply("a reply of bounded size", excerpt)
        }
        ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) => bad_reply("HTTP", told),
        _ => refused(format!(
            "the endpoint cannot be talked to: {told}; check its address and the proxy"
        )),
    }
}

/// A reply that is not the protocol.
pub(super) fn bad_reply(expected: &'static str, excerpt: String) -> Failure {
    Failure::Final(LlmError::BadReply { expected, excerpt })
}

fn refused(told: String) -> Failure {
    Failure::Final(LlmError::Refused(told))
}

/// A response whose status is not success.
pub(super) fn of_status(status: u16, retry_after: Option<Duration>, body: &[u8], key: Option<&ApiKey>) -> Failure {
    let body = Refusal::parse(body);
    let cause = quote(&body.message, key);
    let rejected = |cause: &str| {
        LlmError::Refused(format!(
            "the endpoint refuses the request with status {status}: {cause}; check its address, the model's name and the \
             account"
        ))
    };
    match status {
        300..400 => Failure::Final(rejected("it has moved to another address")),
        401 | 403 => {
            let advice = match key {
                Some(key) => format!("check the key in the environment variable {}", key.variable()),
                None => "no key was sent; name the environment variable that holds it in api_key_env".to_owned(),
            };
            refused(format!(
                "the endpoint refuses access with status {status}: {cause}; {advice}"
            ))
        }
        429 if body.code == "insufficient_quota" => Failure::Final(rejected(&cause)),
        408 | 429 | 500..600 => Failure::Again {
            status: Some(status),
            cause: format!("status {status}, {cause}"),
            retry_after,
        },
        413 => Failure::Final(LlmError::TooLong { cause }),
        400 | 422 if body.says(&TOO_LONG) => Failure::Final(LlmError::TooLong { cause }),
        400 | 422 => match body.refuses() {
            Some(parameter) => Failure::Refused {
                parameter,
                error: rejected(&cause),
            },
            None => Failure::Final(rejected(&cause)),
        },
        _ => Failure::Final(rejected(&cause)),
    }
}

/// The beginning of `text`, without the key.
pub(super) fn quote(text: &str, key: Option<&ApiKey>) -> String {
    match key {
        Some(key) => excerpt(&key.hide(text)),
        None => excerpt(text),
    }
}

/// What the system says of a failed connection, in words.
fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the connection ended within the reply".to_owned(),
        kind => kind.to_string(),
    }
}

/// The body of a refusal: `{"error": {"message", "code", "param"}}`, `{"error": "…"}`, `{"message": "…"}`, or anything.
struct Refusal {
    message: String,
    code: String,
    parameter: String,
    /// All of it, in lower case.
    all: String,
}

impl Refusal {
    fn parse(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let error = json.get("error").filter(|error| !error.is_null()).unwrap_or(&json);
        let field = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        let message = error.as_str().map_or_else(|| field("message"), str::to_owned);
        Self {
            message: if message.is_empty() { text.to_string() } else { message },
            code: field("code"),
            parameter: field("param"),
            all: text.to_lowercase(),
        }
    }

    fn says(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.all.contains(words))
    }

    /// What is refused. A format is wherever it is named; a parameter only in words for that, as its value may be what is
    /// wrong.
    fn refuses(&self) -> Option<&'static str> {
        let names = |name: &str| self.parameter.contains(name) || self.all.contains(name);
        if ["response_format", JSON_SCHEMA, JSON_OBJECT].into_iter().any(names) {
            return Some(JSON_SCHEMA);
        }
        let named = [MAX_TOKENS, TEMPERATURE, SEED_NAME]
            .into_iter()
            .find(|name| names(name))?;
        self.says(&UNSUPPORTED).then_some(named)
    }
}
