//! The `banyan` program, built where tests can find it.

use std::process::ExitCode;

fn main() -> ExitCode {
    banyan::run()
}
