//! Levels above many communities.

use super::fixture::{Toy, clique};
use crate::config::Config;
use crate::lift::lift;
use crate::partition::Partition;
use crate::refresh::{Before, Refreshed, refresh};
use banyan_engine::{CommunityId, KnowledgeTree};

/// Cliques of three, each of a direction of its own near one of three axes: clique `i` belongs to axis `i % 3`.
fn cliques(n: u32) -> Toy {
    let ties: Vec<_> = (0..n).flat_map(|at| clique(3 * at..3 * at + 3)).collect();
    let row = |entity: u32| {
        let clique = entity / 3;
        let mut row = vec![0.0; 3 + n as usize];
        row[clique as usize % 3] = 0.8;
        row[3 + clique as usize] = 0.6;
        row
    };
    Toy::new(3 * n as usize, &ties).with_meaning(&(0..3 * n).map(row).collect::<Vec<_>>())
}

fn config() -> Config {
    Config {
        max_top: 4,
        beta: 4,
        max_refreshed: 1.0,
        ..Config::default()
    }
}

/// The tree over the cliques themselves.
fn tree(toy: &Toy) -> KnowledgeTree {
    let labels: Vec<usize> = (0..toy.graph.entities().len()).map(|entity| entity / 3).collect();
    let partition = Partition::from_labels(&labels);
    lift(&toy.schema, &toy.graph, &partition, &toy.space(), &config()).unwrap()
}

/// The children of each branch of the lowest level of branches.
fn children(tree: &KnowledgeTree) -> Vec<Vec<u32>> {
    let lists = tree.branches()[0].iter();
    lists
        .map(|branch| branch.children.iter().map(|id| id.0).collect())
        .collect()
}

fn changed(old: &Toy, before: &KnowledgeTree, new: &Toy) -> Refreshed {
    let before = Before {
        schema: &old.schema,
        graph: &old.graph,
        tree: before,
    };
    refresh(&new.schema, &new.graph, &new.space(), before, &config()).unwrap()
}

#[test]
fn communities_near_each_other_come_under_one_branch() {
    let tree = tree(&cliques(12));
    assert_eq!(tree.branches().len(), 1);
    assert_eq!(children(&tree), [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]]);
    let first = &tree.branches()[0][0];
    assert_eq!(first.description, "4 communities: 12 things linked by `r0`");
    assert_eq!(first.keywords.len(), 4);
    assert_eq!(first.name, "e0, e9 and e18");
    let of: Vec<CommunityId> = first
        .keywords
        .iter()
        .filter_map(|word| tree.community_of(word.entity))
        .collect();
    assert_eq!(of.iter().map(|id| id.0).collect::<Vec<_>>(), [0, 3, 6, 9]);
}

#[test]
fn few_communities_have_nothing_above_them() {
    assert!(tree(&cliques(4)).branches().is_empty());
    assert!(tree(&Toy::new(0, &[])).branches().is_empty());
}

#[test]
fn communities_that_nothing_brings_together_are_one_branch() {
    let toy = cliques(9);
    let ties: Vec<_> = (0..9).flat_map(|at| clique(3 * at..3 * at + 3)).collect();
    assert_eq!(toy.graph.triples().len(), ties.len());
    assert_eq!(children(&tree(&Toy::new(27, &ties))), [(0..9).collect::<Vec<_>>()]);
}

#[test]
fn a_branch_over_the_same_communities_keeps_its_texts() {
    let old = cliques(12);
    let mut before = tree(&old);
    let mut branches = before.branches().to_vec();
    branches[0].iter_mut().for_each(|branch| branch.name += ", as told");
    before = before.with_branches(branches).unwrap();
    // One more triple inside of the second clique.
    let ties: Vec<_> = (0..12)
        .flat_map(|at| clique(3 * at..3 * at + 3))
        .chain([(3, "r1", 4)])
        .collect();
    let rows: Vec<Vec<f32>> = old.entities.rows().map(<[f32]>::to_vec).collect();
    let result = changed(&old, &before, &Toy::new(36, &ties).with_meaning(&rows));
    assert_eq!(children(&result.tree), children(&before));
    assert_eq!(result.touched.branches, [[false, true, false]]);
    let is = result.tree.branches()[0].iter();
    let is_told: Vec<bool> = is.map(|branch| branch.name.ends_with("as told")).collect();
    assert_eq!(is_told, [true, false, true]);
    let nothing = changed(&old, &before, &Toy::new(0, &[])).tree;
    assert!(nothing.communities().is_empty() && nothing.branches().is_empty());
}
