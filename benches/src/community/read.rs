//! Graphs in files: the JSON that the Python reference implementation was run on, two tables, and GML.

use super::graph::{Edge, Graph, Numbers};
use anyhow::{Context, Result, bail, ensure};
use banyan_engine::schema::RELATED_TO;
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The label of the nodes that are entities; the others are values of attributes.
const ENTITY: &str = "entity";

#[derive(Deserialize)]
struct Dump {
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

/// Reads `{"nodes": [{"id", "label", "topic"}], "edges": [[source, relation, target]]}`.
///
/// The nodes of the graph are the entities, in the order of the file; the class is `topic`, where it is at least 0. Edges
/// to values of attributes say nothing between entities and are left out. Cost O(n log n) in the length of the text.
///
/// # Errors
/// For other JSON, an edge to no node, a node told twice, and no entity at all.
pub(super) fn read_dump(text: &str) -> Result<Graph> {
    let file: Dump = serde_json::from_str(text).context("expected the JSON of a graph, `nodes` and `edges`")?;
    let mut graph = Graph::default();
    let (mut names, mut values, mut relations) = (Numbers::default(), Numbers::default(), Numbers::default());
    for node in file.nodes {
        if node.label.is_some_and(|label| label != ENTITY) {
            values.introduce(&node.id)?;
            continue;
        }
        names.introduce(&node.id)?;
        let class = node.topic.and_then(|topic| u32::try_from(topic).ok());
        graph.classes.push(class);
    }
    for (source, relation, target) in file.edges {
        if values.known(&source).is_ok() || values.known(&target).is_ok() {
            continue;
        }
        graph.edges.push(Edge {
            source: names.known(&source)?,
            relation: relations.of(&relation),
            target: names.known(&target)?,
        });
    }
    finished(graph, names, relations)
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

/// Reads `edges` (source and target, or source, relation and target, a line) and, where there are any, `nodes` (id, class,
/// and numbers of binary features, a line), all between tabs or spaces.
///
/// Lines that are empty or start with `#` are passed over; the class `-` says that it is not known. With nodes, edges may
/// end at no others; without, the nodes are those that the edges name. Cost O(n log n) in the length of the texts.
///
/// # Errors
/// For a line of another form, an edge to no node, a node told twice, and no node at all.
pub(super) fn read_table(edges: &str, nodes: Option<&str>) -> Result<Graph> {
    let (mut graph, mut classes) = (Graph::default(), Numbers::default());
    let (mut names, mut relations) = (Numbers::default(), Numbers::default());
    for (line, columns) in nodes.map(rows).into_iter().flatten() {
        let place = || format!("line {line}: `{}`", columns.join(" "));
        let [id, class, features @ ..] = &columns[..] else {
            bail!("{}; expected an id and a class", place());
        };
        names.introduce(id).with_context(place)?;
        graph.classes.push((*class != "-").then(|| classes.of(class)));
        let numbers: Result<Vec<u32>, _> = features.iter().map(|feature| feature.parse()).collect();
        let numbers = numbers.with_context(|| format!("{}; expected numbers of features after the class", place()));
        graph.features.push(numbers?);
    }
    for (line, columns) in rows(edges) {
        let place = || format!("line {line}: `{}`", columns.join(" "));
        let (source, relation, target) = match columns[..] {
            [source, target] => (source, RELATED_TO, target),
            [source, relation, target] => (source, relation, target),
            _ => bail!("{}; expected two ids, or an id, a relation and an id", place()),
        };
        let mut end = |name: &str| match nodes {
            Some(_) => names.known(name).with_context(place),
            None => Ok(names.of(name)),
        };
        graph.edges.push(Edge {
            source: end(source)?,
            relation: relations.of(relation),
            target: end(target)?,
        });
    }
    finished(graph, names, relations)
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
/// For a list that does not end, a node without id or told twice, an edge without ends or to no node, and no node at all.
pub(super) fn read_gml(text: &str) -> Result<Graph> {
    let begun = Regex::new(r"\b(?:node|edge)\s*\[")?;
    let whole = Regex::new(r#"\b(node|edge)\s*\[((?:"[^"]*"|\[[^\]]*\]|[^\[\]"])*)\]"#)?;
    let field = Regex::new(r#""[^"]*"|\b(id|gt|value|source|target)\s+(?:"([^"]*)"|([^\s\]]+))"#)?;
    let lists: Vec<(&str, BTreeMap<&str, &str>)> = whole
        .captures_iter(text)
        .filter_map(|list| Some((list.get(1)?.as_str(), list.get(2)?.as_str())))
        .map(|(kind, inner)| {
            let mut fields = BTreeMap::new();
            for found in field.captures_iter(inner) {
                if let (Some(key), Some(value)) = (found.get(1), found.get(2).or(found.get(3))) {
                    fields.entry(key.as_str()).or_insert(value.as_str());
                }
            }
            (kind, fields)
        })
        .collect();
    let quoted = Regex::new(r#""[^"]*""#)?;
    let unquoted = quoted.replace_all(text, "");
    let n = |bracket: char| unquoted.matches(bracket).count();
    ensure!(
        lists.len() == begun.find_iter(&unquoted).count() && n('[') == n(']'),
        "a list does not end; expected `graph [ node [ id … ] … edge [ source … target … ] … ]`"
    );
    let (mut graph, mut classes) = (Graph::default(), Numbers::default());
    let (mut names, mut relations) = (Numbers::default(), Numbers::default());
    // Nodes may stand after the edges that name them.
    for (_, node) in lists.iter().filter(|(kind, _)| *kind == "node") {
        names.introduce(node.get("id").context("a node without `id`")?)?;
        let class = node.get("gt").or(node.get("value"));
        graph.classes.push(class.map(|class| classes.of(class)));
    }
    for (_, edge) in lists.iter().filter(|(kind, _)| *kind == "edge") {
        let end = |key: &str| names.known(edge.get(key).with_context(|| format!("an edge without `{key}`"))?);
        graph.edges.push(Edge {
            source: end("source")?,
            relation: relations.of(RELATED_TO),
            target: end("target")?,
        });
    }
    finished(graph, names, relations)
}

/// The graph with its names, an entry of classes and features for each.
fn finished(mut graph: Graph, names: Numbers, relations: Numbers) -> Result<Graph> {
    graph.names = names.into_names();
    graph.relations = relations.into_names();
    ensure!(!graph.names.is_empty(), "no nodes; expected at least one");
    graph.classes.resize(graph.names.len(), None);
    graph.features.resize(graph.names.len(), Vec::new());
    Ok(graph)
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
        check(read_dump(DUMP), &["e0", "e1"], &[Some(4), Some(4)], &[(0, 1)]);
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
            "line 2: `a y`: the node `a` is introduced",
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
