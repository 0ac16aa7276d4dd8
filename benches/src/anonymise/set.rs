//! `banyan anonymize`: tags for names, questions over them, and the way back.

use crate::anonymise::path::{Reading, steps};
use crate::anonymise::question::{Draw, Drawn, Line, draw};
use crate::anonymise::{Dictionary, Key, Listed};
use crate::args::Anonymize;
use crate::render;
use anyhow::{Context, Result, bail, ensure};
use banyan::Embedding;
use banyan::Environment;
use banyan::ReadOptions;
use banyan::Statements;
use banyan::corpus;
use banyan::counted as count;
use banyan::{Bounds, Timing, build};
use banyan_engine::{Document, Knowledge, Schema};
use banyan_extract::read;
use place::Places;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

mod place;
mod undo;

pub(crate) use undo::{originals, read_key};

/// Where the anonymised texts, the questions and the key lie in a set's directory.
pub(crate) const CORPUS: &str = "corpus";
pub(crate) const QUESTIONS: &str = "questions.jsonl";
pub(crate) const KEY: &str = "key.json";

/// What was written.
#[derive(Serialize)]
struct Summary {
    files: usize,
    /// Entities by kind of tag.
    entities: BTreeMap<String, usize>,
    /// Names and aliases that are listed.
    spellings: usize,
    /// Names that were replaced.
    replaced: usize,
    /// Listed names found in what was written; anything but none is an error.
    left: usize,
    /// Questions by number of hops.
    questions: BTreeMap<usize, usize>,
}

pub(crate) fn run(args: &Anonymize, env: &Environment) -> Result<()> {
    if args.restore {
        return undo::run(args, env);
    }
    check_vacant(&args.out)?;
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
    let lines: Vec<Line> = drawn
        .iter()
        .zip(1..)
        .map(|(one, n)| line(one, n, &dictionary, &places))
        .collect();
    if lines.len() < n {
        let (found, wanted) = (count(lines.len(), "question"), n);
        env.progress.remark(&format!(
            "{found} of {wanted}: the graph has no more paths of these lengths"
        ));
    }
    let left = check_leaks(&files, &lines, &dictionary)?;
    write(&args.out, &files, &lines, &key)?;
    let summary = Summary::new(&dictionary, &key, &lines, left);
    if args.json {
        render::json(&summary)?;
    } else {
        render::text(&summary.table(&args.out))?;
    }
    Ok(())
}

