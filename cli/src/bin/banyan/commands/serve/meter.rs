//! What a server counts and tells of its requests: never what was asked.

use axum::http::{Method, StatusCode};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Write as _, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Requests by what they asked for and how they ended, with the time that they took.
#[derive(Debug, Default)]
pub(super) struct Meter {
    counts: Mutex<BTreeMap<(String, u16), (u64, Duration)>>,
    /// Whether each request is told on stderr, too.
    is_told: bool,
}

impl Meter {
    pub(super) fn new(is_told: bool) -> Self {
        Self {
            counts: Mutex::default(),
            is_told,
        }
    }

    /// Notes a request. What was not let in or not there is counted as one address, and so are documents.
    pub(super) fn note(&self, method: &Method, path: &str, status: StatusCode, took: Duration) {
        let address = match status {
            _ if status.is_client_error() && status != StatusCode::BAD_REQUEST => "",
            _ => path
                .find("/v1/documents/")
                .map_or(path, |at| &path[..at + "/v1/documents".len()]),
        };
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let (n, time) = counts.entry((address.to_owned(), status.as_u16())).or_default();
        *n += 1;
        *time += took;
        drop(counts);
        if self.is_told {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let line = json!({
                "time": now.as_secs_f64(),
                "method": method.as_str(),
                "address": address,
                "status": status.as_u16(),
                "ms": took.as_secs_f64() * 1e3,
            });
            // Nothing is left to do where nobody reads the log.
            drop(writeln!(stderr(), "{line}"));
        }
    }

    /// In the text format of Prometheus.
    pub(super) fn text(&self) -> String {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from("# TYPE banyan_requests_total counter\n");
        let mut seconds = String::from("# TYPE banyan_request_seconds_total counter\n");
        for ((address, status), (n, time)) in counts.iter() {
            let labels = format!("{{address=\"{address}\",status=\"{status}\"}}");
            // Writing to a String cannot fail.
            let _ = writeln!(text, "banyan_requests_total{labels} {n}");
            let _ = writeln!(seconds, "banyan_request_seconds_total{labels} {}", time.as_secs_f64());
        }
        text + &seconds
    }
}
