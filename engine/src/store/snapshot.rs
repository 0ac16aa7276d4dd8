//! The flat file that readers use: every row of a generation, written front to back, and where each of them stands.
//!
//! | part | bytes |
//! |---|---|
//! | head | [`MAGIC`] |
//! | each row | length of the tree's name, u8 · name · length of the key, u8 · key · length of the record, u64 · record |
//! | directory | a zero byte · [`Contents`] |
//! | end | place of the directory, u64 · its crc32, u32 · crc32 of all before, u32 |
//!
//! Numbers are little endian. A file that was cut off lacks the end, and a changed byte anywhere changes the checksum of the
//! whole, which [`parse`] compares. A reader that wants a few rows checks the directory and the records that it reads.

use super::StoreError;
use super::directory::io_error;
use super::rows::{Place, Rows};
use crc32fast::Hasher;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

/// First bytes, with the version of this layout.
const MAGIC: &[u8] = b"banyan rows 2\n";
/// Bytes of the checksum at the end, and of all of the end.
const SUM: usize = 4;
const END: usize = 16;

/// By tree the keys of its rows, ascending, each with the first byte of its record and the length of that.
pub(super) type Contents = Vec<(String, Vec<(Vec<u8>, u64, u64)>)>;

pub(super) struct Draft<W> {
    out: W,
    sum: Hasher,
    /// Bytes written.
    at: u64,
    contents: BTreeMap<String, Vec<(Vec<u8>, u64, u64)>>,
}

impl<W: Write> Draft<W> {
    pub(super) fn new(out: W) -> io::Result<Self> {
        let mut draft = Self {
            out,
            sum: Hasher::new(),
            at: 0,
            contents: BTreeMap::new(),
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
        let length = record.len() as u64;
        self.write(&length.to_le_bytes())?;
        if !self.contents.contains_key(tree) {
            self.contents.insert(tree.to_owned(), Vec::new());
        }
        let rows = self.contents.entry(tree.to_owned()).or_default();
        rows.push((key.to_vec(), self.at, length));
        self.write(record)
    }

    /// Writes the directory and the end; what was written to.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.write(&[0])?;
        let (place, directory) = (self.at, encoded(std::mem::take(&mut self.contents))?);
        self.write(&directory)?;
        self.write(&place.to_le_bytes())?;
        self.write(&crc32fast::hash(&directory).to_le_bytes())?;
        self.out.write_all(&self.sum.finalize().to_le_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// The directory as it is written.
fn encoded(contents: BTreeMap<String, Vec<(Vec<u8>, u64, u64)>>) -> io::Result<Vec<u8>> {
    let sorted = |mut rows: Vec<(Vec<u8>, u64, u64)>| {
        rows.sort();
        rows
    };
    let contents: Contents = contents.into_iter().map(|(tree, rows)| (tree, sorted(rows))).collect();
    bincode::serde::encode_to_vec(contents, bincode::config::standard()).map_err(io::Error::other)
}

/// The directory of a snapshot, without its rows. Cost O(rows), and no more is read than that.
///
/// # Errors
/// [`StoreError::Corrupt`] where the end is not that of a whole snapshot; [`StoreError::Io`] where it cannot be read.
pub(super) fn contents(path: &Path, file: &mut File) -> Result<Contents, StoreError> {
    let corrupt = |found: &str| StoreError::corrupt(path.display().to_string(), "the end of a snapshot", found);
    let read = |file: &mut File, from: SeekFrom, length: usize| {
        let mut bytes = vec![0; length];
        let done = file.seek(from).and_then(|_| file.read_exact(&mut bytes));
        done.map(|()| bytes).map_err(io_error(path, "cannot read"))
    };
    let length = file.metadata().map_err(io_error(path, "cannot read"))?.len();
    if length < (MAGIC.len() + END) as u64 {
        return Err(corrupt("a shorter file"));
    }
    if read(file, SeekFrom::Start(0), MAGIC.len())? != MAGIC {
        return Err(corrupt("another beginning"));
    }
    let end = read(file, SeekFrom::Start(length - END as u64), END)?;
    let number = |range: Range<usize>| {
        end[range]
            .iter()
            .rev()
            .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let (place, sum) = (number(0..8), number(8..12));
    let size = (length - END as u64)
        .checked_sub(place)
        .and_then(|size| usize::try_from(size).ok());
    let size = size.ok_or_else(|| corrupt("a place beyond it"))?;
    let directory = read(file, SeekFrom::Start(place), size)?;
    if u64::from(crc32fast::hash(&directory)) != sum {
        return Err(corrupt("another checksum"));
    }
    let decoded = bincode::serde::decode_from_slice(&directory, bincode::config::standard());
    decoded
        .map(|(contents, _)| contents)
        .map_err(|error| corrupt(&error.to_string()))
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
    let mut places: Vec<Place> = Vec::new();
    let mut whole = true;
    while whole && cursor.bytes.get(cursor.at).is_some_and(|byte| *byte != 0) {
        match cursor.row() {
            Some(place) => places.push(place),
            None => whole = false,
        }
    }
    whole &= cursor.take(1).is_some();
    let mut contents: BTreeMap<String, Vec<(Vec<u8>, u64, u64)>> = BTreeMap::new();
    for [tree, key, record] in &places {
        let tree = String::from_utf8_lossy(&body[tree.clone()]).into_owned();
        let row = (body[key.clone()].to_vec(), record.start as u64, record.len() as u64);
        contents.entry(tree).or_default().push(row);
    }
    let (place, directory) = (cursor.at as u64, encoded(contents).unwrap_or_default());
    let end = [&place.to_le_bytes()[..], &crc32fast::hash(&directory).to_le_bytes()].concat();
    if !whole || body[cursor.at..] != [directory, end].concat() {
        return Err(corrupt("rows and where they stand", "something else"));
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
