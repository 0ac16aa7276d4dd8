//! Typed graphs in the JSON that the Python reference implementation was run on, and communities it stored.

use super::error::GraphError;
use super::graph::{Edge, Graph, Numbers};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The label of the nodes that are entities; the others are values of attributes.
const ENTITY: &str = "entity";

#[derive(Deserialize)]
struct File {
    nodes: Vec<Node>,
    edges: Vec<(String, String, String)>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    topic: Option<i64>,
}

impl Node {
    fn is_entity(&self) -> bool {
        self.label.as_deref().is_none_or(|label| label == ENTITY)
    }
}

/// Reads `{"nodes": [{"id", "label", "topic"}], "edges": [[source, relation, target]]}`.
///
/// The nodes of the graph are the entities, in the order of the file; the class is `topic`, where it is at least 0. Edges
/// to values of attributes say nothing between entities and are left out. Cost O(n log n) in the length of the text.
///
/// # Errors
/// [`GraphError`] for other JSON, an edge to no node, a node told twice, and no entity at all.
pub fn read_dump(text: &str) -> Result<Graph, GraphError> {
    let file: File = serde_json::from_str(text)?;
    let mut graph = Graph::default();
    let (mut names, mut values, mut relations) = (Numbers::default(), Numbers::default(), Numbers::default());
    for node in file.nodes {
        if !node.is_entity() {
            values.introduce(&node.id, 0)?;
            continue;
        }
        names.introduce(&node.id, 0)?;
        graph
            .classes
            .push(node.topic.and_then(|topic| u32::try_from(topic).ok()));
    }
    for (source, relation, target) in file.edges {
        if values.known(&source, 0).is_ok() || values.known(&target, 0).is_ok() {
            continue;
        }
        graph.edges.push(Edge {
            source: names.known(&source, 0)?,
            relation: relations.of(&relation),
            target: names.known(&target, 0)?,
        });
    }
    graph.names = names.into_names();
    graph.relations = relations.into_names();
    if graph.names.is_empty() {
        return Err(GraphError::NoNodes {
            expected: "objects with `id` and the label `entity` in `nodes`",
        });
    }
    graph.features = vec![Vec::new(); graph.names.len()];
    Ok(graph)
}

/// Reads communities as `{"name": ["entity_0", …], …}`: for each node of `graph` the communities that list it.
///
/// # Errors
/// [`GraphError`] for other JSON, and for members that are no nodes.
pub fn read_stored(text: &str, graph: &Graph) -> Result<Vec<Vec<u32>>, GraphError> {
    let stored: BTreeMap<String, Vec<String>> = serde_json::from_str(text)?;
    let places: BTreeMap<&str, usize> = graph.names.iter().map(String::as_str).zip(0..).collect();
    let mut of_nodes = vec![Vec::new(); graph.names.len()];
    for (community, members) in (0..).zip(stored.values()) {
        for member in members {
            let place = places.get(member.as_str());
            let place = place.ok_or_else(|| GraphError::UnknownNode {
                line: 0,
                node: member.clone(),
            })?;
            of_nodes[*place].push(community);
        }
    }
    Ok(of_nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"{"n_entities": 2, "nodes": [
        {"id": "e0", "label": "entity", "topic": 4}, {"id": "a0", "label": "attribute", "topic": -1},
        {"id": "e1", "label": "entity", "topic": 4}],
        "edges": [["e0", "owns", "e1"], ["e0", "has_attribute", "a0"]]}"#;

    #[test]
    fn entities_are_nodes_and_attributes_are_not() {
        let graph = read_dump(SMALL).unwrap();
        assert_eq!(graph.names, ["e0", "e1"]);
        assert_eq!(graph.classes, [Some(4), Some(4)]);
        assert_eq!((graph.edges.len(), graph.relations), (1, vec!["owns".to_owned()]));
    }

    #[test]
    fn stored_communities_are_read_by_node() {
        let graph = read_dump(SMALL).unwrap();
        let stored = read_stored(r#"{"0": ["e1"], "1": ["e1"]}"#, &graph).unwrap();
        assert_eq!(stored, [vec![], vec![0, 1]]);
        assert!(read_stored(r#"{"0": ["e9"]}"#, &graph).is_err());
    }

    #[test]
    fn other_json_is_refused() {
        for text in [
            "",
            "[]",
            r#"{"nodes": [], "edges": []}"#,
            "{\"nodes\": [{\"id\": \"e\"}], \"edges\": [[\"e\", \"r\", \"f\"]]}",
        ] {
            assert!(read_dump(text).is_err(), "{text}");
        }
    }
}
