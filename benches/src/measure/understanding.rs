//! Texts read by the embedded extractor under a schema, each still known by its place in the input.

use banyan_engine::document::canonicalise;
use banyan_engine::{
    Contribution, Document, DocumentId, EntityId, Knowledge, Origin, Resolution, Schema, Settings, Span,
};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::{ExtractError, Extractor, Watch, extract};
use std::collections::BTreeMap;

/// What the embedded extractor makes of some texts.
pub(super) struct Understanding {
    /// Everything found in all of them together.
    pub(super) knowledge: Knowledge,
    /// For each text its position in the knowledge; equal texts share one.
    positions: Vec<usize>,
}

impl Understanding {
    /// Reads `(title, text)` pairs as the documents of one corpus. Cost O(total length · log names), in parallel.
    pub(super) fn of(texts: &[(&str, &str)], schema: Schema, watch: &dyn Watch) -> Result<Self, ExtractError> {
        let mut documents: Vec<Document> = texts.iter().map(|(title, text)| document(title, text)).collect();
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        canonicalise(&mut documents);
        let places: BTreeMap<DocumentId, usize> = (0..).zip(&documents).map(|(at, one)| (one.id, at)).collect();
        let settings = Settings::default();
        let max_tokens = settings.max_chunk_tokens;
        let found = extract(
            &documents,
            Extractor::Embedded,
            &schema,
            &EstimateTokens,
            max_tokens,
            watch,
        )?;
        Ok(Self {
            knowledge: Knowledge::assemble(settings, schema, documents, found, Resolution::default()),
            positions: ids.iter().map(|id| places[id]).collect(),
        })
    }

    /// What the text at this position of the input says.
    pub(super) fn contribution(&self, text: usize) -> &Contribution {
        &self.knowledge.contributions[self.positions[text]]
    }

    /// The names in one text, in order and without overlap: where each stands and what it denotes; of several meanings
    /// of a name the first.
    pub(super) fn names(&self, text: usize) -> Vec<(Span, EntityId)> {
        let mut names: Vec<(Span, EntityId)> = Vec::new();
        let mentions = &self.contribution(text).mentions;
        for mention in mentions.iter().filter(|mention| mention.span.end > mention.span.start) {
            let is_free = names.last().is_none_or(|(last, _)| last.end <= mention.span.start);
            let entity = self.knowledge.graph.find(&mention.entity).filter(|_| is_free);
            names.extend(entity.map(|entity| (mention.span, entity)));
        }
        names
    }
}

fn document(title: &str, text: &str) -> Document {
    let origin = Origin {
        file: String::new(),
        record: None,
        line: None,
    };
    Document::new(title, text, origin)
}
