//! A component's weights by layer.

use super::error::ParseError;
use super::msgpack::{self, Value, get};

/// A component's model file.
#[derive(Debug)]
pub(super) struct ModelFile {
    file: &'static str,
    value: Value,
}

/// One layer of a model file.
#[derive(Debug)]
pub(super) struct Layer<'m> {
    file: &'static str,
    name: &'m str,
    attributes: &'m Value,
    parameters: &'m Value,
}

/// An array of numbers, last dimension first in memory.
#[derive(Debug)]
pub(super) struct Tensor {
    pub(super) shape: Vec<usize>,
    pub(super) data: Vec<f32>,
}

impl ModelFile {
    /// Reads a model file; weights stay where they are until asked for.
    ///
    /// # Errors
    /// Where it is no msgpack.
    pub(super) fn read(file: &'static str, bytes: &[u8]) -> Result<Self, ParseError> {
        let value = msgpack::read(file, bytes)?;
        Ok(Self { file, value })
    }

    /// The layers of this name, in the model's order.
    pub(super) fn layers<'m>(&'m self, name: &'m str) -> Vec<Layer<'m>> {
        let items = |key| {
            get(&self.value, key)
                .and_then(Value::as_array)
                .map_or(&[][..], Vec::as_slice)
        };
        let parts = items("nodes").iter().zip(items("attrs")).zip(items("params"));
        parts
            .filter(|((node, _), _)| get(node, "name").and_then(Value::as_str) == Some(name))
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
    /// [`ParseError::Content`] where they are more or fewer.
    pub(super) fn exactly<'m, const N: usize>(&'m self, name: &'m str) -> Result<[Layer<'m>; N], ParseError> {
        let layers = self.layers(name);
        let found = layers.len();
        <[_; N]>::try_from(layers)
            .map_err(|_| ParseError::content(self.file, format!("{N} layers {name}"), found.to_string()))
    }
}

impl Layer<'_> {
    /// A parameter of `N` dimensions.
    ///
    /// # Errors
    /// Where there is none, or it is no array of 32-bit floats of that many dimensions.
    pub(super) fn tensor<const N: usize>(&self, parameter: &str) -> Result<(Tensor, [usize; N]), ParseError> {
        let expected = || format!("{N} dimensions of 32-bit floats in {} {parameter}", self.name);
        let array = get(self.parameters, parameter).filter(|array| is_float(array));
        let tensor = array.and_then(read_tensor);
        let tensor = tensor.ok_or_else(|| ParseError::content(self.file, expected(), "none"))?;
        let shape = <[usize; N]>::try_from(tensor.shape.as_slice());
        let shape = shape.map_err(|_| ParseError::content(self.file, expected(), format!("{:?}", tensor.shape)))?;
        Ok((tensor, shape))
    }

    /// An attribute that is a number below 2³².
    ///
    /// # Errors
    /// Where there is no such attribute.
    pub(super) fn number(&self, attribute: &str) -> Result<u32, ParseError> {
        let bytes = self.attribute(attribute)?;
        let number = msgpack::read(self.file, bytes)?.as_u64();
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| ParseError::content(self.file, format!("a number {attribute}"), "other"))
    }

    /// An attribute that is a list of texts.
    ///
    /// # Errors
    /// Where there is no such attribute.
    pub(super) fn texts(&self, attribute: &str) -> Result<Vec<String>, ParseError> {
        let value = msgpack::read(self.file, self.attribute(attribute)?)?;
        let text = |item: &Value| item.as_str().map(str::to_owned);
        let texts = value.as_array().and_then(|items| items.iter().map(text).collect());
        texts.ok_or_else(|| ParseError::content(self.file, format!("texts {attribute}"), "other"))
    }

    fn attribute(&self, attribute: &str) -> Result<&[u8], ParseError> {
        let bytes = get(self.attributes, attribute).and_then(Value::as_slice);
        bytes.ok_or_else(|| ParseError::content(self.file, format!("{} with {attribute}", self.name), "none"))
    }
}

fn is_float(array: &Value) -> bool {
    get(array, "nd") == Some(&Value::Boolean(true)) && get(array, "type").and_then(Value::as_str) == Some("<f4")
}

/// An array; none where its bytes are not those of its shape.
fn read_tensor(array: &Value) -> Option<Tensor> {
    let sizes = get(array, "shape")?.as_array()?.iter();
    let sizes = sizes.map(|size| usize::try_from(size.as_u64()?).ok());
    let shape: Vec<usize> = sizes.collect::<Option<_>>()?;
    let (words, rest) = get(array, "data")?.as_slice()?.as_chunks::<4>();
    let n_values = shape
        .iter()
        .try_fold(1usize, |product, size| product.checked_mul(*size))?;
    let data = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
    (rest.is_empty() && n_values == words.len() && n_values > 0).then_some(Tensor { shape, data })
}
