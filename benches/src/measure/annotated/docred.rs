//! Documents in the form of `DocRED`: sentences of tokens, clusters of mentions, facts between clusters.

use super::{Annotated, Relations, Tagging, Tokenised};
use anyhow::{Context, Result, ensure};
use banyan_engine::name;
use serde::Deserialize;
use std::collections::BTreeSet;

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

/// Reads annotated documents whose relations have labels. Cost O(length).
///
/// # Errors
/// For JSON of another shape, no documents, a mention outside its sentence, a fact about an entity that is not there,
/// or a relation without a label.
pub(super) fn parse(json: &str, relations: &Relations) -> Result<Vec<Annotated>> {
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
    let (mut entities, mut names) = (Vec::new(), BTreeSet::new());
    for vertex in &record.vertices {
        let mut own = BTreeSet::new();
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
            own.insert(name::key(name));
            names.insert(Tagging::new(start + first..start + end, label));
        }
        entities.push(own);
    }
    let mut facts = BTreeSet::new();
    for FactRecord { h, t, r } in &record.labels {
        ensure!(
            *h.max(t) < entities.len(),
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
        names,
        entities,
        facts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: &str) {
        let relations = [("P1".to_owned(), "member of".to_owned())].into();
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
    }
}
