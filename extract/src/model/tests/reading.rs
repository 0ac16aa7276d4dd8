//! What becomes of replies that can be read.

use super::*;
use crate::stated::{DefectKind, NewTypeKind};
use std::num::NonZeroUsize;

fn kinds(chunk: &Extracted) -> Vec<DefectKind> {
    chunk.stated.defects.iter().map(|defect| defect.kind).collect()
}

#[test]
fn every_passage_gets_its_own_statements_for_any_number_of_calls_at_a_time() {
    let texts: Vec<String> = (0..150).map(|n| format!("P{n} knows P{}.", n + 1)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let at_a_time = |n| {
        // A fifth of the replies about several passages is cut, so that there are splits, too.
        let model = Scripted::new(|asked: &Asked| {
            let text = honest(asked);
            let sum: usize = asked.bodies[0].bytes().map(usize::from).sum();
            let is_cut = asked.bodies.len() > 1 && sum.is_multiple_of(5);
            let end = if is_cut { text.len() / 2 } else { text.len() };
            Ok(reply(&text[..end], if is_cut { Finish::Length } else { Finish::Stop }))
        });
        let options = Options {
            max_concurrent: NonZeroUsize::new(n).unwrap(),
            ..Options::default()
        };
        let run = run(&model, options, &texts);
        (run.chunks, run.n_calls)
    };
    let (one, n_calls) = at_a_time(1);
    assert_eq!(one.len(), 150);
    for (n, chunk) in one.iter().enumerate() {
        assert_eq!(chunk.outcome, Outcome::Done);
        assert_eq!(chunk.stated.triples[0].tail, format!("P{}", n + 1));
    }
    assert!(n_calls > 38, "no call was split");
    for n in [2, 3, 7] {
        assert_eq!(at_a_time(n), (one.clone(), n_calls), "{n} at a time");
    }
}

#[test]
fn what_the_passage_does_not_say_is_dropped_unless_the_guard_is_off() {
    let text = r#"{"passages": [{"passage": 1, "triples": [["Ann", "knows", "Ben"], ["Ann", "knows", "Zoe"]],
        "attributes": [["Ann", "height", "1.7 m"], ["Ann", "height", "3 ells"], ["Note 0", "height", "3 m"]]}]}"#;
    let model = Scripted::new(|_: &Asked| Ok(reply(text, Finish::Stop)));
    let texts = ["Ann knows Ben. She is 1.7 m tall, 3 more than Cay."];
    let guarded = run(&model, Options::default(), &texts);
    assert_eq!(told(&guarded), ["done: Ben"]);
    let facts: Vec<_> = guarded.chunks[0]
        .stated
        .attributes
        .iter()
        .map(|fact| fact.value.as_str())
        .collect();
    assert_eq!(facts, ["1.7 m", "3 ells", "3 m"]);
    assert_eq!(kinds(&guarded.chunks[0]), [DefectKind::NotInText]);
    let options = Options {
        guard: Guard::Off,
        ..Options::default()
    };
    assert_eq!(told(&run(&model, options, &texts)), ["done: Ben Zoe"]);
}

#[test]
fn proposals_go_where_they_are_used() {
    let text = r#"{"passages": [{"about": 1, "triples": [["Ann", "knows", "Ben"]]}, {"about": 2, "attributes": [["Cay", "age", 7]]},
            {"about": 3, "entities": [{"name": "Dee", "type": "wizard"}], "triples": [["Dee", "taught", "Eve"]]}, {"about": 4}],
        "proposed_types": {"entity_types": [{"name": "wizard"}, {"name": "witch"}], "relations": [{"name": "taught"}]}}"#;
    let model = Scripted::new(|_: &Asked| Ok(reply(text, Finish::Stop)));
    let texts = ["Ann knows Ben.", "Cay is 7.", "Dee taught Eve."];
    let run = run(&model, Options::default(), &texts);
    assert_eq!(told(&run), ["done: Ben", "done: ", "done: Eve"]);
    assert_eq!(run.chunks[1].stated.attributes[0].value, "7");
    let proposed = run.chunks[2].stated.types.iter();
    let proposed: Vec<_> = proposed
        .map(|proposal| (proposal.kind, proposal.name.as_str()))
        .collect();
    assert_eq!(
        proposed,
        [(NewTypeKind::EntityType, "wizard"), (NewTypeKind::Relation, "taught")]
    );
    assert_eq!(kinds(&run.chunks[0]), [DefectKind::UnknownPassage, DefectKind::Unused]);
    assert_eq!(run.n_calls, 1);
}

