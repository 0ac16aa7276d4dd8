//! Where units lie between questions, so that a second question over the same documents does not build them again.

use super::unit::Unit;
use banyan_engine::table::Table;

/// A place for what was built; keys say what it depends on, the documents included.
pub trait Shelf {
    /// The table kept under this key.
    fn table(&self, key: &str) -> Option<Table>;
    /// Keeps a table; where it cannot, nothing is lost but time.
    fn keep_table(&self, key: &str, table: &Table);
    /// The unit kept under this key.
    fn unit(&self, key: &str) -> Option<Unit>;
    /// Keeps a unit; where it cannot, nothing is lost but time.
    fn keep_unit(&self, key: &str, unit: &Unit);
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoShelf;

impl Shelf for NoShelf {
    fn table(&self, _key: &str) -> Option<Table> {
        None
    }

    fn keep_table(&self, _key: &str, _table: &Table) {}

    fn unit(&self, _key: &str) -> Option<Unit> {
        None
    }

    fn keep_unit(&self, _key: &str, _unit: &Unit) {}
}
