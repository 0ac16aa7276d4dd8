//! A knowledge, opened for questions: everything that search derives once and uses often.

use crate::fact::{Fact, FactTerms};
use crate::mention_weights::MentionWeights;
use crate::question::vocabulary::Vocabulary;
use crate::token_vectors::TokenVectorIndex;
use banyan_engine::embed::StaticEmbedder;
use banyan_engine::index::{Bm25, Incidence, term};
use banyan_engine::{ChunkId, Community, EntityId, Knowledge, Source, Span, TripleId, name};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Longest name that is looked up in a question, in words. Arbitrary.
const MAX_NAME_WORDS: usize = 10;

/// Longest name that is looked up in text without spaces, in characters.
const MAX_NAME_CHARS: usize = 20;

/// A knowledge with its search indexes. Opening costs O(size); it can then be asked from many threads.
pub struct Searcher {
    knowledge: Knowledge,
    passages: Bm25,
    communities: Bm25,
    incidence: Incidence,
    names: HashMap<String, Vec<EntityId>>,
    vocabulary: Vocabulary,
    mention_weights: MentionWeights,
    stated: HashMap<ChunkId, Vec<Fact>>,
    fact_terms: FactTerms,
    token_vectors: Option<TokenVectorIndex>,
}

impl Searcher {
    /// Derives the indexes of a knowledge. The contributions and statements from which its graph was assembled are let
    /// go: search does not need them, and they take most of the memory.
    pub fn new(mut knowledge: Knowledge) -> Self {
        knowledge.contributions = Vec::new();
        knowledge.statements.clear();
        let openings: Vec<u32> = knowledge
            .documents
            .par_iter()
            .map(|document| first_sentence_end(&document.text))
            .collect();
        Self {
            passages: Bm25::of(knowledge.chunks.len(), |position| {
                knowledge.passage(ChunkId::at(position))
            }),
            communities: Bm25::new(&community_texts(&knowledge)),
            incidence: Incidence::new(&knowledge),
            names: names(&knowledge),
            vocabulary: Vocabulary::new(&knowledge.schema),
            mention_weights: MentionWeights::new(&knowledge, &openings),
            stated: stated(&knowledge),
            fact_terms: FactTerms::new(&knowledge),
            token_vectors: None,
            knowledge,
        }
    }

    /// The same with names and triples compared by these token vectors, too. Cost O(d · triples).
    #[must_use]
    pub fn with_tokens(mut self, embedder: Arc<StaticEmbedder>) -> Self {
        self.token_vectors = Some(TokenVectorIndex::new(&self.knowledge, embedder));
        self
    }

    /// Names and triples by their token vectors, where there are such.
    pub(crate) fn token_vectors(&self) -> Option<&TokenVectorIndex> {
        self.token_vectors.as_ref()
    }

    /// The token vectors by which they are compared.
    pub fn tokens(&self) -> Option<&StaticEmbedder> {
        self.token_vectors.as_ref().map(TokenVectorIndex::embedder)
    }

    /// What is searched.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// BM25 over title and text of every chunk.
    pub fn passages(&self) -> &Bm25 {
        &self.passages
    }

    /// BM25 over the text that stands for each community.
    pub fn communities(&self) -> &Bm25 {
        &self.communities
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
        &self.incidence
    }

    /// The passages that name an entity, ascending, with the weight of its mention there, 0..=1.
    pub(crate) fn mention_weights(&self, entity: EntityId) -> &[(ChunkId, f32)] {
        self.mention_weights.of(entity)
    }

    /// What a passage states: triples, then associations.
    pub(crate) fn stated_in(&self, chunk: ChunkId) -> &[Fact] {
        self.stated.get(&chunk).map_or(&[], Vec::as_slice)
    }

    /// The words of names and facts.
    pub(crate) fn fact_terms(&self) -> &FactTerms {
        &self.fact_terms
    }

    /// The names in a chunk with their places, ascending; a mention in the title has an empty span.
    pub(crate) fn mentions_in(&self, chunk: ChunkId) -> Vec<(Span, EntityId)> {
        let mut places: Vec<(Span, EntityId)> = Vec::new();
        for (entity, _) in self.incidence.entities_of(chunk) {
            let mentions = &self.knowledge.graph.entity(*entity).mentions;
            let first = mentions.partition_point(|(source, _)| source.chunk < chunk);
            let here = mentions[first..].iter().take_while(|(source, _)| source.chunk == chunk);
            places.extend(here.map(|(source, _)| (source.span, *entity)));
        }
        places.sort();
        places
    }

    /// How rare an entity is, 0..=1: 1 for one chunk, 0 for all of them (`1 − ln df / ln n`), with df after
    /// [`Incidence::frequency`].
    pub fn rarity(&self, entity: EntityId) -> f32 {
        let n = self.knowledge.chunks.len().max(2) as f32;
        let df = self.incidence.frequency(entity).max(1) as f32;
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
        self.names.get(&name::key(name)).map_or(&[], Vec::as_slice)
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
        let words: Vec<&str> = text
            .split(|ch: char| !ch.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
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
                .find_map(|last| Some((last, self.names.get(&name::key(&words[first..=last].join(" ")))?)));
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
                Some((length, self.names.get(&key)?))
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
            .map_or(0, |stem| self.passages.document_frequency(stem));
        word.starts_with(char::is_uppercase) || df * 100 <= self.passages.len().max(300)
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

fn first_sentence_end(text: &str) -> u32 {
    // A sentence longer than this is no opening; arbitrary, and it bounds the cost for long texts.
    let head = text.char_indices().nth(600).map_or(text, |(end, _)| &text[..end]);
    banyan_extract::sentence::split(head).first().map_or(0, |span| span.end)
}

/// Every name and alias by its key.
fn names(knowledge: &Knowledge) -> HashMap<String, Vec<EntityId>> {
    let mut names: HashMap<String, Vec<EntityId>> = HashMap::new();
    for (position, entity) in knowledge.graph.entities().iter().enumerate() {
        let keys: BTreeSet<String> = std::iter::once(&entity.name)
            .chain(&entity.aliases)
            .map(|surface| name::key(surface))
            .chain(std::iter::once(entity.key.clone()))
            .filter(|key| !key.is_empty())
            .collect();
        for key in keys {
            names.entry(key).or_default().push(EntityId::at(position));
        }
    }
    names
}

/// What each passage states.
fn stated(knowledge: &Knowledge) -> HashMap<ChunkId, Vec<Fact>> {
    let mut stated: HashMap<ChunkId, Vec<Fact>> = HashMap::new();
    for (position, triple) in knowledge.graph.triples().iter().enumerate() {
        let fact = Fact::Triple(TripleId::at(position));
        for source in &triple.sources {
            let list = stated.entry(source.chunk).or_default();
            if list.last() != Some(&fact) {
                list.push(fact);
            }
        }
    }
    for (position, association) in knowledge.graph.associations().iter().enumerate() {
        if !association.phrases.is_empty() {
            let list = stated.entry(association.source.chunk).or_default();
            list.push(Fact::Association(position));
        }
    }
    stated
}

/// The text that stands for each community: its name, its description and the names of its members.
fn community_texts(knowledge: &Knowledge) -> Vec<String> {
    knowledge
        .tree
        .communities()
        .iter()
        .map(|community| community_text(knowledge, community))
        .collect()
}

fn community_text(knowledge: &Knowledge, community: &Community) -> String {
    let mut text = format!("{}\n{}", community.name, community.description);
    for member in &community.members {
        text.push('\n');
        text.push_str(&knowledge.graph.entity(*member).name);
    }
    text
}
