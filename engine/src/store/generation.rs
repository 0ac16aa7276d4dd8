//! One generation: both halves written together, the snapshot read.

use super::database::{self, Database, Engine};
use super::directory::{Directory, io_error, sync_below};
use super::pages::Pages;
use super::record::is_in_database;
use super::snapshot::Draft;
use super::{OnProgress, StoreError, codec};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The snapshot's name in a generation.
pub(super) const SNAPSHOT: &str = "rows";
/// The snapshot's tree that tells what the database's files must be.
pub(super) const FILES: &str = "file";
const WRITING: &str = "cannot write the store (is the disk full?)";

/// Does `read` to the live generation of the store at `path`, again where that was replaced meanwhile.
///
/// # Errors
/// Those of `read` on a generation that is still the live one.
pub(super) fn live<T>(path: &Path, read: impl Fn(&Path) -> Result<T, StoreError>) -> Result<T, StoreError> {
    let mut generation = Directory::current(path)?;
    loop {
        let done = read(&generation);
        if done.is_ok() {
            return done;
        }
        let now = Directory::current(path)?;
        if now == generation {
            return done;
        }
        generation = now;
    }
}

/// The snapshot of a generation.
pub(super) fn pages(generation: &Path) -> Result<Arc<Pages>, StoreError> {
    Pages::open(&generation.join(SNAPSHOT))
}

/// Whether a snapshot was written to its end.
pub(super) fn is_ended(generation: &Path) -> bool {
    let path = generation.join(SNAPSHOT);
    File::open(&path).is_ok_and(|mut file| super::snapshot::contents(&path, &mut file).is_ok())
}

pub(super) struct Generation<'a> {
    path: PathBuf,
    database: Box<dyn Database>,
    snapshot: Draft<BufWriter<File>>,
    n_written: usize,
    total: usize,
    on_progress: OnProgress<'a>,
}

impl<'a> Generation<'a> {
    pub(super) fn create(
        path: &Path,
        engine: Engine,
        total: usize,
        on_progress: OnProgress<'a>,
    ) -> Result<Self, StoreError> {
        let database = engine.create(path)?;
        let snapshot = File::create_new(path.join(SNAPSHOT)).and_then(|file| Draft::new(BufWriter::new(file)));
        Ok(Self {
            path: path.to_owned(),
            database,
            snapshot: snapshot.map_err(io_error(path, WRITING))?,
            n_written: 0,
            total,
            on_progress,
        })
    }

    /// Adds a record of `n` rows; those of one tree should come together.
    pub(super) fn put(&mut self, tree: &'static str, key: &[u8], record: Vec<u8>, n: usize) -> Result<(), StoreError> {
        self.report()?;
        let written = self.snapshot.put(tree, key, &record);
        written.map_err(io_error(&self.path, WRITING))?;
        self.n_written += n;
        if is_in_database(tree, key) {
            self.database.put(tree, key, record)?;
        }
        Ok(())
    }

    /// Makes everything durable: every file, and every name below the generation.
    pub(super) fn close(mut self) -> Result<(), StoreError> {
        self.report()?;
        let (path, mut snapshot) = (self.path, self.snapshot);
        self.database.close()?;
        for (name, sum) in database::sums(&path)? {
            let written = snapshot.put(FILES, name.as_bytes(), &codec::encode(FILES, &sum)?);
            written.map_err(io_error(&path, WRITING))?;
        }
        let ended = snapshot
            .finish()
            .and_then(|file| file.into_inner().map_err(io::Error::from));
        ended
            .map(drop)
            .and_then(|()| sync_below(&path))
            .map_err(io_error(&path, WRITING))
    }

    fn report(&mut self) -> Result<(), StoreError> {
        let goes_on = (self.on_progress)(self.n_written.min(self.total), self.total);
        if goes_on { Ok(()) } else { Err(StoreError::Stopped) }
    }
}
