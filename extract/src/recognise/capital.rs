//! Capitalised phrases: which words of a sentence belong to one name, and where it begins and ends.

use super::{CaseCounts, LOOSE, MAX_WORDS, Name, event, is_article, is_connector};
use crate::gazetteer;
use crate::han;
use crate::word::{Kind, Word, opens};
use crate::word_list::List;
use banyan_engine::Span;
use banyan_engine::index::term;

/// Words that own something within a name ("Convention *People*'s Party"); other owners are names of their own.
const OWNERS: &[&str] = &[
    "Children", "Farmers", "Father", "Fathers", "King", "Lord", "Men", "Mother", "Mothers", "People", "Peoples",
    "Prince", "Princess", "Queen", "Veterans", "Women", "Workers",
];

/// Words that standards write in capitals to say what is required (RFC 2119); no part of any name.
const REQUIRING: &[&str] = &[
    "MAY",
    "MUST",
    "NOT",
    "OPTIONAL",
    "RECOMMENDED",
    "REQUIRED",
    "SHALL",
    "SHOULD",
];

/// Marks between the parts of a foreign name in Chinese.
const DOTS: &[&str] = &["", "·", "•", "・", "‧"];
/// Chinese verbs of speech and perception, which stand right behind the name of who speaks or sees.
const VERBS: &[&str] = &["道", "见", "听", "说", "问", "答", "笑", "叫", "看"];

/// Whether a word is a title that stands before names of persons and is no part of them.
pub(crate) fn is_title(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
        && [List::Honorifics, List::Addresses]
            .iter()
            .any(|list| list.has(&word.to_lowercase()))
}

/// Emits the capitalised phrases among the words of one sentence.
pub(super) fn phrases(text: &str, words: &[Word], cases: &CaseCounts, names: &mut Vec<Name>) {
    let mut at = 0;
    while at < words.len() {
        if !words[at].is_capitalised {
            at += 1;
            continue;
        }
        let last = phrase_end(text, words, at);
        if let Some((first, end)) = event::around(text, words, at, last) {
            let span = Span {
                start: words[first].span.start,
                end: words[end - 1].span.end,
            };
            names.push(Name { span, is_quoted: false });
            at = end.max(last + 1);
            continue;
        }
        for part in parts(text, &words[at..=last]) {
            let is_first = part.first().map(|word| word.span) == Some(words[at].span);
            let initial = is_first && opens(text, words, at);
            if let Some(span) = trimmed(text, part, initial, cases) {
                names.push(Name { span, is_quoted: false });
            }
        }
        at = last + 1;
    }
}

/// A phrase cut where it may as well be two names: at loose connectors outside of what a recogniser takes for one name,
/// and before an article that follows a name.
fn parts<'a>(text: &'a str, phrase: &'a [Word]) -> impl Iterator<Item = &'a [Word]> {
    let is_cut =
        move |word: &Word| REQUIRING.contains(&word.of(text)) || (LOOSE.contains(&word.of(text)) && !is_within(word));
    let loose = phrase.split(is_cut);
    loose.flat_map(move |part| {
        let begins_anew = |at: usize| {
            let (before, after) = (part[at - 1].of(text), part.get(at + 1).map_or("", |word| word.of(text)));
            let is_bare = !is_connector(before);
            let is_other = part[at - 1].is_number || after.ends_with('s') || after.chars().all(char::is_uppercase);
            part[at].of(text) == "the" && is_bare && is_other
        };
        let cut = (1..part.len()).find(|at| begins_anew(*at));
        let (head, tail) = cut.map_or((part, &part[part.len()..]), |at| (&part[..at], &part[at + 1..]));
        [head, tail].into_iter().filter(|part| !part.is_empty())
    })
}

/// Whether a recogniser takes a word for one name with the word before it.
fn is_within(word: &Word) -> bool {
    word.kind.is_name() && !word.begins
}

