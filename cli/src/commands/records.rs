//! `banyan records`: columns from documents, records from columns, answers from records.

use crate::args::{Ask, Fill, Induce};
use crate::progress::Progress;
use crate::records::Roles;
use crate::stop::Stop;
use crate::{Outcome, corpus, render};
use anyhow::{Context, Result, bail};
use banyan_engine::Document;
use banyan_engine::table::{self, ColumnStats, Database, Table, TableSchema};
use banyan_extract::record::children as child_tables;
use banyan_retrieve::aggregate::{Asked, Catalogue, Source};
use serde::Serialize;
use std::fmt::Write;
use std::fs;
use std::iter::once;
use std::path::Path;

/// The table's name in SQL.
const TABLE: &str = "records";
/// Documents of a preview.
const PREVIEW: usize = 5;

pub(crate) fn induce(args: &Induce, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let documents = corpus::read(&args.corpus, false, progress, stop)?;
    let lines = args.questions.as_deref().map(read).transpose()?.unwrap_or_default();
    let questions: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let roles = Roles::open(&args.who, progress, stop)?;
    let schema = predicted(&roles, &documents, &questions)?;
    roles.report();
    if args.json {
        render::json(&schema)?;
    } else {
        let lines = schema.columns.iter().map(|column| {
            let unit = column
                .unit
                .as_ref()
                .map_or_else(String::new, |unit| format!(" in {unit}"));
            format!(
                "{:<28} {:<8}{unit} {}",
                column.name,
                column.kind.to_string(),
                column.description
            )
        });
        render::text(&lines.collect::<Vec<_>>().join("\n"))?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn fill(args: &Fill, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let documents = corpus::read(&args.corpus, false, progress, stop)?;
    let roles = Roles::open(&args.who, progress, stop)?;
    let filled = filled(&roles, &documents, args.schema.as_deref())?;
    roles.report();
    show(&filled, args.json)
}

pub(crate) fn preview(args: &Fill, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let mut documents = corpus::read(&args.corpus, false, progress, stop)?;
    let roles = Roles::open(&args.who, progress, stop)?;
    let schema = schema(&roles, &documents, args.schema.as_deref())?;
    documents.truncate(PREVIEW);
    let filled = Filled::of(roles.fill(&schema, &documents)?, &documents);
    roles.report();
    show(&filled, args.json)
}

pub(crate) fn ask(args: &Ask, progress: Progress, stop: &Stop) -> Result<Outcome> {
    if args.question.trim().is_empty() {
        bail!("the question is empty; expected a sentence");
    }
    let documents = corpus::read(&args.corpus, false, progress, stop)?;
    let roles = Roles::open(&args.who, progress, stop)?;
    let Filled { table, children } = filled(&roles, &documents, args.schema.as_deref())?;
    let tables: Vec<Table> = once(&table).chain(&children).cloned().collect();
    let source = Source {
        catalogue: &Catalogue::with_children(&table, &children),
        table: &table,
        children: &children,
        database: &Database::new(&tables)?,
    };
    let asked = roles.ask(&args.question, source)?;
    roles.report();
    if args.json {
        render::json(&asked)?;
    } else {
        render::text(&told(&asked, &table)?)?;
    }
    let is_answered = asked.answer.is_some();
    Ok(if is_answered { Outcome::Done } else { Outcome::NoAnswer })
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))
}

fn predicted(roles: &Roles<'_>, documents: &[Document], questions: &[&str]) -> Result<TableSchema> {
    let found = roles.induce(documents, questions, TABLE)?.into_iter().next();
    found.context("the documents share no attribute, so there are no columns; name them with --schema FILE")
}

/// The columns of a file, else those that the documents share.
fn schema(roles: &Roles<'_>, documents: &[Document], file: Option<&Path>) -> Result<TableSchema> {
    let Some(path) = file else {
        return predicted(roles, documents, &[]);
    };
    let text = read(path)?;
    let is_csv = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"));
    let schema = if is_csv {
        table::from_csv(&text, TABLE)
    } else {
        table::from_json(&text, TABLE)
    };
    schema.with_context(|| path.display().to_string())
}

/// Records, and what they have several of.
#[derive(Serialize)]
struct Filled {
    #[serde(flatten)]
    table: Table,
    /// Tables whose records name the record that they belong to.
    children: Vec<Table>,
}

impl Filled {
    fn of(mut table: Table, documents: &[Document]) -> Self {
        let children = child_tables(&mut table, documents);
        Self { table, children }
    }
}

fn filled(roles: &Roles<'_>, documents: &[Document], file: Option<&Path>) -> Result<Filled> {
    let table = roles.fill(&schema(roles, documents, file)?, documents)?;
    Ok(Filled::of(table, documents))
}

fn show(filled: &Filled, json: bool) -> Result<Outcome> {
    if json {
        render::json(filled)?;
        return Ok(Outcome::Done);
    }
    let Filled { table, children } = filled;
    let mut text = String::new();
    for record in &table.records {
        writeln!(text, "{}", record.title)?;
        for (column, cell) in table.schema.columns.iter().zip(&record.cells) {
            let raw = cell.raw.split_whitespace().collect::<Vec<_>>().join(" ");
            writeln!(
                text,
                "  {:<28} {:<30} {:.2}  {raw}",
                column.name,
                cell.value.to_string(),
                cell.confidence
            )?;
        }
    }
    writeln!(
        text,
        "\n{:<30} {:>7} {:>6} {:>7} {:>9}",
        "column", "filled", "empty", "unsure", "different"
    )?;
    for stats in ColumnStats::of(table) {
        let ColumnStats {
            name,
            n_filled,
            n_empty,
            n_unsure,
            n_distinct,
            ..
        } = stats;
        writeln!(
            text,
            "{name:<30} {n_filled:>7} {n_empty:>6} {n_unsure:>7} {n_distinct:>9}"
        )?;
    }
    for Table { schema, records } in children {
        let columns: Vec<&str> = schema.columns.iter().map(|column| column.name.as_str()).collect();
        writeln!(
            text,
            "\n{}: {} rows of {}",
            schema.name,
            records.len(),
            columns.join(", ")
        )?;
    }
    render::text(text.trim_end())?;
    Ok(Outcome::Done)
}

/// The answer, the statement, the records it rests on, and how complete the columns are.
fn told(asked: &Asked, table: &Table) -> Result<String> {
    let mut text = String::new();
    if let Some(refusal) = &asked.refusal {
        return Ok(format!("no answer: {refusal}"));
    }
    writeln!(text, "{}", asked.answer.as_deref().unwrap_or("no record fits"))?;
    writeln!(text, "\nSQL      {}", asked.sql)?;
    let titles: Vec<&str> = asked
        .provenance
        .iter()
        .take(PREVIEW)
        .filter_map(|at| table.records.get(*at))
        .map(|record| record.title.as_str())
        .collect();
    let rest = asked.provenance.len().saturating_sub(titles.len());
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    writeln!(text, "from     {}{more}", titles.join(", "))?;
    for line in &asked.completeness {
        writeln!(
            text,
            "column   {}: {} documents, {} filled, {} empty, {} unsure",
            line.column, line.documents, line.filled, line.empty, line.unsure
        )?;
    }
    for note in &asked.notes {
        writeln!(text, "note     {note}")?;
    }
    Ok(text.trim_end().to_owned())
}