#[test]
fn an_empty_answer_is_an_answer() {
    let model = Scripted::new(|_: &Asked| Ok(reply(r#"{"passages": []}"#, Finish::Stop)));
    let run = run(&model, Options::default(), &FOUR);
    assert_eq!(told(&run), ["done: "; 4]);
    assert_eq!(run.n_calls, 1);
    assert_eq!(run.chunks[0].tokens_per_fact(), None);
}

#[test]
fn gleaning_adds_what_was_missed_until_a_round_gives_nothing() {
    let model = Scripted::new(|asked: &Asked| {
        let missed = |n: usize| asked.bodies[n].contains("Ben knows") && asked.bodies[n].contains("Cay");
        let text = match (asked.is_gleaning, missed(0)) {
            (false, _) => r#"{"passages": [{"passage": 1, "triples": []}]}"#,
            (true, true) => r#"{"passages": [{"passage": 1, "triples": [["Ben", "knows", "Cay"]]}]}"#,
            (true, false) => r#"{"passages": [{"passage": 1}]}"#,
        };
        Ok(reply(text, Finish::Stop))
    });
    let options = Options {
        n_gleanings: 3,
        max_passages: 1,
        ..in_order()
    };
    let run = run(&model, options, &FOUR[..2]);
    assert_eq!(told(&run), ["done: ", "done: Cay"]);
    // Two first calls, a round for both, and one more for the one that gave something.
    assert_eq!(run.n_calls, 5);
    let asked = model.asked.lock().unwrap();
    assert!(asked[2].user.contains("\nnothing\n"), "{}", asked[2].user);
    assert!(asked[4].user.contains("\nBen | knows | Cay\n"), "{}", asked[4].user);
    assert!(asked.iter().all(|request| request.system == asked[0].system));
    assert!(run.chunks[1].stated.defects.is_empty());
}

#[test]
fn a_gleaning_without_a_reply_leaves_what_was_found() {
    let model = Scripted::new(|asked: &Asked| {
        if asked.is_gleaning {
            return Err(LlmError::TooLong { cause: "long".into() });
        }
        Ok(reply(honest(asked), Finish::Stop))
    });
    let options = Options {
        n_gleanings: 1,
        ..in_order()
    };
    let run = run(&model, options, &FOUR[..1]);
    assert_eq!(told(&run), ["done: Ben"]);
    assert_eq!(kinds(&run.chunks[0]), [DefectKind::Unanswered]);
}

#[test]
fn the_tokens_of_all_calls_are_shared_out() {
    let model = Scripted::new(|asked: &Asked| Ok(reply(honest(asked), Finish::Stop)));
    let texts = ["Ann knows Ben. Ann knows Cay. Ann knows Dee.", "Nobody is here."];
    let run = run(&model, in_order(), &texts);
    let n_bytes = {
        let asked = model.asked.lock().unwrap();
        honest(&Asked {
            bodies: bodies(&asked[0]),
            is_gleaning: false,
        })
        .len() as u64
    };
    let expected = Tokens {
        prompt: 1_000,
        completion: n_bytes,
    };
    assert_eq!(run.tokens(), expected);
    let [long, short] = run.chunks.as_slice() else {
        panic!("{:?}", run.chunks);
    };
    // 44 and 15 bytes of text; three facts against none.
    assert_eq!((long.tokens.prompt, short.tokens.prompt), (746, 254));
    assert_eq!(
        (long.tokens.completion, short.tokens.completion),
        (n_bytes - n_bytes / 5, n_bytes / 5)
    );
    assert_eq!(run.n_facts(), 3);
    assert_eq!(long.tokens_per_fact(), Some(long.tokens.total() as f64 / 3.0));
}
