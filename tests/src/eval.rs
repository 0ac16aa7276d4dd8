//! The `banyan-eval` program, built where tests can find it.

use std::process::ExitCode;

fn main() -> ExitCode {
    banyan_benches::run()
}
