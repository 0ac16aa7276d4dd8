#![doc = include_str!("../README.md")]
#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::return_self_not_must_use,
    reason = "a harness fails by panicking, and a check is made by calling it"
)]

mod desk;
mod program;
pub mod server;
pub mod workspace;

pub use desk::{Desk, same};
pub use program::{Program, Run, rows};
