//! Results to stdout, remarks to stderr.

use anyhow::{Context, Result};
use banyan::{Event, Progress};
use serde::Serialize;
use std::io::Write;

/// Prints text with a line end.
pub(crate) fn text(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}").context("cannot write to stdout")
}

/// Prints a value as indented JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(value).context("cannot encode JSON")?;
    text(&json)
}

/// Prints remarks, or nothing.
pub(crate) fn progress(is_quiet: bool) -> Progress {
    Progress::new(move |event| {
        if let Event::Remark(line) = event
            && !is_quiet
        {
            // Remarks are a courtesy: a closed stderr must not end the work.
            drop(writeln!(std::io::stderr(), "{line}"));
        }
    })
}
