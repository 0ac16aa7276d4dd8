//! What a change leaves as it was, and where what is new goes.

use super::fixture::{Toy, clique, named, planted};
use crate::config::Config;
use crate::detect::detect;
use crate::lift::lift;
use crate::refresh::{Before, Refreshed, refresh};
use banyan_engine::{Community, EntityId, KnowledgeGraph, KnowledgeTree};
use std::collections::BTreeMap;

fn grown(toy: &Toy) -> KnowledgeTree {
    let config = Config::default();
    let partition = detect(&toy.graph, &toy.semantics(), &config).unwrap();
    lift(&toy.schema, &toy.graph, &partition, &toy.space(), &config).unwrap()
}

fn refreshed(old: &Toy, tree: &KnowledgeTree, new: &Toy, max_refreshed: f32) -> Refreshed {
    let before = Before {
        schema: &old.schema,
        graph: &old.graph,
        tree,
    };
    let config = Config {
        max_refreshed,
        ..Config::default()
    };
    refresh(&new.schema, &new.graph, &new.space(), before, &config).unwrap()
}

/// A community without handles: its texts, the keys of its members and of its keywords.
type Told = (String, String, Vec<String>, Vec<(String, u32)>);

fn told(toy: &Toy, community: &Community) -> Told {
    let key = |id: EntityId| toy.graph.entity(id).key.clone();
    let words = community.keywords.iter();
    (
        community.name.clone(),
        community.description.clone(),
        community.members.iter().map(|id| key(*id)).collect(),
        words.map(|word| (key(word.entity), word.score.to_bits())).collect(),
    )
}

/// By first member, which stays the same as long as the community is untouched.
fn all(toy: &Toy, tree: &KnowledgeTree) -> BTreeMap<String, Told> {
    let told = tree.communities().iter().map(|community| told(toy, community));
    told.map(|told| (told.2[0].clone(), told)).collect()
}

/// Refreshes the tree of `old` for `new`, and holds what always holds; how many communities are as they were.
fn check(old: &Toy, new: &Toy) -> (Refreshed, usize) {
    let tree = grown(old);
    let result = refreshed(old, &tree, new, 1.0);
    let n_members: usize = result.tree.communities().iter().map(|c| c.members.len()).sum();
    assert_eq!(n_members, new.graph.entities().len());
    for id in (0..old.graph.entities().len()).map(EntityId::at) {
        for other in (0..id.index()).map(EntityId::at) {
            let here = |id: EntityId| new.graph.find(&old.graph.entity(id).key);
            if let (Some(a), Some(b)) = (here(id), here(other)) {
                let together = result.tree.community_of(a) == result.tree.community_of(b);
                assert_eq!(together, tree.community_of(id) == tree.community_of(other));
            }
        }
    }
    let (was, is) = (all(old, &tree), all(new, &result.tree));
    let same = is.iter().filter(|(first, told)| was.get(*first) == Some(told)).count();
    assert!(same + result.n_touched >= is.len(), "{same} + {}", result.n_touched);
    (result, same)
}

#[test]
fn where_nothing_changed_nothing_is_touched() {
    let toy = planted(6, 20, 8, 1);
    let (result, same) = check(&toy, &toy);
    assert_eq!((result.n_changed, result.n_touched), (0, 0));
    assert_eq!(same, result.tree.communities().len());
    assert_eq!(result.tree, grown(&toy));
}

#[test]
fn new_entities_join_their_topic_and_the_other_communities_stay() {
    for seed in 0..4 {
        let whole = planted(12, 30, 8, seed);
        let part = whole.without(&[7, 19, 91]);
        let (result, same) = check(&part, &whole);
        let topic = |id: u32| {
            let community = result.tree.community(result.tree.community_of(EntityId(id)).unwrap());
            let of = |topic: u32| community.members.iter().filter(|member| member.0 % 12 == topic).count();
            (0..12).max_by_key(|topic| of(*topic))
        };
        for id in [7, 19, 91] {
            assert_eq!(topic(id), Some(id % 12), "seed {seed}, entity {id}");
        }
        assert!(same > 0 && !result.is_anew);
        assert_eq!(result.tree.n_refreshes(), 1);
    }
}

#[test]
fn what_agrees_with_nothing_but_itself_is_a_new_community() {
    let axis = |i: usize| (0..6).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f32>>();
    let ties = [clique(0..8), clique(8..16), clique(16..22)].concat();
    let rows: Vec<_> = (0..22).map(|entity| axis(entity / 8)).collect();
    let whole = Toy::new(22, &ties).with_meaning(&rows);
    let (result, same) = check(&whole.without(&[16, 17, 18, 19, 20, 21]), &whole);
    let last = result.tree.communities().last().unwrap();
    assert_eq!(last.members, (16..22).map(EntityId).collect::<Vec<_>>());
    assert_eq!((same, result.n_touched), (2, 1));
    assert_eq!(last.description, "6 things linked by `r0`");
}

#[test]
fn a_community_that_lost_everything_vanishes_and_the_others_stay() {
    let ties = [clique(0..5), clique(5..10), clique(10..15)].concat();
    let whole = Toy::new(15, &ties);
    let (result, same) = check(&whole, &whole.without(&[5, 6, 7, 8, 9]));
    assert_eq!((result.tree.communities().len(), same, result.n_touched), (2, 2, 1));
}

#[test]
fn a_triple_touches_the_community_that_it_is_inside_of_and_none_that_it_joins() {
    let ties = || [clique(0..5), clique(5..10), clique(10..15)].concat();
    let old = Toy::new(15, &ties());
    let touched = |more: (u32, &'static str, u32)| {
        let new = Toy::new(15, &[ties(), vec![more]].concat());
        let there = check(&old, &new).0;
        let back = check(&new, &old).0;
        assert_eq!((there.n_changed, there.n_touched), (back.n_changed, back.n_touched));
        (there.n_changed, there.n_touched)
    };
    assert_eq!(touched((0, "r1", 5)), (2, 0));
    assert_eq!(touched((7, "r1", 6)), (2, 1));
    assert_eq!(touched((12, "r1", 12)), (1, 1));
}

#[test]
fn an_entity_whose_key_now_leads_elsewhere_stays_where_it_was() {
    let ties = [clique(0..5), clique(5..10)].concat();
    let old = Toy::new(10, &ties);
    let mut new = Toy::new(10, &ties);
    let mut entities = new.graph.entities().to_vec();
    entities[3] = named(&new.schema, "the third");
    let keys = [("e3".to_owned(), EntityId(3))];
    new.graph = KnowledgeGraph::new(entities, new.graph.triples().to_vec(), vec![]).with_keys(keys);
    let (result, _) = check(&old, &new);
    assert_eq!(result.n_touched, 1);
    assert_eq!(
        result.tree.community_of(EntityId(3)),
        result.tree.community_of(EntityId(0))
    );
}

#[test]
fn too_much_change_is_detected_anew() {
    let whole = planted(6, 20, 8, 3);
    let part = whole.without(&(0..40).collect::<Vec<_>>());
    let result = refreshed(&part, &grown(&part).refreshed(4), &whole, 0.1);
    assert!(result.is_anew);
    assert_eq!(result.tree, grown(&whole));
    assert_eq!(
        (result.n_touched, result.tree.n_refreshes()),
        (result.tree.communities().len(), 0)
    );
}

#[test]
fn everything_may_come_and_go() {
    let (nothing, toy) = (Toy::new(0, &[]), planted(2, 12, 8, 5));
    check(&nothing, &toy);
    check(&toy, &nothing);
    check(&Toy::new(4, &[]), &Toy::new(9, &[]));
}
