//! A knowledge, opened for questions: everything that search derives once and uses often.

use crate::question::vocabulary::Vocabulary;
use crate::token_vectors::QuestionCosines;
use banyan_engine::embed::StaticEmbedder;
use banyan_engine::index::{Bm25, Facts, Incidence, Index, term};
use banyan_engine::paged::{Lazy, Paged};
use banyan_engine::{ChunkId, EntityId, Knowledge, Source, Span, name};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Longest name that is looked up in a question, in words. Arbitrary.
const MAX_NAME_WORDS: usize = 10;

/// Longest name that is looked up in text without spaces, in characters.
const MAX_NAME_CHARS: usize = 20;

/// A knowledge with its search indexes. It can be asked from many threads.
pub struct Searcher {
    knowledge: Knowledge,
    index: Index,
    vocabulary: Vocabulary,
    tokens: Option<Arc<StaticEmbedder>>,
}

impl Searcher {
    /// Derives the indexes of a knowledge that was just built. The contributions and statements from which its graph was
    /// assembled are let go: search does not need them, and they take most of the memory. Cost O(size).
    pub fn new(mut knowledge: Knowledge) -> Self {
        let index = Index::new(&knowledge);
        knowledge.contributions = Paged::default();
        knowledge.statements = Lazy::default();
        Self::open(knowledge, index)
    }

    /// A knowledge with the indexes that were stored with it. Cost O(schema): the rest is read where it is asked for.
    pub fn open(knowledge: Knowledge, index: Index) -> Self {
        Self {
            vocabulary: Vocabulary::new(&knowledge.schema),
            tokens: None,
            knowledge,
            index,
        }
    }

    /// The same with facts compared by these token vectors, too.
    #[must_use]
    pub fn with_tokens(mut self, embedder: Arc<StaticEmbedder>) -> Self {
        self.tokens = Some(embedder);
        self
    }

