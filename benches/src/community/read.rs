//! Graphs in files: the JSON that the Python reference implementation was run on, two tables, and GML.

use super::graph::{Graph, Node};
use anyhow::{Context, Result, bail, ensure};
use regex::Regex;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The type of edges whose file names none.
const RELATED_TO: &str = "related_to";

/// The label of the nodes that are entities; the others are values of attributes.
const ENTITY: &str = "entity";

#[derive(Deserialize)]
struct Dump {
    nodes: Vec<DumpNode>,
    edges: Vec<[String; 3]>,
}

#[derive(Deserialize)]
struct DumpNode {
    id: String,
    label: Option<String>,
    topic: Option<i64>,
}

/// Reads `{"nodes": [{"id", "label", "topic"}], "edges": [[source, relation, target]]}`.
///
/// The nodes of the graph are the entities, in the order of the file; the class is `topic`, where it is at least 0. Edges
/// to values of attributes say nothing between entities and are left out. Cost O(n log n) in the length of the text.
///
/// # Errors
/// For other JSON, and where there is no graph of it.
pub(super) fn read_dump(text: &str) -> Result<Graph> {
    let Dump { nodes, mut edges } =
        serde_json::from_str(text).context("expected the JSON of a graph, `nodes` and `edges`")?;
    let is_value = |node: &DumpNode| node.label.as_ref().is_some_and(|label| label != ENTITY);
    let (values, entities): (Vec<DumpNode>, Vec<DumpNode>) = nodes.into_iter().partition(is_value);
    let values: BTreeSet<String> = values.into_iter().map(|node| node.id).collect();
    edges.retain(|[source, _, target]| !values.contains(source) && !values.contains(target));
    let entity = |node: DumpNode| Node {
        id: node.id,
        class: node.topic.filter(|topic| *topic >= 0).map(|topic| topic.to_string()),
        ..Node::default()
    };
    Graph::new(Some(entities.into_iter().map(entity).collect()), &edges)
}

/// Reads communities as `{"name": ["entity_0", …], …}`: for each node of `graph` the communities that list it.
///
/// # Errors
/// For other JSON, and for members that are no nodes.
pub(super) fn read_stored(text: &str, graph: &Graph) -> Result<Vec<Vec<u32>>> {
    let stored: BTreeMap<String, Vec<String>> =
        serde_json::from_str(text).context("expected the JSON of communities")?;
    let places: BTreeMap<&str, usize> = graph.names.iter().map(String::as_str).zip(0..).collect();
    let mut of_nodes = vec![Vec::new(); graph.names.len()];
    for (community, members) in (0..).zip(stored.values()) {
        for member in members {
            let place = places.get(member.as_str());
            let place = place.with_context(|| format!("the node `{member}` is not among the nodes"))?;
            of_nodes[*place].push(community);
        }
    }
    Ok(of_nodes)
}

/// Reads `edges` (source and target, or source, relation and target, a line) and, where there are any, `nodes` (id,
/// class, and numbers of binary features, a line), all between tabs or spaces.
///
/// Lines that are empty or start with `#` are passed over; the class `-` says that it is not known. With nodes, edges may
/// end at no others; without, the nodes are those that the edges name. Cost O(n log n) in the length of the texts.
///
/// # Errors
/// For a line of another form, and where there is no graph of it.
pub(super) fn read_table(edges: &str, nodes: Option<&str>) -> Result<Graph> {
    let node = |(line, columns): (usize, Vec<&str>)| {
        let place = || format!("line {line}: `{}`", columns.join(" "));
        let [id, class, features @ ..] = &columns[..] else {
            bail!("{}; expected an id and a class", place());
        };
        let numbers: Result<Vec<u32>, _> = features.iter().map(|feature| feature.parse()).collect();
        Ok(Node {
            id: (*id).to_owned(),
            class: (*class != "-").then(|| (*class).to_owned()),
            features: numbers.with_context(|| format!("{}; expected numbers of features after the class", place()))?,
        })
    };
    let nodes: Option<Vec<Node>> = nodes
        .map(|text| rows(text).map(node).collect::<Result<_>>())
        .transpose()?;
    let edge = |(line, columns): (usize, Vec<&str>)| match columns[..] {
        [source, target] => Ok([source, RELATED_TO, target].map(str::to_owned)),
        [source, relation, target] => Ok([source, relation, target].map(str::to_owned)),
        _ => bail!(
            "line {line}: `{}`; expected two ids, or an id, a relation and an id",
            columns.join(" ")
        ),
    };
    Graph::new(nodes, &rows(edges).map(edge).collect::<Result<Vec<_>>>()?)
}

/// The columns of each line that says something, with its number.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#'));
    lines
        .map(|(number, line)| (number, line.split_whitespace().collect::<Vec<_>>()))
        .filter(|(_, columns)| !columns.is_empty())
}

