//! The strings of a JSON text that are values, as they are written.

use std::ops::Range;

/// Where the values that are strings stand in `raw`, with their quotation marks, in order. Keys of objects are left out. A
/// text that is no JSON gives whatever stands between quotation marks. Cost O(length).
pub(super) fn values(raw: &str) -> Vec<Range<usize>> {
    let bytes = raw.as_bytes();
    let mut values = Vec::new();
    let mut at = 0;
    while let Some(start) = bytes
        .get(at..)
        .and_then(|rest| rest.iter().position(|byte| *byte == b'"'))
    {
        let start = at + start;
        let Some(end) = end_of(bytes, start) else { break };
        let next = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
        if next != Some(&b':') {
            values.push(start..end);
        }
        at = end;
    }
    values
}

/// One past the closing quotation mark.
fn end_of(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
