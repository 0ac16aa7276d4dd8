//! Facts that somebody wrote down, one a line: each becomes a sentence of a document about its subject, which states it.

use crate::error::FileError;
use crate::literal::is_entity;
use banyan_engine::document::one_line;
use banyan_engine::schema::ElementKind;
use banyan_engine::stated::NewType;
use banyan_engine::{Document, DocumentId, Origin, Schema, Span, Stated, StatedAt, StatedEntity, StatedTriple, TypeId};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

mod graphs;
mod n_triples;

/// Extensions of files of facts.
pub const EXTENSIONS: &[&str] = &["csv", "graphml", "json", "jsonl", "ndjson", "nt", "parquet", "tsv"];
/// Facts of one document: a subject of which more is said has several.
const MAX_FACTS: usize = 200;

/// A fact as it was written down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Line {
    /// Its subject.
    #[serde(alias = "subject")]
    pub head: String,
    /// The relation or attribute.
    #[serde(alias = "predicate")]
    pub relation: String,
    /// Its object, or a value.
    #[serde(alias = "object", alias = "value")]
    pub tail: String,
    /// Who or what says so; empty where that is not told.
    #[serde(default)]
    pub source: String,
    /// Line of the file, from 1.
    #[serde(skip)]
    pub number: usize,
    #[serde(skip)]
    kind: Kind,
    /// The sentence that says it, where it was written down in words.
    #[serde(skip)]
    words: String,
}

/// What a line states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// A fact.
    #[default]
    Fact,
    /// Of which type the subject is.
    Type,
    /// That both are spoken of together.
    Tie,
}

impl Line {
    /// A fact that stands in no file: head, relation and tail.
    pub fn new(number: usize, fact: [&str; 3], source: &str) -> Self {
        let [head, relation, tail] = fact.map(str::to_owned);
        Self {
            head,
            relation,
            tail,
            source: source.to_owned(),
            number,
            ..Self::default()
        }
    }
}

/// Documents that state facts, and what each states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// One for each subject and source, in the order of the file.
    pub documents: Vec<Document>,
    /// What they state, at the sentence that states it.
    pub statements: BTreeMap<DocumentId, Vec<StatedAt>>,
    /// Statements of things that have no name (blank nodes, numbers), which are passed over.
    pub n_nameless: usize,
}

impl Imported {
    /// Says of which type things are that are not `known`, where what is stated of them leaves one type of the schema alone,
    /// and proposes the relations that it lacks.
    /// Cost O(facts · types).
    pub fn typed(&mut self, schema: &Schema, is_known: &dyn Fn(&str) -> bool) {
        let mut open: BTreeMap<String, Vec<TypeId>> = BTreeMap::new();
        let all: Vec<TypeId> = schema
            .type_ids()
            .map(|(kind, _)| kind)
            .filter(|kind| *kind != schema.thing())
            .collect();
        let mut keep = |name: &str, is_admitted: &dyn Fn(TypeId) -> bool| {
            let open = open.entry(name.to_owned()).or_insert_with(|| all.clone());
            open.retain(|kind| is_admitted(*kind));
        };
        let statements = self.statements.values().flatten();
        for triple in statements.flat_map(|at| &at.stated.triples) {
            if let Some(relation) = schema.relation_id(&triple.relation) {
                keep(&triple.head, &|kind| schema.admits_head(kind, relation));
                keep(&triple.tail, &|kind| schema.admits_tail(relation, kind));
            } else if let Some(attribute) = schema.attribute_id(&triple.relation) {
                keep(&triple.head, &|kind| schema.admits_attribute(kind, attribute));
            }
        }
        for at in self.statements.values_mut().flatten() {
            let ends = at.stated.triples.iter().flat_map(|triple| [&triple.head, &triple.tail]);
            let only = ends.filter_map(|name| match open.get(name)?[..] {
                [kind] if !is_known(name) => Some(StatedEntity {
                    name: name.clone(),
                    entity_type: Some(schema.entity_type(kind).name.clone()),
                }),
                _ => None,
            });
            let only: Vec<StatedEntity> = only.collect();
            let is_missing = |triple: &&StatedTriple| {
                schema.relation_id(&triple.relation).is_none() && schema.attribute_id(&triple.relation).is_none()
            };
            let missing = at.stated.triples.iter().filter(is_missing).map(|triple| NewType {
                kind: if is_entity(&triple.tail) {
                    ElementKind::Relation
                } else {
                    ElementKind::Attribute
                },
                name: triple.relation.clone(),
                description: String::new(),
                domain: Vec::new(),
                range: Vec::new(),
                value: None,
            });
            at.stated.types = missing.collect();
            at.stated.entities.extend(only);
        }
    }

