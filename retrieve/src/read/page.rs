//! Passages taken apart for reading, each once a question.

use super::candidate::{self, Candidate, Known, Sort, Word, words};
use super::command;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{ChunkId, EntityId, Span, name};
use banyan_extract::literal::{Literal, literals};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// A passage, taken apart.
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    /// The title of its document without what tells it from others, where that names an entity.
    pub(super) own: Option<Arc<Candidate>>,
    pub(super) title_terms: BTreeSet<String>,
    /// Places of names and terms, ascending.
    pub(super) mentions: Vec<(Span, EntityId)>,
    /// Those of names.
    pub(super) names: Vec<(Span, EntityId)>,
    pub(super) sentences: Vec<Sentence>,
}

/// A sentence of a page.
pub(super) struct Sentence {
    pub(super) span: Span,
    pub(super) words: Vec<Word>,
    /// Whether it tells its reader what to do or to answer. It may be quoted, but answers nothing.
    pub(super) is_command: bool,
    // Found once some step asks for such.
    literals: OnceLock<Vec<Literal>>,
    names: OnceLock<Vec<Arc<Candidate>>>,
    places: OnceLock<Vec<Known>>,
    phrases: OnceLock<Vec<Arc<Candidate>>>,
}

impl Sentence {
    fn new(text: &str, span: Span) -> Self {
        let words = words(text, span);
        let lower: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
        Self {
            span,
            is_command: command::is_command(&lower),
            words,
            literals: OnceLock::new(),
            names: OnceLock::new(),
            places: OnceLock::new(),
            phrases: OnceLock::new(),
        }
    }

    /// Dates, numbers and quantities.
    pub(super) fn literals(&self, text: &str) -> &[Literal] {
        self.literals.get_or_init(|| literals(text, self.span))
    }

    /// Names, terms apart.
    pub(super) fn names(&self, page: &Page<'_>) -> &[Arc<Candidate>] {
        self.names.get_or_init(|| candidate::names(page, self.span))
    }

    /// Well-known places within longer names, and the countries of peoples.
    pub(super) fn places(&self, searcher: &Searcher, page: &Page<'_>) -> &[Known] {
        self.places
            .get_or_init(|| candidate::places(searcher, page, &self.words))
    }

    /// Phrases without a capital.
    pub(super) fn phrases(&self, page: &Page<'_>) -> &[Arc<Candidate>] {
        self.phrases.get_or_init(|| candidate::phrases(page, &self.words))
    }
}

/// The passages of one question, and what is said at the beginning about the things they name.
pub(crate) struct Pages<'a> {
    pub(crate) searcher: &'a Searcher,
    read: BTreeMap<ChunkId, Arc<Page<'a>>>,
    openings: BTreeMap<EntityId, Arc<BTreeSet<String>>>,
    /// Logarithm of the share of each sentence among those ranked for the whole question.
    shares: BTreeMap<(ChunkId, Span), f32>,
}

/// Least logarithm of a share. Arbitrary: one in some thousands.
const LEAST: f32 = -8.0;
/// Characters of a document that say what its subject is. Arbitrary: two sentences.
const OPENING: usize = 250;

impl<'a> Pages<'a> {
    pub(crate) fn new(searcher: &'a Searcher, ranked: &[crate::sentence::Sentence]) -> Self {
        let place = |one: &crate::sentence::Sentence| ((one.chunk, one.span), one.share.ln().max(LEAST));
        Self {
            shares: ranked.iter().map(place).collect(),
            searcher,
            read: BTreeMap::new(),
            openings: BTreeMap::new(),
        }
    }

    /// Passages, each taken apart the first time it is asked for.
    pub(super) fn pages(&mut self, chunks: impl Iterator<Item = ChunkId>) -> Vec<(ChunkId, Arc<Page<'a>>)> {
        let chunks: Vec<ChunkId> = chunks.collect();
        let new: Vec<ChunkId> = chunks
            .iter()
            .filter(|chunk| !self.read.contains_key(chunk))
            .copied()
            .collect();
        let searcher = self.searcher;
        let new = new
            .into_par_iter()
            .map(|chunk| (chunk, Arc::new(Page::new(searcher, chunk))));
        self.read.par_extend(new);
        let known = |chunk: ChunkId| Some((chunk, Arc::clone(self.read.get(&chunk)?)));
        chunks.into_iter().filter_map(known).collect()
    }

    /// Logarithm of the share of a sentence, from [`LEAST`] to 0.
    pub(super) fn share(&self, chunk: ChunkId, span: Span) -> f32 {
        self.shares.get(&(chunk, span)).copied().unwrap_or(LEAST)
    }

    /// Whether the opening of the document about an entity has this term: "X is a *river* in …".
    pub(super) fn describes(&mut self, entity: EntityId, noun: &str) -> bool {
        let knowledge = self.searcher.knowledge();
        let Some(document) = knowledge.graph.entity(entity).subject_of.first() else {
            return false;
        };
        let opening = self.openings.entry(entity).or_insert_with(|| {
            let text = &knowledge.document(*document).text;
            let end = text.char_indices().nth(OPENING).map_or(text.len(), |(at, _)| at);
            Arc::new(term::terms(&text[..end]).into_iter().collect())
        });
        opening.contains(noun)
    }
}

impl<'a> Page<'a> {
    fn new(searcher: &'a Searcher, chunk: ChunkId) -> Self {
        let knowledge = searcher.knowledge();
        let document = knowledge.document(knowledge.chunk(chunk).document);
        let title_terms: BTreeSet<String> = term::terms(&document.title).into_iter().collect();
        let text = &document.text;
        let mentions = searcher.mentions_in(chunk);
        let is_term = |entity: EntityId| knowledge.graph.entity(entity).is_term;
        let own = knowledge.graph.find(&name::key(&document.title));
        let title = name::without_disambiguator(&document.title).unwrap_or(&document.title);
        let spans = searcher.sentences(chunk).into_iter();
        Self {
            text,
            own: own.map(|own| Candidate::new(title, Sort::Entity(own), None)),
            title_terms,
            names: mentions
                .iter()
                .filter(|(_, entity)| !is_term(*entity))
                .copied()
                .collect(),
            mentions,
            sentences: spans.map(|span| Sentence::new(text, span)).collect(),
        }
    }
}
