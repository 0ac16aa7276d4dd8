//! The directory around the generations: who may write, which generation is live, how the next one takes over.

use super::{Engine, StoreError};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Version of the layout described in [`crate::store`].
pub const FORMAT: u32 = 18;

const CURRENT: &str = "CURRENT";
const LOCK: &str = "LOCK";
const DRAFT: &str = "CURRENT.new";
/// What stands in `LOCK`: a directory that has it is a store, or was to become one.
const MARK: &[u8] = b"banyan store\n";

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
        loop {
            Self::check(path)?;
            let is_new = !path.exists();
            if is_new {
                create_private(path).map_err(io_error(path, "cannot create the directory"))?;
            }
            let place = path.join(LOCK);
            let opened = File::options().write(true).create(true).truncate(false).open(&place);
            let mut lock = opened.map_err(io_error(path, "cannot create the lock"))?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { path: path.to_owned() }),
                Err(TryLockError::Error(error)) => return Err(io_error(path, "cannot lock")(error)),
            }
            // Another writer may have removed the file between the opening and the locking.
            if is_at(&lock, &place) {
                // Where the disk is full, the store cannot be written either, and the user is told then.
                drop(lock.write_all(MARK));
                return Ok(Self {
                    path: path.to_owned(),
                    is_new,
                    _lock: lock,
                });
            }
        }
    }

    /// Whether `path` is free, empty, or a store that this program can replace.
    pub(super) fn check(path: &Path) -> Result<(), StoreError> {
        if !path.exists() {
            return Ok(());
        }
        if !path.is_dir() {
            return Err(not_a_store(path, "a file"));
        }
        if let Some(generation) = Self::lost(path).first() {
            let (store, name) = (path.display(), names_end(generation));
            let what = "is missing or damaged; `banyan verify --repair` restores it";
            return Err(StoreError::Unusable(format!(
                "{store} holds {name}, which is whole, but CURRENT, which names it, {what}"
            )));
        }
        if Self::is_store(path) {
            Self::current(path).map(drop)
        } else {
            refuse_foreign_files(path)
        }
    }

    pub(super) fn is_store(path: &Path) -> bool {
        path.join(CURRENT).is_file()
    }

    /// Where no `CURRENT` says which generation is live, those that were written to their end, the newest first.
    pub(super) fn lost(path: &Path) -> Vec<PathBuf> {
        let told = fs::read(path.join(CURRENT)).unwrap_or_default();
        let told = String::from_utf8_lossy(&told);
        let mut lines = told.lines();
        let format = lines.next().and_then(|line| line.strip_prefix("banyan store "));
        let is_told = format.is_some_and(|number| number.parse::<u32>().is_ok());
        if is_told
            && lines
                .next()
                .is_some_and(|name| is_generation(name) && path.join(name).is_dir())
        {
            return Vec::new();
        }
        let found = names(path).unwrap_or_default();
        let numbers = found
            .iter()
            .filter_map(|name| name.strip_prefix("gen-")?.parse::<u64>().ok());
        let mut numbers: Vec<u64> = numbers.collect();
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        let generations = numbers.into_iter().map(|number| path.join(format!("gen-{number}")));
        generations.filter(|one| super::generation::is_ended(one)).collect()
    }

    /// Makes a generation that is on the disk the live one.
    pub(super) fn restore(path: &Path, generation: &Path) -> Result<(), StoreError> {
        let text = format!("banyan store {FORMAT}\n{}\n", names_end(generation));
        replace(path, (DRAFT, CURRENT), text.as_bytes()).map_err(io_error(path, "cannot write CURRENT"))
    }

    /// The live generation, which this program can read.
    pub(super) fn current(path: &Path) -> Result<PathBuf, StoreError> {
        if !path.exists() || (path.is_dir() && !Self::is_store(path)) {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        if !path.is_dir() {
            return Err(not_a_store(path, "a file"));
        }
        let text = fs::read_to_string(path.join(CURRENT)).map_err(io_error(path, "cannot read CURRENT"))?;
        let mut lines = text.lines();
        let format = lines
            .next()
            .and_then(|line| line.strip_prefix("banyan store "))
            .and_then(|number| number.parse::<u32>().ok());
        match (format, lines.next()) {
            (Some(found), _) if found != FORMAT => {
                let advice = if found > FORMAT {
                    "use a newer banyan, or build into another directory"
                } else {
                    "write it down with the banyan that made it (`banyan dump --json`) and load that with this one (`banyan load`), or build again elsewhere"
                };
                let (store, format) = (
                    path.display(),
                    format!("has format {found}, this program reads {FORMAT}"),
                );
                Err(StoreError::Unusable(format!("store {store} {format}; {advice}")))
            }
            (Some(_), Some(name)) if is_generation(name) => Ok(path.join(name)),
            _ => Err(not_a_store(path, &format!("CURRENT with {text:?}"))),
        }
    }

    /// The live generation.
    pub(super) fn live(&self) -> Result<PathBuf, StoreError> {
        Self::current(&self.path)
    }

    /// The database of the live generation; sled where there is none.
    pub(super) fn engine(&self) -> Engine {
        Self::current(&self.path).map_or(Engine::default(), |live| Engine::of(&live))
    }

    /// A path for the next generation. Generations that `CURRENT` does not name are left from writers that died: they go.
    pub(super) fn next_generation(&self) -> Result<PathBuf, StoreError> {
        let live = match Self::current(&self.path) {
            Ok(live) => Some(live),
            Err(StoreError::Missing { .. }) => None,
            Err(error) => return Err(error),
        };
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

    /// Makes `generation`, which is on the disk, the live one; then drops the one before.
    pub(super) fn publish(&self, generation: &Path) -> Result<(), StoreError> {
        let before = Self::current(&self.path).ok();
        sync(&self.path).map_err(io_error(&self.path, "cannot replace CURRENT"))?;
        Self::restore(&self.path, generation)?;
        if self.is_new {
            let parent = self.path.join("..");
            sync(&parent).map_err(io_error(&parent, "cannot write"))?;
        }
        // The store is what was asked for. What stays of the generation before goes with the next write.
        drop(before.map(fs::remove_dir_all));
        Ok(())
    }

    /// Clears what a failed write left, unless the store is that by now.
    pub(super) fn discard(&self, generation: &Path) {
        if Self::current(&self.path).is_ok_and(|live| live == generation) {
            return;
        }
        // The write has failed already and its error is what the user must see; leftovers are cleared by the next writer.
        drop(fs::remove_dir_all(generation));
        drop(fs::remove_file(self.path.join(DRAFT)));
    }
}

impl Drop for Directory {
    /// Takes away a lock, and a directory made for it, of a store that never came to be. Where somebody put files into
    /// the directory, it and the lock stay, so that the next build takes it for its own.
    fn drop(&mut self) {
        if names(&self.path).is_ok_and(|names| names == [LOCK]) {
            // If either cannot be removed, what stays is a directory that the next build accepts.
            drop(fs::remove_file(self.path.join(LOCK)));
            if self.is_new {
                drop(fs::remove_dir(&self.path));
            }
        }
    }
}

pub(super) fn size(path: &Path) -> Result<u64, StoreError> {
    let mut total = 0;
    for name in names(path)? {
        let entry = path.join(name);
        let meta = fs::symlink_metadata(&entry).map_err(io_error(&entry, "cannot read"))?;
        total += if meta.is_dir() { size(&entry)? } else { meta.len() };
    }
    Ok(total)
}

/// Makes a directory that only its owner can enter, and those above it.
fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// Copies a directory with all below it, durably.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let all = |from: &Path, to: &Path| -> io::Result<()> {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            if entry.file_name() == super::recent::DRAFT {
                continue;
            }
            let target = to.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                copy(&entry.path(), &target).map_err(io::Error::other)?;
            } else {
                // Not `fs::copy`: of a file that nobody may write it makes another, which cannot be synced.
                io::copy(&mut File::open(entry.path())?, &mut File::create_new(&target)?)?;
            }
        }
        sync_below(to)
    };
    all(from, to).map_err(io_error(from, "cannot copy"))
}

