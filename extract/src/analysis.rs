//! A document read once for all stages: sentences, words, and what a parser says of them.

use crate::chinese::{self, Chinese};
use crate::error::ExtractError;
use crate::field::is_field;
use crate::foreign;
use crate::grammar::{Dependency, Kind, Pos};
use crate::packed;
use crate::parse::{Pipeline, Token};
use crate::sentence;
use crate::watch::{Watch, each};
use crate::word::{Word, words};
use banyan_engine::document::overlapping;
use banyan_engine::script::is_han;
use banyan_engine::{Document, Parses, Span};
use rayon::prelude::*;
use std::sync::{Arc, LazyLock};

/// Least share of ASCII letters among the letters of a sentence that the English parser reads.
const MIN_LATIN: f32 = 0.7;

/// A reader of Chinese that is loaded when the first Chinese sentence is met; `None` where it cannot be had.
pub type ChineseReader = LazyLock<Option<Chinese>, Box<dyn FnOnce() -> Option<Chinese> + Send>>;

/// What reads texts: a trained reader of their language where there is one, else the surface of words. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Analyser {
    english: Option<Arc<(String, Pipeline)>>,
    chinese: Option<Arc<ChineseReader>>,
}

impl Analyser {
    /// What needs no model: words, and their capitals.
    pub fn surface() -> Self {
        Self::default()
    }

    /// With a trained English parser called `id`; equal ids must give the same analysis of the same text.
    #[must_use]
    pub fn with_english(self, id: impl Into<String>, pipeline: Pipeline) -> Self {
        let english = Some(Arc::new((id.into(), pipeline)));
        Self { english, ..self }
    }

    /// With a trained reader of Chinese, or without.
    #[must_use]
    pub fn with_chinese(self, reader: Option<ChineseReader>) -> Self {
        let chinese = reader.map(Arc::new);
        Self { chinese, ..self }
    }

    /// Stable identity of what reads these documents, as stores record it: the readers in use, joined by `+`, `none`
    /// without any. Loads the reader of Chinese where there is Chinese. Cost O(length) where there are Chinese
    /// characters.
    pub fn id(&self, documents: &[Document]) -> String {
        let english = self.english.as_ref().map(|english| english.0.as_str());
        let chinese = self.chinese_of(documents).map(Chinese::id);
        let ids: Vec<&str> = english.into_iter().chain(chinese).collect();
        if ids.is_empty() {
            "none".to_owned()
        } else {
            ids.join("+")
        }
    }

    /// The reader of Chinese, loaded, where one of the documents is for it.
    fn chinese_of(&self, documents: &[Document]) -> Option<&Chinese> {
        let reader = self.chinese.as_ref()?;
        // Not within the parallel search: who waits for what is loaded there could be who loads it.
        if documents.par_iter().any(|document| is_chinese(&document.text)) {
            LazyLock::force(reader).as_ref()
        } else {
            None
        }
    }

