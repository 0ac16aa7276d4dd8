//! The `banyan-eval` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    banyan_benches::run()
}
