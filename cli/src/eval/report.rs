//! What was measured, as one structure: every figure with its interval, its baseline and whether the difference can be
//! chance.
//!
//! What is kept of a set is a [`Part`]: one value a question, method and metric, and totals over all questions where a
//! metric has no value for one. Means, intervals and comparisons are computed from that, so a stored report can be looked
//! at anew without asking again.

pub mod compare;
mod figure;
mod part;
mod table;

pub use figure::{Baseline, Figure, Paired, figures};
pub use part::{Asked, Cost, Method, Part, Source, Total, percentile};
pub use table::{markdown, text};

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

/// A report with its figures, as JSON has it.
#[derive(Debug, Serialize)]
pub struct Output<'a> {
    #[serde(flatten)]
    report: &'a Report,
    figures: Vec<Figure>,
}

impl<'a> Output<'a> {
    /// The figures of all parts beside what they come from.
    pub fn new(report: &'a Report) -> Self {
        let parts = report.parts.iter();
        Self {
            report,
            figures: parts.flat_map(|part| figures(part, report.seed)).collect(),
        }
    }
}
