//! Graphs that other programs wrote: what their edges state.

use super::{Kind, Line, spaced};
use crate::error::FileError;
use crate::literal::is_entity;
use crate::read;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Names under which edges keep what they state, the likeliest first.
const RELATIONS: [&str; 5] = ["relation", "predicate", "label", "type", "key"];
/// Names under which nodes keep what they are called.
const NAMES: [&str; 4] = ["name", "label", "title", "id"];
/// Kinds of nodes that stand for no thing, and relations that are no facts.
const GROUPS: [&str; 4] = ["branch", "community", "keyword", "super-node"];
const ASSOCIATED: &str = "associated";
/// Kind of a node that is the value of an attribute.
const VALUE: &str = "attribute";

/// The shapes of JSON that are read.
#[derive(Deserialize)]
#[serde(untagged)]
enum Shape {
    /// Node-link, as of networkx and of our own export.
    NodeLink {
        nodes: Vec<Value>,
        #[serde(alias = "links")]
        edges: Vec<Value>,
    },
    /// Facts that a model read in passages, as of `HippoRAG`.
    Passages { docs: Vec<Passage> },
    /// Pairs of nodes with a relation, as of Youtu-GraphRAG.
    Pairs(Vec<Pair>),
}

#[derive(Deserialize)]
struct Passage {
    #[serde(default)]
    idx: Value,
    extracted_triples: Vec<Vec<Value>>,
}

#[derive(Deserialize)]
struct Pair {
    start_node: End,
    relation: String,
    end_node: End,
}

#[derive(Deserialize)]
struct End {
    label: String,
    properties: BTreeMap<String, Value>,
}

/// The facts of a graph in JSON: node-link with `nodes` and `edges`, `docs` with `extracted_triples`, or a list of pairs of
/// nodes. Communities and keywords are no facts and passed over.
pub(super) fn json(file: &str, text: &str) -> Result<Vec<Line>, FileError> {
    let expected =
        "a graph: nodes and edges, docs with extracted_triples, or a list of start_node, relation and end_node";
    let shape =
        serde_json::from_str(text).map_err(|error| FileError::new(file, format!(": expected {expected}: {error}")))?;
    Ok(match shape {
        Shape::NodeLink { nodes, edges } => {
            let mut graph = Graph::default();
            for node in &nodes {
                graph.node(&fields(node));
            }
            graph.edges = (1..).zip(edges.iter().map(fields)).collect();
            graph.lines()
        }
        Shape::Passages { docs } => {
            let facts = docs.iter().flat_map(|doc| {
                let source = word(&doc.idx).unwrap_or_default();
                doc.extracted_triples.iter().map(move |fact| (fact, source.clone()))
            });
            let lines = (1..).zip(facts).filter_map(|(number, (fact, source))| {
                let parts: Vec<String> = fact.iter().filter_map(word).collect();
                let [head, relation, tail] = <[String; 3]>::try_from(parts).ok()?;
                Some(Line::new(number, [&head, &spaced(&relation), &tail], &source))
            });
            lines.collect()
        }
        Shape::Pairs(pairs) => {
            let is_thing = |end: &End| !GROUPS.contains(&end.label.as_str());
            let pairs = (1..)
                .zip(pairs)
                .filter(|(_, pair)| is_thing(&pair.start_node) && is_thing(&pair.end_node));
            let lines = pairs.filter_map(|(number, pair)| {
                let name = |end: &End| word(end.properties.get("name")?);
                let (head, tail) = (name(&pair.start_node)?, name(&pair.end_node)?);
                // An attribute has its name and its value in one.
                let attribute = tail.split_once(':').filter(|_| pair.end_node.label == "attribute");
                let (relation, tail) = attribute.unwrap_or((&pair.relation, &tail));
                Some(Line::new(number, [&head, &spaced(relation.trim()), tail.trim()], ""))
            });
            lines.collect()
        }
    })
}

/// What the tables of Microsoft graphrag say: of which type an entity is, and in which words two are spoken of together,
/// since a relation between them has no name there.
pub(super) fn tables(file: &str, bytes: Vec<u8>) -> Result<(Vec<Line>, usize), FileError> {
    let rows = read::rows(file, bytes)?;
    let (mut lines, mut n_nameless) = (Vec::new(), 0);
    for (number, row) in (1..).zip(&rows) {
        let said = |name: &str| row.get(name).and_then(word).filter(|said| !said.trim().is_empty());
        let (kind, relation, head, tail) = match (said("source"), said("target")) {
            (source, target) if row.contains_key("source") && row.contains_key("target") => {
                (Kind::Tie, "and", source, target)
            }
            _ if row.contains_key("type") => {
                let tail = said("type").map(|name| match name.to_lowercase().as_str() {
                    // What its prompt asks for by default.
                    "geo" => "place".to_owned(),
                    other => other.to_owned(),
                });
                (Kind::Type, "is a", said("title").or_else(|| said("name")), tail)
            }
            _ => {
                let found = row.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                let expected = "the columns source and target, or title and type, as Microsoft graphrag writes them";
                return Err(FileError::new(
                    file,
                    format!(":{number}: expected {expected}; found {found}"),
                ));
            }
        };
        // An entity whose type is not told, or that nothing else is told of.
        if let (Some(head), Some(tail)) = (head, tail) {
            if !is_entity(&head) || kind == Kind::Tie && !is_entity(&tail) {
                n_nameless += 1;
                continue;
            }
            lines.push(Line {
                kind,
                words: said("description").unwrap_or_default(),
                ..Line::new(number, [&head, relation, &tail], "")
            });
        }
    }
    Ok((lines, n_nameless))
}

