//! What holds for every call: the embedder, the language model, who hears of progress, and how to stop.

use crate::progress::Progress;
use crate::stop::Stop;
use anyhow::{Context, Result};
use banyan_engine::store::Engine;
use banyan_extract::Analyser;
use std::env;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Where models are and how work is watched. `Default` is what the program does without options: `MiniLM` vectors,
/// fetched on first use, no language model but the one that a configuration file names, silence.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// What turns texts into vectors.
    pub embedder: EmbedderKind,
    /// What reads texts.
    pub parser: Parser,
    /// Directory that holds the embedding model and the ONNX runtime; the user's cache where none is named.
    pub model_dir: Option<PathBuf>,
    /// Fetch nothing: use only what is on this machine.
    pub offline: bool,
    /// Which database keeps what is written; by default that of the configuration, else that of the store, else sled.
    pub engine: Option<Engine>,
    /// How long another process that writes the store is waited for.
    pub patience: Duration,
    /// How a language model is asked, where one is.
    pub language: LanguageOptions,
    /// The `banyan` program, which reads files of intricate kinds in a process of its own; where none is named, they are
    /// read in this one.
    pub reader: Option<PathBuf>,
    /// Who hears of progress and remarks.
    pub progress: Progress,
    /// Ends long work early when it is asked.
    pub stop: Stop,
}

/// What turns texts into vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmbedderKind {
    /// all-MiniLM-L6-v2, 384 dimensions.
    #[default]
    MiniLm,
    /// No vectors: BM25 and the graph alone.
    None,
}

/// What reads texts beside the shape of their words; loaded when it is first needed, once for all clones.
#[derive(Clone, Debug, Default)]
pub struct Parser {
    pub(crate) kind: ParserKind,
    pub(crate) loaded: Arc<OnceLock<Analyser>>,
}

/// Which parser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParserKind {
    /// `en_core_web_sm` for English, LAC for Chinese; where one cannot be had, none for it, which is told.
    #[default]
    Trained,
    /// None: words and their capitals.
    None,
}

impl From<ParserKind> for Parser {
    fn from(kind: ParserKind) -> Self {
        Self {
            kind,
            loaded: Arc::default(),
        }
    }
}

/// How a language model is asked.
#[derive(Clone, Debug, Default)]
pub struct LanguageOptions {
    /// Configuration with `[llm]`; by default `banyan.toml` of the current directory, else the user's own.
    pub config: Option<PathBuf>,
    /// Cassette that keeps every reply and answers what it knows; by default beside the store.
    pub record: Option<PathBuf>,
    /// Cassette that answers alone: a call that it does not know is an error.
    pub replay: Option<PathBuf>,
    /// Most tokens that the calls of one run may take.
    pub max_tokens: Option<u64>,
    /// Most that they may cost, in the currency of the configured prices.
    pub max_cost: Option<f64>,
}

/// `banyan` below the user's cache directory, where models and vectors are kept.
///
/// # Errors
/// When neither `XDG_CACHE_HOME` nor `HOME` is set.
pub fn cache_dir() -> Result<PathBuf> {
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let base = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let local = || env::var_os("LOCALAPPDATA").map(PathBuf::from);
    let base = base.or_else(home).or_else(local);
    let base = base.context("no cache directory: set XDG_CACHE_HOME or HOME")?;
    Ok(base.join("banyan"))
}
