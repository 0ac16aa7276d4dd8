//! Tests at the crate's public boundary, and hand-computed cases of the equations.

mod degenerate;
mod equations;
pub(crate) mod fixture;
mod fusion;
mod hierarchy;
mod refresh;
mod summaries;
mod tree;
