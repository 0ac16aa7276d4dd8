//! What kind of thing a Chinese name denotes: by the noun that it ends with, and by what its document says.

use crate::phrase::Phrases;
use crate::word::Word;
use banyan_engine::{Span, TypeId};

/// Longest noun phrase after "是", in words. Arbitrary.
const MAX_NOUN_PHRASE: usize = 14;
/// Marks that end it.
const MARKS: &[char] = &['，', '。', '；', '：', '（', ',', '.', ';', '('];

/// The type that a name shows by itself; a single character before the noun is a surname as well.
pub(super) fn of_name(name: &str, phrases: &Phrases) -> Option<TypeId> {
    if name.contains(['·', '•', '・', '‧']) {
        return phrases.type_of("person");
    }
    let noun = name.char_indices().nth(2).map(|(at, _)| &name[at..]);
    noun.and_then(|noun| phrases.type_of(noun))
}

/// What the opening sentence says its subject is: the span after "是" up to the next mark, and the type of its last noun.
pub(super) fn definition(text: &str, words: &[Word], phrases: &Phrases) -> Option<(Span, Option<TypeId>)> {
    let copula = words.iter().position(|word| word.of(text) == "是")?;
    let opening = text.get(words[0].span.start as usize..words[copula].span.start as usize)?;
    let opening = opening.rsplit(['）', ')']).next()?;
    // "…，最高峰是铁牛峰" says it of something else.
    if opening.rsplit_once('，').is_some_and(|(_, rest)| !rest.is_empty()) {
        return None;
    }
    let is_adjacent = |pair: &&[Word]| {
        let gap = text
            .get(pair[0].span.end as usize..pair[1].span.start as usize)
            .unwrap_or("");
        !gap.contains(MARKS)
    };
    let rest = &words[copula..words.len().min(copula + MAX_NOUN_PHRASE + 1)];
    let n_words = rest.windows(2).take_while(is_adjacent).count();
    let (first, last) = (rest.get(1)?, rest.get(n_words).filter(|_| n_words > 0)?);
    let phrase = first.span.to(last.span);
    Some((phrase, phrases.type_of(phrase.of(text))))
}
