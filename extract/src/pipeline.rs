//! Documents to contributions: the whole of embedded extraction, in the order in which it happens.

use crate::bind;
use crate::chunk::{CountTokens, chunks};
use crate::context::Context;
use crate::contribution::contribution;
use crate::error::ExtractError;
use crate::facts::Extractor;
use crate::lexicon::Lexicon;
use crate::modifier;
use crate::parsed::Parsed;
use crate::phrase::Phrases;
use crate::reading::Reading;
use crate::recognise::{CaseCounts, names};
use crate::types::Types;
use banyan_engine::{Contribution, Document, Schema};
use rayon::prelude::*;

#[cfg(test)]
mod tests;

/// What goes with a long run.
pub trait Watch: Sync {
    /// Called once a finished document, from any thread.
    fn on_document(&self) {}

    /// Called once a reply of a language model, from the thread that waits for them.
    fn on_reply(&self) {}

    /// Whether to stop; asked once a document and stage, and before each call of a model.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Reads `documents`, which stand in canonical order, and gives what each contributes: names, mentions and types by rules,
/// facts by `extractor`. Cost O(total length · log names),
/// in parallel; the same for any number of threads. No documents give no contributions.
///
/// # Errors
/// [`ExtractError`] when the corpus has too many names, or `watch` asked to stop.
pub fn extract(
    documents: &[Document],
    extractor: Extractor,
    schema: &Schema,
    counter: &dyn CountTokens,
    max_chunk_tokens: u32,
    watch: &dyn Watch,
) -> Result<Vec<Contribution>, ExtractError> {
    let phrases = Phrases::new(schema);
    let parsed = each(documents.par_iter(), watch, Parsed::new)?;
    let cases = CaseCounts::new(&parsed.iter().collect::<Vec<_>>());
    let found = each(parsed.par_iter(), watch, |document| names(document, &cases))?;
    let lexicon = {
        let stated = documents
            .iter()
            .flat_map(|document| bind::names(extractor.statements(document.id)));
        Lexicon::new(&parsed, cases, &found, stated)?
    };
    let readings = each(parsed.par_iter(), watch, |document| {
        let statements = extractor.statements(document.document.id);
        Reading::new(document, statements, &lexicon, schema, &phrases)
    })?;
    let modifiers = modifier::find(&readings);
    let types = Types::vote(&readings, schema, &phrases);
    let context = Context {
        schema,
        phrases: &phrases,
        types: &types,
        lexicon: &lexicon,
        modifiers: &modifiers,
    };
    each(readings.into_par_iter(), watch, |reading| {
        let spans = chunks(reading.parsed, counter, max_chunk_tokens);
        let facts = extractor.facts(&reading, &context);
        let contribution = contribution(reading, spans, facts, &context);
        watch.on_document();
        contribution
    })
}

/// Maps in parallel, in order, until the watch says stop.
fn each<In, Out: Send>(
    items: impl IndexedParallelIterator<Item = In>,
    watch: &dyn Watch,
    work: impl Fn(In) -> Out + Sync + Send,
) -> Result<Vec<Out>, ExtractError> {
    let results = items.map(|item| (!watch.is_stopped()).then(|| work(item)));
    results.collect::<Option<Vec<Out>>>().ok_or(ExtractError::Stopped)
}
