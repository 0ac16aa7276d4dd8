//! Paths over the triples of a knowledge, each step with the sentence that states it.

use super::dictionary::Dictionary;
use super::phrase;
use super::text::{Anonymised, Replaced};
use banyan_engine::{Knowledge, Source, Span, Triple};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes between two names that a question repeats. Arbitrary: about fifteen words.
const MAX_BETWEEN: usize = 90;

/// A triple as one sentence states it, between two entries of a dictionary.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// The entry named first.
    pub first: usize,
    /// The entry named second.
    pub second: usize,
    /// The relation's name.
    pub relation: String,
    /// The words between the two, with tags for names.
    pub words: String,
    /// Position of the document.
    pub document: usize,
    /// The sentence, in bytes of the document's anonymised text.
    pub sentence: (usize, usize),
}

impl Step {
    /// The entry at the other end.
    pub fn other(&self, entry: usize) -> usize {
        if self.first == entry { self.second } else { self.first }
    }
}

/// What the texts of a knowledge are read as: their anonymised form and sentences, in canonical order.
pub struct Reading {
    texts: Vec<(Anonymised, Vec<Span>)>,
}

impl Reading {
    /// Anonymises every text. Cost O(total length), in parallel.
    pub fn new(knowledge: &Knowledge, dictionary: &Dictionary) -> Self {
        let read = |document: &banyan_engine::Document| {
            let sentences = banyan_extract::sentence::split(&document.text);
            (dictionary.anonymise(&document.text), sentences)
        };
        Self {
            texts: knowledge.documents.par_iter().map(read).collect(),
        }
    }

    /// The anonymised text of a document by position.
    pub fn text(&self, document: usize) -> &Anonymised {
        &self.texts[document].0
    }
}

impl Reading {
    /// Entries that a document names within `reach` bytes of a sentence but not in it, each once, the closest first. The
    /// sentence is in bytes of the anonymised text. Cost O(names of the document).
    pub fn around(&self, document: usize, sentence: (usize, usize), reach: usize) -> Vec<usize> {
        let named = self.texts.get(document).map_or(&[][..], |(text, _)| &text.replaced);
        let inside: BTreeSet<usize> = named
            .iter()
            .filter(|name| name.tag.start < sentence.1 && sentence.0 < name.tag.end)
            .filter_map(|name| name.entry)
            .collect();
        let apart = |name: &Replaced| {
            let (before, after) = (
                sentence.0.saturating_sub(name.tag.end),
                name.tag.start.saturating_sub(sentence.1),
            );
            before.max(after)
        };
        let mut near: BTreeMap<usize, usize> = BTreeMap::new();
        for name in named.iter().filter(|name| apart(name) <= reach) {
            if let Some(entry) = name.entry.filter(|entry| !inside.contains(entry)) {
                let closest = near.entry(entry).or_insert(usize::MAX);
                *closest = (*closest).min(apart(name));
            }
        }
        let mut near: Vec<(usize, usize)> = near.into_iter().collect();
        near.sort_by_key(|(entry, apart)| (*apart, *entry));
        near.into_iter().map(|(entry, _)| entry).collect()
    }
}

/// Every step that the triples of a knowledge give, sorted, without repetition: one for each place that states a triple
/// between two listed entities with words that say something. Cost O(sources · sentence).
pub fn steps(knowledge: &Knowledge, dictionary: &Dictionary, reading: &Reading) -> Vec<Step> {
    let triples: Vec<&Triple> = knowledge.graph.triples().iter().collect();
    let found = triples.into_par_iter().flat_map_iter(|triple| {
        let places = triple.sources.iter();
        places.filter_map(|source| step(knowledge, dictionary, reading, triple, source))
    });
    let steps: BTreeSet<Step> = found.collect();
    steps.into_iter().collect()
}

fn step(
    knowledge: &Knowledge,
    dictionary: &Dictionary,
    reading: &Reading,
    triple: &Triple,
    source: &Source,
) -> Option<Step> {
    let document = knowledge.chunk(source.chunk).document.index();
    let (text, sentences) = reading.texts.get(document)?;
    let at = sentences.partition_point(|sentence| sentence.end <= source.span.start);
    let sentence = *sentences.get(at).filter(|sentence| sentence.contains(source.span))?;
    let named = names(text, source.span);
    let end_of = |entity, fallback: Option<usize>| dictionary.entry(entity).or(fallback);
    let head = end_of(triple.head, named.first().and_then(|name| name.entry))?;
    let tail = end_of(triple.tail, named.last().and_then(|name| name.entry))?;
    let (first, second) = nearest(&named, head, tail)?;
    let between = text.text.get(first.tag.end..second.tag.start)?;
    let words = between.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_telling = words.len() <= MAX_BETWEEN && phrase::is_plain(&words) && phrase::has_content(&words);
    is_telling.then(|| Step {
        first: first.entry.unwrap_or(head),
        second: second.entry.unwrap_or(tail),
        relation: knowledge.schema.relation_name(triple.relation).to_owned(),
        words,
        document,
        sentence: (
            text.position(sentence.start as usize),
            text.position(sentence.end as usize),
        ),
    })
}

fn names(text: &Anonymised, span: Span) -> Vec<&Replaced> {
    let (start, end) = (span.start as usize, span.end as usize);
    let first = text.replaced.partition_point(|name| name.original.end <= start);
    let inside = text.replaced[first..].iter();
    inside
        .take_while(|name| name.original.start < end)
        .filter(|name| name.entry.is_some())
        .collect()
}

/// The closest pair of names of the two entries, in text order; none where they are one.
fn nearest<'a>(named: &[&'a Replaced], a: usize, b: usize) -> Option<(&'a Replaced, &'a Replaced)> {
    let is_pair = |pair: &(&'a Replaced, &'a Replaced)| {
        (pair.0.entry, pair.1.entry) == (Some(a), Some(b)) || (pair.0.entry, pair.1.entry) == (Some(b), Some(a))
    };
    let pairs = named
        .iter()
        .enumerate()
        .flat_map(|(at, first)| named[at + 1..].iter().map(|second| (*first, *second)));
    let apart = |pair: &(&Replaced, &Replaced)| pair.1.original.start.saturating_sub(pair.0.original.end);
    pairs.filter(|_| a != b).filter(is_pair).min_by_key(apart)
}
