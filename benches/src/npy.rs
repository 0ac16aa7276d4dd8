//! Matrices in the format that numpy writes (NEP 1).

use anyhow::{Context, Result, ensure};
use banyan_engine::embed::Vectors;
use regex::Regex;

const MAGIC: &[u8] = b"\x93NUMPY";
/// Reads a matrix `(rows, columns)` of little-endian f32 or f64 in C order; f64 is rounded to f32. Nothing is allocated
/// before the length is known to fit. Cost O(rows · columns).
///
/// # Errors
/// For anything else.
pub(crate) fn read_npy(bytes: &[u8]) -> Result<Vectors> {
    let (header, data) = parts(bytes).context("not a .npy file; expected it to start with \\x93NUMPY and a header")?;
    let header = String::from_utf8_lossy(header);
    let form = Regex::new(r"^\{'descr': '<f([48])', 'fortran_order': False, 'shape': \((\d+), (\d+)\), \}\s*$")?;
    let found = form.captures(&header).with_context(|| {
        format!("the header says {header:?}; expected a matrix of '<f4' or '<f8' in C order (numpy.ascontiguousarray)")
    })?;
    let number = |at: usize| found[at].parse::<usize>().context("the shape is too large");
    let (width, rows, columns) = (number(1)?, number(2)?, number(3)?);
    let expected = rows.checked_mul(columns).and_then(|n| n.checked_mul(width));
    let n = data.len();
    ensure!(
        expected == Some(n),
        "{n} bytes of numbers; expected {rows} · {columns} · {width}"
    );
    #[expect(clippy::cast_possible_truncation, reason = "vectors need no more than f32")]
    let read = |bytes: &[u8]| match bytes.try_into() {
        Ok(wide) => f64::from_le_bytes(wide) as f32,
        Err(_) => f32::from_le_bytes(bytes.try_into().unwrap_or_default()),
    };
    Ok(Vectors::from_data(
        columns,
        data.chunks_exact(width).map(read).collect(),
    )?)
}

/// Header and numbers of a file of version 1, 2 or 3.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = match *bytes.strip_prefix(MAGIC)? {
        [1, _, a, b, ref rest @ ..] => (u32::from(u16::from_le_bytes([a, b])), rest),
        [2 | 3, _, a, b, c, d, ref rest @ ..] => (u32::from_le_bytes([a, b, c, d]), rest),
        _ => return None,
    };
    rest.split_at_checked(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(header.len()).unwrap().to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), data].concat()
    }

    #[test]
    fn matrices_of_both_widths_are_read_and_anything_else_is_refused() {
        let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }   \n";
        let wide = file(header, &0.5_f64.to_le_bytes());
        assert_eq!(read_npy(&wide).unwrap().as_slice(), [0.5]);
        let narrow = file(&header.replace("<f8", "<f4"), &0.5_f32.to_le_bytes());
        assert_eq!(read_npy(&narrow).unwrap().as_slice(), [0.5]);
        for end in 0..wide.len() {
            assert!(read_npy(&wide[..end]).is_err(), "{end}");
        }
        for (from, to) in [
            ("False", "True"),
            ("<f8", "<i8"),
            ("1, 1", "1,"),
            ("1, 1", "99999999999, 99999999999"),
        ] {
            assert!(read_npy(&file(&header.replace(from, to), &[0; 8])).is_err(), "{to}");
        }
    }
}
