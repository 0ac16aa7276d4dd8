//! Where detection starts: K-means over meaning (section 3.2, "Cluster Initialization"), and structure where there is
//! none.

mod distance;
mod plusplus;
mod structure;

use crate::adjacency::Adjacency;
use crate::config::{Config, MAX_ITERATIONS, N_INIT};
use crate::error::CommunityError;
use crate::matrix::Matrix;
use distance::SquaredEuclidean;
use linfa::DatasetBase;
use linfa::traits::{Fit, Predict};
use linfa_clustering::{KMeans, KMeansInit};
use ndarray::{Array2, Axis};
use rand_xoshiro::Xoshiro256Plus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use rayon::prelude::*;

/// Points of each centre that K-means looks at; FAISS's own, beyond which centres hardly move.
const MAX_POINTS: usize = 256;
/// K-means stops when its centroids together move less: a thousandth of the diameter of the unit sphere, arbitrary.
const TOLERANCE: f32 = 2e-3;

/// The starts to fuse from, each a label for every entity.
///
/// The first is the paper's: entities with a vector are labelled by K-means, those without by the structure of the
/// graph, and those without vector and ties share one label, as there is nothing to tell them apart. Beyond η communities
/// K-means divides each of its communities once more, so that a start has about β entities a community whatever the
/// size of the graph. Where the graph has both meaning and ties, the second start is structure alone; entities without
/// ties are there as in the first. Cost O(n·k·p), and O(k²·p) per round of K-means.
///
/// # Errors
/// [`CommunityError::Start`] if the clustering library refuses.
pub(crate) fn starts(rows: &Matrix, ties: &Adjacency, config: &Config) -> Result<Vec<Vec<u32>>, CommunityError> {
    let structural = structure::communities(&ties.neighbours);
    let known = known(rows);
    let coarse = k_means(rows, &known, config)?;
    let found = divide(rows, &known, &coarse, config)?;
    let labels = label(ties, &known, &found, &structural);
    if known.is_empty() || ties.volume <= 0.0 {
        return Ok(vec![labels]);
    }
    let second = join(ties, &structural, &labels);
    Ok(vec![labels, second])
}

/// Labels by K-means alone, as the paper has it, and by structure for entities without a vector.
///
/// # Errors
/// Those of [`starts`].
pub(crate) fn first_start(rows: &Matrix, ties: &Adjacency, config: &Config) -> Result<Vec<u32>, CommunityError> {
    let known = known(rows);
    let structural = if known.len() < rows.len() {
        structure::communities(&ties.neighbours)
    } else {
        Vec::new()
    };
    Ok(label(ties, &known, &k_means(rows, &known, config)?, &structural))
}

/// The entities with a vector.
fn known(rows: &Matrix) -> Vec<usize> {
    (0..rows.len()).filter(|entity| rows.is_known(*entity)).collect()
}

/// The labels `found` for the entities `known`, labels by structure for the others.
fn label(ties: &Adjacency, known: &[usize], found: &[u32], structural: &[u32]) -> Vec<u32> {
    let n_found = found.iter().max().map_or(0, |last| last + 1);
    let by_structure = |entity: usize| match structural.get(entity) {
        Some(label) if ties.degrees[entity] > 0.0 => n_found + 1 + label,
        _ => n_found,
    };
    let mut labels: Vec<u32> = (0..ties.degrees.len()).map(by_structure).collect();
    for (entity, label) in known.iter().zip(found) {
        labels[*entity] = *label;
    }
    labels
}

/// Labels by structure, and for entities without ties those of another start.
fn join(ties: &Adjacency, structural: &[u32], other: &[u32]) -> Vec<u32> {
    let n_structural = structural.iter().max().map_or(0, |last| last + 1);
    let entities = ties.degrees.iter().zip(structural.iter().zip(other));
    entities
        .map(|(degree, (own, other))| if *degree > 0.0 { *own } else { n_structural + other })
        .collect()
}

/// Labels of the entities `known` by K-means.
fn k_means(rows: &Matrix, known: &[usize], config: &Config) -> Result<Vec<u32>, CommunityError> {
    if known.is_empty() {
        return Ok(Vec::new());
    }
    fit(rows.select(known.iter().copied()), config.n_seeds(known.len()), config)
}

/// Divides each of the communities `coarse` of the entities `known` by K-means once more, if they have 2 β members in the
/// mean: then η has kept K-means from what β asks for.
fn divide(rows: &Matrix, known: &[usize], coarse: &[u32], config: &Config) -> Result<Vec<u32>, CommunityError> {
    let n_coarse = coarse.iter().max().map_or(0, |last| *last as usize + 1);
    if known.len() < 2 * config.beta * n_coarse.max(config.eta) {
        return Ok(coarse.to_vec());
    }
    let mut places = vec![Vec::new(); n_coarse];
    for (place, label) in coarse.iter().enumerate() {
        places[*label as usize].push(place);
    }
    let parts = places.par_iter().map(|places| {
        let entities: Vec<usize> = places.iter().map(|place| known[*place]).collect();
        k_means(rows, &entities, config)
    });
    let parts: Vec<Vec<u32>> = parts.collect::<Result<_, _>>()?;
    let (mut labels, mut next) = (vec![0; known.len()], 0);
    for (places, part) in places.iter().zip(&parts) {
        for (place, label) in places.iter().zip(part) {
            labels[*place] = next + label;
        }
        next += part.iter().max().map_or(0, |last| last + 1);
    }
    Ok(labels)
}

/// Labels `0..k` of points by K-means. Starting centres are drawn `N_INIT` times by k-means++ and the best draw is
/// refined, for at most `MAX_ITERATIONS` rounds, by up to `MAX_POINTS` points a centre, drawn evenly from all. Where
/// these have fewer than `k` distinct places there are fewer labels. The same for any number of threads. Cost O(n·k·d), and O(k²·d) per round.
fn fit(rows: Matrix, k: usize, config: &Config) -> Result<Vec<u32>, CommunityError> {
    let refuse = |reason: &dyn std::fmt::Display| CommunityError::Start(reason.to_string());
    let points =
        Array2::from_shape_vec((rows.len(), rows.width()), rows.into_data()).map_err(|error| refuse(&error))?;
    let mut rng = Xoshiro256Plus::seed_from_u64(config.seed);
    let step = points.nrows().div_ceil(MAX_POINTS * k.max(1));
    // One of each few that stand side by side, since their order may be periodic.
    let one_of = |first: usize| {
        let n = step.min(points.nrows() - first) as u64;
        let further = if n > 1 { rng.next_u64() % n } else { 0 };
        first + usize::try_from(further).unwrap_or(0)
    };
    let sample: Vec<usize> = (0..points.nrows()).step_by(step.max(1)).map(one_of).collect();
    let sample = points.select(Axis(0), &sample);
    let centres = plusplus::best_of(N_INIT, k, sample.view(), &mut rng);
    let k = centres.nrows();
    let sample = DatasetBase::from(sample);
    let model = KMeans::params_with(k, rng, SquaredEuclidean)
        .init_method(KMeansInit::Precomputed(centres))
        .n_runs(1)
        .max_n_iterations(MAX_ITERATIONS as u64)
        .tolerance(TOLERANCE)
        .fit(&sample)
        .map_err(|error| refuse(&error))?;
    let labels = model.predict(&points);
    Ok(labels
        .iter()
        .map(|label| u32::try_from(*label).unwrap_or(u32::MAX))
        .collect())
}
