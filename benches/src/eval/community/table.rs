//! Graphs in two tables: edges as pairs of ids, and nodes as id, class and features.

use super::error::GraphError;
use super::graph::{Edge, Graph, Numbers};
use banyan_engine::schema::RELATED_TO;

/// Reads `edges` (source and target, or source, relation and target, a line) and, where there are any, `nodes` (id, class,
/// and numbers of binary features, a line), all between tabs or spaces.
///
/// Lines that are empty or start with `#` are passed over; the class `-` says that it is not known. With nodes, edges may
/// end at no others; without, the nodes are those that the edges name. Cost O(n log n) in the length of the texts.
///
/// # Errors
/// [`GraphError`] for a line of another form, an edge to no node, a node told twice, and no node at all.
pub fn read_table(edges: &str, nodes: Option<&str>) -> Result<Graph, GraphError> {
    let mut graph = Graph::default();
    let mut names = Numbers::default();
    let mut classes = Numbers::default();
    for (line, columns) in nodes.map(rows).into_iter().flatten() {
        let [id, class, features @ ..] = columns.as_slice() else {
            return Err(form(line, "an id and a class", &columns));
        };
        names.introduce(id, line)?;
        graph.classes.push((*class != "-").then(|| classes.of(class)));
        let numbers = features.iter().map(|feature| feature.parse());
        let numbers = numbers.collect::<Result<Vec<u32>, _>>();
        graph
            .features
            .push(numbers.map_err(|_| form(line, "numbers of features after the class", features))?);
    }
    let mut relations = Numbers::default();
    for (line, columns) in rows(edges) {
        let (source, relation, target) = match columns.as_slice() {
            [source, target] => (source, RELATED_TO, target),
            [source, relation, target] => (source, *relation, target),
            _ => return Err(form(line, "two ids, or an id, a relation and an id", &columns)),
        };
        let mut place = |name: &str| match nodes {
            Some(_) => names.known(name, line),
            None => Ok(names.of(name)),
        };
        graph.edges.push(Edge {
            source: place(source)?,
            relation: relations.of(relation),
            target: place(target)?,
        });
    }
    graph.names = names.into_names();
    graph.relations = relations.into_names();
    if graph.names.is_empty() {
        return Err(GraphError::NoNodes {
            expected: "a line with two ids for each edge",
        });
    }
    graph.classes.resize(graph.names.len(), None);
    graph.features.resize(graph.names.len(), Vec::new());
    Ok(graph)
}

/// The columns of each line that says something, with its number.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#'));
    lines
        .map(|(number, line)| (number, line.split_whitespace().collect::<Vec<_>>()))
        .filter(|(_, columns)| !columns.is_empty())
}

fn form(line: usize, expected: &'static str, found: &[&str]) -> GraphError {
    GraphError::Form {
        line,
        expected,
        found: format!("`{}`", found.join(" ").chars().take(40).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_classes_and_features() {
        let graph = read_table("1\t0\n", Some("0\tx\t3 5\n1\ty\t\n2\t-\n")).unwrap();
        assert_eq!(graph.names, ["0", "1", "2"]);
        assert_eq!(graph.classes, [Some(0), Some(1), None]);
        assert_eq!(graph.features, [vec![3, 5], vec![], vec![]]);
        assert_eq!((graph.edges[0].source, graph.edges[0].target), (1, 0));
        assert_eq!(graph.n_classified(), 2);
    }

    #[test]
    fn edges_alone_name_their_nodes_and_may_have_types() {
        let graph = read_table("# head relation tail\na likes b\nb knows c\n\na likes c\n", None).unwrap();
        assert_eq!(graph.names, ["a", "b", "c"]);
        assert_eq!(graph.relations, ["likes", "knows"]);
        assert_eq!(graph.classes, [None; 3]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let check = |edges: &str, nodes: Option<&str>, says: &str| {
            let error = read_table(edges, nodes).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        };
        check("", None, "no nodes");
        check("", Some(""), "no nodes");
        check("a\n", None, "line 1 has `a`; expected two ids");
        check("a b\n", Some("a x\n"), "line 1 names the node `b`");
        check("", Some("a\n"), "expected an id and a class");
        check("", Some("a x\na y\n"), "line 2 introduces the node `a` a second time");
        check("", Some("a x -3\n"), "numbers of features");
    }
}
