//! Prints how well records are read from three kinds of generated page, or writes one of them as a folder.

use anyhow::{Context, Result};
use banyan::eval::report::{Report, text};
use banyan_benches::kind::{Kind, figures, write};
use clap::Parser;
use std::path::Path;

/// How well records are read from three kinds of generated page.
#[derive(Parser)]
struct Args {
    /// Write one kind as a folder instead
    #[arg(long, num_args = 2, value_names = ["KIND", "DIRECTORY"])]
    write: Option<Vec<String>>,
    #[arg(long, default_value_t = 60)]
    pages: usize,
    #[arg(long, default_value_t = 60)]
    questions: usize,
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

#[allow(clippy::print_stdout, reason = "this program exists to print figures")]
fn main() -> Result<()> {
    let args = Args::parse();
    let generate = |kind: &Kind| kind.generate(args.pages, args.questions, args.seed);
    if let Some([name, directory]) = args.write.as_deref() {
        let kind = Kind::named(name)?;
        return write(&kind, &generate(&kind)?, Path::new(directory));
    }
    let mut report = Report::default();
    for name in Kind::names() {
        let kind = Kind::named(name)?;
        let folder = tempfile::tempdir().context("cannot make a temporary directory")?;
        write(&kind, &generate(&kind)?, folder.path())?;
        report.parts.push(figures(name, folder.path())?);
    }
    println!("{}", text(&report));
    Ok(())
}
