//! Notebooks of Jupyter: their texts, and their code as such.

use super::{markdown, refused};
use crate::error::FileError;
use banyan_engine::Document;
use serde::Deserialize;

#[derive(Deserialize)]
struct Notebook {
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    #[serde(default)]
    source: Source,
}

/// A text, in lines or not.
#[derive(Deserialize)]
#[serde(untagged)]
enum Source {
    Whole(String),
    Lines(Vec<String>),
}

impl Default for Source {
    fn default() -> Self {
        Self::Whole(String::new())
    }
}

/// One document; what cells printed is left out. Cost O(bytes).
pub(super) fn document(file: &str, text: &str) -> Result<Document, FileError> {
    let notebook: Notebook =
        serde_json::from_str(text).map_err(|error| refused(file, format!("expected a notebook of cells: {error}")))?;
    let mut source = String::new();
    for cell in notebook.cells {
        let text = match cell.source {
            Source::Whole(text) => text,
            Source::Lines(lines) => lines.concat(),
        };
        // Longer than any fence within.
        let fence = "~".repeat(3 + text.matches('~').count());
        match cell.cell_type.as_str() {
            "code" if !text.trim().is_empty() => source.extend([&fence, "\n", &text, "\n", &fence, "\n\n"]),
            "markdown" => source.extend([&text, "\n\n"]),
            _ => {}
        }
    }
    if source.trim().is_empty() {
        return Err(refused(file, "no cell has a text"));
    }
    Ok(markdown::paged(file, None, &source, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_code_is_code() {
        let cells = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# Ferries\n", "\n", "The **Dipper** is late."]},
            {"cell_type": "code", "source": "a = ~b", "outputs": [{"text": "7"}]},
            {"cell_type": "raw", "source": "x"}
        ]}"##;
        let found = document("a.ipynb", cells).unwrap();
        assert_eq!(
            (found.title.as_str(), found.text.as_str()),
            ("Ferries", "The Dipper is late.\n\na = ~b")
        );
        assert_eq!(found.layout.blocks[0].of(&found.text).trim(), "a = ~b");
        assert!(document("a.ipynb", "{}").is_err_and(|error| error.to_string().contains("notebook of cells")));
    }
}
