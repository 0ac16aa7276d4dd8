//! How many things the facts of the graph tie to what a question names: "How many films did Mara Voss direct?".

use super::Found;
use super::ask::Ask;
use super::expected::Expected;
use super::page::Pages;
use crate::decompose::SubQuery;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{ChunkId, EntityId, Span, TripleId, TypeId};
use std::collections::BTreeMap;

/// Words after a number within which the noun asked for must stand for the text itself to say how many. Arbitrary.
const MAX_APART: usize = 3;

/// The noun that "how many" counts, with the type that it denotes; `None` for another question.
fn counted(question: &str, searcher: &Searcher) -> Option<(String, TypeId)> {
    let schema = &searcher.knowledge().schema;
    let lower = question.to_lowercase();
    let is_count = lower.starts_with("how many ") || lower.contains(" how many ");
    let noun = is_count.then(|| Expected::noun(question, schema))??;
    let kind = Expected::denoted(&noun, schema)?;
    Some((noun, kind))
}

/// Whether a sentence says the number itself: "directed *twelve films*", "*12* short *films*".
pub(super) fn is_said(searcher: &Searcher, question: &str, found: &Found) -> bool {
    let noun = Expected::noun(question, &searcher.knowledge().schema);
    let (Some(noun), Some((chunk, span))) = (noun, found.support.first()) else {
        return true;
    };
    let knowledge = searcher.knowledge();
    let sentence = span.of(&knowledge.document(knowledge.chunk(*chunk).document).text);
    let Some(at) = sentence.find(&found.text) else {
        return false;
    };
    let wanted = term::terms(&noun);
    let after = sentence[at + found.text.len()..].split_whitespace().take(MAX_APART);
    let mut words = found.text.split_whitespace().chain(after);
    words.any(|word| term::terms(word).iter().any(|own| wanted.contains(own)))
}

/// The number of distinct things of the kind asked for that a fact of a relation asked for ties to what `filled` names,
/// with a sentence for each. `None` unless the question is about a type of the schema and there are at least `least` such
/// things. Cost O(facts of what is named).
pub(super) fn count(searcher: &Searcher, question: &str, filled: &str, least: usize) -> Option<Found> {
    let (noun, kind) = counted(question, searcher)?;
    let schema = &searcher.knowledge().schema;
    let mut step = SubQuery::read(filled, 0, schema);
    step.expected = Expected::Entity(kind);
    let ask = Ask::new(searcher, filled, &step, filled, &[]);
    let mut pages = Pages::new(searcher);
    let facts: BTreeMap<EntityId, TripleId> = ask
        .facts(searcher)
        .into_iter()
        .filter(|(entity, _)| !ask.anchors.contains(entity) && is_kind(&mut pages, *entity, kind, &noun))
        .rev()
        .collect();
    if facts.len() < least {
        return None;
    }
    let mut support: Vec<(ChunkId, Span)> = facts.values().filter_map(|fact| stated(searcher, *fact)).collect();
    support.sort_unstable();
    support.dedup();
    Some(Found {
        text: facts.len().to_string(),
        support,
    })
}

/// Whether an entity is what the noun says: by its name, by the opening of the document about it or, of an entity without
/// one and where the noun is the type's own name, by its type.
fn is_kind(pages: &mut Pages<'_>, entity: EntityId, kind: TypeId, noun: &str) -> bool {
    let knowledge = pages.searcher.knowledge();
    let own = knowledge.graph.entity(entity);
    let is_type =
        own.entity_type == kind && (own.subject_of.is_empty() || knowledge.schema.type_id(noun) == Some(kind));
    let stem = term::terms(noun).pop();
    let in_name = || own.key.split(' ').any(|word| term::singular(word.to_owned()) == noun);
    is_type || in_name() || stem.is_some_and(|stem| pages.describes(entity, &stem))
}

/// The first sentence that states a fact.
pub(super) fn stated(searcher: &Searcher, fact: TripleId) -> Option<(ChunkId, Span)> {
    let source = searcher.knowledge().graph.triple(fact).sources.first()?;
    let sentences = searcher.sentences(source.chunk);
    let sentence = sentences
        .iter()
        .find(|span| span.contains(source.span))
        .or(sentences.first())?;
    Some((source.chunk, *sentence))
}
