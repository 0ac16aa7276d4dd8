//! The half of a generation that a database keeps: written once, durable when it is closed, and read as a whole.

use super::StoreError;
use super::directory::io_error;
use super::pages::Pages;
use super::snapshot::Draft;
use crc32fast::Hasher;
use serde::Deserialize;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Arc, Once};

mod redb;
mod sled;

/// Which database keeps a generation; ARCHITECTURE compares them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// sled 0.34.
    #[default]
    Sled,
    /// redb.
    Redb,
}

/// A database that is being filled. One that is dropped before it is closed may hold anything.
pub(super) trait Database {
    /// Adds a row, perhaps only to the next batch; rows of one tree should come together.
    fn put(&mut self, tree: &'static str, key: &[u8], record: Vec<u8>) -> Result<(), StoreError>;

    /// Writes what is pending; afterwards no thread has its files open.
    fn close(self: Box<Self>) -> Result<(), StoreError>;
}

/// Takes a row: tree, key, record.
type Take<'a> = &'a mut dyn FnMut(&str, &[u8], &[u8]) -> io::Result<()>;

impl Engine {
    /// An empty database in the directory of a generation, which is made.
    pub(super) fn create(self, generation: &Path) -> Result<Box<dyn Database>, StoreError> {
        Ok(match self {
            Self::Sled => Box::new(sled::Sled::create(generation)?),
            Self::Redb => Box::new(redb::Redb::create(generation)?),
        })
    }

    /// That of a generation.
    pub(super) fn of(generation: &Path) -> Self {
        if generation.join(redb::FILE).is_file() {
            Self::Redb
        } else {
            Self::Sled
        }
    }

    /// Names of the files that hold what was written.
    fn files(self, generation: &Path) -> Result<Vec<String>, StoreError> {
        match self {
            Self::Sled => sled::files(generation),
            Self::Redb => Ok(vec![redb::FILE.to_owned()]),
        }
    }

    fn rows(self, generation: &Path, take: Take<'_>) -> Result<(), StoreError> {
        match self {
            Self::Sled => sled::rows(generation, take),
            Self::Redb => redb::rows(generation, take),
        }
    }
}

/// The database of a generation as a snapshot, read from a copy in the directory for temporary files: what is opened may be
/// written to. Cost O(size).
///
/// # Errors
/// [`StoreError`] where it cannot be copied or read.
pub(super) fn pages(generation: &Path) -> Result<Arc<Pages>, StoreError> {
    let engine = Engine::of(generation);
    let copy = tempfile::tempdir().map_err(io_error(generation, "cannot make room for a copy"))?;
    let target = copy.path();
    for name in engine.files(generation)? {
        let to = target.join(&name);
        let made = to.parent().map_or(Ok(()), fs::create_dir_all);
        // Not with its permissions: a store may be there to be read alone.
        made.and_then(|()| io::copy(&mut File::open(generation.join(&name))?, &mut File::create(to)?))
            .map_err(io_error(generation, "cannot copy"))?;
    }
    let draft = tempfile::tempfile().and_then(|file| Draft::new(BufWriter::new(file)));
    let mut draft = draft.map_err(io_error(target, "cannot copy"))?;
    engine.rows(target, &mut |tree, key, record| draft.put(tree, key, record))?;
    let file = draft
        .finish()
        .and_then(|file| file.into_inner().map_err(io::Error::from));
    Pages::over(generation, file.map_err(io_error(target, "cannot copy"))?)
}

/// Length and checksum of each of the database's files in a generation, by name.
pub(super) fn sums(generation: &Path) -> Result<BTreeMap<String, (u64, u32)>, StoreError> {
    let sum = |name: String| {
        let path = generation.join(&name);
        let sum = File::open(&path)
            .and_then(sum)
            .map_err(io_error(&path, "cannot read"))?;
        Ok((name, sum))
    };
    Engine::of(generation).files(generation)?.into_iter().map(sum).collect()
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

/// What went wrong in a database.
enum Failure {
    Io(io::Error),
    Corrupt(String),
}

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Keeps panics that become errors from being printed, from the first time on.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |told| {
            if !IS_GUARDED.get() {
                print(told);
            }
        }));
    });
}

/// Does what a database does. Where the disk fails or a file is damaged, some of its code panics; that becomes an error, too.
fn guarded<T, E: Into<Failure>>(path: &Path, work: impl FnOnce() -> Result<T, E>) -> Result<T, StoreError> {
    let refused = |source| io_error(path, "cannot read or write the database (is the disk full?)")(source);
    silence();
    IS_GUARDED.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(false);
    match done {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(match error.into() {
            Failure::Io(source) => refused(source),
            Failure::Corrupt(found) => StoreError::corrupt(path.display().to_string(), "a sound database", found),
        }),
        Err(_) => Err(refused(io::Error::other("the database gave up"))),
    }
}
