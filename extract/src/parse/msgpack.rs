//! A reader of msgpack that borrows strings and binary data from the input.

use super::error::ParseError;

/// Nesting beyond this is refused (the model files need 6; the limit keeps hostile input off the call stack).
const MAX_DEPTH: usize = 64;

/// One msgpack value. Extension types are refused: the model files have none.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    /// Integers above `i64::MAX`, which hashes are.
    Unsigned(u64),
    Float(f64),
    Str(&'a str),
    Bin(&'a [u8]),
    Array(Vec<Value<'a>>),
    Map(Vec<(Value<'a>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// Reads the one value that `bytes` hold. Cost O(bytes).
    ///
    /// # Errors
    /// [`ParseError::Msgpack`] where the bytes end early, go on after the value, nest deeper than 64 or use extensions.
    pub(super) fn read(file: &'static str, bytes: &'a [u8]) -> Result<Self, ParseError> {
        let mut reader = Reader { file, bytes, at: 0 };
        let value = reader.value(0)?;
        if reader.at == bytes.len() {
            Ok(value)
        } else {
            Err(reader.expected("the end"))
        }
    }

    /// The value under a text (or binary) key of a map; none where this is no map or has no such key.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(pairs) = self else { return None };
        pairs
            .iter()
            .find(|(name, _)| match name {
                Self::Str(text) => *text == key,
                Self::Bin(bytes) => *bytes == key.as_bytes(),
                _ => false,
            })
            .map(|(_, value)| value)
    }

    /// The text, where this is one.
    pub(super) fn text(&self) -> Option<&'a str> {
        if let Self::Str(text) = self { Some(text) } else { None }
    }

    /// The bytes, where this is binary.
    pub(super) fn bytes(&self) -> Option<&'a [u8]> {
        if let Self::Bin(bytes) = self { Some(bytes) } else { None }
    }

    /// The items, where this is an array.
    pub(super) fn items(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self {
            Some(items)
        } else {
            None
        }
    }

    /// The pairs, where this is a map.
    pub(super) fn pairs(&self) -> Option<&[(Self, Self)]> {
        if let Self::Map(pairs) = self { Some(pairs) } else { None }
    }

    /// The number, where this is an integer of at least 0.
    pub(super) fn number(&self) -> Option<u64> {
        match self {
            Self::Int(number) => u64::try_from(*number).ok(),
            Self::Unsigned(number) => Some(*number),
            _ => None,
        }
    }
}

/// A position in the input.
struct Reader<'a> {
    file: &'static str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn expected(&self, expected: &'static str) -> ParseError {
        ParseError::Msgpack {
            file: self.file,
            at: self.at,
            expected,
        }
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], ParseError> {
        let end = self.at.checked_add(n).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| self.expected("more bytes"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// A big-endian unsigned number of `n` bytes, at most 8.
    fn unsigned(&mut self, n: usize) -> Result<u64, ParseError> {
        Ok(self
            .take(n)?
            .iter()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn length(&mut self, n: usize) -> Result<usize, ParseError> {
        let length = self.unsigned(n)?;
        usize::try_from(length).map_err(|_| self.expected("a length that fits"))
    }

    fn signed(&mut self, n: usize) -> Result<Value<'a>, ParseError> {
        let shift = 64 - 8 * u32::try_from(n).unwrap_or(8);
        Ok(Value::Int((self.unsigned(n)? << shift).cast_signed() >> shift))
    }

    fn value(&mut self, depth: usize) -> Result<Value<'a>, ParseError> {
        if depth > MAX_DEPTH {
            return Err(self.expected("less nesting"));
        }
        let head = self.take(1)?[0];
        match head {
            0x00..=0x7f => Ok(Value::Int(i64::from(head))),
            0x80..=0x8f => self.map(usize::from(head & 0x0f), depth),
            0x90..=0x9f => self.array(usize::from(head & 0x0f), depth),
            0xa0..=0xbf => self.text(usize::from(head & 0x1f)),
            0xc0 => Ok(Value::Nil),
            0xc2 | 0xc3 => Ok(Value::Bool(head == 0xc3)),
            0xc4..=0xc6 => {
                let length = self.length(1 << (head - 0xc4))?;
                Ok(Value::Bin(self.take(length)?))
            }
            0xca => Ok(Value::Float(f64::from(f32::from_bits(self.word()?)))),
            0xcb => Ok(Value::Float(f64::from_bits(self.unsigned(8)?))),
            0xcc..=0xcf => self.unsigned(1 << (head - 0xcc)).map(whole),
            0xd0..=0xd3 => self.signed(1 << (head - 0xd0)),
            0xd9..=0xdb => {
                let length = self.length(1 << (head - 0xd9))?;
                self.text(length)
            }
            0xdc | 0xdd => {
                let length = self.length(2 << (head - 0xdc))?;
                self.array(length, depth)
            }
            0xde | 0xdf => {
                let length = self.length(2 << (head - 0xde))?;
                self.map(length, depth)
            }
            0xe0..=0xff => Ok(Value::Int(i64::from(head.cast_signed()))),
            _ => Err(self.expected("no extension")),
        }
    }

    fn word(&mut self) -> Result<u32, ParseError> {
        let word = self.unsigned(4)?;
        u32::try_from(word).map_err(|_| self.expected("four bytes"))
    }

    fn text(&mut self, length: usize) -> Result<Value<'a>, ParseError> {
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes)
            .map(Value::Str)
            .map_err(|_| self.expected("text in UTF-8"))
    }

    fn array(&mut self, length: usize, depth: usize) -> Result<Value<'a>, ParseError> {
        // No reservation of `length`: a wrong header must fail by running out of bytes, not of memory.
        let mut items = Vec::new();
        for _ in 0..length {
            items.push(self.value(depth + 1)?);
        }
        Ok(Value::Array(items))
    }

    fn map(&mut self, length: usize, depth: usize) -> Result<Value<'a>, ParseError> {
        let mut pairs = Vec::new();
        for _ in 0..length {
            let key = self.value(depth + 1)?;
            pairs.push((key, self.value(depth + 1)?));
        }
        Ok(Value::Map(pairs))
    }
}

