//! How a corpus writes its words: what is mostly lower case is a common word, wherever a capital stands.

use crate::parsed::Parsed;
use banyan_engine::index::term;
use rayon::prelude::*;
use std::collections::HashMap;

/// Share of lower-case uses above which a capitalised word is hardly ever a name. Arbitrary: five in six.
const RARELY: usize = 5;

/// Counts of each word's uses in lower case and with a capital; sentence openings are not counted as capitals.
#[derive(Clone, Debug, Default)]
pub struct CaseCounts {
    counts: HashMap<String, (usize, usize)>,
}

impl CaseCounts {
    /// Counts over all documents. Cost O(words), in parallel.
    pub fn new(documents: &[&Parsed]) -> Self {
        let counts = documents
            .par_iter()
            .map(|parsed| count(parsed))
            .reduce(HashMap::new, merge);
        Self { counts }
    }

    /// Whether the word is used in lower case at least half as often as with a capital, or is a function word.
    pub fn is_common(&self, word: &str) -> bool {
        let (lower, upper) = self.of(word);
        2 * lower > upper || is_function_word(word)
    }

    /// Whether the word is so often in lower case that a capital hardly makes it a name.
    pub fn is_rarely_a_name(&self, word: &str) -> bool {
        let (lower, upper) = self.of(word);
        lower > RARELY * upper || is_function_word(word)
    }

    fn of(&self, word: &str) -> (usize, usize) {
        // "that's" is as common as "that".
        let bare = word.split(['\'', '’']).next().unwrap_or(word);
        self.counts.get(&bare.to_lowercase()).copied().unwrap_or_default()
    }
}

/// Whether a word belongs to the closed classes, or is contracted with one ("don't", "I'll"; not "O'Neill").
fn is_function_word(word: &str) -> bool {
    let (stem, tail) = word.split_once(['\'', '’']).unwrap_or((word, ""));
    term::is_stop_word(&stem.to_lowercase()) || matches!(tail, "t" | "ll" | "re" | "ve" | "d" | "m")
}

fn count(parsed: &Parsed) -> HashMap<String, (usize, usize)> {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    for (_, words) in &parsed.sentences {
        for (position, word) in words.iter().enumerate() {
            let slot = counts.entry(word.of(parsed.text()).to_lowercase()).or_default();
            if !word.is_capitalised {
                slot.0 += 1;
            } else if position > 0 {
                slot.1 += 1;
            }
        }
    }
    counts
}

fn merge(
    mut into: HashMap<String, (usize, usize)>,
    from: HashMap<String, (usize, usize)>,
) -> HashMap<String, (usize, usize)> {
    if into.len() < from.len() {
        return merge(from, into);
    }
    #[allow(clippy::iter_over_hash_type, reason = "sums of counts do not depend on the order")]
    for (word, (lower, upper)) in from {
        let slot = into.entry(word).or_default();
        slot.0 += lower;
        slot.1 += upper;
    }
    into
}
