//! Documents that change a store: it becomes what a fresh build of the changed corpus would be.

use crate::analysis::analyser_of;
use crate::bounds::Bounds;
use crate::build::{Corpus, build, finish, summary};
use crate::config::writer;
use crate::corpus::{self, NOTE, ReadOptions, drop_matching, files, forget, is_below, is_of_person};
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::extraction::{Asking, Statements};
use crate::language::Spent;
use crate::progress::changes;
use crate::recent::{self, Joining};
use crate::timing::Timing;
use crate::tree::{CommunityUpdate, regrow};
use anyhow::{Context, Result, bail};
use banyan_community::{Before, Touched};
use banyan_engine::document::canonicalise;
use banyan_engine::store::{self, Writer};
use banyan_engine::{Document, DocumentId, Knowledge, Origin};
use banyan_extract::Analyser;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// How documents are added.
#[derive(Clone, Debug, Default)]
pub struct AddOptions {
    /// How files become documents.
    pub read: ReadOptions,
    /// What becomes of the communities, now; where nothing is said they are as `joining` says.
    pub communities: Option<CommunityUpdate>,
    /// When what is added is joined with the rest.
    pub joining: Joining,
}

/// How documents are removed.
#[derive(Clone, Debug, Default)]
pub struct RemoveOptions {
    /// What becomes of the communities, now; where nothing is said they are as `joining` says.
    pub communities: Option<CommunityUpdate>,
    /// When the store is written without them; until then they are kept in its files, and seen by nobody.
    pub joining: Joining,
}

/// Adds the documents below `paths`; those that were read from the same files before are replaced.
pub(crate) fn add(store: &Path, paths: &[PathBuf], options: &AddOptions, env: &Environment) -> Result<()> {
    store::check(store)?;
    let new = corpus::read(paths, &options.read, env)?;
    renew(store, &new, &BTreeSet::new(), options, CommunityUpdate::Auto, env)
}

/// Adds a text that is in no file; the name that it is kept under.
pub(crate) fn note(store: &Path, title: &str, text: &str, env: &Environment) -> Result<String> {
    if title.trim().is_empty() || text.trim().is_empty() {
        bail!("expected a title and a text; one of them is empty, and nothing was changed");
    }
    store::check(store)?;
    let mut document = Document::new(title.trim(), text.trim_end(), Origin::default());
    let name = format!("{NOTE}{}", document.id);
    for origin in &mut document.origins {
        origin.file.clone_from(&name);
    }
    document.mark_lines();
    let options = AddOptions::default();
    renew(
        store,
        &[document],
        &BTreeSet::new(),
        &options,
        CommunityUpdate::Auto,
        env,
    )?;
    Ok(name)
}

/// Makes the store what is below `paths` now. What people stated is no file's, and what is known of a file that is there and
/// cannot be read stays; what was emptied is gone.
pub(crate) fn sync(store: &Path, paths: &[PathBuf], options: &AddOptions, env: &Environment) -> Result<()> {
    let new = corpus::read(paths, &options.read, env).map_err(|error| {
        if corpus::state(paths, &options.read).is_empty() {
            return error.context("`banyan remove` takes away what came from files that are gone");
        }
        error
    })?;
    let places: Vec<String> = paths.iter().map(|path| corpus::name(path)).collect();
    let read = files(&new);
    let is_ours = |file: &str| !is_of_person(file) && places.iter().any(|place| is_below(file, place));
    let (_, index) = store::open(store)?;
    let known = index.files.rows().all().iter().map(|(file, _)| file.as_str());
    let ours: BTreeSet<&str> = known.filter(|file| is_ours(file)).collect();
    if let Some(one) = ours.first()
        && !ours.iter().any(|file| read.contains(file))
    {
        bail!(
            "{}: none of the files there is known to {}, which knows others below it, such as {one}; nothing was changed. Name the directory as it was named when it was added, from where that was done",
            shown(paths),
            store.display()
        );
    }
    let missing = ours.into_iter().filter(|file| !read.contains(file));
    let (unread, gone): (Vec<&str>, Vec<&str>) = missing.partition(|file| holds_something(Path::new(file)));
    if !unread.is_empty() {
        env.progress.remark(&format!(
            "kept as known before, since they were not read now: {}",
            unread.join(", ")
        ));
    }
    let gone = gone.into_iter().collect();
    renew(store, &new, &gone, options, CommunityUpdate::Detect, env)
}

