//! The parameters of a detection, with the paper's values where the paper has them.

use crate::error::CommunityError;

/// Starts of K-means to choose among. The paper's 5.
pub(crate) const N_INIT: usize = 5;
/// Dimensions that Eq. 4 is projected to for K-means and for splitting. 32: with 64 the planted graph of
/// 5,000 gains .004 NMI and K-means takes twice as long.
pub(crate) const N_PROJECTED: usize = 32;
/// Other dimensions that it is projected to for `S_s`. 96: with 64 the planted graphs lose .003 NMI, with
/// 192 they gain .003 and `S_s` takes twice as long.
pub(crate) const N_SEMANTIC: usize = 96;
/// Most rounds of K-means and of fusion each. 10: fusion ended by itself after at most
/// seven.
pub(crate) const MAX_ITERATIONS: usize = 10;
/// Smaller communities join the one they are closest to, if they are close to any. 3: a pair is a triple,
/// not a topic.
pub(crate) const MIN_MEMBERS: usize = 3;
/// Weight of the strongest association; a triple weighs 1. 0.25, arbitrary.
pub(crate) const ASSOCIATION_WEIGHT: f32 = 0.25;

/// Parameters of [`crate::detect()`] and [`crate::lift()`].
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// β: entities per community of the K-means start, at least 1. The paper's 10.
    pub beta: usize,
    /// η: most communities of the K-means start, at least 1. The paper's 200.
    pub eta: usize,
    /// Seed of the projection and of the K-means starts. The paper's 42.
    pub seed: u64,
    /// λ of Eq. 5: weight of meaning against relations, at least 0. 1, as Eq. 5 is without it. With 0.8 Cora's citations
    /// gain a little (NMI .463 for .459) and planted graphs lose (ARI .848 for .983 at 100,000).
    pub lambda: f32,
    /// Share `0..=1` of `S_r` that compares relation types; the rest compares neighbourhoods. 0.2: types alone say
    /// nothing where there is one relation (Cora NMI .049 for .459), neighbourhoods alone are weaker where there are
    /// several (planted 5,000: .980 for .992); the mix is within .008 of the better one everywhere.
    pub type_share: f32,
    /// ε of Eq. 7: communities that diverge less are merged, at least 0. 0.25; anything in 0.2..=0.3 gives the same
    /// partition of the planted graphs.
    pub epsilon: f32,
    /// Larger communities are cut, by meaning where it tells their members apart; at least 1. 1,000: the largest found
    /// has 682 members on the 1,890 passages of `MuSiQue`, 356 on Cora, whose largest class has 818, so that only what
    /// nothing divides is cut: a star of 50,000, a clique of 5,000.
    pub max_members: usize,
    /// Pivotal entities of each community, at least 1. 5, arbitrary.
    pub n_keywords: usize,
    /// Most nodes of the highest level: above more, another level is made. 200, the paper's η: what one K-means brings
    /// communities down to.
    pub max_top: usize,
    /// Largest share `0..=1` of entities that may have changed for [`crate::refresh()`] to keep the communities there
    /// are. 0.1, arbitrary.
    pub max_refreshed: f32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            beta: 10,
            eta: 200,
            seed: 42,
            lambda: 1.0,
            type_share: 0.2,
            epsilon: 0.25,
            max_members: 1_000,
            n_keywords: 5,
            max_top: 200,
            max_refreshed: 0.1,
        }
    }
}

impl Config {
    /// Checks every field.
    ///
    /// # Errors
    /// [`CommunityError::Config`] with the first field outside its range.
    pub fn validate(&self) -> Result<(), CommunityError> {
        let counts = [
            ("beta", self.beta),
            ("eta", self.eta),
            ("max_members", self.max_members),
            ("n_keywords", self.n_keywords),
            ("max_top", self.max_top),
        ];
        for (field, value) in counts {
            check(field, value >= 1, "at least 1", value)?;
        }
        for (field, value) in [("lambda", self.lambda), ("epsilon", self.epsilon)] {
            check(
                field,
                value.is_finite() && value >= 0.0,
                "a finite number of at least 0",
                value,
            )?;
        }
        for (field, value) in [("type_share", self.type_share), ("max_refreshed", self.max_refreshed)] {
            check(field, (0.0..=1.0).contains(&value), "a share in 0..=1", value)?;
        }
        Ok(())
    }

    /// Communities of the K-means start for `n` entities: k = min(max(2, ⌊n/β⌋), η) (Youtu-GraphRAG, section 3.2).
    pub fn n_seeds(&self, n: usize) -> usize {
        (n / self.beta.max(1)).max(2).min(self.eta)
    }
}

fn check(
    field: &'static str,
    holds: bool,
    expected: &'static str,
    found: impl std::fmt::Display + Copy,
) -> Result<(), CommunityError> {
    if holds {
        return Ok(());
    }
    let found = found.to_string();
    Err(CommunityError::Config { field, expected, found })
}
