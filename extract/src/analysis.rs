//! A document read once for all stages: sentences, words, and what a parser says of them.

use crate::error::ExtractError;
use crate::grammar::{Dependency, Kind, Pos};
use crate::parse::{Pipeline, Token};
use crate::sentence;
use crate::watch::{Watch, each};
use crate::word::{Word, words};
use banyan_engine::document::overlapping;
use banyan_engine::script::is_han;
use banyan_engine::{Document, Span};
use rayon::prelude::*;

/// Least share of ASCII letters among the letters of a sentence that the English parser reads.
const MIN_LATIN: f32 = 0.7;

/// What reads texts: a trained parser where there is one, else the surface of words.
#[derive(Debug, Default)]
pub struct Analyser {
    english: Option<(String, Pipeline)>,
}

impl Analyser {
    /// What needs no model: words, and their capitals.
    pub fn surface() -> Self {
        Self::default()
    }

    /// A trained English parser called `id`; equal ids must give the same analysis of the same text.
    pub fn english(id: impl Into<String>, pipeline: Pipeline) -> Self {
        Self {
            english: Some((id.into(), pipeline)),
        }
    }

    /// Stable identity, as stores record it; `none` without a model.
    pub fn id(&self) -> &str {
        self.english.as_ref().map_or("none", |(id, _)| id)
    }

    /// Reads documents in parallel, in order; each analysis depends on its document and the model alone. Cost O(length).
    ///
    /// # Errors
    /// [`ExtractError::Stopped`] where `watch` asked to stop.
    pub fn read<'a>(&self, documents: &'a [Document], watch: &dyn Watch) -> Result<Vec<Analysis<'a>>, ExtractError> {
        let analyse = |document: &'a Document| {
            let analysis = self.analyse(document);
            watch.on_document();
            analysis
        };
        each(documents.par_iter(), watch, analyse)
    }

    /// Reads one document.
    pub fn analyse<'a>(&self, document: &'a Document) -> Analysis<'a> {
        let text = document.text.as_str();
        let cut = |span: Span| {
            let mut found = words(text, span);
            let english = self.english.as_ref().filter(|_| is_latin(span.of(text)));
            if let Some((_, pipeline)) = english {
                annotate(&mut found, &pipeline.parse(span.of(text)), span.start);
            }
            (span, found)
        };
        Analysis {
            document,
            sentences: sentence::split(text).into_iter().map(cut).collect(),
        }
    }
}

/// A document with its sentences and their words.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    /// The document.
    pub document: &'a Document,
    /// Every sentence in order, with its words.
    pub sentences: Vec<(Span, Vec<Word>)>,
}

impl<'a> Analysis<'a> {
    /// Sentences and words alone. Cost O(length).
    pub fn surface(document: &'a Document) -> Self {
        Analyser::surface().analyse(document)
    }

    /// Sentences and words alone, of many documents in order.
    pub fn surfaces(documents: &'a [Document]) -> Vec<Self> {
        documents.par_iter().map(Self::surface).collect()
    }

    /// Whether a sentence is a heading, by the document's layout.
    pub(crate) fn is_heading(&self, sentence: Span) -> bool {
        let headings = &self.document.layout.headings;
        let at = headings.partition_point(|heading| heading.span.end <= sentence.start);
        headings.get(at).is_some_and(|heading| heading.span.overlaps(sentence))
    }

    /// Whether a sentence lies in a block of code, by the document's layout.
    pub(crate) fn is_code(&self, sentence: Span) -> bool {
        overlapping(&self.document.layout.blocks, sentence).is_some()
    }

    /// The words of the sentence that a span begins in.
    pub(crate) fn words_around(&self, span: Span) -> &[Word] {
        let at = self
            .sentences
            .partition_point(|(sentence, _)| sentence.end <= span.start);
        self.sentences.get(at).map_or(&[], |(_, words)| words)
    }

    /// The text that all spans refer to.
    pub fn text(&self) -> &'a str {
        &self.document.text
    }
}

/// Whether a sentence is written in letters that English is written in.
fn is_latin(sentence: &str) -> bool {
    let (mut n_ascii, mut n) = (0_usize, 0_usize);
    for ch in sentence.chars().filter(|ch| ch.is_alphabetic()) {
        n += 1;
        n_ascii += usize::from(ch.is_ascii());
    }
    n_ascii > 0 && n_ascii as f32 >= MIN_LATIN * n as f32 && !sentence.chars().any(is_han)
}

/// Lays a parse of the sentence that begins at `offset` over its words: a word of several tokens ("well-kept") is what the
/// one of them is that the others depend on, and marks are nobody's head.
fn annotate(words: &mut [Word], tokens: &[Token<'_>], offset: u32) {
    let owners = owners(words, tokens, offset);
    for (at, word) in words.iter_mut().enumerate() {
        let mut own = (0..tokens.len()).filter(|token| owners[*token] == Some(at)).peekable();
        let Some(first) = own.peek().copied() else { continue };
        let is_outside = |token: &usize| owners[tokens[*token].head] != Some(at) || tokens[*token].head == *token;
        let chosen = own.rfind(is_outside).unwrap_or(first);
        let token = &tokens[chosen];
        if word.pos == Pos::Unknown {
            word.pos = Pos::of(token.tag);
        }
        word.dependency = Dependency::of(token.label);
        if word.dependency == Dependency::Interjection {
            word.pos = Pos::Other;
        }
        word.head = head(tokens, &owners, chosen).unwrap_or(at);
        if let Some(entity) = token.entity {
            word.kind = Kind::of(entity.label);
            word.begins = tokens[first].entity.is_none_or(|entity| entity.begins);
        }
    }
    for at in 0..words.len() {
        if is_circular(words, at) {
            words[at].head = at;
        }
        if words[at].head == at && words[at].dependency != Dependency::Other {
            words[at].dependency = Dependency::Root;
        }
    }
}

/// Whether no root stands above a word: where words join tokens, heads may lead in a circle.
fn is_circular(words: &[Word], word: usize) -> bool {
    let mut at = word;
    for _ in 0..words.len() {
        let above = words[at].head;
        if above == at {
            return false;
        }
        at = above;
    }
    true
}

/// The word that each token is part of.
fn owners(words: &[Word], tokens: &[Token<'_>], offset: u32) -> Vec<Option<usize>> {
    let owner = |token: &Token<'_>| {
        let span = token.span.moved(offset);
        let at = words.partition_point(|word| word.span.end <= span.start);
        words.get(at).filter(|word| word.span.overlaps(span)).map(|_| at)
    };
    tokens.iter().map(owner).collect()
}

/// The word that a token's head is part of, past marks; `None` at a root.
fn head(tokens: &[Token<'_>], owners: &[Option<usize>], token: usize) -> Option<usize> {
    let mut at = token;
    for _ in 0..tokens.len() {
        let above = tokens[at].head;
        if above == at {
            return None;
        }
        if owners[above].is_some() {
            return owners[above];
        }
        at = above;
    }
    None
}
