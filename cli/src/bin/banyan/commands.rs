//! One file a command: options, one call of the library, and how its result is shown.

use crate::Outcome;
use crate::args::{Args, Command, Model, Schema, Watch};
use crate::render;
use anyhow::{Context, Result};
use banyan::{Banyan, Environment, Stop};
use banyan_engine::store;
use std::path::Path;
use std::time::Duration;

mod about;
mod atlas;
mod build;
mod communities;
mod correct;
mod demo;
mod eval;
mod export;
mod graph;
mod mcp;
mod open;
mod query;
mod read;
mod records;
mod resolve;
mod schema;
mod serve;
mod stats;
mod tool;
mod verify;

pub(crate) fn run(args: Args) -> Result<Outcome> {
    args.global
        .limit_threads()
        .context("cannot set the number of threads")?;
    let env = args
        .global
        .environment(render::progress(args.global.quiet), on_ctrl_c()?);
    let env = Environment {
        reader: std::env::current_exe().ok(),
        ..env
    };
    match args.command {
        Command::Demo => demo::run(env),
        Command::Build(build) => build::run(&build, &env),
        Command::Add(add) => {
            Banyan::open(&add.target.store, env)?.add(&add.documents, &add.options())?;
            Ok(Outcome::Done)
        }
        Command::Note(note) => {
            let text = match note.text.as_str() {
                "-" => String::from_utf8(render::input(Path::new("-"))?)
                    .context("stdin: not UTF-8; nothing was changed")?,
                text => text.to_owned(),
            };
            let name = Banyan::open(&note.target.store, env.clone())?.note(&note.title, &text)?;
            env.progress
                .remark(&format!("noted; `banyan remove {name}` takes it out"));
            Ok(Outcome::Done)
        }
        Command::Import(import) => {
            Banyan::open(&import.target.store, env)?.import(&import.files)?;
            Ok(Outcome::Done)
        }
        Command::Sync(sync) => {
            Banyan::open(&sync.target.store, env)?.sync(&sync.corpus, &sync.options())?;
            Ok(Outcome::Done)
        }
        Command::Watch(Watch { sync, every }) => {
            let mut banyan = Banyan::open(&sync.target.store, env.clone())?;
            banyan::watch(
                &mut banyan,
                &sync.corpus,
                &sync.options(),
                Duration::from_secs(every),
                &env,
            )?;
            Ok(Outcome::Done)
        }
        Command::Remove(remove) => {
            Banyan::open(&remove.target.store, env)?.remove(&remove.documents, &remove.options())?;
            Ok(Outcome::Done)
        }
        Command::Compact(compact) => {
            Banyan::open(&compact.target.store, env)?.compact(compact.communities)?;
            Ok(Outcome::Done)
        }
        Command::Read(read) => read::run(&read, &env),
        Command::Query(query) => query::run(&query, &env),
        Command::Open(open) => open::run(open, &env),
        Command::Serve(serve) => serve::run(&serve, &env),
        Command::Mcp(args) => mcp::run(&args, &env),
        Command::Node(node) => graph::node(&node, env),
        Command::Neighbours(neighbours) => graph::neighbours(&neighbours, env),
        Command::Paths(paths) => graph::paths(&paths, env),
        Command::Match(pattern) => graph::matching(&pattern, env),
        Command::Communities(view) => communities::run(&view, env),
        Command::Export(export) => export::run(&export, env),
        Command::Dump(dump) => stats::dump(&dump, env),
        Command::Load(load) => stats::load(&load, env),
        Command::Stats(stats) => stats::run(&stats, env),
        Command::Verify(verify) => verify::run(&verify, env),
        Command::Backup { to, target } => {
            store::backup(&target.store, &to)?;
            env.progress
                .remark(&format!("{} copied to {}", target.store.display(), to.display()));
            Ok(Outcome::Done)
        }
        Command::Schema(Schema::Show(show)) => schema::show(&show, &env),
        Command::Schema(Schema::Infer(infer)) => schema::infer(&infer, &env),
        Command::Schema(Schema::Decide(decide)) => schema::decide(&decide, env),
        Command::Resolve(resolve) => resolve::run(&resolve, env),
        Command::Fact(fact) => correct::fact(fact, env),
        Command::Entity(entity) => correct::entity(entity, env),
        Command::Records(records) => records::run(&records, &env),
        Command::Eval(eval) => eval::run(&eval, &env),
        Command::Model(Model::Fetch { check }) => fetch(check, &env),
        Command::Doctor => about::doctor(&env),
        Command::Completions { shell } => Ok(about::completions(shell)),
        Command::Man => about::man(),
    }
}

fn fetch(is_checked: bool, env: &Environment) -> Result<Outcome> {
    env.progress.remark(&Banyan::fetch_model(is_checked, env)?);
    Ok(Outcome::Done)
}

/// Listens for Ctrl-C; a second one ends the process at once.
fn on_ctrl_c() -> Result<Stop> {
    let stop = Stop::default();
    let asked = stop.clone();
    ctrlc::set_handler(move || {
        if asked.ask() {
            std::process::exit(i32::from(crate::ERROR));
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}
