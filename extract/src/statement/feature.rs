//! Features: what speaks for and against a candidate as an end of a statement.
//!
//! *General* features know a relation only by its cues and kinds and so carry over to relations that were never seen.
//! *Own* features are weighed for each relation by itself and exist only where examples were learned from.

mod nearest;
mod object;
mod own;
mod subject;

pub(crate) use nearest::{Nearest, Rivalry, nearest, rivalries};
pub(crate) use object::object;
pub(crate) use own::own;
pub(crate) use subject::{pair, subject};

/// A distance in tokens, coarsely.
pub(crate) fn distance(tokens: usize) -> &'static str {
    match tokens {
        0 | 1 => "1",
        2 => "2",
        3 => "3",
        4..=5 => "5",
        6..=8 => "8",
        9..=12 => "12",
        _ => "far",
    }
}

/// A small number, cut off at six.
pub(crate) fn small(n: usize) -> &'static str {
    ["0", "1", "2", "3", "4", "5", "6"][n.min(6)]
}
