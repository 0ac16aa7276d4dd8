//! Terms: what a corpus speaks of without a capital. Noun phrases are kept by how much of their own they are (C-value,
//! Frantzi, Ananiadou and Mima 2000) and by how they cluster (residual idf, Church and Gale 1995): "sperm whale" fills
//! some pages and is missing on others, "first time" is anywhere. Identifiers are terms by their shape, and what a text
//! abbreviates is one.

use crate::abbreviation::abbreviations;
use crate::analysis::Analysis;
use crate::grammar::{Dependency, Kind, Pos};
use crate::word::Word;
use crate::word_list::List;
use banyan_engine::document::overlapping;
use banyan_engine::index::term;
use banyan_engine::name;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Most words of a term. Arbitrary: longer ones are phrases.
const MAX_WORDS: usize = 4;
/// Longest identifier in characters. Arbitrary: longer ones are hashes.
const MAX_IDENTIFIER: usize = 40;
/// Parts of an identifier that need no length, and least characters a part of one that has more. Arbitrary.
const MAX_FREE_PARTS: usize = 3;
const MIN_PART: f32 = 3.5;
/// Sentences after which a document counts as another one, so that a book has many. Arbitrary: about a page.
const UNIT: usize = 20;
/// Least occurrences of a term that are no part of a longer one, by how it is made: nouns alone, or with an adjective.
const MIN_FREE: [f32; 2] = [2.0, 3.0];
/// Least residual idf of a term with an adjective, and of a single noun.
const MIN_CLUSTER: [f32; 2] = [0.3, 0.5];
/// Least occurrences of a single noun.
const MIN_SINGLE: u32 = 4;
/// Least share of the places of a single noun behind an article, an owner or what describes it: interjections and old
/// pronouns have none.
const MIN_DETERMINED: f32 = 0.1;
/// Longer terms that a single noun must be part of where it does not cluster.
const MIN_COMPOUNDS: u32 = 5;

/// The terms of a corpus: each key with its spellings.
pub(crate) type Terms = BTreeMap<String, Vec<String>>;

/// How a candidate is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Make {
    /// Nouns with an adjective before them.
    Described,
    /// Nouns.
    Nouns,
    /// By its shape, or between the marks of code.
    Identifier,
}

/// What is known of one candidate.
#[derive(Clone, Debug)]
struct Count {
    make: Make,
    n_words: u8,
    n: u32,
    n_units: u32,
    /// Outside blocks of code.
    n_prose: u32,
    /// Behind an article, an owner or what describes it.
    n_determined: u32,
    /// Longer candidates that hold it, and how often those occur.
    n_longer: u32,
    n_within: u32,
    /// Longer candidates of nouns that hold it.
    n_compounds: u32,
    spellings: BTreeMap<String, u32>,
}

type Counts = HashMap<String, Count>;

/// The terms of all documents. Cost O(total length).
pub(crate) fn terms(documents: &[Analysis]) -> Terms {
    let counted = documents
        .par_iter()
        .map(count)
        .reduce(|| (Counts::new(), 0), |a, b| (merged(a.0, b.0), a.1 + b.1));
    let (mut counts, n_units) = counted;
    nest(&mut counts);
    let mut terms = Terms::new();
    #[allow(clippy::iter_over_hash_type, reason = "terms are sorted by key")]
    for count in counts.into_values().filter(|count| is_term(count, n_units)) {
        let Some((most, _)) = count
            .spellings
            .iter()
            .max_by_key(|(text, n)| (**n, std::cmp::Reverse(*text)))
        else {
            continue;
        };
        let key = name::key(most);
        if !key.is_empty() {
            terms.entry(key).or_default().extend(count.spellings.into_keys());
        }
    }
    for document in documents {
        let text = document.text();
        for long in abbreviations(document)
            .iter()
            .filter(|one| !one.is_of_name(text))
            .map(|one| one.long.of(text))
        {
            let spellings = terms.entry(name::key(long)).or_default();
            if !spellings.iter().any(|known| known == long) {
                spellings.push(long.to_owned());
            }
        }
    }
    terms
}

/// Whether a candidate is used as a term.
fn is_term(count: &Count, n_units: u32) -> bool {
    let free = count.n as f32 - count.n_within as f32 / count.n_longer.max(1) as f32;
    let clusters = |least: f32| residual_idf(count.n, count.n_units, n_units) >= least;
    match (count.make, count.n_words) {
        (Make::Identifier, _) => count.n > 1 && count.n_prose > 0,
        (Make::Nouns, 1) => {
            count.n >= MIN_SINGLE
                && count.n_determined as f32 >= MIN_DETERMINED * count.n as f32
                && (clusters(MIN_CLUSTER[1]) || count.n_compounds >= MIN_COMPOUNDS)
        }
        (Make::Nouns, _) => free >= MIN_FREE[0],
        (Make::Described, _) => free >= MIN_FREE[1] && clusters(MIN_CLUSTER[0]),
    }
}

