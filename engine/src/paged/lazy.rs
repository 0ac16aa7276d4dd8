//! A single value of a store.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// One value that is there, or fetched when it is first looked at.
#[derive(Clone)]
pub struct Lazy<T> {
    value: OnceLock<T>,
    load: Option<Arc<dyn Fn() -> T + Send + Sync>>,
}

impl<T: Default> Lazy<T> {
    /// A value that `load` fetches.
    pub fn stored(load: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self {
            value: OnceLock::new(),
            load: Some(Arc::new(load)),
        }
    }

    /// Reads the value unless that was done.
    pub fn load(&self) {
        self.value();
    }

    fn value(&self) -> &T {
        self.value
            .get_or_init(|| self.load.as_ref().map_or_else(T::default, |load| load()))
    }

    /// The value, taken out.
    pub fn into_inner(self) -> T {
        let Self { value, load } = self;
        value
            .into_inner()
            .unwrap_or_else(|| load.map_or_else(T::default, |load| load()))
    }
}

impl<T: Default> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value()
    }
}

impl<T: Default> Default for Lazy<T> {
    fn default() -> Self {
        Self::from(T::default())
    }
}

impl<T> From<T> for Lazy<T> {
    fn from(value: T) -> Self {
        Self {
            value: OnceLock::from(value),
            load: None,
        }
    }
}

impl<T: Default + fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.get() {
            Some(value) => value.fmt(f),
            None => f.write_str("a stored value"),
        }
    }
}
