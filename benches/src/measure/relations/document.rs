//! Documents in the form of `DocRED`: sentences of tokens, clusters of mentions, facts between clusters.

use crate::measure::entities::Tagging;
use crate::measure::tokens::Tokenised;
use banyan_engine::name;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Labels of relations by their ids.
pub(crate) type Relations = BTreeMap<String, String>;

/// An annotated document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Annotated {
    /// Its title.
    pub(crate) title: String,
    /// Its text with the places of its tokens.
    pub(crate) text: Tokenised,
    /// Its entities.
    pub(crate) clusters: Vec<Cluster>,
    /// Its facts: head, relation id, tail; ends are positions of clusters.
    pub(crate) facts: BTreeSet<(usize, String, usize)>,
}

/// An entity of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cluster {
    /// Keys of all its names.
    pub(crate) names: BTreeSet<String>,
    /// Where it is named, by token of the whole text, each place with its label.
    pub(crate) mentions: BTreeSet<Tagging>,
}

impl Annotated {
    /// The mentions of all entities.
    pub(crate) fn mentions(&self) -> impl Iterator<Item = &Tagging> {
        self.clusters.iter().flat_map(|cluster| &cluster.mentions)
    }
}

/// Why a file is no annotated set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum DocumentError {
    /// Not JSON of the expected shape; the message carries line and column.
    #[error("expected a list of objects with `title`, `sents`, `vertexSet` and `labels`")]
    Documents(#[source] serde_json::Error),
    /// The labels of relations are not JSON of the expected shape.
    #[error("expected an object from relation ids to labels")]
    Relations(#[source] serde_json::Error),
    /// A document refers to something that it does not have.
    #[error("document {document} (`{title}`): {what}; expected {expected}")]
    Reference {
        /// Position of the document, from 1.
        document: usize,
        /// Its title.
        title: String,
        /// What is wrong.
        what: String,
        /// What would be right.
        expected: &'static str,
    },
    /// There is nothing to evaluate.
    #[error("no documents, or no relations; expected at least one of each")]
    Empty,
}

#[derive(Deserialize)]
struct Record {
    title: String,
    sents: Vec<Vec<String>>,
    #[serde(rename = "vertexSet")]
    vertices: Vec<Vec<MentionRecord>>,
    labels: Vec<FactRecord>,
}

#[derive(Deserialize)]
struct MentionRecord {
    name: String,
    sent_id: usize,
    pos: (usize, usize),
    #[serde(rename = "type")]
    label: String,
}

#[derive(Deserialize)]
struct FactRecord {
    h: usize,
    t: usize,
    r: String,
}

/// Reads the labels of relations.
///
/// # Errors
/// [`DocumentError`] for other JSON than an object of texts, or an empty one.
pub(crate) fn parse_relations(json: &str) -> Result<Relations, DocumentError> {
    let relations: Relations = serde_json::from_str(json).map_err(DocumentError::Relations)?;
    if relations.is_empty() {
        return Err(DocumentError::Empty);
    }
    Ok(relations)
}

/// Reads annotated documents whose relations have labels. Cost O(length).
///
/// # Errors
/// [`DocumentError`] for JSON of another shape, no documents, a mention outside its sentence, a fact about an entity that
/// is not there, or a relation without a label.
pub(crate) fn parse(json: &str, relations: &Relations) -> Result<Vec<Annotated>, DocumentError> {
    let records: Vec<Record> = serde_json::from_str(json).map_err(DocumentError::Documents)?;
    if records.is_empty() {
        return Err(DocumentError::Empty);
    }
    let documents = (1..).zip(records);
    documents
        .map(|(document, record)| annotated(document, record, relations))
        .collect()
}

fn annotated(document: usize, record: Record, relations: &Relations) -> Result<Annotated, DocumentError> {
    let wrong = |what: String, expected: &'static str| DocumentError::Reference {
        document,
        title: record.title.clone(),
        what,
        expected,
    };
    let mut starts = vec![0];
    for sentence in &record.sents {
        starts.push(starts[starts.len() - 1] + sentence.len());
    }
    let mut clusters = Vec::new();
    for vertex in &record.vertices {
        let mut cluster = Cluster {
            names: BTreeSet::new(),
            mentions: BTreeSet::new(),
        };
        for mention in vertex {
            let (first, end) = mention.pos;
            let length = record.sents.get(mention.sent_id).map_or(0, Vec::len);
            if first >= end || end > length {
                let MentionRecord { name, sent_id, .. } = mention;
                let what = format!("mention `{name}` stands at {first}..{end} of sentence {sent_id}");
                return Err(wrong(what, "a place within a sentence of the document"));
            }
            let start = starts[mention.sent_id];
            cluster.names.insert(name::key(&mention.name));
            cluster
                .mentions
                .insert(Tagging::new(start + first..start + end, &mention.label));
        }
        clusters.push(cluster);
    }
    let mut facts = BTreeSet::new();
    for FactRecord { h, t, r } in &record.labels {
        if *h.max(t) >= clusters.len() {
            return Err(wrong(format!("fact {h} {r} {t}"), "positions in its `vertexSet`"));
        }
        if !relations.contains_key(r) {
            return Err(wrong(
                format!("relation {r} has no label"),
                "every relation among the labels",
            ));
        }
        facts.insert((*h, r.clone(), *t));
    }
    let text = Tokenised::new(&record.sents);
    Ok(Annotated {
        title: record.title,
        text,
        clusters,
        facts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sents: &str, vertices: &str, labels: &str, expected: &str) {
        let relations = parse_relations(r#"{"P1": "member of"}"#).unwrap();
        let json = format!(r#"[{{"title": "T", "sents": {sents}, "vertexSet": {vertices}, "labels": {labels}}}]"#);
        assert_eq!(parse(&json, &relations).unwrap_err().to_string(), expected);
    }

    #[test]
    fn references_to_nothing_are_refused_with_their_document() {
        let at = |pos: &str| format!(r#"[[{{"name": "A", "sent_id": 0, "pos": {pos}, "type": "PER"}}]]"#);
        let place = "document 1 (`T`): mention `A` stands at";
        let within = "of sentence 0; expected a place within a sentence of the document";
        check(r#"[["A"]]"#, &at("[0, 2]"), "[]", &format!("{place} 0..2 {within}"));
        check("[]", &at("[0, 1]"), "[]", &format!("{place} 0..1 {within}"));
        check(
            r#"[["A"]]"#,
            &at("[0, 1]"),
            r#"[{"h": 0, "t": 1, "r": "P1"}]"#,
            "document 1 (`T`): fact 0 P1 1; expected positions in its `vertexSet`",
        );
        check(
            r#"[["A"]]"#,
            &at("[0, 1]"),
            r#"[{"h": 0, "t": 0, "r": "P9"}]"#,
            "document 1 (`T`): relation P9 has no label; expected every relation among the labels",
        );
    }

    #[test]
    fn other_json_and_nothing_are_refused() {
        let relations = parse_relations(r#"{"P1": "member of"}"#).unwrap();
        let says = |error: DocumentError| error.to_string();
        assert!(says(parse("{}", &relations).unwrap_err()).starts_with("expected a list of objects"));
        assert!(says(parse("[]", &relations).unwrap_err()).starts_with("no documents"));
        assert!(says(parse_relations("[]").unwrap_err()).starts_with("expected an object"));
        assert!(says(parse_relations("{}").unwrap_err()).starts_with("no documents, or no relations"));
    }
}
