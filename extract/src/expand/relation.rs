//! Relations that the words between two names suggest.

use super::embedded::Types;
use super::{Candidate, named};
use crate::word_list::List;
use banyan_engine::Contribution;
use banyan_engine::index::term;
use banyan_engine::schema::ElementKind;

/// Most words of a relation's name. Arbitrary; longer phrases are seldom said twice.
const MAX_WORDS: usize = 3;
/// Prepositions that bind a verb or noun to what follows; sorted.
const PREPOSITIONS: &[&str] = &[
    "after", "against", "as", "at", "by", "for", "from", "in", "into", "near", "of", "on", "over", "through", "to",
    "under", "with",
];

/// A candidate for each unnamed connection whose words are a relation.
pub(super) fn candidates(contribution: &Contribution, types: &Types) -> Vec<Candidate> {
    let claims = contribution.loose.iter();
    claims
        .filter_map(|claim| {
            let element = named(ElementKind::Relation, relation(&claim.phrase)?);
            Some(Candidate {
                head_type: types.of(&claim.head),
                tail_type: types.of(&claim.tail),
                ..Candidate::new(element, contribution.document, claim.span)
            })
        })
        .collect()
}

/// The relation that words in lower case say: a past tense ("married"), or a verb or noun with its preposition
/// ("was moved to", "is the capital of"), in `snake_case` without auxiliaries and articles. `None` for anything else, and
/// for definitions ("is a village in"), which say what a thing is and where.
fn relation(phrase: &str) -> Option<String> {
    let all: Vec<&str> = phrase.split(' ').collect();
    let words: Vec<&str> = all
        .iter()
        .copied()
        .filter(|word| !List::Idle.has(word) && !word.ends_with("ly"))
        .collect();
    let (last, rest) = words.split_last()?;
    let is_content = |word: &&str| {
        let is_plain = word.chars().count() > 2 && word.chars().all(|ch| ch.is_lowercase() || ch == '-');
        is_plain && !term::is_stop_word(word) && !List::EmptyVerbs.has(word)
    };
    let is_verb = |word: &str| word.ends_with("ed") || List::IrregularPasts.has(word);
    let is_bound = PREPOSITIONS.binary_search(last).is_ok() && !rest.is_empty() && rest.iter().all(is_content);
    let is_definition = *last != "of" && all.iter().any(|word| matches!(*word, "a" | "an"));
    let is_past = rest.is_empty() && is_content(last) && is_verb(last);
    // "was founded Reed" leaves out what would bind the two.
    let is_passive = is_past
        && all.len() > 1
        && all
            .iter()
            .any(|word| matches!(*word, "is" | "was" | "were" | "are" | "been"));
    ((is_bound && !is_definition || (is_past && !is_passive)) && words.len() <= MAX_WORDS).then(|| words.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_past_or_a_word_with_its_preposition_is_a_relation_and_nothing_else_is() {
        assert!(PREPOSITIONS.is_sorted());
        for (phrase, expected) in [
            ("moved to", Some("moved_to")),
            ("was later moved to", Some("moved_to")),
            ("is the capital of", Some("capital_of")),
            ("was appointed governor of", Some("appointed_governor_of")),
            ("quickly overtook", Some("overtook")),
            ("and his wife", None),
            ("in the", None),
            ("", None),
            ("singer", None),
            ("was founded", None),
            ("who was at that time of", None),
            ("had", None),
        ] {
            assert_eq!(relation(phrase).as_deref(), expected, "{phrase}");
        }
    }
}
