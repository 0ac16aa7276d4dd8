//! Rows of one generation: batched writes, checked reads.

use super::{OnProgress, StoreError, codec};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rows of one sled batch. Measured for the design: 10,000-row batches cost 3 GB of memory.
const MAX_BATCH: usize = 1_000;
/// sled's page cache; a generation is read and written once, front to back.
const CACHE_BYTES: u64 = 32 << 20;
/// What sled's error says of a database that is open elsewhere; it has no kind of its own.
const LOCKED: &str = "could not acquire lock";
/// How often a locked database is tried, and how long between: two seconds, arbitrary.
const MAX_LOCKED: usize = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// An open generation.
pub(super) struct Rows<'a> {
    path: PathBuf,
    db: sled::Db,
    tree: Option<(&'static str, sled::Tree)>,
    batch: sled::Batch,
    n_batched: usize,
    n_written: usize,
    total: usize,
    on_progress: Option<OnProgress<'a>>,
}

/// Opens a database. One that this process has just dropped may hold its lock for a moment longer, as its threads end on
/// their own, so a lock is waited for.
fn open(path: &Path) -> sled::Result<sled::Db> {
    let config = sled::Config::new()
        .path(path)
        .cache_capacity(CACHE_BYTES)
        .flush_every_ms(None);
    for _ in 0..MAX_LOCKED {
        match config.open() {
            Err(sled::Error::Io(error)) if error.to_string().contains(LOCKED) => std::thread::sleep(PAUSE),
            opened => return opened,
        }
    }
    config.open()
}

impl<'a> Rows<'a> {
    /// Opens a generation for reading.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.is_dir() {
            return Err(StoreError::Corrupt {
                what: path.display().to_string(),
                expected: "a directory".to_owned(),
                found: "nothing".to_owned(),
            });
        }
        Self::with(path, 0, None)
    }

    /// Starts a new generation of `total` rows.
    pub(super) fn create(path: &Path, total: usize, on_progress: OnProgress<'a>) -> Result<Self, StoreError> {
        Self::with(path, total, Some(on_progress))
    }

    fn with(path: &Path, total: usize, on_progress: Option<OnProgress<'a>>) -> Result<Self, StoreError> {
        let db = open(path).map_err(|error| database(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            db,
            tree: None,
            batch: sled::Batch::default(),
            n_batched: 0,
            n_written: 0,
            total,
            on_progress,
        })
    }

    /// Adds a row; rows of one tree should come together.
    pub(super) fn put<T: Serialize>(&mut self, tree: &'static str, key: &[u8], value: &T) -> Result<(), StoreError> {
        if self.tree.as_ref().is_none_or(|(name, _)| *name != tree) {
            self.write_batch()?;
            self.tree = Some((tree, self.tree(tree)?));
        }
        self.batch.insert(key, codec::encode(tree, value)?);
        self.n_batched += 1;
        if self.n_batched == MAX_BATCH {
            self.write_batch()?;
        }
        Ok(())
    }

    /// Writes what is pending and makes everything durable.
    pub(super) fn close(mut self) -> Result<(), StoreError> {
        self.write_batch()?;
        self.db.flush().map(drop).map_err(|error| database(&self.path, error))
    }

    /// One row.
    pub(super) fn get<T: DeserializeOwned>(&self, tree: &'static str, key: &[u8]) -> Result<T, StoreError> {
        let found = self.tree(tree)?.get(key).map_err(|error| database(&self.path, error))?;
        let record = found.ok_or_else(|| StoreError::Corrupt {
            what: format!("tree `{tree}`, key {key:02x?}"),
            expected: "a record".to_owned(),
            found: "none".to_owned(),
        })?;
        codec::decode(&format!("tree `{tree}`, key {key:02x?}"), &record)
    }

    /// All rows of a tree in key order, `expected` of them.
    pub(super) fn all<T: DeserializeOwned>(&self, tree: &'static str, expected: usize) -> Result<Vec<T>, StoreError> {
        let values = self
            .tree(tree)?
            .iter()
            .map(|row| {
                let (key, record) = row.map_err(|error| database(&self.path, error))?;
                codec::decode(&format!("tree `{tree}`, key {:02x?}", key.as_ref()), &record)
            })
            .collect::<Result<Vec<T>, _>>()?;
        if values.len() == expected {
            Ok(values)
        } else {
            Err(StoreError::Corrupt {
                what: format!("tree `{tree}`"),
                expected: format!("{expected} rows"),
                found: values.len().to_string(),
            })
        }
    }

    fn write_batch(&mut self) -> Result<(), StoreError> {
        let batch = std::mem::take(&mut self.batch);
        if let Some((_, tree)) = &self.tree {
            tree.apply_batch(batch).map_err(|error| database(&self.path, error))?;
        }
        self.n_written += std::mem::take(&mut self.n_batched);
        let (written, total) = (self.n_written.min(self.total), self.total);
        let goes_on = self
            .on_progress
            .as_mut()
            .is_none_or(|on_progress| on_progress(written, total));
        if goes_on { Ok(()) } else { Err(StoreError::Stopped) }
    }

    fn tree(&self, name: &'static str) -> Result<sled::Tree, StoreError> {
        self.db.open_tree(name).map_err(|error| database(&self.path, error))
    }
}

/// What a refusal of the database means to the owner of the store.
fn database(path: &Path, error: sled::Error) -> StoreError {
    match error {
        sled::Error::Io(source) => StoreError::Io {
            path: path.to_owned(),
            action: "cannot read or write the database (is the disk full?)",
            // sled wraps what the system said into its own debug text; the kind says it in words.
            source: if source.raw_os_error().is_some() {
                source
            } else {
                source.kind().into()
            },
        },
        other => StoreError::Corrupt {
            what: path.display().to_string(),
            expected: "a sound database".to_owned(),
            found: match other {
                sled::Error::Corruption { .. } => "damaged pages".to_owned(),
                other => other.to_string(),
            },
        },
    }
}
