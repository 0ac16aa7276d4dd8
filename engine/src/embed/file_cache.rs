//! The vector cache on disk: the one module of `embed` that keeps bytes, so that an interrupted run continues where it
//! stopped.
//!
//! A `SQLite` database with a row for each vector: its key, d × f16 in little endian, and the crc32 of both. Several
//! processes may share a file. A row whose checksum fails counts as absent and is written again.

use super::{EmbedError, Key, Vectors};
use half::f16;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::{Path, PathBuf};
use std::time::Duration;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS embedder (name TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, row BLOB NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
";
/// How long to wait for another process that writes. Arbitrary: a thousand times what a batch takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// Vectors of one embedder in one file.
#[derive(Debug)]
pub struct FileCache {
    path: PathBuf,
    connection: Connection,
    dimension: usize,
}

impl FileCache {
    /// Opens the cache at `path`, or begins one there, for the embedder `id` with `dimension` columns.
    ///
    /// # Errors
    /// [`EmbedError::Cache`] when the file cannot be opened, is no cache, or is that of another embedder.
    pub fn open(path: &Path, id: &str, dimension: usize) -> Result<Self, EmbedError> {
        let name = format!("{dimension} columns of {id}");
        let open = || {
            let connection = Connection::open(path)?;
            connection.busy_timeout(PATIENCE)?;
            connection.execute_batch(TABLES)?;
            let new = "INSERT INTO embedder SELECT ? WHERE NOT EXISTS (SELECT * FROM embedder)";
            connection.execute(new, [&name])?;
            let owner: String = connection.query_row("SELECT name FROM embedder", [], |row| row.get(0))?;
            Ok((connection, owner))
        };
        let (connection, owner) = open().map_err(|error: rusqlite::Error| failed(path, &error))?;
        if owner != name {
            return Err(failed(path, &format!("expected {name}, found {owner}")));
        }
        Ok(Self {
            path: path.to_owned(),
            connection,
            dimension,
        })
    }

    /// The vector under each key, where it is known.
    ///
    /// # Errors
    /// [`EmbedError::Cache`] when the file cannot be read.
    pub fn get(&self, keys: &[Key]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let read = || {
            let mut query = self.connection.prepare("SELECT row, crc FROM vector WHERE key = ?")?;
            let mut row_of = |key: &Key| {
                let found = query.query_row([key.0], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get(1)?)));
                let whole = |(row, crc): &(Vec<u8>, u32)| row.len() == 2 * self.dimension && checksum(key, row) == *crc;
                Ok(found.optional()?.filter(whole).map(|(row, _)| values(&row)))
            };
            keys.iter().map(&mut row_of).collect::<Result<_, _>>()
        };
        read().map_err(|error: rusqlite::Error| failed(&self.path, &error))
    }

    /// Remembers a batch; `rows[i]` belongs to `keys[i]`. When it returns, the batch is on the disk.
    ///
    /// # Errors
    /// [`EmbedError::Cache`] when the file cannot be written, [`EmbedError::Dimension`] for rows of another width.
    pub fn put(&mut self, keys: &[Key], rows: &Vectors) -> Result<(), EmbedError> {
        EmbedError::check_width(self.dimension, rows.dimension())?;
        let mut write = || {
            let batch = self.connection.transaction()?;
            for (key, row) in keys.iter().zip(rows.rows()) {
                let row: Vec<u8> = row
                    .iter()
                    .flat_map(|value| f16::from_f32(*value).to_le_bytes())
                    .collect();
                let values = params![key.0, row, checksum(key, &row)];
                batch.execute("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", values)?;
            }
            batch.commit()
        };
        write().map_err(|error: rusqlite::Error| failed(&self.path, &error))
    }
}

fn values(row: &[u8]) -> Vec<f32> {
    let (pairs, _) = row.as_chunks::<2>();
    pairs.iter().map(|pair| f16::from_le_bytes(*pair).to_f32()).collect()
}

fn checksum(key: &Key, row: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(crc32fast::hash(&key.0));
    hasher.update(row);
    hasher.finalize()
}

fn failed(path: &Path, problem: &dyn std::fmt::Display) -> EmbedError {
    EmbedError::Cache(format!(
        "vector cache {}: {problem}; remove it, and it is computed again",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(path: &Path) -> FileCache {
        FileCache::open(path, "m", 2).unwrap()
    }

    #[test]
    fn what_is_kept_is_found_again_and_a_damaged_row_counts_as_absent() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cache");
        let (one, two) = (Key([1; 16]), Key([2; 16]));
        let rows = Vectors::from_data(2, vec![1.0, 0.0, 0.5, 0.5]).unwrap();
        opened(&path).put(&[one, two], &rows).unwrap();
        let mut cache = opened(&path);
        assert_eq!(cache.get(&[Key([3; 16]), two]).unwrap(), [None, Some(vec![0.5, 0.5])]);
        let damage = "UPDATE vector SET row = x'00000000' WHERE key = ?";
        cache.connection.execute(damage, [one.0]).unwrap();
        assert_eq!(cache.get(&[one]).unwrap(), [None]);
        cache.put(&[one, two], &rows).unwrap();
        assert_eq!(opened(&path).get(&[one]).unwrap(), [Some(vec![1.0, 0.0])]);
    }

    #[test]
    fn another_embedder_or_width_or_file_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cache");
        drop(opened(&path));
        for (id, dimension) in [("n", 2), ("m", 3)] {
            let error = FileCache::open(&path, id, dimension).unwrap_err().to_string();
            assert!(
                error.contains(&format!("expected {dimension} columns of {id}, found 2 columns of m")),
                "{error}"
            );
        }
        std::fs::write(&path, "something else entirely, and long enough to be looked at").unwrap();
        assert!(FileCache::open(&path, "m", 2).is_err());
    }
}
