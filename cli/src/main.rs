//! The `banyan` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    banyan::run()
}
