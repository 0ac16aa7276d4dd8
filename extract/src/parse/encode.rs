//! A word's vector under the influence of its neighbours.

use super::affine::Affine;
use super::error::ParseError;
use super::load::Layer;

/// Added to the variance before dividing, as the model was trained.
const EPSILON: f32 = 1e-8;

/// Weights of a maxout layer by piece, then by output: the layer's order is by output, then by piece.
///
/// `weights` is `(n_out, n_pieces, n_in)`; gives `(n_pieces, n_out, n_in)`.
pub(super) fn by_piece(weights: &[f32], n_out: usize, n_pieces: usize, n_in: usize) -> Vec<f32> {
    let rows = (0..n_pieces).flat_map(|piece| (0..n_out).map(move |output| output * n_pieces + piece));
    rows.flat_map(|row| &weights[row * n_in..][..n_in]).copied().collect()
}

/// The largest of each output's pieces: `pieces` is `(n_pieces, n_out)`, the result goes to `output`, `(n_out)`.
pub(super) fn maxout(pieces: &[f32], output: &mut [f32]) {
    let mut pieces = pieces.chunks_exact(output.len());
    output.copy_from_slice(pieces.next().unwrap_or_default());
    for piece in pieces {
        for (largest, value) in output.iter_mut().zip(piece) {
            *largest = if *value > *largest { *value } else { *largest };
        }
    }
}

/// Layer normalisation: to mean 0 and variance 1, then scaled and shifted by output.
#[derive(Debug)]
pub(super) struct Normalisation {
    gain: Vec<f32>,
    shift: Vec<f32>,
}

impl Normalisation {
    /// Reads a layer `layernorm` of `n` outputs.
    ///
    /// # Errors
    /// Where it has another size.
    pub(super) fn read(file: &'static str, layer: &Layer<'_>, n: usize) -> Result<Self, ParseError> {
        let (gain, [n_gain]) = layer.tensor("G")?;
        let (shift, [n_shift]) = layer.tensor("b")?;
        if (n_gain, n_shift) != (n, n) {
            return Err(ParseError::new(
                file,
                format!("a layernorm of {n}"),
                format!("{n_gain}, {n_shift}"),
            ));
        }
        Ok(Self {
            gain: gain.data,
            shift: shift.data,
        })
    }

    /// Normalises one row in place.
    pub(super) fn apply(&self, row: &mut [f32]) {
        let n = row.len() as f32;
        let mean = sum(row, |value| value) / n;
        let variance = sum(row, |value| (value - mean) * (value - mean)) / n + EPSILON;
        let scale = 1.0 / variance.sqrt();
        for ((value, gain), shift) in row.iter_mut().zip(&self.gain).zip(&self.shift) {
            *value = (*value - mean) * scale * gain + shift;
        }
    }
}

/// The sum of a function over a row, in eight running sums so that it vectorises; the order is fixed.
fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (blocks, rest) = row.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for block in blocks {
        for (sum, value) in sums.iter_mut().zip(block) {
            *sum += of(*value);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|value| of(*value)).sum::<f32>()
}

/// One residual layer over a word and its two neighbours.
#[derive(Debug)]
struct Convolution {
    affine: Affine,
    normalisation: Normalisation,
}

/// Convolutions one after the other.
#[derive(Debug)]
pub(super) struct Encoder {
    width: usize,
    layers: Vec<Convolution>,
}

impl Encoder {
    /// Reads the layers, pairs of a `maxout` over three words and a `layernorm`, for vectors of `width`.
    ///
    /// # Errors
    /// Where a layer has another size.
    pub(super) fn read(
        file: &'static str,
        width: usize,
        layers: &[(Layer<'_>, Layer<'_>)],
    ) -> Result<Self, ParseError> {
        let convolution = |(maxout, layernorm): &(Layer<'_>, Layer<'_>)| {
            let (weights, [n_out, n_pieces, n_in]) = maxout.tensor("W")?;
            let (bias, [_, _]) = maxout.tensor("b")?;
            if n_out != width || n_in != 3 * width || bias.shape != [n_out, n_pieces] {
                let found = format!("{:?} and {:?}", weights.shape, bias.shape);
                return Err(ParseError::new(
                    file,
                    format!("a maxout of 3 × {width} to {width}"),
                    found,
                ));
            }
            let weights = by_piece(&weights.data, n_out, n_pieces, n_in);
            Ok(Convolution {
                affine: Affine::new(n_in, &weights, &by_piece(&bias.data, n_out, n_pieces, 1)),
                normalisation: Normalisation::read(file, layernorm, width)?,
            })
        };
        let layers = layers.iter().map(convolution).collect::<Result<_, _>>()?;
        Ok(Self { width, layers })
    }

    /// Rows of zeros that go before and behind the words: one a layer, so that the edges are as in training.
    fn padding(&self) -> usize {
        self.layers.len()
    }

    /// Encodes `(n_words, width)` vectors in place. Cost O(words × layers × width²).
    pub(super) fn apply(&self, vectors: &mut [f32]) {
        let width = self.width;
        let padding = self.padding() * width;
        let end = padding + vectors.len();
        let mut rows = vec![0.0; end + padding];
        rows[padding..end].copy_from_slice(vectors);
        let mut output = vec![0.0; width];
        for (depth, layer) in self.layers.iter().enumerate() {
            // A row behind the edge counts only while later layers can carry it into the text.
            let first = depth + 1;
            let n_rows = rows.len() / width - 2 * first;
            let hidden = layer.affine.apply(&rows[(first - 1) * width..], width, n_rows);
            let into = rows[first * width..].chunks_exact_mut(width);
            for (row, pieces) in into.zip(hidden.chunks_exact(layer.affine.width())) {
                maxout(pieces, &mut output);
                layer.normalisation.apply(&mut output);
                for (value, added) in row.iter_mut().zip(&output) {
                    *value += added;
                }
            }
        }
        vectors.copy_from_slice(&rows[padding..end]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_brought_together() {
        // Two outputs of three pieces of one input: o0p0 o0p1 o0p2 o1p0 o1p1 o1p2.
        let order = by_piece(&[0.0, 1.0, 2.0, 10.0, 11.0, 12.0], 2, 3, 1);
        assert_eq!(format!("{order:?}"), "[0.0, 10.0, 1.0, 11.0, 2.0, 12.0]");
    }

    #[test]
    fn a_normalised_row_has_mean_0_and_variance_1() {
        let normalisation = Normalisation {
            gain: vec![1.0, 1.0, 1.0, 2.0],
            shift: vec![0.0, 0.0, 0.0, 1.0],
        };
        let mut row = [1.0, 1.0, 3.0, 3.0];
        normalisation.apply(&mut row);
        for (value, expected) in row.iter().zip([-1.0, -1.0, 1.0, 3.0]) {
            assert!((value - expected).abs() < 1e-6, "{row:?}");
        }
    }
}
