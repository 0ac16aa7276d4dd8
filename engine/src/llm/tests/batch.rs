//! [`complete_all`].

use super::{Scripted, echo, outage, request};
use crate::llm::{LlmError, MAX_FAILED_IN_A_ROW, Reply, Request, complete_all};
use std::num::NonZeroUsize;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

fn n(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

fn requests(n: usize) -> Vec<Request> {
    (0..n).map(|number| request(&number.to_string())).collect()
}

/// The texts of replies, and `-` for a request that was not begun.
fn texts(results: &[Result<Reply, LlmError>]) -> Vec<String> {
    let text = |result: &Result<Reply, LlmError>| match result {
        Ok(reply) => reply.text.clone(),
        Err(LlmError::Stopped) => "-".to_owned(),
        Err(_) => "failed".to_owned(),
    };
    results.iter().map(text).collect()
}

#[test]
fn results_stand_in_the_order_of_requests_for_any_number_of_threads() {
    let requests = requests(50);
    let expected: Vec<String> = (0..50).map(|number| number.to_string()).collect();
    for n_threads in [1, 2, 16, 100] {
        let mut seen = Vec::new();
        let results = complete_all(
            &Scripted::new(echo),
            &requests,
            n(n_threads),
            &|| false,
            |index, result| {
                assert_eq!(texts(std::slice::from_ref(result)), [index.to_string()]);
                seen.push(index);
            },
        );
        assert_eq!(texts(&results), expected);
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..50));
    }
    let none = complete_all(&Scripted::new(echo), &[], n(3), &|| false, |_, _| {});
    assert!(none.is_empty());
}

#[test]
fn no_more_than_the_limit_run_at_a_time_and_that_many_do() {
    let (n_running, n_most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Each call ends only when four are there.
    let all_there = Barrier::new(4);
    let model = Scripted::new(|request: &Request| {
        n_most.fetch_max(n_running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        all_there.wait();
        n_running.fetch_sub(1, Ordering::SeqCst);
        echo(request)
    });
    let results = complete_all(&model, &requests(8), n(4), &|| false, |_, _| {});
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(n_most.load(Ordering::SeqCst), 4);
}

#[test]
fn an_error_that_every_request_would_meet_ends_the_batch() {
    let model = Scripted::new(|request: &Request| match request.user.as_str() {
        "1" => Err(LlmError::TooLong { cause: String::new() }),
        "2" => Err(LlmError::Refused("no such model".into())),
        _ => echo(request),
    });
    let results = complete_all(&model, &requests(5), n(1), &|| false, |_, _| {});
    assert_eq!(texts(&results), ["0", "failed", "failed", "-", "-"]);
}

#[test]
fn an_endpoint_that_is_gone_is_given_up_and_one_that_stumbles_is_not() {
    let gone = Scripted::new(|_: &Request| Err(outage()));
    let results = complete_all(&gone, &requests(50), n(1), &|| false, |_, _| {});
    assert_eq!(gone.n_calls(), MAX_FAILED_IN_A_ROW);
    assert_eq!(
        texts(&results).iter().filter(|text| *text == "-").count(),
        50 - MAX_FAILED_IN_A_ROW
    );
    let stumbling = Scripted::new(|request: &Request| match request.user.as_str() {
        "3" | "10" | "17" => echo(request),
        _ => Err(outage()),
    });
    let results = complete_all(&stumbling, &requests(20), n(1), &|| false, |_, _| {});
    assert_eq!(stumbling.n_calls(), 20);
    assert_eq!(texts(&results)[17], "17");
}
