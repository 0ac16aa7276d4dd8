//! A generated kind as a folder: `pages/*.md`, `gold_records.csv`, `schema.json`, `questions.jsonl`.

use super::{Generated, Kind};
use anyhow::{Context, Result};
use banyan_engine::table::{Table, Value};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Writes the folder, as `banyan-eval aggregate` reads it.
///
/// # Errors
/// Where a file cannot be written.
pub fn write(kind: &Kind, made: &Generated, directory: &Path) -> Result<()> {
    let pages = directory.join("pages");
    fs::create_dir_all(&pages).with_context(|| format!("{}: cannot make it", pages.display()))?;
    for (at, page) in made.pages.iter().enumerate() {
        put(&pages.join(format!("{at:05}.md")), page)?;
    }
    let questions = made.questions.iter().enumerate().map(|(at, asked)| {
        let id = format!("{}-{at}", kind.table);
        json!({"id": id, "type": asked.shape, "question": asked.text, "answer": asked.answer, "sql": asked.sql})
            .to_string()
    });
    let questions: Vec<String> = questions.collect();
    put(&directory.join("questions.jsonl"), &(questions.join("\n") + "\n"))?;
    put(&directory.join("gold_records.csv"), &csv(&made.gold))?;
    let schema = serde_json::to_value(kind.schema())?;
    put(&directory.join("schema.json"), &format!("{schema:#}\n"))
}

fn csv(table: &Table) -> String {
    let header = table.schema.columns.iter().map(|column| column.name.clone());
    let mut lines = vec![header.collect::<Vec<_>>().join(",")];
    for record in &table.records {
        let cells = record.cells.iter().map(|cell| match &cell.value {
            Value::Text(text) if text.contains([',', '"']) => format!("\"{}\"", text.replace('"', "\"\"")),
            Value::Boolean(is) => is.to_string(),
            other => other.to_string(),
        });
        lines.push(cells.collect::<Vec<_>>().join(","));
    }
    lines.join("\n") + "\n"
}

fn put(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("{}: cannot write", file.display()))
}