/// Makes every file and name below a directory durable, so that a power cut cannot bring back a name whose bytes are
/// gone.
pub(super) fn sync_below(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_below(&entry.path())?;
        } else {
            File::options().write(true).open(entry.path())?.sync_all()?;
        }
    }
    sync(directory)
}

/// Replaces a file of a directory as a whole, durably: a crash at any instant leaves the old one or the new. It is written under
/// the first name and moved to the second.
pub(super) fn replace(directory: &Path, (draft, name): (&str, &str), bytes: &[u8]) -> io::Result<()> {
    let draft = directory.join(draft);
    let written = File::create(&draft)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&draft, directory.join(name)))
        .and_then(|()| sync(directory));
    if written.is_err() {
        // The write has failed already, and its error is what the user must see.
        drop(fs::remove_file(&draft));
    }
    written
}

/// Makes the names in a directory durable.
pub(super) fn sync(directory: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(directory)?.sync_all()
    } else {
        Ok(())
    }
}

/// Whether the file is still the one with this name.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |found: fs::Metadata| (found.dev(), found.ino());
        let (held, named) = (file.metadata().map(place), fs::metadata(path).map(place));
        matches!((held, named), (Ok(held), Ok(named)) if held == named)
    }
    #[cfg(not(unix))]
    {
        file.metadata().is_ok() && path.exists()
    }
}

/// A directory without `CURRENT` is free where it is empty, or has the mark of a store that was not finished.
fn refuse_foreign_files(path: &Path) -> Result<(), StoreError> {
    match names(path)?.first() {
        Some(name) if fs::read(path.join(LOCK)).ok().as_deref() != Some(MARK) => {
            Err(not_a_store(path, &format!("a directory with `{name}`")))
        }
        _ => Ok(()),
    }
}

/// The last part of a path.
fn names_end(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_generation(name: &str) -> bool {
    name.strip_prefix("gen-")
        .is_some_and(|number| number.parse::<u64>().is_ok())
}

pub(super) fn names(path: &Path) -> Result<Vec<String>, StoreError> {
    let list = || -> io::Result<Vec<String>> {
        fs::read_dir(path)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect()
    };
    let mut names = list().map_err(io_error(path, "cannot list"))?;
    names.sort();
    Ok(names)
}

fn not_a_store(path: &Path, found: &str) -> StoreError {
    let expected = "a directory made by `banyan build`, an empty one, or none";
    StoreError::Unusable(format!(
        "{} is not a store: expected {expected}, found {found}; name another directory",
        path.display()
    ))
}

pub(super) fn io_error(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { path, action, source }
}
