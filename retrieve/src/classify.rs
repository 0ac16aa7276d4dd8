//! Short texts to classes: a linear classifier over words and word kinds, with reasons.
//!
//! It serves wherever a question has to be sent somewhere: to one of the methods, to a structure, to a kind of task. The
//! weights are fitted once on labelled questions ([`fit()`]) and shipped as a readable file.

mod classifier;
mod feature;
mod fit;
mod weights;

pub use classifier::{Classifier, Example};
pub use feature::{Feature, features};
pub use fit::{Labelled, fit};
pub use weights::{Choice, Reason, Weights, WeightsError};
