//! Documents that a large store gets or loses: what is new is read on its own and laid over it, and rows of what is gone are
//! blank, so that a page costs a page. `compact` joins all of it, and so does every change that derives the whole anew.

use crate::analysis::analyser_of;
use crate::bounds::Bounds;
use crate::build::{Corpus, build};
use crate::config::writer;
use crate::corpus::{self, drop_matching};
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::extraction::Statements;
use crate::progress::{changes, counted};
use crate::timing::Timing;
use anyhow::{Context, Result, bail};
use banyan_engine::document::canonicalise;
use banyan_engine::store;
use banyan_engine::{Document, DocumentId, DocumentIndex, Index, Knowledge, Origin, Recent};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Chunks from which a store is large. Arbitrary: up to there a change of the whole takes a few seconds.
const LARGE: usize = 4_096;
/// Chunks of a store for each that may lie over it. Arbitrary: what lies over it is read by every command.
const SHARE: usize = 32;
/// Bytes of text that make a chunk, about; arbitrary.
const CHUNK_BYTES: usize = 800;
/// Digits of a document's id as it is shown.
const ID_DIGITS: usize = 12;

/// What is said of an error.
const UNCHANGED: &str = "the store is unchanged";

/// When what is added or removed is joined with the rest of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joining {
    /// Later where a store is large and little is changed, else now.
    #[default]
    Auto,
    /// Now: names, types and communities of the whole are found anew. Cost as of a build without its reading.
    Now,
    /// Later ([`crate::Banyan::compact`]): what is added is read on its own until then.
    Later,
}

/// Changes which documents lie over the store at `path`, and which of its own are gone; whether that was possible. It is not
/// where an outside extractor reads, much was changed, the store is small and more is to lie over it, or it is to be joined
/// now.
pub(crate) fn lay(
    path: &Path,
    joining: Joining,
    env: &Environment,
    edit: impl FnOnce(&mut Laid<'_>) -> Result<()>,
) -> Result<bool> {
    if joining == Joining::Now {
        return Ok(false);
    }
    let writer = writer(path, env)?;
    let ((knowledge, index), recent) = store::apart(path)?;
    let (base, before) = ((&knowledge, &index), recent.unwrap_or_default());
    let held = Laid::of(base, &before);
    let mut laid = held.clone();
    edit(&mut laid)?;
    laid.settle();
    store::sound(&knowledge)?;
    let is_large = joining == Joining::Later || knowledge.chunks.len() >= LARGE;
    let reads_itself =
        knowledge.settings.extractor == Statements::embedded().extractor && knowledge.patterns.is_empty();
    let is_less = laid.places == held.places && laid.documents.iter().all(|one| held.documents.contains(one));
    if !reads_itself || !is_large && !is_less {
        return Ok(false);
    }
    if joining == Joining::Auto && laid.n_bytes() / CHUNK_BYTES * SHARE > knowledge.chunks.len() {
        let line = "much was changed, so all is read as a whole now (`--join later` puts that off)";
        env.progress.remark(line);
        return Ok(false);
    }
    if laid.n_left() == 0 {
        bail!("this would remove every document; delete {} instead", path.display());
    }
    let said = laid.since(&held);
    if said.is_empty() {
        env.progress.remark("nothing to change");
        return Ok(true);
    }
    let own = read(&knowledge, &laid.documents, &before, env).context(UNCHANGED)?;
    let recent = Recent::new(base, own, &laid.places);
    store::sound(&knowledge)?;
    env.stop.check().context(UNCHANGED)?;
    writer.lay(&recent).context(UNCHANGED)?;
    env.progress.remark(&said);
    if recent.n_documents() > 0 {
        let apart = counted(recent.n_documents(), "document");
        let line = format!("{apart} read apart from the rest until `banyan compact` joins them with it");
        env.progress.remark(&line);
    }
    if laid.gone().next().is_some() {
        let line = "what was removed stays in the files of the store until `banyan compact`";
        env.progress.remark(line);
    }
    Ok(true)
}

/// What lies over a store: documents, in canonical order, and what places those that it has have now.
#[derive(Clone)]
pub(crate) struct Laid<'a> {
    base: (&'a Knowledge, &'a Index),
    documents: Vec<Document>,
    /// Those without a place are gone.
    places: BTreeMap<DocumentIndex, Vec<Origin>>,
    /// What was taken away by name.
    dropped: Vec<Document>,
}

impl<'a> Laid<'a> {
    fn of(base: (&'a Knowledge, &'a Index), recent: &Recent) -> Self {
        let places = recent.places().map(|(at, origins)| (at, origins.to_vec()));
        Self {
            base,
            documents: recent.documents().to_vec(),
            places: places.collect(),
            dropped: Vec::new(),
        }
    }

    /// Takes documents in, in place of all that was read from the same files.
    pub(crate) fn take(&mut self, new: &[Document]) {
        self.forget(&corpus::files(new));
        for one in new {
            match position(self.base.0, one) {
                None => self.documents.push(one.clone()),
                Some(at) => self.places_of(at).extend(one.origins.iter().cloned()),
            }
        }
    }

