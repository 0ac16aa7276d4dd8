//! A store of knowledge: built, changed and asked.

use crate::analysis::analyser;
use crate::ask::{self, Answered, Opened, Session};
use crate::change::{self, AddOptions, RemoveOptions};
use crate::config::writer;
use crate::corpus::{self, ReadOptions};
use crate::create::{self, BuildOptions};
use crate::decide::{self, Verdict};
use crate::embedding::{self, Embedding};
use crate::environment::Environment;
use crate::error::Error;
use crate::extraction::ExtractionPlan;
use crate::import;
use crate::names;
use crate::portable;
use crate::reasoning::AskOptions;
use crate::reasoning::QuestionPlan;
use crate::records::{self, Filled, RecordsOptions};
use crate::tree::CommunityUpdate;
use anyhow::Result;
use banyan_engine::store::{self, Derived};
use banyan_engine::table::TableSchema;
use banyan_engine::{Community, EntityId, Index, Knowledge, KnowledgeGraph, Schema};
use banyan_extract::import::Imported;
use banyan_extract::infer::{self, THRESHOLD};
use banyan_extract::read;
use banyan_retrieve::Config;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A store of knowledge on disk, opened to be asked.
///
/// What is asked of it is answered from the state in which it was read; a change through this value is seen by the next
/// question, a change by another process when the store is opened again. A store is read when it is first asked, and one
/// value may be asked from several threads.
pub struct Banyan {
    path: PathBuf,
    env: Environment,
    stored: OnceLock<Stored>,
    opened: OnceLock<Opened>,
}

/// A store as it was found: what is asked of it is read when it is asked.
struct Stored {
    knowledge: Knowledge,
    index: Index,
    /// The place of its generation, taken before that was opened, so that nothing derived outlives it.
    derived: Derived,
}

/// A passage that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Title of its document.
    pub title: String,
    /// Where the document was read, such as `notes/harbour.md` or `corpus.jsonl#12`.
    pub origin: String,
    /// First byte of the passage in the document's text.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// The passage itself.
    pub text: String,
    /// Higher is better; comparable within one search only.
    pub score: f32,
}

impl Banyan {
    /// Builds a store at `path` from the files and directories of `corpus`; a store that is there is replaced, and what
    /// people decided on it is kept. Cost O(text), and the calls of a model where one reads.
    ///
    /// # Errors
    /// [`Error`]; nothing was stored, and a store that was there is as before.
    pub fn create(
        path: impl AsRef<Path>,
        corpus: &[PathBuf],
        options: &BuildOptions,
        env: Environment,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        told(&env, create::create(path, corpus, options, &env))?;
        Ok(Self::at(path, env))
    }

