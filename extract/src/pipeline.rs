//! Documents to contributions: the whole of embedded extraction, in the order in which it happens.

use crate::abbreviation::abbreviations;
use crate::analysis::Analysis;
use crate::basis::Bases;
use crate::bind;
use crate::chunk::{CountTokens, chunks};
use crate::context::{Context, Corpus};
use crate::contribution::contribution;
use crate::entity::Entities;
use crate::entity_lessons;
use crate::error::ExtractError;
use crate::facts::{Extractor, observe};
use crate::learned::RelationModel;
use crate::lexicon::Lexicon;
use crate::modifier;
use crate::pattern::Patterns;
use crate::phrase::Phrases;
use crate::read::is_record;
use crate::reading::Reading;
use crate::recognise::{CaseCounts, names};
use crate::relation::Lessons;
use crate::terminology::terms;
use crate::types::{AllTypes, Types};
use crate::watch::{Watch, each};
use banyan_engine::fact::EntityKey;
use banyan_engine::{Contribution, Schema, name};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::iter::empty;

#[cfg(test)]
mod tests;

/// What each of the documents that `parsed` are of contributes, in canonical order: names, mentions and types by rules,
/// facts by
/// `extractor`. Cost O(total length · log names),
/// in parallel; the same for any number of threads. No documents give no contributions.
///
/// # Errors
/// [`ExtractError`] when the corpus has too many names, or `watch` asked to stop.
pub fn extract(
    parsed: &[Analysis],
    extractor: Extractor,
    schema: &Schema,
    counter: &dyn CountTokens,
    max_chunk_tokens: u32,
    watch: &dyn Watch,
) -> Result<Vec<Contribution>, ExtractError> {
    understood(parsed, extractor, schema, watch, |readings, corpus| {
        let bases = extractor
            .is_of_text_alone()
            .then(|| Bases::new(schema, max_chunk_tokens));
        let bases = bases.transpose()?;
        let read = |reading: Reading| {
            let id = reading.parsed.document.id;
            let context = corpus.of(&reading, bind::names(extractor.statements(id)));
            let bases = bases.as_ref().filter(|_| extractor.statements(id).is_empty());
            let basis = bases.map(|bases| bases.of(&reading, &context)).transpose()?;
            let contribution = if let Some(known) = extractor.known(id, basis) {
                known.clone()
            } else {
                let spans = chunks(reading.parsed, counter, max_chunk_tokens);
                let facts = extractor.facts(&reading, &context, corpus.lexicon);
                Contribution {
                    basis,
                    ..contribution(reading, spans, facts, &context)
                }
            };
            watch.on_document();
            Ok(contribution)
        };
        each(readings.into_par_iter(), watch, read)?.into_iter().collect()
    })
}

/// Every pair of ends in the parsed sentences of documents, as relations are learned from; cost and errors as in
/// [`extract`].
///
/// # Errors
/// As [`extract`].
pub fn lessons(parsed: &[Analysis], schema: &Schema, watch: &dyn Watch) -> Result<Lessons, ExtractError> {
    understood(parsed, Extractor::Embedded, schema, watch, |readings, corpus| {
        let mut lessons = Lessons::default();
        for (document, reading) in readings.iter().enumerate() {
            observe(reading, &corpus.of(reading, empty()), |sentence| {
                lessons.add(document, sentence);
            });
        }
        Ok(lessons)
    })
}

/// Adds what documents may state, likely or not, to what is learned of true claims, the documents numbered from `first`;
/// cost and errors as in [`extract`].
///
/// # Errors
/// As [`extract`].
pub fn claims(
    parsed: &[Analysis],
    schema: &Schema,
    first: usize,
    lessons: &mut Lessons,
    watch: &dyn Watch,
) -> Result<(), ExtractError> {
    understood(parsed, Extractor::Embedded, schema, watch, |readings, corpus| {
        for (document, reading) in readings.iter().enumerate() {
            observe(reading, &corpus.of(reading, empty()), |sentence| {
                lessons.add_claims(first + document, sentence);
            });
        }
        Ok(())
    })
}

