//! Rows of one generation, in memory: checked reads.

use super::pages::{EXTENTS, Extents, META};
use super::{StoreError, codec};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::Range;

/// Where a row's tree, key and record stand.
pub(super) type Place = [Range<usize>; 3];

pub(super) struct Rows {
    /// What the records stand in.
    bytes: Vec<u8>,
    trees: BTreeMap<String, BTreeMap<Vec<u8>, Range<usize>>>,
}

impl Rows {
    /// The rows that stand at these places in `bytes`; `None` where a key comes twice or a tree's name is no text.
    pub(super) fn new(bytes: Vec<u8>, places: Vec<Place>) -> Option<Self> {
        let mut trees: BTreeMap<String, BTreeMap<Vec<u8>, Range<usize>>> = BTreeMap::new();
        for [tree, key, record] in places {
            let tree = std::str::from_utf8(&bytes[tree]).ok()?;
            if !trees.contains_key(tree) {
                trees.insert(tree.to_owned(), BTreeMap::new());
            }
            let before = trees.get_mut(tree)?.insert(bytes[key].to_vec(), record);
            if before.is_some() {
                return None;
            }
        }
        Some(Self { bytes, trees })
    }

    pub(super) fn get<T: DeserializeOwned>(&self, tree: &str, key: &[u8]) -> Result<T, StoreError> {
        let record = self.record(tree, key);
        let record = record.ok_or_else(|| StoreError::corrupt(name(tree, key), "a record", "none"))?;
        codec::decode(&name(tree, key), record)
    }

    /// The bytes of a record.
    pub(super) fn record(&self, tree: &str, key: &[u8]) -> Option<&[u8]> {
        let record = self.trees.get(tree)?.get(key)?;
        Some(&self.bytes[record.clone()])
    }

    /// All rows of a list.
    pub(super) fn list<T: DeserializeOwned>(&self, tree: &str) -> Result<Vec<T>, StoreError> {
        let extents: Extents = self.get(META, EXTENTS)?;
        let expected = extents
            .get(tree)
            .and_then(|firsts| firsts.last())
            .copied()
            .unwrap_or_default() as usize;
        let blocks = self.tree(tree);
        let blocks = blocks.map(|(key, record)| codec::decode::<Vec<T>>(&name(tree, key), record));
        let rows = blocks.collect::<Result<Vec<_>, _>>()?;
        let rows: Vec<T> = rows.into_iter().flatten().collect();
        if rows.len() == expected {
            Ok(rows)
        } else {
            let (what, expected) = (format!("tree `{tree}`"), format!("{expected} rows"));
            Err(StoreError::corrupt(what, expected, rows.len()))
        }
    }

    /// Keys and records of a tree, in the order of the keys.
    pub(super) fn tree(&self, tree: &str) -> impl Iterator<Item = (&[u8], &[u8])> {
        let rows = self.trees.get(tree).into_iter().flatten();
        rows.map(|(key, record)| (key.as_slice(), &self.bytes[record.clone()]))
    }

    pub(super) fn len(&self) -> usize {
        self.trees.values().map(BTreeMap::len).sum()
    }

    /// The first tree, `apart` left aside, whose rows are not those of `other`.
    pub(super) fn differing<'a>(&'a self, other: &'a Self, apart: &str) -> Option<&'a str> {
        let names = self.trees.keys().chain(other.trees.keys()).map(String::as_str);
        let mut names = names.filter(|name| *name != apart);
        names.find(|name| !self.tree(name).eq(other.tree(name)))
    }
}

/// How a row is named to the owner of the store.
fn name(tree: &str, key: &[u8]) -> String {
    format!("tree `{tree}`, key {key:02x?}")
}
