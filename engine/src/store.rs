//! Storage: one generation of knowledge at a time, replaced whole and atomically.
//!
//! # Layout of a store directory
//! | path | holds |
//! |---|---|
//! | `CURRENT` | two lines: `banyan store <format>` and the name of the live generation |
//! | `LOCK` | locked by the one process that writes |
//! | `gen-<n>/` | a database ([`Engine`]), complete once `CURRENT` names it |
//! | `gen-<n>/rows` | the same records and indexes over them, as one flat file with a directory: the snapshot that readers use |
//! | `gen-<n>/recent` | documents that were added to that generation since ([`Recent`]), read on their own: one record, replaced whole; none where nothing was; `recent.copy` beside it is its copy |
//! | `gen-<n>/derived/` | what questions computed from that generation ([`Derived`]) |
//!
//! # Invariants
//! 1. Reading a store writes nothing to it and takes no lock: it opens `CURRENT` and `rows`, and where the generation was
//!    replaced between the two, it begins again. A reader that holds `rows` open answers from that generation, whatever a
//!    writer does.
//! 2. `CURRENT` names a generation only when every file and name in it is on the disk.
//! 3. A generation goes only when `CURRENT` names another one.
//! 4. Either half of a generation holds all that cannot be derived; [`verify`] compares the two, and both with what the
//!    documents come to, and [`repair`] writes both anew from the sound one.
//! 5. What is read is checked: each record has a checksum, each row refers to rows that are there. A reader that met damage
//!    has blank rows in its place, and [`sound`] says so before anything is told.
//!
//! # Keys of a generation
//! A *list* has a record for each block of some 8 KiB, by its number, u32 big endian. A *table* is a list of pairs in the
//! order of their first part, by which they are looked up.
//!
//! | tree | kind | rows |
//! |---|---|---|
//! | `meta` | a record each | `settings`, `schema` and `growth` as JSON text, `patterns`, `quarantine`, `resolution`, `refusals`, `refreshes`, `dimension` of vectors, `index` (how much is indexed), lengths of passages and communities in terms |
//! | `extent` | a record each | first rows of the blocks of each list, and last the number of rows |
//! | `head` | a record each | first keys of the blocks of each table |
//! | `document` | list | [`Document`](crate::document::Document), canonical order |
//! | `contribution` | list | [`Contribution`](crate::fact::Contribution) of each, by columns |
//! | `statement` | list | a document's id with its [`StatedAt`] |
//! | `parse` * | list | a document's id with what the extractor packed of its parse |
//! | `chunk` | list | [`Chunk`](crate::document::Chunk) |
//! | `entity`, `triple`, `attribute` | list | the graph, by id or position |
//! | `association` * | list | what stands beside what in a sentence |
//! | `around` * | list | for each entity its triples, associations and attributes |
//! | `of-relation` *, `of-attribute` * | list | for each relation or attribute the positions of its triples or attributes |
//! | `key` * | table | every key, joined or not → entity |
//! | `community`, `membership` | list | communities; the one of each entity |
//! | `branch` | list | a row for each level above the communities |
//! | `vector` | list | for each chunk its vector, f16 little endian |
//! | `vector-code` * | list | for each chunk its vector in steps of one byte, and the size of a step; of more than 32,768 chunks |
//! | `passage-term`, `community-term` * | table | term → postings |
//! | `named-in`, `named` * | list | entities of each chunk; chunks of each entity |
//! | `name` * | table | name or alias → entities |
//! | `origin` * | table | file → positions of the documents that were read from it |
//! | `stated` * | list | facts of each chunk |
//! | `word` * | table | term of names and facts → its number |
//! | `name-words`, `triple-words`, `association-words` * | list | numbers of the terms of each |
//! | `file` | a record each | name of a file of the database's → its length and crc32; in the snapshot only |
//!
//! Those with a star are in the snapshot alone. All but the first three lists and some of `meta` is derived from these when a store is written, and compared with them by
//! [`verify`]. Every record is `format byte · crc32 · bincode`, compressed where that helps (see [`codec`]). A writer builds the next generation beside the
//! live one and then renames a new `CURRENT` over the old: a crash at any instant leaves the old store or the new.

use crate::document::canonicalise;
use crate::embed::PassageVectors;
use crate::graph::KnowledgeGraph;
use crate::id::DocumentId;
use crate::index::bm25::Extent;
use crate::index::{Bm25, Facts, Incidence, Index};
use crate::knowledge::{Knowledge, Parses};
use crate::paged::{Health, Lazy, Paged};
use crate::recent::Recent;
use crate::schema::{Growth, Schema};
use crate::stated::StatedAt;
use crate::tree::KnowledgeTree;
use generation::Generation;
use pages::{Lists, META, Pages};
use row::Limits;
use std::path::Path;
use std::sync::Arc;

