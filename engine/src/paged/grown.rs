//! Lists with rows behind those of another list, with more in some of its rows, or with others in their place.

use super::{Kind, Paged, Sorted};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, OnceLock};

/// What a row takes in that was found later.
pub(crate) trait Grow: Clone {
    /// Takes it in.
    fn grow(&mut self, more: &Self);
}

/// What is new of a list of `n` rows: more for some of them, by position, and rows that come behind them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct News<T> {
    /// Known while news are gathered.
    #[serde(skip)]
    pub(crate) n: usize,
    pub(crate) more: BTreeMap<u32, T>,
    pub(crate) rows: Vec<T>,
}

impl<T> Default for News<T> {
    fn default() -> Self {
        Self::of(0)
    }
}

impl<T> News<T> {
    /// Nothing new of `n` rows.
    pub(crate) fn of(n: usize) -> Self {
        Self {
            n,
            more: BTreeMap::new(),
            rows: Vec::new(),
        }
    }

    /// Where the next row comes.
    pub(crate) fn next(&self) -> usize {
        self.n + self.rows.len()
    }

    /// All that is new.
    pub(crate) fn all(&self) -> impl Iterator<Item = &T> {
        self.more.values().chain(&self.rows)
    }
}

impl<T: Default + Grow> News<T> {
    /// Something for a row, old or new; rows before a new one are blank.
    pub(crate) fn put(&mut self, at: usize, row: T) {
        if let Some(at) = at.checked_sub(self.n) {
            if let Some(known) = self.rows.get_mut(at) {
                known.grow(&row);
            } else {
                self.rows.resize_with(at, T::default);
                self.rows.push(row);
            }
            return;
        }
        match self.more.entry(u32::try_from(at).unwrap_or(u32::MAX)) {
            Entry::Vacant(free) => drop(free.insert(row)),
            Entry::Occupied(mut known) => known.get_mut().grow(&row),
        }
    }
}

/// What a row takes in, and what it then is, once it was looked at.
type More<T> = (T, OnceLock<T>);

/// A list that grew.
pub(super) struct Grown<T> {
    base: Paged<T>,
    more: BTreeMap<usize, More<T>>,
    rows: Vec<T>,
    grow: fn(&mut T, &T),
    all: OnceLock<Vec<T>>,
}

impl<T: Clone + Default + Send + Sync> Grown<T> {
    pub(super) fn len(&self) -> usize {
        self.base.len() + self.rows.len()
    }

    /// A row; beyond the end what the list that grew has there.
    pub(super) fn get(&self, at: usize) -> &T {
        if let Some(row) = at.checked_sub(self.base.len()).and_then(|at| self.rows.get(at)) {
            return row;
        }
        match self.more.get(&at) {
            None => self.base.get(at),
            Some((more, row)) => row.get_or_init(|| {
                let mut row = self.base.get(at).clone();
                (self.grow)(&mut row, more);
                row
            }),
        }
    }

    pub(super) fn all(&self) -> &[T] {
        self.all.get_or_init(|| {
            let mut rows = self.base.all().to_vec();
            for (at, (more, _)) in &self.more {
                if let Some(row) = rows.get_mut(*at) {
                    (self.grow)(row, more);
                }
            }
            rows.extend(self.rows.iter().cloned());
            rows
        })
    }
}

impl<T: Clone + Default + Send + Sync> Paged<T> {
    /// The list with what is new. Cost O(news): a row takes in more when it is looked at.
    #[must_use]
    pub(crate) fn grown(self, news: News<T>) -> Self
    where
        T: Grow,
    {
        self.over(news.more, news.rows, T::grow)
    }

    /// The list with rows behind its own. Cost O(1).
    #[must_use]
    pub(crate) fn behind(self, rows: Vec<T>) -> Self {
        self.over(BTreeMap::new(), rows, T::clone_from)
    }

    /// The list with other rows at some of its positions. Cost O(rows).
    #[must_use]
    pub(crate) fn with(self, rows: BTreeMap<u32, T>) -> Self {
        self.changed(rows, T::clone_from)
    }

    /// The list with some of its rows changed by something for each, when they are looked at. Cost O(rows).
    #[must_use]
    pub(crate) fn changed(self, rows: BTreeMap<u32, T>, change: fn(&mut T, &T)) -> Self {
        self.over(rows, Vec::new(), change)
    }

    fn over(self, more: BTreeMap<u32, T>, rows: Vec<T>, grow: fn(&mut T, &T)) -> Self {
        let more = more.into_iter();
        Self(Kind::Grown(Arc::new(Grown {
            base: self,
            more: more.map(|(at, row)| (at as usize, (row, OnceLock::new()))).collect(),
            rows,
            grow,
            all: OnceLock::new(),
        })))
    }
}

/// What the keys of a list have more, where they are not gone, and all of its rows then, once they were asked for.
pub(super) struct Keyed<K, V> {
    more: BTreeMap<K, More<Option<V>>>,
    grow: fn(&mut V, &V),
    all: OnceLock<Paged<(K, V)>>,
}

