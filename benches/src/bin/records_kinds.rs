//! Prints how well records are read from three kinds of generated page, or writes one of them as a folder.
//!
//! ```text
//! cargo run -p banyan-benches --bin records_kinds -- [--pages N] [--questions Q] [--seed S]
//! cargo run -p banyan-benches --bin records_kinds -- --write KIND DIRECTORY [--pages N] [--questions Q] [--seed S]
//! ```

use anyhow::{Context, Result, bail};
use banyan_benches::kind::{Kind, score::Report, write};
use std::path::Path;

/// As many as an evaluation takes seconds for.
const PAGES: u64 = 60;
const QUESTIONS: u64 = 60;
const SEED: u64 = 7;

#[allow(clippy::print_stdout, reason = "this program exists to print figures")]
fn main() -> Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let n_pages = usize::try_from(option(&mut arguments, "--pages")?.unwrap_or(PAGES))?;
    let n_questions = usize::try_from(option(&mut arguments, "--questions")?.unwrap_or(QUESTIONS))?;
    let seed = option(&mut arguments, "--seed")?.unwrap_or(SEED);
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            for name in Kind::names() {
                let kind = Kind::named(name)?;
                let made = kind.generate(n_pages, n_questions, seed)?;
                println!("{}", Report::new(name, &kind, &made)?);
            }
            Ok(())
        }
        ["--write", name, directory] => {
            let kind = Kind::named(name)?;
            write(&kind, &kind.generate(n_pages, n_questions, seed)?, Path::new(directory))
        }
        _ => bail!("expected: [--write KIND DIRECTORY] [--pages N] [--questions Q] [--seed S]"),
    }
}

/// Takes `name NUMBER` out of the arguments.
fn option(arguments: &mut Vec<String>, name: &str) -> Result<Option<u64>> {
    let Some(at) = arguments.iter().position(|argument| argument == name) else {
        return Ok(None);
    };
    let value = arguments
        .get(at + 1)
        .with_context(|| format!("{name}: expected a number"))?;
    let number = value
        .parse()
        .with_context(|| format!("{name} {value}: expected a number"))?;
    arguments.drain(at..=at + 1);
    Ok(Some(number))
}
