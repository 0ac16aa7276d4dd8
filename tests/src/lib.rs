#![doc = include_str!("../README.md")]
#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a harness fails by panicking"
)]

mod desk;
mod program;
pub mod workspace;

pub use desk::Desk;
pub use program::{Program, Run};
