//! What the server answers, as an `OpenAPI` document.

use crate::commands::tool;
use serde_json::{Map, Value, json};

/// The document: each tool, asked by its address or by a body.
pub(super) fn document() -> Value {
    let paths = tool::TOOLS.iter().map(|name| (format!("/v1/{name}"), path(name)));
    let mut paths: Map<String, Value> = paths.collect();
    let health = json!({"get": {"summary": "Whether the server is there", "responses": {"200": response("It is.")}}});
    paths.insert("/health".to_owned(), health);
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Banyan", "version": env!("CARGO_PKG_VERSION")},
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
    let responses = json!({
        "200": response("What was found."),
        "400": response("What was asked cannot be answered; `error` says why."),
        "401": response("The token is wrong or missing."),
        "503": response("Too much is asked at once."),
        "504": response("It took too long."),
    });
    json!({
        "get": {
            "summary": summary,
            "operationId": format!("{name}_by_address"),
            "parameters": parameters.collect::<Vec<_>>(),
            "responses": responses,
        },
        "post": {
            "summary": summary,
            "operationId": name,
            "requestBody": {"required": true, "content": {"application/json": {"schema": schema}}},
            "responses": responses,
        },
    })
}

fn response(what: &str) -> Value {
    json!({"description": what, "content": {"application/json": {"schema": {"type": "object"}}}})
}