/// How much rarer the units are that hold a word than chance would have it, in bits.
fn residual_idf(n: u32, n_units: u32, all: u32) -> f32 {
    let expected = 1.0 - (-(n as f32) / all.max(1) as f32).exp();
    (expected * all.max(1) as f32 / n_units.max(1) as f32).log2()
}

/// What longer candidates say of those within them.
fn nest(counts: &mut Counts) {
    let longer: Vec<(String, u32, Make)> = counts
        .iter()
        .filter(|(_, count)| count.n_words > 1 && count.n > 1 && count.make != Make::Identifier)
        .map(|(key, count)| (key.clone(), count.n, count.make))
        .collect();
    for (key, n, make) in longer {
        let words: Vec<&str> = key.split(' ').collect();
        for n_words in 1..words.len() {
            for part in words.windows(n_words) {
                if let Some(inner) = counts.get_mut(&term::singular(part.join(" "))) {
                    inner.n_longer += 1;
                    inner.n_within += n;
                    inner.n_compounds += u32::from(make == Make::Nouns);
                }
            }
        }
    }
}

/// The candidates of one document, and its units.
fn count(document: &Analysis) -> (Counts, u32) {
    let mut tally = Tally::default();
    let text = document.text();
    for (at, (sentence, words)) in document.sentences.iter().enumerate() {
        tally.unit = at / UNIT;
        tally.is_code = document.is_code(*sentence);
        for word in words.iter().filter(|word| is_identifier(word.of(text))) {
            tally.add(word.of(text), Make::Identifier, 1, false);
        }
        if !tally.is_code && !document.is_heading(*sentence) {
            for run in runs(document, words) {
                candidates(text, words, run, &mut tally);
            }
        }
    }
    tally.is_code = false;
    for span in &document.document.layout.code {
        let spelled = span.of(text);
        let at = document
            .sentences
            .partition_point(|(sentence, _)| sentence.end <= span.start);
        let n_words = spelled.split(' ').count();
        let is_short = spelled.chars().count() <= MAX_IDENTIFIER && (1..=MAX_WORDS).contains(&n_words);
        let first = spelled.split(' ').next().unwrap_or_default();
        let is_word = is_content(first) && spelled.ends_with(char::is_alphanumeric);
        if is_short && is_word && !(n_words == 1 && is_identifier(spelled)) {
            tally.unit = at / UNIT;
            tally.add(spelled, Make::Identifier, n_words, false);
        }
    }
    let n_units = document.sentences.len().div_ceil(UNIT);
    (tally.counts, u32::try_from(n_units).unwrap_or(u32::MAX))
}

/// The candidates of one document while they are counted.
#[derive(Default)]
struct Tally {
    counts: Counts,
    /// The unit in which each candidate stood last.
    seen: HashMap<String, usize>,
    unit: usize,
    is_code: bool,
}

impl Tally {
    fn add(&mut self, spelled: &str, make: Make, n_words: usize, is_determined: bool) {
        let lower = spelled.to_lowercase();
        // The last letter of HTTPS is no plural's.
        let is_word = make != Make::Identifier || spelled.chars().all(char::is_lowercase);
        let key = if !is_word || spelled.ends_with('S') {
            lower
        } else {
            term::singular(lower)
        };
        let count = self.counts.entry(key.clone()).or_insert_with(|| Count {
            make,
            n_words: u8::try_from(n_words).unwrap_or(u8::MAX),
            n: 0,
            n_units: 0,
            n_prose: 0,
            n_determined: 0,
            n_longer: 0,
            n_within: 0,
            n_compounds: 0,
            spellings: BTreeMap::new(),
        });
        count.make = count.make.max(make);
        count.n += 1;
        count.n_prose += u32::from(!self.is_code);
        count.n_determined += u32::from(is_determined);
        count.n_units += u32::from(self.seen.insert(key, self.unit) != Some(self.unit));
        *count.spellings.entry(spelled.to_owned()).or_default() += 1;
    }
}

/// The longest runs of nouns and what describes them, as positions in a sentence.
fn runs(document: &Analysis, words: &[Word]) -> Vec<Range<usize>> {
    let text = document.text();
    let joins = |before: &Word, after: &Word| {
        let gap = text.get(before.span.end as usize..after.span.start as usize);
        gap.is_some_and(|gap| gap.trim().is_empty() && !gap.contains('\n'))
    };
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !is_part(word) || is_set(document, word) {
            continue;
        }
        match runs
            .last_mut()
            .filter(|run| run.end == at && joins(&words[at - 1], word))
        {
            Some(run) => run.end = at + 1,
            None => runs.push(at..at + 1),
        }
    }
    runs
}

