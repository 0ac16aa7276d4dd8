//! Lists that are in memory as a whole, or read block by block where they are needed.
//!
//! **Definitions.** A *whole* list is a vector. A *stored* one knows how many rows it has and at which row each of its blocks
//! begins; whoever made it gives a *loader* that fetches one block.
//!
//! **Invariants.**
//! 1. A block is fetched at most once while it is kept, and what was handed out stays valid as long as the list.
//! 2. A stored list has its rows in the same order and number as the whole one that was written.
//! 3. Reading never fails: a loader that cannot fetch a block tells its owner and gives blank rows in its place. The owner
//!    says afterwards that nothing read since then holds.

use rayon::prelude::*;
use std::borrow::Borrow;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

mod grown;
mod lazy;
mod packed;

pub(crate) use grown::{Grow, News};
use grown::{Grown, Keyed};
pub use lazy::Lazy;

/// What could not be read: what, what was expected, what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The row or block.
    pub what: String,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

/// Whether all that was read so far could be read, and how much it was; shared by the lists of one store.
#[derive(Clone, Debug, Default)]
pub struct Health(Arc<Readings>);

#[derive(Debug, Default)]
struct Readings {
    fault: OnceLock<Fault>,
    n_bytes: AtomicU64,
}

impl Health {
    /// Notes that something could not be read; the first fault stays.
    pub fn note(&self, fault: Fault) {
        // A later fault says no more than the first.
        drop(self.0.fault.set(fault));
    }

    /// The first thing that could not be read.
    pub fn fault(&self) -> Option<&Fault> {
        self.0.fault.get()
    }

    /// Notes that so many bytes were read.
    pub fn read(&self, n_bytes: usize) {
        self.0.n_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
    }

    /// Bytes that were read, as they were before they were compressed. In memory they take several times as much.
    pub fn n_bytes(&self) -> u64 {
        self.0.n_bytes.load(Ordering::Relaxed)
    }
}

/// Fetches the rows of a block.
type Loader<T> = dyn Fn(usize) -> Vec<T> + Send + Sync;

/// A list of rows.
#[derive(Clone)]
pub struct Paged<T>(Kind<T>);

#[derive(Clone)]
enum Kind<T> {
    Whole(Vec<T>),
    Stored(Arc<Stored<T>>),
    Grown(Arc<Grown<T>>),
}

struct Stored<T> {
    /// First row of each block, and last the number of rows.
    firsts: Arc<[u32]>,
    /// One for each block, made when the first is read: most lists of a store are never looked at.
    blocks: OnceLock<Blocks<T>>,
    all: OnceLock<Vec<T>>,
    load: Box<Loader<T>>,
    /// The records of its blocks, where it was packed.
    records: Option<Arc<[Vec<u8>]>>,
    blank: T,
}

/// Blocks that were read, or may be.
type Blocks<T> = Box<[OnceLock<Vec<T>>]>;

impl<T> Stored<T> {
    fn n_blocks(&self) -> usize {
        self.firsts.len().saturating_sub(1)
    }

    fn blocks(&self) -> &Blocks<T> {
        self.blocks
            .get_or_init(|| (0..self.n_blocks()).map(|_| OnceLock::new()).collect())
    }

    fn rows(&self, block: usize) -> Range<usize> {
        self.firsts[block] as usize..self.firsts[block + 1] as usize
    }

    fn len(&self) -> usize {
        self.firsts.last().map_or(0, |n| *n as usize)
    }
}

impl<T: Clone + Default + Send + Sync> Stored<T> {
    /// A block with as many rows as it has to have.
    fn fetch(&self, block: usize) -> Vec<T> {
        let mut rows = (self.load)(block);
        rows.resize(self.rows(block).len(), self.blank.clone());
        rows
    }

    fn block(&self, block: usize) -> &[T] {
        self.blocks()[block].get_or_init(|| self.fetch(block))
    }

    fn get(&self, at: usize) -> &T {
        if let Some(all) = self.all.get() {
            return all.get(at).unwrap_or(&self.blank);
        }
        let block = self.firsts.partition_point(|first| *first as usize <= at);
        match block.checked_sub(1).filter(|block| *block < self.n_blocks()) {
            Some(block) => self
                .block(block)
                .get(at - self.rows(block).start)
                .unwrap_or(&self.blank),
            None => &self.blank,
        }
    }

    fn all(&self) -> &[T] {
        self.all.get_or_init(|| {
            let fetch = |block: usize| match self.blocks.get().and_then(|blocks| blocks[block].get()) {
                Some(known) => known.clone(),
                None => self.fetch(block),
            };
            let blocks: Vec<Vec<T>> = (0..self.n_blocks()).into_par_iter().map(fetch).collect();
            blocks.into_iter().flatten().collect()
        })
    }
}

