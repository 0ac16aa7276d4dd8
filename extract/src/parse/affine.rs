//! Matrix multiplication, plain enough for the compiler to vectorise, compiled for each level of vector instructions
//! that a machine may have. Multiplications and additions stay apart, so that all levels give the same numbers.

#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the instructions of the machine"
)]

use super::error::ParseError;
use super::load::Layer;
use pulp::{Arch, Simd, WithSimd};

/// Outputs that one tile computes together: two vectors of AVX2.
const WIDTH: usize = 16;
/// Input rows that one tile computes together; 4 × 16 sums fill half of the sixteen vector registers.
const HEIGHT: usize = 4;
/// Rows that all outputs are computed for before the next rows are read, so that they stay in the cache; 128 rows of
/// 288 numbers are 144 KB. Arbitrary: 64 to 256 took the same time.
const BLOCK: usize = 128;

/// `y = W x + b`, with the weights laid out for reading in order.
///
/// Every output is one sum over the inputs in order, whatever rows it is computed beside, so results do not depend on
/// how texts are batched or threads are used.
#[derive(Debug)]
pub(super) struct Affine {
    n_in: usize,
    /// For each group of [`WIDTH`] outputs, for each input, the weights of the group. Missing outputs have weight 0.
    panels: Vec<f32>,
    /// Bias by output, up to the last group's end.
    bias: Vec<f32>,
}

impl Affine {
    /// A layer from weights by output, then by input (`(n_out, n_in)`, row by row), and a bias a output.
    pub(super) fn new(n_in: usize, weights: &[f32], bias: &[f32]) -> Self {
        let rows: Vec<&[f32]> = weights.chunks_exact(n_in).collect();
        let n_groups = rows.len().div_ceil(WIDTH);
        let mut panels = Vec::with_capacity(n_groups * WIDTH * n_in);
        for group in rows.chunks(WIDTH) {
            for input in 0..n_in {
                panels.extend((0..WIDTH).map(|output| group.get(output).map_or(0.0, |row| row[input])));
            }
        }
        let mut bias = bias.to_vec();
        bias.resize(n_groups * WIDTH, 0.0);
        Self { n_in, panels, bias }
    }

    /// Reads a layer with parameters `W`, `(n_out, n_in)`, and `b`.
    ///
    /// # Errors
    /// Where it has another size.
    pub(super) fn read(file: &'static str, layer: &Layer<'_>, n_in: usize, n_out: usize) -> Result<Self, ParseError> {
        let (weights, shape) = layer.tensor("W")?;
        let (bias, [n_bias]) = layer.tensor("b")?;
        if shape != [n_out, n_in] || n_bias != n_out {
            let expected = format!("a layer of {n_in} to {n_out}");
            return Err(ParseError::new(file, expected, format!("{shape:?} and {n_bias}")));
        }
        Ok(Self::new(n_in, &weights.data, &bias.data))
    }

    /// Length of an output row: the number of outputs, rounded up to a multiple of 16.
    pub(super) fn width(&self) -> usize {
        self.bias.len()
    }

    /// Applies the layer to `n_rows` rows of `input`, the first at 0 and each `stride` after the one before; rows may
    /// overlap. Gives `(n_rows, width)`, row by row. Cost O(rows × inputs × outputs).
    pub(super) fn apply(&self, input: &[f32], stride: usize, n_rows: usize) -> Vec<f32> {
        let mut output = vec![0.0; n_rows * self.width()];
        Arch::new().dispatch(Application {
            layer: self,
            input,
            stride,
            output: &mut output,
        });
        output
    }

    /// Fills the rows of `output`.
    #[inline(always)]
    fn apply_block(&self, input: &[f32], stride: usize, output: &mut [f32]) {
        let row = |at: usize| &input[at * stride..at * stride + self.n_in];
        let width = self.width();
        let n_rows = output.len() / width;
        let n_tiled = n_rows - n_rows % HEIGHT;
        for (group, panel) in self.panels.chunks_exact(WIDTH * self.n_in).enumerate() {
            let (panel, _) = panel.as_chunks::<WIDTH>();
            let mut bias = [0.0; WIDTH];
            bias.copy_from_slice(&self.bias[group * WIDTH..][..WIDTH]);
            let mut put = |at: usize, sums: &[f32; WIDTH]| {
                output[at * width + group * WIDTH..][..WIDTH].copy_from_slice(sums);
            };
            for at in (0..n_tiled).step_by(HEIGHT) {
                let sums = tile(panel, [row(at), row(at + 1), row(at + 2), row(at + 3)], &bias);
                for (offset, sums) in sums.iter().enumerate() {
                    put(at + offset, sums);
                }
            }
            for at in n_tiled..n_rows {
                put(at, &strip(panel, row(at), &bias));
            }
        }
    }
}

/// One application of a layer.
struct Application<'a> {
    layer: &'a Affine,
    input: &'a [f32],
    stride: usize,
    output: &'a mut [f32],
}

impl WithSimd for Application<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let blocks = self.output.chunks_mut(BLOCK * self.layer.width());
        for (block, output) in blocks.enumerate() {
            self.layer
                .apply_block(&self.input[block * BLOCK * self.stride..], self.stride, output);
        }
    }
}

/// Four rows by sixteen outputs.
#[inline(always)]
fn tile(panel: &[[f32; WIDTH]], rows: [&[f32]; HEIGHT], bias: &[f32; WIDTH]) -> [[f32; WIDTH]; HEIGHT] {
    let [mut a, mut b, mut c, mut d] = [*bias; HEIGHT];
    let inputs = rows[0].iter().zip(rows[1]).zip(rows[2]).zip(rows[3]);
    for (weights, (((in_a, in_b), in_c), in_d)) in panel.iter().zip(inputs) {
        for (output, weight) in weights.iter().enumerate() {
            a[output] += in_a * weight;
            b[output] += in_b * weight;
            c[output] += in_c * weight;
            d[output] += in_d * weight;
        }
    }
    [a, b, c, d]
}

/// One row by sixteen outputs.
#[inline(always)]
fn strip(panel: &[[f32; WIDTH]], row: &[f32], bias: &[f32; WIDTH]) -> [f32; WIDTH] {
    let mut sums = *bias;
    for (weights, input) in panel.iter().zip(row) {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += input * weight;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_overlap_are_multiplied_each() {
        // Two outputs of two inputs: y0 = x0 + 2 x1 + 10, y1 = 3 x0 - x1.
        let layer = Affine::new(2, &[1.0, 2.0, 3.0, -1.0], &[10.0, 0.0]);
        let output = layer.apply(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 1, 5);
        let rows: Vec<_> = output.chunks(layer.width()).map(|row| (row[0], row[1])).collect();
        assert_eq!(rows, [(15.0, 1.0), (18.0, 3.0), (21.0, 5.0), (24.0, 7.0), (27.0, 9.0)]);
    }

    #[test]
    fn a_row_gives_the_same_in_a_tile_and_alone() {
        let weights: Vec<f32> = (0..9 * 7).map(|n| (n as f32).sin()).collect();
        let input: Vec<f32> = (0..7 * 6).map(|n| (n as f32).cos()).collect();
        let layer = Affine::new(7, &weights, &[0.5; 9]);
        let together = layer.apply(&input, 7, 6);
        for row in 0..6 {
            let alone = layer.apply(&input[row * 7..], 7, 1);
            assert_eq!(alone, together[row * layer.width()..][..layer.width()]);
        }
    }
}
