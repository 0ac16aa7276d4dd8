//! What the documents of a corpus are about: how their titles and first sentences call one of them.

use super::mention::definition;
use super::page::Page;
use super::term::{is_function, stem_of, terms, words};
use banyan_engine::Document;
use banyan_engine::table::Column;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

/// A noun names the records from this share of the documents that say what they are on. Arbitrary: a fifth.
const SHARE: usize = 5;

/// What a record is called: the words that nearly all titles share, and the nouns that many documents call their subject,
/// the most frequent first; none where the documents call theirs differently. Cost O(length of the first sentences).
pub(super) fn nouns(pages: &[Page<'_>]) -> Vec<String> {
    let defined: Vec<String> = pages.iter().filter_map(noun).collect();
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for noun in &defined {
        *counts.entry(noun).or_default() += 1;
    }
    let mut frequent: Vec<(&String, usize)> = counts
        .into_iter()
        .filter(|(_, n)| *n > 1 && n * SHARE >= pages.len())
        .collect();
    frequent.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let titles: Vec<&str> = pages.iter().map(|page| page.document.title.as_str()).collect();
    let mut nouns: Vec<String> = shared(&titles).into_iter().collect();
    nouns.extend(
        frequent
            .into_iter()
            .map(|(noun, _)| noun.clone())
            .filter(|noun| !nouns.contains(noun))
            .collect::<Vec<_>>(),
    );
    nouns
}

/// What the one file of all documents is called, or the folder where each has its own, which says what they are: `tools` of
/// `tools.csv`. None where a column is called so. Cost O(documents).
pub(super) fn holder(documents: &[Document], columns: &[Column]) -> Option<String> {
    let [first, rest @ ..] = documents else { return None };
    let name = held(first).filter(|name| !rest.is_empty() && rest.iter().all(|other| held(other) == Some(name)))?;
    let words: Vec<String> = words(name.to_str()?)
        .into_iter()
        .filter(|word| word.parse::<f64>().is_err())
        .collect();
    let is_column = |word: &String| {
        let mut named = columns.iter().map(|column| terms(&column.name));
        named.any(|name| matches!(&name[..], [only] if only.stem == stem_of(word)))
    };
    (!words.is_empty() && !words.iter().any(is_column)).then(|| words.join(" "))
}

/// The name, without its ending, of the file that holds a document among others, or of the folder of its own file.
fn held(document: &Document) -> Option<&OsStr> {
    let origin = document.origins.first()?;
    let file = Path::new(&origin.file);
    let holder = if origin.record.is_some() {
        Some(file)
    } else {
        file.parent()
    };
    holder?.file_stem()
}

/// What a page calls its subject: the last word of its definition.
pub(super) fn noun(page: &Page<'_>) -> Option<String> {
    let phrase = definition(page)?.of(&page.document.text);
    words(phrase).pop()
}

/// The longest run of words that at least four of five titles share.
fn shared(titles: &[&str]) -> Option<String> {
    let n = titles.len();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for title in titles {
        let distinct: BTreeSet<String> = words(title).iter().map(|word| stem_of(word)).collect();
        for word in distinct {
            *counts.entry(word).or_default() += 1;
        }
    }
    let is_shared = |word: &String| n > 1 && counts.get(&stem_of(word)).is_some_and(|count| count * 5 >= n * 4);
    let first = words(titles.iter().find(|title| !title.is_empty())?);
    let runs = first
        .split(|word| is_function(word) || !is_shared(word))
        .filter(|run| !run.is_empty());
    // Of runs of equal length the earlier one.
    let longest = runs.rev().max_by_key(|run| run.len())?;
    Some(longest.join(" "))
}
