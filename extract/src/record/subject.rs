//! What the documents of a corpus are about: how their titles and first lines call one of them.

use super::page::Page;
use super::thesaurus::words;
use crate::stem::stem;
use std::collections::{BTreeMap, BTreeSet};

/// Longest first line that is a heading, in bytes.
const MAX_HEADING: usize = 100;
/// Sentences in which a page says what its subject is.
const LEAD: usize = 4;

/// The first line of a document, where it is a heading: a labelled value is none, unless it is the title.
pub(super) fn heading<'a>(page: &Page<'a>) -> &'a str {
    let text = page.document.text.as_str();
    let lines = text.lines().map(str::trim);
    let first = lines
        .map(|line| line.trim_start_matches(['#', '=', ' ']))
        .find(|line| !line.is_empty());
    let is_labelled = |line: &str| {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let own = page
            .fields
            .iter()
            .find(|field| (start..start + line.len()).contains(&(field.label.start as usize)));
        own.is_some_and(|field| !page.document.title.contains(field.value.of(text)))
    };
    first
        .filter(|line| line.len() <= MAX_HEADING && !line.ends_with('.') && !is_labelled(line))
        .unwrap_or("")
}

/// What a record is called: the words that nearly all titles share, else the noun that most documents call their subject
/// (`… is a hotel`).
pub(super) fn nouns(pages: &[Page<'_>]) -> Vec<String> {
    let called: Vec<BTreeSet<String>> = pages.iter().map(definitions).collect();
    let n_called = called.iter().filter(|words| !words.is_empty()).count();
    let distinct: BTreeSet<&String> = called.iter().flatten().collect();
    // Of what documents call their subject, the word that others use for theirs too names them all: of hotels, lodges and
    // hostels the hotel.
    let at_large = |word: &str| {
        let others = pages.iter().zip(&called).filter(|(_, own)| !own.contains(word));
        others.filter(|(page, _)| page.mentions(word)).count()
    };
    let own = |word: &str| called.iter().filter(|words| words.contains(word)).count();
    let mut frequent: Vec<(usize, &String)> = distinct
        .into_iter()
        .map(|word| (own(word) + at_large(word), word))
        .filter(|(n, word)| *n > 1 && (own(word) * 2 > n_called || at_large(word) > 1))
        .collect();
    frequent.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let titles: Vec<&str> = pages.iter().map(|page| page.document.title.as_str()).collect();
    let headings: Vec<&str> = pages.iter().map(heading).collect();
    let mut nouns: Vec<String> = shared(&titles).into_iter().chain(shared(&headings)).collect();
    nouns.dedup();
    if n_called * 3 >= pages.len() {
        nouns.extend(frequent.first().map(|(_, word)| (*word).clone()));
    }
    nouns
}

/// What a page's first sentences call its subject.
pub(super) fn definitions(page: &Page<'_>) -> BTreeSet<String> {
    let lead = page.sentences.iter().take(LEAD);
    lead.filter_map(super::fill::definition)
        .map(|span| span.of(&page.document.text).to_lowercase())
        .collect()
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
