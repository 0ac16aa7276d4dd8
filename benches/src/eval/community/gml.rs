//! Graphs in GML (Himsolt 1997): `graph [ node [ id 0 gt "1" ] edge [ source 0 target 1 ] ]`.

use super::error::GraphError;
use super::graph::{Edge, Graph, Numbers};
use banyan_engine::schema::RELATED_TO;

/// What a GML file must hold.
const EXPECTED: &str = "`graph [ node [ id … ] … edge [ source … target … ] … ]`";

/// Reads a graph in GML; the class of a node is its attribute `gt` or, without one, `value`.
///
/// Attributes that are not needed and lists in other places are passed over, whatever is in them. Direction, weights and
/// labels of edges are not read: every edge is of one type and weighs 1. Cost O(n log n) in the length of the text.
///
/// # Errors
/// [`GraphError`] for unbalanced brackets, a node without id, an edge without ends or to no node, and no node at all.
pub fn read_gml(text: &str) -> Result<Graph, GraphError> {
    let mut reader = Reader::default();
    let mut key: Option<Word> = None;
    for word in words(text) {
        match (key.take(), word.kind) {
            (Some(name), Kind::Open) => reader.open(name.text),
            (Some(name), Kind::Plain | Kind::Quoted) => reader.set(name.text, word.text),
            (None, Kind::Plain) => key = Some(word),
            (None, Kind::Close) => reader.close(word.line)?,
            (_, _) => return Err(form(word.line, "a key and a value, or a key and a list", word.text)),
        }
    }
    reader.finish(text.lines().count())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    Close,
    Quoted,
    Plain,
}

#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    kind: Kind,
    text: &'a str,
    line: usize,
}

/// Brackets, quoted strings and everything else between white space; lines that start with `#` are comments.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let (mut rest, mut line) = (text, 1);
    std::iter::from_fn(move || {
        loop {
            let skipped = rest.len() - rest.trim_start().len();
            line += rest[..skipped].matches('\n').count();
            rest = &rest[skipped..];
            if !rest.starts_with('#') {
                break;
            }
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        }
        let first = rest.chars().next()?;
        let start = line;
        let (kind, text, length) = match first {
            '[' => (Kind::Open, "[", 1),
            ']' => (Kind::Close, "]", 1),
            '"' => {
                let inner = rest[1..].find('"').map_or(&rest[1..], |end| &rest[1..=end]);
                (Kind::Quoted, inner, (inner.len() + 2).min(rest.len()))
            }
            _ => {
                let end = rest.find(|ch: char| ch.is_whitespace() || ch == '[' || ch == ']');
                let plain = &rest[..end.unwrap_or(rest.len())];
                (Kind::Plain, plain, plain.len())
            }
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
        Some(Word {
            kind,
            text,
            line: start,
        })
    })
}

/// What has been read, and the lists that are open.
#[derive(Debug, Default)]
struct Reader<'a> {
    open: Vec<&'a str>,
    node: NodeText<'a>,
    edge: (Option<&'a str>, Option<&'a str>),
    names: Numbers,
    classes: Numbers,
    of_nodes: Vec<Option<u32>>,
    edges: Vec<(&'a str, &'a str, usize)>,
}

#[derive(Debug, Default)]
struct NodeText<'a> {
    id: Option<&'a str>,
    gt: Option<&'a str>,
    value: Option<&'a str>,
}

impl<'a> Reader<'a> {
    fn open(&mut self, name: &'a str) {
        self.open.push(name);
        match self.place() {
            Some("node") => self.node = NodeText::default(),
            Some("edge") => self.edge = (None, None),
            _ => {}
        }
    }