/// The last capitalised word (or number) that still belongs to the phrase starting at `first`.
fn phrase_end(text: &str, words: &[Word], first: usize) -> usize {
    let mut last = first;
    for next in first + 1..words.len() {
        let (before, word) = (words[next - 1], words[next]);
        if !joined(text, before, word) {
            break;
        }
        if word.is_capitalised || (word.is_number && next == last + 1) {
            last = next;
        } else if !is_connector(word.of(text)) || next - last > 2 {
            break;
        }
    }
    last
}

/// Whether nothing but a space, an ampersand, the point of an initial or an owner's ending stands between two words.
fn joined(text: &str, before: Word, after: Word) -> bool {
    let gap = text
        .get(before.span.end as usize..after.span.start as usize)
        .unwrap_or("");
    let are_chinese = [before, after].map(|word| han::begins(word.of(text)));
    if are_chinese.contains(&true) {
        return are_chinese == [true, true] && !after.begins && DOTS.contains(&gap);
    }
    match gap.trim() {
        "" | "&" => !gap.contains("\n\n"),
        "." => {
            before.is_capitalised
                && (before.of(text).chars().count() <= 2 || is_title(before.of(text)))
                && !term::is_stop_word(&after.of(text).to_lowercase())
        }
        "'s" | "’s" => after.is_capitalised && (OWNERS.binary_search(&before.of(text)).is_ok() || is_within(&after)),
        _ => false,
    }
}

/// The span of a phrase without function words at its ends or an order before it; `None` where nothing that can be a name remains.
///
/// A capitalised article within a sentence belongs to the name, a date or a title before it does not.
fn trimmed(text: &str, part: &[Word], is_initial: bool, cases: &CaseCounts) -> Option<Span> {
    let is_filler = |word: &Word| term::is_stop_word(&word.of(text).to_lowercase()) || is_connector(word.of(text));
    let opens = part
        .first()
        .is_some_and(|word| is_initial && cases.is_common(word.of(text)) && part.len() > 1);
    let orders = |word: &Word| {
        let spelled = word.of(text);
        let is_person = word.kind == Kind::Person || gazetteer::is_given_name(spelled);
        cases.is_verb(spelled) && !is_person
    };
    // "Old Orde" at the head of a sentence is Orde.
    let describes =
        |part: &[Word]| part[1..].iter().all(|word| word.kind == Kind::Person) && !is_title(part[0].of(text));
    let part = if opens && (is_filler(&part[0]) || orders(&part[0]) || describes(part)) {
        &part[1..]
    } else {
        part
    };
    let first = part.iter().position(|word| !is_filler(word))?;
    let is_own_article = |at: &usize| {
        let word = part[*at];
        word.is_capitalised && is_article(word.of(text)) && !(is_initial && *at == 0 && !opens)
    };
    let article = first.checked_sub(1).filter(is_own_article);
    let last = part.iter().rposition(|word| !is_filler(word))?;
    let ends_in_numeral = part.get(last + 1).is_some_and(|word| word.of(text) == "I");
    let tagged = by_tags(&part[first..=last + usize::from(ends_in_numeral)])?;
    let inner = without_title(text, without_date(text, tagged)?);
    let single = inner.len() == 1;
    let word = inner[0].of(text);
    let is_date = inner.iter().all(|word| is_calendar(text, word));
    let is_weak = single
        && ((is_initial && cases.is_common(word))
            || cases.is_rarely_a_name(word)
            || (inner[0].is_tagged_name() == Some(true) && !word.contains(['#', '+']) && !cases.is_proved(word))
            || word.chars().count() < 2
            || List::Addresses.has(&word.to_lowercase())
            || inner[0].is_number);
    let is_whole = inner.first().map(|word| word.span) == Some(part[first].span);
    let begin = article.filter(|_| is_whole).map_or(inner[0], |at| part[at]);
    let last = inner[inner.len() - 1];
    (!is_weak && !is_date && inner.len() <= MAX_WORDS).then(|| Span {
        start: begin.span.start,
        end: last.span.start + bare(text, last, cases),
    })
}