    /// Cosines of a question to facts, where there are token vectors.
    pub(crate) fn cosines(&self, question: &str) -> Option<QuestionCosines<'_>> {
        let tokens = self.tokens()?;
        Some(QuestionCosines::new(tokens, &self.knowledge, question))
    }

    /// The token vectors by which they are compared.
    pub fn tokens(&self) -> Option<&StaticEmbedder> {
        self.tokens.as_deref()
    }

    /// What is searched.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// BM25 over title and text of every chunk.
    pub fn passages(&self) -> &Bm25 {
        &self.index.passages
    }

    /// BM25 over the text that stands for each community.
    pub fn communities(&self) -> &Bm25 {
        &self.index.communities
    }

    /// The sentences of a chunk, as spans of its document's text; a heading is none, and neither is a number alone.
    pub(crate) fn sentences(&self, id: ChunkId) -> Vec<Span> {
        let chunk = self.knowledge.chunk(id);
        let document = self.knowledge.document(chunk.document);
        let says = |span: &Span| {
            document.layout.heading(*span).is_none() && span.of(&document.text).contains(char::is_alphabetic)
        };
        let start = chunk.span.start;
        let shift = |span: Span| Span {
            start: start + span.start,
            end: start + span.end,
        };
        let parts = banyan_extract::sentence::split(self.knowledge.chunk_text(id));
        parts.into_iter().map(shift).filter(says).collect()
    }

    /// The sentence that holds a source, or the first that it reaches into.
    pub(crate) fn sentence_of(&self, source: Source) -> Option<Span> {
        let mut sentences = self.sentences(source.chunk).into_iter();
        sentences.find(|sentence| sentence.contains(source.span) || sentence.overlaps(source.span))
    }

    /// The phrases of the schema.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Who is named where.
    pub fn incidence(&self) -> &Incidence {
        &self.index.incidence
    }

    /// What passages state, and the words of names and facts.
    pub(crate) fn facts(&self) -> &Facts {
        &self.index.facts
    }

    /// The names in a chunk with their places, ascending; a mention in the title has an empty span.
    pub(crate) fn mentions_in(&self, chunk: ChunkId) -> Vec<(Span, EntityId)> {
        let mut places: Vec<(Span, EntityId)> = Vec::new();
        for (entity, _) in self.index.incidence.entities_of(chunk) {
            let mentions = &self.knowledge.graph.entity(*entity).mentions;
            let first = mentions.partition_point(|(source, _)| source.chunk < chunk);
            let here = mentions[first..].iter().take_while(|(source, _)| source.chunk == chunk);
            places.extend(here.map(|(source, _)| (source.span, *entity)));
        }
        places.sort();
        places
    }

    /// How rare an entity is, 0..=1: 1 for one chunk, 0 for all of them (`1 − ln df / ln n`), with df after
    /// `Named::frequency`.
    pub fn rarity(&self, entity: EntityId) -> f32 {
        let n = self.knowledge.chunks.len().max(2) as f32;
        let df = self.index.incidence.of(entity).frequency.max(1) as f32;
        (1.0 - df.ln() / n.ln()).max(0.0)
    }

    /// Entities that a text names, by any of their names, ascending. Cost O(words).
    ///
    /// Of names that overlap the longest from the left counts. A single word counts only with a capital, or in a text
    /// without capitals where it is rare; in Chinese a name of two characters or more, wherever it stands.
    pub fn named_in(&self, text: &str) -> BTreeSet<EntityId> {
        let mut found = self.ideographic_in(text);
        found.extend(
            self.spelled_in(text)
                .into_iter()
                .flat_map(|(_, entities)| entities.iter().copied()),
        );
        found
    }

    /// The entities that bear this name, ascending.
    pub(crate) fn named(&self, name: &str) -> &[EntityId] {
        self.index
            .names
            .get(name::key(name).as_str())
            .map_or(&[], Vec::as_slice)
    }

    /// The names in a text between spaces that the corpus knows, as they stand there, from left to right. Cost O(words).
    pub fn names_in(&self, text: &str) -> Vec<String> {
        let spelled = self
            .spelled_in(text)
            .into_iter()
            .map(|(span, _)| span.of(text).to_owned());
        spelled.filter(|name| name.contains(char::is_uppercase)).collect()
    }

    /// The names in a text between spaces that the corpus knows, and whose they are, from left to right. Cost O(words).
    pub(crate) fn spelled_in(&self, text: &str) -> Vec<(Span, &[EntityId])> {
        let words: Vec<&str> = name::words(text).collect();
        let offset = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let mut found = Vec::new();
        let mut first = 0;
        while first < words.len() {
            // A key has no article: "the country" would name a document called "Country".
            if matches!(words[first], "a" | "an" | "the") {
                first += 1;
                continue;
            }
            let longest = (first..words.len().min(first + MAX_NAME_WORDS)).rev();
            let hit = longest
                .filter(|last| first < *last || self.is_single_name(&words, first))
                // A question that begins with "The state" names no document called "State".
                .filter(|last| first + 1 != *last || !is_article(words[first]) || !is_lower(words[*last]))
                .find_map(|last| Some((last, self.index.names.get(&name::key(&words[first..=last].join(" ")))?)));
            first = match hit {
                Some((last, entities)) => {
                    let end = offset(words[last]) + words[last].len();
                    found.push((Span::new(offset(words[first]), end), entities.as_slice()));
                    last + 1
                }
                None => first + 1,
            };
        }
        found
    }

    /// The entities that a text names in characters without spaces around words. Cost O(length).
    fn ideographic_in(&self, text: &str) -> BTreeSet<EntityId> {
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        let is_inner = |(_, ch): &(usize, char)| term::is_ideograph(*ch) || *ch == '·';
        let mut found = BTreeSet::new();
        let mut at = 0;
        while at < chars.len() {
            let reach = chars[at..]
                .iter()
                .take(MAX_NAME_CHARS)
                .take_while(|one| is_inner(one))
                .count();
            let mut names = (2..=reach).rev().filter_map(|length| {
                let (last, ch) = chars[at + length - 1];
                let key = name::key(&text[chars[at].0..last + ch.len_utf8()]);
                Some((length, self.index.names.get(&key)?))
            });
            let hit = names.next();
            found.extend(hit.iter().flat_map(|(_, entities)| entities.iter().copied()));
            at += hit.map_or(1, |(length, _)| length);
        }
        found
    }

    fn is_single_name(&self, words: &[&str], at: usize) -> bool {
        let word = words[at];
        let lower = word.to_lowercase();
        if term::is_stop_word(&lower) || word.chars().count() < 2 {
            return false;
        }
        let has_capitals = words[1..].iter().any(|word| word.starts_with(char::is_uppercase));
        if has_capitals {
            return word.starts_with(char::is_uppercase);
        }
        let df = term::distinct(&lower)
            .first()
            .map_or(0, |stem| self.index.passages.document_frequency(stem));
        word.starts_with(char::is_uppercase) || df * 100 <= self.index.passages.len().max(300)
    }
}

fn is_article(word: &str) -> bool {
    ["a", "an", "the"]
        .iter()
        .any(|article| word.eq_ignore_ascii_case(article))
}

fn is_lower(word: &str) -> bool {
    word.starts_with(char::is_lowercase)
}
