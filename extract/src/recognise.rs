//! Names in a text without a model: capitalised phrases, quoted titles, and what a document calls its subject.

use crate::parsed::Parsed;
use crate::word::{Word, words};
use banyan_engine::index::term;
use banyan_engine::{Span, name};
use rayon::prelude::*;
use std::collections::BTreeMap;

mod case;

pub use case::CaseCounts;

/// Lower-case words that may stand inside a name.
const CONNECTORS: &[&str] = &[
    "&", "al", "and", "at", "da", "das", "de", "del", "della", "den", "der", "des", "di", "do", "dos", "du", "el",
    "for", "in", "la", "las", "le", "les", "los", "of", "on", "the", "to", "van", "von", "y", "zu",
];
/// Connectors that may as well join two names; the phrase is cut there.
const LOOSE: &[&str] = &["and", "at", "in", "on", "to"];
/// Capitalised words of the calendar: dates are values, not names.
const CALENDAR: &[&str] = &[
    "April",
    "August",
    "December",
    "February",
    "Friday",
    "January",
    "July",
    "June",
    "March",
    "May",
    "Monday",
    "November",
    "October",
    "Saturday",
    "September",
    "Sunday",
    "Thursday",
    "Tuesday",
    "Wednesday",
];
/// Longest name in words. Arbitrary: longer ones are headlines.
const MAX_WORDS: usize = 9;
/// Longest quoted title in words. Arbitrary.
const MAX_QUOTED_WORDS: usize = 10;

/// Words from this length on are capitalised in titles.
const MIN_TITLE_WORD: usize = 4;

/// A name as one place of a text writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Where it stands.
    pub span: Span,
    /// Whether quotation marks delimit it.
    pub is_quoted: bool,
}

/// The names in one document, in text order. Cost O(length).
pub fn names(parsed: &Parsed, cases: &CaseCounts) -> Vec<Name> {
    let mut titles = Vec::new();
    quoted(parsed.text(), &mut titles);
    titles.sort();
    let mut names = Vec::new();
    for (_, words) in &parsed.sentences {
        phrases(parsed.text(), words, cases, &mut names);
    }
    // What stands inside a quoted title is part of that name.
    names.retain(|name| {
        let before = titles.partition_point(|title| title.span.start <= name.span.start);
        !before
            .checked_sub(1)
            .is_some_and(|at| titles[at].span.contains(name.span))
    });
    names.append(&mut titles);
    names.sort();
    names.dedup();
    names
}

/// What the opening of a document calls its subject, where it is more than the title: `Clarence Snow` from
/// "Clarence Snow (1914–1999) was …" in a document called "Hank Snow". Shares a word with the title.
pub fn opening_name(title: &str, parsed: &Parsed) -> Option<Span> {
    let (sentence, words) = parsed.sentences.first()?;
    let text = parsed.text();
    let skip = words
        .first()
        .filter(|word| name::key(word.of(text)).is_empty() || is_article(word.of(text)));
    let start = skip.map_or(sentence.start, |word| word.span.end) as usize;
    let rest = &text[start..sentence.end as usize];
    let cut = rest
        .find(['(', ',', ';', ':'])
        .into_iter()
        .chain(
            [" is ", " was ", " are ", " were "]
                .iter()
                .filter_map(|verb| rest.find(verb)),
        )
        .min()?;
    let opening = rest[..cut].trim();
    let offset = start + rest.find(opening)?;
    let span = Span::new(offset, offset + opening.len());
    let key = name::key(opening);
    let title_key = name::key(title);
    let shares = key
        .split(' ')
        .any(|word| title_key.split(' ').any(|other| other == word));
    let inside: Vec<_> = words.iter().filter(|word| span.contains(word.span)).collect();
    let is_name = (2..=6).contains(&inside.len())
        && inside
            .iter()
            .all(|word| word.is_capitalised || is_connector(word.of(text)));
    (is_name && shares && key != title_key).then_some(span)
}

