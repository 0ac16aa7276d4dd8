//! What is computed from a store at query time and dear: kept in the directory of the live generation, and gone with it.
//!
//! So a change of the documents invalidates it, a document that is removed leaves nothing behind, and a store that is
//! copied brings it along. It is a cache: what is missing or damaged is computed again.

use super::directory::{Directory, io_error};
use super::{StoreError, codec, recent};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Directory within a generation.
const NAME: &str = "derived";
/// Things kept at a time; before one more is kept, all go. Arbitrary: a bound on a store that is asked for years.
const MAX_KEPT: usize = 64;

/// The right place for what is derived from one generation of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    store: PathBuf,
    generation: PathBuf,
    /// Of what was added to the generation.
    state: Vec<u8>,
}

impl Derived {
    /// The place of the live generation. Take it before the store is read, so that what is derived from an older
    /// generation is never kept for a newer one.
    ///
    /// # Errors
    /// [`StoreError`] where there is no store that this program reads.
    pub fn of(store: &Path) -> Result<Self, StoreError> {
        let generation = Directory::current(store)?;
        Ok(Self {
            store: store.to_owned(),
            state: recent::state(&generation),
            generation,
        })
    }

    /// What was kept under a name and a key; `None` where nothing was, or what is there cannot be read. Cost O(size).
    pub fn get<T: DeserializeOwned>(&self, name: &str, key: &str) -> Option<T> {
        let bytes = fs::read(self.file(name, key)).ok()?;
        codec::decode(name, &bytes).ok()
    }

    /// Keeps a value, unless the generation was replaced in the meantime; says whether it was kept. `name` is a plain
    /// word, `key` any text that says what the value depends on beside the documents. Cost O(size).
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be written; the store is as usable as before.
    pub fn keep<T: Serialize>(&self, name: &str, key: &str, value: &T) -> Result<bool, StoreError> {
        let record = codec::encode(name, value)?;
        if Directory::current(&self.store)? != self.generation || recent::state(&self.generation) != self.state {
            return Ok(false);
        }
        let place = self.generation.join(NAME);
        let n_kept = fs::read_dir(&place).map_or(0, Iterator::count);
        if n_kept >= MAX_KEPT {
            fs::remove_dir_all(&place).map_err(io_error(&place, "cannot clear"))?;
        }
        let kept = || -> io::Result<()> {
            match fs::create_dir(&place) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            let mut draft = tempfile::NamedTempFile::new_in(&place)?;
            draft.write_all(&record)?;
            draft.persist(self.file(name, key))?;
            Ok(())
        };
        match kept() {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(io_error(&place, "cannot write")(error)),
        }
    }

    fn file(&self, name: &str, key: &str) -> PathBuf {
        let digest = Sha256::new().chain_update(&self.state).chain_update(key).finalize();
        let hex = digest
            .iter()
            .take(16)
            .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        self.generation.join(NAME).join(format!("{name}-{hex}"))
    }
}

/// Drops what was derived from a state of a generation that is no more.
pub(super) fn clear(generation: &Path) {
    // What stays is asked for under the name of a state that is not there, and goes with the generation.
    drop(fs::remove_dir_all(generation.join(NAME)));
}
