//! Graphs and vectors that say little, and those that are wrong.

use super::fixture::{Toy, clique};
use crate::config::Config;
use crate::detect::detect;
use crate::error::CommunityError;
use crate::lift::lift;
use crate::partition::Partition;
use banyan_engine::embed::Vectors;

#[test]
fn no_entities_make_an_empty_tree() {
    let toy = Toy::new(0, &[]);
    let partition = toy.detect().unwrap();
    assert!(partition.is_empty());
    let tree = lift(&toy.schema, &toy.graph, &partition, &toy.space(), &Config::default());
    assert!(tree.unwrap().communities().is_empty());
}

#[test]
fn one_entity_is_one_community() {
    assert_eq!(Toy::new(1, &[]).communities(), [[0]]);
    assert_eq!(Toy::new(1, &[(0, "r0", 0)]).communities(), [[0]]);
    assert_eq!(Toy::new(1, &[]).with_meaning(&[vec![1.0, 0.0]]).communities(), [[0]]);
}

#[test]
fn entities_with_neither_ties_nor_meaning_are_together() {
    assert_eq!(Toy::new(20, &[]).communities(), [(0..20).collect::<Vec<_>>()]);
}

#[test]
fn equal_vectors_say_as_little_as_none() {
    let same = vec![vec![0.6, 0.8, 0.0]; 20];
    assert_eq!(Toy::new(20, &[]).with_meaning(&same).communities().len(), 1);
    let ties = [clique(0..10), clique(10..20)].concat();
    let (with, without) = (Toy::new(20, &ties).with_meaning(&same), Toy::new(20, &ties));
    assert_eq!(with.communities(), without.communities());
}

fn unbounded() -> Config {
    Config {
        max_members: usize::MAX,
        ..Config::default()
    }
}

fn sizes(toy: &Toy, config: &Config) -> Vec<usize> {
    let partition = detect(&toy.graph, &toy.semantics(), config).unwrap();
    let sizes: Vec<usize> = partition.communities().iter().map(Vec::len).collect();
    assert_eq!(sizes.iter().sum::<usize>(), toy.graph.entities().len());
    sizes
}

#[test]
fn a_star_of_50_000_is_one_community_cut_as_small_as_the_bound_says() {
    let ties: Vec<_> = (1..50_000).map(|leaf| (0, "r0", leaf)).collect();
    let star = Toy::new(50_000, &ties);
    assert_eq!(sizes(&star, &unbounded()), [50_000]);
    let sizes = sizes(&star, &Config::default());
    assert_eq!(sizes.len(), 64);
    assert!(sizes.iter().all(|size| (781..=782).contains(size)));
}

#[test]
fn a_bound_cuts_by_meaning_where_there_is_any() {
    let axis = |i: usize| if i < 12 { vec![1.0, 0.1] } else { vec![1.0, -0.1] };
    let rows: Vec<Vec<f32>> = (0..20).map(axis).collect();
    let toy = Toy::new(20, &clique(0..20)).with_meaning(&rows);
    let config = Config {
        max_members: 12,
        epsilon: 1.0,
        ..Config::default()
    };
    let found = detect(&toy.graph, &toy.semantics(), &config).unwrap();
    let expected: Vec<bool> = (0..20).map(|i| i < 12).collect();
    assert_eq!(found, Partition::from_labels(&expected));
}

#[test]
fn vectors_that_do_not_fit_the_graph_are_named() {
    let check = |spoil: fn(&mut Toy), expected: &str| {
        let mut toy = Toy::new(3, &[(0, "r1", 1)]);
        spoil(&mut toy);
        assert_eq!(toy.detect().unwrap_err().to_string(), expected);
    };
    check(
        |toy| toy.entities.row_mut(1)[0] = f32::NAN,
        "entities: row 1 holds NaN; expected finite numbers",
    );
    check(
        |toy| toy.relations.row_mut(2)[0] = f32::INFINITY,
        "relations: row 2 holds inf; expected finite numbers",
    );
    check(
        |toy| toy.entities = Vectors::zeros(8, 2),
        "entities has 2 rows; expected 3",
    );
    check(
        |toy| toy.relations = Vectors::zeros(8, 1),
        "relations has 1 rows; expected 2",
    );
    check(
        |toy| toy.relations = Vectors::zeros(4, 4),
        "relation vectors have 4 dimensions; entity vectors have 8",
    );
}

/// Makes a field wrong.
type Spoil = fn(&mut Config);

#[test]
fn each_bad_field_is_named() {
    let cases: [(&str, Spoil); 9] = [
        ("beta", |config| config.beta = 0),
        ("eta", |config| config.eta = 0),
        ("max_members", |config| config.max_members = 0),
        ("n_keywords", |config| config.n_keywords = 0),
        ("max_top", |config| config.max_top = 0),
        ("lambda", |config| config.lambda = -1.0),
        ("epsilon", |config| config.epsilon = f32::NAN),
        ("type_share", |config| config.type_share = 1.5),
        ("max_refreshed", |config| config.max_refreshed = 2.0),
    ];
    assert_eq!(Config::default().validate(), Ok(()));
    for (name, spoil) in cases {
        let mut config = Config::default();
        spoil(&mut config);
        match config.validate() {
            Err(CommunityError::Config { field, .. }) => assert_eq!(field, name),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_number_of_seeds_is_the_papers() {
    let config = Config::default();
    for (n, k) in [(0, 2), (19, 2), (35, 3), (1_000, 100), (2_000, 200), (12_000, 200)] {
        assert_eq!(config.n_seeds(n), k);
    }
}
