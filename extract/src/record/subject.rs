//! What the documents of a corpus are about: how their titles and first lines call one of them.

use super::page::Page;
use super::thesaurus::words;
use crate::stem::stem;
use std::collections::{BTreeMap, BTreeSet};

/// Longest first line that is a heading, in bytes.
const MAX_HEADING: usize = 100;

/// The first line of a document, where it is a heading.
pub(super) fn heading<'a>(page: &Page<'a>) -> &'a str {
    let lines = page.document.text.lines().map(str::trim);
    let first = lines
        .map(|line| line.trim_start_matches(['#', '=', ' ']))
        .find(|line| !line.is_empty());
    first
        .filter(|line| line.len() <= MAX_HEADING && !line.ends_with('.'))
        .unwrap_or("")
}

/// What a record is called: the words that nearly all titles share, else the noun that most documents call their subject
/// (`… is a hotel`).
pub(super) fn nouns(pages: &[Page<'_>]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for page in pages {
        let mut seen = BTreeSet::new();
        for sentence in page.sentences.iter().take(4) {
            seen.extend(super::fill::definition(sentence).map(|span| span.of(&page.document.text).to_owned()));
        }
        for word in seen {
            *counts.entry(word).or_default() += 1;
        }
    }
    // Of what documents call their subject, the word that most documents use anywhere names them all: of hotels, lodges and
    // hostels the hotel.
    let spoken = |word: &String| pages.iter().filter(|page| page.mentions(word)).count();
    let mut frequent: Vec<(String, usize)> = counts
        .into_keys()
        .map(|word| (spoken(&word), word))
        .filter(|(n, _)| *n * 3 >= pages.len() && *n > 1)
        .map(|(n, word)| (word, n))
        .collect();
    frequent.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let titles: Vec<&str> = pages.iter().map(|page| page.document.title.as_str()).collect();
    let headings: Vec<&str> = pages.iter().map(heading).collect();
    let mut nouns: Vec<String> = shared(&titles).into_iter().chain(shared(&headings)).collect();
    nouns.dedup();
    nouns.extend(frequent.into_iter().take(1).map(|(word, _)| word));
    nouns
}

/// The longest run of words that at least four of five titles share.
fn shared(titles: &[&str]) -> Option<String> {
    let n = titles.len();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for title in titles {
        let distinct: BTreeSet<String> = words(title).iter().map(|word| stem(word)).collect();
        for word in distinct {
            *counts.entry(word).or_default() += 1;
        }
    }
    let is_shared = |word: &String| n > 1 && counts.get(&stem(word)).is_some_and(|count| count * 5 >= n * 4);
    let first = words(titles.iter().find(|title| !title.is_empty())?);
    let is_content = |word: &String| is_shared(word) && !super::thesaurus::units(word).is_empty();
    let runs = first.split(|word| !is_content(word)).filter(|run| !run.is_empty());
    // Of runs of equal length the earlier one.
    let longest = runs.rev().max_by_key(|run| run.len())?;
    Some(longest.join(" "))
}