pub mod codec;
mod columns;
mod contents;
mod database;
mod derived;
mod directory;
mod error;
mod generation;
mod pages;
mod recent;
mod record;
mod row;
mod snapshot;
#[cfg(test)]
mod tests;
mod verify;

pub use database::Engine;
pub use derived::Derived;
use directory::Directory;
pub use directory::FORMAT;
pub use error::StoreError;
pub use verify::{Verdict, repair, verify};

/// Rows written so far and rows in all; returning `false` stops the writing and leaves the store as it was.
pub type OnProgress<'a> = &'a mut dyn FnMut(usize, usize) -> bool;

/// The right to write a store: no other process writes it while this lives.
pub struct Writer {
    directory: Directory,
    engine: Option<Engine>,
}

impl Writer {
    /// Takes the right, before long work rather than after it. Makes the directory where there is none; a directory
    /// that was made and never written to goes with the writer.
    ///
    /// # Errors
    /// [`StoreError`] when `path` is something else than a store, an empty directory or nothing, is locked by another
    /// writer, or is of a newer format.
    pub fn lock(path: &Path) -> Result<Self, StoreError> {
        let directory = Directory::lock(path)?;
        Ok(Self {
            directory,
            engine: None,
        })
    }

    /// The same with the database that keeps what is written; by default that of the store, sled for a new one.
    #[must_use]
    pub fn with(self, engine: Option<Engine>) -> Self {
        Self { engine, ..self }
    }

    /// Writes `knowledge` as the next generation. Cost O(size); needs room for both generations until the old one is
    /// dropped.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written or `on_progress` asked to stop. The store then still holds what it held
    /// before.
    pub fn write(&self, knowledge: &Knowledge, on_progress: OnProgress<'_>) -> Result<(), StoreError> {
        self.write_with(knowledge, None, on_progress)
    }

    /// Lays recent documents over the live generation, which they were made for, in place of those that lie there. Cost
    /// O(recent).
    ///
    /// # Errors
    /// [`StoreError`] when there is no store or it cannot be written; it is as before.
    pub fn lay(&self, recent: &Recent) -> Result<(), StoreError> {
        recent::write(&self.directory.live()?, recent)
    }

    fn write_with(
        &self,
        knowledge: &Knowledge,
        recent: Option<&Recent>,
        on_progress: OnProgress<'_>,
    ) -> Result<(), StoreError> {
        let engine = self.engine.unwrap_or_else(|| self.directory.engine());
        let generation = self.directory.next_generation()?;
        let written = fill(&generation, engine, knowledge, on_progress);
        let written = written.and_then(|()| recent.map_or(Ok(()), |recent| recent::write(&generation, recent)));
        let written = written.and_then(|()| self.directory.publish(&generation));
        if written.is_err() {
            self.directory.discard(&generation);
        }
        written
    }
}

/// Opens the store at `path`: what is asked of the knowledge and its indexes is read when it is asked. Writes nothing and
/// waits for nobody. Cost O(blocks).
///
/// What cannot be read then is blank, and [`sound`] says so.
///
/// # Errors
/// [`StoreError`] when there is no store, it is of another format, or what every reader needs is missing or damaged; the
/// message names the record and what to do.
pub fn open(path: &Path) -> Result<(Knowledge, Index), StoreError> {
    let (opened, recent) = apart(path)?;
    Ok(match recent {
        None => opened,
        Some(recent) => recent.over(opened),
    })
}

/// The store at `path` as [`open`] opens it, without the recent documents that lie over it, and these.
///
/// # Errors
/// As [`open`].
pub fn apart(path: &Path) -> Result<((Knowledge, Index), Option<Recent>), StoreError> {
    generation::live(path, |generation| {
        // First, for they go with their generation: where they are there, so is what they lie over.
        let recent = recent::read(generation)?;
        let opened = opened(&generation::pages(generation)?)?;
        if let Some(recent) = &recent {
            recent::check(generation, recent, &opened.0)?;
        }
        Ok((opened, recent))
    })
}

/// The knowledge of the store at `path` for a change: what documents and people say is read, recent documents among the rest,
/// and what was derived, without the recent ones, when it is looked at ([`sound`]). Cost O(text).
///
/// # Errors
/// As [`open`], and [`StoreError::Corrupt`] where any of what is read cannot be.
pub fn load(path: &Path) -> Result<Knowledge, StoreError> {
    let ((mut knowledge, _), recent) = apart(path)?;
    knowledge.load();
    sound(&knowledge)?;
    if let Some(recent) = recent {
        recent.join(&mut knowledge);
    }
    Ok(knowledge)
}

