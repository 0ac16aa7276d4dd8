//! What a search can be asked for.

use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// What [`crate::Searcher::search`] can be asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Which routes run. Without the chunk route paths start from what the question names.
    pub routes: Routes,
    /// Passages to return.
    pub top_k: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            routes: Routes::all(),
            top_k: 10,
        }
    }
}

/// A way from a question to evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Route {
    /// Passages by vector and by BM25.
    Chunk,
    /// What the question names, and the passages about it.
    Entity,
    /// Facts, and the passages that state them.
    Triple,
    /// Communities from the top down, and the passages that name their members.
    Community,
    /// From passage to passage along the entities that they share.
    Path,
}

impl Route {
    /// All routes, in the order of their bits.
    pub const ALL: [Self; 5] = [Self::Chunk, Self::Entity, Self::Triple, Self::Community, Self::Path];

    /// Its name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Entity => "entity",
            Self::Triple => "triple",
            Self::Community => "community",
            Self::Path => "path",
        }
    }
}

impl Display for Route {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which routes run: a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routes(u8);

impl Routes {
    /// All of them.
    pub fn all() -> Self {
        Self(u8::MAX)
    }

    /// One alone.
    pub fn only(route: Route) -> Self {
        Self(1 << route as u8)
    }

    /// These without one.
    #[must_use]
    pub fn without(self, route: Route) -> Self {
        Self(self.0 & !Self::only(route).0)
    }

    /// Whether a route is among them.
    pub fn has(self, route: Route) -> bool {
        self.0 & Self::only(route).0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_in_all_and_in_itself_alone() {
        for route in Route::ALL {
            assert!(Routes::all().has(route) && !Routes::all().without(route).has(route));
            let alone: Vec<Route> = Route::ALL
                .into_iter()
                .filter(|other| Routes::only(route).has(*other))
                .collect();
            assert_eq!(alone, [route]);
        }
    }
}