impl<T: Clone + Default + Send + Sync> Paged<T> {
    /// A stored list: `firsts` has the first row of each block, ascending, and last the number of rows.
    pub fn stored(firsts: impl Into<Arc<[u32]>>, load: impl Fn(usize) -> Vec<T> + Send + Sync + 'static) -> Self {
        Self::with_records(firsts.into(), None, Box::new(load))
    }

    fn with_records(firsts: Arc<[u32]>, records: Option<Arc<[Vec<u8>]>>, load: Box<Loader<T>>) -> Self {
        Self(Kind::Stored(Arc::new(Stored {
            firsts,
            blocks: OnceLock::new(),
            all: OnceLock::new(),
            load,
            records,
            blank: T::default(),
        })))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Whole(rows) => rows.len(),
            Kind::Stored(stored) => stored.len(),
            Kind::Grown(grown) => grown.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row at a position. Cost O(log blocks), and that of reading a block where it is not there yet. Beyond the end of
    /// a stored list the row is blank.
    ///
    /// # Panics
    /// Beyond the end of a whole list.
    pub fn get(&self, at: usize) -> &T {
        match &self.0 {
            Kind::Whole(rows) => &rows[at],
            Kind::Stored(stored) => stored.get(at),
            Kind::Grown(grown) => grown.get(at),
        }
    }

    /// All rows. Cost O(size) the first time that a stored list is asked for them; they are kept.
    pub fn all(&self) -> &[T] {
        match &self.0 {
            Kind::Whole(rows) => rows,
            Kind::Stored(stored) => stored.all(),
            Kind::Grown(grown) => grown.all(),
        }
    }

    /// Reads all rows that have not been read yet.
    pub fn load(&self) {
        self.all();
    }

    /// Changes the rows; afterwards the list is whole. Cost O(size) for a stored one.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let mut rows = std::mem::take(self).into_vec();
        let done = change(&mut rows);
        *self = rows.into();
        done
    }

    /// All rows, taken out. Cost O(size) for a stored list.
    pub fn into_vec(self) -> Vec<T> {
        match self.0 {
            Kind::Whole(rows) => rows,
            Kind::Stored(stored) => {
                stored.all();
                // Copied only where somebody else has the list, too.
                match Arc::try_unwrap(stored) {
                    Ok(stored) => stored.all.into_inner().unwrap_or_default(),
                    Err(shared) => shared.all().to_vec(),
                }
            }
            Kind::Grown(grown) => grown.all().to_vec(),
        }
    }

    /// How many of the rows fulfil `is_before`, where they are the first ones. Reads O(log n) rows.
    pub fn partition_point(&self, is_before: impl Fn(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(self.get(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The rows around one that are its own, where these stand together. Reads O(log n) rows.
    pub(crate) fn stretch(&self, at: usize, is_own: impl Fn(&T) -> bool) -> Range<usize> {
        // How far it goes in one direction: strides that grow, then halve.
        let reach = |limit: usize, place: &dyn Fn(usize) -> usize| {
            let (mut reached, mut stride, mut grows) = (0, 1, true);
            while stride > 0 {
                let next = reached + stride;
                let goes_on = next <= limit && is_own(self.get(place(next)));
                reached = if goes_on { next } else { reached };
                grows &= goes_on;
                stride = if grows { stride * 2 } else { stride / 2 };
            }
            reached
        };
        let before = reach(at, &|n| at - n);
        let behind = reach(self.len().saturating_sub(at + 1), &|n| at + n);
        at - before..at + behind + 1
    }
}

impl<T> Default for Paged<T> {
    fn default() -> Self {
        Self(Kind::Whole(Vec::new()))
    }
}

impl<T> From<Vec<T>> for Paged<T> {
    fn from(rows: Vec<T>) -> Self {
        Self(Kind::Whole(rows))
    }
}

impl<T> FromIterator<T> for Paged<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        Self(Kind::Whole(rows.into_iter().collect()))
    }
}

impl<T: Clone + Default + Send + Sync + PartialEq> PartialEq for Paged<T> {
    fn eq(&self, other: &Self) -> bool {
        self.all() == other.all()
    }
}

impl<T: fmt::Debug> fmt::Debug for Paged<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Whole(rows) => rows.fmt(f),
            Kind::Stored(stored) => write!(f, "{} stored rows", stored.len()),
            Kind::Grown(_) => f.write_str("a list that grew"),
        }
    }
}

/// Rows by key, ascending: a look-up reads one block.
#[derive(Clone)]
pub struct Sorted<K, V> {
    rows: Paged<(K, V)>,
    /// First key of each block of a stored list.
    heads: Arc<[K]>,
    /// What lies over it, the last on top.
    layers: Vec<Arc<Keyed<K, V>>>,
}

