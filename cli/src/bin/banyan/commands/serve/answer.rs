//! What a server answers to a question, a decision, and the explorer.

use super::Desk;
use crate::commands::tool::{self, Form, Shelf};
use anyhow::Result;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use banyan::Error;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tokio::time::timeout;

/// A question in the address; a parameter that is there several times is a list.
pub(super) async fn asked(
    State(desk): State<Arc<Desk>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Response {
    let mut given: Map<String, Value> = Map::new();
    for (name, value) in pairs {
        match given.get_mut(&name) {
            Some(Value::Array(values)) => values.push(value.into()),
            Some(first) => *first = json!([first.take(), value]),
            None => drop(given.insert(name, value.into())),
        }
    }
    answer(desk, name, given, wants_steps(&headers)).await
}

/// Whether the steps of an answer are asked for as they are done.
fn wants_steps(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).map_or(&[][..], HeaderValue::as_bytes);
    accepted.starts_with(b"text/event-stream")
}

/// A question in a body of JSON, or a decision.
pub(super) async fn told(
    State(desk): State<Arc<Desk>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejection) => return Refusal::new(rejection.status(), rejection.body_text()).into_response(),
    };
    let kind = headers.get(header::CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
    match serde_json::from_slice(&body) {
        Ok(given) if tool::CHANGES.contains(&name.as_str()) => {
            let (status, why) = match (desk.door.may_change, kind.starts_with(b"application/json")) {
                (true, true) => {
                    return sent(work(&desk, true, move |shelf| shelf.change(&name, &given).map(Some)).await);
                }
                (false, _) => (
                    StatusCode::FORBIDDEN,
                    "the store is served to be read; `serve --write` lets it be changed",
                ),
                // A page from elsewhere may send forms, but nothing of this type.
                (true, false) => (
                    StatusCode::UNSUPPORTED_MEDIA_TYPE,
                    "expected the header `Content-Type: application/json`",
                ),
            };
            Refusal::new(status, why).into_response()
        }
        Ok(given) => answer(desk, name, given, wants_steps(&headers)).await,
        Err(error) => Refusal::new(
            StatusCode::BAD_REQUEST,
            format!("expected a JSON object of parameters: {error}"),
        )
        .into_response(),
    }
}

async fn answer(desk: Arc<Desk>, name: String, given: Map<String, Value>, is_streamed: bool) -> Response {
    if tool::CHANGES.contains(&name.as_str()) {
        let why = format!("{name}: a decision is sent by POST, as JSON");
        return Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why).into_response();
    }
    if !tool::TOOLS.contains(&name.as_str()) {
        let why = format!("{name:?}: expected one of {}", tool::TOOLS.join(", "));
        return Refusal::new(StatusCode::NOT_FOUND, why).into_response();
    }
    if !is_streamed {
        return sent(
            work(&desk, false, move |shelf| {
                shelf.call(&name, &given, Form::Json).map(Some)
            })
            .await,
        );
    }
    let patience = desk.door.patience;
    let (tell, told) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        let steps = tell.clone();
        let done = work(&desk, false, move |shelf| {
            let found = shelf.heard(&name, &given, Form::Json, &mut |step| {
                // Who went away hears nothing more.
                drop(steps.send(Event::default().event("step").json_data(step)));
            });
            found.map(Some)
        });
        let done = timeout(patience, done).await.unwrap_or_else(|_| Err(Refusal::late()));
        let event = match done {
            Ok(reply) => Event::default().event("reply").data(reply),
            Err(refusal) => Event::default().event("error").data(refusal.body().to_string()),
        };
        drop(tell.send(Ok(event)));
    });
    Sse::new(futures_util::stream::unfold(told, |mut told| async {
        told.recv().await.map(|event| (event, told))
    }))
    .keep_alive(KeepAlive::default())
    .into_response()
}

/// All that the explorer shows at once.
pub(super) async fn mapped(State(desk): State<Arc<Desk>>) -> Response {
    let may_change = desk.door.may_change;
    sent(work(&desk, false, move |shelf| shelf.atlas(may_change).map(Some)).await)
}

/// A document, by its number in that.
pub(super) async fn opened(State(desk): State<Arc<Desk>>, Path(number): Path<String>) -> Response {
    let found = work(&desk, false, move |shelf| match number.parse() {
        Ok(number) => shelf.document(number),
        Err(_) => Ok(None),
    });
    sent(found.await)
}

/// What `job` finds, when it is its turn; else the refusal to send. A change takes all cores.
pub(super) async fn work(
    desk: &Arc<Desk>,
    is_change: bool,
    job: impl FnOnce(&Shelf) -> Result<Option<String>> + Send + 'static,
) -> Result<String, Refusal> {
    let turn = desk.door.turn().await?;
    let shelf = Arc::clone(&desk.shelf);
    match tokio::task::spawn_blocking(move || {
        // Held to the end of the work, also where nobody waits for it any more.
        if is_change {
            job(&shelf)
        } else {
            turn.work(|| job(&shelf))
        }
    })
    .await
    {
        Ok(Ok(Some(found))) => Ok(found),
        Ok(Ok(None)) => Err(Refusal::new(StatusCode::NOT_FOUND, "the store has no such document")),
        Ok(Err(error)) => Err(Refusal::new(status(&error), format!("{error:#}"))),
        Err(_) => Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "answering failed")),
    }
}

/// What was found, as JSON, or why it was not.
fn sent(found: Result<String, Refusal>) -> Response {
    found.map_or_else(Refusal::into_response, |found| {
        ([(header::CONTENT_TYPE, "application/json")], found).into_response()
    })
}

/// A page that runs nothing and asks nobody but what it came with.
pub(super) fn shown(page: String) -> Response {
    let rules = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (rules, page).into_response()
}

fn status(error: &anyhow::Error) -> StatusCode {
    match error.downcast_ref::<Error>() {
        Some(Error::Store(_)) => StatusCode::INTERNAL_SERVER_ERROR,
        Some(Error::Model(_)) => StatusCode::BAD_GATEWAY,
        Some(Error::Stopped(_)) => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// Why there is no answer.
pub(crate) struct Refusal {
    status: StatusCode,
    pub(crate) why: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self {
            status,
            why: why.into(),
        }
    }

    pub(super) fn late() -> Self {
        Self::new(StatusCode::GATEWAY_TIMEOUT, "not answered in time; ask for less")
    }

    fn body(&self) -> Value {
        json!({"error": self.why})
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body())).into_response()
    }
}
