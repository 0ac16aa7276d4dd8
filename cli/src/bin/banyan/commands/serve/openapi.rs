//! What the server answers, as an `OpenAPI` document; what agents ask at `/mcp` describes itself.

use crate::commands::tool;
use serde_json::{Map, Value, json};

/// The document: each tool, asked by its address or by a body.
pub(super) fn document(stores: &[String]) -> Value {
    let paths = tool::TOOLS.iter().map(|name| (format!("/v1/{name}"), path(name)));
    let changes = tool::CHANGES.iter().map(|name| (format!("/v1/{name}"), change(name)));
    let mut paths: Map<String, Value> = paths.chain(changes).collect();
    for (at, summary, found) in [
        (
            "/metrics",
            "Requests and seconds by address and status, as Prometheus reads them",
            "The counts.",
        ),
        ("/v1/models", "The names under which a chat is answered", "The names."),
        ("/health", "Whether the server is there", "It is."),
        (
            "/v1/atlas",
            "All that the explorer shows, in rows by number",
            "The rows.",
        ),
        (
            "/v1/documents/{number}",
            "The text of a document of the atlas",
            "The document.",
        ),
    ] {
        let mut get = json!({"summary": summary, "responses": responses(found)});
        if at.contains("{number}") {
            let schema = json!({"type": "integer", "minimum": 0});
            get["parameters"] = json!([{"name": "number", "in": "path", "required": true, "schema": schema}]);
        }
        paths.insert(at.to_owned(), json!({"get": get}));
    }
    let messages = json!({"type": "array", "minItems": 1, "items": {"type": "object", "properties": {
        "role": {"type": "string"}, "content": {"type": "string"}}, "required": ["role", "content"]}});
    let chat = json!({"type": "object", "required": ["messages"], "properties": {
        "model": {"type": "string", "description": "the store, or the store with `:open`"},
        "messages": messages, "stream": {"type": "boolean"}}});
    let chat = json!({
        "summary": "Answer the last message of a user, with sources",
        "operationId": "chat",
        "requestBody": {"required": true, "content": {"application/json": {"schema": chat}}},
        "responses": responses("The answer."),
    });
    paths.insert("/v1/chat/completions".to_owned(), json!({"post": chat}));
    let servers = match stores {
        [] => json!({"url": "/"}),
        [first, ..] => json!({"url": "/{store}", "variables": {"store": {"default": first, "enum": stores}}}),
    };
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Banyan", "version": env!("CARGO_PKG_VERSION")},
        "servers": [servers],
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    })
}

fn path(name: &str) -> Value {
    let schema = tool::schema(name);
    let properties = schema["properties"].as_object();
    let is_required = |name: &String| {
        schema["required"]
            .as_array()
            .is_some_and(|list| list.iter().any(|one| one == name))
    };
    let parameters = properties.into_iter().flatten().map(|(name, property)| {
        json!({
            "name": name,
            "in": "query",
            "required": is_required(name),
            "description": property["description"],
            "schema": property,
        })
    });
    let summary = tool::purpose(name);
    let responses = responses("What was found; with `Accept: text/event-stream` the steps of a question before it.");
    json!({
        "get": {
            "summary": summary,
            "operationId": format!("{name}_by_address"),
            "parameters": parameters.collect::<Vec<_>>(),
            "responses": responses,
        },
        "post": post(name, &responses),
    })
}

/// A decision on the store.
fn change(name: &str) -> Value {
    let mut responses = responses("It is decided.");
    responses["403"] = response("The store is served to be read.");
    json!({"post": post(name, &responses)})
}

fn post(name: &str, responses: &Value) -> Value {
    json!({
        "summary": tool::purpose(name),
        "operationId": name,
        "requestBody": {"required": true, "content": {"application/json": {"schema": tool::schema(name)}}},
        "responses": responses,
    })
}

fn responses(found: &str) -> Value {
    json!({
        "200": response(found),
        "400": response("What was asked cannot be answered; `error` says why."),
        "401": response("The token is wrong or missing."),
        "404": response("The store has no such thing."),
        "503": response("Too much is asked at once."),
        "504": response("It took too long."),
    })
}

fn response(what: &str) -> Value {
    json!({"description": what, "content": {"application/json": {"schema": {"type": "object"}}}})
}
