//! What goes wrong on the way: nothing is lost, nothing is done twice, and the job goes on where it can.

use super::*;
use crate::stated::DefectKind;
use banyan_engine::llm::MAX_FAILED_IN_A_ROW;
use std::sync::atomic::{AtomicUsize, Ordering};

fn too_long() -> LlmError {
    LlmError::TooLong {
        cause: "8192 tokens".into(),
    }
}

fn transient() -> LlmError {
    LlmError::Transient {
        attempts: 3,
        status: Some(500),
        cause: "no answer".into(),
    }
}

/// Runs a script over these texts and expects what becomes of each, and how many passages each call has.
fn check(
    script: impl Fn(&Asked) -> Result<Reply, LlmError> + Sync,
    texts: &[&str],
    expected: &[&str],
    sizes: &[usize],
) -> Run {
    let model = Scripted::new(script);
    let run = run(&model, in_order(), texts);
    assert_eq!(told(&run), expected);
    assert_eq!(model.sizes(), sizes);
    run
}

const ALL: [&str; 4] = ["done: Ben", "done: Cay", "done: Dee", "done: Eve"];

#[test]
fn a_call_that_is_too_long_is_split_down_to_one_passage() {
    let script = |asked: &Asked| {
        let is_long = asked.bodies.len() > 1 || asked.bodies[0].contains("Cay knows");
        let said = reply(honest(asked), Finish::Stop);
        if is_long { Err(too_long()) } else { Ok(said) }
    };
    let expected = ["done: Ben", "done: Cay", "too long for the model: ", "done: Eve"];
    let run = check(script, &FOUR, &expected, &[4, 2, 2, 1, 1, 1, 1]);
    assert!(run.stopped.is_none() && run.n_calls == 3);
}

#[test]
fn what_a_reply_breaks_off_before_or_forgets_is_asked_again() {
    let cut = |asked: &Asked| {
        let whole = honest(asked);
        let end = whole.find("Dee").filter(|_| asked.bodies.len() == 4);
        let finish = end.map_or(Finish::Stop, |_| Finish::Length);
        Ok(reply(&whole[..end.unwrap_or(whole.len())], finish))
    };
    check(cut, &FOUR, &ALL, &[4, 1, 1]);
    let forgetful = |asked: &Asked| {
        let bodies = asked.bodies.iter().take(2).cloned().collect();
        Ok(reply(honest(&Asked { bodies }), Finish::Stop))
    };
    check(forgetful, &FOUR, &ALL, &[4, 1, 1]);
}

/// Sixteen times sixty bytes with one fact each.
fn long() -> String {
    let sentence = |n| format!("Person{n} knows Other{n}. Nobody else was on that quay at all. ");
    (10..26).map(sentence).collect()
}

#[test]
fn a_passage_about_which_a_reply_breaks_off_is_asked_about_in_parts_and_nothing_is_told_twice() {
    let text = long();
    // Room for four facts; more break off in the middle of one.
    let tight = |asked: &Asked| {
        let text = honest(asked);
        let end = text.match_indices("tail").nth(4).map(|(at, _)| at);
        let finish = end.map_or(Finish::Stop, |_| Finish::Length);
        Ok(reply(&text[..end.unwrap_or(text.len())], finish))
    };
    // Halves are asked about in turn, and what is complete of their replies counts at once.
    let all: Vec<String> = [10..14, 18..22, 14..18, 22..26]
        .into_iter()
        .flatten()
        .map(|n| format!("Other{n}"))
        .collect();
    let run = check(tight, &[&text], &[&format!("done: {}", all.join(" "))], &[1; 7]);
    assert_eq!((run.n_calls, run.n_cut), (7, 3));
    let kinds = run.chunks[0].stated.defects.iter().map(|defect| defect.kind);
    assert_eq!(kinds.collect::<Vec<_>>(), [DefectKind::Truncated; 3]);
}

#[test]
fn what_still_breaks_off_waits_in_quarantine_with_what_is_complete() {
    for (until, expected) in [
        ("Cay", "reply cut off: Ben"),
        ("Ann\", \"relation\": \"knows\", \"tail\": \"Ben", "reply cut off: "),
    ] {
        let cut = |asked: &Asked| {
            let text = honest(asked);
            Ok(reply(&text[..text.rfind(until).unwrap()], Finish::Length))
        };
        let run = check(cut, &["Ann knows Ben. Ann knows Cay."], &[expected], &[1]);
        assert_eq!(run.n_cut, 1);
    }
}

#[test]
fn a_reply_that_goes_round_in_circles_is_not_asked_for_again() {
    let fact = r#"{"head": "Ann", "relation": "knows", "tail": "Ben"}, "#;
    let text = format!(
        r#"{{"passages": [{{"about": 1, "entities": [], "triples": [{}"#,
        fact.repeat(20)
    );
    let run = check(
        |_: &Asked| Ok(reply(&text, Finish::Length)),
        &["Ann knows Ben. Ann knows Cay."],
        &["done: Ben"],
        &[1],
    );
    assert_eq!((run.n_calls, run.n_cut), (1, 1));
}