/// How texts were parsed, as a store will hold it: a fraction of the memory. What then cannot be read is noted in `health`. Cost
/// O(size).
///
/// # Errors
/// [`StoreError::Corrupt`] where something cannot be stored.
pub fn pack(parses: Parses, health: &Health) -> Result<Paged<(DocumentId, Vec<u8>)>, StoreError> {
    record::packed("parse", parses.into_iter().collect(), health)
}

/// The same for what the documents of a knowledge say, once that is needed no more except to be written. Cost O(size).
///
/// # Errors
/// As [`pack`].
pub fn pack_contributions(knowledge: &mut Knowledge) -> Result<(), StoreError> {
    let contributions = std::mem::take(&mut knowledge.contributions).into_vec();
    knowledge.contributions = record::packed("contribution", contributions, &knowledge.health)?;
    Ok(())
}

/// Whether everything that was read of an opened knowledge so far could be read.
///
/// # Errors
/// [`StoreError::Corrupt`] with what could not; what was told since it was opened does not hold.
pub fn sound(knowledge: &Knowledge) -> Result<(), StoreError> {
    match knowledge.health.fault() {
        None => Ok(()),
        Some(fault) => Err(StoreError::corrupt(&fault.what, &fault.expected, &fault.found)),
    }
}

fn opened(pages: &Arc<Pages>) -> Result<(Knowledge, Index), StoreError> {
    let schema: Schema = from_json("the schema", &pages.get::<String>(META, b"schema")?)?;
    let growth: Growth = from_json("the growth of the schema", &pages.get::<String>(META, b"growth")?)?;
    let limits = Limits {
        documents: pages.n_rows("document"),
        chunks: pages.n_rows("chunk"),
        entities: pages.n_rows("entity"),
        triples: pages.n_rows("triple"),
        attributes: pages.n_rows("attribute"),
        associations: pages.n_rows("association"),
        communities: pages.n_rows("community"),
        types: schema.entity_types().len(),
        relations: schema.relations().len(),
        kinds: schema.attributes().len(),
        dimension: pages.get(META, b"dimension")?,
    };
    let lists = Lists::new(pages, limits);
    let graph = KnowledgeGraph {
        entities: lists.list("entity"),
        triples: lists.list("triple"),
        attributes: lists.list("attribute"),
        associations: lists.list("association"),
        around: lists.list("around"),
        keys: lists.sorted("key")?,
        of_relation: lists.list("of-relation"),
        of_attribute: lists.list("of-attribute"),
    };
    let tree = KnowledgeTree {
        communities: lists.list("community"),
        membership: lists.list("membership"),
        branches: lists.list("branch"),
        n_refreshes: pages.get(META, b"refreshes")?,
    };
    let statements: Paged<(DocumentId, Vec<StatedAt>)> = lists.list("statement");
    let knowledge = Knowledge {
        settings: pages.get(META, b"settings")?,
        schema,
        growth,
        documents: lists.list("document"),
        contributions: lists.list("contribution"),
        parses: lists.list("parse"),
        statements: Lazy::stored(move || statements.all().iter().cloned().collect()),
        patterns: pages.get(META, b"patterns")?,
        quarantine: lists.value(b"quarantine"),
        resolution: lists.value(b"resolution"),
        chunks: lists.list("chunk"),
        graph,
        refusals: lists.value(b"refusals"),
        tree,
        chunk_vectors: PassageVectors {
            dimension: limits.dimension,
            halves: lists.list("vector"),
            codes: lists.list("vector-code"),
        },
        n_recent: 0,
        gone: Arc::default(),
        health: pages.health(),
    };
    let [of_passages, of_communities]: [Extent; 2] = pages.get(META, b"index")?;
    let index = Index {
        passages: Bm25 {
            terms: lists.sorted("passage-term")?,
            lengths: lists.value(b"passage-lengths"),
            extent: of_passages,
            ..Bm25::default()
        },
        communities: Bm25 {
            terms: lists.sorted("community-term")?,
            lengths: lists.value(b"community-lengths"),
            extent: of_communities,
            ..Bm25::default()
        },
        incidence: Incidence {
            by_chunk: lists.list("named-in"),
            by_entity: lists.list("named"),
        },
        names: lists.sorted("name")?,
        files: lists.sorted("origin")?,
        facts: Facts {
            stated: lists.list("stated"),
            numbers: lists.sorted("word")?,
            names: lists.list("name-words"),
            triples: lists.list("triple-words"),
            associations: lists.list("association-words"),
        },
    };
    Ok((knowledge, index))
}

