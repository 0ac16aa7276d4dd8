//! Answers in text without spaces between words: entities and values in the sentences that match the question best.

use super::Found;
use super::ranking::MAX_PASSAGES;
use crate::evidence::Evidence;
use crate::question::{Expected, Question};
use crate::searcher::Searcher;
use crate::sentence::Sentence;
use banyan_engine::index::term::{self, is_ideograph};
use banyan_engine::schema::ValueKind;
use banyan_engine::{ChunkId, EntityId, Span, name};
use banyan_extract::literal::literals;
use std::collections::{BTreeMap, BTreeSet};

/// Worth of a candidate of the kind asked for, of unknown kind and of another kind. Arbitrary.
const RIGHT_KIND: f32 = 1.0;
const UNKNOWN_KIND: f32 = 0.5;
const WRONG_KIND: f32 = 0.1;
/// Worth of a candidate that bears the noun asked for in its name. Arbitrary.
const NAMED_KIND: f32 = 1.5;
/// Worth of standing right beside a word of the question. Arbitrary.
const NEARNESS: f32 = 0.3;

struct Candidate {
    text: String,
    /// Where the sentence names it; `None` for the title of its document.
    span: Option<Span>,
    fit: f32,
}

/// The candidate with the best score; `None` where no sentence holds one.
pub(super) fn best(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    expected: Expected,
    sentences: &[Sentence],
) -> Option<Found> {
    let knowledge = searcher.knowledge();
    let asked: BTreeSet<&String> = question.terms.iter().collect();
    let by_chunk = mentions(searcher, evidence);
    let noun = Expected::noun(&question.text, &knowledge.schema);
    let mut best: BTreeMap<String, (f32, usize)> = BTreeMap::new();
    for (position, sentence) in sentences.iter().enumerate() {
        let text = &knowledge.document(knowledge.chunk(sentence.chunk).document).text;
        let candidates = match expected {
            Expected::Date => values(text, sentence, ValueKind::Date),
            Expected::Number => values(text, sentence, ValueKind::Number),
            _ => named(searcher, sentence, by_chunk.get(&sentence.chunk), expected),
        };
        for Candidate { text: own, span, fit } in candidates {
            if term::terms(&own).iter().all(|word| asked.contains(word)) {
                continue;
            }
            let is_kind = noun.as_ref().is_some_and(|noun| own.ends_with(noun.as_str()));
            let near = span.map_or(0.0, |span| nearness(text, sentence, span, &asked));
            let score = sentence.support() * fit * if is_kind { NAMED_KIND } else { 1.0 } * (1.0 + NEARNESS * near);
            if best.get(&own).is_none_or(|(known, _)| score > *known) {
                best.insert(own, (score, position));
            }
        }
    }
    let (text, (_, position)) = best
        .into_iter()
        .max_by(|a, b| a.1.0.total_cmp(&b.1.0).then(b.1.1.cmp(&a.1.1)))?;
    let support = &sentences[position];
    Some(Found {
        text,
        support: vec![(support.chunk, support.span)],
    })
}

/// Entities with their places in each chunk of the evidence.
fn mentions(searcher: &Searcher, evidence: &Evidence) -> BTreeMap<ChunkId, Vec<(Span, EntityId)>> {
    let best = evidence.passages.iter().take(MAX_PASSAGES);
    best.map(|passage| (passage.chunk, searcher.mentions_in(passage.chunk)))
        .collect()
}

/// Entities named in a sentence, and the one that its document is about.
fn named(
    searcher: &Searcher,
    sentence: &Sentence,
    mentions: Option<&Vec<(Span, EntityId)>>,
    expected: Expected,
) -> Vec<Candidate> {
    let knowledge = searcher.knowledge();
    let document = knowledge.document(knowledge.chunk(sentence.chunk).document);
    let fit = |entity: EntityId| {
        let kind = knowledge.graph.entity(entity).entity_type;
        match expected {
            Expected::Entity(wanted) if kind == wanted => RIGHT_KIND,
            Expected::Entity(_) if kind != knowledge.schema.thing() => WRONG_KIND,
            _ => UNKNOWN_KIND,
        }
    };
    let is_inside = |span: &Span| span.end > span.start && sentence.span.contains(*span);
    let inside = mentions.into_iter().flatten().filter(|(span, _)| is_inside(span));
    let inside = inside.map(|(span, entity)| Candidate {
        text: span.of(&document.text).to_owned(),
        span: Some(*span),
        fit: fit(*entity),
    });
    let own = knowledge.graph.find(&name::key(&document.title)).map(|own| Candidate {
        text: name::without_disambiguator(&document.title)
            .unwrap_or(&document.title)
            .to_owned(),
        span: None,
        fit: fit(own),
    });
    inside.chain(own).collect()
}

/// Dates or numbers in a sentence.
fn values(text: &str, sentence: &Sentence, kind: ValueKind) -> Vec<Candidate> {
    let found = literals(text, sentence.span).into_iter();
    found
        .filter(|literal| literal.serves(kind))
        .map(|literal| Candidate {
            text: literal.span.of(text).to_owned(),
            span: Some(literal.span),
            fit: RIGHT_KIND,
        })
        .collect()
}

/// How near a candidate stands to two characters of the question within its sentence: 1 for neighbours, 1/n for n
/// characters apart, 0 where the sentence holds none.
fn nearness(text: &str, sentence: &Sentence, candidate: Span, asked: &BTreeSet<&String>) -> f32 {
    let part = |start, end| pairs(Span { start, end }.of(text));
    let is_pair = |word: &String| asked.contains(word) && word.chars().count() > 1;
    let is_asked = |pair: &str| term::terms(pair).iter().any(is_pair);
    let left = part(sentence.span.start, candidate.start)
        .into_iter()
        .rev()
        .position(is_asked);
    let right = part(candidate.end, sentence.span.end).into_iter().position(is_asked);
    let nearest = left.into_iter().chain(right).min();
    nearest.map_or(0.0, |n| 1.0 / (n + 1) as f32)
}

/// Every two neighbouring characters of the runs without spaces.
fn pairs(text: &str) -> Vec<&str> {
    let runs = text.split_whitespace().filter(|run| run.contains(is_ideograph));
    runs.flat_map(|run| {
        let ends = run.char_indices().map(|(at, ch)| at + ch.len_utf8()).skip(1);
        run.char_indices().zip(ends).map(|((at, _), end)| &run[at..end])
    })
    .collect()
}