/// The facts of a graph in `GraphML`.
pub(super) fn graphml(file: &str, text: &str) -> Result<Vec<Line>, FileError> {
    let wrong =
        |at: u64, why: &dyn std::fmt::Display| FileError::new(file, format!(": no GraphML: {why} at byte {at}"));
    let mut reader = Reader::from_str(text);
    let (mut graph, mut keys) = (Graph::default(), HashMap::new());
    // What is open: a node or an edge with what is said of it, and the name of a value that is being read.
    let (mut open, mut key): (BTreeMap<String, String>, Option<String>) = (BTreeMap::new(), None);
    loop {
        let event = reader.read_event();
        let at = reader.buffer_position();
        match event.map_err(|error| wrong(at, &error))? {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "key" => {
                let said = attributes(&tag);
                if let (Some(id), Some(name)) = (said.get("id"), said.get("attr.name")) {
                    keys.insert(id.clone(), name.clone());
                }
            }
            Event::Start(tag) if matches!(tag.local_name().as_ref(), "node" | "edge") => open = attributes(&tag),
            Event::Empty(tag) if tag.local_name().as_ref() == "node" => graph.node(&attributes(&tag)),
            Event::Empty(tag) if tag.local_name().as_ref() == "edge" => graph.edge(attributes(&tag)),
            Event::Start(tag) if tag.local_name().as_ref() == "data" => {
                key = attributes(&tag).get("key").and_then(|id| keys.get(id)).cloned();
            }
            Event::Text(said) => {
                let said = said.xml_content(XmlVersion::Implicit1_0);
                if let Some(key) = &key {
                    *open.entry(key.clone()).or_default() += &said;
                }
            }
            Event::GeneralRef(name) => {
                let letter = name.resolve_char_ref().ok().flatten().map(String::from);
                let letter = letter.or_else(|| quick_xml::escape::resolve_predefined_entity(&name).map(str::to_owned));
                if let (Some(key), Some(letter)) = (&key, letter) {
                    *open.entry(key.clone()).or_default() += &letter;
                }
            }
            Event::End(tag) => match tag.local_name().as_ref() {
                "data" => key = None,
                "node" => graph.node(&std::mem::take(&mut open)),
                "edge" => graph.edge(std::mem::take(&mut open)),
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
    Ok(graph.lines())
}

/// A line of a graph, as `banyan export` writes it.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Node(Value),
    Edge(Value),
}

/// The facts of a graph whose nodes and edges are a line each; `None` where the first line is no such.
pub(super) fn json_lines(file: &str, text: &str) -> Option<Result<Vec<Line>, FileError>> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    serde_json::from_str::<Part>(lines.clone().next()?.1).ok()?;
    let mut graph = Graph::default();
    let wrong = lines.find_map(|(number, line): (usize, &str)| match serde_json::from_str(line) {
        Ok(Part::Node(node)) => {
            graph.node(&fields(&node));
            None
        }
        Ok(Part::Edge(edge)) => {
            graph.edges.push((number, fields(&edge)));
            None
        }
        Err(error) => Some(FileError::new(
            file,
            format!(":{number}: expected a node or an edge: {error}"),
        )),
    });
    Some(wrong.map_or_else(|| Ok(graph.lines()), Err))
}

/// What is said of a node or an edge.
fn fields(value: &Value) -> BTreeMap<String, String> {
    let object = value.as_object().into_iter().flatten();
    object
        .filter_map(|(name, value)| Some((name.clone(), word(value)?)))
        .collect()
}

fn attributes(tag: &BytesStart<'_>) -> BTreeMap<String, String> {
    let known = tag.attributes().flatten().filter_map(|one| {
        let value = one.normalized_value(XmlVersion::Implicit1_0).ok()?;
        Some((one.key.as_ref().to_owned(), value.into_owned()))
    });
    known.collect()
}

/// A value that is one word or number, or the first of several.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Array(values) => values.first().and_then(word),
        _ => None,
    }
}

