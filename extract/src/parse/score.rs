//! How good each move of a transition system is in a state.

use super::affine::Affine;
use super::encode::{by_piece, maxout};
use super::error::ParseError;
use super::load::ModelFile;

/// A network from `F` words of a state to a score a move.
///
/// The hidden layer is linear in each word, so its part is computed once a word and place; what is left a state are
/// sums (as spaCy does).
#[derive(Debug)]
pub(super) struct Scorer<const F: usize> {
    /// Word vectors to narrower ones.
    projection: Affine,
    /// A word's part of the hidden layer in each place: by place, by piece, by output.
    parts: Affine,
    /// The parts of a missing word.
    missing: Vec<f32>,
    /// Bias of the hidden layer, by piece, by output.
    bias: Vec<f32>,
    n_hidden: usize,
    /// Weights from hidden outputs to moves, by output, then by move.
    upper: Vec<f32>,
    upper_bias: Vec<f32>,
}

/// The parts of a text's words, ready for the states of one parse.
#[derive(Debug)]
pub(super) struct Prepared<'s, const F: usize> {
    scorer: &'s Scorer<F>,
    parts: Vec<f32>,
    sums: Vec<f32>,
    hidden: Vec<f32>,
    scores: Vec<f32>,
}

impl<const F: usize> Scorer<F> {
    /// Reads the network of a component's model for word vectors of `width` and `n_moves` moves.
    ///
    /// # Errors
    /// Where layers are missing or have other sizes.
    pub(super) fn read(
        file: &'static str,
        model: &ModelFile,
        width: usize,
        n_moves: usize,
    ) -> Result<Self, ParseError> {
        let [upper, projection] = model.exactly("linear")?;
        let [lower] = model.exactly("precomputable_affine")?;
        let (weights, [n_places, n_hidden, n_pieces, n_in]) = lower.tensor("W")?;
        let (bias, [_, _]) = lower.tensor("b")?;
        let (missing, [_, _, _, _]) = lower.tensor("pad")?;
        let (up, up_shape) = upper.tensor("W")?;
        let (upper_bias, [_]) = upper.tensor("b")?;
        let fits = n_places == F
            && up_shape == [n_moves, n_hidden]
            && missing.shape == [1, F, n_hidden, n_pieces]
            && (&bias.shape[..], &upper_bias.shape[..]) == (&[n_hidden, n_pieces], &[n_moves]);
        if !fits {
            let expected = format!("a network of {F} words of {width} to {n_moves} moves");
            return Err(ParseError::new(
                file,
                expected,
                format!("{:?}, {up_shape:?}", weights.shape),
            ));
        }
        let by_place = |values: &[f32], n_in: usize| -> Vec<f32> {
            let places = values.chunks_exact(n_hidden * n_pieces * n_in);
            places
                .flat_map(|place| by_piece(place, n_hidden, n_pieces, n_in))
                .collect()
        };
        let n_parts = F * n_hidden * n_pieces;
        Ok(Self {
            projection: Affine::read(file, &projection, width, n_in)?,
            parts: Affine::new(n_in, &by_place(&weights.data, n_in), &vec![0.0; n_parts]),
            missing: by_place(&missing.data, 1),
            bias: by_piece(&bias.data, n_hidden, n_pieces, 1),
            n_hidden,
            upper: by_piece(&up.data, n_moves, n_hidden, 1),
            upper_bias: upper_bias.data,
        })
    }

    /// Computes the parts of a text's words from their vectors `(n_words, width)`.
    pub(super) fn prepare(&self, vectors: &[f32], n_words: usize, width: usize) -> Prepared<'_, F> {
        let projected = self.projection.apply(vectors, width, n_words);
        Prepared {
            scorer: self,
            parts: self.parts.apply(&projected, self.projection.width(), n_words),
            sums: self.bias.clone(),
            hidden: vec![0.0; self.n_hidden],
            scores: self.upper_bias.clone(),
        }
    }
}

impl<const F: usize> Prepared<'_, F> {
    /// The score of each move in a state of these words.
    pub(super) fn scores(&mut self, words: [Option<usize>; F]) -> &[f32] {
        let scorer = self.scorer;
        let n = self.sums.len();
        self.sums.copy_from_slice(&scorer.bias);
        for (place, word) in words.into_iter().enumerate() {
            let parts = word.map_or(&scorer.missing[..], |word| &self.parts[word * scorer.parts.width()..]);
            for (sum, part) in self.sums.iter_mut().zip(&parts[place * n..][..n]) {
                *sum += part;
            }
        }
        maxout(&self.sums, &mut self.hidden);
        self.scores.copy_from_slice(&scorer.upper_bias);
        for (weights, value) in scorer.upper.chunks_exact(self.scores.len()).zip(&self.hidden) {
            for (score, weight) in self.scores.iter_mut().zip(weights) {
                *score += value * weight;
            }
        }
        &self.scores
    }
}

/// The index of the best score that passes; the first of equals.
pub(super) fn best(scores: &[f32], passes: impl Fn(usize) -> bool) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (at, score) in scores.iter().enumerate() {
        if best.is_none_or(|best| *score > scores[best]) && passes(at) {
            best = Some(at);
        }
    }
    best
}
