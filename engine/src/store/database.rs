//! The sled half of a generation: written in batches, and read from a private copy, because sled writes to what it opens.

use super::StoreError;
use super::directory::io_error;
use super::pages::Pages;
use super::snapshot::Draft;
use crc32fast::Hasher;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Rows of one sled batch. Measured for the design: 10,000-row batches cost 3 GB of memory.
const MAX_BATCH: usize = 1_000;
/// sled's page cache; a generation is written and read once, front to back.
const CACHE_BYTES: u64 = 32 << 20;
/// The file that sled locks.
const LOG: &str = "db";
/// sled's files that hold what was written, and its directory of large values; others only save it work.
const HOLDING: [&str; 2] = ["conf", LOG];
const LARGE: &str = "blobs";
/// How often it is looked whether sled's threads have ended, and how long between: two seconds, arbitrary.
const MAX_LOOKS: usize = 200;
const PAUSE: Duration = Duration::from_millis(10);

pub(super) struct Database {
    path: PathBuf,
    /// Until it is closed.
    db: Option<sled::Db>,
    tree: Option<(&'static str, sled::Tree)>,
    batch: sled::Batch,
    n_batched: usize,
}

impl Database {
    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            path: path.to_owned(),
            db: Some(guarded(path, || open(path))?),
            tree: None,
            batch: sled::Batch::default(),
            n_batched: 0,
        })
    }

    /// Adds a row, perhaps only to the next batch; rows of one tree should come together.
    pub(super) fn put(&mut self, tree: &'static str, key: &[u8], record: Vec<u8>) -> Result<(), StoreError> {
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
    pub(super) fn close(mut self) -> Result<(), StoreError> {
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

    fn write_batch(&mut self) -> Result<(), StoreError> {
        let batch = std::mem::take(&mut self.batch);
        self.n_batched = 0;
        match &self.tree {
            Some((_, tree)) => guarded(&self.path, || tree.apply_batch(batch)),
            None => Ok(()),
        }
    }
}

impl Drop for Database {
    /// Closes a database that is given up: another error is what the user must see.
    fn drop(&mut self) {
        let parts = (self.tree.take(), self.db.take());
        drop(guarded(&self.path, || {
            drop(parts);
            Ok(())
        }));
    }
}

/// The database of a generation as a snapshot, read from a copy in the directory for temporary files. Cost O(size).
///
/// # Errors
/// [`StoreError`] where it cannot be copied, or sled cannot read it.
pub(super) fn pages(generation: &Path) -> Result<Arc<Pages>, StoreError> {
    let copy = tempfile::tempdir().map_err(io_error(generation, "cannot make room for a copy"))?;
    let target = copy.path();
    fs::create_dir(target.join(LARGE)).map_err(io_error(target, "cannot create"))?;
    for name in files(generation)? {
        fs::copy(generation.join(&name), target.join(&name)).map_err(io_error(generation, "cannot copy"))?;
    }
    let draft = tempfile::tempfile().and_then(|file| Draft::new(BufWriter::new(file)));
    let mut draft = draft.map_err(io_error(target, "cannot copy"))?;
    guarded(generation, || {
        let db = open(target)?;
        for tree in db.tree_names() {
            let name = String::from_utf8_lossy(&tree).into_owned();
            for row in &db.open_tree(&tree)? {
                let (key, record) = row?;
                draft.put(&name, &key, &record)?;
            }
        }
        Ok(())
    })?;
    let file = draft
        .finish()
        .and_then(|file| file.into_inner().map_err(io::Error::from));
    Pages::over(generation, file.map_err(io_error(target, "cannot copy"))?)
}

/// Length and checksum of each of sled's files in a generation, by name.
pub(super) fn sums(generation: &Path) -> Result<BTreeMap<String, (u64, u32)>, StoreError> {
    let sum = |name: String| {
        let path = generation.join(&name);
        let sum = File::open(&path)
            .and_then(sum)
            .map_err(io_error(&path, "cannot read"))?;
        Ok((name, sum))
    };
    files(generation)?.into_iter().map(sum).collect()
}

/// How many bytes there are, and their checksum.
pub(super) fn sum(mut file: impl Read) -> io::Result<(u64, u32)> {
    let (mut length, mut hasher, mut buffer) = (0, Hasher::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((length, hasher.finalize())),
            n => {
                length += n as u64;
                hasher.update(&buffer[..n]);
            }
        }
    }
}

/// Names of sled's files that hold what was written.
fn files(generation: &Path) -> Result<Vec<String>, StoreError> {
    let large = super::directory::names(&generation.join(LARGE))?;
    let large = large.into_iter().map(|name| format!("{LARGE}/{name}"));
    Ok(HOLDING.map(str::to_owned).into_iter().chain(large).collect())
}

fn open(path: &Path) -> sled::Result<sled::Db> {
    let config = sled::Config::new().path(path).cache_capacity(CACHE_BYTES);
    config.flush_every_ms(None).open()
}

/// Does what sled does. Where the disk fails or a file is damaged, some of its code panics; that becomes an error, too.
fn guarded<T>(path: &Path, work: impl FnOnce() -> sled::Result<T>) -> Result<T, StoreError> {
    let corrupt = |found: &str| StoreError::corrupt(path.display().to_string(), "a sound database", found);
    let refused = |source| io_error(path, "cannot read or write the database (is the disk full?)")(source);
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => Ok(done),
        // sled wraps what the system said into its own debug text; the kind says it in words.
        Ok(Err(sled::Error::Io(source))) => Err(refused(match source.raw_os_error() {
            Some(_) => source,
            None => source.kind().into(),
        })),
        Ok(Err(sled::Error::Corruption { .. })) => Err(corrupt("damaged pages")),
        Ok(Err(other)) => Err(corrupt(&other.to_string())),
        Err(_) => Err(refused(io::Error::other("sled gave up"))),
    }
}