/// Whether a word is no prose: an identifier, or set as code.
fn is_set(document: &Analysis, word: &Word) -> bool {
    is_identifier(word.of(document.text())) || overlapping(&document.document.layout.code, word.span).is_some()
}

fn is_noun(word: &Word) -> bool {
    matches!(word.pos, Pos::Noun | Pos::Name) && word.kind != Kind::Value
}

fn is_part(word: &Word) -> bool {
    let describes = matches!(
        word.pos,
        Pos::Adjective | Pos::Comparison | Pos::Participle | Pos::Gerund
    ) && matches!(word.dependency, Dependency::Modifier | Dependency::Compound)
        && word.kind != Kind::Value;
    is_noun(word) || describes
}

/// Every stretch of a run that ends in a noun and holds a word that is no name.
fn candidates(text: &str, words: &[Word], run: Range<usize>, tally: &mut Tally) {
    for first in run.clone() {
        let before = first.checked_sub(1).map(|before| words[before].pos);
        let is_determined = first > run.start || before == Some(Pos::Determiner);
        for last in first..run.end.min(first + MAX_WORDS) {
            let part = &words[first..=last];
            let first_word = words[first].of(text).to_lowercase();
            let is_vague = List::Counting.has(&first_word) || List::Pointing.has(&first_word);
            let is_named = part.iter().all(|word| word.is_tagged_name() == Some(true));
            // "old Orde" and "cousin Mara" describe somebody who has a name.
            let is_named_last = words[last].pos == Pos::Name && words[last].of(text).contains(char::is_lowercase);
            let is_somebody = is_named_last && !words[first].is_capitalised;
            if !is_noun(&words[last])
                || is_vague
                || is_named
                || is_somebody
                || !part.iter().all(|word| is_content(word.of(text)))
            {
                continue;
            }
            let make = if part.iter().all(is_noun) {
                Make::Nouns
            } else {
                Make::Described
            };
            let spelled = words[first].span.to(words[last].span).of(text);
            tally.add(spelled, make, part.len(), is_determined);
        }
    }
}

fn is_content(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.chars().count() > 2 && word.starts_with(char::is_alphabetic) && !term::is_stop_word(&lower)
}

/// Whether a word has the shape of an identifier: `max_tokens`, `TextUnit`, `settings.yaml`.
pub(crate) fn is_identifier(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let n_humps = chars
        .windows(2)
        .filter(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
        .count();
    let is_shaped = word.contains(['_', '.']) || n_humps > 0;
    // What changes from letter to letter is a key or a sum, and no name that somebody gave.
    let is_turn = |pair: &&[char]| pair[0].is_ascii_digit() != pair[1].is_ascii_digit();
    let joined = chars
        .windows(2)
        .filter(|pair| pair.iter().all(|ch| ch.is_alphanumeric()));
    let n_turns = joined.filter(is_turn).count();
    let n_parts = 1 + n_humps + if n_humps > 0 { 2 * n_turns } else { n_turns };
    let is_given = n_parts <= MAX_FREE_PARTS || chars.len() as f32 >= MIN_PART * n_parts as f32;
    is_shaped
        && is_given
        && (4..=MAX_IDENTIFIER).contains(&chars.len())
        && chars.iter().filter(|ch| ch.is_alphabetic()).count() > 2
}

fn merged(into: Counts, from: Counts) -> Counts {
    if into.len() < from.len() {
        return merged(from, into);
    }
    let mut into = into;
    #[allow(clippy::iter_over_hash_type, reason = "sums of counts do not depend on the order")]
    for (key, other) in from {
        match into.get_mut(&key) {
            None => {
                into.insert(key, other);
            }
            Some(count) => {
                count.make = count.make.max(other.make);
                count.n += other.n;
                count.n_units += other.n_units;
                count.n_prose += other.n_prose;
                count.n_determined += other.n_determined;
                for (spelled, n) in other.spellings {
                    *count.spellings.entry(spelled).or_default() += n;
                }
            }
        }
    }
    into
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_names_that_somebody_gave() {
        for word in [
            "max_tokens",
            "TextUnit",
            "settings.yaml",
            "utf8mb4_unicode_ci",
            "getElementsByTagNameNS",
            "OpenTTD",
        ] {
            assert!(is_identifier(word), "{word}");
        }
        for word in [
            "tokens",
            "A1UdDwEB",
            "AgQCBHwEegB4AHYACGCS8ChS",
            "MAEFBBFjYWRkeXNlcnZlci9j",
            "3.14",
        ] {
            assert!(!is_identifier(word), "{word}");
        }
    }
}
