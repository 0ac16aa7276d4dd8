//! Names that an opening defines: "The Man from Utopia is an album …" names its whole subject, small words and all.

use super::{MAX_WORDS, Name, is_article, is_connector};
use crate::grammar::{Dependency, Pos};
use crate::word::{Word, dependent};

/// Prepositions that stand inside titles, beside connectors.
const WITHIN_TITLES: &[&str] = &[
    "about", "against", "before", "from", "into", "over", "under", "with", "without",
];

/// The name before "is a …" at the beginning of a parsed sentence, where capitals open and end it and nothing within it
/// is a common word. Behind a comma or in brackets stands something else: "*Low Water* (1951) is a film". Cost O(words).
pub(super) fn defined(text: &str, words: &[Word]) -> Option<Name> {
    let gap = |at: usize| text.get(words[at - 1].span.end as usize..words[at].span.start as usize);
    let is_whole = |at: &usize| *at == 0 || gap(*at).is_some_and(|gap| !gap.contains(['(', ',', ';', '\n', '"', '“']));
    let is_part = |at: &usize| {
        let spelled = words[*at].of(text);
        let is_small = is_connector(spelled) || WITHIN_TITLES.binary_search(&spelled).is_ok();
        words[*at].is_capitalised || words[*at].is_number || is_small
    };
    let end = (0..words.len())
        .take_while(is_whole)
        .take_while(is_part)
        .last()
        .map(|last| last + 1)?;
    let skipped = usize::from(is_article(words[0].of(text)));
    let inside = words.get(skipped..end)?;
    let (first, last) = (inside.first()?, inside.last()?);
    let opens = first.is_capitalised && !matches!(first.pos, Pos::Gerund | Pos::Verb | Pos::Adverb | Pos::Function);
    let is_name = |word: &Word| word.is_tagged_name() == Some(true);
    let fits = (2..=MAX_WORDS).contains(&inside.len()) && inside.iter().any(is_name);
    let is_ended = last.is_capitalised || last.is_number;
    (opens && fits && is_ended && is_subject(text, words, end)).then_some(Name {
        span: first.span.to(last.span),
        is_quoted: false,
    })
}

/// Whether what ends before `end` is what a sentence says the kind of: the subject of "is a".
fn is_subject(text: &str, words: &[Word], end: usize) -> bool {
    let says = |verb: usize| {
        let article = words.get(verb + 1).map_or("", |word| word.of(text));
        matches!(words[verb].of(text), "is" | "was")
            && matches!(article, "a" | "an" | "the" | "one")
            && dependent(words, verb, Dependency::Subject).is_some_and(|at| at < end)
            && dependent(words, verb, Dependency::Complement).is_some()
    };
    (end..words.len())
        .find(|at| words[*at].dependency == Dependency::Root)
        .is_some_and(says)
}
