//! Storage: one generation of knowledge at a time, replaced whole and atomically.
//!
//! # Layout of a store directory
//! | path | holds |
//! |---|---|
//! | `CURRENT` | two lines: `banyan store <format>` and the name of the live generation |
//! | `LOCK` | locked by the one process that writes |
//! | `gen-<n>/` | a sled database, complete once `CURRENT` names it |
//! | `gen-<n>/rows` | the same rows as one flat file, the snapshot that readers use |
//! | `gen-<n>/derived/` | what questions computed from that generation ([`Derived`]) |
//!
//! # Invariants
//! 1. Reading a store writes nothing to it and takes no lock: it opens `CURRENT` and `rows`, and where the generation was
//!    replaced between the two, it begins again.
//! 2. `CURRENT` names a generation only when every file and name in it is on the disk.
//! 3. A generation goes only when `CURRENT` names another one.
//! 4. Either half of a generation holds all of it; [`verify`] compares the two, and [`repair`] writes both anew from the
//!    sound one.
//!
//! # Keys of a generation
//! | tree | key | record |
//! |---|---|---|
//! | `meta` | `settings` | [`Settings`] |
//! | `meta` | `schema` | the schema as JSON text |
//! | `meta` | `growth` | how the schema grew, as JSON text |
//! | `meta` | `patterns` | the file of a compiled extractor, or nothing |
//! | `meta` | `quarantine` | list of [`Quarantine`](crate::stated::Quarantine) |
//! | `meta` | `resolution` | [`Resolution`]: joined names and decisions |
//! | `meta` | `refreshes` | how many changes only refreshed the tree |
//! | `meta` | `counts` | rows of the other trees, written last |
//! | `document` | `DocumentId`, 16 bytes | [`Document`] |
//! | `contribution` | `DocumentId`, 16 bytes | [`Contribution`] |
//! | `statement` | `DocumentId`, 16 bytes | the document's id and its list of [`StatedAt`] |
//! | `community` | position, u32 big endian | [`Community`] |
//! | `branch` | level above the communities, u8, and position, u32 big endian | that level from 0 and [`Branch`] |
//! | `vector` | chunk, u32 big endian | the chunk's vector, f16 |
//! | `file` | name of a file of sled's | its length and crc32; in the snapshot only |
//!
//! Every record is `format byte · crc32 · bincode` (see [`codec`]). A writer builds the next generation beside the
//! live one and then renames a new `CURRENT` over the old: a crash at any instant leaves the old store or the new.

use crate::document::{Document, canonicalise};
use crate::embed::Vectors;
use crate::fact::Contribution;
use crate::id::DocumentId;
use crate::knowledge::{Knowledge, Settings};
use crate::resolution::Resolution;
use crate::schema::{Growth, Schema};
use crate::stated::StatedAt;
use crate::tree::{Branch, Community, KnowledgeTree};
use generation::Generation;
use rows::Rows;
use std::path::Path;

pub mod codec;
mod database;
mod derived;
mod directory;
mod error;
mod generation;
mod rows;
mod snapshot;
#[cfg(test)]
mod tests;
mod verify;

pub use derived::Derived;
use directory::Directory;
pub use directory::FORMAT;
pub use error::StoreError;
pub use verify::{Verdict, repair, verify};

/// Rows written so far and rows in all; returning `false` stops the writing and leaves the store as it was.
pub type OnProgress<'a> = &'a mut dyn FnMut(usize, usize) -> bool;

/// The right to write a store: no other process writes it while this lives.
pub struct Writer(Directory);

impl Writer {
    /// Takes the right, before long work rather than after it. Makes the directory where there is none; a directory
    /// that was made and never written to goes with the writer.
    ///
    /// # Errors
    /// [`StoreError`] when `path` is something else than a store, an empty directory or nothing, is locked by another
    /// writer, or is of a newer format.
    pub fn lock(path: &Path) -> Result<Self, StoreError> {
        Directory::lock(path).map(Self)
    }

    /// Writes `knowledge` as the next generation. Cost O(size); needs room for both generations until the old one is
    /// dropped.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written or `on_progress` asked to stop. The store then still holds what it held
    /// before.
    pub fn write(&self, knowledge: &Knowledge, on_progress: OnProgress<'_>) -> Result<(), StoreError> {
        let generation = self.0.next_generation()?;
        let written = fill(&generation, knowledge, on_progress).and_then(|()| self.0.publish(&generation));
        if written.is_err() {
            self.0.discard(&generation);
        }
        written
    }
}

/// Reads the store at `path`. Writes nothing and waits for nobody. Cost O(size).
///
/// # Errors
/// [`StoreError`] when there is no store, it is of another format, or a record is missing or damaged; the message names
/// the record and what to do.
pub fn read(path: &Path) -> Result<Knowledge, StoreError> {
    assemble(&generation::live(path, generation::rows)?)
}

