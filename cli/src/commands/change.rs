//! `banyan add` and `banyan remove`: the store becomes what a fresh build of the changed corpus would be.

use super::build::summary;
use crate::Outcome;
use crate::args::{Change, Global, Remove};
use crate::build::{Timing, build, save};
use crate::compose::Embedding;
use crate::corpus;
use crate::progress::Progress;
use crate::render::count;
use crate::stop::Stop;
use anyhow::{Context, Result, bail};
use banyan_engine::document::canonicalise;
use banyan_engine::store::{self, Writer};
use banyan_engine::{Document, Origin};
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) fn add(args: &Change, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    change(&args.target.store, global, progress, stop, |documents| {
        let new = corpus::read(&args.documents, args.skip_bad, progress, stop)?;
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
    change(&args.target.store, global, progress, stop, |documents| {
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

/// Edits the documents of a store that exists and builds it again from them. The store is this process's alone from
/// before it is read until it is written.
fn change(
    path: &Path,
    global: &Global,
    progress: Progress,
    stop: &Stop,
    edit: impl FnOnce(&mut Vec<Document>) -> Result<()>,
) -> Result<Outcome> {
    store::check(path)?;
    let writer = Writer::lock(path)?;
    let known = store::read(path)?;
    let mut documents = known.documents;
    edit(&mut documents)?;
    let mut embedding = Embedding::for_store(&known.settings.embedder, global, progress)?;
    let mut timing = Timing::default();
    let decisions = known.resolution.decisions();
    let built = build(
        documents,
        known.schema,
        decisions,
        &mut embedding,
        progress,
        stop,
        &mut timing,
    );
    let knowledge = built.context("the store is unchanged")?;
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