    /// Builds a store from records in memory instead of files: `name` is the file that they are said to come from, and
    /// its extension (`.jsonl`, `.md`, …) tells how `bytes` are read.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_from_bytes(
        path: impl AsRef<Path>,
        name: &str,
        bytes: Vec<u8>,
        options: &BuildOptions,
        env: Environment,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let create = || {
            let mut documents = read::parse(name, bytes)?;
            banyan_engine::document::canonicalise(&mut documents);
            let writer = writer(path, &env)?;
            let given = (documents, Imported::default());
            create::create_from(path, &writer, given, options, &env, crate::Timing::default())
        };
        told(&env, create())?;
        Ok(Self::at(path, env))
    }

    /// Calls, tokens and cost that [`Self::create`] with a language model would take; builds nothing.
    ///
    /// # Errors
    /// [`Error::Input`] where the extractor is none that asks a model, or the corpus cannot be read.
    pub fn plan_create(
        path: impl AsRef<Path>,
        corpus: &[PathBuf],
        options: &BuildOptions,
        env: &Environment,
    ) -> Result<ExtractionPlan, Error> {
        told(env, create::plan(path.as_ref(), corpus, options, env))
    }

    /// Makes a store at `path`, where none may be, of what [`Self::write_lines`] wrote; `name` is what the lines are called.
    /// Cost as of [`Self::create`], without a model that reads.
    ///
    /// # Errors
    /// [`Error`] with the first line that is not as it was written; nothing was stored.
    pub fn load_lines(
        path: impl AsRef<Path>,
        name: &str,
        lines: impl BufRead,
        env: Environment,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        told(&env, portable::load(path, name, lines, &env))?;
        Ok(Self::at(path, env))
    }

    /// Writes all of the store that is not derived from the rest as JSON lines. Cost O(size).
    ///
    /// # Errors
    /// [`Error`] where the store cannot be read, or `out` not written.
    pub fn write_lines(&self, out: &mut impl Write) -> Result<(), Error> {
        let mut write = || {
            let knowledge = &self.stored()?.knowledge;
            portable::write(knowledge, out)?;
            out.flush()?;
            Ok(store::sound(knowledge)?)
        };
        told(&self.env, write())
    }

    /// Opens the store at `path`. Cost O(1): it is read when it is first asked.
    ///
    /// # Errors
    /// [`Error::Store`] where there is none that this version reads.
    pub fn open(path: impl AsRef<Path>, env: Environment) -> Result<Self, Error> {
        let path = path.as_ref();
        told(&env, store::check(path).map_err(Into::into))?;
        Ok(Self::at(path, env))
    }

    fn at(path: &Path, env: Environment) -> Self {
        Self {
            path: path.to_owned(),
            env,
            stored: OnceLock::new(),
            opened: OnceLock::new(),
        }
    }

    /// Adds the files and directories of `documents`; what was read from the same files before is replaced.
    ///
    /// # Errors
    /// [`Error`]; the store is as before.
    pub fn add(&mut self, documents: &[PathBuf], options: &AddOptions) -> Result<(), Error> {
        let changed = change::add(&self.path, documents, options, &self.env);
        self.changed(changed)
    }

    /// Adds a text that is in no file, such as a note; the name that it is kept under, by which [`Self::remove`] takes it out
    /// again. The same note twice is there once.
    ///
    /// # Errors
    /// [`Error`]; the store is as before.
    pub fn note(&mut self, title: &str, text: &str) -> Result<String, Error> {
        let noted = change::note(&self.path, title, text, &self.env);
        self.changed(noted)
    }

    /// Makes the store what the files and directories of `corpus` hold now: what is new or was edited is read, and what was
    /// read below them before and is gone there goes. A store that holds just that stays as it is, untouched.
    ///
    /// # Errors
    /// [`Error`]; the store is as before.
    pub fn sync(&mut self, corpus: &[PathBuf], options: &AddOptions) -> Result<(), Error> {
        let changed = change::sync(&self.path, corpus, options, &self.env);
        self.changed(changed)
    }

    /// Joins what was added and read on its own with the rest: names, types and communities of the whole are found anew, and
    /// the store is what a fresh build of its documents would be.
    ///
    /// # Errors
    /// [`Error`]; the store is as before.
    pub fn compact(&mut self, communities: CommunityUpdate) -> Result<(), Error> {
        let changed = change::compact(&self.path, communities, &self.env);
        self.changed(changed)
    }

    /// Removes documents by file or directory as it was added, by record (`corpus.jsonl#12`), by title, or by id. Joined now,
    /// with [`crate::CommunityUpdate::Detect`], the store is then what it would be had they never been added.
    ///
    /// # Errors
    /// [`Error`]; the store is as before.
    pub fn remove(&mut self, documents: &[String], options: &RemoveOptions) -> Result<(), Error> {
        let changed = change::remove(&self.path, documents, options, &self.env);
        self.changed(changed)
    }

    /// Brings in the facts of files (JSON lines, CSV, N-Triples; see [`banyan_extract::import::parse`]): each subject gets a
    /// document that states them. Those of the same files before are replaced.
    ///
    /// # Errors
    /// [`Error`] with the first line that is no fact; the store is as before.
    pub fn import(&mut self, files: &[PathBuf]) -> Result<(), Error> {
        let changed = import::import(&self.path, files, &self.env);
        self.changed(changed)
    }

    /// States a fact: head, a relation or attribute of the schema, and tail or value. `source` says who or what says so. It
    /// outlives rebuilds.
    ///
    /// # Errors
    /// [`Error::Input`] where the schema has no such relation or the head names nothing; the store is as before.
    pub fn state(&mut self, fact: [&str; 3], source: &str) -> Result<(), Error> {
        let changed = import::state(&self.path, fact, source, &self.env);
        self.changed(changed)
    }

    /// Carries out what somebody decided; it outlives rebuilds.
    ///
    /// # Errors
    /// [`Error`]; the store is as before.
    pub fn decide(&mut self, verdict: &Verdict) -> Result<(), Error> {
        let changed = decide::decide(&self.path, verdict, &self.env);
        self.changed(changed)
    }

    fn changed<T>(&mut self, changed: Result<T>) -> Result<T, Error> {
        (self.stored, self.opened) = (OnceLock::new(), OnceLock::new());
        told(&self.env, changed)
    }

    /// The passages that the four routes together rank best for a question, at most `top_k`.
    ///
    /// # Errors
    /// [`Error`] where the store or the embedding model cannot be read.
    pub fn search(&self, question: &str, top_k: usize) -> Result<Vec<Found>, Error> {
        let search = || {
            let opened = self.opened()?;
            let questions = opened.embedding.questions(&[question])?;
            let config = Config {
                top_k,
                ..Config::default()
            };
            let evidence = opened.searcher.search(&questions[0], &config);
            let knowledge = opened.searcher.knowledge();
            let found = evidence.passages.iter().take(top_k).map(|passage| {
                let chunk = knowledge.chunk(passage.chunk);
                let document = knowledge.document(chunk.document);
                Found {
                    title: document.title.clone(),
                    origin: document.origins.first().map(ToString::to_string).unwrap_or_default(),
                    start: chunk.span.start,
                    end: chunk.span.end,
                    text: knowledge.chunk_text(passage.chunk).to_owned(),
                    score: passage.score,
                }
            });
            let found = found.collect();
            store::sound(knowledge)?;
            Ok(found)
        };
        told(&self.env, search())
    }

    /// Answers a question.
    ///
    /// # Errors
    /// [`Error`] where the question is none, or a model gives no usable reply.
    pub fn ask(&self, question: &str, options: &AskOptions) -> Result<Answered, Error> {
        self.session(options, |session| session.ask(question, &mut |_| {}))
    }

    /// Lets `work` ask many questions under one set of options: what they need is opened once, and what a model took is
    /// told at the end.
    ///
    /// # Errors
    /// [`Error`], also that of `work`.
    pub fn session<T>(&self, options: &AskOptions, work: impl FnOnce(&Session<'_>) -> Result<T>) -> Result<T, Error> {
        let asked = self.opened().and_then(|opened| {
            let done = ask::session(&self.path, opened, options, &self.env, work);
            store::sound(opened.searcher.knowledge())?;
            done
        });
        told(&self.env, asked)
    }

    /// Calls, tokens and cost that these questions can come to at most with a language model; asks nothing.
    ///
    /// # Errors
    /// [`Error::Input`] where no model would reason.
    pub fn plan_ask(&self, questions: &[&str], options: &AskOptions) -> Result<QuestionPlan, Error> {
        let planned = self
            .opened()
            .and_then(|opened| ask::plan(&self.path, opened, questions, options, &self.env));
        told(&self.env, planned)
    }

    /// Everything that the store knows, read as it is looked at; [`Self::sound`] tells whether it could be.
    ///
    /// # Errors
    /// [`Error::Store`] where the store cannot be read.
    pub fn knowledge(&self) -> Result<&Knowledge, Error> {
        told(&self.env, self.stored().map(|stored| &stored.knowledge))
    }

    /// The communities of the tree, the largest first.
    ///
    /// # Errors
    /// As [`Self::knowledge`].
    pub fn communities(&self) -> Result<&[Community], Error> {
        Ok(self.knowledge()?.tree.communities())
    }

    /// Entities, triples and attributes.
    ///
    /// # Errors
    /// As [`Self::knowledge`].
    pub fn graph(&self) -> Result<&KnowledgeGraph, Error> {
        Ok(&self.knowledge()?.graph)
    }

    /// The entity of a name, by any of its spellings.
    ///
    /// # Errors
    /// [`Error::Input`] where no entity, or more than one, has the name; the text suggests near ones.
    pub fn entity(&self, name: &str) -> Result<EntityId, Error> {
        let find = || {
            let Stored { knowledge, index, .. } = self.stored()?;
            names::entity(&knowledge.graph, index, name, &self.path)
        };
        told(&self.env, find())
    }

    /// Whether everything that was read of the store so far could be read; ask before what was read is told.
    ///
    /// # Errors
    /// [`Error::Store`] with what is damaged.
    pub fn sound(&self) -> Result<(), Error> {
        let sound = || Ok(store::sound(&self.stored()?.knowledge)?);
        told(&self.env, sound())
    }

    /// Whether the store is still in the state in which this value read it, or will read it. Cost O(1).
    ///
    /// # Errors
    /// [`Error::Store`] where there is no store any more that this version reads.
    pub fn is_current(&self) -> Result<bool, Error> {
        let now = told(&self.env, Derived::of(&self.path).map_err(Into::into))?;
        Ok(self.stored.get().is_none_or(|stored| stored.derived == now))
    }

    /// Bytes of the store that were read since it was opened and are kept, as they were before they were compressed; in memory
    /// they take several times as much. Cost O(1).
    pub fn n_bytes_read(&self) -> u64 {
        self.stored.get().map_or(0, |stored| stored.knowledge.health.n_bytes())
    }

    fn stored(&self) -> Result<&Stored> {
        if let Some(stored) = self.stored.get() {
            return Ok(stored);
        }
        let derived = Derived::of(&self.path)?;
        let (knowledge, index) = store::open(&self.path)?;
        Ok(self.stored.get_or_init(|| Stored {
            knowledge,
            index,
            derived,
        }))
    }

    fn opened(&self) -> Result<&Opened> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let Stored {
            knowledge,
            index,
            derived,
        } = self.stored()?;
        let embedding = Embedding::for_store(&knowledge.settings.embedder, &self.env)?;
        let searcher = embedding.searcher((knowledge.clone(), index.clone()));
        let derived = derived.clone();
        let opened = || Opened::new(searcher, embedding, derived);
        Ok(self.opened.get_or_init(opened))
    }

    /// Gets the embedding model, its runtime and the English parser into the user's cache unless they are there, and
    /// proves that they compute; with `is_checked` every file is compared with its published checksum. What is there,
    /// in a line.
    ///
    /// # Errors
    /// [`Error::Input`] with everything that was tried.
    pub fn fetch_model(is_checked: bool, env: &Environment) -> Result<String, Error> {
        told(env, embedding::fetch(is_checked, env))
    }
}

