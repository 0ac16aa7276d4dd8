//! The flat file that readers use: every record of a generation, written front to back, and where each of them stands.
//!
//! | part | bytes |
//! |---|---|
//! | head | [`MAGIC`] |
//! | records | one behind the other |
//! | directory | [`Contents`], by bincode |
//! | end | place of the directory, u64 · its crc32, u32 · crc32 of all before, u32 |
//!
//! Numbers are little endian. A file that was cut off lacks the end, and a changed byte anywhere changes the checksum of the
//! whole, which [`check`] compares. A reader that wants a few rows checks the directory and the records that it reads.

use super::StoreError;
use super::contents::Contents;
use super::directory::io_error;
use crc32fast::Hasher;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

/// First bytes, with the version of this layout.
const MAGIC: &[u8] = b"banyan rows 3\n";
/// Bytes of the checksum at the end, and of all of the end.
const SUM: usize = 4;
const END: usize = 16;

pub(super) struct Draft<W> {
    out: W,
    sum: Hasher,
    /// Bytes written.
    at: u64,
    contents: Contents,
}

impl<W: Write> Draft<W> {
    pub(super) fn new(out: W) -> io::Result<Self> {
        let mut draft = Self {
            out,
            sum: Hasher::new(),
            at: 0,
            contents: Contents::new(),
        };
        draft.write(MAGIC)?;
        Ok(draft)
    }

    pub(super) fn put(&mut self, tree: &str, key: &[u8], record: &[u8]) -> io::Result<()> {
        let places = self.contents.entry(tree.to_owned()).or_default();
        places.add(key, self.at, record.len() as u64);
        self.write(record)
    }

    /// Writes the directory and the end; what was written to.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let directory = bincode::serde::encode_to_vec(&self.contents, bincode::config::standard());
        let (place, directory) = (self.at, directory.map_err(io::Error::other)?);
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

/// The directory of a snapshot, without its records. Cost O(records), and no more is read than that.
///
/// # Errors
/// [`StoreError::Corrupt`] where the end is not that of a whole snapshot; [`StoreError::Io`] where it cannot be read.
pub(super) fn contents(path: &Path, file: &mut File) -> Result<Contents, StoreError> {
    let corrupt = |found: &str| StoreError::corrupt(path.display().to_string(), "the end of a snapshot", found);
    let read = |file: &mut File, from: u64, length: usize| {
        let mut bytes = vec![0; length];
        let done = file
            .seek(SeekFrom::Start(from))
            .and_then(|_| file.read_exact(&mut bytes));
        done.map(|()| bytes).map_err(io_error(path, "cannot read"))
    };
    let length = file.metadata().map_err(io_error(path, "cannot read"))?.len();
    if length < (MAGIC.len() + END) as u64 {
        return Err(corrupt("a shorter file"));
    }
    if read(file, 0, MAGIC.len())? != MAGIC {
        return Err(corrupt("another beginning"));
    }
    let end = read(file, length - END as u64, END)?;
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
    let directory = read(file, place, size)?;
    if u64::from(crc32fast::hash(&directory)) != sum {
        return Err(corrupt("another checksum"));
    }
    let decoded = bincode::serde::decode_from_slice(&directory, bincode::config::standard());
    decoded
        .map(|(contents, _)| contents)
        .map_err(|error| corrupt(&error.to_string()))
}

/// Compares all of a snapshot with its checksum. Cost O(size).
///
/// # Errors
/// [`StoreError::Corrupt`] where it is another; [`StoreError::Io`] where it cannot be read.
pub(super) fn check(path: &Path) -> Result<(), StoreError> {
    let sums = || -> io::Result<(u32, [u8; SUM])> {
        let mut file = File::open(path)?;
        let body = file.metadata()?.len().saturating_sub(SUM as u64);
        let (_, sum) = super::database::sum(Read::by_ref(&mut file).take(body))?;
        let mut told = [0; SUM];
        file.read_exact(&mut told)?;
        Ok((sum, told))
    };
    let (sum, told) = sums().map_err(io_error(path, "cannot read"))?;
    if sum.to_le_bytes() == told {
        Ok(())
    } else {
        Err(StoreError::corrupt(
            path.display().to_string(),
            "a matching checksum",
            "another",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_snapshot_that_was_cut_or_changed_anywhere_is_refused() {
        let mut draft = Draft::new(Vec::new()).unwrap();
        let records = [
            ("a", &b"1"[..], &b"one"[..]),
            ("b", b"1", b""),
            ("a", b"2", b"two"),
            ("c", &[0; 4], b"block"),
            ("c", &[0, 0, 0, 1], b"another"),
        ];
        for (tree, key, record) in records {
            draft.put(tree, key, record).unwrap();
        }
        let whole = draft.finish().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let is_whole = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            check(&path).is_ok() && contents(&path, &mut File::open(&path).unwrap()).is_ok()
        };
        assert!(is_whole(&whole));
        for at in 0..whole.len() {
            assert!(!is_whole(&whole[..at]), "cut at {at}");
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                assert!(!is_whole(&changed), "bit {bit} of byte {at}");
            }
        }
    }
}