    /// Adds others.
    pub fn extend(&mut self, other: Self) {
        self.documents.extend(other.documents);
        self.statements.extend(other.statements);
        self.n_nameless += other.n_nameless;
    }
}

/// The facts of a file.
///
/// | extension | facts |
/// |---|---|
/// | `jsonl`, `ndjson` | one a line: `{"head", "relation", "tail", "source"?}`; `subject`, `predicate`, `object` are as good |
/// | `csv`, `tsv` | one a row, under a header with these names |
/// | `json` | a graph: node-link (networkx, `banyan export`), the extractions of `HippoRAG`, or the pairs of Youtu-GraphRAG |
/// | `graphml` | a graph whose edges have a `relation`, `label` or `type` |
/// | `nt` | N-Triples: a thing is called by its `rdfs:label`, else by the end of its address |
///
/// Cost O(bytes).
///
/// # Errors
/// [`FileError`] with the first line that is no fact.
pub fn parse(file: &str, bytes: Vec<u8>) -> Result<Imported, FileError> {
    let kind = file
        .rsplit_once('.')
        .map_or(String::new(), |(_, end)| end.to_lowercase());
    if kind == "parquet" {
        let (lines, n_nameless) = graphs::tables(file, bytes)?;
        let imported = documents(file, lines)?;
        return Ok(Imported { n_nameless, ..imported });
    }
    let text = String::from_utf8(bytes).map_err(|error| FileError::new(file, format!(": not UTF-8: {error}")))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
    let text = text.as_str();
    let (lines, n_nameless) = match kind.as_str() {
        "jsonl" | "ndjson" => {
            let graph = graphs::json_lines(file, text);
            graph.map_or_else(|| Ok((json_lines(file, text)?, 0)), |lines| lines.map(named))?
        }
        "csv" => (rows(file, text, b',')?, 0),
        "tsv" => (rows(file, text, b'\t')?, 0),
        "json" => named(graphs::json(file, text)?),
        "graphml" => named(graphs::graphml(file, text)?),
        "nt" => n_triples::lines(file, text)?,
        _ => {
            let known = EXTENSIONS.join(", ");
            let reason = format!(": unknown kind of file; expected facts as one of {known}");
            return Err(FileError::new(file, reason));
        }
    };
    let imported = documents(file, lines)?;
    Ok(Imported { n_nameless, ..imported })
}

/// Those of a graph whose subjects have names, and how many have none.
fn named(mut lines: Vec<Line>) -> (Vec<Line>, usize) {
    let n = lines.len();
    lines.retain(|line| is_entity(&line.head));
    let n_nameless = n - lines.len();
    (lines, n_nameless)
}

/// Documents that state `lines`, which were read in `file`. Cost O(length).
///
/// # Errors
/// [`FileError`] with the first line whose subject names nothing, or that has an empty part.
pub fn documents(file: &str, lines: Vec<Line>) -> Result<Imported, FileError> {
    if lines.is_empty() {
        return Err(FileError::new(file, ": no facts".to_owned()));
    }
    let mut groups: Vec<Vec<Line>> = Vec::new();
    let mut last: HashMap<(String, String), usize> = HashMap::new();
    for line in lines {
        let wrong = |what: &str| FileError::new(file, format!(":{}: {what}", line.number));
        if !is_entity(&line.head) {
            return Err(wrong(&format!("expected a name as the subject; found {:?}", line.head)));
        }
        if line.relation.trim().is_empty() || line.tail.trim().is_empty() {
            return Err(wrong("expected a relation and an object; one of them is empty"));
        }
        let group = last
            .entry((line.head.clone(), line.source.clone()))
            .or_insert(groups.len());
        if groups.get(*group).is_some_and(|group| group.len() == MAX_FACTS) {
            *group = groups.len();
        }
        if *group == groups.len() {
            groups.push(Vec::new());
        }
        groups[*group].push(line);
    }
    let mut imported = Imported::default();
    for group in groups {
        let (document, stated) = document(file, &group);
        imported.statements.insert(document.id, stated);
        imported.documents.push(document);
    }
    Ok(imported)
}

