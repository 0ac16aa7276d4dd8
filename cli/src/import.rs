//! Facts that somebody wrote down come into a store, with documents that state them.

use crate::change::change_checked;
use crate::corpus::{self, DECIDED, forget, is_decided, is_of_person};
use crate::environment::Environment;
use crate::names::nearest_predicate;
use crate::progress::counted;
use crate::tree::CommunityUpdate;
use anyhow::{Context, Result, anyhow, bail, ensure};
use banyan_engine::document::canonicalise;
use banyan_engine::store;
use banyan_engine::{Document, DocumentId, Knowledge, Stated, name};
use banyan_extract::import::{self, Imported, Line};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Refused facts that are told one by one. Arbitrary: what is read at a glance.
const MAX_TOLD: usize = 8;

/// Brings the facts of files into the store at `path`; those of the same files before are replaced.
pub(crate) fn import(path: &Path, files: &[PathBuf], env: &Environment) -> Result<()> {
    store::check(path)?;
    let imported = read(files, env)?;
    let ids = imported.statements.keys().copied().collect();
    take(path, imported, env, |knowledge, n_more| {
        tell(knowledge, &ids, env);
        tell_refused(n_more, env);
        Ok(())
    })
}

/// Tells how many statements more than before the schema or a decision refuses.
pub(crate) fn tell_refused(n_more: usize, env: &Environment) {
    if n_more > 0 {
        let n = counted(n_more, "statement");
        env.progress.remark(&format!(
            "{n} more than before refused by the schema or a decision (`banyan stats` tells the reasons)"
        ));
    }
}

/// The facts of files.
pub(crate) fn read(files: &[PathBuf], env: &Environment) -> Result<Imported> {
    let mut all = Imported::default();
    for file in files {
        let name = corpus::name(file);
        let bytes = fs::read(file).with_context(|| format!("{name}: cannot read; nothing was imported"))?;
        let imported = import::parse(&name, bytes).context("nothing was imported")?;
        if imported.n_nameless > 0 {
            let n = counted(imported.n_nameless, "statement");
            env.progress.remark(&format!(
                "{name}: {n} about numbers, dates and other things without a name passed over"
            ));
        }
        all.extend(imported);
    }
    Ok(all)
}

/// What people stated of a store, and their notes: what is in no file, without the files that say the same.
pub(crate) fn of_people(known: &Knowledge) -> (Imported, Vec<Document>) {
    let is_own = |one: &&Document| one.origins.iter().any(|origin| is_of_person(&origin.file));
    let documents = known.documents.all().iter().filter(is_own);
    let own = documents.cloned().map(|mut document| {
        document.origins.retain(|origin| is_of_person(&origin.file));
        document
    });
    let (documents, notes): (Vec<Document>, Vec<Document>) = own.partition(is_decided);
    let statements = documents
        .iter()
        .filter_map(|one| known.statements.get_key_value(&one.id));
    let stated = Imported {
        statements: statements.map(|(id, said)| (*id, said.clone())).collect(),
        documents,
        n_nameless: 0,
    };
    (stated, notes)
}

/// States a fact, which has to have a place in the schema of the store at `path`.
pub(crate) fn state(path: &Path, [head, relation, tail]: [&str; 3], source: &str, env: &Environment) -> Result<()> {
    let (known, _) = store::open(path)?;
    let schema = &known.schema;
    if schema.relation_id(relation).is_none() && schema.attribute_id(relation).is_none() {
        let near = nearest_predicate(schema, relation).unwrap_or_default();
        bail!("the schema has no relation or attribute {relation:?}; did you mean `{near}`? Nothing was changed");
    }
    let line = Line::new(1, [head, relation, tail], source);
    let stated = import::documents(DECIDED, vec![line]);
    let mut imported = stated.map_err(|error| anyhow!("{}; nothing was changed", error.reason()))?;
    let mut record = String::new();
    for document in &mut imported.documents {
        // Never given to another fact.
        record = document.id.to_string();
        for origin in &mut document.origins {
            (origin.record, origin.line) = (Some(record.clone()), None);
        }
    }
    let ids: BTreeSet<DocumentId> = imported.statements.keys().copied().collect();
    let documents = known.documents.all().iter();
    let known_before = documents.filter(|one| ids.contains(&one.id) && is_decided(one));
    if known_before.count() == ids.len() {
        let refused = unadmitted(&known, &ids);
        store::sound(&known)?;
        ensure!(refused.is_empty(), "{}; nothing was changed", refused.join("; "));
        env.progress.remark(&format!(
            "{head:?} {relation} {tail:?} was stated before; nothing to change"
        ));
        return Ok(());
    }
    drop(known);
    take(path, imported, env, |knowledge, n_more| {
        let refused = unadmitted(knowledge, &ids);
        ensure!(refused.is_empty(), "{}; nothing was changed", refused.join("; "));
        ensure!(
            n_more == 0,
            "{head:?} {relation} {tail:?} would give a name another type, and {} that held would be refused; nothing was changed. \
             `banyan fact remove` and `banyan entity retype` decide between them",
            counted(n_more, "statement")
        );
        Ok(())
    })?;
    let back = format!("banyan remove {DECIDED}#{record}");
    env.progress.remark(&format!(
        "stated: {head:?} {relation} {tail:?} (`{back}` takes it back)"
    ));
    Ok(())
}

