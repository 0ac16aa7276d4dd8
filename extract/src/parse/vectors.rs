//! Words to vectors.

use super::embed::Embedding;
use super::encode::Encoder;
use super::error::ParseError;
use super::feature::Features;
use super::load::ModelFile;

/// Words to vectors: each by itself, then in its neighbourhood.
#[derive(Debug)]
pub(super) struct Vectors {
    embedding: Embedding,
    encoder: Encoder,
}

impl Vectors {
    /// Reads the `maxout` and `layernorm` layers of a model: the first pair mixes the embeddings, the rest encode.
    ///
    /// # Errors
    /// Where layers are missing or sizes do not fit each other.
    pub(super) fn read(file: &'static str, model: &ModelFile) -> Result<Self, ParseError> {
        let (maxouts, layernorms) = (model.layers("maxout"), model.layers("layernorm"));
        if maxouts.len() != layernorms.len() {
            let found = format!("{} and {}", maxouts.len(), layernorms.len());
            return Err(ParseError::content(file, "as many layers maxout as layernorm", found));
        }
        let pairs: Vec<_> = maxouts.into_iter().zip(layernorms).collect();
        let (mixing, layers) = pairs
            .split_first()
            .ok_or_else(|| ParseError::content(file, "layers maxout", "none"))?;
        let embedding = Embedding::read(file, model, mixing)?;
        Ok(Self {
            encoder: Encoder::read(file, embedding.width(), layers)?,
            embedding,
        })
    }

    /// Numbers of one vector.
    pub(super) fn width(&self) -> usize {
        self.embedding.width()
    }

    /// The vectors of a text's words, `(n_words, width)`.
    pub(super) fn of(&self, words: &[Features]) -> Vec<f32> {
        let mut vectors = self.embedding.of(words);
        self.encoder.apply(&mut vectors);
        vectors
    }
}
