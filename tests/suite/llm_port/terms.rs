//! What an endpoint does not take is left out, and told.

use super::{model, request, shaped};
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
fn what_an_endpoint_does_not_take_is_left_out_and_told() {
    const SCHEMA: (&str, &str, &str) = (
        "response_format/type",
        "json_schema",
        "response_format json_schema is not available",
    );
    const OBJECT: (&str, &str, &str) = (
        "response_format/type",
        "json_object",
        "'response_format.type' must be 'text'",
    );
    let all = [
        SCHEMA,
        OBJECT,
        (
            "max_tokens",
            "",
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        ),
        (
            "temperature",
            "",
            "Unsupported value: 'temperature' does not support 0 with this model.",
        ),
        ("seed", "", "seed: Extra inputs are not permitted"),
    ];
    for (parameters, n_first, expected) in [
        (&[SCHEMA][..], 2, "json_schema"),
        (&[SCHEMA, OBJECT], 3, "json_object json_schema"),
        (&all, 6, "json_object json_schema max_tokens seed temperature"),
    ] {
        let server = without(parameters);
        let (model, clock) = model(&server, |_| {});
        for _ in 0..2 {
            assert_eq!(model.complete(&shaped("Teak.")).unwrap().text, "[]");
        }
        assert_eq!(server.asked().len(), n_first + 1, "the second call knows the terms");
        let refused: Vec<&str> = model.refused().into_iter().collect();
        assert_eq!(refused.join(" "), expected);
        assert!(clock.pauses().is_empty());
        let last = server.asked().pop().unwrap().body;
        assert_eq!(last.as_object().unwrap().contains_key("seed"), n_first < 6);
    }
}

#[test]
fn a_value_that_is_wrong_is_no_reason_to_leave_a_parameter_out() {
    let says = "max_tokens is too large: this model has at most 50";
    let server = ChatServer::scripted([Answer::refusal(400, "invalid_value", says), Answer::text("[]")]);
    let reply = model(&server, |_| {}).0.complete(&request("Teak."));
    assert!(matches!(reply, Err(LlmError::Refused(_))), "{reply:?}");
    assert_eq!(server.asked().len(), 1);
}
