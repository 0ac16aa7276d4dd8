//! The snapshot of a generation, open for reading: rows and lists, fetched where they are needed.

use super::contents::{Contents, number};
use super::directory::io_error;
use super::row::{Limits, Row};
use super::snapshot;
use super::{StoreError, codec};
use crate::paged::{Health, Lazy, Paged, Sorted};
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The tree of single rows, and of the first keys of the blocks of lists that are looked up by key.
pub(super) const META: &str = "meta";
pub(super) const HEADS: &str = "head";
/// The tree of the first rows of the blocks of each list.
pub(super) const EXTENT: &str = "extent";

/// The lists of the vectors of passages, and of their codes.
const VECTORS: &str = "vector";
const CODES: &str = "vector-code";
/// Largest record that is read at once; a forged length must not ask for more memory than there is.
const MAX_RECORD: u64 = 4 << 30;

pub(super) struct Pages {
    path: PathBuf,
    file: Mutex<File>,
    contents: Contents,
    extents: BTreeMap<String, Arc<[u32]>>,
    health: Health,
}

/// Makes the lists of a store, whose rows refer to lists of these lengths.
pub(super) struct Lists {
    pages: Arc<Pages>,
    limits: Limits,
}

impl Pages {
    /// Opens the snapshot at `path`. Cost O(blocks).
    ///
    /// # Errors
    /// [`StoreError`] where there is none, or its directory is damaged.
    pub(super) fn open(path: &Path) -> Result<Arc<Self>, StoreError> {
        let file = File::open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => StoreError::corrupt(path.display().to_string(), "a snapshot", "nothing"),
            _ => io_error(path, "cannot read")(error),
        })?;
        Self::over(path, file)
    }

    /// Opens the snapshot in a file, which `path` names to people.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(super) fn over(path: &Path, mut file: File) -> Result<Arc<Self>, StoreError> {
        let mut extents = BTreeMap::new();
        let mut pages = Self {
            path: path.to_owned(),
            contents: snapshot::contents(path, &mut file)?,
            file: Mutex::new(file),
            extents: BTreeMap::new(),
            health: Health::default(),
        };
        for (_, list) in pages.keys().filter(|(tree, _)| *tree == EXTENT) {
            let firsts: Vec<u32> = pages.get(EXTENT, &list)?;
            extents.insert(String::from_utf8_lossy(&list).into_owned(), firsts.into());
        }
        pages.extents = extents;
        Ok(Arc::new(pages))
    }

    /// What could not be read since.
    pub(super) fn health(&self) -> Health {
        self.health.clone()
    }

    /// Rows of a list.
    pub(super) fn n_rows(&self, tree: &str) -> usize {
        let last = self.extents.get(tree).and_then(|firsts| firsts.last());
        last.map_or(0, |n| *n as usize)
    }

    /// The value of a single row.
    pub(super) fn get<T: DeserializeOwned>(&self, tree: &str, key: &[u8]) -> Result<T, StoreError> {
        let read = codec::decode_sized(&self.name(tree, key), &self.record(tree, key)?)?;
        Ok(self.counted(tree, read))
    }

    /// What was read of a record.
    fn counted<T>(&self, tree: &str, (value, n_bytes): (T, usize)) -> T {
        // Every question needs all of the vectors, or all of their codes.
        if tree != CODES && (tree != VECTORS || self.n_rows(CODES) > 0) {
            self.health.read(n_bytes);
        }
        value
    }

    /// How a row is named to the owner of the store.
    fn name(&self, tree: &str, key: &[u8]) -> String {
        format!("tree `{tree}`, key {key:02x?} of {}", self.path.display())
    }

    /// Trees and keys of all records.
    pub(super) fn keys(&self) -> impl Iterator<Item = (&str, Cow<'_, [u8]>)> {
        let trees = self.contents.iter();
        trees.flat_map(|(tree, places)| places.keys().map(move |key| (tree.as_str(), key)))
    }

    /// The bytes of a record.
    ///
    /// # Errors
    /// [`StoreError`] where there is none, or it cannot be read.
    pub(super) fn record(&self, tree: &str, key: &[u8]) -> Result<Vec<u8>, StoreError> {
        let place = self.contents.get(tree).and_then(|places| places.get(key));
        let missing = || StoreError::corrupt(self.name(tree, key), "a record", "none");
        let (place, length) = place.ok_or_else(missing)?;
        let failed = io_error(&self.path, "cannot read");
        let size = usize::try_from(length.min(MAX_RECORD)).unwrap_or(usize::MAX);
        let mut record = Vec::new();
        // No read leaves the file in a state that another one could not begin from.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let done = file
            .seek(SeekFrom::Start(place))
            .and_then(|_| file.by_ref().take(size as u64).read_to_end(&mut record));
        done.map(|_| record).map_err(failed)
    }

    /// What a read gave; where it failed, that is noted and the rows are blank.
    fn noted<T: Default>(&self, read: Result<T, StoreError>) -> T {
        read.unwrap_or_else(|error| {
            self.health.note(error.into_fault());
            T::default()
        })
    }

    fn block<T: Row>(&self, tree: &str, block: usize, n: usize, limits: &Limits) -> Result<Vec<T>, StoreError> {
        let key = number(block);
        let read = T::unpack(&self.name(tree, &key), &self.record(tree, &key)?)?;
        let rows: Vec<T> = self.counted(tree, read);
        let corrupt = |expected: String, found: String| {
            let what = format!("tree `{tree}`, block {block} of {}", self.path.display());
            StoreError::corrupt(what, expected, found)
        };
        if rows.len() != n {
            return Err(corrupt(format!("{n} rows"), rows.len().to_string()));
        }
        match rows.iter().position(|row| !row.fits(limits)) {
            None => Ok(rows),
            Some(at) => Err(corrupt(
                "rows that refer to others".to_owned(),
                format!("row {at}, which does not"),
            )),
        }
    }
}

impl Lists {
    pub(super) fn new(pages: &Arc<Pages>, limits: Limits) -> Self {
        Self {
            pages: Arc::clone(pages),
            limits,
        }
    }

    /// The list in a tree; empty where there is none.
    pub(super) fn list<T: Row>(&self, tree: &'static str) -> Paged<T> {
        let (pages, limits) = (Arc::clone(&self.pages), self.limits);
        let firsts = pages.extents.get(tree).cloned().unwrap_or_default();
        Paged::stored(Arc::clone(&firsts), move |block| {
            let n = firsts[block + 1].saturating_sub(firsts[block]) as usize;
            pages.noted(pages.block(tree, block, n, &limits))
        })
    }

    /// The list in a tree, looked up by key.
    ///
    /// # Errors
    /// [`StoreError`] where the first keys of its blocks cannot be read.
    pub(super) fn sorted<V>(&self, tree: &'static str) -> Result<Sorted<String, V>, StoreError>
    where
        V: Clone + Default + Send + Sync,
        (String, V): Row,
    {
        let rows = self.list(tree);
        let heads = if rows.is_empty() {
            Vec::new()
        } else {
            self.pages.get(HEADS, tree.as_bytes())?
        };
        Ok(Sorted::stored(rows, heads))
    }

    /// The value of a single row, read when it is looked at.
    pub(super) fn value<T: Default + DeserializeOwned>(&self, key: &'static [u8]) -> Lazy<T> {
        let pages = Arc::clone(&self.pages);
        Lazy::stored(move || pages.noted(pages.get(META, key)))
    }
}
