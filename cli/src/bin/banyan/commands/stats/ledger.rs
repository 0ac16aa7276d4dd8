//! What an outside extractor said of each chunk, and what that took.

use super::place;
use banyan_engine::{Knowledge, StatedAt};
use serde::Serialize;
use std::collections::BTreeMap;

/// Tokens and facts of what was stated.
#[derive(Serialize)]
pub(super) struct Ledger {
    extractor: String,
    chunks: usize,
    /// Facts stated, before the schema.
    facts: usize,
    tokens: u64,
    /// Absent where nothing was stated or nothing was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_per_fact: Option<f64>,
    /// What was wrong in what was said, by kind.
    defects: BTreeMap<&'static str, usize>,
    /// Stretches of text that nothing usable was said of, by reason.
    quarantined: BTreeMap<String, usize>,
    /// Each chunk, in canonical order, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_chunk: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    document: String,
    start: u32,
    end: u32,
    tokens: u64,
    facts: usize,
}

impl Ledger {
    /// The ledger of a store; `None` where nothing outside was asked.
    pub(super) fn of(knowledge: &Knowledge, is_by_chunk: bool) -> Option<Self> {
        let documents = || knowledge.documents.all().iter().map(|document| document.id);
        let stated = documents().filter_map(|id| Some((id, knowledge.statements.get(&id)?)));
        let stated: Vec<_> = stated
            .flat_map(|(id, list)| list.iter().map(move |at| (id, at)))
            .collect();
        if stated.is_empty() && knowledge.quarantine.is_empty() {
            return None;
        }
        let facts = stated.iter().map(|(_, at)| at.stated.n_facts()).sum();
        let tokens = stated.iter().map(|(_, at)| at.tokens).sum();
        let mut defects = BTreeMap::new();
        for defect in stated.iter().flat_map(|(_, at)| &at.stated.defects) {
            *defects.entry(defect.kind.as_str()).or_default() += 1;
        }
        let mut quarantined = BTreeMap::new();
        for stretch in knowledge.quarantine.iter() {
            *quarantined.entry(stretch.reason.to_string()).or_default() += 1;
        }
        let row = |(id, at): &(_, &StatedAt)| Row {
            document: place(knowledge, *id),
            start: at.span.start,
            end: at.span.end,
            tokens: at.tokens,
            facts: at.stated.n_facts(),
        };
        let by_chunk = if is_by_chunk {
            stated.iter().map(row).collect()
        } else {
            Vec::new()
        };
        Some(Self {
            extractor: knowledge.settings.extractor.clone(),
            chunks: stated.len(),
            facts,
            tokens,
            tokens_per_fact: (facts > 0 && tokens > 0).then(|| tokens as f64 / facts as f64),
            defects,
            quarantined,
            by_chunk,
        })
    }
}
