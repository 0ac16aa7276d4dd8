//! The one place where values become bytes: `format byte · crc32 of the rest, little endian · bincode`.

use super::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;

const RECORD_FORMAT: u8 = 1;
/// Format byte and checksum.
const HEADER: usize = 5;
/// What decoding may claim, so that a forged length cannot: bincode counts up to eight bytes for one of the record, and
/// its bound must be a constant. A record is small, or as long as the longest text (spans have 32 bits).
const MAX_GROWTH: usize = 8;
const SMALL: usize = 16 << 20;
const LARGE: usize = 4 << 30;

/// The record of `value`. Cost O(size).
///
/// # Errors
/// [`StoreError::Corrupt`] when the value cannot be serialised, which names `what`.
pub fn encode<T: Serialize>(what: &str, value: &T) -> Result<Vec<u8>, StoreError> {
    let body = bincode::serde::encode_to_vec(value, bincode::config::standard())
        .map_err(|error| StoreError::corrupt(what, "a value that can be stored", error))?;
    let mut record = Vec::with_capacity(HEADER + body.len());
    record.push(RECORD_FORMAT);
    record.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
    record.extend_from_slice(&body);
    Ok(record)
}

/// The value of a record. Cost O(size).
///
/// # Errors
/// [`StoreError::Corrupt`] when format byte, checksum or content are not what was written; it names `what`.
pub fn decode<T: DeserializeOwned>(what: &str, record: &[u8]) -> Result<T, StoreError> {
    let (Some(&format), Some(sum), Some(body)) = (record.first(), record.get(1..HEADER), record.get(HEADER..)) else {
        let found = format!("{} bytes", record.len());
        return Err(StoreError::corrupt(what, "at least 5 bytes", found));
    };
    if format != RECORD_FORMAT {
        let expected = format!("record format {RECORD_FORMAT}");
        return Err(StoreError::corrupt(what, expected, format));
    }
    if crc32fast::hash(body).to_le_bytes() != sum {
        return Err(StoreError::corrupt(what, "a matching checksum", "another"));
    }
    let config = bincode::config::standard();
    let decoded = if body.len() <= SMALL {
        bincode::serde::decode_from_slice(body, config.with_limit::<{ SMALL * MAX_GROWTH }>())
    } else {
        bincode::serde::decode_from_slice(body, config.with_limit::<{ LARGE * MAX_GROWTH }>())
    };
    let (value, read) = decoded.map_err(|error| StoreError::corrupt(what, "a decodable record", error))?;
    if read == body.len() {
        Ok(value)
    } else {
        let found = format!("{} more bytes", body.len() - read);
        Err(StoreError::corrupt(what, "the end of the record", found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_back_and_any_flipped_bit_is_noticed() {
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
        let record = [&[RECORD_FORMAT][..], &crc32fast::hash(&body).to_le_bytes(), &body].concat();
        assert!(decode::<String>("a test", &record).is_err());
        assert!(decode::<Vec<u32>>("a test", &record).is_err());
        let numbers: Vec<u64> = vec![1; 10_000];
        assert_eq!(
            decode::<Vec<u64>>("a test", &encode("a test", &numbers).unwrap()).unwrap(),
            numbers
        );
    }
}