    /// Takes away what was read from some files.
    pub(crate) fn forget(&mut self, files: &BTreeSet<&str>) {
        corpus::forget(&mut self.documents, files);
        let held = files.iter().filter_map(|file| self.base.1.files.get(*file)).flatten();
        for at in held {
            self.places_of(DocumentIndex(*at));
        }
        let places = self.places.values_mut();
        places.for_each(|places| places.retain(|origin| !files.contains(origin.file.as_str())));
    }

    /// Takes away what `wanted` names; whether anything was named.
    pub(crate) fn drop_matching(&mut self, wanted: &str) -> bool {
        let above = self.documents.clone();
        // What went by another of its names was there.
        let mut is_found =
            drop_matching(&mut self.dropped.clone(), wanted) | drop_matching(&mut self.documents, wanted);
        if is_found {
            self.dropped.extend(above);
        }
        let moved: Vec<DocumentIndex> = self.places.keys().copied().collect();
        for at in matching(self.base, wanted).into_iter().chain(moved) {
            let known = self.base.0.document(at);
            let mut left = vec![Document {
                origins: self.places.get(&at).unwrap_or(&known.origins).clone(),
                title: known.title.clone(),
                id: known.id,
                ..Document::default()
            }];
            let held = left.clone();
            if !left[0].origins.is_empty() && drop_matching(&mut left, wanted) {
                is_found = true;
                self.dropped.extend(held);
                self.places
                    .insert(at, left.pop().map_or_else(Vec::new, |left| left.origins));
            }
        }
        is_found
    }

    fn places_of(&mut self, at: DocumentIndex) -> &mut Vec<Origin> {
        let known = || self.base.0.document(at).origins.clone();
        self.places.entry(at).or_insert_with(known)
    }

    /// Brings it into canonical order; what is as the store has it is nothing.
    fn settle(&mut self) {
        canonicalise(&mut self.documents);
        self.places.retain(|at, places| {
            let mut moved = vec![Document {
                origins: std::mem::take(places),
                ..Document::default()
            }];
            canonicalise(&mut moved);
            *places = moved.pop().map_or_else(Vec::new, |one| one.origins);
            *places != self.base.0.document(*at).origins
        });
    }

    fn gone(&self) -> impl Iterator<Item = DocumentIndex> {
        let gone = self.places.iter().filter(|(_, places)| places.is_empty());
        gone.map(|(at, _)| *at)
    }

    fn n_left(&self) -> usize {
        self.base.0.documents.len() + self.documents.len() - self.gone().count()
    }

    /// Bytes of text that are new or gone.
    fn n_bytes(&self) -> usize {
        let gone = self.gone().map(|at| self.base.0.document(at).text.len());
        gone.chain(self.documents.iter().map(|one| one.text.len())).sum()
    }

    /// What is new here against how it was `before`, for people.
    fn since(&self, before: &Self) -> String {
        let ids = |laid: &Self| {
            laid.documents
                .iter()
                .map(|one| one.id)
                .collect::<BTreeSet<DocumentId>>()
        };
        let gone = |laid: &Self| laid.gone().collect::<BTreeSet<DocumentIndex>>();
        let (then, now) = ((ids(before), gone(before)), (ids(self), gone(self)));
        let is_moved = |at: &DocumentIndex| {
            let places = self.places.get(at);
            places != before.places.get(at) && !now.1.contains(at) && !then.1.contains(at)
        };
        let known: BTreeSet<DocumentIndex> = self.places.keys().chain(before.places.keys()).copied().collect();
        let moved = self
            .documents
            .iter()
            .filter(|one| then.0.contains(&one.id) && !before.documents.contains(one));
        changes(
            now.0.difference(&then.0).count() + then.1.difference(&now.1).count(),
            then.0.difference(&now.0).count() + now.1.difference(&then.1).count(),
            known.iter().filter(|at| is_moved(at)).count() + moved.count(),
        )
    }
}

/// The documents of a store that `wanted` may name, as [`drop_matching`] takes it; those of files and titles are looked up.
fn matching((base, index): (&Knowledge, &Index), wanted: &str) -> BTreeSet<DocumentIndex> {
    let place = corpus::name(Path::new(wanted));
    let rows = index.files.rows();
    let mut found = BTreeSet::new();
    let below = |prefix: &str| rows.partition_point(|(file, _)| file.as_str() < prefix);
    // A record stands behind the name of its file.
    for (end, _) in place
        .char_indices()
        .filter(|(_, ch)| *ch == '#')
        .chain([(place.len(), ' ')])
    {
        let prefix = &place[..end];
        let files = (below(prefix)..rows.len()).map(|at| rows.get(at));
        let files = files.take_while(|(file, _)| file.starts_with(prefix));
        found.extend(files.flat_map(|(_, own)| own).map(|at| DocumentIndex(*at)));
    }
    let titled = base.documents.partition_point(|one| one.title.as_str() < wanted);
    let titled = (titled..base.documents.len()).take_while(|at| base.documents.get(*at).title == wanted);
    found.extend(titled.map(DocumentIndex::at));
    if wanted.len() == ID_DIGITS && wanted.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let mut all = (0..base.documents.len()).map(DocumentIndex::at);
        found.extend(all.find(|at| base.document(*at).id.to_string() == wanted));
    }
    found
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
    if documents.is_empty() {
        return Ok(Knowledge::nothing(known.schema.clone()));
    }
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
