//! `banyan schema`: what bounds a store, how it grew, and where it may grow.

use super::build::read_schema;
use crate::args::{SchemaDecide, SchemaInfer, SchemaShow};
use crate::{Outcome, render};
use anyhow::{Context, Result, bail};
use banyan::{Banyan, Environment, ReadOptions, Verdict, counted};
use banyan_engine::Schema;
use banyan_engine::schema::{AcceptedBy, ElementKind, Growth, Proposal, SchemaDiff};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Proposals listed at most; the others are counted. `schema show --since --json` has them all. Arbitrary, a screenful.
const MAX_LISTED: usize = 20;

/// A difference, and what is proposed for the second schema.
#[derive(serde::Serialize)]
struct Difference<'a> {
    #[serde(flatten)]
    diff: &'a SchemaDiff,
    proposed: &'a [Proposal],
}

pub(crate) fn show(args: &SchemaShow, env: &Environment) -> Result<Outcome> {
    let (schema, growth) = match &args.schema {
        Some(place) => file_or_store(place, env)?,
        None => (Schema::general()?, Growth::default()),
    };
    let Some(since) = &args.since else {
        let text = if args.json {
            schema.to_json()?
        } else {
            listing(&schema, &growth)
        };
        render::text(text.trim_end())?;
        return Ok(Outcome::Done);
    };
    let (old, _) = file_or_store(since, env)?;
    let diff = SchemaDiff::new(&old, &schema);
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

pub(crate) fn infer(args: &SchemaInfer, env: &Environment) -> Result<Outcome> {
    let (file, shown) = (&args.out, args.out.display());
    let taken = || format!("{shown}: exists already, and a schema file is never written over; name another");
    if file.exists() {
        bail!(taken());
    }
    let name = file
        .file_stem()
        .map_or_else(|| "inferred".into(), |stem| stem.to_string_lossy());
    let schema = Banyan::infer_schema(&name, &args.corpus, &ReadOptions::default(), env)?;
    let text = schema.to_json()?;
    let mut out = match File::create_new(file) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => bail!(taken()),
        out => out.with_context(|| format!("{shown}: cannot create; name a file in a directory that exists"))?,
    };
    let written = writeln!(out, "{}", text.trim_end()).and_then(|()| out.sync_all());
    written.with_context(|| format!("{shown}: cannot write (is the disk full?)"))?;
    env.progress.remark(&format!(
        "{shown}: {}; read it, edit it, and build with --schema {shown}",
        counts(&schema)
    ));
    Ok(Outcome::Done)
}

pub(crate) fn decide(args: &SchemaDecide, env: Environment) -> Result<Outcome> {
    let verdict = if args.accept.is_empty() {
        Verdict::Reject(args.reject.clone())
    } else {
        Verdict::Accept(args.accept.clone())
    };
    Banyan::open(&args.target.store, env)?.decide(&verdict)?;
    Ok(Outcome::Done)
}

fn file_or_store(place: &Path, env: &Environment) -> Result<(Schema, Growth)> {
    if place.is_dir() {
        let banyan = Banyan::open(place, env.clone())?;
        let knowledge = banyan.knowledge()?;
        Ok((knowledge.schema.clone(), knowledge.growth.clone()))
    } else {
        Ok((read_schema(place)?, Growth::default()))
    }
}

fn counts(schema: &Schema) -> String {
    let n = schema.entity_types().len();
    [
        counted(n, "entity type"),
        counted(schema.relations().len(), "relation"),
        counted(schema.attributes().len(), "attribute"),
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
        lines.push(format!("\n{}", counted(open.len(), "open proposal")));
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

fn line(proposal: &Proposal) -> String {
    let phrase = match &proposal.alias_of {
        Some(name) => format!(", a phrase for {name}"),
        None => String::new(),
    };
    format!(
        "{}{phrase}  confidence {:.2} from {}, consistency {:.2}, distance {:.2}",
        proposal.element,
        proposal.confidence,
        counted(proposal.n_documents as usize, "document"),
        proposal.consistency,
        proposal.distance
    )
}
