//! The one place that chooses the embedder, and fetches or opens it.

use crate::environment::{EmbedderKind, Environment, cache_dir};
use crate::model;
use anyhow::{Context, Result, bail};
use banyan_engine::embed::{Embedder, FileCache, LexicalEmbedder, MiniLm, StaticEmbedder, Vectors, embed_all};
use banyan_engine::{Index, Knowledge};
use banyan_extract::chunk::{CountTokens, EstimateTokens};
use banyan_retrieve::{Question, Searcher};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Identity of the embedder of a store without dense vectors.
const NO_EMBEDDER: &str = "none";

/// What was opened, by the directory that was named for it: a model takes longer to load than a question to answer.
static OPENED: Mutex<BTreeMap<Option<PathBuf>, Embedding>> = Mutex::new(BTreeMap::new());

/// What turns texts into vectors and counts their tokens; clones are one.
#[derive(Clone)]
pub enum Embedding {
    /// No model: BM25 and graph only; names are compared by their letters.
    None,
    /// all-MiniLM-L6-v2, its static distillate for names, and the cache in front of it.
    MiniLm {
        /// What embeds passages and questions.
        model: Arc<MiniLm>,
        /// What embeds names and relations.
        names: Arc<StaticEmbedder>,
        /// Vectors of passages, by content.
        cache: Arc<Mutex<FileCache>>,
    },
}

impl Embedding {
    /// Opens the embedder that the user chose, fetching the model on first use; the one that this process opened before where
    /// it did.
    ///
    /// # Errors
    /// When the model cannot be found, fetched or loaded, or its cache cannot be written.
    pub fn open(env: &Environment) -> Result<Self> {
        if env.embedder == EmbedderKind::None {
            return Ok(Self::None);
        }
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = opened.get(&env.model_dir) {
            return Ok(known.clone());
        }
        let (model, names) = open_model(env)?;
        let directory = cache_dir()?.join("vectors");
        std::fs::create_dir_all(&directory)
            .with_context(|| format!("{}: cannot create the vector cache", directory.display()))?;
        let name = format!("{}.sqlite", model.id().replace(|ch: char| !ch.is_alphanumeric(), "-"));
        let cache = FileCache::open(&directory.join(name), model.id(), model.dimension())?;
        let embedding = Self::MiniLm {
            model: Arc::new(model),
            names: Arc::new(names),
            cache: Arc::new(Mutex::new(cache)),
        };
        opened.insert(env.model_dir.clone(), embedding.clone());
        Ok(embedding)
    }

    /// Opens the embedder that a store was built with.
    ///
    /// # Errors
    /// As [`Self::open`], or where the model is another one than that of the store.
    pub fn for_store(id: &str, env: &Environment) -> Result<Self> {
        let wanted = if id == NO_EMBEDDER {
            EmbedderKind::None
        } else {
            EmbedderKind::MiniLm
        };
        if wanted == EmbedderKind::MiniLm && env.embedder == EmbedderKind::None {
            env.progress
                .remark("the store has dense vectors, so its model is used whatever --embedder says");
        }
        let embedding = Self::open(&Environment {
            embedder: wanted,
            ..env.clone()
        })?;
        if embedding.id() != id {
            bail!(
                "the store was built with embedder {id}; found {}: build the store again or name the model with --model-dir",
                embedding.id()
            );
        }
        Ok(embedding)
    }

    /// Stable identity, as stores record it.
    pub fn id(&self) -> &str {
        match self {
            Self::None => NO_EMBEDDER,
            Self::MiniLm { model, .. } => model.id(),
        }
    }

    /// What counts tokens for chunking.
    pub fn counter(&self) -> &dyn CountTokens {
        match self {
            Self::None => &EstimateTokens,
            Self::MiniLm { model, .. } => model.tokenizer(),
        }
    }

    /// What embeds names and relations.
    pub fn names(&self) -> &dyn Embedder {
        match self {
            Self::None => &LexicalEmbedder,
            Self::MiniLm { names, .. } => names.as_ref(),
        }
    }

    /// What embeds passages and questions, behind no cache; `None` without a model.
    pub fn sentences(&self) -> Option<&dyn Embedder> {
        match self {
            Self::None => None,
            Self::MiniLm { model, .. } => Some(model.as_ref()),
        }
    }

    /// A knowledge opened for questions, with names and triples compared by meaning where there is a model.
    pub fn searcher(&self, (knowledge, index): (Knowledge, Index)) -> Searcher {
        let searcher = Searcher::open(knowledge, index);
        match self {
            Self::None => searcher,
            Self::MiniLm { names, .. } => searcher.with_tokens(Arc::clone(names)),
        }
    }

    /// Vectors of passages `(n, d)`, cached; no rows without a model.
    ///
    /// # Errors
    /// When the model cannot be run, the cache cannot be written, or somebody asked to stop.
    pub fn passages(&self, texts: &[&str], env: &Environment) -> Result<Vectors> {
        let bar = env.progress.bar("embedding", texts.len());
        let vectors = self.embedded(texts, &mut |done, total| {
            bar.at(done as u64, total as u64);
            if env.stop.is_asked() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        env.stop.check()?;
        vectors
    }

    /// Questions with their vectors; without vectors where there is no model.
    ///
    /// # Errors
    /// When the model cannot be run or the cache cannot be written.
    pub fn questions(&self, texts: &[&str]) -> Result<Vec<Question>> {
        let vectors = self.embedded(texts, &mut |_, _| ControlFlow::Continue(()))?;
        let vector = |at: usize| (!vectors.is_empty()).then(|| vectors.row(at).to_vec());
        let questions = texts.iter().enumerate();
        Ok(questions.map(|(at, text)| Question::new(*text, vector(at))).collect())
    }

    fn embedded(
        &self,
        texts: &[&str],
        on_progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Vectors> {
        match self {
            Self::None => Ok(Vectors::default()),
            Self::MiniLm { model, cache, .. } => {
                let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(embed_all(model.as_ref(), texts, Some(&mut *cache), on_progress)?)
            }
        }
    }
}

/// The embedding model and its static distillate, from disk or fetched.
pub(crate) fn open_model(env: &Environment) -> Result<(MiniLm, StaticEmbedder)> {
    let model = MiniLm::load(&model::ensure(env)?)?;
    let names = model::ensure_static(&model, env)?;
    Ok((model, names))
}

/// Gets model, runtime and parser unless they are there; see [`crate::Banyan::fetch_model`].
pub(crate) fn fetch(is_checked: bool, env: &Environment) -> Result<String> {
    if is_checked {
        let files = model::ensure(env)?;
        model::check(&files)?;
        let parser = model::parser::checked(env)?;
        return Ok(format!(
            "as published: {}, {}",
            files.directory.join("model.onnx").display(),
            parser.display()
        ));
    }
    let (model, _) = open_model(env)?;
    let parser = model::parser::load(env)?;
    Ok(format!(
        "ready: {} ({} dimensions), parser {}",
        model.id(),
        model.dimension(),
        parser.id(&[])
    ))
}