/// The knowledge that the documents of a store and what each says come to: everything that can be derived is derived anew.
fn derived_anew(stored: Knowledge) -> Result<Knowledge, StoreError> {
    let mut documents = stored.documents.into_vec();
    let n_documents = documents.len();
    canonicalise(&mut documents);
    let contributions = stored.contributions.into_vec();
    let fits = contributions
        .iter()
        .zip(&documents)
        .all(|(said, document)| said.document == document.id);
    if contributions.len() != n_documents || documents.len() != n_documents || !fits {
        let expected = "one for each document, in their order";
        return Err(StoreError::corrupt("the contributions", expected, "others"));
    }
    let resolution = stored.resolution.into_inner();
    let new = Knowledge::assemble(stored.settings, stored.schema, documents, contributions, resolution);
    let KnowledgeTree {
        communities,
        branches,
        n_refreshes,
        ..
    } = stored.tree;
    let tree = KnowledgeTree::new(communities.into_vec(), new.graph.n_entities());
    let tree = tree.and_then(|tree| tree.with_branches(branches.into_vec()));
    let tree = tree.map_err(|error| StoreError::corrupt("the tree", "one over all entities", error))?;
    let new = Knowledge {
        growth: stored.growth,
        parses: stored.parses.into_vec().into(),
        statements: stored.statements.into_inner().into(),
        patterns: stored.patterns,
        quarantine: stored.quarantine.into_inner().into(),
        tree: tree.refreshed(n_refreshes),
        chunk_vectors: stored.chunk_vectors.derived(),
        health: stored.health,
        ..new
    };
    sound(&new)?;
    Ok(new)
}

/// Whether there is a store at `path` that this program can open.
///
/// # Errors
/// [`StoreError`] when there is none or it is of another format.
pub fn check(path: &Path) -> Result<(), StoreError> {
    Directory::current(path).map(drop)
}

/// Copies the store at `path` to `to`, where none may be, while it is read or written: what is copied is the generation that is
/// live at the end of it. Cost O(size).
///
/// # Errors
/// [`StoreError`] where there is no store at `path`, it is damaged, something is at `to`, or the copy cannot be written; then
/// nothing is left there.
pub fn backup(path: &Path, to: &Path) -> Result<(), StoreError> {
    Directory::current(path)?;
    let above = to.ancestors().skip(1).find_map(|above| above.canonicalize().ok());
    if above.is_some_and(|above| path.canonicalize().is_ok_and(|path| above.starts_with(path))) {
        let what = "lies within the store; name a directory beside it for the copy";
        return Err(StoreError::Unusable(format!("{} {what}", to.display())));
    }
    let directory = Directory::lock(to)?;
    if Directory::is_store(to) {
        let what = "holds a store already; name another directory for the copy";
        return Err(StoreError::Unusable(format!("{} {what}", to.display())));
    }
    let generation = directory.next_generation()?;
    let copied = generation::live(path, |live| {
        // A generation that was replaced meanwhile may have been copied in part.
        directory.discard(&generation);
        directory::copy(live, &generation)?;
        verify::checked(&generation)
    });
    let written = copied.and_then(|()| directory.publish(&generation));
    if written.is_err() {
        directory.discard(&generation);
    }
    written
}

/// Size in bytes of the live generation on disk.
///
/// # Errors
/// [`StoreError`] when there is no store or it cannot be listed.
pub fn size(path: &Path) -> Result<u64, StoreError> {
    generation::live(path, directory::size)
}

fn fill(
    generation: &Path,
    engine: Engine,
    knowledge: &Knowledge,
    on_progress: OnProgress<'_>,
) -> Result<(), StoreError> {
    let index = Index::new(knowledge);
    let mut written = Generation::create(generation, engine, record::n_rows(knowledge, &index), on_progress)?;
    record::records(knowledge, &index, &mut |tree, key, bytes, n| {
        written.put(tree, key, bytes, n)
    })?;
    sound(knowledge)?;
    written.close()
}

/// A record that is JSON text within the store's own coding: schemas leave out fields that say nothing, which bincode
/// cannot read back.
fn from_json<T: serde::de::DeserializeOwned>(what: &str, json: &str) -> Result<T, StoreError> {
    serde_json::from_str(json).map_err(|error| StoreError::corrupt(what, "what was stored", error))
}
