//! Events named by their year: "2009 European Parliament election", "1998 Winter Olympics".

use crate::word::Word;
use crate::word_list::List;

/// Most words in lower case between the capitalised ones and the noun ("Italian *general* election"). Arbitrary.
const MAX_LOWER: usize = 2;

/// The words `first..end` of the event whose name has the capitalised phrase `at..=last`, if a year stands right before
/// the phrase and a noun of events ends it or follows within two words.
pub(super) fn around(text: &str, words: &[Word], at: usize, last: usize) -> Option<(usize, usize)> {
    // "In 2009 the …" begins a phrase with its preposition: the year may lie inside.
    let year = (at.saturating_sub(1)..=last).find(|position| is_year(text, words[*position]))?;
    let name = year + 1;
    if name > last || !words[name].is_capitalised || !is_adjacent(text, words[year], words[name]) {
        return None;
    }
    let end = end(text, words, name, last)?;
    let month = year
        .checked_sub(1)
        .filter(|before| List::Calendar.has(words[*before].of(text)) && is_adjacent(text, words[*before], words[year]));
    Some((month.unwrap_or(year), end))
}

/// One past the noun that ends the name.
fn end(text: &str, words: &[Word], name: usize, last: usize) -> Option<usize> {
    let within = (name..=last).find(|position| *position > name && is_noun(text, words[*position]));
    let beyond = || {
        let reach = (last + 1)..words.len().min(last + 2 + MAX_LOWER);
        let near = reach.take_while(|position| is_adjacent(text, words[*position - 1], words[*position]));
        let mut lower = near.take_while(|position| !words[*position].is_capitalised);
        lower.find(|position| is_noun(text, words[*position]))
    };
    within.or_else(beyond).map(|position| position + 1)
}

fn is_noun(text: &str, word: Word) -> bool {
    List::EventNouns.has(&word.of(text).to_lowercase())
}

fn is_year(text: &str, word: Word) -> bool {
    let spelled = word.of(text);
    word.is_number && spelled.len() == 4 && (spelled.starts_with('1') || spelled.starts_with('2'))
}

fn is_adjacent(text: &str, before: Word, after: Word) -> bool {
    let gap = text.get(before.span.end as usize..after.span.start as usize);
    gap.is_some_and(|gap| gap == " ")
}
