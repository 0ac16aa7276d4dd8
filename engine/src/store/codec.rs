//! The one place where values become bytes: `format byte · crc32 of the rest, little endian · bincode`, the last compressed where
//! that saves a tenth.

use super::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::{find_frame_compressed_size, get_frame_content_size};

const PLAIN: u8 = 1;
const COMPRESSED: u8 = 2;
/// Format byte and checksum.
pub(super) const HEADER: usize = 5;
/// What decoding may claim, so that a forged length cannot: bincode counts up to eight bytes for one of the record, and
/// its bound must be a constant. A record is small, or as long as the longest text (spans have 32 bits).
const MAX_GROWTH: usize = 8;
const SMALL: usize = 16 << 20;
const LARGE: usize = 4 << 30;
/// Shorter records are not compressed. Arbitrary: nothing would be saved.
const MIN_COMPRESSED: usize = 256;
/// Most bytes that are made of one compressed byte; what compresses better is stored as it is, so that a forged record
/// cannot ask for more.
const MAX_EXPANDED: usize = 1_024;
/// A twentieth smaller than zstd's own default, 3; higher levels hardly save more.
const LEVEL: i32 = 5;

thread_local! {
    /// Making one costs more than compressing a block.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static EXPANDER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// The record of `value`. Cost O(size).
///
/// # Errors
/// [`StoreError::Corrupt`] when the value cannot be serialised, which names `what`.
pub fn encode<T: Serialize>(what: &str, value: &T) -> Result<Vec<u8>, StoreError> {
    let body = bincode::serde::encode_to_vec(value, bincode::config::standard())
        .map_err(|error| StoreError::corrupt(what, "a value that can be stored", error))?;
    let compressed = Some(&body)
        .filter(|body| body.len() >= MIN_COMPRESSED)
        .and_then(|body| compressed(body).ok())
        .filter(|short| short.len() < body.len() / 10 * 9 && body.len() <= short.len() * MAX_EXPANDED);
    let (format, body) = compressed.map_or((PLAIN, body), |short| (COMPRESSED, short));
    let mut record = Vec::with_capacity(HEADER + body.len());
    record.push(format);
    record.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
    record.extend_from_slice(&body);
    Ok(record)
}

fn compressed(body: &[u8]) -> io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|kept| {
        let mut compressor = kept.take().map_or_else(|| Compressor::new(LEVEL), Ok)?;
        let short = compressor.compress(body);
        *kept = Some(compressor);
        short
    })
}

/// What was compressed, and nothing behind it.
fn expanded(body: &[u8]) -> io::Result<Vec<u8>> {
    let most = body.len().saturating_mul(MAX_EXPANDED).min(LARGE);
    let is_whole = find_frame_compressed_size(body).is_ok_and(|length| length == body.len());
    let size = get_frame_content_size(body).ok().flatten().filter(|_| is_whole);
    let size = size
        .and_then(|size| usize::try_from(size).ok())
        .filter(|size| *size <= most);
    let size = size.ok_or(io::ErrorKind::InvalidData)?;
    let mut expanded = Vec::new();
    expanded.try_reserve_exact(size).map_err(io::Error::other)?;
    EXPANDER.with_borrow_mut(|kept| {
        let mut expander = kept.take().map_or_else(Decompressor::new, Ok)?;
        let done = expander.decompress_to_buffer(body, &mut expanded);
        *kept = Some(expander);
        done.map(|_| expanded)
    })
}

/// Bytes of `value` within a record. Cost O(size).
///
/// # Errors
/// As of [`encode`].
pub(super) fn size<T: Serialize>(what: &str, value: &T) -> Result<usize, StoreError> {
    let mut counted = bincode::enc::write::SizeWriter::default();
    bincode::serde::encode_into_writer(value, &mut counted, bincode::config::standard())
        .map_err(|error| StoreError::corrupt(what, "a value that can be stored", error))?;
    Ok(counted.bytes_written)
}

/// The value of a record. Cost O(size).
///
/// # Errors
/// [`StoreError::Corrupt`] when format byte, checksum or content are not what was written; it names `what`.
pub fn decode<T: DeserializeOwned>(what: &str, record: &[u8]) -> Result<T, StoreError> {
    Ok(decode_sized(what, record)?.0)
}