/// What stays whatever it is judged to be: what a record is about, what a text abbreviates, and what was stated from
/// outside.
fn kept(readings: &[Reading], extractor: Extractor) -> BTreeSet<EntityKey> {
    let records = readings.iter().filter(|reading| is_record(reading.parsed.document));
    let mut kept: BTreeSet<EntityKey> = records.map(|reading| reading.own.clone()).collect();
    for parsed in readings.iter().map(|reading| reading.parsed) {
        let spans = abbreviations(parsed).into_iter().flat_map(|one| [one.long, one.short]);
        kept.extend(spans.map(|span| name::key(span.of(parsed.text())).into()));
    }
    let ids = readings.iter().map(|reading| reading.parsed.document.id);
    kept.extend(
        ids.flat_map(|id| bind::names(extractor.statements(id)))
            .map(|one| name::key(one).into()),
    );
    kept
}

/// Adds each name and term of a corpus, as row of `corpus` and its documents numbered from `first`, to what is learned of
/// what they are; cost and errors as in [`extract`].
///
/// # Errors
/// As [`extract`].
pub fn entities(
    parsed: &[Analysis],
    schema: &Schema,
    (corpus, first): (usize, usize),
    lessons: &mut Lessons,
    watch: &dyn Watch,
) -> Result<(), ExtractError> {
    let phrases = Phrases::new(schema);
    let (readings, _) = named(parsed, Extractor::Embedded, schema, &phrases, watch)?;
    entity_lessons::learn(&readings, (corpus, first), lessons)
}

/// Documents with their names linked, and all names.
fn named<'a>(
    parsed: &'a [Analysis<'a>],
    extractor: Extractor,
    schema: &Schema,
    phrases: &Phrases,
    watch: &dyn Watch,
) -> Result<(Vec<Reading<'a>>, Lexicon), ExtractError> {
    let cases = CaseCounts::new(&parsed.iter().collect::<Vec<_>>());
    let found = each(parsed.par_iter(), watch, |document| names(document, &cases))?;
    let stated = parsed
        .iter()
        .flat_map(|parsed| bind::names(extractor.statements(parsed.document.id)));
    let lexicon = Lexicon::new(parsed, cases, &found, terms(parsed), stated)?;
    let readings = each(parsed.par_iter(), watch, |document| {
        let statements = extractor.statements(document.document.id);
        Reading::new(document, statements, &lexicon, schema, phrases)
    })?;
    Ok((readings, lexicon))
}

/// What `then` makes of documents whose names and types are known.
fn understood<T>(
    parsed: &[Analysis],
    extractor: Extractor,
    schema: &Schema,
    watch: &dyn Watch,
    then: impl FnOnce(Vec<Reading>, &Corpus) -> Result<T, ExtractError>,
) -> Result<T, ExtractError> {
    let phrases = Phrases::new(schema);
    let (mut readings, lexicon) = named(parsed, extractor, schema, &phrases, watch)?;
    let judged = Entities::judge(&readings, RelationModel::entities(), &phrases)?;
    let kept = kept(&readings, extractor);
    readings
        .par_iter_mut()
        .for_each(|reading| reading.leave_out(|key| judged.is_junk(key) && !kept.contains(key)));
    let corpus = Corpus {
        lexicon: &lexicon,
        types: AllTypes::vote(&readings, &judged, schema, &phrases),
        whole: Context {
            schema,
            phrases: &phrases,
            patterns: &Patterns::new(schema),
            model: extractor.model(),
            trust: RelationModel::trust(),
            served: &extractor.model().served(schema),
            modifiers: modifier::find(&readings),
            types: Types::default(),
            verbs: BTreeSet::new(),
        },
    };
    then(readings, &corpus)
}
