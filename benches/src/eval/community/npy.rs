//! Matrices as numpy stores them (NEP 1): a magic string, a header in Python's notation, the numbers.

use super::error::MatrixError;
use banyan_engine::embed::Vectors;

const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads a matrix `(rows, columns)` of little-endian f32 or f64 in C order; f64 is rounded to f32.
///
/// Nothing is allocated before the length is known to fit, so a header that claims too much costs nothing. NaN and
/// infinities are read as they are. Cost O(rows · columns).
///
/// # Errors
/// [`MatrixError`] for anything else.
pub fn read_npy(bytes: &[u8]) -> Result<Vectors, MatrixError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(MatrixError::Magic)?;
    let missing = MatrixError::Header { field: "length" };
    let (length, rest) = match *rest {
        [1, _, a, b, ref rest @ ..] => (usize::from(u16::from_le_bytes([a, b])), rest),
        [2 | 3, _, a, b, c, d, ref rest @ ..] => {
            let length = usize::try_from(u32::from_le_bytes([a, b, c, d]));
            (length.unwrap_or(usize::MAX), rest)
        }
        [found, _, ..] if !(1..=3).contains(&found) => return Err(MatrixError::Version { found }),
        _ => return Err(missing),
    };
    let (header, data) = rest.split_at_checked(length).ok_or(missing)?;
    let header = String::from_utf8_lossy(header);
    let kind = value(&header, "descr").ok_or(MatrixError::Header { field: "`descr`" })?;
    let order = value(&header, "fortran_order").ok_or(MatrixError::Header {
        field: "`fortran_order`",
    })?;
    if !order.starts_with("False") {
        return Err(MatrixError::Order);
    }
    let (rows, columns) = shape(&header)?;
    let width = match quoted(kind) {
        "<f4" => 4,
        "<f8" => 8,
        other => {
            return Err(MatrixError::Kind {
                found: other.chars().take(20).collect(),
            });
        }
    };
    let expected = rows.saturating_mul(columns).saturating_mul(width);
    if data.len() != expected {
        let found = data.len();
        return Err(MatrixError::Length { expected, found });
    }
    let shape = || MatrixError::Shape {
        found: format!("{rows}, {columns}"),
    };
    Vectors::from_data(columns, numbers(data, width)).map_err(|_| shape())
}

fn numbers(data: &[u8], width: usize) -> Vec<f32> {
    let numbers = data.chunks_exact(width);
    if width == 4 {
        return numbers
            .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap_or_default()))
            .collect();
    }
    #[expect(clippy::cast_possible_truncation, reason = "vectors need no more than f32")]
    let rounded = numbers.map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default()) as f32);
    rounded.collect()
}

/// What follows `'field':` in the header.
fn value<'a>(header: &'a str, field: &str) -> Option<&'a str> {
    let marks = [format!("'{field}'"), format!("\"{field}\"")];
    let after = marks.iter().find_map(|mark| header.split_once(mark.as_str()))?.1;
    Some(after.trim_start().strip_prefix(':')?.trim_start())
}

/// The text between the quotes that `value` starts with.
fn quoted(value: &str) -> &str {
    let mut parts = value.split(['\'', '"']);
    parts.nth(1).unwrap_or(value)
}

fn shape(header: &str) -> Result<(usize, usize), MatrixError> {
    let missing = MatrixError::Header { field: "`shape`" };
    let after = value(header, "shape").and_then(|value| value.strip_prefix('('));
    let inner = after.and_then(|after| after.split_once(')')).ok_or(missing)?.0;
    let sizes: Vec<&str> = inner
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty())
        .collect();
    let sizes: Option<Vec<usize>> = sizes.iter().map(|size| size.parse().ok()).collect();
    match sizes.as_deref() {
        Some(&[rows, columns]) if columns > 0 => Ok((rows, columns)),
        _ => Err(MatrixError::Shape {
            found: inner.chars().take(40).collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(header.len()).unwrap();
        let mut bytes = [MAGIC, &[version, 0]].concat();
        bytes.extend(length.to_le_bytes());
        if version > 1 {
            bytes.extend([0, 0]);
        }
        bytes.extend(header.bytes());
        bytes.extend(data);
        bytes
    }

    const PAIR: &str = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }   \n";

    #[test]
    fn both_widths_and_all_versions_are_read() {
        let data: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        for version in [1, 2, 3] {
            assert_eq!(read_npy(&file(version, PAIR, &data)).unwrap().as_slice(), [1.5, -2.0]);
        }
        let data: Vec<u8> = [1.5f64, -2.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        let wide = read_npy(&file(1, &PAIR.replace("f4", "f8"), &data)).unwrap();
        assert_eq!((wide.dimension(), wide.as_slice()), (1, [1.5, -2.0].as_slice()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |bytes: Vec<u8>, expected: MatrixError| assert_eq!(read_npy(&bytes), Err(expected));
        let text = |text: &str| text.to_owned();
        check(b"PK".to_vec(), MatrixError::Magic);
        check(file(9, PAIR, &[]), MatrixError::Version { found: 9 });
        check(MAGIC.to_vec(), MatrixError::Header { field: "length" });
        check(file(1, "{}", &[]), MatrixError::Header { field: "`descr`" });
        check(
            file(1, &PAIR.replace("<f4", ">f4"), &[]),
            MatrixError::Kind { found: text(">f4") },
        );
        check(file(1, &PAIR.replace("False", "True"), &[]), MatrixError::Order);
        check(
            file(1, &PAIR.replace("2, 1", "2,"), &[]),
            MatrixError::Shape { found: text("2,") },
        );
        check(
            file(1, &PAIR.replace("2, 1", "2, 0"), &[]),
            MatrixError::Shape { found: text("2, 0") },
        );
        let huge = PAIR.replace("2, 1", "99999999999, 99999999999");
        let expected = usize::MAX;
        check(file(1, &huge, &[0; 8]), MatrixError::Length { expected, found: 8 });
    }

    #[test]
    fn cut_at_any_byte_it_is_refused() {
        let whole = file(1, PAIR, &[0; 8]);
        for end in 0..whole.len() {
            assert!(read_npy(&whole[..end]).is_err());
        }
    }
}
