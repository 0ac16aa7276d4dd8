//! `banyan schema`: what bounds a store, how it grew, and where it may grow.

use super::build::read_schema;
use super::change::{How, change};
use crate::Outcome;
use crate::args::{Global, ModelArgs, SchemaDecision, SchemaDiff, SchemaInfer, SchemaShow};
use crate::compose::Embedding;
use crate::corpus;
use crate::progress::Progress;
use crate::render;
use crate::stop::Stop;
use crate::tree::CommunitiesKind;
use anyhow::{Context, Result, bail};
use banyan_engine::schema::{self, AcceptedBy, ElementKind, Format, Growth, GrowthError, Proposal};
use banyan_engine::{Schema, store};
use banyan_extract::Watch;
use banyan_extract::infer::{self, THRESHOLD};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Proposals listed at most; the others are counted. `schema diff --json` has them all. Arbitrary, a screenful.
const MAX_LISTED: usize = 20;

pub(crate) fn show(args: &SchemaShow) -> Result<Outcome> {
    let (schema, growth) = match (&args.file, &args.store) {
        (Some(file), _) => (read_schema(file)?, Growth::default()),
        (None, Some(store)) => stored(store)?,
        (None, None) => (Schema::general()?, Growth::default()),
    };
    let text = match (args.json, args.toml) {
        (true, _) => schema.to_text(Format::Json)?,
        (_, true) => schema.to_text(Format::Toml)?,
        _ => listing(&schema, &growth),
    };
    render::text(text.trim_end())?;
    Ok(Outcome::Done)
}

/// A difference, and what is proposed for the second schema.
#[derive(serde::Serialize)]
struct Difference<'a> {
    #[serde(flatten)]
    diff: &'a schema::SchemaDiff,
    proposed: &'a [Proposal],
}

pub(crate) fn diff(args: &SchemaDiff) -> Result<Outcome> {
    let (old, _) = file_or_store(&args.old)?;
    let (new, growth) = file_or_store(&args.new)?;
    let diff = schema::SchemaDiff::new(&old, &new);
    if args.json {
        let proposed = &growth.open;
        render::json(&Difference { diff: &diff, proposed })?;
    } else {
        let mut lines = vec![diff.to_string()];
        lines.extend(proposals(&growth.open));
        render::text(&lines.join("\n"))?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn infer(args: &SchemaInfer, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let (file, shown) = (&args.out, args.out.display());
    let taken = || format!("{shown}: exists already, and a schema file is never written over; name another");
    if file.exists() {
        bail!(taken());
    }
    let documents = corpus::read(&args.corpus, Some(args.skip_bad), progress, stop)?;
    let embedding = Embedding::open(global, progress)?;
    let name = file
        .file_stem()
        .map_or_else(|| "inferred".into(), |stem| stem.to_string_lossy());
    let watch = Stopping(stop);
    let background = Schema::general()?;
    let schema = infer::infer(&name, &documents, &background, THRESHOLD, embedding.names(), &watch)?;
    stop.check()?;
    let is_toml = file
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let text = schema.to_text(if is_toml { Format::Toml } else { Format::Json })?;
    let mut out = match File::create_new(file) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => bail!(taken()),
        out => out.with_context(|| format!("{shown}: cannot create; name a file in a directory that exists"))?,
    };
    let written = writeln!(out, "{}", text.trim_end()).and_then(|()| out.sync_all());
    written.with_context(|| format!("{shown}: cannot write (is the disk full?)"))?;
    progress.remark(&format!(
        "{shown}: {}; read it, edit it, and build with --schema {shown}",
        counts(&schema)
    ));
    Ok(Outcome::Done)
}

/// Hands the user's wish to stop to extraction.
struct Stopping<'a>(&'a Stop);

impl Watch for Stopping<'_> {
    fn is_stopped(&self) -> bool {
        self.0.is_asked()
    }
}

pub(crate) fn accept(args: &SchemaDecision, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    decide(args, global, progress, stop, "accepted", Growth::accept)
}

