//! A relation compiled for reading: the words that may state it and the kinds of its ends.

use super::kind::{Kind, Kinds};
use super::lexicon::LEXICON;
use super::relation::Relation;
use super::root::root;
use std::collections::BTreeSet;

/// Words of a label that say nothing by themselves; sorted.
const EMPTY: &[&str] = &[
    "a", "and", "as", "at", "by", "for", "from", "given", "has", "in", "is", "its", "of", "on", "or", "the", "to",
    "was", "with",
];
/// Words of a label that only say what kind of thing the object is, where another word says more; sorted.
const GENERIC: &[&str] = &[
    "city", "country", "date", "day", "location", "name", "number", "person", "place", "time", "title", "total",
    "type", "work", "year",
];
/// Words whose families are too wide to state a relation alone.
const WEAK: &[&str] = &["at", "based", "by", "feature", "in", "part", "person", "work"];

/// A relation as the reader uses it.
#[derive(Clone, Debug)]
pub(crate) struct Cues {
    /// The schema's label.
    pub(crate) label: String,
    /// Roots of the label's and the aliases' words.
    pub(crate) own: BTreeSet<String>,
    /// Roots that the lexicon adds.
    pub(crate) kin: BTreeSet<String>,
    /// What the object can be; empty for anything.
    pub(crate) range: Kinds,
    /// What the subject can be.
    pub(crate) domain: Kinds,
    /// The most telling kind of the object, `any` where there is none.
    pub(crate) kind: &'static str,
    /// See [`Relation::is_dated`].
    pub(crate) is_dated: bool,
    /// How large a place the relation asks for, where it says so.
    pub(crate) scale: Option<&'static str>,
    /// Roots of the words in the names of the object's and subject's types.
    pub(crate) range_words: BTreeSet<String>,
    pub(crate) domain_words: BTreeSet<String>,
    /// Classes of common nouns that the label or the range asks for.
    pub(crate) classes: BTreeSet<usize>,
}

impl Cues {
    /// Compiles a relation.
    pub(crate) fn new(relation: &Relation) -> Self {
        let label = label_words(&relation.label);
        let content: Vec<&String> = label
            .iter()
            .filter(|word| EMPTY.binary_search(&word.as_str()).is_err())
            .collect();
        let telling: Vec<&String> = content
            .iter()
            .copied()
            .filter(|word| GENERIC.binary_search(&word.as_str()).is_err())
            .collect();
        let telling = if telling.is_empty() { content } else { telling };
        let mut own: BTreeSet<String> = telling.iter().map(|word| root(word)).collect();
        let mut kin: BTreeSet<String> = BTreeSet::new();
        for word in &own {
            kin.extend(LEXICON.kin(word).into_iter().map(str::to_owned));
        }
        for alias in &relation.aliases {
            let words = label_words(alias);
            own.extend(
                words
                    .iter()
                    .filter(|word| EMPTY.binary_search(&word.as_str()).is_err())
                    .map(|word| root(word)),
            );
        }
        for weak in WEAK {
            kin.remove(&root(weak));
        }
        kin.retain(|word| !own.contains(word));
        let range = range_kinds(&label, &relation.range);
        let range_words = type_words(&relation.range);
        let asked = |word: &str| range_words.contains(&root(word)) || label.iter().any(|other| other == word);
        let asking = own.iter().chain(&range_words);
        let classes = asking.flat_map(|word| LEXICON.classes_asked(word)).collect();
        let scale = ["city", "state", "country", "nationality", "citizenship", "language"]
            .into_iter()
            .find(|word| asked(word));
        Self {
            label: relation.label.clone(),
            own,
            kin,
            kind: primary(&label, range).map_or("any", Kind::name),
            range,
            domain: kinds(&relation.domain),
            scale,
            is_dated: relation.is_dated,
            range_words,
            domain_words: type_words(&relation.domain),
            classes,
        }
    }
}