/// The document that states facts of one subject and source.
fn document(file: &str, lines: &[Line]) -> (Document, Vec<StatedAt>) {
    let (mut text, mut statements) = (String::new(), Vec::new());
    for line in lines {
        let [head, relation, tail] = [&line.head, &line.relation, &line.tail].map(|part| one_line(part));
        let start = text.len();
        let relation = spaced(&relation);
        if line.words.is_empty() {
            text += &[&head, " ", &relation.replace('_', " "), " ", &tail, "."].concat();
        } else {
            text += &one_line(&line.words);
        }
        let mut stated = Stated::default();
        let entity = |name: String, entity_type| StatedEntity { name, entity_type };
        match line.kind {
            Kind::Fact => stated.triples.push(StatedTriple { head, relation, tail }),
            Kind::Type => stated.entities.push(entity(head, Some(tail))),
            Kind::Tie => stated.entities.extend([head, tail].map(|name| entity(name, None))),
        }
        statements.push(StatedAt {
            span: Span::new(start, text.len()),
            stated,
            tokens: 0,
        });
        text.push('\n');
    }
    let source = lines.first().map(|line| one_line(&line.source)).unwrap_or_default();
    if !source.is_empty() {
        text += &["Source: ", &source, "\n"].concat();
    }
    let number = lines.first().map_or(1, |line| line.number);
    let origin = Origin {
        file: file.to_owned(),
        record: Some(number.to_string()),
        line: u32::try_from(number).ok(),
    };
    let title = lines.first().map(|line| one_line(&line.head)).unwrap_or_default();
    let mut document = Document::new(title, text.trim_end(), origin);
    // What is stated is known; read as prose, "Tor Birk birth date 1903" would name things that are none.
    document.layout.blocks = vec![Span::new(0, document.text.len())];
    (document, statements)
}

fn json_lines(file: &str, text: &str) -> Result<Vec<Line>, FileError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    // A number is as good as its digits.
    let line = |line: &str| {
        let mut row: serde_json::Map<String, Value> = serde_json::from_str(line)?;
        for value in row.values_mut().filter(|value| value.is_number() || value.is_boolean()) {
            *value = Value::String(value.to_string());
        }
        serde_json::from_value::<Line>(Value::Object(row))
    };
    let read = |(number, text): (usize, &str)| match line(text) {
        Ok(line) => Ok(Line { number, ..line }),
        Err(error) => {
            let said = error.to_string();
            let said = said.split(" at line ").next().unwrap_or_default();
            let expected = r#"{"head": …, "relation": …, "tail": …}"#;
            let column = error.column();
            Err(FileError::new(
                file,
                format!(":{number}:{column}: expected {expected}: {said}"),
            ))
        }
    };
    lines.map(read).collect()
}

fn rows(file: &str, text: &str, delimiter: u8) -> Result<Vec<Line>, FileError> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header = reader.headers().cloned().unwrap_or_default();
    let told = header.iter().collect::<Vec<_>>().join(", ");
    let header: csv::StringRecord = header.iter().map(str::to_lowercase).collect();
    let mut lines = Vec::new();
    for row in reader.records() {
        let number = |row: Option<&csv::Position>| row.map_or(1, csv::Position::line);
        let read = row.and_then(|row| {
            let at = number(row.position());
            let line: Line = row.deserialize(Some(&header))?;
            Ok((at, line))
        });
        let (at, line) = read.map_err(|error| {
            let expected = "a header with head, relation and tail, and rows with all three";
            let at = number(error.position());
            let said = match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
                _ => error.to_string(),
            };
            FileError::new(file, format!(":{at}: expected {expected}: {said} (the header: {told})"))
        })?;
        let number = usize::try_from(at).unwrap_or(usize::MAX);
        lines.push(Line { number, ..line });
    }
    Ok(lines)
}

