//! `banyan add` and `banyan remove`: the store becomes what a fresh build of the changed corpus would be. Decisions on the
//! schema change a store in the same way.

use super::build::summary;
use crate::Outcome;
use crate::args::{Change, Global, ModelArgs, Remove};
use crate::build::{Bounds, Timing, build, save};
use crate::compose::Embedding;
use crate::corpus;
use crate::extraction::{Asking, Statements};
use crate::language::Spent;
use crate::patterns::Compiled;
use crate::progress::Progress;
use crate::render::count;
use crate::stop::Stop;
use crate::summary::Writing;
use crate::tree::{CommunitiesKind, regrow};
use anyhow::{Context, Result, bail};
use banyan_community::Before;
use banyan_engine::document::canonicalise;
use banyan_engine::store::{self, Writer};
use banyan_engine::{Document, Knowledge, Origin};
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) fn add(args: &Change, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let how = How {
        model: &args.model,
        communities: args.communities,
    };
    change(&args.target.store, global, progress, stop, &how, |known| {
        let documents = &mut known.documents;
        let new = corpus::read(&args.documents, Some(args.skip_bad), progress, stop)?;
        let n_replaced = forget(documents, &new);
        let n_before = documents.len();
        documents.extend(new);
        canonicalise(documents);
        if n_replaced > 0 {
            let replaced = count(n_replaced, "document");
            progress.remark(&format!("{replaced} read before from the same files replaced"));
        }
        progress.remark(&format!("{} added", count(documents.len() - n_before, "document")));
        Ok(())
    })
}

pub(crate) fn remove(args: &Remove, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let store = args.target.store.display();
    let how = How {
        model: &ModelArgs::default(),
        communities: args.communities,
    };
    change(&args.target.store, global, progress, stop, &how, |known| {
        let documents = &mut known.documents;
        let n_before = documents.len();
        for wanted in &args.documents {
            if !drop_matching(documents, wanted) {
                bail!(
                    "{wanted}: no such document in {store}; expected a file, a record (file#id), a title or an id as `banyan dump` shows them; nothing was removed"
                );
            }
        }
        if documents.is_empty() {
            bail!("this would remove every document; delete {store} instead");
        }
        progress.remark(&format!("{} removed", count(n_before - documents.len(), "document")));
        Ok(())
    })
}

/// How a store is built again.
pub(super) struct How<'a> {
    /// How a language model is asked, if one reads.
    pub(super) model: &'a ModelArgs,
    /// How communities come about.
    pub(super) communities: CommunitiesKind,
}

/// Edits documents, schema or growth of a store that exists and builds it again from them. The store is this process's
/// alone from before it is read until it is written.
pub(super) fn change(
    path: &Path,
    global: &Global,
    progress: Progress,
    stop: &Stop,
    how: &How<'_>,
    edit: impl FnOnce(&mut Knowledge) -> Result<()>,
) -> Result<Outcome> {
    store::check(path)?;
    let writer = Writer::lock(path)?;
    let mut known = store::read(path)?;
    let old_schema = known.schema.clone();
    edit(&mut known)?;
    let documents = known.documents;
    let ids = documents.iter().map(|document| document.id).collect();
    // A change starts anew from the seed and from what people decided, so that what only a document that is gone had
    // suggested goes with it.
    let seed = known.growth.seed(&known.schema).context("the store is unchanged")?;
    let (growth, schema) = known.growth.decided(&seed, &ids).context("the store is unchanged")?;
    let bounds = Bounds {
        schema,
        growth,
        mode: known.settings.schema_mode,
        mu: known.settings.mu,
        decisions: known.resolution.decisions().to_vec(),
    };
    let mut embedding = Embedding::for_store(&known.settings.embedder, global, progress)?;
    let mut statements = Statements {
        extractor: known.settings.extractor,
        by_document: known.statements,
        quarantine: known.quarantine,
        spent: Spent::default(),
        patterns: Compiled::stored(&known.patterns).context("the store is unchanged")?,
    };
    let asking = Asking {
        args: how.model,
        store: path,
        schema: &bounds.schema,
        mode: bounds.mode,
        counter: embedding.counter(),
        max_chunk_tokens: known.settings.max_chunk_tokens,
        failed: &[],
        progress,
        stop,
    };
    let followed = statements.follow(&documents, &asking);
    followed.context("the store is unchanged")?;
    let spent = statements.spent;
    let mut timing = Timing::default();
    let mut knowledge = build(
        documents,
        statements,
        &bounds,
        &mut embedding,
        progress,
        stop,
        &mut timing,
    )
    .context("the store is unchanged")?;
    let before = Before {
        schema: &old_schema,
        graph: &known.graph,
        tree: &known.tree,
    };
    knowledge.settings.summariser = known.settings.summariser;
    let touched = regrow(
        &mut knowledge,
        before,
        how.communities,
        &embedding,
        progress,
        &mut timing,
    )
    .context("the store is unchanged")?;
    stop.check().context("the store is unchanged")?;
    let writing = Writing {
        args: how.model,
        store: path,
        spent,
        progress,
        stop,
    };
    let written = writing.write(&mut knowledge, &touched, &mut timing);
    written.context("the store is unchanged")?;
    save(&writer, &knowledge, progress, stop, &mut timing)?;
    progress.remark(&summary(&knowledge));
    progress.remark(&timing.line());
    Ok(Outcome::Done)
}

/// Drops what was read before from the files that `new` comes from; how many documents that leaves without an origin.
fn forget(documents: &mut Vec<Document>, new: &[Document]) -> usize {
    let files: BTreeSet<&str> = new
        .iter()
        .flat_map(|document| &document.origins)
        .map(|origin| origin.file.as_str())
        .collect();
    let n = documents.len();
    documents.retain_mut(|document| {
        document.origins.retain(|origin| !files.contains(origin.file.as_str()));
        !document.origins.is_empty()
    });
    n - documents.len()
}

/// Takes what `wanted` names out of the list; whether anything was named. A document that was read from several places
/// stays as long as one of them is left.
fn drop_matching(documents: &mut Vec<Document>, wanted: &str) -> bool {
    let mut is_found = false;
    documents.retain_mut(|document| {
        if document.title == wanted || document.id.to_string() == wanted {
            is_found = true;
            return false;
        }
        let n = document.origins.len();
        document.origins.retain(|origin| !is_at(origin, wanted));
        is_found |= document.origins.len() < n;
        !document.origins.is_empty()
    });
    is_found
}

fn is_at(origin: &Origin, wanted: &str) -> bool {
    let place = corpus::name(Path::new(wanted));
    let is_below = origin
        .file
        .strip_prefix(&place)
        .is_some_and(|rest| rest.starts_with('/'));
    origin.file == place || is_below || origin.to_string() == place
}