    /// Reads documents in parallel, in order; each analysis depends on its document and the model alone. Cost O(length).
    ///
    /// # Errors
    /// [`ExtractError::Stopped`] where `watch` asked to stop, [`ExtractError::Reader`] where a reader failed.
    pub fn read<'a>(&self, documents: &'a [Document], watch: &dyn Watch) -> Result<Vec<Analysis<'a>>, ExtractError> {
        let chinese = self.chinese_of(documents);
        let analyse = |document: &'a Document| {
            let analysis = self.analyse(document, chinese);
            watch.on_document();
            analysis
        };
        each(documents.par_iter(), watch, analyse)?.into_iter().collect()
    }

    /// The same, without parsing again what `known` has as the same readers parsed it; afterwards that has all of the
    /// documents and no other. Cost O(length), for what is known a hundredth.
    ///
    /// # Errors
    /// As [`Self::read`], and [`ExtractError::Packing`] where a parse cannot be serialised.
    pub fn read_new<'a>(
        &self,
        documents: &'a [Document],
        known: &mut Parses,
        watch: &dyn Watch,
    ) -> Result<Vec<Analysis<'a>>, ExtractError> {
        let chinese = self.chinese_of(documents);
        let analyse = |document: &'a Document| {
            let before = known.get(&document.id);
            let done = match before.and_then(|parse| Some((packed::unpack(document, parse)?, parse.clone()))) {
                Some(((sentences, foreign), parse)) => {
                    let analysis = Analysis {
                        document,
                        sentences,
                        foreign,
                    };
                    Ok((analysis, parse))
                }
                None => self.analyse(document, chinese).and_then(|analysis| {
                    let parse = packed::pack(document, &analysis.sentences, &analysis.foreign)?;
                    Ok((analysis, parse))
                }),
            };
            watch.on_document();
            done
        };
        let done: Result<Vec<_>, _> = each(documents.par_iter(), watch, analyse)?.into_iter().collect();
        let (analyses, parses): (Vec<_>, Vec<_>) = done?.into_iter().unzip();
        *known = documents.iter().map(|document| document.id).zip(parses).collect();
        Ok(analyses)
    }

    fn analyse<'a>(&self, document: &'a Document, chinese: Option<&Chinese>) -> Result<Analysis<'a>, ExtractError> {
        let mut analysis = Analysis::surface(document);
        let text = analysis.text();
        let prose = analysis.sentences.iter().map(|(span, _)| *span);
        let prose = prose.filter(|span| !span.of(text).contains(is_han) && !analysis.is_code(*span));
        let foreign = foreign::parts(text, prose);
        if let Some(pipeline) = self.english.as_ref().map(|english| &english.1) {
            for (span, words) in &mut analysis.sentences {
                if is_latin(span.of(text)) && !overlaps(&foreign, *span) {
                    annotate(words, &pipeline.parse(span.of(text)), span.start);
                }
            }
        }
        analysis.foreign = foreign;
        if let Some(reader) = chinese {
            let texts: Vec<&str> = analysis.sentences.iter().map(|(span, _)| span.of(text)).collect();
            let failed = |reason| ExtractError::Reader {
                id: reader.id().to_owned(),
                reason,
            };
            let read = reader.read(&texts).map_err(failed)?;
            for ((span, words), tokens) in analysis.sentences.iter_mut().zip(&read) {
                *words = chinese::annotate(text, std::mem::take(words), tokens, span.start);
            }
        }
        Ok(analysis)
    }
}

/// A document with its sentences and their words.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    /// The document.
    pub document: &'a Document,
    /// Every sentence in order, with its words.
    pub sentences: Vec<(Span, Vec<Word>)>,
    /// Parts in Latin letters whose language is not English, in order, with what it is called. Their names are known by
    /// their letters alone, and nothing is stated by them.
    pub foreign: Vec<(Span, &'static str)>,
}

impl<'a> Analysis<'a> {
    /// Sentences and words alone. Cost O(length).
    pub fn surface(document: &'a Document) -> Self {
        let text = document.text.as_str();
        let cut = |span: Span| (span, words(text, span));
        Self {
            document,
            sentences: sentence::split(text).into_iter().map(cut).collect(),
            foreign: Vec::new(),
        }
    }

    /// Sentences and words alone, of many documents in order.
    pub fn surfaces(documents: &'a [Document]) -> Vec<Self> {
        documents.par_iter().map(Self::surface).collect()
    }

    /// Whether a sentence is a heading, by the document's layout.
    pub(crate) fn is_heading(&self, sentence: Span) -> bool {
        self.document.layout.heading(sentence).is_some()
    }

    /// The first sentence, behind the fields that the text begins with, if there is more.
    pub(crate) fn opening(&self) -> Option<&(Span, Vec<Word>)> {
        let behind = self.sentences.iter().find(|one| !is_field(one.0.of(self.text())));
        behind.or(self.sentences.first())
    }

    /// Whether a sentence lies in a block of code, by the document's layout.
    pub(crate) fn is_code(&self, sentence: Span) -> bool {
        overlapping(&self.document.layout.blocks, sentence).is_some()
    }

    /// Whether a sentence is in a language that nothing here reads.
    pub(crate) fn is_foreign(&self, sentence: Span) -> bool {
        overlaps(&self.foreign, sentence)
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

/// Whether a sentence lies in one of these parts of its text.
fn overlaps(parts: &[(Span, &str)], sentence: Span) -> bool {
    let at = parts.partition_point(|(part, _)| part.end <= sentence.start);
    parts.get(at).is_some_and(|(part, _)| part.overlaps(sentence))
}

/// Whether a sentence of a text is Chinese.
fn is_chinese(text: &str) -> bool {
    let is_chinese = |sentence: &Span| chinese::length(sentence.of(text)) > 0;
    text.contains(is_han) && sentence::split(text).iter().any(is_chinese)
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

/// Lays a parse of the sentence that begins at `offset` over its words: a word of several tokens ("well-kept") is what
/// the one of them is that the others depend on, and marks are nobody's head.
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
