//! What the program tells of itself: what it has and lacks here, how a shell completes it, its manual page.

use crate::args::Args;
use crate::{Outcome, render};
use anyhow::{Context, Result};
use banyan::{Environment, Finding, examine};
use clap::CommandFactory;

const NAME: &str = "banyan";

pub(crate) fn doctor(env: &Environment) -> Result<Outcome> {
    render::text(&format!("banyan {}", env!("CARGO_PKG_VERSION")))?;
    for Finding { what, found, remedy } in examine(env) {
        match found {
            Ok(place) => render::text(&format!("  there    {what}: {place}"))?,
            Err(why) => {
                let why = format!("{why:#}");
                let why = why.lines().next().unwrap_or_default();
                render::text(&format!(
                    "  missing  {what}: {}\n           {remedy}",
                    why.trim_end_matches("; tried:")
                ))?;
            }
        }
    }
    Ok(Outcome::Done)
}

pub(crate) fn completions(shell: clap_complete::Shell) -> Outcome {
    clap_complete::generate(shell, &mut Args::command(), NAME, &mut std::io::stdout());
    Outcome::Done
}

/// The manual page of the program, then those of its commands.
pub(crate) fn man() -> Result<Outcome> {
    let mut args = Args::command().name(NAME);
    args.build();
    let mut out = Vec::new();
    let mut page = |command: clap::Command| clap_mangen::Man::new(command).render(&mut out);
    let commands: Vec<clap::Command> = args.get_subcommands().cloned().collect();
    page(args).context("cannot write the manual page")?;
    for command in commands {
        page(command).context("cannot write the manual page")?;
    }
    render::text(&String::from_utf8_lossy(&out))?;
    Ok(Outcome::Done)
}
