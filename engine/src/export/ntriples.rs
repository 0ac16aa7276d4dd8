//! RDF, a triple a line.

use super::picture::{NodeKind, Picture};
use super::select::ASSOCIATED;
use std::collections::BTreeMap;
use std::fmt::Write;

const TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const LABEL: &str = "http://www.w3.org/2000/01/rdf-schema#label";
const COMMENT: &str = "http://www.w3.org/2000/01/rdf-schema#comment";

/// A picture as N-Triples. What a node is called is its label, types and relations are `urn:banyan:type:` and
/// `urn:banyan:relation:` with their name, what else joins two nodes is `urn:banyan:tree:`, and an attribute is a literal of
/// its entity. Cost O(size).
pub fn ntriples(picture: &Picture) -> String {
    let mut text = String::new();
    let values = picture.nodes.iter().filter(|node| node.kind == NodeKind::Attribute);
    let values: BTreeMap<&str, &str> = values.map(|node| (node.id.as_str(), node.name.as_str())).collect();
    let mut state = |subject: &str, predicate: &str, object: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "<{subject}> <{predicate}> {object} .");
    };
    for node in picture.nodes.iter().filter(|node| node.kind != NodeKind::Attribute) {
        let subject = name("node", &node.id);
        state(&subject, TYPE, &format!("<{}>", name("type", &node.type_name)));
        state(&subject, LABEL, &literal(&node.name));
        // What an entity is, is an attribute of it.
        if node.kind != NodeKind::Entity {
            state(&subject, COMMENT, &literal(&node.description));
        }
    }
    for edge in &picture.edges {
        let object = match values.get(edge.target.as_str()) {
            Some(value) => literal(value),
            None => format!("<{}>", name("node", &edge.target)),
        };
        let is_fact =
            edge.source.starts_with('e') && edge.relation != ASSOCIATED && !object.starts_with("<urn:banyan:node:c");
        let space = if is_fact { "relation" } else { "tree" };
        state(&name("node", &edge.source), &name(space, &edge.relation), &object);
    }
    text
}

/// A name of ours; what it may not hold is spelled out.
fn name(kind: &str, own: &str) -> String {
    let mut iri = format!("urn:banyan:{kind}:");
    for byte in own.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            iri.push(byte.into());
        } else {
            let _ = write!(iri, "%{byte:02X}");
        }
    }
    iri
}

fn literal(text: &str) -> String {
    let mut quoted = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            '\r' => quoted += "\\r",
            _ if ch.is_control() => quoted.extend(format!("\\u{:04X}", u32::from(ch)).chars()),
            _ => quoted.push(ch),
        }
    }
    quoted + "\""
}