/// The value of an unsigned number.
fn whole(number: u64) -> Value<'static> {
    i64::try_from(number).map_or(Value::Unsigned(number), Value::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &Value<'_>) {
        assert_eq!(Value::read("test", bytes).unwrap(), *expected);
    }

    #[test]
    fn every_form_that_the_models_use_is_read() {
        check(&[0x05], &Value::Int(5));
        check(&[0xff], &Value::Int(-1));
        check(&[0xd1, 0xff, 0xfe], &Value::Int(-2));
        check(
            &[0xcf, 0xff, 0, 0, 0, 0, 0, 0, 1],
            &Value::Unsigned(0xff00_0000_0000_0001),
        );
        check(&[0xcb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0], &Value::Float(1.0));
        check(&[0xa2, b'h', b'i'], &Value::Str("hi"));
        check(&[0xd9, 1, b'x'], &Value::Str("x"));
        check(&[0xc4, 1, 7], &Value::Bin(&[7]));
        check(&[0x92, 0xc0, 0xc3], &Value::Array(vec![Value::Nil, Value::Bool(true)]));
        check(
            &[0x81, 0xa1, b'k', 0x01],
            &Value::Map(vec![(Value::Str("k"), Value::Int(1))]),
        );
    }

    #[test]
    fn bytes_that_end_early_or_go_on_are_refused_with_their_place() {
        for bytes in [
            &[0x92, 0x01][..],
            &[0x01, 0x02],
            &[0xdd, 0xff, 0xff, 0xff, 0xff],
            &[0xc1],
        ] {
            assert!(Value::read("test", bytes).is_err(), "{bytes:?}");
        }
        let error = Value::read("test", &[0xa3, b'a']).unwrap_err();
        assert_eq!(error.to_string(), "test: broken msgpack at byte 1: expected more bytes");
    }
}
