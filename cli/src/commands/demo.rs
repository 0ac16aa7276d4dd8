//! `banyan demo`: the whole road in a minute, on a corpus that ships inside the program.

use super::build::summary;
use super::query::{Asking, View};
use crate::Outcome;
use crate::args::Global;
use crate::build::{Bounds, Timing, build, save};
use crate::compose::{Embedding, cache_dir};
use crate::extraction::Statements;
use crate::progress::Progress;
use crate::render;
use crate::stop::Stop;
use crate::tree::grow;
use anyhow::{Context, Result};
use banyan_engine::document::canonicalise;
use banyan_engine::store::{self, Writer};
use banyan_engine::{Knowledge, Schema};
use banyan_extract::read;
use banyan_retrieve::reason::EmbeddedReasoner;
use banyan_retrieve::{Config, Mode, Question};

const CORPUS: &str = include_str!("../../../data/harrow/corpus.jsonl");
/// Of different kinds: a path of several documents, a comparison, and something the corpus does not tell.
const QUESTIONS: [(&str, Mode); 3] = [
    (
        "To whom was the engineer apprenticed who designed the bridge pictured on the cover of Moorings?",
        Mode::Open,
    ),
    (
        "Were the director Marius Quell and the painter Anselm Dray from the same town?",
        Mode::Open,
    ),
    (
        "What did the astronomer Ulla Pemberton name after the comet of 1812?",
        Mode::Reject,
    ),
];

pub(crate) fn run(global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let mut embedding = Embedding::open(global, progress)?;
    let mut timing = Timing::default();
    let mut documents = timing.stage("read", || Ok(read::parse("data/harrow/corpus.jsonl", CORPUS.into())?))?;
    canonicalise(&mut documents);
    let mut knowledge = build(
        documents,
        Statements::embedded(),
        &Bounds::strict(Schema::general()?),
        &mut embedding,
        progress,
        stop,
        &mut timing,
    )?;
    grow(&mut knowledge, &embedding, &mut timing)?;
    let path = cache_dir()?.join("demo-store");
    save(&Writer::lock(&path)?, &knowledge, progress, stop, &mut timing)?;
    render::text("The Harrow Islands, an invented place, from 72 short articles\n")?;
    render::text(&summary(&knowledge))?;
    render::text(&timing.line())?;
    render::text(&communities(&knowledge))?;
    let searcher = embedding.searcher(store::read(&path).context("cannot open the store just built")?);
    for (question, mode) in QUESTIONS {
        let asking = Asking {
            searcher: &searcher,
            reasoner: &EmbeddedReasoner::default(),
            has_overview: true,
            mode,
            config: Config::default(),
        };
        let asked = Question::new(question, embedding.question(question)?);
        let reply = asking.ask(&asked, None)?;
        let name = if mode == Mode::Reject { " (reject mode)" } else { "" };
        render::text(&format!(
            "\n? {question}{name}\n{}",
            View::new(&searcher, &reply, 4).text(false)
        ))?;
    }
    let program = std::env::args().next().unwrap_or_else(|| "banyan".to_owned());
    render::text(&format!(
        "\nThe store is at {path}. Try next:\n  {program} query \"Which river flows past Vessing?\" --store {path} --explain\n  {program} stats --store {path}\n  {program} build YOUR-NOTES --store my.banyan",
        path = path.display()
    ))?;
    Ok(Outcome::Done)
}

/// The largest communities, by name.
fn communities(knowledge: &Knowledge) -> String {
    let largest = knowledge.tree.communities().iter().take(5);
    let lines: Vec<String> = largest
        .map(|c| format!("  {:>3} members  {} — {}", c.members.len(), c.name, c.description))
        .collect();
    format!("largest communities\n{}", lines.join("\n"))
}
