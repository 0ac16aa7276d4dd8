//! The strings of a JSON text that are values, as they are written.

/// The text with each value that is a string replaced by what `put` gives for its place among them and its literal, quotation
/// marks included; one stays where that is nothing. Keys of objects are left alone. In a text that is no JSON, values are what
/// stands between quotation marks. Cost O(length).
pub(super) fn replaced(raw: &str, mut put: impl FnMut(usize, &str) -> Option<String>) -> String {
    let bytes = raw.as_bytes();
    let mut new = String::with_capacity(raw.len());
    let (mut at, mut place) = (0, 0);
    while let Some((start, end)) = literal(bytes, at) {
        new.push_str(&raw[at..start]);
        let is_key = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
        let literal = &raw[start..end];
        let given = if is_key { None } else { put(place, literal) };
        new.push_str(given.as_deref().unwrap_or(literal));
        place += usize::from(!is_key);
        at = end;
    }
    new.push_str(&raw[at..]);
    new
}

/// Where the next literal begins and ends.
fn literal(bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    let start = from + bytes.get(from..)?.iter().position(|byte| *byte == b'"')?;
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some((start, at + 1)),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