    /// The list directly inside the graph that is open, if nothing is open inside it.
    fn place(&self) -> Option<&'a str> {
        match self.open[..] {
            ["graph", list] => Some(list),
            _ => None,
        }
    }

    fn set(&mut self, key: &str, value: &'a str) {
        match (self.place(), key) {
            (Some("node"), "id") => self.node.id = Some(value),
            (Some("node"), "gt") => self.node.gt = Some(value),
            (Some("node"), "value") => self.node.value = Some(value),
            (Some("edge"), "source") => self.edge.0 = Some(value),
            (Some("edge"), "target") => self.edge.1 = Some(value),
            _ => {}
        }
    }

    fn close(&mut self, line: usize) -> Result<(), GraphError> {
        match self.place() {
            Some("node") => {
                let id = self.node.id.ok_or_else(|| form(line, "an id in each node", "none"))?;
                self.names.introduce(id, line)?;
                let class = self.node.gt.or(self.node.value);
                self.of_nodes.push(class.map(|class| self.classes.of(class)));
            }
            Some("edge") => match self.edge {
                (Some(source), Some(target)) => self.edges.push((source, target, line)),
                _ => return Err(form(line, "a source and a target in each edge", "not both")),
            },
            _ => {}
        }
        let closed = self.open.pop();
        closed.map(|_| ()).ok_or_else(|| form(line, "a list to close", "]"))
    }

    /// Nodes may stand after the edges that name them, so edges are resolved last.
    fn finish(self, n_lines: usize) -> Result<Graph, GraphError> {
        if let Some(open) = self.open.last() {
            return Err(form(
                n_lines,
                "`]` after the last list",
                &format!("`{open}` still open"),
            ));
        }
        if self.of_nodes.is_empty() {
            return Err(GraphError::NoNodes { expected: EXPECTED });
        }
        let edges = self.edges.iter().map(|&(source, target, line)| {
            Ok(Edge {
                source: self.names.known(source, line)?,
                relation: 0,
                target: self.names.known(target, line)?,
            })
        });
        Ok(Graph {
            edges: edges.collect::<Result<_, GraphError>>()?,
            relations: vec![RELATED_TO.to_owned()],
            features: vec![Vec::new(); self.of_nodes.len()],
            classes: self.of_nodes,
            names: self.names.into_names(),
        })
    }
}

fn form(line: usize, expected: &'static str, found: &str) -> GraphError {
    GraphError::Form {
        line,
        expected,
        found: found.chars().take(40).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "Creator \"by hand\"\n# a comment [\ngraph\n[\n directed 0\n node [ id 7 label \"a [b]\" gt \"x\" ]\n \
        node [ id 9 value 3 graphics [ x 1.0 id 8 ] ]\n edge [ source 9 target 7 value 2 ]\n]\n";

    #[test]
    fn nodes_classes_and_edges_are_read() {
        let graph = read_gml(TWO).unwrap();
        assert_eq!(graph.names, ["7", "9"]);
        assert_eq!(graph.classes, [Some(0), Some(1)]);
        let edge = Edge {
            source: 1,
            relation: 0,
            target: 0,
        };
        assert_eq!((graph.edges.as_slice(), graph.n_classes()), ([edge].as_slice(), 2));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let check = |text: &str, says: &str| {
            let error = read_gml(text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        };
        check("", "no nodes");
        check("graph [ ]", "no nodes");
        check("graph [\nnode [ id 1 ]", "`graph` still open");
        check("graph [ node [ id 1 ] ] ]", "a list to close");
        check("graph [\nnode [ label \"a\" ]\n]", "line 2 has none; expected an id");
        check("graph [ node [ id 1 ]\nedge [ source 1 ] ]", "line 2 has not both");
        check(
            "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]",
            "line 2 names the node `2`",
        );
        check("graph [ node [ id 1 ]\nnode [ id 1 ] ]", "a second time");
        check("[ ]", "a key and a value");
        check("graph [ node [ id ] ]", "a key and a value");
    }

    #[test]
    fn cut_at_any_byte_it_never_panics() {
        for end in 0..TWO.len() {
            let _ = read_gml(&TWO[..end]);
        }
    }
}
