//! Lists in memory as the records that they will be stored as: a fraction of their rows.

use super::{Kind, Paged};
use std::sync::Arc;

impl<T: Clone + Default + Send + Sync> Paged<T> {
    /// A list of these records, one for each block, whose first rows are `firsts` as in [`Self::stored`]; `unpack` gives the
    /// rows of one.
    pub(crate) fn packed(
        firsts: Vec<u32>,
        records: Vec<Vec<u8>>,
        unpack: impl Fn(&[u8]) -> Vec<T> + Send + Sync + 'static,
    ) -> Self {
        let records: Arc<[Vec<u8>]> = records.into();
        let own = Arc::clone(&records);
        let load = move |block: usize| own.get(block).map_or_else(Vec::new, |record| unpack(record));
        Self::with_records(firsts.into(), Some(records), Box::new(load))
    }

    /// First rows and records of the blocks of a list that was packed.
    pub(crate) fn records(&self) -> Option<(&[u32], &[Vec<u8>])> {
        match &self.0 {
            Kind::Stored(stored) => stored.records.as_ref().map(|records| (&*stored.firsts, &**records)),
            Kind::Whole(_) | Kind::Grown(_) => None,
        }
    }

    /// What `of` says of each row, in order; of a stored list no more than a block is kept at a time. Cost O(size).
    pub(crate) fn map<R>(&self, mut of: impl FnMut(&T) -> R) -> Vec<R> {
        match &self.0 {
            Kind::Stored(stored) if stored.all.get().is_none() => {
                let mut found = Vec::with_capacity(stored.len());
                for block in 0..stored.n_blocks() {
                    match stored.blocks.get().and_then(|blocks| blocks[block].get()) {
                        Some(rows) => found.extend(rows.iter().map(&mut of)),
                        None => found.extend(stored.fetch(block).iter().map(&mut of)),
                    }
                }
                found
            }
            _ => self.all().iter().map(of).collect(),
        }
    }
}