/// Nodes and edges with what is said of them.
#[derive(Default)]
struct Graph {
    /// Names of the nodes that stand for things, by id, with their type where they have one.
    names: HashMap<String, (String, Option<String>)>,
    /// With the line or number of each.
    edges: Vec<(usize, BTreeMap<String, String>)>,
}

impl Graph {
    fn edge(&mut self, said: BTreeMap<String, String>) {
        self.edges.push((self.edges.len() + 1, said));
    }

    fn node(&mut self, said: &BTreeMap<String, String>) {
        let is_group = said.get("kind").is_some_and(|kind| GROUPS.contains(&kind.as_str()));
        let name = NAMES.iter().find_map(|field| said.get(*field));
        if let (Some(id), Some(name), false) = (said.get("id"), name, is_group) {
            // The value of an attribute is of no type; what stands there is what the attribute is called.
            let is_value = said.get("kind").is_some_and(|kind| kind == VALUE);
            let kind = said.get("type").filter(|kind| !kind.is_empty() && !is_value);
            self.names.insert(id.clone(), (name.clone(), kind.cloned()));
        }
    }

    fn lines(self) -> Vec<Line> {
        let lines = self.edges.iter().filter_map(|(number, edge)| {
            let end = |field| Some(&self.names.get(edge.get(field)?)?.0);
            let relation = RELATIONS.iter().find_map(|field| edge.get(*field))?;
            let source = edge.get("sources").or_else(|| edge.get("source_id"));
            let line = Line::new(
                *number,
                [end("source")?, &spaced(relation), end("target")?],
                source.map_or("", String::as_str),
            );
            (relation != ASSOCIATED).then_some(line)
        });
        let mut lines: Vec<Line> = lines.collect();
        let mut types: Vec<&(String, Option<String>)> = self.names.values().collect();
        types.sort_unstable();
        types.dedup();
        let first = lines.len() + 1;
        let typed = types
            .into_iter()
            .filter_map(|(name, kind)| Some((name, kind.as_ref()?)));
        lines.extend((first..).zip(typed).map(|(number, (name, kind))| Line {
            kind: Kind::Type,
            ..Line::new(number, [name, "type", kind], "")
        }));
        lines
    }
}

#[cfg(test)]
mod tests {
    use crate::import::parse;
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    /// A table of texts.
    fn table(columns: &[&str], rows: &[&[&str]]) -> Vec<u8> {
        let told = columns.iter().map(|name| format!("required binary {name} (utf8); "));
        let schema = parse_message_type(&format!("message m {{ {}}}", told.collect::<String>())).unwrap();
        let mut bytes = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for at in 0..columns.len() {
            let texts: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(row[at])).collect();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        bytes
    }

    #[test]
    fn a_node_of_which_only_its_type_is_told_is_kept() {
        let graph = r#"{"nodes": [{"id": 1, "name": "Ada Quill", "type": "person"}], "links": []}"#;
        let found = parse("graph.json", graph.into()).unwrap();
        let stated = &found.statements[&found.documents[0].id][0].stated;
        let kind = stated.entities[0].entity_type.as_deref();
        assert_eq!((stated.entities[0].name.as_str(), kind), ("Ada Quill", Some("person")));
    }

    #[test]
    fn tables_of_graphrag_say_types_and_who_is_spoken_of_together() {
        let columns = ["title", "type", "description"];
        let rows: &[&[&str]] = &[
            &["ADA QUILL", "PERSON", "Ada Quill is a painter."],
            &["VESSING", "GEO", "A town."],
            &["TIDD", "", "A town."],
            &["2024", "EVENT", "A year."],
        ];
        let found = parse("entities.parquet", table(&columns, rows)).unwrap();
        let texts: Vec<&str> = found.documents.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["Ada Quill is a painter.", "A town."]);
        let types = found.documents.iter().map(|one| {
            let stated = &found.statements[&one.id][0].stated;
            stated.entities[0].entity_type.as_deref().unwrap()
        });
        assert_eq!(types.collect::<Vec<_>>(), ["person", "place"]);
        assert_eq!(found.n_nameless, 1);
        let columns = ["source", "target", "description"];
        let rows: &[&[&str]] = &[&["ADA QUILL", "VESSING", "Ada Quill lives in Vessing."]];
        let found = parse("relationships.parquet", table(&columns, rows)).unwrap();
        let stated = &found.statements[&found.documents[0].id][0].stated;
        assert!(stated.triples.is_empty());
        let names: Vec<&str> = stated.entities.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["ADA QUILL", "VESSING"]);
        let said = parse("t.parquet", table(&["id", "text"], &[&["1", "x"]]))
            .unwrap_err()
            .to_string();
        assert!(
            said.starts_with("t.parquet:1: expected the columns source and target"),
            "{said}"
        );
        let said = parse("t.parquet", b"x".to_vec()).unwrap_err().to_string();
        assert!(said.starts_with("t.parquet: not a parquet table"), "{said}");
    }
}
