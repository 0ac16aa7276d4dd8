//! Short texts to classes: a linear classifier over word beginnings, the shape of the text and its vector, with reasons.
//!
//! The router and the choice of a knowledge structure are two of these. Weights are fitted to labelled questions
//! (`banyan-eval router --fit`) and shipped as a readable file.

mod classifier;
mod feature;
mod weights;

pub use classifier::{Classifier, Example};
pub use feature::{Feature, features};
pub use weights::{Choice, Reason, Weights, WeightsError};
