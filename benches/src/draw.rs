//! Seeded choices.

use rand_xoshiro::Xoshiro256Plus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A source of choices: the same seed makes the same ones.
#[derive(Clone, Debug)]
pub(crate) struct Draw(Xoshiro256Plus);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256Plus::seed_from_u64(seed))
    }

    /// A number in 0..1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// A whole number below `n`; 0 for none.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number in 0..n, rounded down"
        )]
        let drawn = (self.unit() * n as f64) as usize;
        drawn.min(n.saturating_sub(1))
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
