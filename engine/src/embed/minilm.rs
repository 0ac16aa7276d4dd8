//! all-MiniLM-L6-v2, the paper's sentence encoder, through fastembed on ONNX Runtime.

use super::{EmbedError, Embedder, Vectors, WordPiece};
use fastembed::{InitOptionsUserDefined, Pooling, TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel};
use ort::environment::Environment;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::cmp::Reverse;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Longest input in the model's own tokens, `[CLS]` and `[SEP]` included; the rest of a text is cut off
/// (the length the model was published with).
pub const MAX_TOKENS: usize = 256;

const DIMENSION: usize = 384;

/// `[CLS]` and `[SEP]`.
const SPECIAL_TOKENS: usize = 2;

/// Tokens of one batch: what stays in a core's own cache. 128–512 were equally fast, 8,192 half as fast,
/// and memory grows with it (275 against 390 MB).
const BATCH_TOKENS: usize = 256;

/// Sessions at most: each keeps its own copy of the weights (about 90 MB).
const MAX_SESSIONS: usize = 4;

/// Where the parts of the model lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MiniLmFiles {
    /// Has the network `model.onnx`, `tokenizer.json`, `config.json`, `special_tokens_map.json`, `tokenizer_config.json`.
    pub directory: PathBuf,
    /// The shared library of ONNX Runtime, 1.24 or later.
    pub runtime: PathBuf,
}

/// The sentence encoder: mean pooling, unit length, at most [`MAX_TOKENS`] tokens a text.
///
/// One-threaded sessions side by side, instead of one session on all cores: equal on an idle machine,
/// 1.6–1.9 × faster on a busy one, because no thread waits for another (two cores, measured). Texts of one batch have the same number of tokens, so there is no padding:
/// nothing is wasted, and a vector does not depend on its neighbours (bit for bit, over 86 texts alone and among 600).
pub struct MiniLm {
    id: String,
    sessions: Vec<Mutex<TextEmbedding>>,
    tokenizer: WordPiece,
}

impl MiniLm {
    /// Loads runtime, network and tokenizer, for as many threads as rayon has, at most one a core. About 0.5 s.
    ///
    /// # Errors
    /// [`EmbedError::File`] for a file that cannot be read, [`EmbedError::Model`] for a shared library that cannot be
    /// loaded, that or [`EmbedError::Format`] for a network or tokenizer that is none.
    pub fn load(files: &MiniLmFiles) -> Result<Self, EmbedError> {
        let available = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let cores = rayon::current_num_threads().min(available);
        let n_sessions = cores.clamp(1, MAX_SESSIONS);
        let threads = cores.div_ceil(n_sessions);
        let environment = environment(&files.runtime)?;
        let read = |name: &str| {
            let path = files.directory.join(name);
            std::fs::read(&path).map_err(|source| EmbedError::File { path, source })
        };
        let network = read("model.onnx")?;
        let tokenizer_files = TokenizerFiles {
            tokenizer_file: read("tokenizer.json")?,
            config_file: read("config.json")?,
            special_tokens_map_file: read("special_tokens_map.json")?,
            tokenizer_config_file: read("tokenizer_config.json")?,
        };
        let tokenizer = WordPiece::from_json(&tokenizer_files.tokenizer_file)?;
        let id = identity(&network, &tokenizer_files.tokenizer_file);
        let model = UserDefinedEmbeddingModel::new(network, tokenizer_files).with_pooling(Pooling::Mean);
        let sessions = (0..n_sessions)
            .map(|_| session(model.clone(), &environment, threads).map(Mutex::new))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            id,
            sessions,
            tokenizer,
        })
    }

    /// The model's tokenizer, for cutting texts to a size in tokens.
    pub fn tokenizer(&self) -> &WordPiece {
        &self.tokenizer
    }

    /// Runs one batch on the session of this thread. Nothing inside may wait on rayon: a worker that
    /// stole another batch while it holds its session would wait for itself.
    fn run(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let slot = rayon::current_thread_index().unwrap_or(0) % self.sessions.len();
        let mut session = self.sessions[slot].lock().unwrap_or_else(PoisonError::into_inner);
        session
            .embed(texts, Some(texts.len()))
            .map_err(|error| refused("embedding", &error))
    }
}

