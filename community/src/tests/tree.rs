//! Names, descriptions, keywords and the tree.

use super::fixture::{Toy, named, planted, schema};
use crate::config::Config;
use crate::lift::lift;
use crate::partition::Partition;
use banyan_engine::{KnowledgeGraph, KnowledgeTree, Triple};

fn tree_of(toy: &Toy, partition: &Partition) -> KnowledgeTree {
    let config = Config::default();
    lift(&toy.schema, &toy.graph, partition, &toy.space(), &config).unwrap()
}

/// One community of entities `(name, type)` with triples, as name and description.
fn check(entities: &[(&str, &str)], ties: &[(u32, &str, u32)], name: &str, description: &str) {
    let mut toy = Toy::new(entities.len(), ties);
    let schema = schema();
    let entities = entities.iter().map(|&(name, kind)| banyan_engine::Entity {
        entity_type: schema.type_id(kind).unwrap(),
        ..named(&schema, name)
    });
    let triples: Vec<Triple> = toy.graph.triples().to_vec();
    toy.graph = KnowledgeGraph::new(entities.collect(), triples, vec![]);
    let partition = Partition::from_labels(&vec![0; toy.graph.entities().len()]);
    let tree = tree_of(&toy, &partition);
    assert_eq!(tree.communities()[0].name, name);
    assert_eq!(tree.communities()[0].description, description);
}

#[test]
fn a_name_lists_up_to_three_pivotal_entities() {
    check(
        &[
            ("Moby-Dick", "work"),
            ("Herman Melville", "person"),
            ("Pequod", "thing"),
            ("Ahab", "person"),
        ],
        &[(0, "r0", 1), (0, "r1", 2), (0, "r2", 3), (1, "r0", 2), (1, "r0", 0)],
        "Moby-Dick, Herman Melville and Pequod",
        "4 people, works and others linked by `r0` and `r1`",
    );
}

#[test]
fn numbers_name_a_community_only_where_nothing_else_does() {
    let ties = [(0, "r0", 1), (0, "r0", 2)];
    check(
        &[("1851", "thing"), ("Typee", "work"), ("Omoo", "work")],
        &ties,
        "Typee and Omoo",
        "3 works and others linked by `r0`",
    );
    check(
        &[("1851", "thing"), ("1850", "thing")],
        &[(0, "r0", 1)],
        "1851",
        "2 things linked by `r0`",
    );
}

#[test]
fn keywords_are_members_with_falling_scores() {
    let toy = planted(4, 20, 7, 2);
    let partition = toy.detect().unwrap();
    let tree = tree_of(&toy, &partition);
    for community in tree.communities() {
        assert_eq!(community.keywords.len(), 5);
        assert!(community.keywords.is_sorted_by(|a, b| a.score >= b.score));
        assert!(
            community
                .keywords
                .iter()
                .all(|word| community.members.contains(&word.entity))
        );
    }
}

#[test]
fn copies_of_a_keyword_make_room_for_others() {
    let mut rows = vec![vec![1.0, 0.0]; 10];
    rows[4] = vec![0.6, 0.8];
    rows[5..].fill(vec![-1.0, 0.0]);
    let toy = Toy::new(10, &[]).with_meaning(&rows);
    let config = Config {
        n_keywords: 2,
        ..Config::default()
    };
    let partition = Partition::from_labels(&[0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    let tree = lift(&toy.schema, &toy.graph, &partition, &toy.space(), &config).unwrap();
    let words: Vec<_> = tree.communities()[0]
        .keywords
        .iter()
        .map(|word| word.entity.0)
        .collect();
    assert_eq!(words, [0, 4]);
}

#[test]
fn a_partition_of_another_graph_is_refused() {
    let toy = Toy::new(3, &[]);
    let partition = Partition::from_labels(&[0, 0]);
    let result = lift(&toy.schema, &toy.graph, &partition, &toy.space(), &Config::default());
    let told = "the partition covers 2 entities; the graph has 3";
    assert_eq!(result.unwrap_err().to_string(), told);
}
