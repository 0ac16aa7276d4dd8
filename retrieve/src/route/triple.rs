//! Triple matching (Eq. 10, second line): facts whose words the question asks for.

use crate::config::Config;
use crate::question::Question;
use crate::route::best_of;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{ChunkId, EntityId, TripleId};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Triples around named entities that are looked at, those of the rarest entity first. Arbitrary: it bounds the cost.
const MAX_CANDIDATES: usize = 2_000;
/// Score of an end that the question names, beside the words of the relation. Arbitrary: as much as two rare words.
const NAMED_END: f32 = 2.0;

/// Triples around the entities that the question names, scored by those ends and by the question's words that their
/// relation and other end share; best first, at most 20. Cost O(incident triples).
pub fn search(
    searcher: &Searcher,
    question: &Question,
    entities: &[(EntityId, f32)],
    config: &Config,
) -> Vec<(TripleId, f32)> {
    let graph = &searcher.knowledge().graph;
    let named: BTreeSet<EntityId> = entities.iter().map(|(entity, _)| *entity).collect();
    let around = entities.iter().flat_map(|(entity, _)| graph.incident(*entity));
    let mut candidates: BTreeSet<TripleId> = around.take(MAX_CANDIDATES).collect();
    let asked = searcher.token_vectors().map(|index| index.ask(&question.text));
    let cosine = |id: TripleId| {
        let triple = graph.triple(id);
        asked
            .as_ref()
            .map_or(0.0, |asked| asked.triple(id, triple.head, triple.tail).max(0.0))
    };
    if asked.is_some() {
        let mut alike: Vec<(f32, usize)> = (0..graph.triples().len())
            .into_par_iter()
            .with_min_len(4_096)
            .map(|position| (cosine(TripleId::at(position)), position))
            .collect();
        let order = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if alike.len() > config.n_triples {
            alike.select_nth_unstable_by(config.n_triples, order);
            alike.truncate(config.n_triples);
        }
        candidates.extend(alike.into_iter().map(|(_, position)| TripleId::at(position)));
    }
    let mut scored: Vec<(TripleId, f32)> = candidates
        .into_iter()
        .map(|id| {
            let triple = graph.triple(id);
            let ends: f32 = [triple.head, triple.tail]
                .iter()
                .filter(|end| named.contains(end))
                .map(|end| NAMED_END * searcher.rarity(*end))
                .sum();
            (
                id,
                ends + words(searcher, question, id, &named) + config.cosine_share * cosine(id),
            )
        })
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(config.n_triples);
    scored
}

/// What triples say of passages: those that state one earn its score, those about an end a share of it; the best triple's
/// score is 1.
pub fn passages(searcher: &Searcher, triples: &[(TripleId, f32)], config: &Config) -> BTreeMap<ChunkId, f32> {
    let top = triples.first().map_or(1.0, |(_, score)| score.max(f32::MIN_POSITIVE));
    let stated = triples.iter().flat_map(|(id, score)| {
        let triple = searcher.knowledge().graph.triple(*id);
        let sources = triple.sources.iter().map(move |source| (source.chunk, score / top));
        let ends = [triple.head, triple.tail].into_iter();
        let about = ends.flat_map(|end| searcher.incidence().subject_chunks(end));
        sources.chain(about.map(move |chunk| (*chunk, config.further_end * score / top)))
    });
    best_of(stated)
}

/// Inverse document frequency of the question's words in relation and unnamed ends, as a share of the question's.
fn words(searcher: &Searcher, question: &Question, id: TripleId, named: &BTreeSet<EntityId>) -> f32 {
    let knowledge = searcher.knowledge();
    let triple = knowledge.graph.triple(id);
    let mut text = knowledge.schema.relation_name(triple.relation).replace('_', " ");
    for phrase in &triple.phrases {
        text.push(' ');
        text.push_str(phrase);
    }
    for end in [triple.head, triple.tail]
        .into_iter()
        .filter(|end| !named.contains(end))
    {
        text.push(' ');
        text.push_str(&knowledge.graph.entity(end).name);
    }
    let held: BTreeSet<String> = term::terms(&text).into_iter().collect();
    let idf = |word: &&String| searcher.passages().idf(word);
    let asked: f32 = question.terms.iter().map(|word| idf(&word)).sum();
    let shared: f32 = question
        .terms
        .iter()
        .filter(|word| held.contains(*word))
        .map(|word| idf(&word))
        .sum();
    if asked > 0.0 { shared / asked } else { 0.0 }
}