/// A file as it will be written.
pub(crate) struct Sealed {
    /// As it was read.
    pub(crate) file: String,
    /// Relative to the set's directory.
    pub(crate) anonymised: String,
    /// What it was.
    pub(crate) raw: String,
    /// What it will be.
    pub(crate) text: String,
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
    let files: BTreeSet<&str> = documents
        .iter()
        .flat_map(|document| &document.origins)
        .map(|origin| origin.file.as_str())
        .collect();
    let above = common_parent(&files);
    let mut sealed = Vec::new();
    for (file, number) in files.into_iter().zip(1..) {
        let raw = fs::read_to_string(file).with_context(|| format!("{file}: cannot read"))?;
        let kind = extension(file);
        // A name of its own: that of the file may name someone.
        let anonymised = format!("{CORPUS}/{number:04}.{kind}");
        let below = Path::new(file).strip_prefix(&above).unwrap_or(Path::new(file));
        let below = below.to_string_lossy().into_owned();
        let text = key.seal(dictionary, below, &anonymised, &raw, is_json(&kind));
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

pub(crate) fn extension(file: &str) -> String {
    let kind = Path::new(file).extension().unwrap_or_default();
    kind.to_string_lossy().to_ascii_lowercase()
}

pub(crate) fn is_json(extension: &str) -> bool {
    matches!(extension, "json" | "jsonl" | "ndjson")
}

fn line(drawn: &Drawn, number: usize, dictionary: &Dictionary, places: &Places) -> Line {
    let text = &drawn.question;
    Line {
        id: format!("q{number:04}"),
        query_type: drawn.kind,
        hops: drawn.hops,
        language: crate::anonymise::question::Language::of(text),
        question: text.clone(),
        answer: drawn.gold_answer(dictionary),
        relations: drawn.relations.clone(),
        entities: drawn.entities.clone(),
        gold: drawn.gold.iter().filter_map(|gold| places.find(*gold)).collect(),
    }
}

/// How many listed names what will be written still has: none, or an error that shows them.
fn check_leaks(files: &[Sealed], lines: &[Line], dictionary: &Dictionary) -> Result<usize> {
    let listed = Listed::new(dictionary.entries())?;
    let mut left = BTreeSet::new();
    for file in files {
        for document in read::parse(&file.anonymised, file.text.clone().into_bytes())? {
            left.extend(listed.left_in(&document.text));
            // Without a title of its own a document has that of its file.
            if is_json(&extension(&file.anonymised)) {
                left.extend(listed.left_in(&document.title));
            }
        }
    }
    for line in lines {
        left.extend(listed.left_in(&line.question));
    }
    if let Some(first) = left.iter().next() {
        bail!(
            "nothing was written: {} would be left, such as {first:?}",
            count(left.len(), "name")
        );
    }
    Ok(left.len())
}

fn check_vacant(out: &Path) -> Result<()> {
    let is_vacant = match fs::read_dir(out) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !out.exists(),
    };
    ensure!(
        is_vacant,
        "{}: exists; expected a directory that does not exist or is empty",
        out.display()
    );
    Ok(())
}

fn write(out: &Path, files: &[Sealed], lines: &[Line], key: &Key) -> Result<()> {
    for file in files {
        put(&out.join(&file.anonymised), &file.text)?;
    }
    let lines = lines.iter().map(|line| Ok(serde_json::to_string(line)? + "\n"));
    put(&out.join(QUESTIONS), &lines.collect::<Result<String>>()?)?;
    put(&out.join(KEY), &(serde_json::to_string(key)? + "\n"))
}

/// Writes a file and the directories it needs.
pub(crate) fn put(path: &Path, content: &str) -> Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(|| format!("{}: cannot make the directory", parent.display()))?;
    }
    fs::write(path, content).with_context(|| format!("{}: cannot write", path.display()))
}

impl Summary {
    fn new(dictionary: &Dictionary, key: &Key, lines: &[Line], left: usize) -> Self {
        let mut entities: BTreeMap<String, usize> = BTreeMap::new();
        for entry in dictionary.entries() {
            *entities.entry(entry.tag.label.clone()).or_default() += 1;
        }
        let mut questions: BTreeMap<usize, usize> = BTreeMap::new();
        for line in lines {
            *questions.entry(line.hops).or_default() += 1;
        }
        Self {
            files: key.files.len(),
            entities,
            spellings: dictionary.entries().iter().map(|entry| 1 + entry.aliases.len()).sum(),
            replaced: key.files.iter().map(|file| file.spelled.len()).sum(),
            left,
            questions,
        }
    }

    fn table(&self, out: &Path) -> String {
        let by_kind: Vec<String> = self.entities.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
        let by_hops: Vec<String> = self.questions.iter().map(|(hops, n)| format!("{hops}: {n}")).collect();
        let n_entities: usize = self.entities.values().sum();
        let n_questions: usize = self.questions.values().sum();
        format!(
            "{} tags for {} spellings ({}); {} names replaced in {}, {} left\n{} by hops: {}\n{out}/{CORPUS} and {out}/{QUESTIONS} have no names; {out}/{KEY} has all of them: keep it apart",
            n_entities,
            self.spellings,
            by_kind.join(", "),
            self.replaced,
            count(self.files, "file"),
            self.left,
            count(n_questions, "question"),
            by_hops.join(", "),
            out = out.display(),
        )
    }
}
