//! `banyan serve`: stores shown in a browser and asked over HTTP.

use super::atlas;
use super::mcp;
use super::tool::Shelf;
use crate::args::{Address, Serve};
use crate::{Outcome, render};
use answer::Refusal;
use anyhow::{Context, Result, ensure};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use banyan::Environment;
use meter::Meter;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

mod answer;
mod chat;
mod meter;
mod openapi;

/// Longest body of a request, in bytes. Arbitrary: several times the longest question.
const MAX_BODY: usize = 64 << 10;
/// Questions that may wait for each that is being answered; one more is told to come later. Arbitrary.
const WAITING: usize = 64;
/// How often the wish to stop is looked for.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &Serve, env: &Environment) -> Result<Outcome> {
    check(&args.at)?;
    let n = available_parallelism().map_or(2, usize::from);
    let pools = (0..n).map(|_| ThreadPoolBuilder::new().num_threads(1).build());
    let door = Arc::new(Door {
        pools: Mutex::new(pools.collect::<Result<_, _>>().context("cannot start the server")?),
        places: Arc::new(Semaphore::new(n)),
        waiting: Arc::new(Semaphore::new(n * (1 + WAITING))),
        host: args.at.host,
        token: args.at.token.clone(),
        patience: Duration::from_secs(args.at.timeout),
        may_change: args.write,
        meter: Meter::new(args.at.log),
    });
    let mut desks: BTreeMap<String, Arc<Desk>> = BTreeMap::new();
    for store in &args.stores {
        let shelf = Arc::new(Shelf::open(store, args.cache, env)?);
        let name = shelf.name();
        let is_plain = |ch: char| ch.is_ascii_alphanumeric() || "-_.".contains(ch);
        ensure!(
            args.stores.len() == 1 || (name.chars().all(is_plain) && !RESERVED.contains(&name.as_str())),
            "{}: among several, a store is reached by its name, and {name:?} cannot be one; expected letters, digits, - _ .",
            store.display()
        );
        let desk = Arc::new(Desk {
            shelf,
            door: Arc::clone(&door),
        });
        ensure!(
            desks.insert(name.clone(), desk).is_none(),
            "{}: two stores are called {name}; rename the directory of one",
            store.display()
        );
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.context("cannot start the server")?.block_on(async {
        let listener = TcpListener::bind((args.at.host, args.at.port)).await;
        let listener = listener.with_context(|| taken(&args.at))?;
        let address = listener.local_addr().context("cannot tell the address")?;
        render::text(&format!("http://{address}"))?;
        let stop = env.stop.clone();
        let asked = async move {
            while !stop.is_asked() {
                sleep(LOOK).await;
            }
        };
        let served = axum::serve(listener, router(&desks, &door)).with_graceful_shutdown(asked);
        served.await.context("the server failed")
    })?;
    Ok(Outcome::Done)
}

/// Whether one may listen there, so that a long work that ends in serving need not begin in vain.
///
/// # Errors
/// Where the port is in use, or others could ask without a token.
pub(crate) fn check(at: &Address) -> Result<()> {
    ensure!(
        at.host.is_loopback() || at.token.is_some(),
        "--host {}: others can reach this address; name a --token that they have to send, or listen on 127.0.0.1",
        at.host
    );
    let listener = std::net::TcpListener::bind((at.host, at.port));
    listener.map(drop).with_context(|| taken(at))
}

fn taken(at: &Address) -> String {
    let Address { host, port, .. } = at;
    format!("--port {port}: cannot listen on {host}; take another, or 0 for a free one")
}

/// Whether a path is that of the explorer, which holds nothing of a store, or of the list of stores: `/` or `/NAME/`.
fn is_page(path: &str) -> bool {
    let name = path.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    path == "/" || name.is_some_and(|name| !name.contains('/') && !RESERVED.contains(&name))
}

/// First words of addresses that are no stores.
const RESERVED: [&str; 4] = ["health", "metrics", "openapi.json", "v1"];

/// The addresses of all stores: one stands alone, each of several under its name.
fn router(desks: &BTreeMap<String, Arc<Desk>>, door: &Arc<Door>) -> Router {
    let health = Json(json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}));
    let counts = Arc::clone(door);
    let mut all = Router::new()
        .route("/health", get(|| async move { health }))
        .route("/metrics", get(|| async move { counts.meter.text() }));
    match desks.first_key_value() {
        Some((_, desk)) if desks.len() == 1 => all = all.merge(addresses(desk, "")),
        _ => {
            let names: Vec<String> = desks.keys().cloned().collect();
            let list = json!({"stores": names});
            let links = atlas::shelf_page(&names);
            all = all
                .route("/", get(|| async move { answer::shown(links) }))
                .route("/v1/stores", get(|| async move { Json(list) }));
            let described = Json(openapi::document(&names));
            all = all.route("/openapi.json", get(|| async move { described }));
            for (name, desk) in desks {
                let page = format!("/{name}/");
                all = all
                    .route(&format!("/{name}"), get(|| async move { Redirect::permanent(&page) }))
                    .merge(addresses(desk, &format!("/{name}")));
            }
        }
    }
    all.method_not_allowed_fallback(|| async {
        Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "this address takes another method; /openapi.json tells which",
        )
    })
    .fallback(|| async {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "no such address; /openapi.json tells which there are",
        )
    })
    .layer(DefaultBodyLimit::max(MAX_BODY))
    .layer(middleware::from_fn_with_state(Arc::clone(door), guarded))
}