impl<K, V> Sorted<K, V>
where
    K: Ord + Clone + Default + Send + Sync,
    V: Clone + Default + Send + Sync,
{
    /// A stored list whose blocks begin with these keys.
    pub fn stored(rows: Paged<(K, V)>, heads: Vec<K>) -> Self {
        Self {
            rows,
            heads: heads.into(),
            layers: Vec::new(),
        }
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.under_layers(&self.layers, key)
    }

    fn under_layers<'a, Q: Ord + ?Sized>(&'a self, layers: &'a [Arc<Keyed<K, V>>], key: &Q) -> Option<&'a V>
    where
        K: Borrow<Q>,
    {
        if let Some((top, below)) = layers.split_last() {
            return top.get(key, || self.under_layers(below, key));
        }
        let rows = match &self.rows.0 {
            Kind::Stored(stored) => {
                let block = self.heads.partition_point(|head| head.borrow() <= key).checked_sub(1)?;
                (block < stored.n_blocks()).then(|| stored.block(block))?
            }
            _ => self.rows.all(),
        };
        let at = rows.binary_search_by(|(one, _)| one.borrow().cmp(key)).ok()?;
        Some(&rows[at].1)
    }

    /// The rows, by key, taken out.
    pub(crate) fn into_rows(self) -> Vec<(K, V)> {
        if self.layers.is_empty() {
            self.rows.into_vec()
        } else {
            self.rows().all().to_vec()
        }
    }

    /// The rows, by key.
    pub fn rows(&self) -> &Paged<(K, V)> {
        self.layers.iter().fold(&self.rows, |rows, layer| layer.all(rows))
    }
}

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self {
            rows: Paged::default(),
            heads: Arc::from(Vec::new()),
            layers: Vec::new(),
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Sorted<K, V> {
    /// Of several rows with one key the last counts.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(rows: I) -> Self {
        let mut rows: Vec<(K, V)> = rows.into_iter().collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        rows.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                std::mem::swap(later, first);
            }
            is_same
        });
        Self {
            rows: rows.into(),
            ..Self::default()
        }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Sorted<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Seven rows in three blocks, and how often a block was fetched.
    fn stored() -> (Paged<u32>, Arc<AtomicUsize>) {
        let n_fetched = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&n_fetched);
        let list = Paged::stored(vec![0, 3, 4, 7], move |block| {
            counter.fetch_add(1, Ordering::Relaxed);
            [vec![0, 10, 20], vec![30], vec![40, 50, 60]][block].clone()
        });
        (list, n_fetched)
    }

    #[test]
    fn a_row_costs_its_block_once_and_all_rows_those_that_are_missing() {
        let (list, n_fetched) = stored();
        assert_eq!((list.len(), n_fetched.load(Ordering::Relaxed)), (7, 0));
        assert_eq!([3, 2, 0, 3].map(|at| *list.get(at)), [30, 20, 0, 30]);
        assert_eq!(n_fetched.load(Ordering::Relaxed), 2);
        assert_eq!(list.all(), [0, 10, 20, 30, 40, 50, 60]);
        assert_eq!((*list.get(6), n_fetched.load(Ordering::Relaxed)), (60, 3));
        assert_eq!(list.partition_point(|row| *row < 35), 4);
    }

    #[test]
    fn what_cannot_be_read_is_blank() {
        let list: Paged<u32> = Paged::stored(vec![0, 2, 4], |block| if block == 0 { vec![7] } else { Vec::new() });
        assert_eq!(list.all(), [7, 0, 0, 0]);
        assert_eq!([*list.get(0), *list.get(3), *list.get(99)], [7, 0, 0]);
    }

    #[test]
    fn a_key_is_found_in_the_block_that_may_hold_it() {
        let rows = |block: usize| [vec![("b", 1), ("d", 2)], vec![("f", 3)]][block].clone();
        let stored = Sorted::stored(Paged::stored(vec![0, 2, 3], rows), vec!["b", "f"]);
        let whole: Sorted<&str, i32> = [("f", 3), ("b", 1), ("d", 2)].into_iter().collect();
        for list in [stored, whole] {
            let found = ["a", "b", "c", "d", "e", "f", "g"].map(|key| list.get(key).copied());
            assert_eq!(found, [None, Some(1), None, Some(2), None, Some(3), None]);
        }
    }

    proptest! {
        #[test]
        fn a_stretch_is_all_that_stands_together(lengths in prop::collection::vec(1_usize..20, 1..6)) {
            let rows: Vec<usize> = (0..).zip(lengths).flat_map(|(own, n)| std::iter::repeat_n(own, n)).collect();
            let list = Paged::from(rows.clone());
            for (at, own) in rows.iter().enumerate() {
                let expected: Vec<usize> = (0..rows.len()).filter(|other| rows[*other] == *own).collect();
                prop_assert_eq!(list.stretch(at, |other| other == own).collect::<Vec<_>>(), expected);
            }
        }
    }
}
