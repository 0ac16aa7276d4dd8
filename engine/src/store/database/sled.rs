//! sled 0.34: written in batches, and read from a private copy, because sled writes to what it opens.

use super::{Database, Take, guarded};
use crate::store::StoreError;
use crate::store::directory::{io_error, names};
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rows of one batch. sled writes a row again whenever it divides the page that the row is on; only where what was written is
/// flushed between is the room of the old page used for the next. With 1,000 rows a database takes 2.4 times what it holds,
/// with 50 1.3 times.
const MAX_BATCH: usize = 50;
/// The page cache; a generation is written and read once, front to back.
const CACHE_BYTES: u64 = 32 << 20;
/// The file that sled locks.
pub(super) const LOG: &str = "db";
/// A quarter of sled's own, of which small stores would be half empty. What is larger than a quarter of one is a file of its
/// own: some 500 where there are 200,000 passages.
const SEGMENT_BYTES: usize = 128 << 10;
/// Files that hold what was written, and the directory of large values; others only save sled work.
const HOLDING: [&str; 2] = ["conf", LOG];
const LARGE: &str = "blobs";
/// How often it is looked whether sled's threads have ended, and how long between: two seconds, arbitrary.
const MAX_LOOKS: usize = 200;
const PAUSE: Duration = Duration::from_millis(10);

pub(super) struct Sled {
    path: PathBuf,
    /// Until it is closed.
    db: Option<sled::Db>,
    tree: Option<(&'static str, sled::Tree)>,
    batch: sled::Batch,
    n_batched: usize,
}

impl Sled {
    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            path: path.to_owned(),
            db: Some(guarded(path, || open(path))?),
            tree: None,
            batch: sled::Batch::default(),
            n_batched: 0,
        })
    }

    fn write_batch(&mut self) -> Result<(), StoreError> {
        if self.n_batched == 0 {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.batch);
        self.n_batched = 0;
        match &self.tree {
            Some((_, tree)) => guarded(&self.path, || {
                tree.apply_batch(batch)?;
                tree.flush().map(drop)
            }),
            None => Ok(()),
        }
    }
}

impl Database for Sled {
    fn put(&mut self, tree: &'static str, key: &[u8], record: Vec<u8>) -> Result<(), StoreError> {
        if self.tree.as_ref().is_none_or(|(name, _)| *name != tree) {
            self.write_batch()?;
            let db = self.db.as_ref();
            let opened = guarded(&self.path, || db.map(|db| db.open_tree(tree)).transpose())?;
            self.tree = opened.map(|opened| (tree, opened));
        }
        self.batch.insert(key, record);
        self.n_batched += 1;
        if self.n_batched == MAX_BATCH {
            self.write_batch()?;
        }
        Ok(())
    }

    /// Writes what is pending, and waits until none of sled's threads has the files open any more.
    fn close(mut self: Box<Self>) -> Result<(), StoreError> {
        self.write_batch()?;
        self.tree = None;
        let db = self.db.take();
        guarded(&self.path, || db.map_or(Ok(0), |db| db.flush()))?;
        let failed = |error| io_error(&self.path, "cannot close the database")(error);
        let log = File::open(self.path.join(LOG)).map_err(failed)?;
        for _ in 0..MAX_LOOKS {
            match log.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Err(failed(io::ErrorKind::TimedOut.into()))
    }
}

impl Drop for Sled {
    /// Closes a database that is given up: another error is what the user must see.
    fn drop(&mut self) {
        let parts = (self.tree.take(), self.db.take());
        drop(guarded(&self.path, || {
            drop(parts);
            Ok::<(), sled::Error>(())
        }));
    }
}

/// Gives every row to `take`.
pub(super) fn rows(path: &Path, take: Take<'_>) -> Result<(), StoreError> {
    guarded(path, || {
        let db = open(path)?;
        for tree in db.tree_names() {
            let name = String::from_utf8_lossy(&tree).into_owned();
            for row in &db.open_tree(&tree)? {
                let (key, record) = row?;
                take(&name, &key, &record)?;
            }
        }
        Ok::<(), sled::Error>(())
    })
}

/// Names of the files that hold what was written.
pub(super) fn files(generation: &Path) -> Result<Vec<String>, StoreError> {
    let large = names(&generation.join(LARGE))?;
    let large = large.into_iter().map(|name| format!("{LARGE}/{name}"));
    Ok(HOLDING.map(str::to_owned).into_iter().chain(large).collect())
}

fn open(path: &Path) -> sled::Result<sled::Db> {
    let config = sled::Config::new().path(path).cache_capacity(CACHE_BYTES);
    let config = config.segment_size(SEGMENT_BYTES);
    config.flush_every_ms(None).open()
}

impl From<sled::Error> for super::Failure {
    fn from(error: sled::Error) -> Self {
        match error {
            // sled wraps what the system said into its own debug text; the kind says it in words.
            sled::Error::Io(source) => Self::Io(match source.raw_os_error() {
                Some(_) => source,
                None => source.kind().into(),
            }),
            sled::Error::Corruption { .. } => Self::Corrupt("damaged pages".to_owned()),
            other => Self::Corrupt(other.to_string()),
        }
    }
}
