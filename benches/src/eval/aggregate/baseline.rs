//! The baseline: dense retrieval that answers from its first chunks.

use banyan_engine::{Document, Origin, Span};

/// The documents that a reader has who sees only some chunks: those chunks, in order, under their documents' titles; a
/// document none of whose chunks was found is left out. `chunks` are position of the document and span. Cost O(length).
///
/// # Differs from the paper
/// The paper hands its first 40 chunks to a language model. Here the same filler and the same translator that read whole
/// documents read the chunks, so that what is compared is what was retrieved.
pub fn evidence(documents: &[Document], chunks: &[(usize, Span)]) -> Vec<Document> {
    let mut chosen = chunks.to_vec();
    chosen.sort_unstable();
    chosen.dedup();
    let mut found: Vec<Document> = Vec::new();
    let mut last: Option<usize> = None;
    for (at, span) in chosen {
        let Some(document) = documents.get(at) else { continue };
        let text = span.of(&document.text);
        match found.last_mut() {
            Some(part) if last == Some(at) => {
                part.text.push('\n');
                part.text.push_str(text);
            }
            _ => {
                let origin = document.origins.first().cloned();
                let origin = origin.unwrap_or(Origin {
                    file: document.title.clone(),
                    record: None,
                    line: None,
                });
                found.push(Document::new(document.title.clone(), text, origin));
            }
        }
        last = Some(at);
    }
    found
}
