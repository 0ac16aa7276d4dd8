//! `banyan records`: columns from documents, records from columns.

use super::query::read_columns;
use crate::args::Records;
use crate::{Outcome, render};
use anyhow::{Context, Result};
use banyan::{Banyan, Environment, Filled, RecordsOptions, counted};
use banyan_engine::DocumentId;
use banyan_engine::document::one_line;
use banyan_engine::table::{Column, ColumnStats, Table, TableSchema};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::iter::once;

pub(crate) fn run(args: &Records, env: &Environment) -> Result<Outcome> {
    let questions = match &args.questions {
        Some(file) => fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))?,
        None => String::new(),
    };
    let lines = questions.lines().map(str::trim).filter(|line| !line.is_empty());
    let options = RecordsOptions {
        by: args.reasoner,
        columns: args.columns.as_deref().map(read_columns).transpose()?,
        questions: lines.map(str::to_owned).collect(),
        limit: args.limit,
        ..RecordsOptions::default()
    };
    if args.columns_only {
        return columns(&Banyan::columns(&args.corpus, &options, env)?, args.json);
    }
    show(&Banyan::records(&args.corpus, &options, env)?, args.json)
}

fn columns(found: &[(TableSchema, usize)], is_json: bool) -> Result<Outcome> {
    let schemas: Vec<&TableSchema> = found.iter().map(|(schema, _)| schema).collect();
    match &schemas[..] {
        [only] if is_json => render::json(only)?,
        all if is_json => render::json(&all)?,
        all => {
            let told = found.iter().map(|(schema, n)| {
                let head = (all.len() > 1).then(|| format!("{}: {}", schema.name, counted(*n, "document")));
                let columns = schema.columns.iter().map(described);
                head.into_iter().chain(columns).collect::<Vec<_>>().join("\n")
            });
            render::text(&told.collect::<Vec<_>>().join("\n\n"))?;
        }
    }
    Ok(Outcome::Done)
}

fn described(column: &Column) -> String {
    let unit = column
        .unit
        .as_ref()
        .map_or_else(String::new, |unit| format!(" in {unit}"));
    let Column {
        name,
        kind,
        description,
        ..
    } = column;
    format!("{name:<28} {:<8}{unit} {description}", kind.to_string())
}

fn show(filled: &Filled, json: bool) -> Result<Outcome> {
    if json {
        render::json(filled)?;
        return Ok(Outcome::Done);
    }
    let texts = filled.documents.iter();
    let texts: Texts<'_> = texts.map(|document| (document.id, document.text.as_str())).collect();
    let mut text = String::new();
    for table in once(&filled.table).chain(&filled.others) {
        if !filled.others.is_empty() {
            writeln!(text, "{}", table.schema.name.to_uppercase())?;
        }
        show_records(&mut text, table, &texts)?;
        show_columns(&mut text, table)?;
    }
    render::text(text.trim_end())?;
    Ok(Outcome::Done)
}

/// What documents say, by document.
type Texts<'a> = BTreeMap<DocumentId, &'a str>;

/// Every cell, with what was read and what contradicts it.
fn show_records(text: &mut String, table: &Table, texts: &Texts<'_>) -> Result<()> {
    for record in &table.records {
        writeln!(text, "{}", record.title)?;
        for (column, cell) in table.schema.columns.iter().zip(&record.cells) {
            let (value, raw) = (cell.value.to_string(), one_line(&cell.raw));
            writeln!(text, "  {:<28} {value:<30} {:.2}  {raw}", column.name, cell.confidence)?;
            for other in &cell.others {
                let value = format!("or {}", other.value);
                let raw = texts.get(&record.document).map_or("", |text| other.span.of(text));
                writeln!(text, "  {:<28} {value:<30} {:<4}  {}", "", "", one_line(raw))?;
            }
        }
    }
    Ok(())
}

/// How many cells each column has filled, and where it leads.
fn show_columns(text: &mut String, table: &Table) -> Result<()> {
    writeln!(
        text,
        "\n{:<30} {:>7} {:>6} {:>7} {:>9}",
        "column", "filled", "empty", "unsure", "different"
    )?;
    for (column, stats) in table.schema.columns.iter().zip(ColumnStats::of(table)) {
        let ColumnStats {
            name,
            n_filled,
            n_empty,
            n_unsure,
            n_distinct,
            ..
        } = stats;
        let key = column
            .references
            .as_ref()
            .map_or_else(String::new, |other| format!("  names records of {other}"));
        writeln!(
            text,
            "{name:<30} {n_filled:>7} {n_empty:>6} {n_unsure:>7} {n_distinct:>9}{key}"
        )?;
    }
    Ok(())
}
