//! The flat file that readers use: every row of a generation, written front to back and read whole.
//!
//! | part | bytes |
//! |---|---|
//! | head | [`MAGIC`] |
//! | each row | length of the tree's name, u8 · name · length of the key, u8 · key · length of the record, u64 · record |
//! | end | a zero byte · number of rows, u64 · crc32 of all before, u32 |
//!
//! Numbers are little endian. A file that was cut off lacks the end, and a changed byte anywhere changes the checksum.

use super::StoreError;
use super::rows::{Place, Rows};
use crc32fast::Hasher;
use std::io::{self, Write};
use std::ops::Range;

/// First bytes, with the version of this layout.
const MAGIC: &[u8] = b"banyan rows 1\n";
/// Bytes of the checksum at the end.
const SUM: usize = 4;

pub(super) struct Draft<W> {
    out: W,
    sum: Hasher,
    n_rows: u64,
}

impl<W: Write> Draft<W> {
    pub(super) fn new(out: W) -> io::Result<Self> {
        let mut draft = Self {
            out,
            sum: Hasher::new(),
            n_rows: 0,
        };
        draft.write(MAGIC)?;
        Ok(draft)
    }

    /// Writes a row. Names of trees and keys have at most 255 bytes.
    pub(super) fn put(&mut self, tree: &str, key: &[u8], record: &[u8]) -> io::Result<()> {
        for short in [tree.as_bytes(), key] {
            let length = u8::try_from(short.len()).map_err(io::Error::other)?;
            self.write(&[length])?;
            self.write(short)?;
        }
        self.write(&(record.len() as u64).to_le_bytes())?;
        self.write(record)?;
        self.n_rows += 1;
        Ok(())
    }

    /// Writes the end; what was written to.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.write(&[0])?;
        self.write(&self.n_rows.to_le_bytes())?;
        self.out.write_all(&self.sum.finalize().to_le_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.out.write_all(bytes)
    }
}

/// The rows of a snapshot. Cost O(size); no length in it is believed beyond the bytes that are there.
///
/// # Errors
/// [`StoreError::Corrupt`] where these are not the bytes of a whole snapshot; it names `what`.
pub(super) fn parse(what: &str, bytes: Vec<u8>) -> Result<Rows, StoreError> {
    let corrupt = |expected: &str, found: &str| StoreError::corrupt(what, expected, found);
    if !bytes.starts_with(MAGIC) {
        return Err(corrupt("a snapshot", "another beginning"));
    }
    let (body, sum) = bytes.split_at(bytes.len().saturating_sub(SUM));
    if crc32fast::hash(body).to_le_bytes() != sum {
        return Err(corrupt("a matching checksum", "another"));
    }
    let mut cursor = Cursor {
        bytes: body,
        at: MAGIC.len(),
    };
    let mut places = Vec::new();
    let mut whole = true;
    while whole && cursor.bytes.get(cursor.at).is_some_and(|byte| *byte != 0) {
        match cursor.row() {
            Some(place) => places.push(place),
            None => whole = false,
        }
    }
    whole &= cursor.take(1).is_some() && cursor.number() == Some(places.len() as u64) && cursor.at == body.len();
    if !whole {
        return Err(corrupt("rows and their number", "something else"));
    }
    Rows::new(bytes, places).ok_or_else(|| corrupt("rows that differ", "one twice"))
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    /// The next row; `None` where the bytes run out.
    fn row(&mut self) -> Option<Place> {
        let (tree, key) = (self.short()?, self.short()?);
        let length = usize::try_from(self.number()?).ok()?;
        Some([tree, key, self.take(length)?])
    }

    fn short(&mut self) -> Option<Range<usize>> {
        let length = self.take(1)?;
        self.take(self.bytes[length.start].into())
    }

    fn number(&mut self) -> Option<u64> {
        let place = self.take(8)?;
        Some(u64::from_le_bytes(self.bytes[place].try_into().ok()?))
    }

    fn take(&mut self, length: usize) -> Option<Range<usize>> {
        let end = self.at.checked_add(length).filter(|end| *end <= self.bytes.len())?;
        let place = self.at..end;
        self.at = end;
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(rows: &[(&str, &[u8], &[u8])]) -> Vec<u8> {
        let mut draft = Draft::new(Vec::new()).unwrap();
        for (tree, key, record) in rows {
            draft.put(tree, key, record).unwrap();
        }
        draft.finish().unwrap()
    }

    #[test]
    fn a_snapshot_that_was_cut_or_changed_anywhere_is_refused() {
        let whole = bytes(&[("a", b"1", b"one"), ("b", b"", b""), ("a", b"2", b"two")]);
        assert!(parse("s", whole.clone()).is_ok());
        for at in 0..whole.len() {
            assert!(parse("s", whole[..at].to_vec()).is_err(), "cut at {at}");
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                assert!(parse("s", changed).is_err(), "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn a_row_that_stands_twice_or_claims_too_much_is_refused() {
        assert!(parse("s", bytes(&[("a", b"1", b"x"), ("a", b"1", b"y")])).is_err());
        let mut forged = bytes(&[("a", b"1", b"one")]);
        let length = MAGIC.len() + 4;
        forged[length..length + 8].fill(0xff);
        let body = forged.len() - SUM;
        let sum = crc32fast::hash(&forged[..body]).to_le_bytes();
        forged[body..].copy_from_slice(&sum);
        assert!(parse("s", forged).is_err());
    }
}
