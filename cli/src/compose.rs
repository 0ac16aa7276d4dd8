//! The one place that chooses embedder and parser and says where caches are.

use crate::args::{EmbedderKind, Global, ParserKind};
use crate::model::parser::{self, ParserOptions};
use crate::model::{self, ModelOptions};
use crate::progress::Progress;
use crate::stop::Stop;
use anyhow::{Context, Result, bail};
use banyan_engine::Knowledge;
use banyan_engine::embed::{
    Embedder, FileCache, LexicalEmbedder, MiniLm, MiniLmFiles, StaticEmbedder, Vectors, embed_all,
};
use banyan_extract::chunk::{CountTokens, EstimateTokens};
use banyan_extract::parse::Pipeline;
use banyan_retrieve::{Question, Searcher};
use std::env;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Identity of the embedder of a store without dense vectors.
pub const NO_EMBEDDER: &str = "none";

/// What turns texts into vectors and counts their tokens.
pub enum Embedding {
    /// No model: BM25 and graph only; names are compared by their letters.
    None,
    /// all-MiniLM-L6-v2, its static distillate for names, and the cache in front of it.
    MiniLm {
        model: Box<MiniLm>,
        names: Arc<StaticEmbedder>,
        cache: Box<FileCache>,
    },
}

impl Embedding {
    /// Opens the embedder that the user chose, fetching the model on first use.
    pub fn open(global: &Global, progress: Progress) -> Result<Self> {
        if global.embedder == EmbedderKind::None {
            return Ok(Self::None);
        }
        let (model, names) = open_model(global, progress)?;
        let directory = cache_dir()?.join("vectors");
        std::fs::create_dir_all(&directory)
            .with_context(|| format!("{}: cannot create the vector cache", directory.display()))?;
        let name = format!("{}.vectors", model.id().replace(|ch: char| !ch.is_alphanumeric(), "-"));
        let cache = FileCache::open(&directory.join(name), model.id(), model.dimension())?;
        Ok(Self::MiniLm {
            model: Box::new(model),
            names: Arc::new(names),
            cache: Box::new(cache),
        })
    }

    /// Opens the embedder that a store was built with.
    pub fn for_store(id: &str, global: &Global, progress: Progress) -> Result<Self> {
        let wanted = if id == NO_EMBEDDER {
            EmbedderKind::None
        } else {
            EmbedderKind::Minilm
        };
        if wanted == EmbedderKind::Minilm && global.embedder == EmbedderKind::None {
            progress.remark("the store has dense vectors, so its model is used whatever --embedder says");
        }
        let global = Global {
            embedder: wanted,
            ..global.clone()
        };
        let embedding = Self::open(&global, progress)?;
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

    /// What embeds names by meaning; `None` without a model, which compares letters only.
    pub fn meanings(&self) -> Option<&dyn Embedder> {
        match self {
            Self::None => None,
            Self::MiniLm { names, .. } => Some(names.as_ref()),
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
    pub fn searcher(&self, knowledge: Knowledge) -> Searcher {
        self.opener()(knowledge)
    }

    /// What opens another knowledge as [`Self::searcher`] does, on its own.
    pub fn opener(&self) -> impl Fn(Knowledge) -> Searcher + Sync + 'static {
        let names = match self {
            Self::None => None,
            Self::MiniLm { names, .. } => Some(Arc::clone(names)),
        };
        move |knowledge| {
            let searcher = Searcher::new(knowledge);
            match &names {
                None => searcher,
                Some(names) => searcher.with_tokens(Arc::clone(names)),
            }
        }
    }

    /// Vectors of passages `(n, d)`, cached; no rows without a model.
    pub fn passages(&mut self, texts: &[&str], progress: Progress, stop: &Stop) -> Result<Vectors> {
        let Self::MiniLm { model, cache, .. } = self else {
            return Ok(Vectors::new(0));
        };
        let bar = progress.bar("embedding", texts.len());
        let mut on_progress = |done: usize, total: usize| {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            if stop.is_asked() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let vectors = embed_all(model.as_ref(), texts, cache.as_mut(), &mut on_progress);
        bar.finish_and_clear();
        stop.check()?;
        Ok(vectors?)
    }

    /// The vector of one question; `None` without a model.
    pub fn question(&mut self, text: &str) -> Result<Option<Vec<f32>>> {
        let vectors = self.passages(&[text], Progress::new(true), &Stop::default())?;
        Ok((!vectors.is_empty()).then(|| vectors.row(0).to_vec()))
    }

    /// Questions with their vectors, embedded together.
    pub fn questions(&mut self, texts: &[&str], progress: Progress, stop: &Stop) -> Result<Vec<Question>> {
        let vectors = self.passages(texts, progress, stop)?;
        let vector = |at: usize| (!vectors.is_empty()).then(|| vectors.row(at).to_vec());
        let questions = texts.iter().enumerate();
        Ok(questions.map(|(at, text)| Question::new(*text, vector(at))).collect())
    }
}

/// The embedding model and its static distillate, from disk or fetched.
pub fn open_model(global: &Global, progress: Progress) -> Result<(MiniLm, StaticEmbedder)> {
    let files = model_files(global, progress)?;
    let model = MiniLm::load(&files)?;
    let bars = progress.transfers();
    let names = model::ensure_static(&model, &user_cache()?, &bars)?;
    bars.finish();
    Ok((model, names))
}

/// The files of model and runtime, from disk or fetched.
pub fn model_files(global: &Global, progress: Progress) -> Result<MiniLmFiles> {
    let options = ModelOptions {
        dir: global.model_dir.clone(),
        runtime: env::var_os("ORT_DYLIB_PATH").map(PathBuf::from),
        cache_dir: user_cache()?,
        offline: global.offline,
    };
    let bars = progress.transfers();
    let files = model::ensure(&options, &bars);
    bars.finish();
    files
}

/// The parser that the user chose, fetched on first use; none without one.
pub(crate) fn parser(global: &Global, progress: Progress) -> Result<Option<Pipeline>> {
    match global.parser {
        ParserKind::None => Ok(None),
        ParserKind::Small => open_parser(global, progress).map(Some),
    }
}

/// The small parser, from disk or fetched.
pub(crate) fn open_parser(global: &Global, progress: Progress) -> Result<Pipeline> {
    parser::load(&parser_directory(global, progress)?)
}

/// The directory of the small parser, filled by fetching where it is not there.
pub(crate) fn parser_directory(global: &Global, progress: Progress) -> Result<PathBuf> {
    let options = parser_options(global)?;
    let bars = progress.transfers();
    let directory = parser::ensure(&options, &bars);
    bars.finish();
    directory
}

/// Where the parser may be.
pub(crate) fn parser_options(global: &Global) -> Result<ParserOptions> {
    Ok(ParserOptions {
        dir: global.parser_dir.clone(),
        cache_dir: user_cache()?,
        offline: global.offline,
    })
}

/// `banyan` below the user's cache directory.
pub fn cache_dir() -> Result<PathBuf> {
    Ok(user_cache()?.join("banyan"))
}

/// The user's cache directory.
fn user_cache() -> Result<PathBuf> {
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let base = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let local = || env::var_os("LOCALAPPDATA").map(PathBuf::from);
    let base = base.or_else(home).or_else(local);
    base.context("no cache directory: set XDG_CACHE_HOME or HOME")
}
