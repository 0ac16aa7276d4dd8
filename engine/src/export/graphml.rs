//! The format `GraphML`.

use super::picture::Picture;
use std::fmt::Write;

/// Names and types of the data of nodes.
const NODE_KEYS: [(&str, &str); 7] = [
    ("kind", "string"),
    ("level", "int"),
    ("name", "string"),
    ("type", "string"),
    ("description", "string"),
    ("score", "double"),
    ("sources", "string"),
];
/// Names and types of the data of edges.
const EDGE_KEYS: [(&str, &str); 4] = [
    ("relation", "string"),
    ("level", "int"),
    ("weight", "double"),
    ("sources", "string"),
];

/// A picture as `GraphML`, with sources and descriptions as data.
pub fn graphml(picture: &Picture) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (owner, keys) in [("node", &NODE_KEYS[..]), ("edge", &EDGE_KEYS)] {
        text.extend(keys.iter().map(|(name, kind)| {
            format!("  <key id=\"{owner}_{name}\" for=\"{owner}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>\n")
        }));
    }
    text += "  <graph edgedefault=\"directed\">\n";
    for node in &picture.nodes {
        let values = [
            node.kind.as_str(),
            &node.level.to_string(),
            &node.name,
            &node.type_name,
            &node.description,
            &node.score.to_string(),
            &node.sources.join("\n"),
        ];
        let data = data("node", &NODE_KEYS, &values);
        let id = escape(&node.id);
        // Writing to a String cannot fail.
        let _ = write!(text, "    <node id=\"{id}\">\n{data}    </node>\n");
    }
    for edge in &picture.edges {
        let values = [
            &edge.relation,
            &*edge.level.to_string(),
            &edge.weight.to_string(),
            &edge.sources.join("\n"),
        ];
        let data = data("edge", &EDGE_KEYS, &values);
        let [id, source, target] = [&edge.id, &edge.source, &edge.target].map(|text| escape(text));
        let ends = format!("source=\"{source}\" target=\"{target}\"");
        let _ = write!(text, "    <edge id=\"{id}\" {ends}>\n{data}    </edge>\n");
    }
    text + "  </graph>\n</graphml>\n"
}

fn data(owner: &str, keys: &[(&str, &str)], values: &[&str]) -> String {
    let line = |((name, _), value): (&(&str, &str), &&str)| {
        format!("      <data key=\"{owner}_{name}\">{}</data>\n", escape(value))
    };
    keys.iter().zip(values).map(line).collect()
}

/// `text` with what XML reads as marks written as references. Characters that XML 1.0 cannot hold in any form become the
/// replacement character.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(ch),
        }
    }
    escaped
}
