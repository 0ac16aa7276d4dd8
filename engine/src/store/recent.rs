//! The file beside a generation that holds what was added to it since: one record, replaced whole, and then its copy. A copy
//! that is older than the record says nothing; it is what a crash between the two leaves.

use super::directory::{io_error, replace, sync};
use super::row::{Limits, Row};
use super::{StoreError, codec, derived};
use crate::knowledge::Knowledge;
use crate::paged::News;
use crate::recent::Recent;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Its name in a generation.
const NAME: &str = "recent";
/// Its copy, from which it is restored.
const COPY: &str = "recent.copy";
/// Either while it is written.
pub(super) const DRAFT: &str = "recent.new";

/// What was added to a generation; none where nothing was. Cost O(recent).
///
/// # Errors
/// [`StoreError`] where it cannot be read, or is damaged.
pub(super) fn read(generation: &Path) -> Result<Option<Recent>, StoreError> {
    let read = read_from(&generation.join(NAME))?;
    if read.is_none() && generation.join(COPY).exists() {
        let what = generation.join(NAME).display().to_string();
        return Err(StoreError::corrupt(what, "what its copy was made of", "nothing"));
    }
    Ok(read)
}

/// What the copy holds, which may be older.
pub(super) fn copy(generation: &Path) -> Result<Option<Recent>, StoreError> {
    read_from(&generation.join(COPY))
}

fn read_from(path: &Path) -> Result<Option<Recent>, StoreError> {
    match fs::read(path) {
        Ok(record) => codec::decode(&path.display().to_string(), &record).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error(path, "cannot read")(error)),
    }
}

/// What tells one state of a generation from another: the checksum of what was added.
pub(super) fn state(generation: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    if let Ok(file) = File::open(generation.join(NAME)) {
        // A file that cannot be read is said to be so when the store is opened.
        drop(file.take(codec::HEADER as u64).read_to_end(&mut head));
    }
    head
}

/// Replaces what was added to the generation, durably; what was derived from the state before goes.
///
/// # Errors
/// [`StoreError`] where it cannot be written; the state before stays.
pub(super) fn write(generation: &Path, recent: &Recent) -> Result<(), StoreError> {
    let path = generation.join(NAME);
    let record = if recent.is_empty() {
        None
    } else {
        Some(codec::encode(NAME, recent)?)
    };
    let written = match &record {
        // A copy alone would be taken for what is left of the two.
        None => remove(generation, COPY).and_then(|()| remove(generation, NAME)),
        Some(record) => [NAME, COPY]
            .iter()
            .try_for_each(|name| replace(generation, (DRAFT, name), record)),
    };
    written.map_err(io_error(&path, "cannot write what was added (is the disk full?)"))?;
    derived::clear(generation);
    Ok(())
}

fn remove(generation: &Path, name: &str) -> io::Result<()> {
    match fs::remove_file(generation.join(name)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => sync(generation),
    }
}

/// Whether all that was added can come behind what a generation holds.
///
/// # Errors
/// [`StoreError::Corrupt`] where it cannot.
pub(super) fn check(generation: &Path, recent: &Recent, base: &Knowledge) -> Result<(), StoreError> {
    let base = Limits::of(base);
    let removed = &recent.removed;
    let more = |n: usize, more: usize| n.saturating_add(more);
    let limits = Limits {
        documents: more(base.documents, recent.documents.len()),
        chunks: more(base.chunks, recent.chunks.len()),
        entities: more(base.entities, recent.entities.rows.len()),
        triples: more(base.triples, recent.triples.rows.len()),
        attributes: more(base.attributes, recent.attributes.rows.len()),
        associations: more(base.associations, recent.associations.rows.len()),
        ..base
    };
    let fits = [
        rows(&removed.documents, base.documents, &base),
        rows(&removed.chunks, base.chunks, &base),
        rows(&removed.entities, base.entities, &base),
        rows(&removed.triples, base.triples, &base),
        rows(&removed.attributes, base.attributes, &base),
        rows(&removed.associations, base.associations, &base),
        rows(&removed.around, base.entities, &base),
        below(removed.of_relation.values(), base.triples),
        below(removed.of_attribute.values(), base.attributes),
        removed.names.values().flatten().all(|id| id.index() < base.entities),
        below(removed.files.values(), base.documents),
        rows(&removed.branches, usize::MAX, &base),
        rows(&removed.named, base.entities, &base),
        rows(&removed.stated, base.chunks, &base),
        rows(&removed.communities, base.communities, &base),
        recent.documents.len() == recent.contributions.len(),
        recent.chunks.iter().all(|row| row.fits(&limits)),
        recent.vectors.is_empty() || recent.vectors.len() == recent.chunks.len() * base.dimension,
        news(&recent.entities, base.entities, &limits),
        news(&recent.triples, base.triples, &limits),
        news(&recent.attributes, base.attributes, &limits),
        news(&recent.associations, base.associations, &limits),
        news(&recent.around, base.entities, &limits) && recent.around.rows.len() == recent.entities.rows.len(),
        below(recent.of_relation.all(), limits.triples),
        below(recent.of_attribute.all(), limits.attributes),
        recent.keys.iter().all(|row| row.fits(&limits)),
        recent.names.iter().all(|row| row.fits(&limits)),
        recent.named_in.iter().all(|row| row.fits(&limits)) && recent.named_in.len() == recent.chunks.len(),
        news(&recent.named, base.entities, &limits),
        recent.stated.iter().all(|row| row.fits(&limits)) && recent.stated.len() == recent.chunks.len(),
    ];
    if fits.iter().all(|fits| *fits) {
        return Ok(());
    }
    let (what, expected) = (generation.join(NAME), "documents that were added to this generation");
    Err(StoreError::corrupt(what.display().to_string(), expected, "others"))
}

fn below<'a>(mut lists: impl Iterator<Item = &'a Vec<u32>>, n: usize) -> bool {
    lists.all(|list| list.iter().all(|at| (*at as usize) < n))
}

fn rows<T: Row>(rows: &BTreeMap<u32, T>, n: usize, limits: &Limits) -> bool {
    rows.iter().all(|(at, row)| (*at as usize) < n && row.fits(limits))
}

fn news<T: Row>(news: &News<T>, n: usize, limits: &Limits) -> bool {
    rows(&news.more, n, limits) && news.rows.iter().all(|row| row.fits(limits))
}
