//! A suite of sets, measured: every figure with its interval, its baseline and whether the difference can be chance.
//!
//! What is kept of a set is a [`Part`]: one value a question, method and metric. Means, intervals, comparisons, charts and
//! the differences of two runs are all computed from that, so a stored report can be looked at anew without asking again.

mod chart;
pub mod compare;
mod figure;
mod markdown;
mod page;
mod paired;
mod part;
mod table;

pub use figure::{Baseline, Figure, figures};
pub use markdown::markdown;
pub use page::page;
pub use paired::Paired;
pub use part::{Asked, Cost, Method, Part, Source};

use serde::{Deserialize, Serialize};

/// All sets of a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The suite's name.
    pub suite: String,
    /// Seed of resampling.
    pub seed: u64,
    /// The command that prints it.
    pub command: String,
    /// What was measured, in the suite's order.
    pub parts: Vec<Part>,
    /// Sets that were left out, with the reason.
    pub skipped: Vec<String>,
}
