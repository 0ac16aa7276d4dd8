//! A component's weights by layer.

use super::error::ParseError;
use super::msgpack::Value;

/// A component's model file.
#[derive(Debug)]
pub(super) struct ModelFile<'a> {
    file: &'static str,
    value: Value<'a>,
}

/// One layer of a model file.
#[derive(Debug)]
pub(super) struct Layer<'m, 'a> {
    file: &'static str,
    name: &'m str,
    attributes: &'m Value<'a>,
    parameters: &'m Value<'a>,
}

/// An array of numbers, last dimension first in memory.
#[derive(Debug)]
pub(super) struct Tensor {
    pub(super) shape: Vec<usize>,
    pub(super) data: Vec<f32>,
}

impl<'a> ModelFile<'a> {
    /// Reads a model file; weights stay where they are until asked for.
    ///
    /// # Errors
    /// Where it is no msgpack.
    pub(super) fn read(file: &'static str, bytes: &'a [u8]) -> Result<Self, ParseError> {
        let value = Value::read(file, bytes)?;
        Ok(Self { file, value })
    }

    /// The layers of this name, in the model's order.
    pub(super) fn layers<'m>(&'m self, name: &'m str) -> Vec<Layer<'m, 'a>> {
        let items = |key| self.value.get(key).and_then(Value::items).unwrap_or_default();
        let parts = items("nodes").iter().zip(items("attrs")).zip(items("params"));
        parts
            .filter(|((node, _), _)| node.get("name").and_then(Value::text) == Some(name))
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
    pub(super) fn exactly<'m, const N: usize>(&'m self, name: &'m str) -> Result<[Layer<'m, 'a>; N], ParseError> {
        let layers = self.layers(name);
        let found = layers.len();
        <[_; N]>::try_from(layers)
            .map_err(|_| ParseError::content(self.file, format!("{N} layers {name}"), found.to_string()))
    }
}

impl Layer<'_, '_> {
    /// A parameter of `N` dimensions.
    ///
    /// # Errors
    /// Where there is none, or it is no array of 32-bit floats of that many dimensions.
    pub(super) fn tensor<const N: usize>(&self, parameter: &str) -> Result<(Tensor, [usize; N]), ParseError> {
        let expected = || format!("{N} dimensions of 32-bit floats in {} {parameter}", self.name);
        let array = self.parameters.get(parameter).filter(|array| is_float(array));
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
        let number = Value::read(self.file, bytes)?.number();
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| ParseError::content(self.file, format!("a number {attribute}"), "other"))
    }

    /// An attribute that is a list of texts.
    ///
    /// # Errors
    /// Where there is no such attribute.
    pub(super) fn texts(&self, attribute: &str) -> Result<Vec<String>, ParseError> {
        let value = Value::read(self.file, self.attribute(attribute)?)?;
        let texts: Option<Vec<_>> = value.items().unwrap_or_default().iter().map(Value::text).collect();
        let texts = texts.ok_or_else(|| ParseError::content(self.file, format!("texts {attribute}"), "other"))?;
        Ok(texts.into_iter().map(str::to_owned).collect())
    }

    fn attribute(&self, attribute: &str) -> Result<&[u8], ParseError> {
        let bytes = self.attributes.get(attribute).and_then(Value::bytes);
        bytes.ok_or_else(|| ParseError::content(self.file, format!("{} with {attribute}", self.name), "none"))
    }
}

fn is_float(array: &Value<'_>) -> bool {
    array.get("nd") == Some(&Value::Bool(true)) && array.get("type").and_then(Value::text) == Some("<f4")
}

/// An array; none where its bytes are not those of its shape.
fn read_tensor(array: &Value<'_>) -> Option<Tensor> {
    let sizes = array
        .get("shape")?
        .items()?
        .iter()
        .map(|size| usize::try_from(size.number()?).ok());
    let shape: Vec<usize> = sizes.collect::<Option<_>>()?;
    let (words, rest) = array.get("data")?.bytes()?.as_chunks::<4>();
    let n_values = shape
        .iter()
        .try_fold(1usize, |product, size| product.checked_mul(*size))?;
    let data = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
    (rest.is_empty() && n_values == words.len() && n_values > 0).then_some(Tensor { shape, data })
}
