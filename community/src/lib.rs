#![doc = include_str!("../README.md")]

mod adjacency;
mod affinity;
mod config;
mod detect;
mod error;
mod fuse;
mod hierarchy;
mod keywords;
mod lift;
mod matrix;
mod partition;
mod profile;
mod reasons;
mod refresh;
mod represent;
mod seed;
mod semantics;
mod summarise;
mod summary;
#[cfg(test)]
mod tests;

pub use config::Config;
pub use detect::{Step, detect, detect_watched, k_means, perceive};
pub use error::CommunityError;
pub use lift::{lift, tree};
pub use partition::Partition;
pub use profile::Space;
pub use reasons::{Reasons, reasons};
pub use refresh::{Before, Refreshed, refresh};
pub use represent::represent;
pub use semantics::Semantics;
pub use summarise::{ModelSummariser, Summarised, Touched, summarise};
