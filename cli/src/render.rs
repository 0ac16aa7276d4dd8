//! Results to stdout.

use anyhow::{Context, Result};
use serde::Serialize;
use std::io::Write;

/// Prints text with a line end.
pub fn text(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}").context("cannot write to stdout")
}

/// Prints a value as indented JSON.
pub fn json(value: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(value).context("cannot encode JSON")?;
    text(&json)
}

/// `1 document`, `2 documents`.
pub fn count(n: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if n == 1 => format!("1 {noun}"),
        Some(stem) => format!("{n} {stem}ies"),
        None if noun.ends_with("ch") => format!("{n} {noun}es"),
        None => format!("{n} {noun}s"),
    }
}
