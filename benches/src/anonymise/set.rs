//! `banyan-eval anonymize`: tags for names, questions over them, and the way back.

use super::path::{Reading, steps};
use super::question::{Draw, Line, draw};
use super::{Dictionary, Key, Listed};
use crate::args::Anonymize;
use crate::render;
use anyhow::{Context, Result, bail, ensure};
use banyan::{Bounds, Embedding, Environment, ReadOptions, Statements, Timing, build, corpus, counted};
use banyan_engine::{Document, Knowledge, Schema};
use banyan_extract::read;
use place::Places;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

mod place;

/// Where the anonymised texts, the questions and the key lie in a set's directory.
pub(crate) const CORPUS: &str = "corpus";
pub(crate) const QUESTIONS: &str = "questions.jsonl";
pub(crate) const KEY: &str = "key.json";

pub(crate) fn run(args: &Anonymize, env: &Environment) -> Result<()> {
    let out = &args.out;
    let is_vacant = match fs::read_dir(out) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !out.exists(),
    };
    let shown = out.display();
    ensure!(
        is_vacant,
        "{shown}: exists; expected a directory that does not exist or is empty"
    );
    if args.restore {
        restore(args, env)
    } else {
        anonymise(args, env)
    }
}

/// Writes the files of a set as they were, byte for byte.
fn restore(args: &Anonymize, env: &Environment) -> Result<()> {
    let [set] = &args.corpus[..] else {
        let n = args.corpus.len();
        bail!("found {n} places to restore; expected one directory, as `anonymize` wrote it");
    };
    let key = read_key(&args.key.clone().unwrap_or_else(|| set.join(KEY)))?;
    // Everything is read and checked before anything is written.
    let files = originals(set, &key, env)?;
    for (file, raw) in &files {
        put(&args.out.join(file), raw)?;
    }
    if args.json {
        let names: Vec<String> = files.iter().map(|(file, _)| file.display().to_string()).collect();
        return render::json(&json!({"files": names}));
    }
    let (n, out) = (counted(files.len(), "file"), args.out.display());
    render::text(&format!("{n} restored in {out}"))
}

fn anonymise(args: &Anonymize, env: &Environment) -> Result<()> {
    let knowledge = read_knowledge(args, env)?;
    let dictionary = Dictionary::of(&knowledge);
    ensure!(
        !dictionary.entries().is_empty(),
        "no names were found in the corpus; expected texts that name persons, places or other things"
    );
    env.stop.check()?;
    let mut key = Key::new(&dictionary);
    let files = seal(&knowledge.documents, &dictionary, &mut key)?;
    let reading = Reading::new(&knowledge, &dictionary);
    let places = Places::new(&knowledge, &reading, &files)?;
    let steps = steps(&knowledge, &dictionary, &reading);
    let n = usize::from(args.questions);
    let wanted = Draw {
        hops: args.hops.clone(),
        n,
        seed: args.seed,
    };
    let drawn = draw(&dictionary, &reading, &steps, &wanted);
    env.stop.check()?;
    let lines: Vec<Line> = (1..)
        .zip(drawn)
        .map(|(n, one)| one.line(n, |gold| places.find(gold)))
        .collect();
    if lines.len() < n {
        let found = counted(lines.len(), "question");
        env.progress
            .remark(&format!("{found} of {n}: the graph has no more paths of these lengths"));
    }
    check_leaks(&files, &lines, &dictionary)?;
    for file in &files {
        put(&args.out.join(&file.anonymised), &file.text)?;
    }
    let lines_json = lines.iter().map(|line| Ok(serde_json::to_string(line)? + "\n"));
    put(&args.out.join(QUESTIONS), &lines_json.collect::<Result<String>>()?)?;
    put(&args.out.join(KEY), &(serde_json::to_string(&key)? + "\n"))?;
    told(args, &dictionary, &key, &lines)
}

/// Tells what was written: tags by kind, names replaced, questions by number of hops.
fn told(args: &Anonymize, dictionary: &Dictionary, key: &Key, lines: &[Line]) -> Result<()> {
    let entries = dictionary.entries();
    let entities = tally(entries.iter().map(|entry| entry.tag.label.clone()));
    let questions = tally(lines.iter().map(|line| line.hops));
    let spellings: usize = entries.iter().map(|entry| 1 + entry.aliases.len()).sum();
    let replaced: usize = key.files.iter().map(|file| file.spelled.len()).sum();
    if args.json {
        return render::json(&json!({
            "files": key.files.len(), "entities": entities, "spellings": spellings, "replaced": replaced, "left": 0,
            "questions": questions,
        }));
    }
    let by_kind: Vec<String> = entities.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    let by_hops: Vec<String> = questions.iter().map(|(hops, n)| format!("{hops}: {n}")).collect();
    render::text(&format!(
        "{} tags for {spellings} spellings ({}); {replaced} names replaced in {}, 0 left\n{} by hops: {}\n{out}/{CORPUS} and {out}/{QUESTIONS} have no names; {out}/{KEY} has all of them: keep it apart",
        entries.len(),
        by_kind.join(", "),
        counted(key.files.len(), "file"),
        counted(lines.len(), "question"),
        by_hops.join(", "),
        out = args.out.display(),
    ))
}