#[test]
fn a_passage_in_quarantine_keeps_what_an_earlier_reply_stated() {
    let model = Scripted::new(|asked: &Asked| {
        if asked.bodies.len() == 1 {
            return Ok(reply("", Finish::Other("content_filter".into())));
        }
        let whole = honest(asked);
        let end = whole.rfind("Cay").unwrap();
        Ok(reply(&whole[..end], Finish::Length))
    });
    let run = run(&model, in_order(), &["Ann knows Ben.", "Ben knows Ann. Ben knows Cay."]);
    assert_eq!(told(&run), ["done: Ben", "unusable reply: Ann"]);
    assert_eq!(
        run.quarantined().next().unwrap().detail,
        "the reply ended with content_filter"
    );
}

#[test]
fn garbage_is_quarantined_alone_with_reason_and_excerpt() {
    let script = |asked: &Asked| {
        let is_bad = asked.bodies.iter().any(|body| body.contains("Cay knows"));
        let refusal = "I would rather not.".to_owned();
        Ok(reply(if is_bad { refusal } else { honest(asked) }, Finish::Stop))
    };
    let expected = ["done: Ben", "done: Cay", "unusable reply: ", "done: Eve"];
    let run = check(script, &FOUR, &expected, &[4, 2, 2, 1, 1]);
    let quarantine = run.quarantined().next().unwrap();
    let id = documents(&FOUR)[2].id;
    assert_eq!(quarantine.excerpt, "I would rather not.");
    assert_eq!(
        quarantine.to_string(),
        format!("{id} bytes 0..14: unusable reply: nothing in the reply has a known shape")
    );
}

#[test]
fn a_call_that_fails_for_now_is_quarantined_and_the_job_goes_on() {
    let model = Scripted::new(|asked: &Asked| {
        if asked.bodies[0].contains("Ben knows") {
            Err(transient())
        } else {
            Ok(reply(honest(asked), Finish::Stop))
        }
    });
    let run = run(&model, one_by_one(), &FOUR);
    assert_eq!(told(&run), ["done: Ben", "no reply: ", "done: Dee", "done: Eve"]);
    assert!(run.stopped.is_none());
    let detail = &run.quarantined().next().unwrap().detail;
    assert!(detail.contains("failed 3 times, at last with: no answer"), "{detail}");
}

#[test]
fn what_fails_every_call_ends_the_run_and_keeps_what_is_done() {
    let errors: [fn() -> LlmError; 2] = [
        || LlmError::Budget {
            cap: "100 tokens".into(),
            spent: "90".into(),
            needed: "20".into(),
        },
        || LlmError::Refused("wrong key".into()),
    ];
    for error in errors {
        let n_calls = AtomicUsize::new(0);
        let model = Scripted::new(|asked: &Asked| {
            if n_calls.fetch_add(1, Ordering::SeqCst) == 2 {
                Err(error())
            } else {
                Ok(reply(honest(asked), Finish::Stop))
            }
        });
        let run = run(&model, one_by_one(), &FOUR);
        assert_eq!(told(&run), ["done: Ben", "done: Cay", "pending: ", "pending: "]);
        assert_eq!(run.stopped.unwrap().to_string(), error().to_string());
        assert_eq!(model.sizes().len(), 3);
    }
}

#[test]
fn an_endpoint_that_is_down_ends_the_run_with_that_reason() {
    let model = Scripted::new(|_: &Asked| Err(transient()));
    let texts = [FOUR[0]; MAX_FAILED_IN_A_ROW + 2];
    let run = run(&model, one_by_one(), &texts);
    assert_eq!(model.sizes().len(), MAX_FAILED_IN_A_ROW);
    assert_eq!(
        told(&run)[MAX_FAILED_IN_A_ROW - 1..],
        ["no reply: ", "pending: ", "pending: "]
    );
    assert!(
        matches!(run.stopped, Some(LlmError::Transient { .. })),
        "{:?}",
        run.stopped
    );
}

/// Stops after the first reply.
struct Impatient(AtomicUsize);

impl Watch for Impatient {
    fn on_reply(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }
}

#[test]
fn a_run_that_is_stopped_keeps_what_is_done() {
    let model = Scripted::new(|asked: &Asked| Ok(reply(honest(asked), Finish::Stop)));
    let documents = documents(&FOUR);
    let passages = passages(&documents);
    let extractor = ModelExtractor::new(&model, &schema(), one_by_one()).unwrap();
    let calls = extractor.plan(&passages, usize::MAX).unwrap();
    let run = extractor.run(&passages, &calls[..1], &Impatient(AtomicUsize::new(0)));
    assert_eq!(told(&run), ["done: Ben", "pending: ", "pending: ", "pending: "]);
    assert!(run.stopped.is_none());
    let run = extractor.run(&passages, &calls, &Impatient(AtomicUsize::new(1)));
    assert!(matches!(run.stopped, Some(LlmError::Stopped)));
    assert_eq!(run.n_calls, 0);
}
