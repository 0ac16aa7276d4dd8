//! How sure it is that a candidate belongs into the schema (the left side of Eq. 3, Youtu-GraphRAG).
//!
//! ```text
//! f = √s · ⁴√c · ⁴√v            all in 0..=1
//! s = 1 − 2^(−n/2)              support: n distinct documents
//! c                             consistency: share of the evidence that agrees on the types
//! v = min(1, d / 0.5)           novelty: cosine distance d to the nearest element of the kind
//! ```
//!
//! A weighted geometric mean: what has no support, or repeats an element word for word, has no confidence however good
//! the rest is. Support weighs as much as both others, because it alone counts independent witnesses.

/// Documents after which the doubt about a candidate is halved. Arbitrary: with 2, μ = .9 needs five documents where all
/// else is perfect, and one document comes to .54 at most.
const HALVING: f32 = 2.0;
/// Distance from which a name counts as wholly new. Measured on the general schema with static vectors: the median
/// distance of a type, relation and attribute to its nearest neighbour there is .81, .59 and .66.
const NEW_DISTANCE: f32 = 0.5;
/// Distance up to which a name is another phrase for an existing element rather than a new one. Measured likewise: nine
/// of ten relations and all types and attributes of the general schema are farther from their nearest neighbour, while
/// "relocated to" is .19 from "moved to".
pub const ALIAS_DISTANCE: f32 = 0.2;

/// The confidence in `0..=1` of a candidate that `n_documents` suggest, that agrees with itself to a share of
/// `consistency`, and whose name is `distance` (cosine, `0..=2`) away from the nearest element of its kind.
///
/// Rises with each of the three; no documents, no agreement or no distance give 0.
pub fn confidence(n_documents: u32, consistency: f32, distance: f32) -> f32 {
    let novelty = (distance / NEW_DISTANCE).clamp(0.0, 1.0);
    let agreement = consistency.clamp(0.0, 1.0);
    support(n_documents).sqrt() * (agreement * novelty).sqrt().sqrt()
}

/// The share of doubt that `n` independent documents remove.
fn support(n: u32) -> f32 {
    1.0 - (-(n as f32) / HALVING).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    #[test]
    fn the_formula_gives_what_a_hand_computes() {
        for (n_documents, consistency, distance, expected) in [
            // √(1 − 2^−2) = √.75
            (4, 1.0, 0.5, 0.866_025),
            // √(1 − 2^−3) · (.81 · .5)^¼ = .935414 · .797742
            (6, 0.81, 0.25, 0.746_220),
            // √(1 − 2^−½) = √.292893
            (1, 1.0, 1.0, 0.541_196),
            // √(1 − 2^−2.5) = √.823223
            (5, 1.0, 2.0, 0.907_317),
            (0, 1.0, 1.0, 0.0),
            (9, 0.0, 1.0, 0.0),
            (9, 1.0, 0.0, 0.0),
        ] {
            let found = confidence(n_documents, consistency, distance);
            assert!(
                (found - expected).abs() < 1e-5,
                "{n_documents} {consistency} {distance}: {found}"
            );
        }
    }

    #[test]
    fn it_is_a_share_that_rises_with_each_part_and_one_document_is_never_enough() {
        let config = ProptestConfig {
            cases: 512,
            rng_seed: RngSeed::Fixed(42),
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        proptest!(config, |(n in 0..400_u32, more in 1..400_u32, c in 0.0..=1.0_f32, d in 0.0..=2.0_f32, step in 0.0..=1.0_f32)| {
            let found = confidence(n, c, d);
            prop_assert!((0.0..=1.0).contains(&found));
            prop_assert!(confidence(n + more, c, d) >= found);
            prop_assert!(confidence(n, c + step * (1.0 - c), d) >= found);
            prop_assert!(confidence(n, c, d + step) >= found);
            prop_assert!(confidence(1, c, d) < 0.9);
        });
    }
}
