//! Whether a store is whole, and how it is mended from the half that is.

use super::directory::Directory;
use super::generation::{self, FILES};
use super::rows::Rows;
use super::{StoreError, Writer, assemble, codec, database, record};
use crate::index::Index;
use crate::knowledge::Knowledge;
use serde::Serialize;
use std::path::Path;

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
    loop {
        let generation = Directory::current(path)?;
        let (verdict, _) = examine(&generation);
        // A generation that was replaced meanwhile says nothing.
        if verdict.faults.is_empty() || Directory::current(path)? == generation {
            return Ok(verdict);
        }
    }
}

/// Writes the store anew where [`verify`] finds a fault and one half is sound. Returns what was found before.
///
/// # Errors
/// [`StoreError`] where neither half is sound, or the store cannot be written.
pub fn repair(path: &Path) -> Result<Verdict, StoreError> {
    let writer = Writer::lock(path)?;
    let (verdict, knowledge) = examine(&Directory::current(path)?);
    if !verdict.faults.is_empty() {
        let (what, whole) = (path.display().to_string(), "a snapshot or a database that is whole");
        let knowledge = knowledge.ok_or_else(|| StoreError::corrupt(what, whole, verdict.faults.join("; ")))?;
        writer.write(&knowledge, &mut |_, _| true)?;
    }
    Ok(verdict)
}

/// What is wrong with a generation, and the knowledge of its sound half.
fn examine(generation: &Path) -> (Verdict, Option<Knowledge>) {
    let mut verdict = Verdict::default();
    let snapshot = half(generation::rows(generation), &mut verdict);
    if let Some((rows, _)) = &snapshot {
        match altered(generation, rows) {
            Ok(names) => verdict.faults.extend(names),
            Err(error) => verdict.faults.push(told(&error)),
        }
    }
    // sled is not trusted with files that are known to be damaged where nothing is to be had from them.
    if snapshot.is_some() && !verdict.faults.is_empty() {
        return (verdict, snapshot.map(|(_, knowledge)| knowledge));
    }
    let database = half(database::rows(generation), &mut verdict);
    if let (Some((a, _)), Some((b, _))) = (&snapshot, &database)
        && let Some(tree) = a.differing(b, FILES)
    {
        verdict
            .faults
            .push(format!("tree `{tree}`: snapshot and database have other rows"));
    }
    (verdict, snapshot.or(database).map(|(_, knowledge)| knowledge))
}

/// The rows of a half and the knowledge they hold; what is wrong with it is noted.
fn half(rows: Result<Rows, StoreError>, verdict: &mut Verdict) -> Option<(Rows, Knowledge)> {
    let whole = rows.and_then(|rows| assemble(&rows).map(|knowledge| (rows, knowledge)));
    match whole.and_then(|(rows, knowledge)| Ok((underived(&rows, &knowledge)?, rows, knowledge))) {
        Ok((fault, rows, knowledge)) => {
            if verdict.rows == 0 {
                (verdict.rows, verdict.documents) = (rows.len(), knowledge.documents.len());
            }
            verdict.faults.extend(fault);
            Some((rows, knowledge))
        }
        Err(error) => {
            verdict.faults.push(told(&error));
            None
        }
    }
}

/// The first record that is not what the documents come to.
fn underived(rows: &Rows, knowledge: &Knowledge) -> Result<Option<String>, StoreError> {
    let mut fault = None;
    record::records(knowledge, &Index::new(knowledge), &mut |tree, key, record, _| {
        if fault.is_none() && rows.record(tree, key) != Some(record.as_slice()) {
            fault = Some(format!("tree `{tree}`, key {key:02x?}: not what its documents come to"));
        }
        Ok(())
    })?;
    Ok(fault)
}

/// sled's files that are not what they were when the snapshot was written.
fn altered(generation: &Path, snapshot: &Rows) -> Result<Vec<String>, StoreError> {
    let mut found = database::sums(generation)?;
    let mut faults = Vec::new();
    for (key, record) in snapshot.tree(FILES) {
        let name = String::from_utf8_lossy(key).into_owned();
        let expected: (u64, u32) = codec::decode(&name, record)?;
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
