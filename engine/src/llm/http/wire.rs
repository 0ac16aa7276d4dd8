//! Chat completions as JSON.

use super::super::excerpt::excerpt;
use super::super::{ApiKey, Finish, Reply, Request, Usage, estimate_tokens};
use super::config::SEED;
use super::failure::{Failure, bad_reply, of_status, quote};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Parameters that an endpoint may refuse, and the formats of a reply.
pub(super) const MAX_TOKENS: &str = "max_tokens";
pub(super) const TEMPERATURE: &str = "temperature";
pub(super) const SEED_NAME: &str = "seed";
pub(super) const JSON_SCHEMA: &str = "json_schema";
pub(super) const JSON_OBJECT: &str = "json_object";

/// What an endpoint refused so far of what it was asked with.
pub(super) type Refused = BTreeSet<&'static str>;

/// Longest body of a response. No model writes more than a few hundred thousand tokens, about a megabyte.
pub const MAX_REPLY_BYTES: u64 = 8 << 20;

/// The body of a request to an endpoint that does not take what is `refused`: a JSON schema becomes any JSON object and
/// then no format, `max_tokens` becomes `max_completion_tokens`, other parameters are left out.
pub(super) fn body(model: &str, request: &Request, refused: &Refused) -> Vec<u8> {
    let mut body = json!({
        "model": model,
        "messages": [
            { "role": "system", "content": request.system },
            { "role": "user", "content": request.user },
        ],
    });
    let max_tokens = if refused.contains(MAX_TOKENS) {
        "max_completion_tokens"
    } else {
        MAX_TOKENS
    };
    body[max_tokens] = request.max_reply_tokens.into();
    for (name, value) in [(TEMPERATURE, 0), (SEED_NAME, SEED)] {
        if !refused.contains(name) {
            body[name] = value.into();
        }
    }
    let Some(shape) = request.shape.as_ref().filter(|_| !refused.contains(JSON_OBJECT)) else {
        return body.to_string().into_bytes();
    };
    if refused.contains(JSON_SCHEMA) {
        body["response_format"] = json!({ "type": JSON_OBJECT });
        return body.to_string().into_bytes();
    }
    // Written by hand, because a JSON value keeps its entries in the order of their names.
    let (name, schema) = (Value::from(shape.name.as_str()), shape.text());
    let schema = format!(r#"{{"name":{name},"schema":{schema},"strict":true}}"#);
    let format = format!(r#","response_format":{{"json_schema":{schema},"type":"{JSON_SCHEMA}"}}}}"#);
    let mut text = body.to_string();
    text.truncate(text.len() - 1);
    (text + &format).into_bytes()
}

#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Value,
    #[serde(default)]
    error: Value,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<Content>,
}

/// A text, or parts of one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    text: String,
}

/// The reply in the body of a successful response.
pub(super) fn reply(bytes: &[u8], request: &Request, key: Option<&ApiKey>) -> Result<Reply, Failure> {
    let completion: Completion =
        serde_json::from_slice(bytes).map_err(|error| bad_reply(expected(&error), quote_bytes(bytes, key)))?;
    if let (Some(status), true) = (status_within(&completion.error), completion.choices.is_empty()) {
        return Err(of_status(status, None, bytes, key));
    }
    let Some(choice) = completion.choices.into_iter().next() else {
        return Err(bad_reply("a choice", quote_bytes(bytes, key)));
    };
    let finish = finish(choice.finish_reason.as_deref());
    let text = match choice.message.content {
        Some(Content::Text(text)) => text,
        Some(Content::Parts(parts)) => parts.into_iter().map(|part| part.text).collect(),
        // A model that only thought until its limit, or whose reply was withheld.
        None if finish != Finish::Stop => String::new(),
        None => {
            return Err(bad_reply(
                "a text in choices[0].message.content",
                quote_bytes(bytes, key),
            ));
        }
    };
    if key.is_some_and(|key| key.is_in(&text)) {
        return Err(bad_reply(
            "a reply without the API key",
            "one that repeats it".to_owned(),
        ));
    }
    let usage = usage(&completion.usage).unwrap_or_else(|| Usage {
        prompt_tokens: request.estimated_prompt_tokens(),
        completion_tokens: estimate_tokens(&text),
        is_estimated: true,
        is_replayed: false,
    });
    Ok(Reply { text, usage, finish })
}

/// What would have been right, by how it is wrong.
fn expected(error: &serde_json::Error) -> &'static str {
    match error.classify() {
        serde_json::error::Category::Eof => "a whole JSON object",
        serde_json::error::Category::Data => "a chat completion",
        serde_json::error::Category::Syntax | serde_json::error::Category::Io => "JSON",
    }
}

fn quote_bytes(bytes: &[u8], key: Option<&ApiKey>) -> String {
    quote(&String::from_utf8_lossy(bytes), key)
}

/// The status of an error that a gateway delivers as a success, as `{"error": {"code": 502}}`.
fn status_within(error: &Value) -> Option<u16> {
    let status = u16::try_from(error.get("code")?.as_u64()?).ok()?;
    (400..600).contains(&status).then_some(status)
}

fn finish(reason: Option<&str>) -> Finish {
    match reason {
        None | Some("" | "stop") => Finish::Stop,
        Some("length") => Finish::Length,
        Some(other) => Finish::Other(excerpt(other)),
    }
}

/// Tokens as the endpoint counted them; `None` where it gives no count, or none that can be.
fn usage(usage: &Value) -> Option<Usage> {
    let count = |name: &str| usage.get(name)?.as_u64().filter(|n| u32::try_from(*n).is_ok());
    Some(Usage {
        prompt_tokens: count("prompt_tokens").filter(|n| *n > 0)?,
        completion_tokens: count("completion_tokens")?,
        ..Usage::default()
    })
}
