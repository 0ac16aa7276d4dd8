//! The directory around the generations: who may write, which generation is live, how the next one takes over.

use super::StoreError;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Version of the layout described in [`crate::store`].
pub const FORMAT: u32 = 4;

const CURRENT: &str = "CURRENT";
const LOCK: &str = "LOCK";
const READ: &str = "READ";
const EXPECTED: &str = "a directory made by `banyan build`, an empty one, or none";

/// A store directory that this process may write.
pub(super) struct Directory {
    path: PathBuf,
    is_new: bool,
    /// The lock lasts as long as the file is open.
    _lock: File,
}

impl Directory {
    /// Takes the right to write at `path`, making the directory where there is none.
    pub(super) fn lock(path: &Path) -> Result<Self, StoreError> {
        Self::check(path)?;
        let is_new = !path.exists();
        if is_new {
            fs::create_dir_all(path).map_err(io_error(path, "cannot create the directory"))?;
        }
        let lock = File::create(path.join(LOCK)).map_err(io_error(path, "cannot create the lock"))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                path: path.to_owned(),
                is_new,
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => Err(io_error(path, "cannot lock")(error)),
        }
    }

    /// Whether `path` is free, empty, or a store that this program can replace.
    pub(super) fn check(path: &Path) -> Result<(), StoreError> {
        if !path.exists() {
            return Ok(());
        }
        if !path.is_dir() {
            return Err(not_a_store(path, "a file".to_owned()));
        }
        if Self::is_store(path) {
            Self::head(path).map(drop)
        } else {
            refuse_foreign_files(path)
        }
    }

    /// Whether there is a `CURRENT` file.
    pub(super) fn is_store(path: &Path) -> bool {
        path.join(CURRENT).is_file()
    }

    /// The live generation, which this program can read.
    pub(super) fn current(path: &Path) -> Result<PathBuf, StoreError> {
        let (found, generation) = Self::head(path)?;
        if found < FORMAT {
            return Err(StoreError::Older {
                path: path.to_owned(),
                expected: FORMAT,
                found,
            });
        }
        Ok(generation)
    }

    /// The format and the live generation of a store, which may be too old to read but can be replaced.
    fn head(path: &Path) -> Result<(u32, PathBuf), StoreError> {
        if !path.exists() || (path.is_dir() && !Self::is_store(path)) {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        if !path.is_dir() {
            return Err(not_a_store(path, "a file".to_owned()));
        }
        let text = fs::read_to_string(path.join(CURRENT)).map_err(io_error(path, "cannot read CURRENT"))?;
        let mut lines = text.lines();
        let format = lines
            .next()
            .and_then(|line| line.strip_prefix("banyan store "))
            .and_then(|number| number.parse::<u32>().ok());
        match (format, lines.next()) {
            (Some(found), _) if found > FORMAT => Err(StoreError::Newer {
                path: path.to_owned(),
                expected: FORMAT,
                found,
            }),
            (Some(format), Some(name)) if is_generation(name) => Ok((format, path.join(name))),
            _ => Err(not_a_store(path, format!("CURRENT with {text:?}"))),
        }
    }

    /// An empty directory for the next generation; leftovers of interrupted writes are cleared.
    pub(super) fn next_generation(&self) -> Result<PathBuf, StoreError> {
        let live = Self::head(&self.path).ok().map(|(_, generation)| generation);
        let mut newest = 0;
        for name in names(&self.path)?.iter().filter(|name| is_generation(name)) {
            let generation = self.path.join(name);
            if live.as_ref() == Some(&generation) {
                newest = name["gen-".len()..].parse().unwrap_or(0_u64);
            } else {
                fs::remove_dir_all(&generation).map_err(io_error(&generation, "cannot clear a leftover"))?;
            }
        }
        Ok(self.path.join(format!("gen-{}", newest + 1)))
    }

    /// Waits for its turn to read; the turn lasts as long as the file is open.
    pub(super) fn reading(path: &Path) -> Result<File, StoreError> {
        Self::current(path)?;
        // Who may read a store need not be allowed to write to it.
        let turn = File::open(path.join(READ)).or_else(|_| File::create(path.join(READ)));
        let turn = turn.map_err(io_error(path, "cannot open the read lock"))?;
        turn.lock().map_err(io_error(path, "cannot lock for reading"))?;
        Ok(turn)
    }

    /// Makes `generation` the live one, then drops the others.
    pub(super) fn publish(&self, generation: &Path) -> Result<(), StoreError> {
        let turn = File::create(self.path.join(READ)).and_then(|turn| turn.lock().map(|()| turn));
        let turn = turn.map_err(io_error(&self.path, "cannot lock for replacing"))?;
        sync(generation).map_err(io_error(generation, "cannot make durable"))?;
        let name = generation.file_name().unwrap_or_default().to_string_lossy();
        let draft = self.path.join("CURRENT.new");
        let written = File::create(&draft).and_then(|mut file| {
            write!(file, "banyan store {FORMAT}\n{name}\n")?;
            file.sync_all()
        });
        written
            .and_then(|()| fs::rename(&draft, self.path.join(CURRENT)))
            .and_then(|()| sync(&self.path))
            .map_err(io_error(&self.path, "cannot replace CURRENT"))?;
        for other in names(&self.path)?
            .iter()
            .filter(|other| is_generation(other) && **other != name)
        {
            let old = self.path.join(other);
            fs::remove_dir_all(&old).map_err(io_error(&old, "cannot drop the previous generation"))?;
        }
        drop(turn);
        Ok(())
    }

    /// Clears what a failed write left.
    pub(super) fn discard(generation: &Path) {
        // The write has failed already and its error is what the user must see; leftovers are cleared by the next writer.
        drop(fs::remove_dir_all(generation));
    }
}

