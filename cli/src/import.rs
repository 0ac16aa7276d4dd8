//! Facts that somebody wrote down come into a store, with documents that state them.

use crate::change::{change, forget};
use crate::corpus;
use crate::environment::Environment;
use crate::names::nearest_predicate;
use crate::progress::counted;
use crate::tree::CommunityUpdate;
use anyhow::{Context, Result, bail};
use banyan_engine::document::canonicalise;
use banyan_engine::store;
use banyan_engine::{Document, DocumentId, Knowledge};
use banyan_extract::import::{self, Imported, Line};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What facts of people are said to be read in.
pub(crate) const DECIDED: &str = "fact";
/// Relations without a place in the schema that are named. Arbitrary: a line.
const MAX_TOLD: usize = 8;

/// Brings the facts of files into the store at `path`; those of the same files before are replaced.
pub(crate) fn import(path: &Path, files: &[PathBuf], env: &Environment) -> Result<()> {
    store::check(path)?;
    let imported = read(files, env)?;
    let ids: BTreeSet<DocumentId> = imported.statements.keys().copied().collect();
    if let Some(knowledge) = take(path, imported, env)? {
        tell(&knowledge, &ids, env);
    }
    Ok(())
}

/// The facts of files.
pub(crate) fn read(files: &[PathBuf], env: &Environment) -> Result<Imported> {
    let mut all = Imported::default();
    for file in files {
        let name = corpus::name(file);
        let text = fs::read_to_string(file).with_context(|| format!("{name}: cannot read; nothing was imported"))?;
        let imported = import::parse(&name, &text).context("nothing was imported")?;
        if imported.n_nameless > 0 {
            let n = counted(imported.n_nameless, "statement");
            env.progress.remark(&format!("{name}: {n} of blank nodes passed over"));
        }
        all.extend(imported);
    }
    Ok(all)
}

/// What people stated of a store.
pub(crate) fn decided(known: &Knowledge) -> Imported {
    let is_decided = |document: &&Document| document.origins.iter().any(|origin| origin.file == DECIDED);
    let documents: Vec<Document> = known.documents.all().iter().filter(is_decided).cloned().collect();
    let statements = documents
        .iter()
        .filter_map(|one| known.statements.get_key_value(&one.id));
    Imported {
        statements: statements.map(|(id, said)| (*id, said.clone())).collect(),
        documents,
        n_nameless: 0,
    }
}

/// States a fact, which has to have a place in the schema of the store at `path`.
pub(crate) fn state(path: &Path, [head, relation, tail]: [&str; 3], source: &str, env: &Environment) -> Result<()> {
    let (known, _) = store::open(path)?;
    let schema = &known.schema;
    if schema.relation_id(relation).is_none() && schema.attribute_id(relation).is_none() {
        let near = nearest_predicate(schema, relation).unwrap_or_default();
        bail!("the schema has no relation or attribute {relation:?}; did you mean `{near}`? Nothing was changed");
    }
    let of_people = known.documents.all().iter().flat_map(|document| &document.origins);
    let numbers = of_people
        .filter(|origin| origin.file == DECIDED)
        .filter_map(|origin| origin.record.as_ref()?.parse::<usize>().ok());
    let number = numbers.max().map_or(1, |last| last + 1);
    drop(known);
    let said = format!("stated: {head:?} {relation} {tail:?} (`banyan remove {DECIDED}#{number}` takes it back)");
    let line = Line::new(number, [head, relation, tail], source);
    let imported = import::documents(DECIDED, vec![line]).context("nothing was changed")?;
    if take(path, imported, env)?.is_some() {
        env.progress.remark(&said);
    }
    Ok(())
}

/// Adds documents with what they state.
fn take(path: &Path, imported: Imported, env: &Environment) -> Result<Option<Knowledge>> {
    change(path, CommunityUpdate::Auto, env, |known| {
        let before = known.documents.all().to_vec();
        known.documents.edit(|documents| {
            if !imported
                .documents
                .iter()
                .all(|one| one.origins.iter().all(|at| at.file == DECIDED))
            {
                forget(documents, &imported.documents);
            }
            documents.extend(imported.documents);
            canonicalise(documents);
        });
        let mut statements = std::mem::take(&mut known.statements).into_inner();
        statements.extend(imported.statements);
        known.statements = statements.into();
        Ok(before != known.documents.all())
    })
}

/// Tells how many facts these documents state, and which relations the schema has no place for.
pub(crate) fn tell(knowledge: &Knowledge, ids: &BTreeSet<DocumentId>, env: &Environment) {
    if ids.is_empty() {
        return;
    }
    let stated = ids.iter().filter_map(|id| knowledge.statements.get(id)).flatten();
    let n: usize = stated.map(|at| at.stated.n_facts()).sum();
    let contributions = knowledge.contributions.all().iter();
    let of_these = contributions.filter(|said| ids.contains(&said.document));
    let unbound: Vec<&str> = of_these
        .flat_map(|said| &said.unbound)
        .map(|claim| claim.word.as_str())
        .collect();
    env.progress.remark(&format!("{} imported", counted(n, "fact")));
    if !unbound.is_empty() {
        let words: BTreeSet<&str> = unbound.iter().copied().collect();
        let shown: Vec<&str> = words.iter().copied().take(MAX_TOLD).collect();
        let more = if words.len() > MAX_TOLD { ", …" } else { "" };
        env.progress.remark(&format!(
            "{} of them tie their ends and no more, since the schema has no place for {}{more} (see `banyan schema`)",
            unbound.len(),
            shown.join(", ")
        ));
    }
}
