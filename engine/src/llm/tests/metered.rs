//! [`Metered`], [`Ledger`], [`Budget`].

use super::{Scripted, echo, request};
use crate::llm::{
    Budget, Cassette, Forecast, LanguageModel, LlmError, Metered, Prices, Reply, Request, Tally, complete_all,
};
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex};

/// One unit of money for a token of a prompt, two for a token of a reply.
const PRICES: Prices = Prices {
    prompt_per_million: 1e6,
    completion_per_million: 2e6,
};

fn capped(max_tokens: Option<u64>, max_cost: Option<f64>) -> Budget {
    Budget { max_tokens, max_cost }
}

/// Estimated tokens of `request("Teak.")`: two of text and nine of framing.
const ESTIMATED: u64 = 11;

#[test]
fn tokens_are_counted_by_stage_and_replays_are_not_paid() {
    let directory = tempfile::tempdir().unwrap();
    let recorder = Cassette::record(&directory.path().join("cassette"), Scripted::new(echo)).unwrap();
    let metered = Metered::new(recorder, Budget::default(), None).unwrap();
    for (stage, text) in [("triples", "a"), ("types", "b"), ("triples", "a"), ("triples", "c")] {
        metered.stage(stage).complete(&request(text)).unwrap();
    }
    let ledger = metered.ledger();
    let triples = Tally {
        n_paid: 2,
        n_replayed: 1,
        prompt_tokens: 20,
        completion_tokens: 40,
        replayed_tokens: 30,
        ..Tally::default()
    };
    let types = Tally {
        n_paid: 1,
        prompt_tokens: 10,
        completion_tokens: 20,
        ..Tally::default()
    };
    let stages: Vec<_> = ledger
        .stages
        .iter()
        .map(|(stage, tally)| (stage.as_str(), *tally))
        .collect();
    assert_eq!(stages, [("triples", triples), ("types", types)]);
    assert_eq!(ledger.total().tokens(), 90);
    assert!((ledger.cost(&PRICES) - (30.0 + 2.0 * 60.0)).abs() < 1e-9);
    assert_eq!(metered.model().model().unwrap().n_calls(), 3);
}

#[test]
fn a_call_that_could_exceed_the_cap_is_not_made() {
    // The first call takes 30 tokens; the second could take 111 more.
    for (max_tokens, n_made) in [(110, 0), (111, 1), (140, 1), (141, 2)] {
        let metered = Metered::new(Scripted::new(echo), capped(Some(max_tokens), None), None).unwrap();
        let results = [(); 2].map(|()| metered.stage("s").complete(&request("Teak.")));
        let n_ok = results.iter().filter(|result| result.is_ok()).count();
        if let [.., Err(error)] = &results {
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("stopped at the cap of {max_tokens} tokens"))
                    && error.ends_job()
            );
        }
        assert_eq!((n_ok, metered.model().n_calls()), (n_made, n_made), "{max_tokens}");
    }
}

#[test]
fn what_is_at_hand_is_free_of_the_cap() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cassette");
    Cassette::record(&path, Scripted::new(echo))
        .unwrap()
        .complete(&request("Teak."))
        .unwrap();
    let recorder = Cassette::record(&path, Scripted::new(echo)).unwrap();
    let metered = Metered::new(recorder, capped(Some(0), None), None).unwrap();
    assert!(metered.stage("s").complete(&request("Teak.")).is_ok());
    let refused = metered.stage("s").complete(&request("Oak."));
    assert!(matches!(refused, Err(LlmError::Budget { .. })));
}

#[test]
fn a_forecast_counts_what_is_yet_to_be_paid() {
    let directory = tempfile::tempdir().unwrap();
    let recorder = Cassette::record(&directory.path().join("cassette"), Scripted::new(echo)).unwrap();
    let requests = ["Teak.", "Oak.", "Ash."].map(request);
    recorder.complete(&requests[1]).unwrap();
    let forecast = Forecast::of(&recorder, &requests);
    let expected = Forecast {
        n_known: 1,
        n_calls: 2,
        prompt_tokens: 2 * ESTIMATED,
        max_completion_tokens: 200,
    };
    assert_eq!(forecast, expected);
    assert!((forecast.max_cost(&PRICES) - 422.0).abs() < 1e-9);
    assert_eq!(recorder.model().unwrap().n_calls(), 1, "nothing was asked");
}

#[test]
fn calls_at_the_same_time_keep_the_cap_and_use_it_up() {
    // Each takes 30 and may take 111: after 9 there are 270, and 9 × 30 + 111 = 381.
    let requests: Vec<Request> = (0..40).map(|_| request("Teak.")).collect();
    for n_threads in [1, 8] {
        let metered = Metered::new(Scripted::new(echo), capped(Some(381), None), None).unwrap();
        let n_threads = NonZeroUsize::new(n_threads).unwrap();
        let results = complete_all(&metered.stage("s"), &requests, n_threads, &|| false, |_, _| {});
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 10);
        assert_eq!(metered.ledger().total().tokens(), 300);
    }
}

/// A model whose calls end only when a second one has come as far as the budget.
#[derive(Default)]
struct Patient {
    n_come: Mutex<usize>,
    second: Condvar,
}

impl LanguageModel for Patient {
    fn id(&self) -> &'static str {
        "patient"
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let n_come = self.n_come.lock().unwrap();
        let _come = self.second.wait_while(n_come, |n_come| *n_come < 2).unwrap();
        echo(request)
    }

    fn is_known(&self, _: &Request) -> bool {
        *self.n_come.lock().unwrap() += 1;
        self.second.notify_all();
        false
    }
}

#[test]
fn a_call_without_room_waits_for_those_that_run() {
    // There is room for one call beside what the other takes, but not for what it may take.
    let metered = Metered::new(Patient::default(), capped(Some(30 + 111), None), None).unwrap();
    let requests = ["Teak.", "Teak."].map(request);
    let two = NonZeroUsize::new(2).unwrap();
    let results = complete_all(&metered.stage("s"), &requests, two, &|| false, |_, _| {});
    assert!(results.iter().all(Result::is_ok), "{results:?}");
}
