//! GEXF 1.2.

use super::picture::{Edge, Node, Picture};
use super::xml::escape;

/// Names and types of the attributes of nodes; the name is the label.
const NODE_KEYS: [(&str, &str); 6] = [
    ("kind", "string"),
    ("level", "integer"),
    ("type", "string"),
    ("description", "string"),
    ("score", "double"),
    ("sources", "string"),
];
/// Names and types of the attributes of edges; the relation is the label.
const EDGE_KEYS: [(&str, &str); 3] = [("relation", "string"), ("level", "integer"), ("sources", "string")];

pub(super) fn gexf(picture: &Picture) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n  \
         <graph mode=\"static\" defaultedgetype=\"directed\">\n",
    );
    text.push_str(&keys("node", &NODE_KEYS));
    text.push_str(&keys("edge", &EDGE_KEYS));
    text += "    <nodes>\n";
    text.extend(picture.nodes.iter().map(node));
    text += "    </nodes>\n    <edges>\n";
    text.extend(picture.edges.iter().map(edge));
    text + "    </edges>\n  </graph>\n</gexf>\n"
}

fn keys(owner: &str, keys: &[(&str, &str)]) -> String {
    let line = |(at, (name, kind)): (usize, &(&str, &str))| {
        format!("      <attribute id=\"{at}\" title=\"{name}\" type=\"{kind}\"/>\n")
    };
    let lines: String = keys.iter().enumerate().map(line).collect();
    format!("    <attributes class=\"{owner}\" mode=\"static\">\n{lines}    </attributes>\n")
}

fn node(node: &Node) -> String {
    let values = values(&[
        node.kind.as_str(),
        &node.level.to_string(),
        &node.type_name,
        &node.description,
        &node.score.to_string(),
        &node.sources.join("\n"),
    ]);
    let [id, label] = [&node.id, &node.name].map(|text| escape(text));
    format!("      <node id=\"{id}\" label=\"{label}\">\n{values}      </node>\n")
}

fn edge(edge: &Edge) -> String {
    let values = values(&[&edge.relation, &edge.level.to_string(), &edge.sources.join("\n")]);
    let [id, source, target, label] = [&edge.id, &edge.source, &edge.target, &edge.relation].map(|text| escape(text));
    let weight = edge.weight;
    format!(
        "      <edge id=\"{id}\" source=\"{source}\" target=\"{target}\" label=\"{label}\" weight=\"{weight}\">\n{values}      </edge>\n"
    )
}

fn values(values: &[&str]) -> String {
    let line =
        |(at, value): (usize, &&str)| format!("          <attvalue for=\"{at}\" value=\"{}\"/>\n", escape(value));
    let lines: String = values.iter().enumerate().map(line).collect();
    format!("        <attvalues>\n{lines}        </attvalues>\n")
}
