//! The questions of a set, from their file.

use anyhow::{Context, Result, bail};
use banyan_engine::QaPair;
use std::fs;
use std::path::Path;

/// The questions in `file`, one JSON object a line.
pub fn read(file: &Path) -> Result<Vec<QaPair>> {
    let text = text(file)?;
    let questions = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            serde_json::from_str(line).with_context(|| {
                format!(
                    "{} line {number}: expected an object with `id`, `question` and `gold`",
                    file.display()
                )
            })
        })
        .collect::<Result<Vec<QaPair>>>()?;
    if questions.is_empty() {
        bail!("{}: no questions", file.display());
    }
    Ok(questions)
}

/// The text of a file.
pub fn text(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))
}
