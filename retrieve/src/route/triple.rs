//! Triple matching (Eq. 10, second line): facts whose words the question asks for.

use crate::question::Question;
use crate::route::best_of;
use crate::searcher::Searcher;
use crate::token_vectors::QuestionCosines;
use banyan_engine::index::Fact;
use banyan_engine::{ChunkId, EntityId, TripleId};
use std::collections::{BTreeMap, BTreeSet};

/// Triples around named entities that are looked at, those of the rarest entity first. Arbitrary: it bounds the cost.
const MAX_CANDIDATES: usize = 2_000;
/// Score of an end that the question names, beside the words of the relation. Arbitrary: as much as two rare words.
const NAMED_END: f32 = 2.0;
/// Triples to return. Measured: 10, 20 and 50 differ within the interval.
const N_TRIPLES: usize = 10;
/// Share of a triple's score that passages about its further end earn.
const FURTHER_END: f32 = 0.5;

/// Triples around the entities that the question names, scored by those ends and by the question's words that their
/// relation and other end share; best first, at most [`N_TRIPLES`]. Cost O(incident triples).
pub(crate) fn search(likeness: &Likeness<'_>, entities: &[(EntityId, f32)]) -> Vec<(TripleId, f32)> {
    let searcher = likeness.searcher;
    let graph = &searcher.knowledge().graph;
    let around = entities.iter().flat_map(|(entity, _)| graph.incident(*entity));
    let candidates: BTreeSet<TripleId> = around.take(MAX_CANDIDATES).collect();
    let mut scored: Vec<(TripleId, f32)> = candidates
        .into_iter()
        .map(|id| {
            let (ends, alike) = likeness.of(Fact::Triple(id));
            let named = ends.iter().filter(|end| likeness.named.contains(end));
            let named: f32 = named.map(|end| NAMED_END * searcher.rarity(*end)).sum();
            (id, named + alike)
        })
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(N_TRIPLES);
    scored
}

/// What triples say of passages: those that state one earn its score, those about an end a share of it; the best triple's
/// score is 1.
pub fn passages(searcher: &Searcher, triples: &[(TripleId, f32)]) -> BTreeMap<ChunkId, f32> {
    let top = triples.first().map_or(1.0, |(_, score)| score.max(f32::MIN_POSITIVE));
    let stated = triples.iter().flat_map(|(id, score)| {
        let triple = searcher.knowledge().graph.triple(*id);
        let sources = triple.sources.iter().map(move |source| (source.chunk, score / top));
        let ends = [triple.head, triple.tail].into_iter();
        let about = ends.flat_map(|end| searcher.incidence().subject_chunks(end));
        sources.chain(about.map(move |chunk| (*chunk, FURTHER_END * score / top)))
    });
    best_of(stated)
}

/// How much facts say what a question asks for.
pub(crate) struct Likeness<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) question: &'a Question,
    /// What the question names.
    named: BTreeSet<EntityId>,
    /// Cosines by token vectors, where there are such.
    asked: Option<QuestionCosines<'a>>,
    /// Those words of the question that facts have, by their numbers, with their share of the inverse document frequency.
    shares: Vec<(u32, f32)>,
}

impl<'a> Likeness<'a> {
    /// Reads a question. Cost O(words).
    pub(crate) fn new(searcher: &'a Searcher, question: &'a Question, entities: &[(EntityId, f32)]) -> Self {
        let idf = |word: &String| searcher.passages().idf(word);
        let all: f32 = question.terms.iter().map(idf).sum();
        let known = question.terms.iter().filter_map(|word| {
            let number = searcher.facts().number(word)?;
            Some((number, idf(word) / all.max(f32::MIN_POSITIVE)))
        });
        Self {
            searcher,
            question,
            named: entities.iter().map(|(entity, _)| *entity).collect(),
            asked: searcher.cosines(&question.text),
            shares: known.collect(),
        }
    }

    /// The ends of a fact, and how much it says what is asked for: the share of the question's words, by rarity, in
    /// relation and unnamed ends, and the cosine to the whole; 0..=2.
    pub(crate) fn of(&self, fact: Fact) -> ([EntityId; 2], f32) {
        let ends = self.ends(fact);
        (ends, self.words(fact, ends) + self.cosine(fact, ends))
    }

    fn ends(&self, fact: Fact) -> [EntityId; 2] {
        let graph = &self.searcher.knowledge().graph;
        match fact {
            Fact::Triple(id) => [graph.triple(id).head, graph.triple(id).tail],
            Fact::Association(at) => [graph.association(at).a, graph.association(at).b],
        }
    }

    fn cosine(&self, fact: Fact, ends: [EntityId; 2]) -> f32 {
        let asked = self.asked.as_ref();
        asked.map_or(0.0, |asked| asked.fact(fact, ends).max(0.0))
    }

    /// The share of the question's words that what is said of two things holds, with the names that the question lacks.
    fn words(&self, fact: Fact, ends: [EntityId; 2]) -> f32 {
        let terms = self.searcher.facts();
        let is_held = |number: u32| {
            let mut unnamed = ends.iter().filter(|end| !self.named.contains(end));
            terms.of_fact(fact).contains(&number) || unnamed.any(|end| terms.of_name(*end).contains(&number))
        };
        let held = self.shares.iter().filter(|(number, _)| is_held(*number));
        held.map(|(_, share)| share).sum()
    }
}