fn assemble(rows: &Rows) -> Result<Knowledge, StoreError> {
    let counts: Counts = rows.get("meta", b"counts")?;
    let settings: Settings = rows.get("meta", b"settings")?;
    let json: String = rows.get("meta", b"schema")?;
    let schema: Schema = from_json("the schema", &json)?;
    let json: String = rows.get("meta", b"growth")?;
    let growth: Growth = from_json("the growth of the schema", &json)?;
    let resolution: Resolution = rows.get("meta", b"resolution")?;
    let mut documents: Vec<Document> = rows.all("document", counts.documents)?;
    canonicalise(&mut documents);
    let contributions = documents
        .iter()
        .map(|document| rows.get("contribution", document.id.as_bytes()))
        .collect::<Result<Vec<Contribution>, _>>()?;
    let communities: Vec<Community> = rows.all("community", counts.communities)?;
    let statements: Vec<(DocumentId, Vec<StatedAt>)> = rows.all("statement", counts.statements)?;
    let mut knowledge = Knowledge::assemble(settings, schema, documents, contributions, resolution);
    knowledge.statements = statements.into_iter().collect();
    knowledge.patterns = rows.get("meta", b"patterns")?;
    knowledge.quarantine = rows.get("meta", b"quarantine")?;
    knowledge.growth = growth;
    let branches = read_branches(rows, counts.branches)?;
    let tree = KnowledgeTree::new(communities, knowledge.graph.entities().len());
    let tree = tree.and_then(|tree| tree.with_branches(branches));
    let tree = tree.map_err(|error| StoreError::corrupt("the tree", "one over all entities", error))?;
    knowledge.tree = tree.refreshed(rows.get("meta", b"refreshes")?);
    knowledge.chunk_vectors = read_vectors(rows, &counts)?;
    Ok(knowledge)
}

/// Whether there is a store at `path` that this program can open.
///
/// # Errors
/// [`StoreError`] when there is none or it is of another format.
pub fn check(path: &Path) -> Result<(), StoreError> {
    Directory::current(path).map(drop)
}

/// Size in bytes of the live generation on disk.
///
/// # Errors
/// [`StoreError`] when there is no store or it cannot be listed.
pub fn size(path: &Path) -> Result<u64, StoreError> {
    generation::live(path, directory::size)
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Counts {
    documents: usize,
    statements: usize,
    communities: usize,
    branches: usize,
    vectors: usize,
    dimension: usize,
}

fn fill(generation: &Path, knowledge: &Knowledge, on_progress: OnProgress<'_>) -> Result<(), StoreError> {
    let (tree, vectors) = (&knowledge.tree, &knowledge.chunk_vectors);
    let counts = Counts {
        documents: knowledge.documents.len(),
        statements: knowledge.statements.len(),
        communities: tree.communities().len(),
        branches: tree.branches().iter().map(Vec::len).sum(),
        vectors: vectors.len(),
        dimension: vectors.dimension(),
    };
    let total = 2 * counts.documents + counts.statements + counts.communities + counts.branches + counts.vectors;
    let mut rows = Generation::create(generation, total, on_progress)?;
    let schema = to_json("the schema", &knowledge.schema)?;
    let growth = to_json("the growth of the schema", &knowledge.growth)?;
    rows.put("meta", b"settings", &knowledge.settings)?;
    rows.put("meta", b"patterns", &knowledge.patterns)?;
    rows.put("meta", b"quarantine", &knowledge.quarantine)?;
    rows.put("meta", b"schema", &schema)?;
    rows.put("meta", b"growth", &growth)?;
    rows.put("meta", b"resolution", &knowledge.resolution)?;
    rows.put("meta", b"refreshes", &tree.n_refreshes())?;
    for document in &knowledge.documents {
        rows.put("document", document.id.as_bytes(), document)?;
    }
    for contribution in &knowledge.contributions {
        rows.put("contribution", contribution.document.as_bytes(), contribution)?;
    }
    for row in &knowledge.statements {
        rows.put("statement", row.0.as_bytes(), &row)?;
    }
    for (position, community) in (0_u32..).zip(tree.communities()) {
        rows.put("community", &position.to_be_bytes(), community)?;
    }
    for (level, nodes) in (0_u8..).zip(tree.branches()) {
        for (position, branch) in (0_u32..).zip(nodes) {
            let key = [&[level][..], &position.to_be_bytes()].concat();
            rows.put("branch", &key, &(level, branch))?;
        }
    }
    for (position, row) in (0_u32..).zip(vectors.rows()) {
        let halves: Vec<u16> = row.iter().map(|x| half::f16::from_f32(*x).to_bits()).collect();
        rows.put("vector", &position.to_be_bytes(), &halves)?;
    }
    rows.put("meta", b"counts", &counts)?;
    rows.close()
}

fn to_json<T: serde::Serialize>(what: &str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::corrupt(what, "what can be stored", error))
}

/// A record that is JSON text within the store's own coding: schemas leave out fields that say nothing, which bincode
/// cannot read back.
fn from_json<T: serde::de::DeserializeOwned>(what: &str, json: &str) -> Result<T, StoreError> {
    serde_json::from_str(json).map_err(|error| StoreError::corrupt(what, "what was stored", error))
}

/// Branches by level, the lowest first.
fn read_branches(rows: &Rows, expected: usize) -> Result<Vec<Vec<Branch>>, StoreError> {
    let rows: Vec<(u8, Branch)> = rows.all("branch", expected)?;
    let levels = rows.chunk_by(|a, b| a.0 == b.0);
    Ok(levels
        .map(|level| level.iter().map(|row| row.1.clone()).collect())
        .collect())
}

fn read_vectors(rows: &Rows, counts: &Counts) -> Result<Vectors, StoreError> {
    let rows: Vec<Vec<u16>> = rows.all("vector", counts.vectors)?;
    let halves = rows.iter().flatten().map(|bits| half::f16::from_bits(*bits).to_f32());
    let is_whole = rows.iter().all(|row| row.len() == counts.dimension);
    let expected = format!("rows of {} components", counts.dimension);
    let vectors = Vectors::from_data(counts.dimension, halves.collect()).ok();
    let vectors = vectors.filter(|_| is_whole);
    vectors.ok_or_else(|| StoreError::corrupt("the vectors", expected, "others"))
}
