//! Times questions to a generated knowledge of any size, and tells its memory.
//!
//! ```text
//! cargo run --release -p banyan-benches --bin scale -- N_TRIPLES [--seed S]
//! ```

use anyhow::{Context, Result, bail};
use banyan_benches::facts::{Facts, generate, tokens};
use banyan_retrieve::{Config, Question, Searcher};
use std::sync::Arc;
use std::time::Instant;

const SEED: u64 = 7;
const N_QUESTIONS: usize = 200;

#[allow(clippy::print_stdout, reason = "this program exists to print figures")]
fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (n, seed) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [n] => (n, None),
        [n, "--seed", seed] => (n, Some(seed)),
        _ => bail!("expected: scale N_TRIPLES [--seed S]"),
    };
    let n: usize = n
        .parse()
        .with_context(|| format!("{n}: expected a number of triples"))?;
    let seed = seed.map_or(Ok(SEED), str::parse).context("--seed: expected a number")?;
    let Facts { knowledge, questions } = generate(n, N_QUESTIONS, seed)?;
    let size = (
        knowledge.graph.triples().len(),
        knowledge.graph.entities().len(),
        knowledge.chunks.len(),
    );
    let tokens = tokens()?;
    println!("resident {} MB before indexing", memory("VmRSS:")?);
    let start = Instant::now();
    let searcher = Searcher::new(knowledge).with_tokens(Arc::new(tokens));
    let opened = start.elapsed().as_secs_f64();
    let questions: Vec<Question> = questions
        .into_iter()
        .map(|(text, vector)| Question::new(text, Some(vector)))
        .collect();
    let mut found = 0;
    let mut times: Vec<f64> = questions
        .iter()
        .map(|question| {
            let start = Instant::now();
            found += searcher.search(question, &Config::default()).passages.len();
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (triples, entities, chunks) = size;
    println!("{triples} triples, {entities} entities, {chunks} passages; indexes in {opened:.2} s");
    println!(
        "{} questions, {found} passages found: p50 {:.2} ms, p95 {:.2} ms, largest {:.2} ms",
        times.len(),
        percentile(&times, 50),
        percentile(&times, 95),
        percentile(&times, 100)
    );
    println!(
        "resident {} MB while answering, {} MB at most since the start",
        memory("VmRSS:")?,
        memory("VmHWM:")?
    );
    Ok(())
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(0.0)
}

/// A line of the process's status in MB.
fn memory(field: &str) -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").context("this system does not tell its memory")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    Ok(kilobytes.with_context(|| format!("{field} is not there"))? / 1024)
}
