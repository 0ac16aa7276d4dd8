//! Answers in text without spaces between words: entities and values in the sentences that match the question best.

use super::{Expected, Found};
use crate::evidence::{Evidence, Passage};
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term::{self, is_ideograph};
use banyan_engine::schema::ValueKind;
use banyan_engine::{ChunkId, EntityId, Span, name};
use std::collections::{BTreeMap, BTreeSet};

/// Passages that are read for an answer.
const MAX_PASSAGES: usize = 6;
/// Passages beyond a perfect direct match do not outweigh the words of their sentences.
const MAX_PASSAGE_SCORE: f32 = 1.2;
/// Worth of a candidate of the kind asked for, against one whose kind is unknown.
const RIGHT_KIND: f32 = 1.0;
const UNKNOWN_KIND: f32 = 0.5;
const WRONG_KIND: f32 = 0.1;
/// Worth of a candidate that bears the noun asked for in its name ("which river": *River* Ondle).
const NAMED_KIND: f32 = 1.5;
/// Worth of standing right beside a word of the question.
const NEARNESS: f32 = 0.3;

/// A sentence of the evidence with its support for the question.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    pub(super) chunk: ChunkId,
    pub(super) span: Span,
    /// Score of its passage times the share of the question's words it holds.
    pub(super) score: f32,
}

/// A possible answer.
struct Candidate {
    text: String,
    /// Where the sentence names it; `None` for the title of its document.
    span: Option<Span>,
    /// How well its kind fits.
    fit: f32,
}

impl Candidate {
    fn at(span: Span, text: &str, fit: f32) -> Self {
        Self {
            text: span.of(text).to_owned(),
            span: Some(span),
            fit,
        }
    }
}

/// The sentences of the best passages, best first.
///
/// A sentence scores by the share of the question's words that it or its title holds. In a passage that a path reached,
/// half of that is the share of the words that the path before it did not hold: the last fact answers what is left.
pub(super) fn sentences(searcher: &Searcher, question: &Question, evidence: &Evidence) -> Vec<Sentence> {
    let knowledge = searcher.knowledge();
    let weights = weights(searcher, question);
    let mut sentences: Vec<Sentence> = Vec::new();
    for passage in evidence.passages.iter().take(MAX_PASSAGES) {
        let document = knowledge.document(knowledge.chunk(passage.chunk).document);
        let title: BTreeSet<String> = term::terms(&document.title).into_iter().collect();
        let left = left_over(searcher, passage, &weights);
        for span in searcher.sentences(passage.chunk) {
            let mut held: BTreeSet<String> = term::terms(span.of(&document.text)).into_iter().collect();
            held.extend(title.iter().cloned());
            let whole = share(&weights, &held);
            let support = if left.is_empty() {
                whole
            } else {
                f32::midpoint(whole, share(&left, &held))
            };
            sentences.push(Sentence {
                chunk: passage.chunk,
                span,
                score: passage.score.min(MAX_PASSAGE_SCORE) * (0.1 + support),
            });
        }
    }
    sentences.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then((a.chunk, a.span).cmp(&(b.chunk, b.span)))
    });
    sentences
}

/// The words that the passages before the last of a path do not hold, their weights scaled to sum to 1; none for a
/// passage that no path reached, or where nothing is left.
fn left_over<'a>(
    searcher: &Searcher,
    passage: &Passage,
    weights: &BTreeMap<&'a String, f32>,
) -> BTreeMap<&'a String, f32> {
    let Some(path) = passage.path.as_ref().filter(|_| passage.is_by_path()) else {
        return BTreeMap::new();
    };
    let before = &path.chunks[..path.chunks.len() - 1];
    let held: BTreeSet<String> = before
        .iter()
        .flat_map(|chunk| term::terms(&searcher.knowledge().passage(*chunk)))
        .collect();
    let mut left: BTreeMap<&String, f32> = weights
        .iter()
        .filter(|(word, _)| !held.contains(word.as_str()))
        .map(|(word, weight)| (*word, *weight))
        .collect();
    let total: f32 = left.values().sum();
    for weight in left.values_mut() {
        *weight /= total;
    }
    left
}

/// The weight of the words held.
fn share(weights: &BTreeMap<&String, f32>, held: &BTreeSet<String>) -> f32 {
    weights
        .iter()
        .filter(|(word, _)| held.contains(word.as_str()))
        .map(|(_, weight)| weight)
        .sum()
}

/// The question's terms with their share of its inverse document frequency; shares sum to 1.
pub(super) fn weights<'a>(searcher: &Searcher, question: &'a Question) -> BTreeMap<&'a String, f32> {
    let idf: Vec<(&String, f32)> = question
        .terms
        .iter()
        .map(|word| (word, searcher.passages().idf(word)))
        .collect();
    let total: f32 = idf.iter().map(|(_, idf)| idf).sum();
    idf.into_iter()
        .map(|(word, idf)| (word, idf / total.max(f32::MIN_POSITIVE)))
        .collect()
}

