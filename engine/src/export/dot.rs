//! Graphviz.

use super::picture::{Edge, Node, NodeKind, Picture};

pub(super) fn dot(picture: &Picture) -> String {
    let head = "digraph banyan {\n  graph [overlap=false, splines=true];\n  node [shape=box, style=rounded];\n";
    let mut text = head.to_owned();
    text.extend(picture.nodes.iter().map(node));
    text.extend(picture.edges.iter().map(edge));
    text + "}\n"
}

fn node(node: &Node) -> String {
    let shape = match node.kind {
        NodeKind::Branch => "shape=tab",
        NodeKind::Community => "shape=folder",
        NodeKind::Keyword => "shape=box, style=bold",
        NodeKind::Entity => "shape=box, style=rounded",
        NodeKind::Attribute => "shape=plaintext",
    };
    let (id, label) = (quoted(&node.id), quoted(&node.name));
    let tip = quoted(&format!("{}: {}", node.type_name, node.description));
    let (level, sources) = (node.level, quoted(&node.sources.join("\n")));
    format!("  {id} [label={label}, {shape}, tooltip={tip}, level={level}, sources={sources}];\n")
}

fn edge(edge: &Edge) -> String {
    let [source, target, label] = [&edge.source, &edge.target, &edge.relation].map(|text| quoted(text));
    let (weight, level, sources) = (edge.weight, edge.level, quoted(&edge.sources.join("\n")));
    format!("  {source} -> {target} [label={label}, weight={weight}, level={level}, sources={sources}];\n")
}

/// A text in double quotes, of which Graphviz reads nothing as a mark.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            ch if ch.is_control() => quoted.push(' '),
            ch => quoted.push(ch),
        }
    }
    quoted.push('"');
    quoted
}
