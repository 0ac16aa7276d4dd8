//! [`Cassette`].

use super::{Scripted, echo, request};
use crate::llm::{Cassette, Finish, LanguageModel, LlmError, Reply, Request, Usage, complete_all};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

type Replay = Cassette<&'static dyn LanguageModel>;

/// A cassette with calls that say these texts, in this order.
fn recorded(texts: &[&str]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cassette.jsonl");
    record(&path, texts);
    (directory, path)
}

/// Number of calls that had to be made.
fn record(path: &Path, texts: &[&str]) -> usize {
    let recorder = Cassette::record(path, Scripted::new(echo)).unwrap();
    for text in texts {
        assert_eq!(recorder.complete(&request(text)).unwrap().text, *text);
    }
    recorder.model().unwrap().n_calls()
}

#[track_caller]
fn refused(path: &Path, says: &str) {
    let errors = [
        Cassette::record(path, Scripted::new(echo))
            .map(|_| ())
            .unwrap_err()
            .to_string(),
        Replay::replay(path, Some("scripted"))
            .map(|_| ())
            .unwrap_err()
            .to_string(),
    ];
    for error in errors {
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn what_is_recorded_replays_for_free() {
    let (_directory, path) = recorded(&["Teak.", "Oak."]);
    assert_eq!(record(&path, &["Oak.", "Ash.", "Teak."]), 1);
    let replay = Replay::replay(&path, None).unwrap();
    assert_eq!(replay.id(), "scripted");
    assert!(replay.is_known(&request("Ash.")) && !replay.is_known(&request("Elm.")));
    let reply = replay.complete(&request("Ash.")).unwrap();
    let usage = Usage {
        prompt_tokens: 10,
        completion_tokens: 20,
        is_replayed: true,
        ..Usage::default()
    };
    assert_eq!(
        reply,
        Reply {
            text: "Ash.".into(),
            usage,
            finish: Finish::Stop
        }
    );
}

#[test]
fn a_miss_names_the_cassette_the_request_and_what_is_recorded() {
    let (_directory, path) = recorded(&["Teak.", "Oak."]);
    let error = Replay::replay(&path, Some("another"))
        .unwrap()
        .complete(&request("Teak.\nIs it?"))
        .unwrap_err();
    assert!(matches!(error, LlmError::Missing(_)) && error.ends_job());
    for says in ["cassette.jsonl", "(Teak. Is it?) to another", "2 by scripted"] {
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn a_process_killed_while_writing_leaves_one_call_to_repeat() {
    let (_directory, path) = recorded(&["Teak.", "Oak."]);
    let whole = std::fs::read(&path).unwrap();
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for cut in [first + 1, whole.len() / 2 + first / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let replay = Replay::replay(&path, None).unwrap();
        assert!(
            replay
                .remark()
                .unwrap()
                .contains(&format!("incomplete last line of {} bytes", cut - first))
        );
        assert!(replay.is_known(&request("Teak.")) && !replay.is_known(&request("Oak.")));
        assert_eq!(std::fs::read(&path).unwrap().len(), cut, "a replay changes nothing");
        assert_eq!(record(&path, &["Teak.", "Oak."]), 1);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    assert_eq!(Replay::replay(&path, None).unwrap().remark(), None);
}

#[test]
fn a_damaged_or_edited_line_is_named() {
    let (_directory, path) = recorded(&["Teak.", "Oak."]);
    let whole = std::fs::read_to_string(&path).unwrap();
    let put = |text: String| std::fs::write(&path, text).unwrap();
    put(whole.replace("Oak.", "Elm."));
    refused(
        &path,
        "cassette.jsonl:2: expected the hash of model and request as its key, found the key ",
    );
    put(whole.replacen("\"model\"", "\"modal\"", 1));
    refused(
        &path,
        "cassette.jsonl:1: expected a recorded call, found unknown field `modal`",
    );
    put(format!("\n{whole}"));
    refused(&path, "cassette.jsonl:1: expected a recorded call, found EOF");
    std::fs::write(&path, b"\xff\n").unwrap();
    refused(&path, "cassette.jsonl:1: ");
}

#[test]
fn equal_requests_at_the_same_time_are_one_call() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cassette");
    let recorder = Cassette::record(&path, Scripted::new(echo)).unwrap();
    let requests: Vec<Request> = (0..200).map(|number: i32| request(&(number % 7).to_string())).collect();
    let results = complete_all(
        &recorder,
        &requests,
        NonZeroUsize::new(16).unwrap(),
        &|| false,
        |_, _| {},
    );
    let texts: Vec<String> = results.into_iter().map(|result| result.unwrap().text).collect();
    assert!(texts.iter().zip(&requests).all(|(text, request)| *text == request.user));
    assert_eq!(recorder.model().unwrap().n_calls(), 7);
    drop(recorder);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 7);
}

#[test]
fn a_cassette_that_cannot_be_opened_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("none").join("cassette");
    refused(&missing, "cassette: cannot open");
    refused(directory.path(), "cannot open");
    refused(Path::new("/dev/zero"), "cannot open");
    std::fs::write(directory.path().join("empty"), "").unwrap();
    let empty = Replay::replay(&directory.path().join("empty"), None)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(empty.contains("found none; it has no calls"), "{empty}");
}

#[test]
fn one_process_records_at_a_time_and_others_may_replay() {
    let (_directory, path) = recorded(&["Teak."]);
    let recorder = Cassette::record(&path, Scripted::new(echo)).unwrap();
    let second = Cassette::record(&path, Scripted::new(echo)).map(|_| ());
    assert!(matches!(second, Err(LlmError::Cassette(_))));
    assert!(Replay::replay(&path, None).unwrap().is_known(&request("Teak.")));
    drop(recorder);
    assert!(Cassette::record(&path, Scripted::new(echo)).is_ok());
}
