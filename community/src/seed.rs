//! Where detection starts: K-means over meaning (section 3.2, "Cluster Initialization"), and structure where there is none.

mod distance;
mod plusplus;
mod structure;

use crate::config::Config;
use crate::error::CommunityError;
use crate::matrix::Matrix;
use crate::ties::Ties;
use distance::SquaredEuclidean;
use linfa::DatasetBase;
use linfa::traits::{Fit, Predict};
use linfa_clustering::{KMeans, KMeansInit};
use ndarray::Array2;
use rand_xoshiro::Xoshiro256Plus;
use rand_xoshiro::rand_core::SeedableRng;

/// K-means stops when its centroids together move less: a thousandth of the diameter of the unit sphere, arbitrary.
const TOLERANCE: f32 = 2e-3;

/// The starts to fuse from, each a label for every entity.
///
/// The first is the paper's: entities with a vector are labelled by K-means, those without by the structure of the
/// graph, and those without vector and ties share one label, as there is nothing to tell them apart. Where the graph has
/// both meaning and ties, the second is structure alone. Cost O(n·k·p) per round of K-means.
///
/// # Errors
/// [`CommunityError::Start`] if the clustering library refuses.
pub(crate) fn starts(rows: &Matrix, ties: &Ties, config: &Config) -> Result<Vec<Vec<u32>>, CommunityError> {
    let n = ties.neighbours.len();
    let structural = structure::communities(&ties.neighbours);
    let known: Vec<usize> = (0..n).filter(|entity| rows.is_known(*entity)).collect();
    let found = k_means(rows, &known, config)?;
    let n_found = found.iter().max().map_or(0, |last| last + 1);
    let mut labels: Vec<u32> = (0..n)
        .map(|entity| {
            n_found
                + if ties.degrees[entity] > 0.0 {
                    1 + structural[entity]
                } else {
                    0
                }
        })
        .collect();
    for (entity, label) in known.iter().zip(found) {
        labels[*entity] = label;
    }
    let is_dual = !known.is_empty() && ties.volume > 0.0;
    Ok(if is_dual {
        vec![labels, structural]
    } else {
        vec![labels]
    })
}

/// Labels of the entities `known` by K-means over the first half of their dimensions.
fn k_means(rows: &Matrix, known: &[usize], config: &Config) -> Result<Vec<u32>, CommunityError> {
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let width = rows.width();
    let data = known
        .iter()
        .flat_map(|entity| rows.row(*entity)[..width].iter().copied())
        .collect();
    let refuse = |reason: &dyn std::fmt::Display| CommunityError::Start(reason.to_string());
    let points = Array2::from_shape_vec((known.len(), width), data).map_err(|error| refuse(&error))?;
    let k = config.n_seeds(known.len());
    let mut rng = Xoshiro256Plus::seed_from_u64(config.seed);
    let centres = plusplus::best_of(config.n_init, k, points.view(), &mut rng);
    let k = centres.nrows();
    let dataset = DatasetBase::from(points);
    let model = KMeans::params_with(k, rng, SquaredEuclidean)
        .init_method(KMeansInit::Precomputed(centres))
        .n_runs(1)
        .max_n_iterations(config.max_iterations as u64)
        .tolerance(TOLERANCE)
        .fit(&dataset)
        .map_err(|error| refuse(&error))?;
    let labels = model.predict(dataset.records());
    Ok(labels
        .iter()
        .map(|label| u32::try_from(*label).unwrap_or(u32::MAX))
        .collect())
}
