//! A relation compiled for reading: the words that may state it and the kinds of its ends.

use super::lexicon::{Kinds, LEXICON, first_of, kind, root};
use super::relation::Relation;
use std::collections::BTreeSet;

/// Words of a label that say nothing by themselves.
const EMPTY: &[&str] = &[
    "a", "and", "as", "at", "by", "for", "from", "given", "has", "in", "is", "its", "of", "on", "or", "the", "to",
    "was", "with",
];
/// Words of a label that only say what kind of thing the object is, where another word says more.
const GENERIC: &[&str] = &[
    "city", "country", "date", "day", "location", "name", "number", "person", "place", "time", "title", "total",
    "type", "work", "year",
];
/// Words whose families are too wide to state a relation alone.
const WEAK: &[&str] = &["at", "based", "by", "feature", "in", "part", "person", "work"];

/// A relation as the reader uses it.
#[derive(Clone, Debug)]
pub(crate) struct Triggers {
    pub(crate) label: String,
    pub(crate) own: BTreeSet<String>,
    /// Roots that the lexicon adds.
    pub(crate) kin: BTreeSet<String>,
    /// What the object can be; empty for anything.
    pub(crate) range: Kinds,
    /// The most telling kind of the object, `any` where there is none.
    pub(crate) kind: &'static str,
    /// See [`Relation::is_dated`].
    pub(crate) is_dated: bool,
    /// Roots of the words in the names of the object's types.
    pub(crate) range_words: BTreeSet<String>,
}

impl Triggers {
    /// Compiles a relation.
    pub(crate) fn new(relation: &Relation) -> Self {
        let label = label_words(&relation.label);
        let content: Vec<&String> = label.iter().filter(|word| !EMPTY.contains(&word.as_str())).collect();
        let is_telling = |word: &&&String| !GENERIC.contains(&word.as_str());
        let telling: Vec<&String> = content.iter().filter(is_telling).copied().collect();
        let telling = if telling.is_empty() { content } else { telling };
        let own: BTreeSet<String> = telling.iter().map(|word| root(word)).collect();
        let mut kin: BTreeSet<String> = own.iter().flat_map(|word| LEXICON.kin(word)).cloned().collect();
        kin.retain(|word| !own.contains(word) && WEAK.iter().all(|weak| root(weak) != *word));
        let range = range_kinds(&label, &relation.range);
        let shown = abstract_kinds(&label);
        let told = range.iter().find(|kind| shown.contains(kind)).copied();
        Self {
            label: relation.label.clone(),
            own,
            kin,
            kind: told.map_or(first_of(&range), |kind| first_of(&Kinds::from([kind]))),
            is_dated: relation.is_dated,
            range,
            range_words: content_roots(&relation.range),
        }
    }
}

/// The words of a label in lower case: `birthPlace` and `birth_place` are `birth place`.
fn label_words(label: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for ch in label.chars() {
        if !ch.is_alphanumeric() || (ch.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| ch.is_alphanumeric()) {
            word.extend(ch.to_lowercase());
        }
        was_lower = ch.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The roots of the words of labels that say something.
fn content_roots(labels: &[String]) -> BTreeSet<String> {
    let words = labels.iter().flat_map(|label| label_words(label));
    words
        .filter(|word| !EMPTY.contains(&word.as_str()))
        .map(|word| root(&word))
        .collect()
}

/// The kinds that any of some words denotes.
fn kinds_of_words(words: &[String]) -> Kinds {
    words
        .iter()
        .flat_map(|word| LEXICON.kinds_of(&root(word)).clone())
        .collect()
}

/// The kinds that the object of a relation can have: what its label shows, else what its range shows.
fn range_kinds(label: &[String], range: &[String]) -> Kinds {
    let shown = kinds(range);
    let sure = [kind("date"), kind("number")]
        .into_iter()
        .find(|kind| shown.contains(kind));
    let last = kinds_of_words(&label[label.len().saturating_sub(1)..]);
    if label.first().is_some_and(|word| word == "number") {
        Kinds::from([kind("number")])
    } else if let Some(kind) = sure {
        Kinds::from([kind])
    } else if !shown.is_empty() {
        &shown | &abstract_kinds(label)
    } else if last.is_empty() {
        kinds_of_words(label)
    } else {
        last
    }
}

/// The kinds of no things that the words of a label show: a "position held" is an office, though its range be persons.
fn abstract_kinds(label: &[String]) -> Kinds {
    let no_things = Kinds::from(["class", "language", "text"].map(kind));
    &kinds_of_words(label) & &no_things
}

/// The kinds that the names of types show: their last words, else any of their words.
fn kinds(types: &[String]) -> Kinds {
    let of_type = |name: &String| {
        let words = label_words(name);
        let last = kinds_of_words(&words[words.len().saturating_sub(1)..]);
        if last.is_empty() { kinds_of_words(&words) } else { last }
    };
    types.iter().flat_map(of_type).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(label: &str, range: &str, own: &[&str], kind: &str) {
        let triggers = Triggers::new(&Relation {
            label: label.to_owned(),
            range: vec![range.to_owned()],
            ..Relation::default()
        });
        let expected: BTreeSet<String> = own.iter().map(|word| root(word)).collect();
        assert_eq!((&triggers.own, triggers.kind), (&expected, kind), "{label}");
    }

    #[test]
    fn labels_are_cut_however_they_are_spelled() {
        check("birthPlace", "Place", &["birth"], "place");
        check("place_of_birth", "", &["birth"], "place");
        check("lyrics by", "human", &["lyrics"], "person");
        check("numberOfStudents", "", &["students"], "number");
        check("country", "Country", &["country"], "place");
        check("has_ISBN13", "string", &["isbn13"], "text");
    }

    #[test]
    fn the_lexicon_adds_other_words() {
        let author = Relation {
            label: "author".to_owned(),
            ..Relation::default()
        };
        let triggers = Triggers::new(&author);
        assert!(triggers.kin.contains(&root("written")) && triggers.kind == "person");
    }
}
