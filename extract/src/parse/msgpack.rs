//! Files in msgpack.

use super::error::ParseError;
pub(super) use rmpv::Value;

/// Nesting beyond this is refused (the model files need 6; the limit keeps hostile input off the call stack).
const MAX_DEPTH: usize = 64;

/// Reads the one value that `bytes` hold. Cost O(bytes).
///
/// # Errors
/// Where the bytes end early, go on after the value or nest deeper than 64.
pub(super) fn read(file: &'static str, mut bytes: &[u8]) -> Result<Value, ParseError> {
    let value = rmpv::decode::read_value_with_max_depth(&mut bytes, MAX_DEPTH);
    let value = value.map_err(|source| ParseError::Msgpack { file, source })?;
    if bytes.is_empty() {
        Ok(value)
    } else {
        Err(ParseError::content(
            file,
            "one value",
            format!("{} bytes behind it", bytes.len()),
        ))
    }
}

/// The value under a text (or binary) key of a map; none where this is no map or has no such key.
pub(super) fn get<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let mut pairs = value.as_map()?.iter();
    let found = pairs.find(|(name, _)| name.as_slice() == Some(key.as_bytes()));
    found.map(|(_, value)| value)
}
