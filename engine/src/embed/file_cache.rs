//! The vector cache on disk: the one module of `embed` that keeps bytes, so that an interrupted run
//! continues where it stopped.
//!
//! **Definitions.** A file is a header, then records. Header: magic `BNYV`, version byte, dimension
//! (u32), length of the embedder's id (u16), the id, crc32 of all that. Record: key (16 bytes), d × f16,
//! crc32 of both. All numbers are little-endian.
//!
//! **Invariants.**
//! 1. Bytes once written are never changed; records are only appended, each append under the file's lock.
//! 2. An append begins at a record boundary: a torn record at the end is cut off first, under the lock.
//! 3. A record whose checksum fails is skipped, never returned.
//!
//! **Key operations.** [`FileCache::open`] reads everything once, O(n·d); `get` is a lookup; `put` is one
//! append. Several processes may share a file: what others append after our `open` is not seen, and the
//! same vector appended twice is harmless.

use super::{EmbedError, Key, Vectors};
use half::f16;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 4] = *b"BNYV";
const VERSION: u8 = 1;
const KEY_BYTES: usize = 16;
const CRC_BYTES: usize = 4;

/// Vectors of one embedder in one append-only file.
#[derive(Debug)]
pub struct FileCache {
    path: PathBuf,
    file: File,
    header_bytes: usize,
    dimension: usize,
    /// Row number in `rows` by key.
    index: HashMap<Key, usize>,
    /// All rows, `(n, dimension)`.
    rows: Vec<f16>,
}

impl FileCache {
    /// Opens the cache at `path`, or begins one there, for the embedder `id` with `dimension` columns.
    ///
    /// # Errors
    /// [`EmbedError::File`] when the file cannot be opened; [`EmbedError::Format`] when it is no cache, of another
    /// version, or of another embedder.
    pub fn open(path: &Path, id: &str, dimension: usize) -> Result<Self, EmbedError> {
        let fail = |source| EmbedError::File {
            path: path.to_owned(),
            source,
        };
        let header = header(id, dimension);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(fail)?;
        file.lock().map_err(fail)?;
        let bytes = begin(&mut file, &header).map_err(fail);
        file.unlock().map_err(fail)?;
        let bytes = bytes?;
        let Some(records) = bytes.strip_prefix(&header[..]) else {
            return Err(EmbedError::Format(format!(
                "vector cache {}: expected {dimension} columns of {id}, version {VERSION}, found another file; remove it, and it \
                 is computed again",
                path.display()
            )));
        };
        let mut cache = Self {
            path: path.to_owned(),
            file,
            header_bytes: header.len(),
            dimension,
            index: HashMap::new(),
            rows: Vec::new(),
        };
        // A torn record at the end is left out.
        for record in records.chunks_exact(record_bytes(dimension)) {
            let (body, crc) = record.split_at(record.len() - CRC_BYTES);
            if crc32fast::hash(body).to_le_bytes() == crc {
                cache.remember(body);
            }
        }
        Ok(cache)
    }

    /// Takes one record body, key and row; the first record of a key wins.
    fn remember(&mut self, body: &[u8]) {
        let (key, row) = body.split_at(KEY_BYTES);
        let mut bytes = [0; KEY_BYTES];
        bytes.copy_from_slice(key);
        let next = self.rows.len() / self.dimension;
        if *self.index.entry(Key(bytes)).or_insert(next) == next {
            self.rows
                .extend(row.chunks_exact(2).map(|pair| f16::from_le_bytes([pair[0], pair[1]])));
        }
    }

    /// Appends whole records at a record boundary, under the lock.
    fn append(&mut self, records: &[u8]) -> std::io::Result<()> {
        self.file.lock()?;
        let written = self.append_locked(records);
        self.file.unlock()?;
        written
    }

