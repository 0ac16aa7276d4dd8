//! Knowledge as files for other programs: what is chosen of it, as nodes and edges, and how formats write these.
//!
//! [`select`] makes a [`Picture`] of the chosen levels (Eq. 8, Youtu-GraphRAG) and entities; [`json`](json()),
//! [`json_lines`], [`graphml`](graphml()), [`csv`](csv()), [`cypher`](cypher()), [`ntriples`](ntriples()) and
//! [`obsidian`](obsidian()) make text of it, each at a cost of O(size). Nothing here opens a file.

mod csv;
mod cypher;
mod graphml;
mod ntriples;
mod obsidian;
mod picture;
mod select;
#[cfg(test)]
mod tests;

pub use csv::{Csv, csv};
pub use cypher::cypher;
pub use graphml::graphml;
pub use ntriples::ntriples;
pub use obsidian::obsidian;
pub use picture::{Edge, Node, NodeKind, Picture};
pub use select::{Selection, select};

use serde_json::json;

/// A picture as one object in the node-link form that networkx reads (`edges="edges"`).
///
/// # Errors
/// When a text or number cannot be encoded, which no picture is known to cause.
pub fn json(picture: &Picture) -> serde_json::Result<String> {
    #[derive(serde::Serialize)]
    struct NodeLink<'a> {
        directed: bool,
        multigraph: bool,
        graph: serde_json::Value,
        #[serde(flatten)]
        picture: &'a Picture,
    }
    let object = NodeLink {
        directed: true,
        multigraph: true,
        graph: json!({}),
        picture,
    };
    Ok(serde_json::to_string(&object)? + "\n")
}

/// A picture as JSON lines: `{"node": …}` for each node, then `{"edge": …}` for each edge, with the fields of
/// [`json`](json()).
///
/// # Errors
/// As of [`json`](json()).
pub fn json_lines(picture: &Picture) -> serde_json::Result<String> {
    let nodes = picture
        .nodes
        .iter()
        .map(|node| serde_json::to_string(&json!({"node": node})));
    let edges = picture
        .edges
        .iter()
        .map(|edge| serde_json::to_string(&json!({"edge": edge})));
    nodes.chain(edges).map(|line| Ok(line? + "\n")).collect()
}
