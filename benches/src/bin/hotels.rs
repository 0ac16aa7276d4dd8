//! Writes pages of invented hotels with records and aggregative questions.
//!
//! ```text
//! cargo run --release -p banyan-benches --bin hotels -- N DIRECTORY [--questions Q] [--seed S] [--museums 1]
//! ```
//!
//! With `--museums 1` the pages are of invented museums: another kind, in other words and another layout.
//!
//! `pages/*.md`, `gold_records.csv`, `schema.json` and `questions.jsonl`, as `banyan-eval aggregate` reads them.

use anyhow::{Context, Result, bail};
use banyan_benches::draw::Draw;
use banyan_benches::hotels::{csv, hotels, page, questions, schema};
use banyan_benches::museums;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Questions of the paper's set.
const QUESTIONS: usize = 193;
const SEED: u64 = 7;

fn main() -> Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let seed = option(&mut arguments, "--seed")?.unwrap_or(SEED);
    let n_questions = option(&mut arguments, "--questions")?.map_or(Ok(QUESTIONS), usize::try_from)?;
    let is_museums = option(&mut arguments, "--museums")?.is_some_and(|n| n > 0);
    let [n, directory] = &arguments[..] else {
        bail!("expected: hotels N DIRECTORY [--questions Q] [--seed S] [--museums 1]");
    };
    let n: usize = n.parse().with_context(|| format!("{n}: expected a number of hotels"))?;
    let directory = Path::new(directory);
    let pages = directory.join("pages");
    fs::create_dir_all(&pages).with_context(|| format!("{}: cannot make it", pages.display()))?;
    if is_museums {
        return write_museums(directory, n, n_questions, seed);
    }
    let hotels = hotels(n, seed);
    let mut draw = Draw::new(seed ^ 0xbeef);
    for (at, hotel) in hotels.iter().enumerate() {
        write(&pages.join(format!("{at:05}.md")), &page(hotel, &mut draw))?;
    }
    let lines: Vec<String> = questions(&hotels, n_questions, seed)
        .iter()
        .enumerate()
        .map(|(at, question)| {
            let line = json!({"id": format!("hotels-{at}"), "type": question.kind, "question": question.question, "answer": question.answer, "sql": question.sql});
            line.to_string()
        })
        .collect();
    write(&directory.join("questions.jsonl"), &(lines.join("\n") + "\n"))?;
    write(&directory.join("gold_records.csv"), &csv(&hotels))?;
    write(&directory.join("schema.json"), &format!("{:#}\n", schema()))
}

fn write_museums(directory: &Path, n: usize, n_questions: usize, seed: u64) -> Result<()> {
    let all = museums::museums(n, seed);
    let mut draw = Draw::new(seed ^ 0xbeef);
    for (at, museum) in all.iter().enumerate() {
        let file = directory.join("pages").join(format!("{at:05}.md"));
        write(&file, &museums::page(museum, &mut draw))?;
    }
    let questions = museums::questions(&all, n_questions, seed);
    let lines = questions.iter().enumerate().map(|(at, (question, answer))| {
        json!({"id": format!("museums-{at}"), "question": question, "answer": answer}).to_string()
    });
    let lines: Vec<String> = lines.collect();
    write(&directory.join("questions.jsonl"), &(lines.join("\n") + "\n"))?;
    write(&directory.join("gold_records.csv"), &museums::csv(&all))?;
    write(&directory.join("schema.json"), &format!("{:#}\n", museums::schema()))
}

/// Takes `name NUMBER` out of the arguments.
fn option(arguments: &mut Vec<String>, name: &str) -> Result<Option<u64>> {
    let Some(at) = arguments.iter().position(|argument| argument == name) else {
        return Ok(None);
    };
    let value = arguments
        .get(at + 1)
        .with_context(|| format!("{name}: expected a number"))?;
    let number = value
        .parse()
        .with_context(|| format!("{name} {value}: expected a number"))?;
    arguments.drain(at..=at + 1);
    Ok(Some(number))
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("{}: cannot write", file.display()))
}
