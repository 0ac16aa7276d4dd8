//! Eq. 7 and the whole detection.

use super::fixture::{Toy, clique, planted};
use crate::config::Config;
use crate::detect::{detect, k_means};
use crate::partition::Partition;

#[test]
fn two_cliques_with_one_bridge_are_two_communities() {
    let ties = [clique(0..5), clique(5..9), vec![(4, "r0", 5)]].concat();
    let found = Toy::new(9, &ties).communities();
    assert_eq!(found, [vec![0, 1, 2, 3, 4], vec![5, 6, 7, 8]]);
}

#[test]
fn planted_topics_are_found_exactly() {
    let toy = planted(5, 30, 8, 7);
    let topics: Vec<u32> = (0..150).map(|entity| entity % 5).collect();
    assert_eq!(toy.detect().unwrap(), Partition::from_labels(&topics));
}

#[test]
fn more_topics_than_the_start_has_communities_are_told_apart() {
    let toy = planted(8, 30, 8, 7);
    let config = Config {
        eta: 3,
        ..Config::default()
    };
    let topics: Vec<u32> = (0..240).map(|entity| entity % 8).collect();
    let found = detect(&toy.graph, &toy.semantics(), &config).unwrap();
    assert_eq!(found, Partition::from_labels(&topics));
}

#[test]
fn an_isolated_entity_joins_the_community_nearest_by_meaning() {
    let (right, left) = (vec![1.0, 0.0], vec![-1.0, 0.1]);
    let mut rows = vec![right; 12];
    rows[6..].fill(left);
    let ties = [clique(0..5), clique(6..12)].concat();
    let found = Toy::new(12, &ties).with_meaning(&rows).communities();
    assert_eq!(found, [(0..6).collect::<Vec<_>>(), (6..12).collect()]);
}

#[test]
fn associations_bind_less_than_triples() {
    let strong = [clique(0..4), clique(4..8)].concat();
    let weak = (0..4).flat_map(|a| (4..8).map(move |b| (a, b)));
    let toy = Toy::new(8, &strong).with_associations(weak);
    let found = toy.detect().unwrap();
    assert_eq!(found, Partition::from_labels(&[0, 0, 0, 0, 1, 1, 1, 1]));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let toy = planted(12, 25, 6, 11);
    let with = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| toy.detect().unwrap())
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn k_means_alone_has_as_many_communities_as_the_paper_says() {
    let toy = planted(6, 60, 8, 5);
    let config = Config {
        eta: 4,
        ..Config::default()
    };
    let start = k_means(&toy.graph, &toy.semantics(), &config).unwrap();
    assert_eq!((start.len(), start.membership().len()), (4, 360));
    let topics: Vec<u32> = (0..360).map(|entity| entity % 6).collect();
    let found = detect(&toy.graph, &toy.semantics(), &config).unwrap();
    assert_eq!(found, Partition::from_labels(&topics));
}
