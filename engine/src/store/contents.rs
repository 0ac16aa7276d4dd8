//! Where each record of a snapshot stands.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The records of a snapshot by tree.
pub(super) type Contents = BTreeMap<String, Places>;

/// Where the records of one tree stand. Of a large store there are many blocks, and every command reads where they are.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Places {
    /// Blocks with the numbers from 0 on as keys, one behind the other: the first byte of each, and the end of the last.
    Blocks(Vec<u64>),
    /// First byte and length by key.
    Named(BTreeMap<Vec<u8>, (u64, u64)>),
}

impl Default for Places {
    fn default() -> Self {
        Self::Named(BTreeMap::new())
    }
}

impl Places {
    /// Notes that the record of `key` has `length` bytes from `start` on.
    pub(super) fn add(&mut self, key: &[u8], start: u64, length: u64) {
        let end = start + length;
        match self {
            Self::Named(named) if named.is_empty() && key == number(0) => *self = Self::Blocks(vec![start, end]),
            Self::Blocks(places) if key == number(places.len() - 1) && places.last() == Some(&start) => {
                places.push(end);
            }
            Self::Named(named) => drop(named.insert(key.to_vec(), (start, length))),
            Self::Blocks(_) => {
                let others = self.keys().filter_map(|key| Some((key.to_vec(), self.get(&key)?)));
                *self = Self::Named(others.collect());
                self.add(key, start, length);
            }
        }
    }

    /// First byte and length of a record; none where there is no such record.
    pub(super) fn get(&self, key: &[u8]) -> Option<(u64, u64)> {
        match self {
            Self::Named(named) => named.get(key).copied(),
            Self::Blocks(places) => {
                let at = u32::from_be_bytes(key.try_into().ok()?) as usize;
                let (start, end) = (*places.get(at)?, *places.get(at + 1)?);
                Some((start, end.checked_sub(start)?))
            }
        }
    }

    /// The keys, ascending.
    pub(super) fn keys(&self) -> Box<dyn Iterator<Item = Cow<'_, [u8]>> + '_> {
        match self {
            Self::Named(named) => Box::new(named.keys().map(Cow::from)),
            Self::Blocks(places) => Box::new((1..places.len()).map(|n| Cow::from(number(n - 1).to_vec()))),
        }
    }
}

/// The key of a block.
pub(super) fn number(block: usize) -> [u8; 4] {
    u32::try_from(block).unwrap_or(u32::MAX).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_named_records_are_found_where_they_were_put() {
        let in_order = [number(0), number(1), number(2)].map(|key| key.to_vec());
        let with_gap = [number(0), number(2), number(1)].map(|key| key.to_vec());
        let named = [b"b".to_vec(), b"a".to_vec(), Vec::new()];
        for (keys, is_numbered) in [(in_order, true), (with_gap, false), (named, false)] {
            let mut places = Places::default();
            for (key, (start, length)) in keys.iter().zip([(7, 3), (10, 0), (10, 5)]) {
                places.add(key, start, length);
            }
            assert_eq!(matches!(places, Places::Blocks(_)), is_numbered, "{places:?}");
            assert_eq!(
                keys.each_ref().map(|key| places.get(key)),
                [Some((7, 3)), Some((10, 0)), Some((10, 5))]
            );
            assert_eq!((places.get(&number(3)), places.get(b"none")), (None, None));
            let mut sorted = keys.to_vec();
            sorted.sort();
            assert_eq!(places.keys().map(Cow::into_owned).collect::<Vec<_>>(), sorted);
        }
    }

    #[test]
    fn a_block_that_does_not_follow_is_found_all_the_same() {
        let mut places = Places::default();
        places.add(&number(0), 0, 4);
        places.add(&number(1), 9, 4);
        assert_eq!(
            [0, 1].map(|block| places.get(&number(block))),
            [Some((0, 4)), Some((9, 4))]
        );
    }
}
