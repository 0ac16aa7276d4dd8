//! Evaluation: questions with gold passages against rankings, gold names and facts against what extraction finds.

pub mod ablation;
pub mod aggregate;
pub mod anony;
pub mod answer;
pub mod asked;
pub mod choice;
pub mod community;
pub mod coverage;
pub mod dataset;
pub mod entities;
pub mod extraction;
pub mod judge;
pub mod label;
pub mod metric;
pub mod multihop;
pub mod peer;
pub mod published;
pub mod relations;
pub mod report;
pub mod sensitivity;
pub mod suite;
pub mod tally;
pub mod tokens;
pub mod trial;

mod understanding;