/// The value of a record, and its bytes when they were not compressed. Cost O(size).
///
/// # Errors
/// As of [`decode`].
pub(super) fn decode_sized<T: DeserializeOwned>(what: &str, record: &[u8]) -> Result<(T, usize), StoreError> {
    let body = body(what, record)?;
    let config = bincode::config::standard();
    let decoded = if body.len() <= SMALL {
        bincode::serde::decode_from_slice(&body, config.with_limit::<{ SMALL * MAX_GROWTH }>())
    } else {
        bincode::serde::decode_from_slice(&body, config.with_limit::<{ LARGE * MAX_GROWTH }>())
    };
    let (value, read) = decoded.map_err(|error| StoreError::corrupt(what, "a decodable record", error))?;
    if read == body.len() {
        Ok((value, read))
    } else {
        let found = format!("{} more bytes", body.len() - read);
        Err(StoreError::corrupt(what, "the end of the record", found))
    }
}

/// What was encoded, behind its checksum and expanded.
pub(super) fn body<'a>(what: &str, record: &'a [u8]) -> Result<Cow<'a, [u8]>, StoreError> {
    let (Some(&format), Some(sum), Some(body)) = (record.first(), record.get(1..HEADER), record.get(HEADER..)) else {
        let found = format!("{} bytes", record.len());
        return Err(StoreError::corrupt(what, "at least 5 bytes", found));
    };
    if ![PLAIN, COMPRESSED].contains(&format) {
        let expected = format!("record format {PLAIN} or {COMPRESSED}");
        return Err(StoreError::corrupt(what, expected, format));
    }
    if crc32fast::hash(body).to_le_bytes() != sum {
        return Err(StoreError::corrupt(what, "a matching checksum", "another"));
    }
    if format == PLAIN {
        return Ok(Cow::Borrowed(body));
    }
    let expanded = expanded(body).map_err(|error| StoreError::corrupt(what, "a compressed record", error))?;
    Ok(Cow::Owned(expanded))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record with the checksum of what it has.
    fn resealed(mut record: Vec<u8>) -> Vec<u8> {
        let sum = crc32fast::hash(&record[HEADER..]).to_le_bytes();
        record[1..HEADER].copy_from_slice(&sum);
        record
    }

    #[test]
    fn a_record_reads_back_and_any_flipped_bit_is_noticed() {
        let long = ("Banyan".to_owned(), vec![70_000; 500]);
        let packed = encode("a test", &long).unwrap();
        assert!(packed[0] == COMPRESSED && packed.len() < 100, "{} bytes", packed.len());
        assert_eq!(decode::<(String, Vec<u32>)>("a test", &packed).unwrap(), long);
        let longer = [&packed[..], b"more"].concat();
        assert!(decode::<(String, Vec<u32>)>("a test", &resealed(longer)).is_err());
        let value = ("Banyan".to_owned(), vec![1_u32, 70_000]);
        let record = encode("a test", &value).unwrap();
        assert_eq!(decode::<(String, Vec<u32>)>("a test", &record).unwrap(), value);
        for byte in 0..record.len() {
            for bit in 0..8 {
                let mut damaged = record.clone();
                damaged[byte] ^= 1 << bit;
                assert!(decode::<(String, Vec<u32>)>("a test", &damaged).is_err());
            }
        }
        assert!(decode::<(String, Vec<u32>)>("a test", &record[..3]).is_err());
    }

    /// A text that claims 7·10^18 bytes ended the process: the memory was asked for before the bytes were looked for.
    #[test]
    fn a_forged_length_is_refused_before_memory_is_asked_for() {
        let body = [&[253][..], &7_022_245_415_558_840_577_u64.to_le_bytes(), b"abc"].concat();
        let record = [&[PLAIN][..], &crc32fast::hash(&body).to_le_bytes(), &body].concat();
        assert!(decode::<String>("a test", &record).is_err());
        assert!(decode::<Vec<u32>>("a test", &record).is_err());
        let numbers: Vec<u64> = vec![1; 10_000];
        assert_eq!(
            decode::<Vec<u64>>("a test", &encode("a test", &numbers).unwrap()).unwrap(),
            numbers
        );
    }
}
