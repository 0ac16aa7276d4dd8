//! The parts put together.

use super::affine::Affine;
use super::arc::ArcParser;
use super::embed::Vectors;
use super::entity::Recogniser;
use super::error::ParseError;
use super::feature::{self, Features};
use super::load::ModelFile;
use super::norm::Norms;
use super::score::best;
use super::token::Token;
use super::tokenizer::Tokenizer;
use super::tree;
use banyan_engine::Span;
use serde::Deserialize;

/// The package's files of this module.
const VECTORS: &str = "tok2vec/model";
const TAGGER: &str = "tagger/model";
const TAGGER_LABELS: &str = "tagger/cfg";

/// Tag and label of white space: the package's attribute rules set them, whatever the networks say.
const SPACE_TAG: &str = "_SP";
const SPACE_LABEL: &str = "dep";

/// The bytes of the model package's files, each named as in the package.
#[derive(Clone, Copy, Debug)]
pub struct ModelBytes<'a> {
    /// `tokenizer`.
    pub tokenizer: &'a [u8],
    /// `vocab/lookups.bin`.
    pub lookups: &'a [u8],
    /// `tok2vec/model`.
    pub vectors: &'a [u8],
    /// `tagger/model`.
    pub tagger: &'a [u8],
    /// `tagger/cfg`.
    pub tagger_labels: &'a [u8],
    /// `parser/model`.
    pub parser: &'a [u8],
    /// `parser/moves`.
    pub parser_moves: &'a [u8],
    /// `ner/model` and `ner/moves`. Without them no entities are recognised, at about half of the cost.
    pub entities: Option<(&'a [u8], &'a [u8])>,
}

/// A model that is ready to parse. About 30 MB; share it between threads.
#[derive(Debug)]
pub struct Pipeline {
    tokenizer: Tokenizer,
    norms: Norms,
    vectors: Vectors,
    tagger: Affine,
    tags: Vec<String>,
    parser: ArcParser,
    recogniser: Option<Recogniser>,
}

/// What is read of `tagger/cfg`.
#[derive(Deserialize)]
struct TaggerLabels {
    labels: Vec<String>,
}

impl Pipeline {
    /// Loads a model. Cost about 10 ⁸ multiplications a set of vectors.
    ///
    /// # Errors
    /// [`ParseError`] where a file is broken, of another architecture, or does not fit the others.
    pub fn load(bytes: &ModelBytes<'_>) -> Result<Self, ParseError> {
        let vectors = Vectors::read(VECTORS, &ModelFile::read(VECTORS, bytes.vectors)?)?;
        let labels: TaggerLabels = serde_json::from_slice(bytes.tagger_labels)
            .map_err(|source| ParseError::new(TAGGER_LABELS, "the labels as JSON", source))?;
        let entities = bytes.entities.map(|(model, moves)| Recogniser::read(model, moves));
        Ok(Self {
            tokenizer: Tokenizer::read(bytes.tokenizer)?,
            norms: Norms::read(bytes.lookups)?,
            tagger: tagger(bytes.tagger, vectors.width(), labels.labels.len())?,
            tags: labels.labels,
            parser: ArcParser::read(bytes.parser, bytes.parser_moves, vectors.width())?,
            recogniser: entities.transpose()?,
            vectors,
        })
    }

    /// The words of a text in order, each with its analysis; white space beyond single blanks makes words of its own.
    ///
    /// Sentences are found on the way, so the text is best a whole passage. The same text always gives the same words.
    /// Cost O(length); the empty text gives none.
    pub fn parse(&self, text: &str) -> Vec<Token<'_>> {
        let words = self.tokenizer.words(text);
        let features: Vec<_> = words.iter().map(|word| feature::of(text, word, &self.norms)).collect();
        let is_space = |word: usize| feature::is_space(&features[word]);
        let vectors = self.vectors.of(&features);
        let mut arcs = self.parser.parse(&vectors, words.len(), self.vectors.width());
        let name = |label: usize| self.parser.labels()[label].as_str();
        let (labels, starts) = tree::finish(&mut arcs, name, is_space);
        let entities = self
            .recogniser
            .as_ref()
            .map(|recogniser| recogniser.recognise(&features, &starts, is_space));
        let tags = self.tags(&vectors, &features);
        let token = |(at, word): (usize, &super::tokenizer::Word)| Token {
            span: Span::new(word.start, word.end),
            tag: if is_space(at) { SPACE_TAG } else { tags[at] },
            head: arcs.heads[at],
            label: if is_space(at) { SPACE_LABEL } else { labels[at] },
            entity: entities.as_ref().and_then(|entities| entities[at]),
            starts_sentence: starts[at],
        };
        words.iter().enumerate().map(token).collect()
    }

    /// The tag of each word.
    fn tags(&self, vectors: &[f32], features: &[Features]) -> Vec<&str> {
        let scores = self.tagger.apply(vectors, self.vectors.width(), features.len());
        let rows = scores.chunks_exact(self.tagger.width());
        rows.map(|row| best(&row[..self.tags.len()], |_| true).map_or("", |tag| &self.tags[tag]))
            .collect()
    }
}

/// Reads `tagger/model`.
fn tagger(bytes: &[u8], width: usize, n_tags: usize) -> Result<Affine, ParseError> {
    let model = ModelFile::read(TAGGER, bytes)?;
    let [softmax] = model.exactly("softmax")?;
    Affine::read(TAGGER, &softmax, width, n_tags)
}
