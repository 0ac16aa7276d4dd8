//! `banyan records`: columns from documents, records from columns.

use crate::args::Records;
use crate::{Outcome, render};
use anyhow::{Context, Result};
use banyan::{Banyan, Environment, Filled, RecordsOptions, corpus, counted, read_columns};
use banyan_engine::table::{Column, ColumnStats, Table, TableSchema};
use serde_json::{Value, json};

const TEMPLATE: &str = include_str!("../templates/records.txt");

pub(crate) fn run(args: &Records, env: &Environment) -> Result<Outcome> {
    let options = options(args)?;
    if args.columns_only && args.store.is_none() {
        let found = Banyan::columns(&args.corpus, &options, env)?.into_iter();
        let found: Vec<_> = found.map(|(schema, n)| (schema, Some(n))).collect();
        if args.json {
            render::json(&schemas(&found)?)?;
        } else {
            render::text(&described(&found))?;
        }
        return Ok(Outcome::Done);
    }
    let filled = match &args.store {
        Some(store) => Banyan::open(store, env.clone())?.tables(&options)?,
        None => Banyan::records(&args.corpus, &options, env)?,
    };
    if args.json {
        render::json(&shown(&filled, args)?)?;
    } else {
        render::text(&told(&filled, args)?)?;
    }
    Ok(Outcome::Done)
}

/// The records of an open store, as JSON or in words.
pub(crate) fn reply(banyan: &Banyan, args: &Records, is_json: bool) -> Result<String> {
    let filled = banyan.tables(&options(args)?)?;
    if is_json {
        return Ok(shown(&filled, args)?.to_string());
    }
    told(&filled, args)
}

fn shown(filled: &Filled, args: &Records) -> Result<Value> {
    if args.columns_only {
        return schemas(&headed(filled));
    }
    serde_json::to_value(filled).context("cannot encode JSON")
}

fn told(filled: &Filled, args: &Records) -> Result<String> {
    if args.columns_only {
        return Ok(described(&headed(filled)));
    }
    let table = |table: &Table| json!({"table": table, "stats": ColumnStats::of(table)});
    render::page(
        TEMPLATE,
        &json!({"tables": filled.tables().map(table).collect::<Value>()}),
    )
}

fn options(args: &Records) -> Result<RecordsOptions> {
    let questions = match &args.questions {
        Some(file) => corpus::text(file)?,
        None => String::new(),
    };
    let lines = questions.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(RecordsOptions {
        by: args.reasoner,
        columns: args.columns.as_deref().map(read_columns).transpose()?,
        questions: lines.map(str::to_owned).collect(),
        // Columns without records.
        limit: if args.columns_only && args.store.is_some() {
            Some(0)
        } else {
            args.limit
        },
        ..RecordsOptions::default()
    })
}

/// Columns, and of how many documents of a kind they are where that is known.
type Columns = [(TableSchema, Option<usize>)];

/// The columns of tables.
fn headed(filled: &Filled) -> Vec<(TableSchema, Option<usize>)> {
    filled.tables().map(|table| (table.schema.clone(), None)).collect()
}

/// Columns as `--columns` reads them; several tables as a list.
fn schemas(found: &Columns) -> Result<Value> {
    let schemas: Vec<&TableSchema> = found.iter().map(|(schema, _)| schema).collect();
    let shown = match &schemas[..] {
        [only] => serde_json::to_value(only),
        all => serde_json::to_value(all),
    };
    shown.context("cannot encode JSON")
}

fn described(found: &Columns) -> String {
    let column = |column: &Column| {
        let unit = column.unit.as_ref();
        let unit = unit.map_or_else(String::new, |unit| format!(" in {unit}"));
        let kind = column.kind.to_string();
        format!("{:<28} {kind:<8}{unit} {}", column.name, column.description)
    };
    let told = found.iter().map(|(schema, n)| {
        let n = n.map_or_else(String::new, |n| format!(": {}", counted(n, "document")));
        let head = (found.len() > 1).then(|| format!("{}{n}", schema.name));
        let columns = schema.columns.iter().map(column);
        head.into_iter().chain(columns).collect::<Vec<_>>().join("\n")
    });
    told.collect::<Vec<_>>().join("\n\n")
}
