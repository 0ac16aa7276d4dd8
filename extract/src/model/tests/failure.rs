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

#[test]
fn a_call_that_is_too_long_is_split_down_to_one_passage() {
    let model = Scripted::new(|asked: &Asked| {
        let is_long = asked.bodies.len() > 1 || asked.bodies[0].contains("Cay knows");
        if is_long {
            Err(too_long())
        } else {
            Ok(reply(honest(asked), Finish::Stop))
        }
    });
    let run = run(&model, in_order(), &FOUR);
    assert_eq!(
        told(&run),
        ["done: Ben", "done: Cay", "too long for the model: ", "done: Eve"]
    );
    assert_eq!(model.sizes(), [4, 2, 2, 1, 1, 1, 1]);
    assert!(run.stopped.is_none());
    assert_eq!(run.n_calls, 3);
}

#[test]
fn a_reply_that_breaks_off_keeps_its_passages_and_the_rest_is_asked_again() {
    let model = Scripted::new(|asked: &Asked| {
        let whole = honest(asked);
        if asked.bodies.len() < 4 {
            return Ok(reply(whole, Finish::Stop));
        }
        let end = whole.find("Dee").unwrap();
        Ok(reply(&whole[..end], Finish::Length))
    });
    let run = run(&model, in_order(), &FOUR);
    assert_eq!(told(&run), ["done: Ben", "done: Cay", "done: Dee", "done: Eve"]);
    assert_eq!(model.sizes(), [4, 1, 1]);
    let asked = model.asked.lock().unwrap();
    assert!(bodies(&asked[1])[0].contains("Cay knows") && bodies(&asked[2])[0].contains("Dee knows"));
}

#[test]
fn a_passage_that_a_reply_forgets_is_asked_about_again() {
    let model = Scripted::new(|asked: &Asked| {
        let mut some = Asked {
            bodies: asked.bodies.clone(),
            is_gleaning: false,
        };
        some.bodies.truncate(2);
        Ok(reply(honest(&some), Finish::Stop))
    });
    let run = run(&model, in_order(), &FOUR);
    assert_eq!(told(&run), ["done: Ben", "done: Cay", "done: Dee", "done: Eve"]);
    assert_eq!(model.sizes(), [4, 1, 1]);
}

#[test]
fn one_passage_keeps_what_parses_or_waits_in_quarantine() {
    let whole = "Ann knows Ben. Ann knows Cay.";
    let check = |until: &str, expected: &str| {
        let model = Scripted::new(|asked: &Asked| {
            let text = honest(asked);
            let end = text.rfind(until).unwrap();
            Ok(reply(&text[..end], Finish::Length))
        });
        let run = run(&model, in_order(), &[whole]);
        assert_eq!(told(&run), [expected]);
        assert_eq!(model.sizes(), [1]);
        let has_mark = run.chunks[0]
            .stated
            .defects
            .iter()
            .any(|defect| defect.kind == DefectKind::Truncated);
        assert!(has_mark);
    };
    check("Cay", "done: Ben");
    check("Ann\", \"relation\": \"knows\", \"tail\": \"Ben", "unusable reply: ");
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
    let model = Scripted::new(|asked: &Asked| {
        let is_bad = asked.bodies.iter().any(|body| body.contains("Cay knows"));
        let text = if is_bad {
            "I would rather not.".to_owned()
        } else {
            honest(asked)
        };
        Ok(reply(text, Finish::Stop))
    });
    let run = run(&model, in_order(), &FOUR);
    assert_eq!(told(&run), ["done: Ben", "done: Cay", "unusable reply: ", "done: Eve"]);
    let quarantined: Vec<&Quarantine> = run.quarantined().collect();
    let [quarantine] = quarantined.as_slice() else {
        panic!("{quarantined:?}");
    };
    let documents = documents(&FOUR);
    assert_eq!(
        (quarantine.document, quarantine.span),
        (documents[2].id, Span::new(0, FOUR[2].len()))
    );
    assert_eq!(quarantine.excerpt, "I would rather not.");
    assert_eq!(
        quarantine.to_string(),
        format!(
            "{} bytes 0..14: unusable reply: nothing in the reply has a known shape",
            documents[2].id
        )
    );
    let stored = serde_json::to_string(quarantine).unwrap();
    assert_eq!(serde_json::from_str::<Quarantine>(&stored).unwrap(), **quarantine);
}

#[test]
fn a_call_that_fails_for_now_is_quarantined_and_the_job_goes_on() {
    let options = Options {
        max_passages: 1,
        ..in_order()
    };
    let model = Scripted::new(|asked: &Asked| {
        if asked.bodies[0].contains("Ben knows") {
            Err(transient())
        } else {
            Ok(reply(honest(asked), Finish::Stop))
        }
    });
    let run = run(&model, options, &FOUR);
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
        || LlmError::Unauthorised {
            status: 401,
            variable: Some("BANYAN_KEY".into()),
            cause: "wrong key".into(),
        },
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
        let options = Options {
            max_passages: 1,
            ..in_order()
        };
        let run = run(&model, options, &FOUR);
        assert_eq!(told(&run), ["done: Ben", "done: Cay", "pending: ", "pending: "]);
        assert_eq!(run.stopped.unwrap().to_string(), error().to_string());
        assert_eq!(model.sizes().len(), 3);
    }
}

#[test]
fn an_endpoint_that_is_down_ends_the_run_with_that_reason() {
    let model = Scripted::new(|_: &Asked| Err(transient()));
    let options = Options {
        max_passages: 1,
        ..in_order()
    };
    let texts = [FOUR[0]; MAX_FAILED_IN_A_ROW + 2];
    let run = run(&model, options, &texts);
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
    // One call a wave would be too slow to be stopped in between, so the first reply comes before the second wave.
    let options = Options {
        max_passages: 1,
        ..in_order()
    };
    let extractor = ModelExtractor::new(&model, &schema(), options).unwrap();
    let calls = extractor.plan(&passages).unwrap();
    let run = extractor.run(&passages, &calls[..1], &Impatient(AtomicUsize::new(0)));
    assert_eq!(told(&run), ["done: Ben", "pending: ", "pending: ", "pending: "]);
    assert!(run.stopped.is_none());
    let run = extractor.run(&passages, &calls, &Impatient(AtomicUsize::new(1)));
    assert!(matches!(run.stopped, Some(LlmError::Stopped)));
    assert_eq!(run.n_calls, 0);
}

#[test]
fn a_plan_for_other_passages_does_no_harm() {
    let model = Scripted::new(|asked: &Asked| Ok(reply(honest(asked), Finish::Stop)));
    let documents = documents(&FOUR);
    let passages = passages(&documents);
    let extractor = ModelExtractor::new(&model, &schema(), in_order()).unwrap();
    let calls = extractor.plan(&passages).unwrap();
    let run = extractor.run(&passages[..2], &calls, &Nobody);
    assert_eq!(told(&run), ["done: Ben", "done: Cay"]);
    assert!(extractor.run(&[], &calls, &Nobody).chunks.is_empty());
}