impl<K, V> Sorted<K, V>
where
    K: Ord + Clone + Default + Send + Sync,
    V: Clone + Default + Send + Sync,
{
    /// The list with more for some keys, old or new. Cost O(news): a value takes in more when it is looked at.
    #[must_use]
    pub(crate) fn grown(self, more: Vec<(K, V)>) -> Self
    where
        V: Grow,
    {
        let more = more.into_iter().map(|(key, more)| (key, Some(more)));
        self.under(more, V::grow)
    }

    /// The list with other values for some of its keys; those without one are gone. Cost O(values).
    #[must_use]
    pub(crate) fn with(self, values: BTreeMap<K, Option<V>>) -> Self {
        self.under(values, V::clone_from)
    }

    fn under(mut self, more: impl IntoIterator<Item = (K, Option<V>)>, grow: fn(&mut V, &V)) -> Self {
        let more = more.into_iter().map(|(key, more)| (key, (more, OnceLock::new())));
        self.layers.push(Arc::new(Keyed {
            more: more.collect(),
            grow,
            all: OnceLock::new(),
        }));
        self
    }
}

impl<K, V> Keyed<K, V>
where
    K: Ord + Clone + Default + Send + Sync,
    V: Clone + Default + Send + Sync,
{
    /// The value of a key; `base` finds what it had.
    pub(super) fn get<'a, Q: Ord + ?Sized>(&'a self, key: &Q, base: impl FnOnce() -> Option<&'a V>) -> Option<&'a V>
    where
        K: Borrow<Q>,
    {
        let Some((more, value)) = self.more.get(key) else {
            return base();
        };
        let now = value.get_or_init(|| {
            let more = more.as_ref()?;
            let mut value = base().cloned();
            match &mut value {
                None => value = Some(more.clone()),
                Some(value) => (self.grow)(value, more),
            }
            value
        });
        now.as_ref()
    }

    pub(super) fn all(&self, base: &Paged<(K, V)>) -> &Paged<(K, V)> {
        self.all.get_or_init(|| {
            let mut rows: BTreeMap<K, V> = base.all().iter().cloned().collect();
            for (key, (more, _)) in &self.more {
                match (more, rows.get_mut(key)) {
                    (None, _) => drop(rows.remove(key)),
                    (Some(more), Some(value)) => (self.grow)(value, more),
                    (Some(more), None) => drop(rows.insert(key.clone(), more.clone())),
                }
            }
            rows.into_iter().collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_takes_in_more_and_others_come_behind() {
        let whole: Paged<Vec<&str>> = vec![vec!["a"], vec!["b"], vec![]].into();
        let stored = Paged::stored(vec![0, 2, 3], |block| {
            [vec![vec!["a"], vec!["b"]], vec![vec![]]][block].clone()
        });
        for base in [whole, stored] {
            let mut news = News::of(3);
            for (at, row) in [(2, vec!["y"]), (3, vec!["z"]), (1, vec!["x"])] {
                news.put(at, row);
            }
            let list = base.grown(news);
            let expected = [vec!["a"], vec!["b", "x"], vec!["y"], vec!["z"]];
            assert_eq!((list.len(), list.get(1)), (4, &expected[1]));
            assert_eq!([0, 1, 2, 3].map(|at| list.get(at).clone()), expected);
            assert_eq!(list.all(), expected);
            assert_eq!(list.partition_point(|row| !row.contains(&"y")), 2);
            let list = list.with(BTreeMap::from([(1, vec![]), (3, vec!["q"])]));
            let expected = [vec!["a"], vec![], vec!["y"], vec!["q"]];
            assert_eq!([0, 1, 2, 3].map(|at| list.get(at).clone()), expected);
            assert_eq!(list.all(), expected);
        }
    }

    #[test]
    fn keys_old_and_new_take_in_more() {
        let base: Sorted<&str, Vec<&str>> = [("b", vec!["1"]), ("d", vec!["2"])].into_iter().collect();
        let list = base.clone().grown(vec![("a", vec!["x"]), ("d", vec!["y"])]);
        let found = ["a", "b", "c", "d"].map(|key| list.get(key).cloned());
        assert_eq!(found, [Some(vec!["x"]), Some(vec!["1"]), None, Some(vec!["2", "y"])]);
        let rows = list.rows().all();
        assert_eq!(rows, [("a", vec!["x"]), ("b", vec!["1"]), ("d", vec!["2", "y"])]);
        let list = base.with(BTreeMap::from([("b", None), ("d", Some(vec!["3"]))]));
        let list = list.grown(vec![("b", vec!["x"]), ("d", vec!["y"])]);
        assert_eq!(list.get("b"), Some(&vec!["x"]));
        assert_eq!(list.rows().all(), [("b", vec!["x"]), ("d", vec!["3", "y"])]);
    }
}
