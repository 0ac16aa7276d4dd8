//! Many requests, a few at a time.

use super::{LanguageModel, LlmError, Reply, Request};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Requests that fail one after the other because of the endpoint until a batch gives up, so that a job does not wait
/// through all retries of all requests while nobody is there. Arbitrary: more than fail together by accident.
pub const MAX_FAILED_IN_A_ROW: usize = 8;

/// Completes `requests`, at most `max_concurrent` at a time; results in the order of the requests. No requests give no
/// results.
///
/// `on_reply` is called on the calling thread with the position of each result, in the order in which they come.
/// `is_stopped` is asked before each request. When it says so, after an error that [ends the
/// job](LlmError::ends_job), and after [`MAX_FAILED_IN_A_ROW`] failures of the endpoint, no further request is begun;
/// those that run are completed, and those not begun are [`LlmError::Stopped`].
pub fn complete_all(
    model: &dyn LanguageModel,
    requests: &[Request],
    max_concurrent: NonZeroUsize,
    is_stopped: &(dyn Fn() -> bool + Sync),
    mut on_reply: impl FnMut(usize, &Result<Reply, LlmError>),
) -> Vec<Result<Reply, LlmError>> {
    let mut results: Vec<Result<Reply, LlmError>> = requests.iter().map(|_| Err(LlmError::Stopped)).collect();
    let (next, n_failed_in_a_row, is_halted) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let work = |replies: mpsc::Sender<(usize, Result<Reply, LlmError>)>| {
        while !is_halted.load(Ordering::SeqCst) && !is_stopped() {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(request) = requests.get(index) else {
                return;
            };
            let result = model.complete(request);
            let halts = match &result {
                Ok(_) => {
                    n_failed_in_a_row.store(0, Ordering::SeqCst);
                    false
                }
                Err(error) if error.is_outage() => {
                    n_failed_in_a_row.fetch_add(1, Ordering::SeqCst) + 1 >= MAX_FAILED_IN_A_ROW
                }
                Err(error) => error.ends_job(),
            };
            is_halted.fetch_or(halts, Ordering::SeqCst);
            if replies.send((index, result)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let mut n_workers = 0;
        for _ in 0..max_concurrent.get().min(requests.len()) {
            let (work, sender) = (&work, sender.clone());
            let worker = thread::Builder::new().spawn_scoped(scope, move || work(sender));
            n_workers += usize::from(worker.is_ok());
        }
        if n_workers == 0 {
            // The system gives no threads: the same results, one by one.
            work(sender);
        } else {
            drop(sender);
        }
        for (index, result) in receiver {
            on_reply(index, &result);
            results[index] = result;
        }
    });
    results
}