/// The candidate with the best score; `None` where no sentence holds one.
pub(super) fn best(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    expected: Expected,
    sentences: &[Sentence],
) -> Option<Found> {
    let asked: BTreeSet<String> = question.terms.iter().cloned().collect();
    let by_chunk = entities(searcher, evidence);
    let noun = Expected::noun(&question.text, &searcher.knowledge().schema);
    let noun_term = noun.as_deref().and_then(|noun| term::terms(noun).pop());
    let mut scores: BTreeMap<String, (f32, usize)> = BTreeMap::new();
    for (position, sentence) in sentences.iter().enumerate() {
        let options = match expected {
            Expected::Date => values(searcher, sentence, ValueKind::Date),
            Expected::Number => values(searcher, sentence, ValueKind::Number),
            _ => named(searcher, sentence, &by_chunk, expected),
        };
        for Candidate { text, span, fit } in options {
            let words = term::terms(&text);
            let is_new = words.iter().any(|word| !asked.contains(word));
            // A Chinese name ends with the noun; a term of it would be a single character.
            let is_kind = match &noun {
                Some(noun) if noun.starts_with(is_ideograph) => text.ends_with(noun.as_str()),
                _ => noun_term.as_ref().is_some_and(|noun| words.contains(noun)),
            };
            let near = span.map_or(0.0, |span| nearness(searcher, sentence, span, &asked));
            let score = sentence.score * fit * if is_kind { NAMED_KIND } else { 1.0 } * (1.0 + NEARNESS * near);
            if is_new && scores.get(&text).is_none_or(|(known, _)| score > *known) {
                scores.insert(text, (score, position));
            }
        }
    }
    let winner = scores
        .into_iter()
        .max_by(|a, b| a.1.0.total_cmp(&b.1.0).then(b.1.1.cmp(&a.1.1)))?;
    let support = &sentences[winner.1.1];
    Some(Found {
        text: winner.0,
        support: vec![(support.chunk, support.span)],
    })
}

/// Entities with their places in each chunk of the evidence.
fn entities(searcher: &Searcher, evidence: &Evidence) -> BTreeMap<ChunkId, Vec<(Span, EntityId)>> {
    let graph = &searcher.knowledge().graph;
    let mut by_chunk = BTreeMap::new();
    for passage in evidence.passages.iter().take(MAX_PASSAGES) {
        let mut places: Vec<(Span, EntityId)> = Vec::new();
        for (entity, _) in searcher.incidence().entities_of(passage.chunk) {
            let mentions = graph.entity(*entity).mentions.iter();
            places.extend(
                mentions
                    .filter(|(source, _)| source.chunk == passage.chunk)
                    .map(|(source, _)| (source.span, *entity)),
            );
        }
        places.sort();
        by_chunk.insert(passage.chunk, places);
    }
    by_chunk
}

/// Entities named in a sentence, or that its document is about, with how well their type fits.
fn named(
    searcher: &Searcher,
    sentence: &Sentence,
    by_chunk: &BTreeMap<ChunkId, Vec<(Span, EntityId)>>,
    expected: Expected,
) -> Vec<Candidate> {
    let knowledge = searcher.knowledge();
    let document = knowledge.document(knowledge.chunk(sentence.chunk).document);
    let own = knowledge.graph.find(&name::key(&document.title));
    let inside = by_chunk
        .get(&sentence.chunk)
        .into_iter()
        .flatten()
        .filter(|(span, _)| span.end > span.start && sentence.span.contains(*span));
    let mut options: Vec<Candidate> = inside
        .map(|(span, entity)| Candidate::at(*span, &document.text, fit(searcher, *entity, expected)))
        .collect();
    if let Some(own) = own {
        let title = name::without_disambiguator(&document.title).unwrap_or(&document.title);
        options.push(Candidate {
            text: title.to_owned(),
            span: None,
            fit: fit(searcher, own, expected),
        });
    }
    options
}

fn fit(searcher: &Searcher, entity: EntityId, expected: Expected) -> f32 {
    let knowledge = searcher.knowledge();
    let kind = knowledge.graph.entity(entity).entity_type;
    match expected {
        Expected::Entity(wanted) if kind == wanted => RIGHT_KIND,
        Expected::Entity(_) if kind == knowledge.schema.thing() => UNKNOWN_KIND,
        Expected::Entity(_) => WRONG_KIND,
        _ => UNKNOWN_KIND,
    }
}

/// Dates or numbers in a sentence.
fn values(searcher: &Searcher, sentence: &Sentence, kind: ValueKind) -> Vec<Candidate> {
    let knowledge = searcher.knowledge();
    let text = &knowledge.document(knowledge.chunk(sentence.chunk).document).text;
    banyan_extract::literal::literals(text, sentence.span)
        .into_iter()
        .filter(|literal| literal.serves(kind))
        .map(|literal| Candidate::at(literal.span, text, RIGHT_KIND))
        .collect()
}

/// How near a candidate stands to a word of the question within its sentence: 1 for neighbours, 1/n for n words apart,
/// 0 where the sentence holds no such word.
fn nearness(searcher: &Searcher, sentence: &Sentence, candidate: Span, asked: &BTreeSet<String>) -> f32 {
    let knowledge = searcher.knowledge();
    let text = &knowledge.document(knowledge.chunk(sentence.chunk).document).text;
    let part = |start, end| words(Span { start, end }.of(text));
    let says = |word: &String| asked.contains(word) && !is_character(word);
    let is_asked = |word: &str| term::terms(word).iter().any(says);
    let left = part(sentence.span.start, candidate.start)
        .into_iter()
        .rev()
        .position(is_asked);
    let right = part(candidate.end, sentence.span.end).into_iter().position(is_asked);
    left.into_iter()
        .chain(right)
        .min()
        .map_or(0.0, |n| 1.0 / (n + 1) as f32)
}

/// The words of a text; without spaces, every pair of neighbouring characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for run in text.split_whitespace() {
        if !run.contains(is_ideograph) {
            words.push(run);
            continue;
        }
        let ends = run.char_indices().map(|(at, ch)| at + ch.len_utf8()).skip(1);
        words.extend(run.char_indices().zip(ends).map(|((at, _), end)| &run[at..end]));
    }
    words
}

/// Whether a term is a single ideograph, which stands beside anything.
fn is_character(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(is_ideograph) && chars.next().is_none()
}
