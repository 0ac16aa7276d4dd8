//! The format `GraphML`.

use super::picture::{Edge, Node, Picture};
use super::xml::escape;

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

pub(super) fn graphml(picture: &Picture) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    text.push_str(&keys("node", &NODE_KEYS));
    text.push_str(&keys("edge", &EDGE_KEYS));
    text += "  <graph edgedefault=\"directed\">\n";
    text.extend(picture.nodes.iter().map(node));
    text.extend(picture.edges.iter().map(edge));
    text + "  </graph>\n</graphml>\n"
}

fn keys(owner: &str, keys: &[(&str, &str)]) -> String {
    let line = |(name, kind): &(&str, &str)| {
        format!("  <key id=\"{owner}_{name}\" for=\"{owner}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>\n")
    };
    keys.iter().map(line).collect()
}

fn node(node: &Node) -> String {
    let data = [
        node.kind.as_str().to_owned(),
        node.level.to_string(),
        node.name.clone(),
        node.type_name.clone(),
        node.description.clone(),
        node.score.to_string(),
        node.sources.join("\n"),
    ];
    let data = data_of("node", &NODE_KEYS, &data);
    format!("    <node id=\"{}\">\n{data}    </node>\n", escape(&node.id))
}

fn edge(edge: &Edge) -> String {
    let data = [
        edge.relation.clone(),
        edge.level.to_string(),
        edge.weight.to_string(),
        edge.sources.join("\n"),
    ];
    let [id, source, target] = [&edge.id, &edge.source, &edge.target].map(|text| escape(text));
    let data = data_of("edge", &EDGE_KEYS, &data);
    format!("    <edge id=\"{id}\" source=\"{source}\" target=\"{target}\">\n{data}    </edge>\n")
}

fn data_of(owner: &str, keys: &[(&str, &str)], data: &[String]) -> String {
    let line = |((name, _), value): (&(&str, &str), &String)| {
        format!("      <data key=\"{owner}_{name}\">{}</data>\n", escape(value))
    };
    keys.iter().zip(data).map(line).collect()
}