fn tally<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, usize> {
    let mut counts = BTreeMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

/// A file as it will be written.
struct Sealed {
    /// As it was read.
    file: String,
    /// Relative to the set's directory.
    anonymised: String,
    /// What it was.
    raw: String,
    /// What it will be.
    text: String,
}

/// Names as `build` finds them; no vectors are needed.
fn read_knowledge(args: &Anonymize, env: &Environment) -> Result<Knowledge> {
    let documents = corpus::read(&args.corpus, &ReadOptions::default(), env)?;
    let bounds = Bounds::strict(Schema::general()?);
    let (embedding, mut timing) = (Embedding::None, Timing::default());
    let statements = Statements::embedded();
    build(documents, statements, &bounds, &embedding, env, &mut timing)
}

fn seal(documents: &[Document], dictionary: &Dictionary, key: &mut Key) -> Result<Vec<Sealed>> {
    let origins = documents.iter().flat_map(|document| &document.origins);
    let files: BTreeSet<&str> = origins.map(|origin| origin.file.as_str()).collect();
    let above = common_parent(&files);
    let mut sealed = Vec::new();
    for (file, number) in files.into_iter().zip(1..) {
        let raw = fs::read_to_string(file).with_context(|| format!("{file}: cannot read"))?;
        // A name of its own: that of the file may name someone.
        let anonymised = format!("{CORPUS}/{number:04}.{}", extension(file));
        let below = Path::new(file).strip_prefix(&above).unwrap_or(Path::new(file));
        let below = below.to_string_lossy().into_owned();
        let text = key.seal(dictionary, below, &anonymised, &raw, is_json(file));
        sealed.push(Sealed {
            file: file.to_owned(),
            anonymised,
            raw,
            text,
        });
    }
    Ok(sealed)
}

/// The deepest directory that all files are below.
fn common_parent(files: &BTreeSet<&str>) -> PathBuf {
    let mut parents = files
        .iter()
        .map(|file| Path::new(file).parent().unwrap_or(Path::new("")));
    let first = parents.next().unwrap_or(Path::new("")).to_owned();
    parents.fold(first, |common, parent| {
        let shared = common.components().zip(parent.components());
        shared.take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
    })
}

fn extension(file: &str) -> String {
    let kind = Path::new(file).extension().unwrap_or_default();
    kind.to_string_lossy().to_ascii_lowercase()
}

fn is_json(file: &str) -> bool {
    matches!(extension(file).as_str(), "json" | "jsonl" | "ndjson")
}

/// Refuses to write what still has a listed name.
fn check_leaks(files: &[Sealed], lines: &[Line], dictionary: &Dictionary) -> Result<()> {
    let listed = Listed::new(dictionary.entries())?;
    let mut left = BTreeSet::new();
    for file in files {
        for document in read::parse(&file.anonymised, file.text.clone().into_bytes())? {
            left.extend(listed.left_in(&document.text));
            // Without a title of its own a document has that of its file.
            if is_json(&file.anonymised) {
                left.extend(listed.left_in(&document.title));
            }
        }
    }
    left.extend(lines.iter().flat_map(|line| listed.left_in(&line.question)));
    match left.iter().next() {
        Some(first) => bail!(
            "nothing was written: {} would be left, such as {first:?}",
            counted(left.len(), "name")
        ),
        None => Ok(()),
    }
}

/// Writes a file and the directories it needs.
fn put(path: &Path, content: &str) -> Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(|| format!("{}: cannot make the directory", parent.display()))?;
    }
    fs::write(path, content).with_context(|| format!("{}: cannot write", path.display()))
}

/// Every file of a set as it was, below the directory where they lay together.
pub(crate) fn originals(set: &Path, key: &Key, env: &Environment) -> Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    for file in &key.files {
        env.stop.check()?;
        let path = set.join(&file.anonymised);
        let place = path.display();
        let text = fs::read_to_string(&path).with_context(|| format!("{place}: cannot read"))?;
        let raw = key.open(file, &text, is_json(&file.anonymised));
        // Below the directory that is written, whatever a key says.
        let parts = Path::new(&file.file).components();
        let inside = parts.filter(|part| matches!(part, Component::Normal(_))).collect();
        files.push((inside, raw.with_context(|| place.to_string())?));
    }
    Ok(files)
}

/// The key in a file.
pub(crate) fn read_key(path: &Path) -> Result<Key> {
    let place = path.display();
    let json = fs::read_to_string(path).with_context(|| {
        format!(
            "{place}: cannot read the key that `anonymize` wrote; where it is elsewhere, `anonymize --restore` takes --key"
        )
    })?;
    Key::parse(&json).with_context(|| place.to_string())
}
