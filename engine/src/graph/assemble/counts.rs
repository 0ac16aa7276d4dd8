//! How often each of a few things was said.

/// Counts by value, ascending: there is one of these for every entity and fact, most of them of one or two values.
#[derive(Debug)]
pub(in crate::graph) struct Counts<T>(Vec<(T, usize)>);

impl<T> Default for Counts<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Ord + Copy> Counts<T> {
    /// Counts a value `n` times. Cost O(values).
    pub(in crate::graph) fn add(&mut self, value: T, n: usize) {
        match self.0.binary_search_by_key(&value, |one| one.0) {
            Ok(at) => self.0[at].1 += n,
            Err(at) => {
                if self.0.is_empty() {
                    self.0.reserve_exact(1);
                }
                self.0.insert(at, (value, n));
            }
        }
    }

    /// The values by falling count, equal ones ascending.
    pub(in crate::graph) fn by_frequency(&self) -> Vec<T> {
        let mut list: Vec<&(T, usize)> = self.0.iter().collect();
        list.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        list.into_iter().map(|(value, _)| *value).collect()
    }
}

impl Counts<&str> {
    /// The texts by falling count, equal ones ascending.
    pub(in crate::graph) fn texts(&self) -> Vec<String> {
        self.by_frequency().into_iter().map(str::to_owned).collect()
    }
}
