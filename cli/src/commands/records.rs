//! `banyan records`: columns from documents, records from columns, answers from records.

use crate::args::{Ask, Fill, Induce};
use crate::progress::Progress;
use crate::records::Roles;
use crate::stop::Stop;
use crate::{Outcome, corpus, render};
use anyhow::{Context, Result, bail};
use banyan_engine::table::{self, Column, ColumnStats, Database, Table, TableSchema};
use banyan_engine::{Document, DocumentId};
use banyan_extract::record::children as child_tables;
use banyan_extract::record::family::{Family, link};
use banyan_retrieve::aggregate::{Asked, Source, views};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::iter::once;
use std::path::Path;

/// The table's name in SQL.
const TABLE: &str = "records";
/// Documents of a preview.
const PREVIEW: usize = 5;

pub(crate) fn induce(args: &Induce, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let documents = corpus::read(&args.corpus, None, progress, stop)?;
    let lines = args.questions.as_deref().map(read).transpose()?.unwrap_or_default();
    let questions: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let roles = Roles::open(&args.who, progress, stop)?;
    let families = predicted(&roles, &documents, &questions)?;
    roles.report();
    let schemas: Vec<&TableSchema> = families.iter().map(|family| &family.schema).collect();
    match &schemas[..] {
        [only] if args.json => render::json(only)?,
        _ if args.json => render::json(&schemas)?,
        all => {
            let is_one = all.len() == 1;
            let sizes = families.iter().map(|family| family.documents.len());
            let told = all.iter().zip(sizes).map(|(schema, n)| {
                let head = (!is_one).then(|| format!("{}: {}", schema.name, render::count(n, "document")));
                head.into_iter()
                    .chain(schema.columns.iter().map(described))
                    .collect::<Vec<_>>()
                    .join("\n")
            });
            render::text(&told.collect::<Vec<_>>().join("\n\n"))?;
        }
    }
    Ok(Outcome::Done)
}

/// A column in a line.
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

pub(crate) fn fill(args: &Fill, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let documents = corpus::read(&args.corpus, None, progress, stop)?;
    let roles = Roles::open(&args.who, progress, stop)?;
    let families = families(&roles, &documents, args.schema.as_deref())?;
    let filled = Filled::of(&roles, &families, &documents)?;
    roles.report();
    show(&filled, &documents, args.json)
}

pub(crate) fn preview(args: &Fill, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let documents = corpus::read(&args.corpus, None, progress, stop)?;
    let roles = Roles::open(&args.who, progress, stop)?;
    let mut families = families(&roles, &documents, args.schema.as_deref())?;
    for family in &mut families {
        family.documents.truncate(PREVIEW);
    }
    let filled = Filled::of(&roles, &families, &documents)?;
    roles.report();
    show(&filled, &documents, args.json)
}

pub(crate) fn ask(args: &Ask, progress: Progress, stop: &Stop) -> Result<Outcome> {
    if args.question.trim().is_empty() {
        bail!("the question is empty; expected a sentence");
    }
    let documents = corpus::read(&args.corpus, None, progress, stop)?;
    let roles = Roles::open(&args.who, progress, stop)?;
    let families = families(&roles, &documents, args.schema.as_deref())?;
    let tables = Filled::of(&roles, &families, &documents)?.tables();
    let views = views(&tables);
    let source = Source {
        views: &views,
        tables: &tables,
        database: &Database::new(&tables)?,
    };
    let asked = roles.ask(&args.question, source)?;
    roles.report();
    if args.json {
        render::json(&asked)?;
    } else {
        let empty = Table::default();
        let table = tables.iter().find(|table| table.schema.name == asked.table);
        render::text(&told(&asked, table.unwrap_or(&empty))?)?;
    }
    let is_answered = asked.answer.is_some();
    Ok(if is_answered { Outcome::Done } else { Outcome::NoAnswer })
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))
}

fn predicted(roles: &Roles<'_>, documents: &[Document], questions: &[&str]) -> Result<Vec<Family>> {
    let found = roles.induce(documents, questions, TABLE)?;
    if found.is_empty() {
        bail!("the documents share no attribute, so there are no columns; name them with --schema FILE");
    }
    Ok(found)
}

/// One table with the columns of a file, else those that the documents share.
fn families(roles: &Roles<'_>, documents: &[Document], file: Option<&Path>) -> Result<Vec<Family>> {
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
    let schema = schema.with_context(|| path.display().to_string())?;
    let documents = (0..documents.len()).collect();
    Ok(vec![Family { schema, documents }])
}

/// Records, and what they have several of.
#[derive(Serialize)]
struct Filled {
    #[serde(flatten)]
    table: Table,
    /// The tables of documents of other kinds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Table>,
    /// Tables whose records name the record that they belong to.
    children: Vec<Table>,
}

impl Filled {
    fn of(roles: &Roles<'_>, families: &[Family], documents: &[Document]) -> Result<Self> {
        let (mut tables, mut children) = (Vec::new(), Vec::new());
        for family in families {
            let own: Vec<Document> = family.documents.iter().map(|at| documents[*at].clone()).collect();
            let mut table = roles.fill(&family.schema, &own)?;
            children.extend(child_tables(&mut table, &own));
            tables.push(table);
        }
        link(&mut tables);
        let mut tables = tables.into_iter();
        Ok(Self {
            table: tables.next().unwrap_or_default(),
            others: tables.collect(),
            children,
        })
    }

    /// All tables, child tables last.
    fn tables(self) -> Vec<Table> {
        once(self.table).chain(self.others).chain(self.children).collect()
    }
}

fn one_line(raw: &str) -> String {
    raw.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Shows records of these documents.
fn show(filled: &Filled, documents: &[Document], json: bool) -> Result<Outcome> {
    if json {
        render::json(filled)?;
        return Ok(Outcome::Done);
    }
    let texts = documents.iter();
    let texts: Texts<'_> = texts.map(|document| (document.id, document.text.as_str())).collect();
    let mut text = String::new();
    for table in once(&filled.table).chain(&filled.others) {
        if !filled.others.is_empty() {
            writeln!(text, "{}", table.schema.name.to_uppercase())?;
        }
        show_records(&mut text, table, &texts)?;
        show_columns(&mut text, table)?;
    }
    for Table { schema, records } in &filled.children {
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
