//! Eq. 7 and the whole detection.

use super::fixture::{Toy, clique, planted};
use crate::config::Config;
use crate::detect::{Step, detect, detect_watched, k_means};
use crate::partition::Partition;
use crate::seed::cluster;
use banyan_engine::embed::Vectors;

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
fn an_entity_without_a_vector_follows_its_ties() {
    let mut rows = vec![vec![1.0, 0.0]; 12];
    rows[6..].fill(vec![-1.0, 0.1]);
    rows[3].fill(0.0);
    let ties = [clique(0..6), clique(6..12)].concat();
    let found = Toy::new(12, &ties).with_meaning(&rows).communities();
    assert_eq!(found, [(0..6).collect::<Vec<_>>(), (6..12).collect()]);
}

#[test]
fn a_larger_epsilon_never_leaves_more_communities_of_cliques() {
    let ties = [
        clique(0..4),
        clique(4..8),
        clique(8..12),
        vec![(3, "r0", 4), (7, "r0", 8)],
    ]
    .concat();
    let toy = Toy::new(12, &ties);
    let count = |epsilon| {
        let config = Config {
            epsilon,
            ..Config::default()
        };
        detect(&toy.graph, &toy.semantics(), &config).unwrap().len()
    };
    assert_eq!(count(0.0), 3);
    assert_eq!(count(10.0), 1);
    assert!(count(0.25) >= count(0.5));
}

#[test]
fn weak_relations_bind_less() {
    let strong = [clique(0..4), clique(4..8)].concat();
    let weak: Vec<_> = (0..4).flat_map(|a| (4..8).map(move |b| (a, "related_to", b))).collect();
    let toy = Toy::new(8, &[strong, weak].concat());
    let config = Config::for_schema(&toy.schema);
    assert_eq!(config.weak_relations.len(), 1);
    let found = detect(&toy.graph, &toy.semantics(), &config).unwrap();
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
fn coverage_is_whole_on_random_graphs() {
    for seed in 0..8 {
        let toy = planted(6, 9, seed, seed);
        assert!(toy.communities().len() <= 54);
    }
}

#[test]
fn communities_stand_by_size_and_then_by_first_member() {
    let partition = Partition::from_labels(&["b", "a", "a", "c", "b", "a"]);
    let sizes: Vec<usize> = partition.communities().iter().map(Vec::len).collect();
    assert_eq!(sizes, [3, 2, 1]);
    assert_eq!(partition, Partition::from_labels(&[7, 3, 3, 1, 7, 3]));
    assert_eq!(partition.membership()[3].0, 2);
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

#[test]
fn points_at_three_places_are_three_clusters() {
    let points = Vectors::from_data(2, [[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]].concat().repeat(4)).unwrap();
    let labels = cluster(&points, 3, &Config::default()).unwrap();
    let expected: Vec<usize> = (0..12).map(|point| point % 3).collect();
    assert_eq!(Partition::from_labels(&labels), Partition::from_labels(&expected));
    assert!(cluster(&Vectors::new(2), 3, &Config::default()).unwrap().is_empty());
}

#[test]
fn each_step_is_told_once_and_in_order() {
    let toy = planted(2, 10, 8, 1);
    let mut steps = Vec::new();
    let found = detect_watched(&toy.graph, &toy.semantics(), &Config::default(), &mut |step| {
        steps.push(step);
    });
    assert_eq!(found.unwrap(), toy.detect().unwrap());
    assert_eq!(steps, [Step::Represent, Step::Seed, Step::Fuse]);
}