    fn append_locked(&mut self, records: &[u8]) -> std::io::Result<()> {
        let length = self.file.metadata()?.len();
        let torn = length.saturating_sub(self.header_bytes as u64) % record_bytes(self.dimension) as u64;
        if torn > 0 {
            self.file.set_len(length - torn)?;
        }
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(records)
    }
}

impl FileCache {
    /// The vector under `key`, if it is known.
    pub fn get(&self, key: &Key) -> Option<&[f16]> {
        let start = self.index.get(key)? * self.dimension;
        self.rows.get(start..start + self.dimension)
    }

    /// Remembers a batch; `rows[i]` belongs to `keys[i]`. When it returns, the batch has left the process.
    ///
    /// # Errors
    /// [`EmbedError::File`] when the file cannot be written, [`EmbedError::Dimension`] for rows of another width.
    pub fn put(&mut self, keys: &[Key], rows: &Vectors) -> Result<(), EmbedError> {
        EmbedError::check_width(self.dimension, rows.dimension())?;
        let mut records = Vec::with_capacity(keys.len() * record_bytes(self.dimension));
        for (key, row) in keys.iter().zip(rows.rows()) {
            let start = records.len();
            records.extend_from_slice(&key.0);
            records.extend(row.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()));
            let crc = crc32fast::hash(&records[start..]);
            self.remember(&records[start..]);
            records.extend_from_slice(&crc.to_le_bytes());
        }
        self.append(&records).map_err(|source| EmbedError::File {
            path: self.path.clone(),
            source,
        })
    }
}

/// Writes the header into a file that has none yet (or only a torn one); returns the file's bytes.
fn begin(file: &mut File, header: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    if bytes.len() < header.len() && header.starts_with(&bytes) {
        file.write_all(&header[bytes.len()..])?;
        bytes = header.to_vec();
    }
    Ok(bytes)
}

/// The first bytes of a cache for the embedder `id` with `dimension` columns.
fn header(id: &str, dimension: usize) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    bytes.extend(u32::try_from(dimension).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(u16::try_from(id.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn record_bytes(dimension: usize) -> usize {
    KEY_BYTES + 2 * dimension + CRC_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(rows: &[[f32; 2]]) -> Vectors {
        Vectors::from_data(2, rows.as_flattened().to_vec()).unwrap()
    }

    fn two_records(path: &Path) {
        let mut cache = FileCache::open(path, "m", 2).unwrap();
        cache
            .put(&[Key([1; 16]), Key([2; 16])], &vectors(&[[1.0, 0.0], [0.0, 1.0]]))
            .unwrap();
    }

    #[test]
    fn a_torn_last_record_is_cut_off_and_a_corrupt_one_skipped() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cache");
        two_records(&path);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let mut cache = FileCache::open(&path, "m", 2).unwrap();
        assert!(cache.get(&Key([1; 16])).is_some() && cache.get(&Key([2; 16])).is_none());
        cache.put(&[Key([3; 16])], &vectors(&[[0.5, 0.5]])).unwrap();
        let cache = FileCache::open(&path, "m", 2).unwrap();
        assert_eq!(cache.get(&Key([3; 16])).unwrap(), [f16::from_f32(0.5); 2]);
        assert_eq!(cache.get(&Key([2; 16])), None);
        let mut corrupt = whole;
        corrupt[header("m", 2).len() + 17] ^= 1;
        std::fs::write(&path, corrupt).unwrap();
        let cache = FileCache::open(&path, "m", 2).unwrap();
        assert!(cache.get(&Key([1; 16])).is_none() && cache.get(&Key([2; 16])).is_some());
    }

    #[test]
    fn another_embedder_or_width_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cache");
        two_records(&path);
        for (id, dimension) in [("n", 2), ("m", 3)] {
            let error = FileCache::open(&path, id, dimension).unwrap_err().to_string();
            let expected = format!("expected {dimension} columns of {id}, version 1, found another file");
            assert!(error.contains(&expected), "{error}");
        }
    }
}
