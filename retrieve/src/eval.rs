//! Evaluation: questions with gold passages against rankings.

pub mod answer;
pub mod metric;
pub mod multihop;
pub mod report;
