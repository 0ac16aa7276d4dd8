//! Sentences a second of our embedding path beside Python's onnxruntime: the same model file, the same
//! texts, the same machine, taking turns in one run.
//!
//! ```text
//! cargo bench --bench embedding -- MODEL_DIRECTORY RUNTIME_LIBRARY
//! ```
//!
//! `MODEL_DIRECTORY` is what `banyan model fetch` filled; both arguments are found in the user's cache when
//! left out. Python runs in a virtual environment that pip fills once, in the directory for temporary files; without
//! Python or pip only our rate is printed.
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use anyhow::{Context, Result, ensure};
use banyan_benches::python::Python;
use banyan_engine::embed::{Embedder, MAX_TOKENS, MiniLm, MiniLmFiles, Vectors, dot};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Texts of a round, and words of a text: about 24 and 200 tokens.
const SHAPES: [(&str, usize, usize); 2] = [("24-token texts", 256, 20), ("200-token texts", 48, 165)];

/// Turns each side takes; the median counts.
const ROUNDS: usize = 5;

fn main() -> Result<()> {
    let files = model_files()?;
    let model = MiniLm::load(&files)?;
    let mut python = start(&files);
    if let Err(reason) = &python {
        println!("Python's side is left out: {reason:#}");
    }
    for (name, n_texts, n_words) in SHAPES {
        let texts = texts(n_texts, n_words);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let tokens: usize = texts.iter().map(|text| model.tokenizer().count(text)).sum();
        let mean_tokens = tokens as f64 / texts.len() as f64;
        let figures = measure(&model, python.as_mut().ok(), &texts)?;
        println!("{name} (mean {mean_tokens:.0} tokens, {n_texts} texts, median of {ROUNDS}): {figures}");
    }
    Ok(())
}

/// Takes turns: ours, Python's, ours, Python's, …
fn measure(model: &MiniLm, mut python: Option<&mut Python>, texts: &[&str]) -> Result<String> {
    let warm = &texts[..texts.len().min(32)];
    model.embed(warm)?;
    if let Some(python) = &mut python {
        embed(python, warm)?;
    }
    let (mut ours, mut theirs, mut agreement) = (Vec::new(), Vec::new(), f32::INFINITY);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let rows = model.embed(texts)?;
        ours.push(start.elapsed().as_secs_f64());
        if let Some(python) = &mut python {
            let (seconds, reference) = embed(python, texts)?;
            theirs.push(seconds);
            agreement = agreement.min(lowest_cosine(&rows, &reference));
        }
    }
    let rate = |seconds: Vec<f64>| texts.len() as f64 / median(seconds);
    let ours = rate(ours);
    if theirs.is_empty() {
        return Ok(format!("ours {ours:.1}/s"));
    }
    let theirs = rate(theirs);
    Ok(format!(
        "ours {ours:.1}/s, python {theirs:.1}/s, ours/python {:.2}, lowest cosine {agreement:.7}",
        ours / theirs
    ))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn lowest_cosine(a: &Vectors, b: &Vectors) -> f32 {
    a.rows()
        .zip(b.rows())
        .map(|(a, b)| dot(a, b))
        .fold(f32::INFINITY, f32::min)
}

/// Random sentences of common words, always the same ones.
fn texts(n_texts: usize, n_words: usize) -> Vec<String> {
    const WORDS: [&str; 24] = [
        "the",
        "river",
        "was",
        "named",
        "after",
        "a",
        "queen",
        "who",
        "founded",
        "city",
        "in",
        "1848",
        "film",
        "director",
        "born",
        "near",
        "mountain",
        "album",
        "released",
        "by",
        "university",
        "and",
        "its",
        "bridge",
    ];
    let mut state = 42u64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % below
    };
    let mut text = || {
        let words = n_words - n_words / 8 + next(n_words / 4 + 1);
        let words: Vec<&str> = (0..words).map(|_| WORDS[next(WORDS.len())]).collect();
        words.join(" ")
    };
    (0..n_texts).map(|_| text()).collect()
}

fn model_files() -> Result<MiniLmFiles> {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map_or(home.join(".cache"), PathBuf::from)
        .join("banyan");
    let model = arguments
        .next()
        .map_or(cache.join("models/all-minilm-l6-v2"), PathBuf::from);
    let runtime = match arguments.next() {
        Some(path) => PathBuf::from(path),
        None => newest_file(&cache.join("runtime"))?,
    };
    ensure!(
        model.join("model.onnx").is_file(),
        "no model in {}: run `banyan model fetch`",
        model.display()
    );
    Ok(MiniLmFiles {
        onnx: model.join("model.onnx"),
        tokenizer: model.join("tokenizer.json"),
        config: model.join("config.json"),
        special_tokens_map: model.join("special_tokens_map.json"),
        tokenizer_config: model.join("tokenizer_config.json"),
        runtime,
    })
}

fn newest_file(directory: &Path) -> Result<PathBuf> {
    let entries = std::fs::read_dir(directory).with_context(|| format!("no runtime in {}", directory.display()))?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .max()
        .context("no runtime: run `banyan model fetch`")
}

/// A running `python/embedding.py`.
fn start(files: &MiniLmFiles) -> Result<Python> {
    let packages = ["numpy", "onnxruntime", "tokenizers"].map(|name| (name, name));
    Python::start("embedding.py", &packages, &[&files.onnx, &files.tokenizer], None)
}

/// Seconds, without the transfer, and the vectors.
fn embed(python: &mut Python, texts: &[&str]) -> Result<(f64, Vectors)> {
    let reply = python.ask(&json!({ "texts": texts, "max_length": MAX_TOKENS }))?;
    let seconds = reply["seconds"].as_f64().context("no seconds")?;
    let rows: Vec<Vec<f32>> = serde_json::from_value(reply["vectors"].clone())?;
    ensure!(
        rows.len() == texts.len(),
        "{} vectors for {} texts",
        rows.len(),
        texts.len()
    );
    Ok((
        seconds,
        Vectors::from_data(rows.first().map_or(1, Vec::len), rows.concat())?,
    ))
}
