//! Times questions over many records, and reading documents for columns and cells.
//!
//! ```text
//! cargo run --release -p banyan-benches --bin records -- N_RECORDS N_DOCUMENTS [--seed S]
//! ```
//!
//! The records are those of invented hotels; the documents are pages of them. Times are of this machine as it is now.

use anyhow::{Context, Result, bail};
use banyan_benches::draw::Draw;
use banyan_benches::hotels::{COLUMNS, Hotel, Value as Gold, hotels, page, questions, schema};
use banyan_engine::table::{Cell, Database, Kind, Limits, Record, Table, TableSchema, Value, from_json};
use banyan_engine::{Document, DocumentId, Origin};
use banyan_extract::record::{fill, induce};
use banyan_retrieve::aggregate::{Catalogue, ask};
use std::time::Instant;

const SEED: u64 = 7;
/// Questions that are timed: each of the twenty shapes ten times.
const N_QUESTIONS: usize = 200;

#[allow(clippy::print_stdout, reason = "this program exists to print figures")]
fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (n, m, seed) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [n, m] => (n, m, SEED),
        [n, m, "--seed", seed] => (n, m, seed.parse().context("--seed: expected a number")?),
        _ => bail!("expected: records N_RECORDS N_DOCUMENTS [--seed S]"),
    };
    let number = |text: &str| {
        text.parse::<usize>()
            .with_context(|| format!("{text}: expected a number"))
    };
    let (n, m) = (number(n)?, number(m)?);
    let schema = from_json(&schema().to_string(), "hotels")?;

    let all = hotels(n, seed);
    let table = table(&schema, &all);
    let start = Instant::now();
    let (catalogue, database) = (Catalogue::new(&table), Database::new(std::slice::from_ref(&table))?);
    println!("{n} records loaded in {:.2} s", start.elapsed().as_secs_f64());
    let mut times = Vec::new();
    for question in questions(&all, N_QUESTIONS, seed) {
        let start = Instant::now();
        ask(&question.question, &catalogue, &table, &database, Limits::default())?;
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{} questions: p50 {:.1} ms, p95 {:.1} ms, largest {:.1} ms",
        times.len(),
        percentile(&times, 50),
        percentile(&times, 95),
        percentile(&times, 100)
    );

    let mut draw = Draw::new(seed);
    let documents: Vec<Document> = hotels(m, seed).iter().map(|hotel| document(hotel, &mut draw)).collect();
    let start = Instant::now();
    let induced = induce(&documents, &[], "hotels");
    let filled = induced.first().map(|schema| fill(schema, &documents));
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{m} documents: {} columns induced and {} records filled in {seconds:.2} s, {:.0} documents a minute",
        induced.first().map_or(0, |schema| schema.columns.len()),
        filled.map_or(0, |table| table.records.len()),
        m as f64 / seconds * 60.0
    );
    Ok(())
}

/// The records as a table, without pages.
fn table(schema: &TableSchema, hotels: &[Hotel]) -> Table {
    let value = |hotel: &Hotel, at: usize, kind: Kind| match hotel.get(COLUMNS[at].0) {
        Gold::None => Value::Null,
        Gold::Text(text) if kind == Kind::Date => Value::Date(text.clone()),
        Gold::Text(text) => Value::Text(text.clone()),
        #[expect(clippy::cast_possible_truncation, reason = "whole numbers below 5,000")]
        Gold::Number(number) if kind != Kind::Number => Value::Integer(*number as i64),
        Gold::Number(number) => Value::Number(*number),
        Gold::Flag(is) => Value::Boolean(*is),
    };
    let record = |hotel: &Hotel| Record {
        document: DocumentId::of(hotel.text("hotel_name"), ""),
        title: hotel.text("hotel_name").to_owned(),
        parent: None,
        cells: schema
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| Cell {
                value: value(hotel, at, column.kind),
                confidence: 1.0,
                ..Cell::default()
            })
            .collect(),
    };
    Table {
        schema: schema.clone(),
        records: hotels.iter().map(record).collect(),
    }
}

fn document(hotel: &Hotel, draw: &mut Draw) -> Document {
    let name = hotel.text("hotel_name");
    let origin = Origin {
        file: name.to_owned(),
        record: None,
        line: None,
    };
    Document::new(name, page(hotel, draw), origin)
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(0.0)
}