/// Whether a file is there and has more than white space in it, or cannot be looked at.
fn holds_something(file: &Path) -> bool {
    let is_space = |byte: io::Result<u8>| byte.is_ok_and(|byte| byte.is_ascii_whitespace());
    match File::open(file) {
        Ok(found) => !BufReader::new(found).bytes().all(is_space),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// Takes documents in, in place of what was read before from the same files and from those that are gone. What becomes of the
/// communities where that was not said is said by `otherwise`.
fn renew(
    store: &Path,
    new: &[Document],
    gone: &BTreeSet<&str>,
    options: &AddOptions,
    otherwise: CommunityUpdate,
    env: &Environment,
) -> Result<()> {
    let laid = recent::lay(store, now_if(options.communities, options.joining), env, |laid| {
        laid.forget(gone);
        laid.take(new);
        Ok(())
    })?;
    if laid {
        return Ok(());
    }
    change(store, options.communities.unwrap_or(otherwise), env, |known| {
        edit(known, env, |documents| {
            let files = &files(new) | gone;
            forget(documents, &files);
            documents.extend(new.iter().cloned());
            canonicalise(documents);
            Ok(())
        })
    })
}

/// Edits the documents of a knowledge; whether that changed anything.
fn edit(known: &mut Knowledge, env: &Environment, edit: impl FnOnce(&mut Vec<Document>) -> Result<()>) -> Result<bool> {
    let before = known.documents.all().to_vec();
    known.documents.edit(edit)?;
    let places = |documents: &[Document]| -> BTreeMap<DocumentId, Vec<Origin>> {
        documents.iter().map(|one| (one.id, one.origins.clone())).collect()
    };
    let (then, now) = (places(&before), places(known.documents.all()));
    let n_new = now.keys().filter(|id| !then.contains_key(id)).count();
    let n_gone = then.keys().filter(|id| !now.contains_key(id)).count();
    let n_moved = now
        .iter()
        .filter(|(id, places)| then.get(id).is_some_and(|then| then != *places))
        .count();
    let said = changes(n_new, n_gone, n_moved);
    if !said.is_empty() {
        env.progress.remark(&said);
    }
    Ok(before != known.documents.all())
}

/// Paths, for people.
fn shown(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    paths.join(", ")
}

/// Removes documents by file or directory as it was added, by record (`corpus.jsonl#12`), by title, or by id.
pub(crate) fn remove(store: &Path, wanted: &[String], options: &RemoveOptions, env: &Environment) -> Result<()> {
    let shown = store.display();
    let each = |drop: &mut dyn FnMut(&str) -> bool| {
        for wanted in wanted {
            if !drop(wanted) {
                bail!(
                    "{wanted}: no such document in {shown}; expected a file, a record (file#id), a title or an id as `banyan dump` shows them; nothing was removed"
                );
            }
        }
        Ok(())
    };
    let joining = now_if(options.communities, options.joining);
    if recent::lay(store, joining, env, |laid| {
        each(&mut |wanted| laid.drop_matching(wanted))
    })? {
        return Ok(());
    }
    change(
        store,
        options.communities.unwrap_or(CommunityUpdate::Detect),
        env,
        |known| {
            edit(known, env, |documents| {
                each(&mut |wanted| drop_matching(documents, wanted))?;
                if documents.is_empty() {
                    bail!("this would remove every document; delete {shown} instead");
                }
                Ok(())
            })
        },
    )
}

/// Communities that are asked for are found now.
fn now_if(communities: Option<CommunityUpdate>, joining: Joining) -> Joining {
    communities.map_or(joining, |_| Joining::Now)
}

/// Joins what lies over the store at `path` with the rest of it. Communities are found anew where that is asked for, also
/// where nothing lies over it.
pub(crate) fn compact(path: &Path, communities: CommunityUpdate, env: &Environment) -> Result<()> {
    if communities != CommunityUpdate::Detect && store::apart(path)?.1.is_none() {
        env.progress
            .remark("nothing to join: no document was added since all was last read as a whole");
        return Ok(());
    }
    change(path, communities, env, |_| Ok(true))
}

/// The same for what needs all of it read as a whole; says nothing where nothing lies over it.
pub(crate) fn settle(path: &Path, env: &Environment) -> Result<()> {
    match store::apart(path)?.1 {
        None => Ok(()),
        Some(_) => compact(path, CommunityUpdate::Auto, env),
    }
}

/// Edits documents, schema or growth of a store that exists and builds it again from them, unless `edit` says that nothing
/// has changed. The store is this process's alone from before it is read until it is written.
pub(crate) fn change(
    path: &Path,
    communities: CommunityUpdate,
    env: &Environment,
    edit: impl FnOnce(&mut Knowledge) -> Result<bool>,
) -> Result<()> {
    change_checked(path, communities, env, edit, |_| Ok(()))
}

/// The same, unless `check` refuses what it comes to, before it is written.
pub(crate) fn change_checked(
    path: &Path,
    communities: CommunityUpdate,
    env: &Environment,
    edit: impl FnOnce(&mut Knowledge) -> Result<bool>,
    check: impl FnOnce(&Knowledge) -> Result<()>,
) -> Result<()> {
    store::check(path)?;
    let writer = writer(path, env)?;
    let mut known = store::load(path)?;
    let told = "the store is unchanged";
    let analyser = analyser_of(&known.settings.parser, known.documents.all(), env).context(told)?;
    if !edit(&mut known)? {
        env.progress.remark("nothing to change");
        return Ok(());
    }
    store::sound(&known).context(told)?;
    let grow = |knowledge: &mut Knowledge, embedding: &Embedding, timing: &mut Timing| {
        check(knowledge)?;
        let ((old, _), _) = store::apart(path)?;
        let before = Before {
            schema: &old.schema,
            graph: &old.graph,
            tree: &old.tree,
        };
        let touched = regrow(knowledge, before, communities, embedding, env, timing)?;
        store::sound(&old)?;
        Ok(touched)
    };
    let rebuilt = rebuild(path, &writer, known, &analyser, env, grow);
    if env.stop.is_asked() {
        // That says itself what became of the store.
        return rebuilt;
    }
    rebuilt.context(told)
}

/// Writes what edited knowledge comes to. It starts anew from the seed of the schema and from what people decided, so
/// that what only a document that is gone had suggested goes with it. `grow` gives it a tree, and says what of that is new.
pub(crate) fn rebuild(
    path: &Path,
    writer: &Writer,
    known: Knowledge,
    analyser: &Analyser,
    env: &Environment,
    grow: impl FnOnce(&mut Knowledge, &Embedding, &mut Timing) -> Result<Touched>,
) -> Result<()> {
    let documents = known.documents.into_vec();
    let ids = documents.iter().map(|document| document.id).collect();
    let seed = known.growth.seed(&known.schema)?;
    let (growth, schema) = known.growth.decided(&seed, &ids)?;
    let bounds = Bounds {
        schema,
        growth,
        mode: known.settings.schema_mode,
        mu: known.settings.mu,
        decisions: known.resolution.decisions().to_vec(),
    };
    let embedding = Embedding::for_store(&known.settings.embedder, env)?;
    let mut statements = Statements {
        extractor: known.settings.extractor,
        by_document: known.statements.into_inner(),
        quarantine: known.quarantine.into_inner(),
        spent: Spent::default(),
    };
    let asking = Asking {
        env,
        store: path,
        bounds: &bounds,
        embedding: &embedding,
        failed: &[],
    };
    statements.follow(&documents, &asking)?;
    let spent = statements.spent;
    let mut timing = Timing::default();
    let contributions = known.contributions.into_vec().into_iter();
    let corpus = Corpus {
        documents,
        parses: known.parses.into_vec().into_iter().collect(),
        contributions: contributions.map(|said| (said.document, said)).collect(),
        is_part: false,
    };
    // What was derived takes as much memory as what will be.
    drop((known.graph, known.tree, known.chunks, known.chunk_vectors));
    let mut knowledge = build(corpus, statements, &bounds, analyser, &embedding, env, &mut timing)?;
    knowledge.settings.summariser = known.settings.summariser;
    let touched = grow(&mut knowledge, &embedding, &mut timing)?;
    finish(path, writer, &mut knowledge, &touched, spent, env, &mut timing)?;
    env.progress.remark(&summary(&knowledge));
    env.progress.remark(&timing.line());
    Ok(())
}
