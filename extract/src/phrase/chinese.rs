//! Chinese phrases: written without spaces, around a name, or with the tail before the head.

use super::{Found, MAX_SKIPPED, MAX_WORDS, NAME, Phrases, spoken};
use crate::han;
use banyan_engine::RelationId;

/// Longest Chinese phrase in characters. Arbitrary.
const MAX_HAN: usize = 12;

/// A phrase that stands around a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) ids: Vec<RelationId>,
    /// The phrase as the schema writes it.
    pub(crate) phrase: String,
    /// Number of words after the name up to the phrase's end.
    pub(crate) n_after: usize,
}

impl Phrases {
    /// The relation of two names that just these words stand between, the tail first ("东岭省*的省会是*云川市").
    pub(crate) fn relation_reversed(&self, words: &[String]) -> Option<&[RelationId]> {
        self.reversed.get(&spoken(words)).map(Vec::as_slice)
    }

    /// The relation whose phrase stands around a name: of those whose first part ends right before it, but for a few
    /// words, and whose second part ends within the words that follow, the one with the longest second part. `before`
    /// and `after` are the words on either side in lower case, up to the next name or mark; only the nearest count.
    pub(crate) fn relation_around(&self, before: &[String], after: &[String]) -> Option<Around> {
        let near = &before[before.len().saturating_sub(MAX_SKIPPED + 1)..];
        let following = &after[..after.len().min(MAX_WORDS)];
        self.around.iter().find_map(|(opening, closing, ids)| {
            near.iter().rposition(|word| word == opening)?;
            let n_after = (1..=following.len()).find(|end| ends_phrase(&following[..*end], closing))?;
            Some(Around {
                ids: ids.clone(),
                phrase: format!("{opening}{NAME}{closing}"),
                n_after,
            })
        })
    }

    /// The longest Chinese phrase that ends with the words, wherever among their characters it begins.
    pub(super) fn chinese_before(&self, words: &[String]) -> Option<Found<RelationId>> {
        let n_words = words
            .iter()
            .rev()
            .take_while(|word| han::begins(word))
            .take(MAX_HAN)
            .count();
        let whole = words[words.len() - n_words..].concat();
        let mut starts: Vec<usize> = whole.char_indices().rev().take(MAX_HAN).map(|(at, _)| at).collect();
        starts.reverse();
        let (length, ids) = starts
            .into_iter()
            .find_map(|at| Some((whole.len() - at, self.relations.get(&whole[at..])?)))?;
        let (mut first, mut covered) = (words.len(), 0);
        while covered < length {
            first -= 1;
            covered += words[first].len();
        }
        // One character may end any word; only as a word of its own it is a phrase.
        let is_word = covered == length || whole[whole.len() - length..].chars().count() > 1;
        is_word.then(|| Found {
            ids: ids.clone(),
            first,
            end: words.len(),
        })
    }
}

fn ends_phrase(words: &[String], phrase: &str) -> bool {
    let spoken = spoken(words);
    let is_whole = |rest: &str| rest.is_empty() || rest.ends_with(' ') || han::begins(phrase);
    spoken.strip_suffix(phrase).is_some_and(is_whole)
}