/// The addresses of one store, which begin with `base`.
fn addresses(desk: &Arc<Desk>, base: &str) -> Router {
    let page = atlas::page("null");
    let name = base.trim_start_matches('/').to_owned();
    let described = Json(openapi::document(if name.is_empty() {
        &[]
    } else {
        std::slice::from_ref(&name)
    }));
    Router::new()
        .route(&format!("{base}/"), get(|| async move { answer::shown(page) }))
        .route(&format!("{base}/openapi.json"), get(|| async move { described }))
        .route(&format!("{base}/v1/atlas"), get(answer::mapped))
        .route(&format!("{base}/v1/documents/{{number}}"), get(answer::opened))
        .route(&format!("{base}/v1/models"), get(chat::models))
        .route(&format!("{base}/v1/chat/completions"), post(chat::chat))
        .route(&format!("{base}/v1/{{tool}}"), get(answer::asked).post(answer::told))
        .with_state(Arc::clone(desk))
        .route_service(&format!("{base}/mcp"), mcp::service(&desk.shelf, &desk.door, MAX_BODY))
}

/// A store, and the door that its callers come in by.
struct Desk {
    shelf: Arc<Shelf>,
    door: Arc<Door>,
}

/// A place to work at.
pub(super) struct Turn {
    pool: Option<ThreadPool>,
    door: Arc<Door>,
    _permits: [OwnedSemaphorePermit; 2],
}

impl Turn {
    /// Works on one core: to divide what is asked among cores that others use would only cost time.
    pub(super) fn work<T: Send>(&self, job: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(job),
            None => job(),
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut pools = self.door.pools.lock().unwrap_or_else(PoisonError::into_inner);
        pools.extend(self.pool.take());
    }
}

/// Who may ask how much.
pub(super) struct Door {
    /// A thread for each place.
    pools: Mutex<Vec<ThreadPool>>,
    /// For questions that are being answered, and for all that were asked.
    places: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    host: IpAddr,
    token: Option<String>,
    patience: Duration,
    pub(super) may_change: bool,
    meter: Meter,
}

impl Door {
    /// A place to work, when there is one; it is free again when what is returned goes.
    ///
    /// # Errors
    /// The refusal to send where too many wait already.
    pub(super) async fn turn(self: &Arc<Self>) -> Result<Turn, Refusal> {
        let stops = |why| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why);
        let waiting = Arc::clone(&self.waiting).try_acquire_owned();
        let waiting = waiting.map_err(|_| stops("too many questions at once; come again"))?;
        let place = Arc::clone(&self.places)
            .acquire_owned()
            .await
            .map_err(|_| stops("the server stops"))?;
        let pool = self.pools.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok(Turn {
            pool,
            door: Arc::clone(self),
            _permits: [waiting, place],
        })
    }

    /// Why a request is not let in: it has no right token, which a page that asks for it does not need, or its host is another
    /// name for this machine, by which a page from elsewhere would ask.
    fn objection(&self, path: &str, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name| {
            headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
        };
        if let Some(token) = self.token.as_ref().filter(|_| !is_page(path) && path != "/health") {
            let given = text(header::AUTHORIZATION).split_once(' ');
            let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            let given = given.map_or("", |(_, token)| token);
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
        let (host, origin) = (text(header::HOST), text(header::ORIGIN));
        if origin.split_once("://").is_some_and(|(_, from)| from != host) {
            return Some((StatusCode::FORBIDDEN, "a page from elsewhere may not ask this server"));
        }
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

/// Lets in who may ask, ends what takes too long, be it that the body does not come, and counts all of it.
async fn guarded(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    let (method, began) = (request.method().clone(), Instant::now());
    let path = request.uri().path().to_owned();
    let objection = door.objection(&path, request.headers());
    let reply = match objection {
        Some((status, why)) => Err(Refusal::new(status, why)),
        None => timeout(door.patience, next.run(request))
            .await
            .map_err(|_| Refusal::late()),
    };
    let reply = reply.unwrap_or_else(Refusal::into_response);
    door.meter.note(&method, &path, reply.status(), began.elapsed());
    reply
}
