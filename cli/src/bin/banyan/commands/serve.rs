//! `banyan serve`: a store asked over HTTP.

use super::atlas;
use super::tool::{self, Form, Shelf};
use crate::args::Serve;
use crate::{Outcome, render};
use anyhow::{Context, Result, bail};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use banyan::{Environment, Error};
use serde_json::{Map, Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

mod openapi;

/// Longest body of a request, in bytes. Arbitrary: several times the longest question.
const MAX_BODY: usize = 64 << 10;
/// Questions that may wait for each that is being answered; one more is told to come later. Arbitrary.
const WAITING: usize = 64;
/// How often the wish to stop is looked for.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &Serve, env: &Environment) -> Result<Outcome> {
    if !args.at.host.is_loopback() && args.at.token.is_none() {
        bail!(
            "--host {}: others can reach this address; name a --token that they have to send, or listen on 127.0.0.1",
            args.at.host
        );
    }
    let n = available_parallelism().map_or(2, usize::from);
    let desk = Arc::new(Desk {
        shelf: Shelf::open(&args.target.store, env)?,
        places: Semaphore::new(n),
        waiting: Semaphore::new(n * (1 + WAITING)),
        host: args.at.host,
        token: args.at.token.clone(),
        patience: Duration::from_secs(args.at.timeout),
        may_change: args.write,
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.context("cannot start the server")?.block_on(async {
        let listener = TcpListener::bind((args.at.host, args.at.port)).await;
        let listener = listener.with_context(|| {
            format!(
                "--port {}: cannot listen on {}; take another, or 0 for a free one",
                args.at.port, args.at.host
            )
        })?;
        let address = listener.local_addr().context("cannot tell the address")?;
        render::text(&format!("http://{address}"))?;
        let stop = env.stop.clone();
        let asked = async move {
            while !stop.is_asked() {
                sleep(LOOK).await;
            }
        };
        let served = axum::serve(listener, router(&desk)).with_graceful_shutdown(asked);
        served.await.context("the server failed")
    })?;
    Ok(Outcome::Done)
}

fn router(desk: &Arc<Desk>) -> Router {
    let page: Arc<str> = atlas::page("null").into();
    Router::new()
        .route("/", get(|| async move { shown(page.to_string()) }))
        .route("/v1/atlas", get(mapped))
        .route("/v1/documents/{number}", get(opened))
        .route(
            "/health",
            get(|| async { Json(json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")})) }),
        )
        .route("/openapi.json", get(|| async { Json(openapi::document()) }))
        .route("/v1/{tool}", get(asked).post(told))
        .fallback(|| async {
            refused(
                StatusCode::NOT_FOUND,
                "no such address; /openapi.json tells which there are",
            )
        })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(desk), guarded))
        .with_state(Arc::clone(desk))
}

/// A store, and who may ask how much of it.
struct Desk {
    shelf: Shelf,
    /// For questions that are being answered, and for all that were asked.
    places: Semaphore,
    waiting: Semaphore,
    host: IpAddr,
    token: Option<String>,
    patience: Duration,
    may_change: bool,
}

impl Desk {
    /// Why a request is not let in: it has no right token, which the page that asks for it does not need, or its host is another name for this machine, by which a page
    /// from elsewhere would ask.
    fn objection(&self, path: &str, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name| {
            headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
        };
        if let Some(token) = self.token.as_ref().filter(|_| path != "/") {
            let given = text(header::AUTHORIZATION).strip_prefix("Bearer ").unwrap_or_default();
            let differs = given
                .bytes()
                .zip(token.bytes())
                .fold(0, |differs, (a, b)| differs | (a ^ b));
            let is_right = given.len() == token.len() && differs == 0;
            return (!is_right).then_some((
                StatusCode::UNAUTHORIZED,
                "expected the header `Authorization: Bearer TOKEN`",
            ));
        }
        if self.token.is_some() {
            return None;
        }
        let host = text(header::HOST);
        let host = host
            .rsplit_once(':')
            .map_or(host, |(host, _)| host)
            .trim_matches(['[', ']']);
        let is_own = host == "localhost" || host.parse() == Ok(self.host);
        (!is_own).then_some((
            StatusCode::FORBIDDEN,
            "expected the address that the server listens on as host",
        ))
    }
}

/// Lets in who may ask, and ends what takes too long, be it that the body does not come.
async fn guarded(State(desk): State<Arc<Desk>>, request: Request, next: Next) -> Response {
    if let Some((status, why)) = desk.objection(request.uri().path(), request.headers()) {
        return refused(status, why);
    }
    let answered = timeout(desk.patience, next.run(request)).await;
    answered.unwrap_or_else(|_| late())
}

fn late() -> Response {
    refused(StatusCode::GATEWAY_TIMEOUT, "not answered in time; ask for less")
}

/// A question in the address; a parameter that is there several times is a list.
async fn asked(
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
async fn told(State(desk): State<Arc<Desk>>, Path(name): Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let kind = headers.get(header::CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
    match serde_json::from_slice(&body) {
        Ok(given) if tool::CHANGES.contains(&name.as_str()) => {
            let (status, why) = match (desk.may_change, kind.starts_with(b"application/json")) {
                (true, true) => return work(desk, move |shelf| shelf.change(&name, &given).map(Some)).await,
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
            refused(status, why)
        }
        Ok(given) => answer(desk, name, given, wants_steps(&headers)).await,
        Err(error) => refused(
            StatusCode::BAD_REQUEST,
            &format!("expected a JSON object of parameters: {error}"),
        ),
    }
}

async fn answer(desk: Arc<Desk>, name: String, given: Map<String, Value>, is_streamed: bool) -> Response {
    if !tool::TOOLS.contains(&name.as_str()) {
        let why = format!("{name:?}: expected one of {}", tool::TOOLS.join(", "));
        return refused(StatusCode::NOT_FOUND, &why);
    }
    if !is_streamed {
        return work(desk, move |shelf| shelf.call(&name, &given, Form::Json).map(Some)).await;
    }
    let patience = desk.patience;
    let (tell, told) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        let steps = tell.clone();
        let done = work(desk, move |shelf| {
            let found = shelf.heard(&name, &given, Form::Json, &mut |step| {
                // Who went away hears nothing more.
                drop(steps.send(Event::default().event("step").json_data(step)));
            });
            found.map(Some)
        });
        let done = timeout(patience, done).await.unwrap_or_else(|_| late());
        let kind = if done.status().is_success() { "reply" } else { "error" };
        let body = axum::body::to_bytes(done.into_body(), usize::MAX).await;
        let body = body.map(|body| Event::default().event(kind).data(String::from_utf8_lossy(&body)));
        drop(tell.send(body));
    });
    Sse::new(futures_util::stream::unfold(told, |mut told| async {
        told.recv().await.map(|event| (event, told))
    }))
    .keep_alive(KeepAlive::default())
    .into_response()
}

/// All that the explorer shows at once.
async fn mapped(State(desk): State<Arc<Desk>>) -> Response {
    let may_change = desk.may_change;
    work(desk, move |shelf| shelf.atlas(may_change).map(Some)).await
}

/// A document, by its number in that.
async fn opened(State(desk): State<Arc<Desk>>, Path(number): Path<String>) -> Response {
    work(desk, move |shelf| match number.parse() {
        Ok(number) => shelf.document(number),
        Err(_) => Ok(None),
    })
    .await
}

/// What `job` finds, in JSON, when it is its turn.
async fn work(desk: Arc<Desk>, job: impl FnOnce(&Shelf) -> Result<Option<String>> + Send + 'static) -> Response {
    let Ok(_waiting) = desk.waiting.try_acquire() else {
        return refused(
            StatusCode::SERVICE_UNAVAILABLE,
            "too many questions at once; come again",
        );
    };
    let Ok(_place) = desk.places.acquire().await else {
        return refused(StatusCode::SERVICE_UNAVAILABLE, "the server stops");
    };
    let working = Arc::clone(&desk);
    match tokio::task::spawn_blocking(move || job(&working.shelf)).await {
        Ok(Ok(Some(found))) => ([(header::CONTENT_TYPE, "application/json")], found).into_response(),
        Ok(Ok(None)) => refused(StatusCode::NOT_FOUND, "the store has no such document"),
        Ok(Err(error)) => refused(status(&error), &format!("{error:#}")),
        Err(_) => refused(StatusCode::INTERNAL_SERVER_ERROR, "answering failed"),
    }
}

/// A page that runs nothing and asks nobody but what it came with.
fn shown(page: String) -> Response {
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

fn refused(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({"error": why}))).into_response()
}
