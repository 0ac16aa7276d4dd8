//! `banyan serve`: a store asked over HTTP.

use super::tool;
use crate::args::Serve;
use crate::{Outcome, render};
use anyhow::{Context, Result, bail};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use banyan::{Banyan, Environment, Error};
use serde_json::{Map, Value, json};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
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
    if !args.host.is_loopback() && args.token.is_none() {
        bail!(
            "--host {}: others can reach this address; name a --token that they have to send, or listen on 127.0.0.1",
            args.host
        );
    }
    let n = available_parallelism().map_or(2, usize::from);
    let desk = Arc::new(Desk {
        store: args.target.store.clone(),
        env: env.clone(),
        open: Mutex::new(Arc::new(Banyan::open(&args.target.store, env.clone())?)),
        places: Semaphore::new(n),
        waiting: Semaphore::new(n * (1 + WAITING)),
        host: args.host,
        token: args.token.clone(),
        patience: Duration::from_secs(args.timeout),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.context("cannot start the server")?.block_on(async {
        let listener = TcpListener::bind((args.host, args.port)).await;
        let listener = listener.with_context(|| {
            format!(
                "--port {}: cannot listen on {}; take another, or 0 for a free one",
                args.port, args.host
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
    Router::new()
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
    store: PathBuf,
    env: Environment,
    open: Mutex<Arc<Banyan>>,
    /// For questions that are being answered, and for all that were asked.
    places: Semaphore,
    waiting: Semaphore,
    host: IpAddr,
    token: Option<String>,
    patience: Duration,
}

impl Desk {
    /// The store as it is now: it is opened again where somebody changed it.
    fn current(&self) -> Result<Arc<Banyan>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if !open.is_current()? {
            *open = Arc::new(Banyan::open(&self.store, self.env.clone())?);
        }
        Ok(Arc::clone(&open))
    }

    /// Why a request is not let in: it has no right token, or its host is another name for this machine, by which a page
    /// from elsewhere would ask.
    fn objection(&self, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name| {
            headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
        };
        if let Some(token) = &self.token {
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
    if let Some((status, why)) = desk.objection(request.headers()) {
        return refused(status, why);
    }
    let answered = timeout(desk.patience, next.run(request)).await;
    answered.unwrap_or_else(|_| refused(StatusCode::GATEWAY_TIMEOUT, "not answered in time; ask for less"))
}

/// A question in the address; a parameter that is there several times is a list.
async fn asked(
    State(desk): State<Arc<Desk>>,
    Path(name): Path<String>,
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
    answer(desk, name, given).await
}

/// A question in a body of JSON.
async fn told(State(desk): State<Arc<Desk>>, Path(name): Path<String>, body: Bytes) -> Response {
    match serde_json::from_slice(&body) {
        Ok(given) => answer(desk, name, given).await,
        Err(error) => refused(
            StatusCode::BAD_REQUEST,
            &format!("expected a JSON object of parameters: {error}"),
        ),
    }
}

async fn answer(desk: Arc<Desk>, name: String, given: Map<String, Value>) -> Response {
    if !tool::TOOLS.contains(&name.as_str()) {
        let why = format!("{name:?}: expected one of {}", tool::TOOLS.join(", "));
        return refused(StatusCode::NOT_FOUND, &why);
    }
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
    let work = tokio::task::spawn_blocking(move || {
        let banyan = working.current()?;
        tool::call(&name, &given, &banyan, &working.store)
    });
    match work.await {
        Ok(Ok(found)) => ([(header::CONTENT_TYPE, "application/json")], found).into_response(),
        Ok(Err(error)) => refused(status(&error), &format!("{error:#}")),
        Err(_) => refused(StatusCode::INTERNAL_SERVER_ERROR, "answering failed"),
    }
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