impl Drop for Directory {
    /// Takes away a directory that was made for a store which never came to be.
    fn drop(&mut self) {
        if self.is_new && !Self::is_store(&self.path) {
            // Only the lock is in it; if it cannot be removed, an empty directory stays, which the next build accepts.
            drop(fs::remove_dir_all(&self.path));
        }
    }
}

/// Bytes of all files below `path`.
pub(super) fn size(path: &Path) -> Result<u64, StoreError> {
    let mut total = 0;
    for name in names(path)? {
        let entry = path.join(name);
        let meta = fs::symlink_metadata(&entry).map_err(io_error(&entry, "cannot read"))?;
        total += if meta.is_dir() { size(&entry)? } else { meta.len() };
    }
    Ok(total)
}

/// Makes the names in a directory durable, so that a power cut cannot bring back a name whose files are gone.
fn sync(directory: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(directory)?.sync_all()
    } else {
        Ok(())
    }
}

fn refuse_foreign_files(path: &Path) -> Result<(), StoreError> {
    let foreign = names(path)?
        .into_iter()
        .find(|name| name != LOCK && name != READ && name != "CURRENT.new" && !is_generation(name));
    match foreign {
        None => Ok(()),
        Some(name) => Err(not_a_store(path, format!("a directory with `{name}`"))),
    }
}

fn is_generation(name: &str) -> bool {
    name.strip_prefix("gen-")
        .is_some_and(|number| number.parse::<u64>().is_ok())
}

fn names(path: &Path) -> Result<Vec<String>, StoreError> {
    let list = || -> io::Result<Vec<String>> {
        fs::read_dir(path)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect()
    };
    let mut names = list().map_err(io_error(path, "cannot list"))?;
    names.sort();
    Ok(names)
}

fn not_a_store(path: &Path, found: String) -> StoreError {
    StoreError::NotAStore {
        path: path.to_owned(),
        expected: EXPECTED,
        found,
    }
}

pub(super) fn io_error(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { path, action, source }
}