/// The words of a label in lower case: `birthPlace` and `birth_place` are `birth place`.
pub(crate) fn label_words(label: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    let mut is_open = false;
    for ch in label.chars() {
        if !ch.is_alphanumeric() {
            is_open = false;
            was_lower = false;
            continue;
        }
        let begins = !is_open || (ch.is_uppercase() && was_lower);
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(ch.to_lowercase());
        }
        is_open = true;
        was_lower = ch.is_lowercase();
    }
    words
}

/// The kinds that the object of a relation can have: what its label shows, else what its range shows.
fn range_kinds(label: &[String], range: &[String]) -> Kinds {
    let last = label
        .last()
        .map(|word| LEXICON.kinds_of(&root(word)))
        .unwrap_or_default();
    let is_count = label.first().is_some_and(|word| word == "number");
    let shown = kinds(range);
    let sure = [Kind::Date, Kind::Number];
    if is_count {
        Kinds::default().with(Kind::Number)
    } else if let Some(kind) = sure.into_iter().find(|kind| shown.has(*kind)) {
        Kinds::default().with(kind)
    } else if !shown.is_empty() {
        shown.or(abstract_kinds(label))
    } else if last.is_empty() {
        let words = label.iter().map(|word| LEXICON.kinds_of(&root(word)));
        words.fold(Kinds::default(), Kinds::or)
    } else {
        last
    }
}

/// The kinds of no things that the words of a label show: a "position held" is an office, though its range be persons.
fn abstract_kinds(label: &[String]) -> Kinds {
    let shown = label
        .iter()
        .map(|word| LEXICON.kinds_of(&root(word)))
        .fold(Kinds::default(), Kinds::or);
    [Kind::Class, Kind::Language, Kind::Text]
        .into_iter()
        .filter(|kind| shown.has(*kind))
        .fold(Kinds::default(), Kinds::with)
}

/// The most telling kind: what the label shows of no things, else the first.
fn primary(label: &[String], range: Kinds) -> Option<Kind> {
    let shown = abstract_kinds(label);
    let told = range.iter().find(|kind| shown.has(*kind));
    told.or_else(|| range.iter().next())
}

/// The kinds that the names of types show: their last words, else any of their words.
fn kinds(types: &[String]) -> Kinds {
    types.iter().fold(Kinds::default(), |known, name| {
        let words = label_words(name);
        let kinds: Vec<Kinds> = words.iter().map(|word| LEXICON.kinds_of(&root(word))).collect();
        let last = kinds.last().copied().unwrap_or_default();
        let of_type = if last.is_empty() {
            kinds.into_iter().fold(Kinds::default(), Kinds::or)
        } else {
            last
        };
        known.or(of_type)
    })
}

fn type_words(types: &[String]) -> BTreeSet<String> {
    types
        .iter()
        .flat_map(|name| label_words(name))
        .filter(|word| EMPTY.binary_search(&word.as_str()).is_err())
        .map(|word| root(&word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(label: &str, range: &str, own: &[&str], kind: &str) {
        let cues = Cues::new(&Relation {
            label: label.to_owned(),
            range: vec![range.to_owned()],
            ..Relation::default()
        });
        let expected: BTreeSet<String> = own.iter().map(|word| root(word)).collect();
        assert_eq!((&cues.own, cues.kind), (&expected, kind), "{label}");
    }

    #[test]
    fn labels_are_cut_however_they_are_spelled() {
        assert!(EMPTY.is_sorted() && GENERIC.is_sorted());
        check("birthPlace", "Place", &["birth"], "place");
        check("place_of_birth", "", &["birth"], "place");
        check("lyrics by", "human", &["lyrics"], "person");
        check("numberOfStudents", "", &["students"], "number");
        check("country", "Country", &["country"], "place");
        check("has_ISBN13", "string", &["isbn13"], "text");
    }

    #[test]
    fn the_lexicon_adds_other_words() {
        let cues = Cues::new(&Relation {
            label: "author".to_owned(),
            ..Relation::default()
        });
        assert!(cues.kin.contains(&root("written")) && cues.kind == "person");
    }
}
