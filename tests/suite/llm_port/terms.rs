//! What an endpoint does not take is left out, and counted.

use super::{model, request, shaped};
use banyan_engine::llm::http::Concession;
use banyan_engine::llm::{LanguageModel, LlmError};
use banyan_tests::server::{Answer, Asked, ChatServer};
use serde_json::Value;

/// A server that turns away a request with any of these parameters (path, value or any, words of an endpoint).
fn without(parameters: &[(&'static str, &'static str, &'static str)]) -> ChatServer {
    let parameters = parameters.to_vec();
    ChatServer::new(move |_, asked: &Asked| {
        let value = |path: &str| path.split('/').try_fold(&asked.body, |value, name| value.get(name));
        let refused = parameters.iter().find(|(path, is, _)| match value(path) {
            Some(Value::String(found)) => is.is_empty() || found == is,
            Some(_) => is.is_empty(),
            None => false,
        });
        refused.map_or_else(
            || Answer::text("[]"),
            |(.., words)| Answer::refusal(400, "invalid", words),
        )
    })
}

#[test]
fn what_an_endpoint_does_not_take_is_left_out_and_counted() {
    let check = |server: &ChatServer, n_first: usize, expected: &[Concession]| {
        let (model, clock) = model(server, |_| {});
        for _ in 0..2 {
            assert_eq!(model.complete(&shaped("Teak.")).unwrap().text, "[]");
        }
        assert_eq!(server.asked().len(), n_first + 1, "the second call knows the terms");
        let counted: Vec<_> = model.concessions().into_iter().collect();
        let expected: Vec<_> = expected.iter().map(|concession| (*concession, 2)).collect();
        assert_eq!(counted, expected);
        assert!(clock.pauses().is_empty());
    };
    let schema = (
        "response_format/type",
        "json_schema",
        "response_format json_schema is not available",
    );
    let object = (
        "response_format/type",
        "json_object",
        "'response_format.type' must be 'text'",
    );
    let max = (
        "max_tokens",
        "",
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    );
    let temperature = (
        "temperature",
        "",
        "Unsupported value: 'temperature' does not support 0 with this model.",
    );
    let seed = ("seed", "", "seed: Extra inputs are not permitted");
    check(&without(&[schema]), 2, &[Concession::AnyJson]);
    check(&without(&[schema, object]), 3, &[Concession::AnyText]);
    let all = [schema, object, max, temperature, seed];
    let expected = [
        Concession::AnyText,
        Concession::MaxCompletionTokens,
        Concession::NoTemperature,
        Concession::NoSeed,
    ];
    let server = without(&all);
    check(&server, 6, &expected);
    let last = server.asked().pop().unwrap().body;
    let mut names: Vec<&String> = last.as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(names, ["max_completion_tokens", "messages", "model"]);
}

#[test]
fn a_value_that_is_wrong_is_no_reason_to_leave_a_parameter_out() {
    let wrong = Answer::refusal(
        400,
        "invalid_value",
        "max_tokens is too large: this model has at most 50",
    );
    let server = ChatServer::scripted([wrong, Answer::text("[]")]);
    let reply = model(&server, |_| {}).0.complete(&request("Teak."));
    assert!(
        matches!(reply, Err(LlmError::Rejected { status: 400, .. })),
        "{reply:?}"
    );
    assert_eq!(server.asked().len(), 1);
}
