//! The chat endpoint that many programs speak: the last message of the user is the question.

use super::Desk;
use super::answer::{Refusal, work};
use crate::commands::tool::Form;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// What is appended to a store's name to ask in open mode.
const OPEN: &str = ":open";

#[derive(Deserialize)]
struct Chat {
    #[serde(default)]
    model: String,
    messages: Vec<Message>,
    #[serde(default)]
    stream: bool,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    /// A text, or a list of parts of which some are text.
    content: Value,
}

impl Message {
    fn text(&self) -> String {
        match &self.content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => {
                let texts = parts.iter().filter_map(|part| part["text"].as_str());
                texts.collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        }
    }
}

/// The names under which a store answers.
pub(super) async fn models(State(desk): State<Arc<Desk>>) -> Response {
    let name = desk.shelf.name();
    let models = [name.clone(), name + OPEN].map(|id| json!({"id": id, "object": "model", "owned_by": "banyan"}));
    Json(json!({"object": "list", "data": models})).into_response()
}

/// An answer with its sources as the reply of an assistant.
pub(super) async fn chat(State(desk): State<Arc<Desk>>, body: Bytes) -> Response {
    let chat: Chat = match serde_json::from_slice(&body) {
        Ok(chat) => chat,
        Err(error) => {
            return Refusal::new(
                StatusCode::BAD_REQUEST,
                format!("expected a request of a chat: {error}"),
            )
            .into_response();
        }
    };
    let Some(asked) = chat.messages.iter().rev().find(|message| message.role == "user") else {
        return Refusal::new(StatusCode::BAD_REQUEST, "messages: expected one whose role is user").into_response();
    };
    let name = desk.shelf.name();
    let known = [String::new(), name.clone(), name.clone() + OPEN];
    if !known.contains(&chat.model) {
        let why = format!("model {:?}: expected {name} or {name}{OPEN}", chat.model);
        return Refusal::new(StatusCode::NOT_FOUND, why).into_response();
    }
    let mode = if chat.model.ends_with(OPEN) { "open" } else { "reject" };
    let mut given = Map::new();
    given.insert("question".to_owned(), asked.text().into());
    given.insert("mode".to_owned(), mode.into());
    let found = work(&desk, false, move |shelf| {
        shelf.call("query", &given, Form::Brief).map(Some)
    })
    .await;
    let text = match found {
        Ok(text) => text,
        Err(refusal) => return refusal.into_response(),
    };
    let created = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let reply = |object: &str, choice: Value| json!({"id": "banyan", "object": object, "created": created, "model": chat.model, "choices": [choice]});
    if !chat.stream {
        let message = json!({"role": "assistant", "content": text});
        let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
        return Json(reply("chat.completion", choice)).into_response();
    }
    let delta = json!({"role": "assistant", "content": text});
    let chunks = [
        json!({"index": 0, "delta": delta, "finish_reason": null}),
        json!({"index": 0, "delta": {}, "finish_reason": "stop"}),
    ];
    let chunks = chunks.map(|choice| reply("chat.completion.chunk", choice).to_string());
    let events = chunks.into_iter().chain(["[DONE]".to_owned()]);
    let events: Vec<Result<Event, Infallible>> = events.map(|data| Ok(Event::default().data(data))).collect();
    Sse::new(futures_util::stream::iter(events)).into_response()
}
