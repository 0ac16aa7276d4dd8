//! An attempt that gave no reply: is it over, is it worth another attempt, or another wording?

use super::super::excerpt::excerpt;
use super::super::{ApiKey, LlmError};
use super::terms::Concession;
use super::wire::MAX_REPLY_BYTES;
use serde_json::Value;
use std::io;
use std::time::Duration;

/// What endpoints call a request that does not fit the context: `OpenAI`'s code; vLLM and `OpenAI` in words; llama.cpp's type
/// and words; Anthropic's words.
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
    /// The endpoint refuses a parameter; where no `concession` is left to make, `error` is the end.
    Refused { concession: Concession, error: LlmError },
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
        _ => Failure::Final(LlmError::Unreachable { cause: told }),
    }
}

/// A reply that is not the protocol.
pub(super) fn bad_reply(expected: &'static str, excerpt: String) -> Failure {
    Failure::Final(LlmError::BadReply { expected, excerpt })
}

/// A response whose status is not success.
pub(super) fn of_status(status: u16, retry_after: Option<Duration>, body: &[u8], key: Option<&ApiKey>) -> Failure {
    let body = Refusal::parse(body);
    let cause = quote(&body.message, key);
    let rejected = |cause| LlmError::Rejected { status, cause };
    match status {
        300..400 => Failure::Final(rejected("it has moved to another address".to_owned())),
        401 | 403 => Failure::Final(LlmError::Unauthorised {
            status,
            variable: key.map(|key| key.variable().to_owned()),
            cause,
        }),
        429 if body.code == "insufficient_quota" => Failure::Final(rejected(cause)),
        408 | 429 | 500..600 => Failure::Again {
            status: Some(status),
            cause: format!("status {status}, {cause}"),
            retry_after,
        },
        413 => Failure::Final(LlmError::TooLong { cause }),
        400 | 422 if body.says(&TOO_LONG) => Failure::Final(LlmError::TooLong { cause }),
        400 | 422 => match body.asks_for() {
            Some(concession) => Failure::Refused {
                concession,
                error: rejected(cause),
            },
            None => Failure::Final(rejected(cause)),
        },
        _ => Failure::Final(rejected(cause)),
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

    /// What has to be conceded. A format is refused wherever it is named; any other parameter only in words for that, as its
    /// value may be what is wrong.
    fn asks_for(&self) -> Option<Concession> {
        let names = |name: &str| self.parameter.contains(name) || self.all.contains(name);
        if ["response_format", "json_schema", "json_object"].into_iter().any(names) {
            return Some(Concession::AnyJson);
        }
        let others = [
            ("max_tokens", Concession::MaxCompletionTokens),
            ("temperature", Concession::NoTemperature),
            ("seed", Concession::NoSeed),
        ];
        let (_, concession) = others.into_iter().find(|(name, _)| names(name))?;
        self.says(&UNSUPPORTED).then_some(concession)
    }
}