/// Reads a graph in GML (Himsolt 1997), `graph [ node [ id 0 gt "1" ] edge [ source 0 target 1 ] ]`; the class of a node
/// is its attribute `gt` or, without one, `value`. Other attributes, direction, weights and labels are passed over: every
/// edge is of one type and weighs 1. Cost O(n log n) in the length of the text.
///
/// # Errors
/// For a list that does not end, a node without id, an edge without ends, and where there is no graph of it.
pub(super) fn read_gml(text: &str) -> Result<Graph> {
    let token = Regex::new(r#""([^"]*)"|\[|\]|[^\s\[\]"]+"#)?;
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    // The lists that are open, each with its name and its own fields.
    let mut open: Vec<(&str, BTreeMap<&str, &str>)> = Vec::new();
    let mut key = None;
    for found in token.captures_iter(text) {
        let word = found.get(1).or(found.get(0)).map_or("", |word| word.as_str());
        match (&found[0], key.take()) {
            ("[", name) => open.push((name.unwrap_or_default(), BTreeMap::new())),
            ("]", _) => {
                let (name, fields) = open.pop().context("a list ends that did not begin")?;
                let field = |name: &str| fields.get(name).map(|value| (*value).to_owned());
                if name == "node" {
                    nodes.push(Node {
                        id: field("id").context("a node without `id`")?,
                        class: field("gt").or(field("value")),
                        ..Node::default()
                    });
                } else if name == "edge" {
                    let end = |name: &str| field(name).with_context(|| format!("an edge without `{name}`"));
                    edges.push([end("source")?, RELATED_TO.to_owned(), end("target")?]);
                }
            }
            (_, None) => key = Some(word),
            (_, Some(key)) => {
                if let Some((_, fields)) = open.last_mut() {
                    fields.entry(key).or_insert(word);
                }
            }
        }
    }
    ensure!(
        open.is_empty(),
        "a list does not end; expected `graph [ node [ id … ] … edge [ source … target … ] … ]`"
    );
    Graph::new(Some(nodes), &edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = r#"{"nodes": [{"id": "e0", "label": "entity", "topic": 4},
        {"id": "a0", "label": "attribute", "topic": -1}, {"id": "e1", "label": "entity", "topic": 4}],
        "edges": [["e0", "owns", "e1"], ["e0", "has_attribute", "a0"]]}"#;
    const GML: &str = "graph\n[\n directed 0\n node [ id 7 label \"a [b] id 1\" gt \"x\" ]\n \
        node [ id 9 value 3 graphics [ x 1.0 id 8 ] ]\n edge [ source 9 target 7 value 2 ]\n]\n";

    /// Names, classes, and edges by their ends.
    fn check(graph: Result<Graph>, names: &[&str], classes: &[Option<u32>], edges: &[(u32, u32)]) {
        let graph = graph.unwrap();
        let ends: Vec<_> = graph.edges.iter().map(|edge| (edge.source, edge.target)).collect();
        assert_eq!(graph.names, names);
        assert_eq!((graph.classes.as_slice(), ends.as_slice()), (classes, edges));
    }

    #[test]
    fn every_format_gives_nodes_classes_and_edges() {
        check(read_dump(DUMP), &["e0", "e1"], &[Some(0), Some(0)], &[(0, 1)]);
        check(read_gml(GML), &["7", "9"], &[Some(0), Some(1)], &[(1, 0)]);
        let nodes = Some("0\tx\t3 5\n1\ty\t\n2\t-\n");
        check(
            read_table("1\t0\n", nodes),
            &["0", "1", "2"],
            &[Some(0), Some(1), None],
            &[(1, 0)],
        );
        let typed = read_table("# head relation tail\na likes b\nb knows c\n\na likes c\n", None);
        check(typed, &["a", "b", "c"], &[None; 3], &[(0, 1), (1, 2), (0, 2)]);
        let stored = read_stored(r#"{"0": ["e1"], "1": ["e1"]}"#, &read_dump(DUMP).unwrap());
        assert_eq!(stored.unwrap(), [vec![], vec![0, 1]]);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let check = |found: Result<Graph>, says: &str| {
            let error = format!("{:#}", found.unwrap_err());
            assert!(error.contains(says), "{error}");
        };
        check(read_dump("[]"), "expected the JSON of a graph");
        check(read_dump(r#"{"nodes": [], "edges": []}"#), "no nodes");
        check(
            read_dump(r#"{"nodes": [{"id": "e"}], "edges": [["e", "r", "f"]]}"#),
            "`f` is not among",
        );
        check(read_table("", Some("")), "no nodes");
        check(read_table("a\n", None), "line 1: `a`; expected two ids");
        check(read_table("a b\n", Some("a x\n")), "the node `b` is not among");
        check(read_table("", Some("a\n")), "expected an id and a class");
        check(
            read_table("", Some("a x\na y\n")),
            "the node `a` is introduced a second time",
        );
        check(read_table("", Some("a x -3\n")), "numbers of features");
        check(read_gml("graph [ ]"), "no nodes");
        check(read_gml("graph [ node [ label \"a\" ] ]"), "a node without `id`");
        check(
            read_gml("graph [ node [ id 1 ] edge [ source 1 ] ]"),
            "without `target`",
        );
        check(read_gml("graph [ node [ id 1 ] node [ id 1 ] ]"), "a second time");
        for end in 0..GML.len() - 2 {
            assert!(read_gml(&GML[..end]).is_err(), "{end}");
        }
    }
}
