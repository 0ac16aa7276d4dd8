//! The weights of features, as they are shipped.

use super::feature::{Feature, Features, N_FEATURES};
use std::fmt::{self, Display};
use std::sync::LazyLock;

/// Weights of features for the steps of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// For every step but the last.
    pub bridge: Features,
    /// For the last.
    pub last: Features,
}

/// A line of weights that cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("weights line {line}: expected the name of a feature and two numbers, found {found:?}")]
pub struct WeightsError {
    /// Its number, from 1.
    pub line: usize,
    /// What it says.
    pub found: String,
}

static SHIPPED: LazyLock<Option<Weights>> = LazyLock::new(|| Weights::parse(include_str!("weights.txt")).ok());

impl Weights {
    /// The weights that the program comes with: fitted to development sets of `HotpotQA`, `MuSiQue` and `2WikiMultihopQA`
    /// and to our own corpus, one set for every corpus. A test holds that they can be read.
    pub fn shipped() -> Self {
        SHIPPED.clone().unwrap_or(Self {
            bridge: [0.0; N_FEATURES],
            last: [0.0; N_FEATURES],
        })
    }

    /// Where fitting begins: passages that rank high, words of the question beside the answer, the right kind. Arbitrary.
    pub fn start() -> Self {
        let mut weights = [0.0; N_FEATURES];
        for feature in [
            Feature::PassageRank,
            Feature::StepRank,
            Feature::FocusInSentence,
            Feature::NearestFocus,
            Feature::RightType,
            Feature::Bridge,
        ] {
            weights[feature as usize] = 1.0;
        }
        Self {
            bridge: weights,
            last: weights,
        }
    }

    /// Reads lines of name and two weights; a feature that no line names weighs nothing, `#` begins a comment.
    ///
    /// # Errors
    /// [`WeightsError`] for the first line that is no such line.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut weights = Self {
            bridge: [0.0; N_FEATURES],
            last: [0.0; N_FEATURES],
        };
        for (number, line) in (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        {
            let wrong = || WeightsError {
                line: number,
                found: line.to_owned(),
            };
            let words: Vec<&str> = line.split_whitespace().collect();
            let [name, bridge, last] = words[..] else {
                return Err(wrong());
            };
            let at = Feature::of_name(name).ok_or_else(wrong)? as usize;
            weights.bridge[at] = bridge.parse().map_err(|_| wrong())?;
            weights.last[at] = last.parse().map_err(|_| wrong())?;
        }
        Ok(weights)
    }
}

impl Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for feature in Feature::ALL {
            let (bridge, last) = (self.bridge[feature as usize], self.last[feature as usize]);
            writeln!(f, "{feature:?} {bridge:.2} {last:.2}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_can_be_read_and_name_every_feature() {
        let text = include_str!("weights.txt");
        let weights = Weights::parse(text).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines.len(), N_FEATURES);
        assert_eq!(weights.to_string(), format!("{}\n", lines.join("\n")));
        assert_eq!(Weights::shipped(), weights);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let found = |text: &str| Weights::parse(text).unwrap_err().line;
        assert_eq!(found("# a\nBridge 1"), 2);
        assert_eq!(found("Bridge 1 x"), 1);
        assert_eq!(found("Nothing 1 2"), 1);
    }
}