/// `bornIn` as `born_in`; words with spaces as they are.
fn spaced(word: &str) -> String {
    if word.contains(' ') {
        return word.to_owned();
    }
    let mut spaced = String::new();
    for ch in word.chars() {
        if ch.is_uppercase() && spaced.ends_with(char::is_lowercase) {
            spaced.push('_');
        }
        spaced.extend(ch.to_lowercase());
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(file: &str, text: &str) -> Vec<String> {
        let imported = parse(file, text.into()).unwrap();
        let told = imported.documents.iter().map(|document| {
            let n = imported.statements[&document.id].len();
            format!(
                "{} | {} | {} | {n}",
                document.origins[0],
                document.title,
                document.text.replace('\n', " / ")
            )
        });
        told.collect()
    }

    #[test]
    fn each_kind_of_file_gives_the_same_documents() {
        let rows = [
            ("Ada Quill", "born_in", "Vessing", "Register of 1880"),
            ("Bo Ferren", "married", "Ada Quill", ""),
            ("Ada Quill", "occupation", "painter", "Register of 1880"),
        ];
        let csv: String = rows.map(|(h, r, t, s)| format!("{h},{r},{t},{s}\n")).concat();
        let json: String = rows
            .map(|(h, r, t, s)| {
                format!("{{\"subject\":{h:?},\"predicate\":{r:?},\"object\":{t:?},\"source\":{s:?}}}\n")
            })
            .concat();
        let expected = |file: &str, first: usize| {
            [
                format!(
                    "{file}#{first} | Ada Quill | Ada Quill born in Vessing. / Ada Quill occupation painter. / Source: Register of 1880 | 2"
                ),
                format!("{file}#{} | Bo Ferren | Bo Ferren married Ada Quill. | 1", first + 1),
            ]
        };
        assert_eq!(
            told("f.csv", &format!("head,relation,tail,source\n{csv}")),
            expected("f.csv", 2)
        );
        assert_eq!(told("f.jsonl", &json), expected("f.jsonl", 1));
        let crlf = format!("\u{feff}Head,RELATION,tail,source\r\n{}", csv.replace('\n', "\r\n"));
        assert_eq!(told("f.csv", &crlf), expected("f.csv", 2));
        let number = parse(
            "f.jsonl",
            r#"{"head":"Ada Quill","relation":"deathDate","tail":1931}"#.into(),
        )
        .unwrap();
        assert_eq!(number.documents[0].text, "Ada Quill death date 1931.");
    }

    #[test]
    fn things_of_n_triples_are_called_by_their_labels_or_addresses() {
        let text = "<http://example.com/q1> <http://www.w3.org/2000/01/rdf-schema#label> \"Ada Quill\"@en .\n\
            <http://example.com/q1> <http://example.com/p#bornIn> <http://example.com/Great_Ommer> .\n\
            # a remark\n\
            <http://example.com/q1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.com/Person> .\n\
            <http://example.com/q1> <http://example.com/p#height> \"1.7 m\" .\n\
            _:b1 <http://example.com/p#bornIn> <http://example.com/Great_Ommer> .\n";
        let expected = "f.nt#2 | Ada Quill | Ada Quill born in Great Ommer. / Ada Quill is a person. / Ada Quill height 1.7 m. | 3";
        assert_eq!(told("f.nt", text), [expected]);
        assert_eq!(parse("f.nt", text.into()).unwrap().n_nameless, 1);
    }

    #[test]
    fn the_line_that_is_no_fact_is_named() {
        let cases = [
            (
                "f.csv",
                "head,relation,tail\nAda,married,Bo\nAda,married\n",
                "f.csv:3: expected a header",
            ),
            ("f.csv", "who,what\nAda,Bo\n", "missing field `head`"),
            ("f.csv", "head,relation,tail\n", "f.csv: no facts"),
            ("f.jsonl", "{\"head\":\"Ada\",\"relation\":\"married\"}\n", "f.jsonl:1:"),
            (
                "f.jsonl",
                "\n{\"head\":\"12\",\"relation\":\"is\",\"tail\":\"Bo\"}\n",
                "f.jsonl:2: expected a name",
            ),
            (
                "f.jsonl",
                "{\"head\":\"Ada\",\"relation\":\" \",\"tail\":\"Bo\"}\n",
                "one of them is empty",
            ),
            (
                "f.nt",
                "<http://example.com/a> <http://example.com/b> <http://example.com/c> .\n<http://example.com/a> nonsense\n",
                "f.nt:2: no N-Triples",
            ),
            ("f.docx", "x", "unknown kind of file"),
        ];
        for (file, text, expected) in cases {
            let said = parse(file, text.into()).unwrap_err().to_string();
            assert!(said.starts_with(file) && said.contains(expected), "{said}");
        }
    }
}