pub(crate) fn reject(args: &SchemaDecision, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    decide(args, global, progress, stop, "rejected", Growth::reject)
}

/// Carries a decision out on a store and builds it again under the schema that comes of it.
fn decide(
    args: &SchemaDecision,
    global: &Global,
    progress: Progress,
    stop: &Stop,
    done: &str,
    decision: impl FnOnce(&Growth, &Schema, &[String]) -> Result<(Growth, Schema), GrowthError>,
) -> Result<Outcome> {
    let how = How {
        model: &ModelArgs::default(),
        communities: CommunitiesKind::Detect,
    };
    change(&args.target.store, global, progress, stop, &how, |known| {
        let (growth, schema) = decision(&known.growth, &known.schema, &args.names).context("the store is unchanged")?;
        progress.remark(&format!(
            "{done}: {}; schema {} version {}",
            args.names.join(", "),
            schema.name(),
            schema.version()
        ));
        (known.growth, known.schema) = (growth, schema);
        Ok(())
    })
}

fn stored(store: &Path) -> Result<(Schema, Growth)> {
    let knowledge = store::read(store)?;
    Ok((knowledge.schema, knowledge.growth))
}

fn file_or_store(path: &Path) -> Result<(Schema, Growth)> {
    if path.is_dir() {
        stored(path)
    } else {
        Ok((read_schema(path)?, Growth::default()))
    }
}

fn counts(schema: &Schema) -> String {
    let n = schema.entity_types().len();
    [
        render::count(n, "entity type"),
        render::count(schema.relations().len(), "relation"),
        render::count(schema.attributes().len(), "attribute"),
    ]
    .join(", ")
}

/// A schema, how it grew and what is proposed, a line each.
fn listing(schema: &Schema, growth: &Growth) -> String {
    let mut lines = vec![format!(
        "{} version {}: {}",
        schema.name(),
        schema.version(),
        counts(schema)
    )];
    let elements = schema.elements();
    for kind in ElementKind::ALL {
        let of_kind: Vec<_> = elements.iter().filter(|element| element.kind() == kind).collect();
        if !of_kind.is_empty() {
            lines.push(String::new());
        }
        lines.extend(of_kind.into_iter().map(ToString::to_string));
    }
    for version in &growth.versions {
        let by = match version.by {
            AcceptedBy::Confidence => "by confidence",
            AcceptedBy::User => "by the user",
            AcceptedBy::OpenMode => "because the schema was open",
        };
        lines.push(format!("\nversion {}, {by}", version.number));
        lines.extend(version.accepted.iter().map(|proposal| format!("+ {}", line(proposal))));
        lines.extend(version.withdrawn.iter().map(|(kind, name)| format!("- {kind} {name}")));
    }
    lines.extend(proposals(&growth.open));
    if !growth.rejected.is_empty() {
        lines.push("\nrejected".to_owned());
        lines.extend(growth.rejected.iter().map(|(kind, name)| format!("! {kind} {name}")));
    }
    lines.join("\n")
}

/// Open proposals, the surest first.
fn proposals(open: &[Proposal]) -> Vec<String> {
    let mut lines = Vec::new();
    if !open.is_empty() {
        lines.push(format!("\n{}", render::count(open.len(), "open proposal")));
    }
    lines.extend(
        open.iter()
            .take(MAX_LISTED)
            .map(|proposal| format!("? {}", line(proposal))),
    );
    if open.len() > MAX_LISTED {
        lines.push(format!("  and {} less sure", open.len() - MAX_LISTED));
    }
    lines
}

/// A proposal with its numbers.
fn line(proposal: &Proposal) -> String {
    let phrase = match &proposal.alias_of {
        Some(name) => format!(", a phrase for {name}"),
        None => String::new(),
    };
    format!(
        "{}{phrase}  confidence {:.2} from {}, consistency {:.2}, distance {:.2}",
        proposal.element,
        proposal.confidence,
        render::count(proposal.n_documents as usize, "document"),
        proposal.consistency,
        proposal.distance
    )
}