/// Adds documents with what they state, and lets `check` see what that comes to before it is written, and how many
/// statements more than before are refused then.
fn take(
    path: &Path,
    mut imported: Imported,
    env: &Environment,
    check: impl FnOnce(&Knowledge, usize) -> Result<()>,
) -> Result<()> {
    let n_refused = Cell::new(0);
    let edit = |known: &mut Knowledge| {
        n_refused.set(known.n_refused());
        let graph = &known.graph;
        imported.typed(&known.schema, &|name| graph.find(&name::key(name)).is_some());
        let before = known.documents.all().to_vec();
        known.documents.edit(|documents| {
            if !imported.documents.iter().all(is_decided) {
                forget(documents, &corpus::files(&imported.documents));
            }
            documents.extend(imported.documents);
            canonicalise(documents);
        });
        let mut statements = std::mem::take(&mut known.statements).into_inner();
        statements.extend(imported.statements);
        known.statements = statements.into();
        Ok(before != known.documents.all())
    };
    let check = |knowledge: &Knowledge| check(knowledge, knowledge.n_refused().saturating_sub(n_refused.get()));
    change_checked(path, CommunityUpdate::Auto, env, edit, check)
}

/// What of the facts that these documents state is not in the graph, a line each.
fn unadmitted(knowledge: &Knowledge, ids: &BTreeSet<DocumentId>) -> Vec<String> {
    let Knowledge { schema, graph, .. } = knowledge;
    let shown = |key: &str| match graph.find(key).map(|id| graph.entity(id)) {
        Some(entity) => format!("{:?} ({})", entity.name, schema.entity_type(entity.entity_type).name),
        None => format!("{key:?}"),
    };
    let why =
        "the types do not fit (`banyan entity retype` corrects one), or it was decided not to hold (`banyan resolve`)";
    let mut refused = Vec::new();
    let documents = knowledge.documents.all().iter().enumerate();
    let own = documents.filter(|(_, document)| ids.contains(&document.id));
    for said in own.map(|(at, _)| knowledge.contributions.get(at)) {
        for claim in &said.triples {
            let ends = [graph.find(&claim.head), graph.find(&claim.tail)];
            let mut facts = ends[0]
                .into_iter()
                .flat_map(|head| graph.incident(head))
                .map(|id| graph.triple(id));
            if !facts.any(|fact| fact.says(schema, claim.relation, ends)) {
                let why = if ends[0].is_some() && ends[0] == ends[1] {
                    "both are one entity"
                } else {
                    why
                };
                let name = schema.relation_name(claim.relation);
                refused.push(format!(
                    "refused: {} {name} {}: {why}",
                    shown(&claim.head),
                    shown(&claim.tail)
                ));
            }
        }
        for claim in &said.attributes {
            let mut facts = graph
                .find(&claim.entity)
                .into_iter()
                .flat_map(|id| graph.attributes_of(id));
            if !facts.any(|fact| fact.attribute == claim.attribute && fact.value == claim.value) {
                let name = schema.attribute_name(claim.attribute);
                refused.push(format!(
                    "refused: {name} of {} {:?}: {why}",
                    shown(&claim.entity),
                    claim.value
                ));
            }
        }
        for claim in &said.unbound {
            let is_known = |word: &str| schema.relation_id(word).is_some() || schema.attribute_id(word).is_some();
            let word = &claim.word;
            if claim.object.is_empty() {
                let subject = shown(&claim.subject);
                refused.push(format!("refused: {subject} as a {word}: the schema has no such type"));
                continue;
            }
            let why = if is_known(word) || is_known(&word.replace(' ', "_")) {
                "it takes another kind of value"
            } else {
                "the schema has no such relation or attribute; it ties its ends at most"
            };
            refused.push(format!(
                "refused: {} {word} {:?}: {why}",
                shown(&claim.subject),
                claim.object
            ));
        }
    }
    refused
}

/// Tells how many facts these documents state, and which are not in the graph.
pub(crate) fn tell(knowledge: &Knowledge, ids: &BTreeSet<DocumentId>, env: &Environment) {
    if ids.is_empty() {
        return;
    }
    let stated = ids.iter().filter_map(|id| knowledge.statements.get(id)).flatten();
    let n_said = |said: &Stated| match said.n_facts() {
        // Of which type something is, or that two are spoken of together.
        0 => usize::from(!said.entities.is_empty()),
        n => n,
    };
    let n: usize = stated.map(|at| n_said(&at.stated)).sum();
    let refused = unadmitted(knowledge, ids);
    for line in refused.iter().take(MAX_TOLD) {
        env.progress.remark(line);
    }
    let n_refused = match refused.len() {
        0 => String::new(),
        n if n > MAX_TOLD => {
            format!(", {n} of them refused, the first {MAX_TOLD} above (`banyan stats` counts the reasons)")
        }
        n => format!(", {n} of them refused"),
    };
    env.progress
        .remark(&format!("{}{n_refused}", counted(n, "written fact")));
}
