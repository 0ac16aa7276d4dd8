//! Steps of paths over the triples of a knowledge, each with the sentence that states it.

use super::dictionary::Replaced;
use super::{Anonymised, Dictionary};
use banyan_engine::document::one_line;
use banyan_engine::index::term;
use banyan_engine::{EntityId, Knowledge, Source, Span};
use banyan_extract::{sentence, tag};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Most bytes between two names that a question repeats. Arbitrary: about fifteen words.
const MAX_BETWEEN: usize = 90;
/// Shortest word between two names that says something. Arbitrary.
const MIN_CHARS: usize = 4;
/// What a step between names that stand side by side is called.
const BESIDE: &str = "associated";

/// A triple as one sentence states it, between two entries of a dictionary.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) relation: String,
    /// The words between the two, with tags for names.
    pub(super) words: String,
    pub(super) document: usize,
    /// The sentence, in bytes of the document's anonymised text.
    pub(super) sentence: (usize, usize),
}

impl Step {
    pub(super) fn other(&self, entry: usize) -> usize {
        if self.first == entry { self.second } else { self.first }
    }
}

/// Every step that the triples of a knowledge give, sorted, without repetition: one for each place that states a triple
/// between two listed entities with words that say something. `texts` are the documents' anonymised. Cost O(total
/// length + sources · sentence).
pub(super) fn steps(knowledge: &Knowledge, dictionary: &Dictionary, texts: &[Anonymised]) -> Vec<Step> {
    let documents = knowledge.documents.all().par_iter();
    let sentences: Vec<Vec<Span>> = documents.map(|document| sentence::split(&document.text)).collect();
    let step = |ends: [EntityId; 2], relation: &str, source: &Source| {
        let document = knowledge.chunk(source.chunk).document.index();
        let (text, sentences) = (&texts[document], &sentences[document]);
        let at = sentences.partition_point(|sentence| sentence.end <= source.span.start);
        let sentence = *sentences.get(at).filter(|sentence| sentence.contains(source.span))?;
        let named = names(text, source.span);
        let (first, second) = nearest(named, dictionary.entry(ends[0])?, dictionary.entry(ends[1])?)?;
        let between = text.text.get(first.tag.end..second.tag.start)?;
        let words = one_line(between);
        is_telling(&words).then(|| Step {
            first: first.entry,
            second: second.entry,
            relation: relation.to_owned(),
            words,
            document,
            sentence: [sentence.start, sentence.end]
                .map(|at| text.position(at as usize))
                .into(),
        })
    };
    let triples = knowledge.graph.triples().iter().flat_map(|triple| {
        let relation = knowledge.schema.relation_name(triple.relation);
        let stated = triple.sources.iter();
        stated.filter_map(move |source| step([triple.head, triple.tail], relation, source))
    });
    let told: BTreeSet<Step> = triples.collect();
    let associations = knowledge.graph.associations().iter();
    let associations = associations.filter(|one| !one.phrases.is_empty());
    let beside = associations.filter_map(|one| step([one.a, one.b], BESIDE, &one.source));
    let is_told = |step: &Step| {
        told.iter()
            .any(|other| (other.first, other.second) == (step.first, step.second))
    };
    let beside: Vec<Step> = beside.filter(|step| !is_told(step)).collect();
    told.into_iter()
        .chain(beside)
        .collect::<BTreeSet<Step>>()
        .into_iter()
        .collect()
}

fn names(text: &Anonymised, span: Span) -> &[Replaced] {
    let (start, end) = (span.start as usize, span.end as usize);
    let first = text.replaced.partition_point(|name| name.original.end <= start);
    let last = text.replaced.partition_point(|name| name.original.start < end);
    text.replaced.get(first..last).unwrap_or_default()
}

/// The closest pair of names of the two entries, in text order; none where they are one.
fn nearest(named: &[Replaced], a: usize, b: usize) -> Option<(&Replaced, &Replaced)> {
    let is_pair = |pair: &(&Replaced, &Replaced)| {
        let ends = (pair.0.entry, pair.1.entry);
        a != b && (ends == (a, b) || ends == (b, a))
    };
    let after = |(at, first)| named[at + 1..].iter().map(move |second| (first, second));
    let pairs = named.iter().enumerate().flat_map(after).filter(is_pair);
    pairs.min_by_key(|(first, second)| second.original.start - first.original.end)
}

/// Whether a question may repeat the words between two names: they read on from one to the other, without the begin or
/// end of a speech, and at least one is no function word and no name.
fn is_telling(words: &str) -> bool {
    let breaks = |ch: char| "\"“”「」!?！？。;；".contains(ch);
    let is_plain = !words.contains(breaks) && !words.starts_with(['-', '\'', '’', '.']) && !words.ends_with('-');
    let mut bare = words.to_owned();
    for tag in tag::find(words).into_iter().rev() {
        bare.replace_range(tag, " ");
    }
    let n_han = bare.chars().filter(|ch| term::is_ideograph(*ch)).count();
    let is_content = |word: &str| word.chars().count() >= MIN_CHARS && !term::is_stop_word(&word.to_lowercase());
    let has_content = n_han >= 2 || bare.split(|ch: char| !ch.is_alphanumeric()).any(is_content);
    words.len() <= MAX_BETWEEN && is_plain && has_content
}
