//! The log of joins, as text and as JSON.

use crate::render::number;
use banyan::Names;
use banyan_engine::{Decision, Evidence, Knowledge, Merge};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Entities of several names, and the decisions.
#[derive(Serialize)]
pub(crate) struct Report {
    entities: Vec<Joined>,
    decisions: Vec<Decided>,
    /// The one entity that was asked for, where it has one name only.
    #[serde(skip_serializing_if = "Option::is_none")]
    single: Option<String>,
}

#[derive(Serialize)]
struct Joined {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    names: Vec<String>,
    merges: Vec<Join>,
}

#[derive(Serialize)]
struct Join {
    from: String,
    into: String,
    score: f32,
    evidence: Vec<Reason>,
}

/// One piece of evidence, with the fields that its kind has.
#[derive(Serialize)]
struct Reason {
    kind: &'static str,
    #[serde(flatten)]
    fields: Value,
}

#[derive(Serialize)]
struct Decided {
    kind: &'static str,
    /// Both names; of a correction what was decided.
    #[serde(flatten)]
    what: Value,
    has_effect: bool,
}

impl Report {
    /// The report on all entities of several names, or on the one that `wanted`, a key, belongs to.
    pub(crate) fn new(knowledge: &Knowledge, wanted: Option<&str>) -> Self {
        let names = Names::new(knowledge);
        let resolution = &knowledge.resolution;
        let root = wanted.map(|key| resolution.canonical(key));
        let mut joined: BTreeMap<&str, Vec<&Merge>> = BTreeMap::new();
        for merge in resolution.merges() {
            joined.entry(resolution.canonical(&merge.from)).or_default().push(merge);
        }
        joined.retain(|key, _| root.is_none_or(|root| root == *key));
        let single = wanted.filter(|_| joined.is_empty());
        Self {
            single: single.map(|key| {
                let id = knowledge.graph.find(key);
                id.map_or(key, |id| &knowledge.graph.entity(id).name).to_owned()
            }),
            entities: joined
                .into_iter()
                .map(|(key, merges)| entity(knowledge, &names, key, &merges))
                .collect(),
            decisions: resolution
                .decisions()
                .iter()
                .map(|d| decided(knowledge, &names, d))
                .collect(),
        }
    }
}

fn entity(knowledge: &Knowledge, names: &Names, key: &str, merges: &[&Merge]) -> Joined {
    let keys = knowledge.resolution.cluster(key);
    let mut spellings: Vec<String> = keys.into_iter().map(|key| names.spelling(key)).collect();
    spellings.sort();
    let entity = knowledge.graph.find(key).map(|id| knowledge.graph.entity(id));
    let mut merges: Vec<Join> = merges.iter().map(|merge| join(knowledge, names, merge)).collect();
    merges.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.from.cmp(&b.from)));
    Joined {
        name: names.spelling(key),
        kind: entity.map_or_else(String::new, |entity| {
            knowledge.schema.entity_type(entity.entity_type).name.clone()
        }),
        names: spellings,
        merges,
    }
}

fn join(knowledge: &Knowledge, names: &Names, merge: &Merge) -> Join {
    Join {
        from: names.spelling(&merge.from),
        into: names.spelling(&merge.into),
        score: merge.score,
        evidence: merge
            .evidence
            .iter()
            .map(|evidence| reason(knowledge, evidence))
            .collect(),
    }
}

fn reason(knowledge: &Knowledge, evidence: &Evidence) -> Reason {
    let fields = match evidence {
        Evidence::Alias { document, span } => {
            let found = knowledge.documents.all().iter().find(|other| other.id == *document);
            let origin = found.map(|document| document.origins.first().map_or_else(String::new, ToString::to_string));
            let quote = found.map(|document| span.of(&document.text));
            json!({"origin": origin, "start": span.start, "end": span.end, "quote": quote})
        }
        Evidence::Embedding { cosine } => json!({"cosine": number(*cosine)}),
        Evidence::Context { n_shared } => json!({"n_shared": n_shared}),
        _ => json!({}),
    };
    Reason {
        kind: evidence.name(),
        fields,
    }
}

fn decided(knowledge: &Knowledge, names: &Names, decision: &Decision) -> Decided {
    let (kind, wanted, a, b) = match decision {
        Decision::Merge { a, b } => ("merge", true, a, b),
        Decision::Split { a, b } => ("split", false, a, b),
        Decision::Correct { what, author, note } => {
            return Decided {
                kind: "correct",
                what: json!({"correction": what.to_string(), "author": author, "note": note}),
                has_effect: names.knows(what.entity()),
            };
        }
    };
    let resolution = &knowledge.resolution;
    let are_one = resolution.canonical(a) == resolution.canonical(b);
    let are_known = [a, b].iter().all(|key| knowledge.graph.find(key).is_some());
    Decided {
        kind,
        what: json!({"a": names.spelling(a), "b": names.spelling(b)}),
        has_effect: are_known && are_one == wanted,
    }
}
