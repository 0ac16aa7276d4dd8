//! Statements for a database that speaks Cypher.

use super::picture::Picture;
use serde_json::{Value, json};
use std::fmt::Write;

/// A picture as Cypher, a statement a line: nodes labelled by their kind, with an index on their ids, then relationships
/// whose types are the relations. Values never end the text that they stand in. Cost O(size).
pub fn cypher(picture: &Picture) -> String {
    let mut text = String::from("CREATE INDEX banyan_id IF NOT EXISTS FOR (n:Banyan) ON (n.id);\n");
    for node in &picture.nodes {
        let properties = properties(&json!({
            "id": node.id,
            "name": node.name,
            "type": node.type_name,
            "level": node.level,
            "description": node.description,
            "score": node.score,
            "sources": node.sources,
        }));
        let kind = node.kind.as_str();
        let label = kind[..1].to_uppercase() + &kind[1..];
        // Writing to a String cannot fail.
        let _ = writeln!(text, "CREATE (:Banyan:{label} {properties});");
    }
    for edge in &picture.edges {
        let properties = properties(&json!({
            "id": edge.id,
            "level": edge.level,
            "weight": edge.weight,
            "sources": edge.sources,
        }));
        let ends = [&edge.source, &edge.target].map(|id| literal(&json!(id)));
        let _ = writeln!(
            text,
            "MATCH (a:Banyan {{id: {}}}), (b:Banyan {{id: {}}}) CREATE (a)-[:`{}` {properties}]->(b);",
            ends[0],
            ends[1],
            edge.relation.replace('`', "``")
        );
    }
    text
}

fn properties(object: &Value) -> String {
    let pairs = object.as_object().into_iter().flatten();
    let pairs: Vec<String> = pairs
        .map(|(name, value)| format!("{name}: {}", literal(value)))
        .collect();
    format!("{{{}}}", pairs.join(", "))
}

/// A value as Cypher writes it: strings have the escapes of JSON, which it knows.
fn literal(value: &Value) -> String {
    match value {
        Value::Array(values) => format!("[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", ")),
        _ => value.to_string(),
    }
}
