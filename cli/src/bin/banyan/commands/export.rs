//! `banyan export`: knowledge as a file for other programs.

use super::atlas;
use crate::args::{Export, FormatKind};
use crate::{Outcome, render};
use anyhow::{Context, Result, bail, ensure};
use banyan::{Banyan, Environment, counted};
use banyan_engine::CommunityId;
use banyan_engine::export::{self, Picture, Selection, select};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Export, env: Environment) -> Result<Outcome> {
    let format = format(args)?;
    let out = args.out.display();
    let is_taken = |file: &Path| !args.force && file.exists();
    // A folder of notes is whatever names are in the store: it is known when they are.
    let taken = match format {
        FormatKind::Csv => ["nodes.csv", "edges.csv"]
            .map(|name| args.out.join(name))
            .into_iter()
            .find(|file| is_taken(file)),
        _ => Some(args.out.clone()).filter(|file| is_taken(file)),
    };
    if let Some(file) = taken {
        bail!("{}: is there already; name another file or use --force", file.display());
    }
    let is_whole =
        args.community.is_none() && args.entity.is_none() && args.level.len() == 1 && args.level[0].0.len() == 4;
    ensure!(
        format != FormatKind::Html || is_whole,
        "--format html: the page shows all of a store; leave --level, --community and --entity out"
    );
    let progress = env.progress.clone();
    let banyan = Banyan::open(&args.target.store, env)?;
    let picture = select(banyan.knowledge()?, &selection(args, &banyan)?);
    let files = files(args, &banyan, &picture, format)?;
    banyan.sound()?;
    for (file, text) in files {
        write(&file, &text)?;
    }
    let [nodes, edges] = [
        counted(picture.nodes.len(), "node"),
        counted(picture.edges.len(), "edge"),
    ];
    progress.remark(&format!("{out}: {nodes}, {edges}"));
    Ok(Outcome::Done)
}

/// The page that shows everything.
fn explorer(args: &Export, banyan: &Banyan) -> Result<String> {
    let atlas = atlas::atlas(banyan, render::stem(&args.target.store), atlas::Reader::Page)?;
    Ok(atlas::page(&atlas))
}

/// The format that was named, else that of the extension.
fn format(args: &Export) -> Result<FormatKind> {
    let extension = args.out.extension().and_then(|end| end.to_str()).map(str::to_lowercase);
    match (args.format, extension.as_deref()) {
        (Some(format), _) => Ok(format),
        (None, Some("json")) => Ok(FormatKind::Json),
        (None, Some("jsonl" | "ndjson")) => Ok(FormatKind::Jsonl),
        (None, Some("graphml")) => Ok(FormatKind::Graphml),
        (None, Some("html" | "htm")) => Ok(FormatKind::Html),
        (None, Some("cypher" | "cql")) => Ok(FormatKind::Cypher),
        (None, Some("nt")) => Ok(FormatKind::Ntriples),
        _ => bail!(
            "{}: which format? expected a name that ends in .html, .json, .jsonl, .graphml, .cypher or .nt, or --format (csv writes \
             two files into a directory, obsidian a note for each entity and community)",
            args.out.display()
        ),
    }
}

/// What is written where.
fn files(args: &Export, banyan: &Banyan, picture: &Picture, format: FormatKind) -> Result<Vec<(PathBuf, String)>> {
    let out = &args.out;
    let text = match format {
        FormatKind::Csv => {
            let export::Csv { nodes, edges } = export::csv(picture)?;
            return Ok(vec![(out.join("nodes.csv"), nodes), (out.join("edges.csv"), edges)]);
        }
        FormatKind::Obsidian => {
            let notes = export::obsidian(picture).into_iter();
            return Ok(notes.map(|(name, text)| (out.join(name), text)).collect());
        }
        FormatKind::Graphml => export::graphml(picture),
        FormatKind::Cypher => export::cypher(picture),
        FormatKind::Ntriples => export::ntriples(picture),
        FormatKind::Jsonl => export::json_lines(picture)?,
        FormatKind::Json => export::json(picture)?,
        FormatKind::Html => explorer(args, banyan)?,
    };
    Ok(vec![(out.clone(), text)])
}

fn selection(args: &Export, banyan: &Banyan) -> Result<Selection> {
    let n = banyan.knowledge()?.tree.n_communities();
    let community = match args.community {
        Some(number) if number < n => Some(CommunityId::at(number)),
        Some(number) => bail!("--community {number}: expected a number below {n}, the count of communities"),
        None => None,
    };
    let around = match &args.entity {
        Some(name) => Some((banyan.entity(name)?, args.depth)),
        None => None,
    };
    Ok(Selection {
        levels: args.level.iter().flat_map(|levels| levels.0).copied().collect(),
        community,
        around,
    })
}

/// Writes a file whole or not at all.
fn write(file: &Path, text: &str) -> Result<()> {
    let name = file.display();
    let directory = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(directory).with_context(|| format!("{name}: cannot make its directory"))?;
    let staged = tempfile::NamedTempFile::new_in(directory);
    let mut staged = staged.with_context(|| format!("{name}: cannot write beside it"))?;
    staged
        .write_all(text.as_bytes())
        .with_context(|| format!("{name}: cannot write"))?;
    staged.persist(file).with_context(|| format!("{name}: cannot write"))?;
    Ok(())
}