impl Embedder for MiniLm {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError> {
        let lengths: Vec<usize> = texts.par_iter().map(|text| self.tokenizer.count(text)).collect();
        let batches = batches(&lengths);
        let computed = batches
            .par_iter()
            .with_max_len(1)
            .map(|batch| self.run(&batch.iter().map(|&index| texts[index]).collect::<Vec<_>>()))
            .collect::<Result<Vec<_>, _>>()?;
        let mut vectors = Vectors::zeros(DIMENSION, texts.len());
        for (&index, row) in batches.iter().flatten().zip(computed.iter().flatten()) {
            EmbedError::check_width(DIMENSION, row.len())?;
            vectors.row_mut(index).copy_from_slice(row);
        }
        Ok(vectors)
    }
}

/// Groups texts of equal length, longest first, into batches of at most [`BATCH_TOKENS`] tokens.
/// Every index appears in exactly one batch.
fn batches(lengths: &[usize]) -> Vec<Vec<usize>> {
    let tokens = |index: usize| (lengths[index] + SPECIAL_TOKENS).min(MAX_TOKENS);
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&index| (Reverse(tokens(index)), index));
    order
        .chunk_by(|&a, &b| tokens(a) == tokens(b))
        .flat_map(|same| same.chunks((BATCH_TOKENS / tokens(same[0])).max(1)))
        .map(<[usize]>::to_vec)
        .collect()
}

fn session(
    model: UserDefinedEmbeddingModel,
    environment: &Environment,
    threads: usize,
) -> Result<TextEmbedding, EmbedError> {
    tokenizers::utils::parallelism::set_parallelism(false);
    let options = InitOptionsUserDefined::new()
        .with_environment(environment.clone())
        .with_max_length(MAX_TOKENS)
        .with_intra_threads(threads);
    TextEmbedding::try_new_from_user_defined(model, options).map_err(|error| refused("loading", &error))
}

fn refused(doing: &'static str, error: &fastembed::Error) -> EmbedError {
    EmbedError::Model(format!("the embedding model failed while {doing}: {error}"))
}

/// What all sessions of ONNX Runtime in this process share, loaded from a path instead of the environment. The process
/// keeps the first library it loaded: a later call with another path changes nothing, because the runtime cannot be
/// exchanged while sessions live.
///
/// # Errors
/// [`EmbedError::Model`] for a shared library that cannot be loaded.
pub fn environment(library: &Path) -> Result<Environment, EmbedError> {
    // The runtime allows one a process, and whoever makes it has to hand it on.
    static MADE: Mutex<Option<Environment>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(made) = made.as_ref() {
        return Ok(made.clone());
    }
    let fail = |reason: &dyn Display| {
        let path = library.display();
        EmbedError::Model(format!("cannot load the inference runtime {path}: {reason}"))
    };
    let absolute = library.canonicalize().map_err(|error| fail(&error))?;
    let builder = ort::init_from(&absolute).map_err(|error| fail(&error))?;
    let environment = builder.build().map_err(|error| fail(&error))?;
    Ok(made.insert(environment).clone())
}

/// Name of the vectors that this network and tokenizer give.
fn identity(network: &[u8], tokenizer: &[u8]) -> String {
    let digest = Sha256::new().chain_update(network).chain_update(tokenizer).finalize();
    let head = digest
        .iter()
        .take(8)
        .fold(0u64, |head, &byte| head << 8 | u64::from(byte));
    format!("all-minilm-l6-v2/{head:016x}/{MAX_TOKENS}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_equal_lengths_and_every_text_once() {
        let lengths = [3, 300, 7, 3, 254, 3, 900, 7];
        let batches = batches(&lengths);
        assert_eq!(batches, [vec![1], vec![4], vec![6], vec![2, 7], vec![0, 3, 5]]);
        let many = super::batches(&[126; 5]);
        assert_eq!(many.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
    }
}
