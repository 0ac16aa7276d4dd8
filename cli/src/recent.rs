//! Documents that a large store gets: read on their own and laid over it, so that adding a page costs a page. `compact` joins
//! them with the rest, and so does every change that derives the whole anew.

use crate::analysis::analyser_of;
use crate::bounds::Bounds;
use crate::build::{Corpus, build};
use crate::config::writer;
use crate::corpus::{drop_matching, forget};
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::extraction::Statements;
use crate::progress::counted;
use crate::timing::Timing;
use anyhow::{Context, Result};
use banyan_engine::document::canonicalise;
use banyan_engine::store::{self, Writer};
use banyan_engine::{Document, DocumentId, DocumentIndex, Index, Knowledge, Origin, Recent};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Chunks from which a store is large. Arbitrary: up to there a change of the whole takes a few seconds.
const LARGE: usize = 4_096;
/// Chunks of a store for each that may lie over it. Arbitrary: what lies over it is read by every command.
const SHARE: usize = 32;
/// Bytes of text that make a chunk, about; arbitrary.
const CHUNK_BYTES: usize = 800;

/// What is said of an error.
const UNCHANGED: &str = "the store is unchanged";

/// When what is added is joined with the rest of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joining {
    /// Later where a store is large and little is added, else now.
    #[default]
    Auto,
    /// Now: names, types and communities of the whole are found anew. Cost as of a build without its reading.
    Now,
    /// Later ([`crate::Banyan::compact`]): what is added is read on its own until then.
    Later,
}

/// Lays `new` documents over the store at `path`, in place of those that lie there and were read from the same files; whether
/// that was possible. It is not where a file is known to the store itself and was edited, an outside extractor reads, or the
/// store is to be joined now.
pub(crate) fn lay(path: &Path, new: &[Document], joining: Joining, env: &Environment) -> Result<bool> {
    if joining == Joining::Now {
        return Ok(false);
    }
    let writer = writer(path, env)?;
    let ((knowledge, index), recent) = store::apart(path)?;
    let (base, before) = ((&knowledge, &index), recent.unwrap_or_default());
    let is_large = joining == Joining::Later || knowledge.chunks.len() >= LARGE;
    let reads_itself =
        knowledge.settings.extractor == Statements::embedded().extractor && knowledge.patterns.is_empty();
    if !is_large || !reads_itself {
        return Ok(false);
    }
    let mut laid = Laid::of(&before);
    if !laid.take(base, new) {
        return Ok(false);
    }
    store::sound(&knowledge)?;
    let n_bytes: usize = laid.documents.iter().map(|one| one.text.len()).sum();
    if joining == Joining::Auto && n_bytes / CHUNK_BYTES * SHARE > knowledge.chunks.len() {
        let line = "much was added, so all is read as a whole now (`--join later` puts that off)";
        env.progress.remark(line);
        return Ok(false);
    }
    if laid == Laid::of(&before) {
        env.progress.remark("nothing to change");
        return Ok(true);
    }
    let held: BTreeSet<DocumentId> = before.documents().iter().map(|one| one.id).collect();
    let n_new = laid.documents.iter().filter(|one| !held.contains(&one.id)).count();
    let n_gone = held.len() + n_new - laid.documents.len();
    let n_places: usize = laid.elsewhere.values().map(Vec::len).sum();
    let n_places = n_places.saturating_sub(before.elsewhere().map(|(_, origins)| origins.len()).sum());
    let n = put(&writer, base, &before, laid, env).context(UNCHANGED)?;
    let said = [
        (n_new, "added"),
        (n_gone, "read before from the same files replaced"),
        (n_places, "known already, with another place now"),
    ];
    let said = said.iter().filter(|(n, _)| *n > 0);
    let said: Vec<String> = said
        .map(|(n, what)| format!("{} {what}", counted(*n, "document")))
        .collect();
    let apart = counted(n, "document");
    env.progress.remark(&said.join(", "));
    if n > 0 {
        let line = format!("{apart} read apart from the rest until `banyan compact` joins them with it");
        env.progress.remark(&line);
    }
    Ok(true)
}

