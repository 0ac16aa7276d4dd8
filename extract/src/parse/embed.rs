//! Words to vectors: each by itself, then in its neighbourhood.

use super::affine::Affine;
use super::encode::{Encoder, Normalisation, by_piece, maxout};
use super::error::ParseError;
use super::feature::{Feature, Features};
use super::hash;
use super::load::{Layer, ModelFile};

/// A table of one kind of feature: a feature's vector is the sum of the four rows that it hashes to.
#[derive(Debug)]
struct Table {
    feature: Feature,
    seed: u32,
    /// Rows of the width of the mixing layer's sums: that layer's weights are multiplied in at loading.
    rows: Vec<f32>,
    n_rows: u32,
}

/// Hashed tables, the layer that mixes them, and the layers that look at neighbours.
#[derive(Debug)]
pub(super) struct Vectors {
    width: usize,
    tables: Vec<Table>,
    /// Bias of the mixing layer by piece, then by output.
    bias: Vec<f32>,
    normalisation: Normalisation,
    encoder: Encoder,
}

impl Vectors {
    /// Reads the tables (layers `hashembed`) of a model and its pairs of `maxout` and `layernorm`: the first mixes the
    /// tables, the rest encode.
    ///
    /// The mixing layer is linear up to the maximum, so each table is multiplied with its part of the weights once:
    /// what is left a word are sums. Cost O(table rows × width²), about 10 ⁸ multiplications.
    ///
    /// # Errors
    /// Where sizes do not fit each other or a feature is not known.
    pub(super) fn read(file: &'static str, model: &ModelFile) -> Result<Self, ParseError> {
        let (maxouts, layernorms) = (model.layers("maxout"), model.layers("layernorm"));
        let n_layers = (maxouts.len(), layernorms.len());
        let pairs: Vec<_> = maxouts.into_iter().zip(layernorms).collect();
        let ((mixing, layernorm), encoding) = pairs
            .split_first()
            .filter(|_| n_layers.0 == n_layers.1)
            .ok_or_else(|| ParseError::new(file, "as many layers maxout as layernorm", format!("{n_layers:?}")))?;
        let [columns] = model.exactly("extract_features")?;
        let columns = columns.attribute::<Vec<String>>("columns")?;
        let (weights, [width, n_pieces, n_in]) = mixing.tensor("W")?;
        let (bias, [_, _]) = mixing.tensor("b")?;
        let layers = model.layers("hashembed");
        if bias.shape != [width, n_pieces] || n_in != width * layers.len() {
            let found = format!("{:?}, {:?}, {} tables", weights.shape, bias.shape, layers.len());
            return Err(ParseError::new(file, "a maxout over all tables", found));
        }
        let weights = by_piece(&weights.data, width, n_pieces, n_in);
        let mut tables = Vec::with_capacity(layers.len());
        for (at, layer) in layers.iter().enumerate() {
            let column: usize = layer.attribute("column")?;
            let name = columns.get(column);
            let name = name.ok_or_else(|| ParseError::new(file, "a column of each table", column.to_string()))?;
            let part: Vec<f32> = weights
                .chunks_exact(n_in)
                .flat_map(|row| &row[at * width..][..width])
                .copied()
                .collect();
            let mixing = Affine::new(width, &part, &vec![0.0; width * n_pieces]);
            tables.push(table(file, Feature::named(file, name)?, layer, &mixing, width)?);
        }
        Ok(Self {
            width,
            tables,
            bias: by_piece(&bias.data, width, n_pieces, 1),
            normalisation: Normalisation::read(file, layernorm, width)?,
            encoder: Encoder::read(file, width, encoding)?,
        })
    }

    /// Numbers of one vector.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The vectors of a text's words, `(n_words, width)`. Cost O(words × (tables + layers × width) × width).
    pub(super) fn of(&self, words: &[Features]) -> Vec<f32> {
        let mut vectors = vec![0.0; words.len() * self.width];
        let mut sums = self.bias.clone();
        for (features, vector) in words.iter().zip(vectors.chunks_exact_mut(self.width)) {
            sums.copy_from_slice(&self.bias);
            for table in &self.tables {
                table.add(features[table.feature as usize], &mut sums);
            }
            maxout(&sums, vector);
            self.normalisation.apply(vector);
        }
        self.encoder.apply(&mut vectors);
        vectors
    }
}

impl Table {
    /// Adds a feature's vector to `sums`.
    fn add(&self, feature: u64, sums: &mut [f32]) {
        let row = |hash: u32| &self.rows[(hash % self.n_rows) as usize * sums.len()..][..sums.len()];
        let [a, b, c, d] = hash::rows_of(feature, self.seed).map(row);
        for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *sum += (a + b) + (c + d);
        }
    }
}

/// Reads a table and multiplies the mixing layer's part in.
fn table(
    file: &'static str,
    feature: Feature,
    layer: &Layer<'_>,
    mixing: &Affine,
    width: usize,
) -> Result<Table, ParseError> {
    let (rows, [n_rows, row_width]) = layer.tensor("E")?;
    let fitting = u32::try_from(n_rows).ok().filter(|_| row_width == width);
    Ok(Table {
        feature,
        seed: layer.attribute("seed")?,
        n_rows: fitting.ok_or_else(|| ParseError::new(file, format!("rows of {width}"), row_width.to_string()))?,
        rows: mixing.apply(&rows.data, width, n_rows),
    })
}
