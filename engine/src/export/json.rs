//! JSON: one object in node-link form, or an object a line.

use super::picture::{Edge, Node, Picture};
use serde::Serialize;

#[derive(Serialize)]
struct NodeLink<'a> {
    directed: bool,
    multigraph: bool,
    graph: Empty,
    nodes: &'a [Node],
    edges: Vec<Keyed<'a>>,
}

#[derive(Serialize)]
struct Empty {}

/// An edge as a multigraph has it: told from others of the same ends by `key`.
#[derive(Serialize)]
struct Keyed<'a> {
    key: &'a str,
    #[serde(flatten)]
    edge: &'a Edge,
}

#[derive(Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
enum Line<'a> {
    Node(&'a Node),
    Edge(&'a Edge),
}

pub(super) fn node_link(picture: &Picture) -> String {
    let edges = picture.edges.iter().map(|edge| Keyed { key: &edge.id, edge });
    let object = NodeLink {
        directed: true,
        multigraph: true,
        graph: Empty {},
        nodes: &picture.nodes,
        edges: edges.collect(),
    };
    line(&object)
}

pub(super) fn lines(picture: &Picture) -> String {
    let nodes = picture.nodes.iter().map(Line::Node);
    let edges = picture.edges.iter().map(Line::Edge);
    nodes.chain(edges).map(|object| line(&object)).collect()
}

/// Texts, finite numbers and lists of them, which JSON can always say.
fn line(object: &impl Serialize) -> String {
    let mut text = serde_json::to_string(object).unwrap_or_default();
    text.push('\n');
    text
}
