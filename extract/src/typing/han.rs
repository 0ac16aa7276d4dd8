//! What kind of thing a Chinese name denotes: by the noun that it ends with, by its make, and by what its document says.

use crate::han::{folded, has_surname, kind_of};
use crate::phrase::Phrases;
use crate::word::{Kind, Word};
use banyan_engine::{Span, TypeId};

/// Endings of place names that end given names as well, where a surname begins the name.
const SHARED: &[char] = &['山', '川', '岭', '峰', '岛', '林', '江', '河', '海', '湖', '溪'];
/// Longest name of a person without a dot, in characters.
const MAX_PERSON: usize = 4;
/// Longest noun phrase after "是", in words. Arbitrary.
const MAX_NOUN_PHRASE: usize = 14;
/// Marks that end it.
const MARKS: &[char] = &['，', '。', '；', '：', '（', ',', '.', ';', '('];

/// The type that a name shows by itself.
pub(super) fn of_name(name: &str, phrases: &Phrases) -> Option<TypeId> {
    let person = || phrases.type_of("person");
    if name.contains(['·', '•', '・', '‧']) {
        return person();
    }
    let name = folded(name);
    let name = name.as_str();
    let kind = kind_of(name);
    let n_chars = name.chars().count();
    let is_personal = kind == Kind::Person && n_chars <= MAX_PERSON && has_surname(name);
    let by_noun = phrases.type_of(name);
    if is_personal && (by_noun.is_none() || n_chars == 2 || name.ends_with(SHARED)) {
        return person();
    }
    by_noun.or_else(|| match kind {
        Kind::Person => person(),
        Kind::Place => phrases.type_of("place"),
        Kind::Organisation => phrases.type_of("organisation"),
        _ => None,
    })
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
    Some((first.span.to(last.span), phrases.type_of(last.of(text))))
}
