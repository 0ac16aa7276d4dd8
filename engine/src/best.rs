//! The best of many scores.

/// The `n` largest scores with their keys, the largest first; of equal ones, the smaller keys.
///
/// Cost O(m + n log n) for m scores and memory O(n): most scores are compared with the least that is kept, and no more.
pub fn best<K: Copy + Ord>(scored: impl Iterator<Item = (K, f32)>, n: usize) -> Vec<(K, f32)> {
    let order = |a: &(K, f32), b: &(K, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    let Some(last) = n.checked_sub(1) else {
        return Vec::new();
    };
    let mut kept = Vec::new();
    let mut least = f32::NEG_INFINITY;
    for one in scored {
        if one.1 < least {
            continue;
        }
        kept.push(one);
        if kept.len() >= n.saturating_mul(2) {
            kept.select_nth_unstable_by(last, order);
            kept.truncate(n);
            least = kept[last].1;
        }
    }
    kept.sort_unstable_by(order);
    kept.truncate(n);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_are_the_first_of_all_in_order(scores in prop::collection::vec(0_u8..9, 0..60), n in 0_usize..9) {
            let scored = || scores.iter().map(|score| f32::from(*score)).enumerate();
            let mut all: Vec<(usize, f32)> = scored().collect();
            all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            all.truncate(n);
            prop_assert_eq!(best(scored(), n), all);
        }
    }
}
