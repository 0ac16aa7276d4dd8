//! Reading weights: a JSON header with offsets, then little-endian numbers.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// The tensors of a safetensors file: a JSON header with offsets, then little-endian data.
pub(super) struct Weights<'a> {
    header: Value,
    data: &'a [u8],
}

/// A tensor of f32, row after row.
pub(super) struct Tensor<'a> {
    pub(super) shape: Vec<usize>,
    pub(super) bytes: &'a [u8],
}

impl<'a> Weights<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the file is cut short or has no header.
    pub(super) fn parse(file: &'a [u8]) -> Result<Self> {
        let (length, rest) = file.split_first_chunk::<8>().context("the weights file is cut short")?;
        let length = usize::try_from(u64::from_le_bytes(*length))?;
        let (header, data) = rest.split_at_checked(length).context("the weights file is cut short")?;
        let header = serde_json::from_slice(header).context("the header of the weights file is no JSON")?;
        Ok(Self { header, data })
    }

    /// The tensor called `name`.
    ///
    /// # Errors
    /// When there is none, or it is no whole tensor of f32.
    pub(super) fn tensor(&self, name: &str) -> Result<Tensor<'a>> {
        let entry = &self.header[name];
        let numbers = |key: &str| -> Option<Vec<usize>> {
            entry[key]
                .as_array()?
                .iter()
                .map(|n| usize::try_from(n.as_u64()?).ok())
                .collect()
        };
        let shape = numbers("shape").with_context(|| format!("the weights have no tensor {name}"))?;
        let offsets = numbers("data_offsets").unwrap_or_default();
        let bytes = match offsets[..] {
            [from, to] => self.data.get(from..to),
            _ => None,
        };
        let bytes = bytes.with_context(|| format!("tensor {name} lies outside the file"))?;
        ensure!(
            entry["dtype"] == "F32",
            "tensor {name} is {}, expected F32",
            entry["dtype"]
        );
        ensure!(
            bytes.len() == 4 * shape.iter().product::<usize>(),
            "tensor {name} has another size than its shape"
        );
        Ok(Tensor { shape, bytes })
    }

    /// A weight matrix as (in, out), where the file has (out, in).
    pub(super) fn transposed(&self, name: &str) -> Result<(usize, usize, Vec<u8>)> {
        let tensor = self.tensor(name)?;
        let [rows, columns] = tensor.shape[..] else {
            bail!("tensor {name} is no matrix")
        };
        let mut bytes = Vec::with_capacity(tensor.bytes.len());
        for column in 0..columns {
            for row in 0..rows {
                let start = 4 * (row * columns + column);
                bytes.extend_from_slice(&tensor.bytes[start..start + 4]);
            }
        }
        Ok((columns, rows, bytes))
    }
}
