//! A corpus becomes a store.

use crate::analysis::analyser;
use crate::bounds::Bounds;
use crate::build::{build, finish, summary};
use crate::config::writer;
use crate::corpus::{self, ReadOptions};
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::extraction::{Asking, ExtractionPlan, ExtractorKind, Statements};
use crate::import;
use crate::language::Worker;
use crate::memory;
use crate::progress::counted;
use crate::timing::Timing;
use crate::tree::grow;
use anyhow::{Context, Result, bail};
use banyan_engine::document::canonicalise;
use banyan_engine::schema::{AcceptedBy, SchemaMode};
use banyan_engine::store::{self, StoreError, Writer};
use banyan_engine::{Document, Schema, Settings};
use banyan_extract::import::Imported;
use std::path::{Path, PathBuf};

/// How a store is built.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// How files become documents.
    pub read: ReadOptions,
    /// What bounds extraction; the built-in general schema where none is given.
    pub schema: Option<Schema>,
    /// What happens to what the schema does not define.
    pub schema_mode: SchemaMode,
    /// Least confidence with which [`SchemaMode::Expand`] accepts a proposal (μ of Eq. 3), 0 to 1.
    pub mu: f32,
    /// Who reads the facts.
    pub extractor: ExtractorKind,
    /// Who writes names and summaries of communities, now and when documents are added.
    pub summaries: Worker,
    /// Ask again about what the model gave no usable reply to.
    pub retry_failed: bool,
    /// Files of facts that somebody wrote down ([`banyan_extract::import::parse`]).
    pub facts: Vec<PathBuf>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            read: ReadOptions::default(),
            schema: None,
            schema_mode: SchemaMode::Strict,
            mu: Settings::default().mu,
            extractor: ExtractorKind::Embedded,
            summaries: Worker::Embedded,
            retry_failed: false,
            facts: Vec::new(),
        }
    }
}

/// Builds the store at `path` from the documents below `corpus`.
pub(crate) fn create(path: &Path, corpus: &[PathBuf], options: &BuildOptions, env: &Environment) -> Result<()> {
    let writer = writer(path, env)?;
    let mut timing = Timing::default();
    let imported = import::read(&options.facts, env)?;
    let documents = timing.stage("read", || {
        if corpus.is_empty() && !imported.documents.is_empty() {
            return Ok(Vec::new());
        }
        corpus::read(corpus, &options.read, env)
    })?;
    if let Some(line) = memory::shortage(&documents) {
        env.progress.remark(&line);
    }
    create_from(path, &writer, (documents, imported), options, env, timing)
}

/// Builds the store at `path` from documents in canonical order, and facts that were written down.
pub(crate) fn create_from(
    path: &Path,
    writer: &Writer,
    (mut documents, mut imported): (Vec<Document>, Imported),
    options: &BuildOptions,
    env: &Environment,
    mut timing: Timing,
) -> Result<()> {
    let summariser = crate::summary::id(options.summaries, env)?;
    let embedding = Embedding::open(env)?;
    let schema = options.schema.clone().map_or_else(Schema::general, Ok)?;
    let (bounds, kept) = bounds(path, options, schema, &mut documents, env)?;
    imported.typed(&bounds.schema, &|_| false);
    imported.extend(kept);
    let failed = if options.retry_failed && store::check(path).is_ok() {
        store::load(path)?.quarantine.into_inner()
    } else {
        Vec::new()
    };
    let asking = Asking {
        failed: &failed,
        env,
        store: path,
        bounds: &bounds,
        embedding: &embedding,
    };
    let mut statements = timing.stage("state", || Statements::gather(&options.extractor, &documents, &asking))?;
    let spent = statements.spent;
    let ids = imported.statements.keys().copied().collect();
    documents.extend(imported.documents);
    canonicalise(&mut documents);
    statements.by_document.extend(imported.statements);
    let mut knowledge = build(
        documents.into(),
        statements,
        &bounds,
        analyser(env),
        &embedding,
        env,
        &mut timing,
    )?;
    knowledge.settings.summariser = summariser;
    let touched = grow(&mut knowledge, &embedding, &mut timing)?;
    finish(path, writer, &mut knowledge, &touched, spent, env, &mut timing)?;
    env.progress.remark(&summary(&knowledge));
    import::tell(&knowledge, &ids, env);
    env.progress.remark(&timing.line());
    Ok(())
}

/// What building with a language model would take; builds nothing.
pub(crate) fn plan(
    path: &Path,
    corpus: &[PathBuf],
    options: &BuildOptions,
    env: &Environment,
) -> Result<ExtractionPlan> {
    if options.extractor != ExtractorKind::Llm {
        bail!("only the extractor `llm` makes calls; --dry-run has nothing to count");
    }
    let schema = options.schema.clone().map_or_else(Schema::general, Ok)?;
    let documents = corpus::read(corpus, &options.read, env)?;
    let embedding = Embedding::open(env)?;
    let asking = Asking {
        env,
        store: path,
        bounds: &Bounds {
            mode: options.schema_mode,
            ..Bounds::strict(schema)
        },
        embedding: &embedding,
        failed: &[],
    };
    asking.forecast(&documents)
}

/// What bounds this build; what people decided on, stated of and noted in the store that it replaces holds for it, too. Notes
/// come to the documents.
fn bounds(
    path: &Path,
    options: &BuildOptions,
    schema: Schema,
    documents: &mut Vec<Document>,
    env: &Environment,
) -> Result<(Bounds, Imported)> {
    let new = Bounds {
        mode: options.schema_mode,
        mu: options.mu,
        ..Bounds::strict(schema)
    };
    let old = match store::load(path) {
        Err(StoreError::Missing { .. }) => return Ok((new, Imported::default())),
        old => old.with_context(|| {
            let store = path.display();
            format!(
                "nothing was built, since what was decided on {store} would be lost; mend it (`banyan verify --repair --store {store}`), move it away, or name another directory"
            )
        })?,
    };
    let (stated, notes) = import::of_people(&old);
    let n_own = stated.documents.len() + notes.len();
    documents.extend(notes);
    canonicalise(documents);
    let mut kept = new;
    let decisions = old.resolution.decisions();
    if !decisions.is_empty() {
        let n = counted(decisions.len(), "decision");
        env.progress
            .remark(&format!("kept from the store before: {n} on names (`banyan resolve`)"));
        kept.decisions = decisions.to_vec();
    }
    if old.growth.seed(&old.schema)? == kept.schema {
        let all = documents.iter().chain(&stated.documents);
        let ids = all.map(|document| document.id).collect();
        (kept.growth, kept.schema) = old.growth.decided(&kept.schema, &ids)?;
    } else if old.growth.versions.iter().any(|version| version.by == AcceptedBy::User)
        || !old.growth.rejected.is_empty()
    {
        env.progress
            .remark("what was decided on the schema of the store before is dropped: this build has another schema");
    }
    if options.extractor == ExtractorKind::Embedded && options.facts.is_empty() {
        let n_left = old.statements.len() - stated.statements.len();
        if n_left > 0 {
            let n = counted(n_left, "document");
            env.progress.remark(&format!(
                "left out: {n} of imported facts of the store before (`--facts FILE` builds with them)"
            ));
        }
    }
    if n_own > 0 {
        let n = counted(n_own, "document");
        env.progress.remark(&format!(
            "kept from the store before: {n} that people stated or noted (`banyan fact add`, `banyan note`)"
        ));
    }
    Ok((kept, stated))
}
