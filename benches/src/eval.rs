//! Evaluation: questions with gold passages against rankings, gold names and facts against what extraction finds.

pub mod aggregate;
pub mod anony;
pub mod answer_fit;
pub mod calibration;
pub mod choice;
pub mod community;
pub mod dataset;
pub mod entities;
pub mod extraction;
pub mod judge;
pub mod label;
pub mod published;
pub mod relations;
pub mod suite;
pub mod tally;
pub mod tokens;
pub mod trial;

mod understanding;
