//! redb: a tree copied on write, in one file, filled in one transaction.

use super::{Database, Failure, Take, guarded};
use crate::store::StoreError;
use redb::{ReadOnlyDatabase, ReadableDatabase, ReadableTable, TableDefinition, TableHandle, WriteTransaction};
use std::path::{Path, PathBuf};

/// The database's file.
pub(super) const FILE: &str = "redb";
/// The page cache; a generation is written and read once, front to back.
const CACHE_BYTES: usize = 32 << 20;

pub(super) struct Redb {
    path: PathBuf,
    db: redb::Database,
    /// Until it is closed.
    transaction: Option<WriteTransaction>,
}

impl Redb {
    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        let file = path.join(FILE);
        let created = guarded(path, || {
            std::fs::create_dir_all(path).map_err(redb::Error::Io)?;
            let db = redb::Database::builder().set_cache_size(CACHE_BYTES).create(&file)?;
            let transaction = db.begin_write()?;
            Ok::<_, redb::Error>((db, transaction))
        });
        created.map(|(db, transaction)| Self {
            path: path.to_owned(),
            db,
            transaction: Some(transaction),
        })
    }
}

impl Database for Redb {
    fn put(&mut self, tree: &'static str, key: &[u8], record: Vec<u8>) -> Result<(), StoreError> {
        let Some(transaction) = &self.transaction else {
            return Ok(());
        };
        guarded(&self.path, || {
            transaction.open_table(table(tree))?.insert(key, record.as_slice())?;
            Ok::<(), redb::Error>(())
        })
    }

    /// Writes what is pending, and gives back what the tree does not need.
    fn close(mut self: Box<Self>) -> Result<(), StoreError> {
        let transaction = self.transaction.take();
        guarded(&self.path, || {
            transaction.map_or(Ok(()), WriteTransaction::commit)?;
            self.db.compact()?;
            Ok::<(), redb::Error>(())
        })
    }
}

/// Gives every row to `take`.
pub(super) fn rows(path: &Path, take: Take<'_>) -> Result<(), StoreError> {
    guarded(path, || {
        let db = ReadOnlyDatabase::open(path.join(FILE))?;
        let transaction = db.begin_read()?;
        for tree in transaction.list_tables()? {
            for row in transaction.open_table(table(tree.name()))?.iter()? {
                let (key, record) = row?;
                take(tree.name(), key.value(), record.value()).map_err(redb::Error::Io)?;
            }
        }
        Ok::<(), redb::Error>(())
    })
}

fn table(name: &str) -> TableDefinition<'_, &'static [u8], &'static [u8]> {
    TableDefinition::new(name)
}

impl From<redb::Error> for Failure {
    fn from(error: redb::Error) -> Self {
        match error {
            redb::Error::Io(source) => Self::Io(source),
            other => Self::Corrupt(other.to_string()),
        }
    }
}
