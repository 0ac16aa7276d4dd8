//! The options that `banyan` and `banyan-eval` share, as they are typed.

use crate::environment::{EmbedderKind, Environment, LanguageOptions, ParserKind};
use crate::progress::Progress;
use crate::stop::Stop;
use banyan_engine::store::Engine;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use std::time::Duration;

/// What goes with every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// Dense vectors: `minilm` (all-MiniLM-L6-v2) or `none` (BM25 and graph only)
    #[arg(long, global = true, env = "BANYAN_EMBEDDER", default_value = "minilm", value_parser = one_of(&[("minilm", EmbedderKind::MiniLm), ("none", EmbedderKind::None)]))]
    embedder: EmbedderKind,
    /// What reads texts: `trained` (a small parser of English, a tagger of Chinese) or `none` (the shape of words)
    #[arg(long, global = true, env = "BANYAN_PARSER", default_value = "trained", value_parser = one_of(&[("trained", ParserKind::Trained), ("none", ParserKind::None)]))]
    parser: ParserKind,
    /// Directory with the models and the ONNX runtime
    #[arg(long, global = true, value_name = "DIR", env = "BANYAN_MODEL_DIR")]
    model_dir: Option<PathBuf>,
    /// Fetch nothing: use only what is on this machine
    #[arg(long, global = true, env = "BANYAN_OFFLINE", value_parser = clap::builder::BoolishValueParser::new())]
    offline: bool,
    /// Database that keeps what is written: `sled` or `redb`; that of `[store] engine` in the configuration, else that of
    /// the store, else sled
    #[arg(long, global = true, env = "BANYAN_ENGINE", value_parser = one_of(&[("sled", Engine::Sled), ("redb", Engine::Redb)]))]
    engine: Option<Engine>,
    /// How long another command that writes the store is waited for
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    wait: u64,
    /// Threads to use; all cores by default
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print only results
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Configuration with `[llm]` and `[store]`; by default banyan.toml here, else the user's own
    #[arg(long, global = true, value_name = "FILE", env = "BANYAN_CONFIG")]
    config: Option<PathBuf>,
    /// Cassette that keeps every reply of a model; by default beside the store
    #[arg(long, global = true, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Cassette that answers alone: a call that it does not know is an error
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "record")]
    replay: Option<PathBuf>,
    /// Stop before the calls of this run exceed so many tokens
    #[arg(long, global = true, value_name = "N")]
    max_tokens: Option<u64>,
    /// Stop before they cost more; needs prices in the configuration
    #[arg(long, global = true, value_name = "COST")]
    max_cost: Option<f64>,
}

impl Global {
    /// What holds for every call of the library.
    pub fn environment(&self, progress: Progress, stop: Stop) -> Environment {
        Environment {
            embedder: self.embedder,
            parser: self.parser.into(),
            model_dir: self.model_dir.clone(),
            offline: self.offline,
            engine: self.engine,
            patience: Duration::from_secs(self.wait),
            language: LanguageOptions {
                config: self.config.clone(),
                record: self.record.clone(),
                replay: self.replay.clone(),
                max_tokens: self.max_tokens,
                max_cost: self.max_cost,
            },
            reader: None,
            progress,
            stop,
        }
    }

    /// Sets the number of threads, where one was asked for.
    ///
    /// # Errors
    /// When threads run already.
    pub fn limit_threads(&self) -> Result<(), rayon::ThreadPoolBuildError> {
        let Some(threads) = self.threads else {
            return Ok(());
        };
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
    }
}

/// One of a few words, each standing for a value.
pub fn one_of<T: Clone + Send + Sync + 'static>(
    words: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = words.iter().map(|(name, _)| *name);
    PossibleValuesParser::new(names).try_map(move |typed: String| {
        let meant = words.iter().find(|(name, _)| *name == typed);
        meant.map(|(_, value)| value.clone()).ok_or("expected one of the words")
    })
}
