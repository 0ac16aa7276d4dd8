//! Eq. 4, 5 and 6, computed by hand.

use super::fixture::{Toy, clique, planted};
use crate::affinity::{neighbourhood, semantic, types};
use crate::matrix::Matrix;
use crate::profile::Profile;
use crate::represent::represent;
use banyan_engine::embed::{Vectors, dot};

fn close(found: f32, expected: f32) {
    assert!((found - expected).abs() < 1e-5, "expected {expected}, found {found}");
}

#[test]
fn eq_4_is_the_mean_over_incident_triples_from_either_side() {
    let mut toy = Toy::new(4, &[(0, "r0", 1), (2, "r1", 0)]);
    toy.entities = Vectors::from_data(1, vec![1.0, 2.0, 4.0, 8.0]).unwrap();
    toy.relations = Vectors::from_data(1, vec![10.0, 30.0, 0.0, 0.0]).unwrap();
    let rows = represent(&toy.graph, &toy.semantics());
    assert_eq!(rows.row(0), [1.0, 20.0, 3.0]);
    assert_eq!(rows.row(1), [2.0, 10.0, 1.0]);
    assert_eq!(rows.row(2), [4.0, 30.0, 1.0]);
}

#[test]
fn projected_rows_have_unit_length_and_keep_likeness() {
    let toy = planted(3, 10, 7, 1);
    let (space, exact) = (toy.space(), represent(&toy.graph, &toy.semantics()));
    for entity in 0..30 {
        close(dot(space.rows.row(entity), space.rows.row(entity)), 1.0);
        close(dot(space.start.row(entity), space.start.row(entity)), 1.0);
    }
    let cosine = |a: usize, b: usize| dot(space.rows.row(a), space.rows.row(b));
    assert!(
        cosine(0, 3) > 0.2 && cosine(0, 1) < 0.2,
        "topics stay apart: {} {}",
        cosine(0, 3),
        cosine(0, 1)
    );
    assert_eq!(exact.dimension(), 3 * 64);
}

#[test]
fn eq_6_type_overlap_is_a_jaccard_of_lengths() {
    let toy = Toy::new(4, &[(0, "r0", 3), (0, "r1", 3), (1, "r0", 3), (2, "r0", 3)]);
    let space = toy.space();
    let others = Profile::of(&space, &[1, 2]);
    // Ψ(e) = {r0: ½, r1: ½}, Ψ(C) = {r0: 1}: ‖(½, 0)‖ / ‖(1, ½)‖.
    close(types(&space, 0, &others, false), 0.5 / 1.25f32.sqrt());
    close(types(&space, 1, &others, true), 1.0);
    assert!(
        types(&space, 3, &others, false).abs() < 1e-6,
        "tails and heads are different types"
    );
}

#[test]
fn a_member_is_compared_with_the_others() {
    let toy = Toy::new(4, &[(0, "r0", 3), (0, "r1", 3), (1, "r0", 3), (2, "r0", 3)]);
    let space = toy.space();
    let (with, without) = (Profile::of(&space, &[0, 1, 2]), Profile::of(&space, &[1, 2]));
    close(types(&space, 0, &with, true), types(&space, 0, &without, false));
    close(
        neighbourhood(&space, 0, 0.0, &with, true),
        neighbourhood(&space, 0, 0.0, &without, false),
    );
}

#[test]
fn neighbourhood_is_the_closed_share_less_chance() {
    let space = Toy::new(3, &clique(0..3)).space();
    let others = Profile::of(&space, &[1, 2]);
    // Two of two ties, of which chance explains 2·4/6; the closed neighbourhood has three entities.
    close(neighbourhood(&space, 0, 2.0, &others, false), (2.0 - 8.0 / 6.0) / 3.0);
}

#[test]
fn meaning_is_the_cosine_to_the_centroid_of_the_others() {
    let mut space = Toy::new(3, &[]).space();
    space.rows = Matrix::new(2, vec![1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    let half = 0.5f32.sqrt();
    close(semantic(&space, 0, &Profile::of(&space, &[1, 2]), false), half);
    close(semantic(&space, 0, &Profile::of(&space, &[0, 1, 2]), true), half);
    close(semantic(&space, 0, &Profile::of(&space, &[0]), true), 0.0);
}

#[test]
fn every_part_of_phi_stays_in_its_range() {
    let toy = planted(4, 12, 6, 5);
    let space = toy.space();
    let community = Profile::of(&space, &(0..24).collect::<Vec<_>>());
    for entity in 0..48usize {
        let is_member = entity < 24;
        let links = space.ties.weight(entity, |other| other < 24);
        let near = neighbourhood(&space, entity, links, &community, is_member);
        let alike = types(&space, entity, &community, is_member);
        let meaning = semantic(&space, entity, &community, is_member);
        assert!((-1.0..1.0).contains(&near), "{near}");
        assert!((0.0..=1.0).contains(&alike), "{alike}");
        assert!((-1.0..=1.0).contains(&meaning), "{meaning}");
    }
}

#[test]
fn a_profile_forgets_a_member_that_leaves() {
    let toy = planted(2, 8, 7, 3);
    let space = toy.space();
    let mut profile = Profile::of(&space, &[0, 2, 4]);
    let before = profile.clone();
    profile.add(&space, 7);
    profile.remove(&space, 7);
    assert_eq!(profile.n_members, before.n_members);
    assert_eq!(profile.n_typed, before.n_typed);
    close(profile.volume, before.volume);
    close(profile.length2, before.length2);
    close(profile.types2, before.types2);
}
