//! `banyan demo`: a first look, from a corpus that is part of the program.

use super::query::View;
use crate::{Outcome, render};
use anyhow::{Context, Result};
use banyan::{AskOptions, Banyan, BuildOptions, Environment, cache_dir, summary};
use banyan_engine::Knowledge;
use banyan_retrieve::Mode;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

const CORPUS: &str = include_str!("../../../../../data/harrow/corpus.jsonl");
/// Of different kinds: a path of several documents, one fact, and something the corpus does not tell.
const QUESTIONS: [(&str, Mode); 3] = [
    (
        "In what year was the railway that runs over the Strand Viaduct converted to electric power?",
        Mode::Open,
    ),
    ("How deep is Lake Hestle at its deepest point?", Mode::Reject),
    (
        "What did the astronomer Ulla Pemberton name after the comet of 1812?",
        Mode::Reject,
    ),
];
const TOP_K: usize = 4;

pub(crate) fn run(env: Environment) -> Result<Outcome> {
    let path = cache_dir()?.join("demo-store");
    begin_anew(&path)?;
    let (name, options) = ("data/harrow/corpus.jsonl", BuildOptions::default());
    render::text("The Harrow Islands, an invented place, from 72 short articles\n")?;
    let banyan = Banyan::create_from_bytes(&path, name, CORPUS.into(), &options, env)?;
    let knowledge = banyan.knowledge()?;
    render::text(&summary(knowledge))?;
    render::text(&communities(knowledge))?;
    for (question, mode) in QUESTIONS {
        let options = AskOptions {
            mode,
            top_k: TOP_K,
            ..AskOptions::default()
        };
        let answered = banyan.ask(question, &options)?;
        let name = if mode == Mode::Open { " (open mode)" } else { "" };
        let shown = View::of(knowledge, &answered, TOP_K).text(false, false)?;
        banyan.sound()?;
        render::text(&format!("\n? {question}{name}\n{shown}"))?;
    }
    let program = std::env::args().next().unwrap_or_else(|| "banyan".to_owned());
    render::text(&format!(
        "\nThe store is at {path}. Try next:\n  {program} query \"Which river flows past Vessing?\" --store {path} --explain\n  {program} stats --store {path}\n  {program} build YOUR-NOTES --store my.banyan",
        path = path.display()
    ))?;
    Ok(Outcome::Done)
}

/// The demo's own store goes first: a program of another version may have written it.
fn begin_anew(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot clear the demo's former store {}", path.display()))
        }
        _ => Ok(()),
    }
}

fn communities(knowledge: &Knowledge) -> String {
    let largest = knowledge.tree.communities().iter().take(5);
    let lines: Vec<String> = largest
        .map(|c| format!("  {:>3} members  {} — {}", c.members.len(), c.name, c.description))
        .collect();
    format!("largest communities\n{}", lines.join("\n"))
}
