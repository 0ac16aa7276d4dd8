//! Whether a store is whole, and how it is mended from the half that is.

use super::directory::Directory;
use super::generation::{self, FILES, SNAPSHOT};
use super::pages::Pages;
use super::record::is_in_database;
use super::{StoreError, Writer, database, derived_anew, opened, recent, record, snapshot};
use crate::index::Index;
use crate::knowledge::Knowledge;
use crate::recent::Recent;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// What was found of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Rows of the first half that is sound: the snapshot, else the database.
    pub rows: usize,
    /// Documents they hold.
    pub documents: usize,
    /// What is wrong, a line each; nothing where all is well.
    pub faults: Vec<String>,
}

/// Compares both halves of the live generation with their checksums, with each other, and with what knowledge has to be.
/// Writes only to the directory for temporary files. Cost O(size).
///
/// # Errors
/// [`StoreError`] where there is no store of this format.
pub fn verify(path: &Path) -> Result<Verdict, StoreError> {
    if let Some(generation) = Directory::lost(path).first() {
        let (verdict, _) = examine(generation);
        let fault = format!("{}: missing or damaged", path.join("CURRENT").display());
        let faults = [fault].into_iter().chain(verdict.faults).collect();
        return Ok(Verdict { faults, ..verdict });
    }
    loop {
        let generation = Directory::current(path)?;
        let (verdict, _) = examine(&generation);
        // A generation that was replaced meanwhile says nothing.
        if verdict.faults.is_empty() || Directory::current(path)? == generation {
            return Ok(verdict);
        }
    }
}

/// Writes the store anew where [`verify`] finds a fault and one half is sound; where `CURRENT` is lost, the newest generation
/// that can be read is the store. Returns what was found before.
///
/// # Errors
/// [`StoreError`] where neither half is sound, or the store cannot be written.
pub fn repair(path: &Path) -> Result<Verdict, StoreError> {
    let lost = Directory::lost(path);
    let whole = lost.iter().find(|generation| examine(generation).1.is_some());
    if let Some(generation) = whole {
        let verdict = verify(path)?;
        Directory::restore(path, generation)?;
        return repair(path).map(|_| verdict);
    }
    let writer = Writer::lock(path)?;
    let generation = Directory::current(path)?;
    let (verdict, knowledge) = examine(&generation);
    if !verdict.faults.is_empty() {
        let (what, whole) = (path.display().to_string(), "a snapshot or a database that is whole");
        let knowledge = knowledge.ok_or_else(|| StoreError::corrupt(what, whole, verdict.faults.join("; ")))?;
        // What cannot be read of it is gone, and a fault says so.
        let recent = lying(&generation, &knowledge);
        writer.write_with(&knowledge, recent.as_ref(), &mut |_, _| true)?;
    }
    Ok(verdict)
}

/// What is wrong with a generation and what lies over it, and the knowledge of its sound half.
fn examine(generation: &Path) -> (Verdict, Option<Knowledge>) {
    let (mut verdict, knowledge) = halves(generation);
    let fits = |recent: Option<Recent>| match (&recent, &knowledge) {
        (Some(one), Some(knowledge)) => recent::check(generation, one, knowledge).map(|()| recent),
        _ => Ok(recent),
    };
    let recent = recent::read(generation).and_then(fits);
    let copy = recent::copy(generation).and_then(fits);
    let what = match (&recent, &copy) {
        (Ok(_), Err(error)) => format!("{}; it is a copy", told(error)),
        (Err(error), Ok(Some(_))) => format!("{}; its copy is whole", told(error)),
        (Err(error), _) => format!("{}; what it held is to be added again", told(error)),
        (Ok(_), Ok(_)) => String::new(),
    };
    let mut both = [&recent, &copy]
        .into_iter()
        .filter_map(|one| one.as_ref().ok()?.as_ref());
    if let Some(recent) = both.next() {
        let n_gone = recent.places().filter(|(_, places)| places.is_empty()).count();
        verdict.documents = (verdict.documents + recent.n_documents()).saturating_sub(n_gone);
    }
    verdict.faults.extend(Some(what).filter(|what| !what.is_empty()));
    (verdict, knowledge)
}

/// What lies over a generation, or the copy of it where that is gone.
fn lying(generation: &Path, knowledge: &Knowledge) -> Option<Recent> {
    let both = [recent::read(generation), recent::copy(generation)];
    let mut both = both.into_iter().filter_map(|one| one.ok().flatten());
    both.find(|one| recent::check(generation, one, knowledge).is_ok())
}