fn told<T>(env: &Environment, result: Result<T>) -> Result<T, Error> {
    result.map_err(|error| Error::of(error, env.stop.is_asked()))
}

impl Banyan {
    /// The columns that the documents below `corpus` share: a schema for each kind of document with how many there are
    /// of it.
    ///
    /// # Errors
    /// [`Error::Input`] where the documents share no attribute; [`Error::Model`] where a model that predicts cannot be
    /// asked.
    pub fn columns(
        corpus: &[PathBuf],
        options: &RecordsOptions,
        env: &Environment,
    ) -> Result<Vec<(TableSchema, usize)>, Error> {
        told(env, records::columns(corpus, options, env))
    }

    /// A record for each document below `corpus`, every cell with where it was read.
    ///
    /// # Errors
    /// As [`Self::columns`].
    pub fn records(corpus: &[PathBuf], options: &RecordsOptions, env: &Environment) -> Result<Filled, Error> {
        told(env, records::fill(corpus, options, env))
    }

    /// A record for each document of the store: those that questions about records are asked of. What the program fills
    /// in columns that nobody gave is kept beside the store, all of it; with a limit only the first are filled where
    /// nothing was kept.
    ///
    /// # Errors
    /// As [`Self::columns`].
    pub fn tables(&self, options: &RecordsOptions) -> Result<Filled, Error> {
        let fill = |stored: &Stored| ask::filled(&self.path, (&stored.knowledge, &stored.derived), options, &self.env);
        told(&self.env, self.stored().and_then(fill))
    }

    /// Whether the documents look like records of one kind, or nearly all like those of a few. Cost that of reading
    /// all documents the first time.
    ///
    /// # Errors
    /// [`Error::Store`] where the store cannot be read.
    pub fn is_tabular(&self) -> Result<bool, Error> {
        Ok(ask::has_shape(&self.knowledge()?.documents_now()))
    }

    /// A seed schema for the documents below `corpus`, to be read and edited; `name` names it.
    ///
    /// # Errors
    /// [`Error`] where the corpus or the embedding model cannot be read.
    pub fn infer_schema(
        name: &str,
        corpus: &[PathBuf],
        read: &ReadOptions,
        env: &Environment,
    ) -> Result<Schema, Error> {
        let infer = || {
            let documents = corpus::read(corpus, read, env)?;
            let embedding = Embedding::open(env)?;
            let background = Schema::general()?;
            let parsed = analyser(env).read(&documents, &env.stop)?;
            let inferred = infer::infer(name, &parsed, &background, THRESHOLD, embedding.names(), &env.stop)?;
            env.stop.check()?;
            Ok(inferred)
        };
        told(env, infer())
    }
}