/// The length of what a recognised word names: a Chinese name that the corpus has by itself, without the verb that was
/// drawn to it ("林远道"), and without a common word behind the name of a person ("林远先生"); else all of it.
fn bare(text: &str, word: Word, cases: &CaseCounts) -> u32 {
    let whole = word.of(text);
    let mut cuts = whole.char_indices().skip(2).map(|(at, _)| whole.split_at(at));
    let is_cut = |(name, rest): &(&str, &str)| {
        let is_common = || word.kind == Kind::Person && rest.chars().count() > 1 && cases.is_never_a_name(rest);
        cases.is_recognised(name) && (VERBS.contains(rest) || is_common())
    };
    let cut = cuts.find(|cut| han::begins(whole) && is_cut(cut));
    Span::new(0, cut.map_or(whole, |(name, _)| name).len()).end
}

/// A phrase without the words at its ends that a parser takes for no part of a name ("*But* Reed"); `None` where none is.
fn by_tags(part: &[Word]) -> Option<&[Word]> {
    let is_part = |word: &Word| word.is_number || word.is_tagged_name() != Some(false);
    let first = part.iter().position(is_part)?;
    let last = part.iter().rposition(is_part)?;
    let is_named = part.iter().any(|word| !word.is_number && is_part(word));
    is_named.then(|| &part[first..=last])
}

fn is_calendar(text: &str, word: &Word) -> bool {
    word.is_number || List::Calendar.has(word.of(text))
}

/// A phrase without the date before it ("*In July 2012* Schneider", "*December* Reed"); a date alone stays.
fn without_date<'a>(text: &str, part: &'a [Word]) -> Option<&'a [Word]> {
    let n_date = part.iter().take_while(|word| is_calendar(text, word)).count();
    let mut date = part[..n_date].iter();
    let is_date = date.any(|word| word.is_number || word.kind == Kind::Value);
    let rest = if is_date { &part[n_date..] } else { part };
    let bare = rest.iter().position(|word| word.is_capitalised || word.is_number);
    match bare {
        Some(first) => Some(&rest[first..]),
        None if rest.is_empty() => Some(part),
        None => None,
    }
}

/// A person's name without the titles before it, as far as a given name follows them.
fn without_title<'a>(text: &str, part: &'a [Word]) -> &'a [Word] {
    let n_titles = part.iter().take_while(|word| is_title(word.of(text))).count();
    let is_person = part
        .get(n_titles)
        .is_some_and(|word| gazetteer::is_given_name(word.of(text)));
    if is_person { &part[n_titles..] } else { part }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analysis;
    use banyan_engine::{Document, Origin};

    #[test]
    fn an_owner_is_part_of_a_name_where_a_recogniser_says_so() {
        let text = "They climbed Orle's Peak at noon.";
        let document = Document::new("T", text, Origin::default());
        let mut analysis = Analysis::surface(&document);
        let cases = CaseCounts::new(&[&analysis]);
        let words = &mut analysis.sentences[0].1;
        let found = |words: &[Word]| -> Vec<&str> {
            let mut names = Vec::new();
            phrases(text, words, &cases, &mut names);
            names
                .iter()
                .map(|name| name.span.of(text))
                .filter(|name| *name != "They")
                .collect()
        };
        assert_eq!(found(words), ["Orle", "Peak"], "nobody says so");
        let owner = words.iter().position(|word| word.of(text) == "Orle").unwrap();
        for (at, word) in words.iter_mut().enumerate() {
            word.kind = if (owner..owner + 2).contains(&at) {
                Kind::Place
            } else {
                word.kind
            };
            word.begins = at == owner;
        }
        assert_eq!(found(words), ["Orle's Peak"]);
    }

    #[test]
    fn lists_are_sorted_for_binary_search() {
        assert!(OWNERS.is_sorted());
    }
}