/// Whether the files of a generation are those that were written. Cost O(size).
///
/// # Errors
/// [`StoreError`] with the first that is not.
pub(super) fn checked(generation: &Path) -> Result<(), StoreError> {
    snapshot::check(&generation.join(SNAPSHOT))?;
    if let Some(fault) = altered(generation, &*generation::pages(generation)?)?.first() {
        return Err(StoreError::corrupt(fault, "what was written", "something else"));
    }
    recent::read(generation).map(drop)
}

/// What is wrong with a generation itself, and the knowledge of its sound half.
fn halves(generation: &Path) -> (Verdict, Option<Knowledge>) {
    let mut verdict = Verdict::default();
    let whole = snapshot::check(&generation.join(SNAPSHOT)).and_then(|()| generation::pages(generation));
    let first = half(whole, |_, _| true, &mut verdict);
    if let Some((pages, _)) = &first {
        match altered(generation, pages) {
            Ok(names) => verdict.faults.extend(names),
            Err(error) => verdict.faults.push(told(&error)),
        }
    }
    // A database is not trusted with files that are known to be damaged where nothing is to be had from them.
    if first.is_some() && !verdict.faults.is_empty() {
        return (verdict, first.map(|(_, knowledge)| knowledge));
    }
    let second = half(database::pages(generation), is_in_database, &mut verdict);
    if let (Some((a, _)), Some((b, _))) = (&first, &second) {
        let own = || {
            a.keys()
                .filter(|(tree, key)| *tree != FILES && is_in_database(tree, key))
        };
        let same = |(tree, key): (&str, Cow<'_, [u8]>)| matches!((a.record(tree, &key), b.record(tree, &key)), (Ok(a), Ok(b)) if a == b);
        if !own().eq(b.keys()) || !own().all(same) {
            verdict.faults.push("snapshot and database have other rows".to_owned());
        }
    }
    (verdict, first.or(second).map(|(_, knowledge)| knowledge))
}

/// A half, which holds the records that `is_held` says, with what its documents come to; what is wrong with it is noted.
fn half(
    pages: Result<Arc<Pages>, StoreError>,
    is_held: fn(&str, &[u8]) -> bool,
    verdict: &mut Verdict,
) -> Option<(Arc<Pages>, Knowledge)> {
    let derive = |pages: Arc<Pages>| {
        let knowledge = derived_anew(opened(&pages)?.0)?;
        Ok((underived(&pages, is_held, &knowledge)?, pages, knowledge))
    };
    match pages.and_then(derive) {
        Ok((fault, pages, knowledge)) => {
            if verdict.rows == 0 {
                (verdict.rows, verdict.documents) = (pages.keys().count(), knowledge.documents.len());
            }
            verdict.faults.extend(fault);
            Some((pages, knowledge))
        }
        Err(error) => {
            verdict.faults.push(told(&error));
            None
        }
    }
}

/// The first record that is not what the documents come to.
fn underived(
    pages: &Pages,
    is_held: fn(&str, &[u8]) -> bool,
    knowledge: &Knowledge,
) -> Result<Option<String>, StoreError> {
    let mut fault = None;
    record::records(knowledge, &Index::new(knowledge), &mut |tree, key, record, _| {
        if fault.is_none() && is_held(tree, key) && pages.record(tree, key).ok() != Some(record) {
            fault = Some(format!("tree `{tree}`, key {key:02x?}: not what its documents come to"));
        }
        Ok(())
    })?;
    Ok(fault)
}

/// The database's files that are not what they were when the snapshot was written.
fn altered(generation: &Path, snapshot: &Pages) -> Result<Vec<String>, StoreError> {
    let mut found = database::sums(generation)?;
    let mut faults = Vec::new();
    for (_, key) in snapshot.keys().filter(|(tree, _)| *tree == FILES) {
        let name = String::from_utf8_lossy(&key).into_owned();
        let expected: (u64, u32) = snapshot.get(FILES, &key)?;
        if found.remove(&name) != Some(expected) {
            faults.push(format!("{}: not what was written", generation.join(name).display()));
        }
    }
    let extra = found
        .into_keys()
        .map(|name| format!("{}: not of this generation", generation.join(name).display()));
    faults.extend(extra);
    Ok(faults)
}

/// An error with its cause, on one line.
fn told(error: &StoreError) -> String {
    match error {
        StoreError::Corrupt { what, expected, found } => format!("{what}: expected {expected}, found {found}"),
        StoreError::Io { source, .. } => format!("{error}: {source}"),
        other => other.to_string(),
    }
}
