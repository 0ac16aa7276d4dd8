//! CPU time of the K-means that detection starts with beside scikit-learn's: the same matrix, the same number of centres
//! and of draws, one thread each, taking turns in one run.
//!
//! ```text
//! cargo bench -p banyan-benches --bench kmeans
//! ```
//!
//! Python runs in a virtual environment that pip fills once, in the directory for temporary files; without Python or pip
//! only our figures are printed. scikit-learn refines every draw and keeps the best; ours judges the draws first and
//! refines the best, which is why the inertia (sum of squared distances to the nearest centre) stands beside the time.
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use anyhow::{Context, Result};
use banyan_benches::npy::write_npy;
use banyan_benches::planted::{DIMENSION, Planted};
use banyan_benches::python::Python;
use banyan_community::{Config, cluster};
use banyan_engine::embed::Vectors;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Entities, and columns of the vectors: those of the projection that detection clusters, and all.
const SHAPES: [(usize, usize); 4] = [(5_000, 32), (10_000, 32), (20_000, 32), (5_000, DIMENSION)];
/// Turns each side takes; the median counts.
const ROUNDS: usize = 3;

fn main() -> Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let packages = [("numpy", "numpy"), ("scikit-learn", "sklearn")];
    let mut python = Python::start::<&str>("kmeans.py", &packages, &[], Some(1));
    if let Err(reason) = &python {
        println!("scikit-learn's side is left out: {reason:#}");
    }
    let file = std::env::temp_dir().join(format!("banyan-bench-kmeans-{}.npy", std::process::id()));
    for (n, width) in SHAPES {
        let points = points(n, width)?;
        write(&points, &file)?;
        let figures = measure(&points, &file, python.as_mut().ok());
        std::fs::remove_file(&file).with_context(|| file.display().to_string())?;
        println!("{n} × {width}, k {}: {}", Config::default().n_seeds(n), figures?);
    }
    Ok(())
}

/// Planted vectors, cut to `width` columns.
fn points(n: usize, width: usize) -> Result<Vectors> {
    let rows = Planted::new(n, 7).vectors;
    let cut = rows.chunks_exact(DIMENSION).flat_map(|row| &row[..width]).copied();
    Ok(Vectors::from_data(width, cut.collect())?)
}

fn measure(points: &Vectors, file: &Path, mut python: Option<&mut Python>) -> Result<String> {
    let config = Config::default();
    let k = config.n_seeds(points.len());
    let request = json!({"file": file, "k": k, "n_init": config.n_init, "seed": config.seed,
        "max_iter": config.max_iterations});
    let (mut ours, mut theirs, mut left) = (Vec::new(), Vec::new(), (0.0, 0.0));
    for _ in 0..ROUNDS {
        let before = cpu_time();
        let labels = cluster(points, k, &config)?;
        ours.push(cpu_time().saturating_sub(before).as_secs_f64());
        left.0 = inertia(points, &labels);
        if let Some(python) = &mut python {
            let reply = python.ask(&request)?;
            theirs.push(reply["cpu_seconds"].as_f64().context("no seconds")?);
            left.1 = reply["inertia"].as_f64().context("no inertia")?;
        }
    }
    let ours = median(ours);
    if theirs.is_empty() {
        return Ok(format!("ours {ours:.3} s cpu, inertia {:.1}", left.0));
    }
    let theirs = median(theirs);
    Ok(format!(
        "ours {ours:.3} s cpu, scikit-learn {theirs:.3} s, ours/theirs {:.2}; inertia {:.1} and {:.1}, ours/theirs {:.3}",
        ours / theirs,
        left.0,
        left.1,
        left.0 / left.1
    ))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn cpu_time() -> Duration {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        u64::try_from(spent.tv_sec).unwrap_or_default(),
        u32::try_from(spent.tv_nsec).unwrap_or_default(),
    )
}

fn write(points: &Vectors, file: &Path) -> Result<()> {
    let mut bytes = Vec::new();
    write_npy(&mut bytes, points.dimension(), points.as_slice())?;
    std::fs::write(file, bytes).with_context(|| file.display().to_string())
}

/// Sum of squared distances of the points to the mean of those with the same label.
fn inertia(points: &Vectors, labels: &[u32]) -> f64 {
    let mut groups: BTreeMap<u32, Vec<&[f32]>> = BTreeMap::new();
    for (row, label) in points.rows().zip(labels) {
        groups.entry(*label).or_default().push(row);
    }
    let of_group = |rows: &Vec<&[f32]>| -> f64 {
        let column = |d: usize| -> f64 {
            let values = rows.iter().map(|row| f64::from(row[d]));
            let mean = values.clone().sum::<f64>() / rows.len() as f64;
            values.map(|value| (value - mean).powi(2)).sum()
        };
        (0..points.dimension()).map(column).sum()
    };
    groups.values().map(of_group).sum()
}