/// Removes documents that lie over the store at `path`; whether that was all that was asked for.
pub(crate) fn remove(path: &Path, wanted: &[String], env: &Environment) -> Result<bool> {
    let writer = writer(path, env)?;
    let ((knowledge, index), Some(before)) = store::apart(path)? else {
        return Ok(false);
    };
    let mut laid = Laid::of(&before);
    let mut below = knowledge.documents.all().to_vec();
    let is_above = |name: &String| drop_matching(&mut laid.documents, name) && !drop_matching(&mut below, name);
    if !laid.elsewhere.is_empty() || !wanted.iter().all(is_above) {
        return Ok(false);
    }
    let n = put(&writer, (&knowledge, &index), &before, laid, env).context(UNCHANGED)?;
    let n_removed = counted(before.n_documents() - n, "document");
    env.progress.remark(&format!("{n_removed} removed"));
    Ok(true)
}

/// Lays over a store what is to lie there now; how many documents that are.
fn put(writer: &Writer, base: (&Knowledge, &Index), before: &Recent, laid: Laid, env: &Environment) -> Result<usize> {
    let own = read(base.0, &laid.documents, before, env)?;
    let elsewhere: Vec<(DocumentIndex, Vec<Origin>)> = laid.elsewhere.into_iter().collect();
    let recent = Recent::new(base, own, &elsewhere);
    store::sound(base.0)?;
    env.stop.check()?;
    writer.lay(&recent)?;
    Ok(recent.n_documents())
}

/// What lies over a store: documents, in canonical order, and further places of those that it has.
#[derive(PartialEq)]
struct Laid {
    documents: Vec<Document>,
    elsewhere: BTreeMap<DocumentIndex, Vec<Origin>>,
}

impl Laid {
    fn of(recent: &Recent) -> Self {
        let elsewhere = recent.elsewhere().map(|(at, origins)| (at, origins.to_vec()));
        Self {
            documents: recent.documents().to_vec(),
            elsewhere: elsewhere.collect(),
        }
    }

    /// Takes documents in; `false` where the store itself knows one of their files otherwise.
    fn take(&mut self, (base, index): (&Knowledge, &Index), new: &[Document]) -> bool {
        forget(&mut self.documents, new);
        let files: BTreeSet<&str> = origins(new).map(|origin| origin.file.as_str()).collect();
        for file in &files {
            let Some(held) = index.files.get(*file) else { continue };
            let ids = held.iter().map(|at| base.document(DocumentIndex(*at)).id);
            let is_from = |one: &&Document| one.origins.iter().any(|origin| origin.file == **file);
            if ids.collect::<BTreeSet<_>>() != new.iter().filter(is_from).map(|one| one.id).collect() {
                return false;
            }
        }
        for origins in self.elsewhere.values_mut() {
            origins.retain(|origin| !files.contains(origin.file.as_str()));
        }
        for one in new {
            let Some(at) = position(base, one) else {
                self.documents.push(one.clone());
                continue;
            };
            let held = &base.document(at).origins;
            let more = one
                .origins
                .iter()
                .filter(|origin| !held.iter().any(|known| known.file == origin.file));
            self.elsewhere.entry(at).or_default().extend(more.cloned());
        }
        self.elsewhere.retain(|_, origins| !origins.is_empty());
        canonicalise(&mut self.documents);
        true
    }
}

fn origins(documents: &[Document]) -> impl Iterator<Item = &Origin> {
    documents.iter().flat_map(|document| &document.origins)
}

/// Where a knowledge has a document with this title and text.
fn position(knowledge: &Knowledge, document: &Document) -> Option<DocumentIndex> {
    let key = |one: &Document| (one.title.as_str(), one.id) < (document.title.as_str(), document.id);
    let at = knowledge.documents.partition_point(key);
    let is_it = at < knowledge.documents.len() && knowledge.documents.get(at).id == document.id;
    is_it.then(|| DocumentIndex::at(at))
}

/// The knowledge of documents alone, read with what a store was built with, as its schema is now.
fn read(known: &Knowledge, documents: &[Document], before: &Recent, env: &Environment) -> Result<Knowledge> {
    let parser = &known.settings.parser;
    // Which readers a store needs may show in its own documents alone.
    let analyser = analyser_of(parser, documents, env).or_else(|_| analyser_of(parser, known.documents.all(), env))?;
    let embedding = Embedding::for_store(&known.settings.embedder, env)?;
    let bounds = Bounds {
        decisions: known.resolution.decisions().to_vec(),
        ..Bounds::strict(known.schema.clone())
    };
    let corpus = Corpus {
        documents: documents.to_vec(),
        parses: before.parses().clone(),
        contributions: BTreeMap::new(),
        is_part: true,
    };
    build(
        corpus,
        Statements::embedded(),
        &bounds,
        &analyser,
        &embedding,
        env,
        &mut Timing::default(),
    )
}
