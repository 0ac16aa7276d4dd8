//! Typed graphs with planted topics, statistically those on which the Python reference implementation was measured.
//!
//! What was measured on its graphs of 1,000 and of 5,000 entities, and is drawn here in the same way:
//!
//! | | |
//! |---|---|
//! | topics | one for 40 entities; the topic of an entity is uniform (sizes 31 to 51, 25 to 56) |
//! | types | eight, one for all entities of a topic |
//! | relations | forty; each topic uses six of them, equally often, for whatever its entities are the head of |
//! | triples | two an entity, all different, no self-loop; heads uniform (out-degrees are Poisson) |
//! | tails | .71 and .68 in the topic of the head, the rest anywhere. In a topic by exponential weights (in-degrees are geometric), anywhere by steeper ones (in-degree 0.6, variance 1.4), the two independent |
//! | attributes | one an entity |
//! | vectors | unit, 384 dimensions: direction of the topic + 0.47 · direction of one of its four subtopics + 0.668 · noise; cosines of pairs .73 in a subtopic, .60 in a topic, 0 ± .05 elsewhere. Subtopics have nothing to do with triples |

use crate::draw::Draw;
use std::collections::HashSet;

/// Dimensions of the vectors.
pub const DIMENSION: usize = 384;
/// Types of entities, and relations between them.
const N_TYPES: usize = 8;
const N_RELATIONS: usize = 40;
const ENTITIES_PER_TOPIC: usize = 40;
const SUBTOPICS: usize = 4;
const RELATIONS_PER_TOPIC: usize = 6;
const TRIPLES_PER_ENTITY: usize = 2;
/// Chance that a tail is looked for in the head's topic.
const INSIDE: f64 = 0.695;
/// Exponent of the weights of tails anywhere.
const STEEPNESS: f64 = 1.32;
const SUBTOPIC_WEIGHT: f64 = 0.47;
const NOISE_WEIGHT: f64 = 0.668;
/// Draws for each triple wanted, before a graph that is too small for them is left with fewer.
const MAX_DRAWS: usize = 20;

/// A planted graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Planted {
    /// Number of topics.
    pub n_topics: usize,
    /// Topic of each entity.
    pub topics: Vec<usize>,
    /// Type of each topic, by number.
    pub types: Vec<usize>,
    /// Head, number of the relation, tail; in the order drawn.
    pub triples: Vec<(usize, usize, usize)>,
    /// Unit vectors of the entities, row by row.
    pub vectors: Vec<f32>,
}

impl Planted {
    /// A graph of `n` entities, drawn by `seed`. Cost O(n·d).
    pub fn new(n: usize, seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let n_topics = (n / ENTITIES_PER_TOPIC).max(1);
        let topics: Vec<usize> = (0..n).map(|_| draw.below(n_topics)).collect();
        let types = (0..n_topics).map(|_| draw.below(N_TYPES)).collect();
        let relations: Vec<Vec<usize>> = (0..n_topics)
            .map(|_| draw.some(N_RELATIONS, RELATIONS_PER_TOPIC))
            .collect();
        Self {
            triples: triples(&topics, &relations, &mut draw),
            vectors: vectors(&topics, n_topics, &mut draw),
            n_topics,
            topics,
            types,
        }
    }
}

fn triples(topics: &[usize], relations: &[Vec<usize>], draw: &mut Draw) -> Vec<(usize, usize, usize)> {
    let n = topics.len();
    let mut members = vec![Vec::new(); relations.len()];
    for (entity, topic) in topics.iter().enumerate() {
        members[*topic].push(entity);
    }
    let inside: Vec<Vec<f64>> = members
        .iter()
        .map(|list| sums(list.iter().map(|_| draw.exponential())))
        .collect();
    let anywhere = sums((0..n).map(|_| draw.exponential().powf(STEEPNESS)));
    let (mut seen, mut triples) = (HashSet::new(), Vec::new());
    for _ in 0..MAX_DRAWS * TRIPLES_PER_ENTITY * n {
        if triples.len() == TRIPLES_PER_ENTITY * n {
            break;
        }
        let head = draw.below(n);
        let topic = topics[head];
        let relation = relations[topic][draw.below(RELATIONS_PER_TOPIC)];
        let tail = if draw.unit() < INSIDE {
            members[topic][draw.weighted(&inside[topic])]
        } else {
            draw.weighted(&anywhere)
        };
        if head != tail && seen.insert((head, relation, tail)) {
            triples.push((head, relation, tail));
        }
    }
    triples
}

