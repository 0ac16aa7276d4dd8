//! How often an endpoint is asked, how long it is left alone in between, and how many requests run at a time.

use super::{model, request};
use banyan_engine::llm::http::Clock;
use banyan_engine::llm::{Http, HttpConfig, LanguageModel, LlmError, Reply, Request, complete_all};
use banyan_tests::server::{Answer, ChatServer};
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, SystemTime};

/// What a model says to one request while the server follows this script, the pauses meanwhile, and the attempts.
fn ask(answers: &[Answer], max_retries: Option<u32>) -> (Result<Reply, LlmError>, Vec<f64>, usize) {
    let server = ChatServer::scripted(answers.iter().cloned());
    let (model, clock) = model(&server, |config| {
        config.max_retries = max_retries.unwrap_or(config.max_retries);
    });
    let reply = model.complete(&request("Teak."));
    (reply, clock.pauses(), server.asked().len())
}

fn limited(retry_after: &str) -> Answer {
    Answer::refusal(429, "rate_limit_exceeded", "slow down").with("Retry-After", retry_after)
}

#[test]
fn retry_after_is_obeyed_within_bounds() {
    for (retry_after, expected) in [
        ("7", 7.0),
        ("Sun, 06 Nov 1994 08:49:57 GMT", 20.0),
        ("86400", 60.0),
        ("Tue, 06 Nov 2035 08:49:57 GMT", 60.0),
    ] {
        let (reply, pauses, n_attempts) = ask(&[limited(retry_after), Answer::text("[]")], None);
        assert_eq!(reply.unwrap().text, "[]");
        assert_eq!((pauses, n_attempts), (vec![expected], 2), "{retry_after}");
    }
    let (reply, ..) = ask(&[limited("90")], Some(1));
    let error = reply.unwrap_err();
    let told = "at last with: status 429, slow down; allow fewer requests at once or a minute";
    assert!(error.to_string().ends_with(told), "{error}");
}

#[test]
fn failures_of_the_server_are_repeated_after_doubling_waits() {
    let down = |status: u16| Answer::status(status, "<html>down</html>");
    for status in [500, 408, 429, 503] {
        let answers = [down(status), down(status), Answer::text("[]")];
        let (reply, pauses, n_attempts) = ask(&answers, None);
        assert_eq!((reply.unwrap().text.as_str(), n_attempts), ("[]", 3));
        assert!(
            (0.5..=1.0).contains(&pauses[0]) && (1.0..=2.0).contains(&pauses[1]),
            "{pauses:?}"
        );
    }
    let (first, second) = (ask(&[down(500)], None), ask(&[down(500)], None));
    assert_eq!(first.1, second.1, "waits are the same in every run");
    assert_eq!((first.1.len(), first.2), (4, 5));
    let error = first.0.unwrap_err();
    assert!(
        matches!(&error, LlmError::Transient { attempts: 5, status: Some(500), cause } if cause == "status 500, <html>down</html>"),
        "{error:?}"
    );
    assert!(!error.ends_job());
}

#[test]
fn a_pause_that_is_stopped_ends_the_call() {
    #[derive(Debug)]
    struct Stopping;
    impl Clock for Stopping {
        fn now(&self) -> SystemTime {
            SystemTime::UNIX_EPOCH
        }
        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
        fn pause(&self, _: Duration) -> Result<(), LlmError> {
            Err(LlmError::Stopped)
        }
    }
    let server = ChatServer::scripted([Answer::status(500, "")]);
    let model = Http::new(HttpConfig::new(server.base_url(), "oak-1"), Stopping).unwrap();
    assert!(matches!(model.complete(&request("Teak.")), Err(LlmError::Stopped)));
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn requests_a_minute_are_spread_evenly() {
    let server = ChatServer::scripted([Answer::text("[]")]);
    let (model, clock) = model(&server, |config| config.requests_per_minute = NonZeroU32::new(3));
    for _ in 0..4 {
        model.complete(&request("Teak.")).unwrap();
    }
    assert_eq!(clock.pauses(), [20.0, 20.0, 20.0]);
}

#[test]
fn no_more_requests_run_at_a_time_than_allowed_and_that_many_do() {
    let (n_running, n_most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let most = n_most.clone();
    // Two answers are given only when two are asked for.
    let both_there = Barrier::new(2);
    let server = ChatServer::new(move |_, asked| {
        most.fetch_max(n_running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        both_there.wait();
        n_running.fetch_sub(1, Ordering::SeqCst);
        Answer::text(&format!("re: {}", asked.user()))
    });
    let eight = NonZeroUsize::new(8).unwrap();
    let (model, _) = model(&server, |config| config.max_concurrent = NonZeroUsize::new(2).unwrap());
    let requests: Vec<Request> = (0..8).map(|number: i32| request(&number.to_string())).collect();
    let results = complete_all(&model, &requests, eight, &|| false, |_, _| {});
    for (result, request) in results.iter().zip(&requests) {
        assert_eq!(result.as_ref().unwrap().text, format!("re: {}", request.user));
    }
    assert_eq!(n_most.load(Ordering::SeqCst), 2);
}
