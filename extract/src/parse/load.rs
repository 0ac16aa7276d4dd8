//! The package's files, and a component's weights by layer.

use super::error::ParseError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;

/// Reads a file in msgpack. Cost O(bytes).
///
/// # Errors
/// Where the bytes are no msgpack, or lack a part.
pub(super) fn read<T: DeserializeOwned>(file: &'static str, bytes: &[u8]) -> Result<T, ParseError> {
    rmp_serde::from_slice(bytes).map_err(|source| ParseError::new(file, "msgpack of the model", source))
}

/// A component's model file: each list has an entry a layer.
#[derive(Debug, Deserialize)]
pub(super) struct ModelFile {
    #[serde(skip)]
    file: &'static str,
    nodes: Vec<Node>,
    attrs: Vec<BTreeMap<String, ByteBuf>>,
    params: Vec<BTreeMap<String, Option<Array>>>,
}

#[derive(Debug, Deserialize)]
struct Node {
    name: String,
}

/// An array of numbers as the file has it.
#[derive(Debug, Deserialize)]
struct Array {
    #[serde(rename = "type")]
    number: String,
    shape: Vec<usize>,
    data: ByteBuf,
}

/// One layer of a model file.
#[derive(Debug)]
pub(super) struct Layer<'m> {
    file: &'static str,
    name: &'m str,
    attributes: &'m BTreeMap<String, ByteBuf>,
    parameters: &'m BTreeMap<String, Option<Array>>,
}

/// An array of numbers, last dimension first in memory.
#[derive(Debug)]
pub(super) struct Tensor {
    pub(super) shape: Vec<usize>,
    pub(super) data: Vec<f32>,
}

impl ModelFile {
    /// Reads a model file; weights stay bytes until asked for.
    ///
    /// # Errors
    /// Where it is no msgpack, or lacks a part.
    pub(super) fn read(file: &'static str, bytes: &[u8]) -> Result<Self, ParseError> {
        Ok(Self {
            file,
            ..read(file, bytes)?
        })
    }

    /// The layers of this name, in the model's order.
    pub(super) fn layers<'m>(&'m self, name: &'m str) -> Vec<Layer<'m>> {
        let parts = self.nodes.iter().zip(&self.attrs).zip(&self.params);
        parts
            .filter(|((node, _), _)| node.name == name)
            .map(|((_, attributes), parameters)| Layer {
                file: self.file,
                name,
                attributes,
                parameters,
            })
            .collect()
    }

    /// The layers of this name, which must be `N`.
    ///
    /// # Errors
    /// [`ParseError`] where they are more or fewer.
    pub(super) fn exactly<'m, const N: usize>(&'m self, name: &'m str) -> Result<[Layer<'m>; N], ParseError> {
        let layers = self.layers(name);
        let found = layers.len();
        <[_; N]>::try_from(layers)
            .map_err(|_| ParseError::new(self.file, format!("{N} layers {name}"), found.to_string()))
    }
}

impl Layer<'_> {
    /// A parameter of `N` dimensions.
    ///
    /// # Errors
    /// Where there is none, or it is no array of 32-bit floats of that many dimensions.
    pub(super) fn tensor<const N: usize>(&self, parameter: &str) -> Result<(Tensor, [usize; N]), ParseError> {
        let array = self.parameters.get(parameter).and_then(Option::as_ref);
        let tensor = array.and_then(|array| {
            let shape = <[usize; N]>::try_from(array.shape.as_slice()).ok()?;
            Some((array.tensor()?, shape))
        });
        tensor.ok_or_else(|| {
            let expected = format!("{N} dimensions of 32-bit floats in {} {parameter}", self.name);
            let found = array.map_or_else(
                || "none".to_owned(),
                |array| format!("{} {:?}", array.number, array.shape),
            );
            ParseError::new(self.file, expected, found)
        })
    }

    /// An attribute.
    ///
    /// # Errors
    /// Where there is none, or it is of another type.
    pub(super) fn attribute<T: DeserializeOwned>(&self, attribute: &str) -> Result<T, ParseError> {
        let bytes = self.attributes.get(attribute);
        let missing = || ParseError::new(self.file, format!("{} with {attribute}", self.name), "none");
        read(self.file, bytes.ok_or_else(missing)?)
    }
}

impl Array {
    /// The numbers; none where they are no 32-bit floats or not as many as the shape says.
    fn tensor(&self) -> Option<Tensor> {
        let (words, rest) = self.data.as_chunks::<4>();
        let mut sizes = self.shape.iter();
        let n_values = sizes.try_fold(1usize, |product, size| product.checked_mul(*size))?;
        let is_whole = self.number == "<f4" && rest.is_empty() && n_values == words.len() && n_values > 0;
        is_whole.then(|| Tensor {
            shape: self.shape.clone(),
            data: words.iter().map(|word| f32::from_le_bytes(*word)).collect(),
        })
    }
}
