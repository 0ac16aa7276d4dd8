//! What a passage cost: the tokens of calls, shared out.

use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::AddAssign;

/// Tokens of prompts and replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Tokens of prompts.
    pub prompt: u64,
    /// Tokens of replies.
    pub completion: u64,
}

impl Tokens {
    /// Both together.
    pub fn total(self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        self.prompt = self.prompt.saturating_add(other.prompt);
        self.completion = self.completion.saturating_add(other.completion);
    }
}

impl Sum for Tokens {
    fn sum<I: Iterator<Item = Self>>(tokens: I) -> Self {
        let mut sum = Self::default();
        for more in tokens {
            sum += more;
        }
        sum
    }
}

/// Shares `total` out in proportion to `weights`, in whole tokens that add up to it. What is left over by rounding goes to
/// the first ones. Equal shares where all weights are 0; nothing for no weights. Cost O(n).
pub(super) fn share(total: u64, weights: &[u64]) -> Vec<u64> {
    let sum: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    let portion = |weight: u64| {
        let (weight, whole) = if sum == 0 {
            (1, weights.len() as u128)
        } else {
            (weight.into(), sum)
        };
        // A share is at most the total, so it fits.
        u64::try_from(u128::from(total) * weight / whole.max(1)).unwrap_or(total)
    };
    let mut shares: Vec<u64> = weights.iter().map(|weight| portion(*weight)).collect();
    let left = total.saturating_sub(shares.iter().sum());
    for index in 0..left {
        // Rounding leaves less than one token a share.
        if let Some(share) = usize::try_from(index).ok().and_then(|index| shares.get_mut(index)) {
            *share += 1;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(total: u64, weights: &[u64], expected: &[u64]) {
        assert_eq!(share(total, weights), expected);
    }

    #[test]
    fn tokens_are_shared_in_proportion_and_none_is_lost() {
        check(100, &[1, 1, 2], &[25, 25, 50]);
        check(10, &[1, 1, 1], &[4, 3, 3]);
        check(7, &[0, 0], &[4, 3]);
        check(7, &[0, 5], &[0, 7]);
        check(0, &[3, 5], &[0, 0]);
        check(9, &[], &[]);
        check(u64::MAX, &[u64::MAX, u64::MAX], &[u64::MAX / 2 + 1, u64::MAX / 2]);
        for total in 0..50 {
            assert_eq!(share(total, &[3, 1, 4, 1, 5]).iter().sum::<u64>(), total);
        }
    }
}