fn vectors(topics: &[usize], n_topics: usize, draw: &mut Draw) -> Vec<f32> {
    let centres: Vec<Vec<f64>> = (0..n_topics).map(|_| draw.direction()).collect();
    let sides: Vec<Vec<f64>> = (0..n_topics * SUBTOPICS).map(|_| draw.direction()).collect();
    let mut vectors = Vec::with_capacity(topics.len() * DIMENSION);
    for topic in topics {
        let side = &sides[topic * SUBTOPICS + draw.below(SUBTOPICS)];
        let noise = draw.direction();
        let row: Vec<f64> = (0..DIMENSION)
            .map(|d| centres[*topic][d] + SUBTOPIC_WEIGHT * side[d] + NOISE_WEIGHT * noise[d])
            .collect();
        let length = row.iter().map(|value| value * value).sum::<f64>().sqrt();
        #[expect(clippy::cast_possible_truncation, reason = "the dump holds f32")]
        vectors.extend(row.iter().map(|value| (value / length) as f32));
    }
    vectors
}

/// Running sums, to draw positions by weight from.
fn sums(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    weights
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect()
}

impl Draw {
    /// `n` different numbers below `of`.
    fn some(&mut self, of: usize, n: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..of).collect();
        for place in 0..n {
            let other = place + self.below(of - place);
            all.swap(place, other);
        }
        all.truncate(n);
        all
    }

    /// With mean 1.
    fn exponential(&mut self) -> f64 {
        -(1.0 - self.unit()).ln()
    }

    fn weighted(&mut self, sums: &[f64]) -> usize {
        let target = self.unit() * sums.last().copied().unwrap_or(0.0);
        sums.partition_point(|sum| *sum <= target)
            .min(sums.len().saturating_sub(1))
    }

    /// A uniform direction of length 1.
    fn direction(&mut self) -> Vec<f64> {
        let mut row = Vec::with_capacity(DIMENSION);
        while row.len() < DIMENSION {
            // Box and Muller (1958).
            let (radius, angle) = ((2.0 * self.exponential()).sqrt(), std::f64::consts::TAU * self.unit());
            row.extend([radius * angle.cos(), radius * angle.sin()]);
        }
        let length = row.iter().map(|value| value * value).sum::<f64>().sqrt();
        for value in &mut row {
            *value /= length;
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_graph() {
        assert_eq!(Planted::new(200, 7), Planted::new(200, 7));
        assert_ne!(Planted::new(200, 7).triples, Planted::new(200, 8).triples);
    }

    #[test]
    fn no_size_is_too_small() {
        for n in 0..50 {
            let graph = Planted::new(n, 1);
            assert_eq!((graph.topics.len(), graph.vectors.len()), (n, n * DIMENSION));
            assert!(graph.triples.iter().all(|(head, _, tail)| head != tail));
        }
    }

    /// Bands around what the table of this module says of the reference's graph of 5,000.
    #[test]
    fn it_is_like_the_references_graphs() {
        let graph = Planted::new(5_000, 7);
        let within = |value: f64, low: f64, high: f64| assert!((low..high).contains(&value), "{value}: {low}..{high}");
        assert_eq!((graph.n_topics, graph.triples.len()), (125, 10_000));
        let is_inside = |(head, _, tail): &&(usize, usize, usize)| graph.topics[*head] == graph.topics[*tail];
        let n_inside = graph.triples.iter().filter(is_inside).count();
        within(n_inside as f64 / 10_000.0, 0.67, 0.71);
        let mut degrees = vec![[0.0f64; 2]; 5_000];
        for triple in &graph.triples {
            degrees[triple.2][usize::from(is_inside(&triple))] += 1.0;
        }
        let variance = |side: usize| {
            let mean = degrees.iter().map(|degree| degree[side]).sum::<f64>() / 5_000.0;
            degrees.iter().map(|degree| (degree[side] - mean).powi(2)).sum::<f64>() / 5_000.0
        };
        within(variance(1), 2.8, 3.5);
        within(variance(0), 1.15, 1.6);
        let cosine = |a: usize, b: usize| -> f64 {
            let row = |i: usize| &graph.vectors[i * DIMENSION..(i + 1) * DIMENSION];
            row(a).iter().zip(row(b)).map(|(a, b)| f64::from(a * b)).sum()
        };
        let pairs = (0..400).flat_map(|a| (a + 1..400).map(move |b| (a, b)));
        let (same, other): (Vec<_>, Vec<_>) = pairs.partition(|(a, b)| graph.topics[*a] == graph.topics[*b]);
        let mean =
            |pairs: &[(usize, usize)]| pairs.iter().map(|(a, b)| cosine(*a, *b)).sum::<f64>() / pairs.len() as f64;
        within(mean(&same), 0.61, 0.65);
        within(mean(&other), -0.01, 0.01);
    }
}