fn is_article(word: &str) -> bool {
    ["the", "a", "an"]
        .iter()
        .any(|article| word.eq_ignore_ascii_case(article))
}

fn is_connector(word: &str) -> bool {
    CONNECTORS.binary_search(&word).is_ok()
}

/// Emits the capitalised phrases among the words of one sentence.
fn phrases(text: &str, words: &[Word], cases: &CaseCounts, names: &mut Vec<Name>) {
    let mut at = 0;
    while at < words.len() {
        if !words[at].is_capitalised {
            at += 1;
            continue;
        }
        let last = phrase_end(text, words, at);
        for part in words[at..=last].split(|word| LOOSE.contains(&word.of(text))) {
            let initial = at == 0 && part.first().map(|word| word.span) == Some(words[0].span);
            if let Some(span) = trimmed(text, part, initial, cases) {
                names.push(Name { span, is_quoted: false });
            }
        }
        at = last + 1;
    }
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

/// Whether nothing but a space, an ampersand or the point of an initial stands between two words.
fn joined(text: &str, before: Word, after: Word) -> bool {
    let gap = text
        .get(before.span.end as usize..after.span.start as usize)
        .unwrap_or("");
    match gap.trim() {
        "" | "&" => !gap.contains("\n\n"),
        "." => {
            before.is_capitalised
                && before.of(text).chars().count() <= 2
                && !term::is_stop_word(&after.of(text).to_lowercase())
        }
        _ => false,
    }
}

/// The span of a phrase without function words at its ends; `None` where nothing that can be a name remains.
fn trimmed(text: &str, part: &[Word], is_initial: bool, cases: &CaseCounts) -> Option<Span> {
    let is_filler = |word: &Word| term::is_stop_word(&word.of(text).to_lowercase()) || is_connector(word.of(text));
    let opens = part
        .first()
        .is_some_and(|word| is_initial && cases.is_common(word.of(text)) && part.len() > 1);
    let part = if opens && is_filler(&part[0]) { &part[1..] } else { part };
    let first = part.iter().position(|word| !is_filler(word))?;
    let last = part.iter().rposition(|word| !is_filler(word))?;
    let part = &part[first..=last];
    let single = part.len() == 1;
    let word = part[0].of(text);
    let is_date = part
        .iter()
        .all(|word| word.is_number || CALENDAR.binary_search(&word.of(text)).is_ok());
    let is_weak = single
        && ((is_initial && cases.is_common(word))
            || cases.is_rarely_a_name(word)
            || word.chars().count() < 2
            || part[0].is_number);
    (!is_weak && !is_date && part.len() <= MAX_WORDS).then(|| Span {
        start: part[0].span.start,
        end: part[part.len() - 1].span.end,
    })
}

/// Emits what stands between quotation marks, if it is short and begins like a title. Marks are paired within a
/// paragraph, so that one that is missing cannot turn the rest of a book inside out. Cost O(length).
fn quoted(text: &str, names: &mut Vec<Name>) {
    let mut offset = 0;
    for paragraph in text.split_inclusive("\n\n") {
        for (open, close) in [("\"", "\""), ("“", "”"), ("``", "''"), ("《", "》")] {
            for (start, end) in pairs(paragraph, open, close) {
                let inner = paragraph[start..end].trim_end_matches([',', '.', '，', '。']);
                let span = Span::new(offset + start, offset + start + inner.len());
                if is_title(text, span, open == "《") {
                    names.push(Name { span, is_quoted: true });
                }
            }
        }
        offset += paragraph.len();
    }
}

/// The ranges between each opening mark and the closing mark that follows it before another opening one.
fn pairs(paragraph: &str, open: &str, close: &str) -> Vec<(usize, usize)> {
    if open == close {
        let marks: Vec<usize> = paragraph.match_indices(open).map(|(at, _)| at).collect();
        return marks
            .chunks_exact(2)
            .map(|pair| (pair[0] + open.len(), pair[1]))
            .collect();
    }
    let opens = paragraph.match_indices(open).map(|(at, _)| (at + open.len(), true));
    let closes = paragraph.match_indices(close).map(|(at, _)| (at, false));
    let mut marks: Vec<(usize, bool)> = opens.chain(closes).collect();
    marks.sort_unstable();
    let adjacent = marks.windows(2).filter(|pair| pair[0].1 && !pair[1].1);
    adjacent.map(|pair| (pair[0].0, pair[1].0)).collect()
}

/// Whether a quotation can be a title: short, its longer words mostly capitalised where the script has capitals, and no
/// speech, unless book marks say so.
fn is_title(text: &str, span: Span, is_book: bool) -> bool {
    let inner = span.of(text);
    let is_speech = inner.contains(['。', '！', '？', '，', '：', '；', ';']) || inner.ends_with(['!', '?']);
    let begins = inner.starts_with(|ch: char| !ch.is_lowercase() && !ch.is_whitespace());
    let words = words(text, span);
    let long = |word: &&Word| word.of(text).chars().count() >= MIN_TITLE_WORD && word.of(text).is_ascii();
    let n_long = words.iter().filter(long).count();
    let n_capitalised = words.iter().filter(long).filter(|word| word.is_capitalised).count();
    let fits = begins && !is_speech && 2 * n_capitalised >= n_long;
    (is_book || fits) && (1..=MAX_QUOTED_WORDS).contains(&words.len()) && !name::key(inner).is_empty()
}

/// Every key that is named somewhere, with its spellings. Cost O(total length), in parallel.
pub fn survey(documents: &[(Vec<Name>, &str)]) -> BTreeMap<String, Vec<String>> {
    let spelled: Vec<Vec<(String, String)>> = documents
        .par_iter()
        .map(|(names, text)| {
            let spelling = |found: &Name| {
                let surface = found.span.of(text);
                (name::key(surface), surface.to_owned())
            };
            names.iter().map(spelling).collect()
        })
        .collect();
    let mut keys: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, surface) in spelled.into_iter().flatten() {
        if key.chars().filter(|ch| ch.is_alphanumeric()).count() > 1 {
            keys.entry(key).or_default().push(surface);
        }
    }
    for spellings in keys.values_mut() {
        spellings.sort();
        spellings.dedup();
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_engine::{Document, Origin};

    fn check(text: &str, expected: &[&str]) {
        assert!(CONNECTORS.is_sorted());
        let origin = Origin {
            file: String::new(),
            record: None,
            line: None,
        };
        let document = Document::new("T", text, origin);
        let parsed = Parsed::new(&document);
        let cases = CaseCounts::new(&[&parsed]);
        let found: Vec<_> = names(&parsed, &cases).iter().map(|found| found.span.of(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn capitalised_phrases_keep_their_inner_words() {
        check(
            "The University of Melbourne hired J. R. Reed and Mary Anne Hall in Paris.",
            &["University of Melbourne", "J. R. Reed", "Mary Anne Hall", "Paris"],
        );
    }

    #[test]
    fn a_common_word_that_opens_a_sentence_is_no_name() {
        check("Later the boat sank. It was later sold to Reed.", &["Reed"]);
    }

    #[test]
    fn dates_are_no_names() {
        assert!(CALENDAR.is_sorted());
        check("The mill burned in November 1989, on a Monday, near Tidd.", &["Tidd"]);
    }

    #[test]
    fn quoted_titles_are_names_and_speech_is_not() {
        check(
            "She sang \"When the Stars Go Blue\", then left.",
            &["When the Stars Go Blue"],
        );
        check("\"He may be asleep by now,\" she said.", &[]);
        check("“Where is he?” she asked.", &[]);
        check("施耐庵《水浒传》说：“我自去。你休管！”", &["水浒传"]);
    }
}
