//! Documents in the form of `DocRED`: sentences of tokens, clusters of mentions, facts between clusters.

use crate::measure::entities::Tagging;
use crate::measure::tokens::Tokenised;
use anyhow::{Context, Result, ensure};
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// Reads the labels of relations, at least one.
pub(crate) fn parse_relations(json: &str) -> Result<Relations> {
    let relations: Relations = serde_json::from_str(json).context("expected an object from relation ids to labels")?;
    ensure!(!relations.is_empty(), "no relations; expected at least one");
    Ok(relations)
}

/// Reads annotated documents whose relations have labels. Cost O(length).
///
/// # Errors
/// For JSON of another shape, no documents, a mention outside its sentence, a fact about an entity that is not there, or a
/// relation without a label.
pub(crate) fn parse(json: &str, relations: &Relations) -> Result<Vec<Annotated>> {
    let records: Vec<Record> = serde_json::from_str(json)
        .context("expected a list of objects with `title`, `sents`, `vertexSet` and `labels`")?;
    ensure!(!records.is_empty(), "no documents; expected at least one");
    let read = |(number, record): (usize, Record)| {
        let place = format!("document {number} (`{}`)", record.title);
        annotated(record, relations).context(place)
    };
    (1..).zip(records).map(read).collect()
}

fn annotated(record: Record, relations: &Relations) -> Result<Annotated> {
    let mut starts = vec![0];
    for sentence in &record.sents {
        starts.push(starts[starts.len() - 1] + sentence.len());
    }
    let mut clusters = Vec::new();
    for vertex in &record.vertices {
        let mut cluster = Cluster::default();
        for MentionRecord {
            name,
            sent_id,
            pos: (first, end),
            label,
        } in vertex
        {
            let length = record.sents.get(*sent_id).map_or(0, Vec::len);
            ensure!(
                first < end && *end <= length,
                "mention `{name}` stands at {first}..{end} of sentence {sent_id}; expected a place within a sentence of the document"
            );
            let start = starts[*sent_id];
            cluster.names.insert(name::key(name));
            cluster.mentions.insert(Tagging::new(start + first..start + end, label));
        }
        clusters.push(cluster);
    }
    let mut facts = BTreeSet::new();
    for FactRecord { h, t, r } in &record.labels {
        ensure!(
            *h.max(t) < clusters.len(),
            "fact {h} {r} {t}; expected positions in its `vertexSet`"
        );
        ensure!(
            relations.contains_key(r),
            "relation {r} has no label; expected every relation among the labels"
        );
        facts.insert((*h, r.clone(), *t));
    }
    Ok(Annotated {
        text: Tokenised::new(&record.sents),
        title: record.title,
        clusters,
        facts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: &str) {
        let relations = parse_relations(r#"{"P1": "member of"}"#).unwrap();
        let error = format!("{:#}", parse(json, &relations).unwrap_err());
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn references_to_nothing_are_refused_with_their_document() {
        let one = |pos: &str, labels: &str| {
            let mention = format!(r#"{{"name": "A", "sent_id": 0, "pos": {pos}, "type": "PER"}}"#);
            format!(r#"[{{"title": "T", "sents": [["A"]], "vertexSet": [[{mention}]], "labels": {labels}}}]"#)
        };
        let outside = "document 1 (`T`): mention `A` stands at 0..2 of sentence 0; expected a place within";
        check(&one("[0, 2]", "[]"), outside);
        let fact = |t: usize, r: &str| one("[0, 1]", &format!(r#"[{{"h": 0, "t": {t}, "r": "{r}"}}]"#));
        check(&fact(1, "P1"), "fact 0 P1 1; expected positions in its `vertexSet`");
        check(&fact(0, "P9"), "relation P9 has no label");
        check("{}", "expected a list of objects");
        check("[]", "no documents");
        assert!(parse_relations("[]").is_err() && parse_relations("{}").is_err());
    }
}
