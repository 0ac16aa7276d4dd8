//! What kind of thing a name denotes, read from the name itself and from the words around it.

use crate::analysis::Analysis;
use crate::gazetteer;
use crate::grammar::{Dependency, Pos};
use crate::han::begins;
use crate::phrase::Phrases;
use crate::recognise::is_title;
use crate::tag::Tag;
use crate::word::{Kind, Word, dependent};
use crate::word_list::List;
use banyan_engine::{Span, TypeId};

mod han;

/// Words in lower case within names of persons.
const PARTICLES: &[&str] = &[
    "al", "bin", "da", "de", "del", "der", "di", "dos", "du", "la", "of", "the", "van", "von",
];
/// Longest noun phrase read after "is a", in words. Arbitrary.
const MAX_NOUN_PHRASE: usize = 9;

/// The type that a name shows by itself: by its last word ("Ondle *River*"), by the word before "of"
/// ("*University* of Wrenna"), or because everybody knows it: a country, or a name that begins like a person's.
pub(crate) fn of_name(name: &str, phrases: &Phrases) -> Option<TypeId> {
    if begins(name) {
        return han::of_name(name, phrases);
    }
    by_noun(name, phrases).or_else(|| phrases.type_of(known(name)?))
}

/// The type that a tag names which stands for a name (`LOCATION#3`).
pub(crate) fn of_tag(name: &str, phrases: &Phrases) -> Option<TypeId> {
    phrases.type_of(&Tag::parse(name)?.label)
}

/// The type that a recogniser gave the name that stands here, from its first word to its last.
pub(crate) fn of_label(words: &[Word], name: Span, phrases: &Phrases) -> Option<TypeId> {
    let first = words.partition_point(|word| word.span.end <= name.start);
    let last = words.partition_point(|word| word.span.start < name.end);
    let is_tagged = |word: &&Word| word.is_tagged_name().is_some();
    let of = |word: &Word| {
        word.is_tagged_name()
            .filter(|is_name| *is_name)
            .map_or(Kind::Common, |_| word.kind)
    };
    let mut kinds = words.get(first..last)?.iter().filter(is_tagged).map(of);
    let kind = kinds.next()?;
    let is_whole = kinds.all(|other| other == kind);
    phrases.type_of(kind.noun().filter(|_| is_whole)?)
}

/// The common noun for a well-known place, or for who has a common given name.
fn known(name: &str) -> Option<&'static str> {
    let mut words = name.split(' ');
    let is_person = words.next().is_some_and(gazetteer::is_given_name)
        && words.clone().count() > 0
        && words.all(|word| word.starts_with(char::is_uppercase) || PARTICLES.contains(&word));
    gazetteer::place(name).or_else(|| is_person.then_some("person"))
}

fn by_noun(name: &str, phrases: &Phrases) -> Option<TypeId> {
    let words: Vec<&str> = name
        .split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() < 2 {
        return None;
    }
    let before_of = words
        .iter()
        .position(|word| *word == "of")
        .and_then(|at| words.get(at.checked_sub(1)?));
    before_of
        .into_iter()
        .chain(words.last())
        .chain(words.first())
        .find_map(|word| phrases.type_of(word))
}

/// What the opening sentence says its subject is: the span of the noun phrase after "is a", and its type.
pub(crate) fn definition(parsed: &Analysis, phrases: &Phrases) -> Option<(Span, Option<TypeId>)> {
    let (sentence, words) = parsed.opening()?;
    let text = parsed.text();
    // What somebody wrote down as a fact is no prose either.
    if parsed.is_code(*sentence) {
        return None;
    }
    if words.first().is_some_and(|word| begins(word.of(text))) {
        return han::definition(text, words, phrases);
    }
    let copula = words
        .iter()
        .position(|word| matches!(word.of(text), "is" | "was" | "are" | "were"))?;
    let article = words.get(copula + 1)?;
    if !matches!(article.of(text), "a" | "an" | "the" | "one") {
        return None;
    }
    let start = if article.of(text) == "one" {
        copula + 1
    } else {
        copula + 2
    };
    let rest = &words[start..words.len().min(start + MAX_NOUN_PHRASE)];
    let until = |from: usize, takes_of: bool| {
        let is_outside = |word: &Word| !is_inside(text, article.span, *word, takes_of);
        let n_inside = rest[from..].iter().position(is_outside);
        n_inside.map_or(rest.len(), |n| from + n)
    };
    let type_of = |word: &Word| phrases.type_of(word.of(text));
    let bare = until(0, start == copula + 1);
    let kind = rest[..bare].iter().rev().find_map(type_of);
    // A noun of no type says nothing without what belongs to it ("a form of *trade*", "a way to …").
    let end = match rest.get(bare).map_or("", |word| word.of(text)) {
        "of" if kind.is_none() => Some(until(bare + 1, false)).filter(|end| *end > bare + 1)?,
        "to" if kind.is_none() => return None,
        _ => bare,
    };
    let (first, last) = (rest[..end].first()?, rest[..end].last()?);
    // "one of the islands": the type stands after "of".
    let beyond = || rest.iter().find_map(type_of);
    Some((first.span.to(last.span), kind.or_else(beyond)))
}

/// The type that a parsed sentence says a name is of: as what its subject is ("*Low Water* is a 1951 film by …"), or
/// beside it ("*Reed*, a painter").
pub(crate) fn of_statement(text: &str, words: &[Word], name: Span, phrases: &Phrases) -> Option<TypeId> {
    let is_inside = |at: &usize| name.overlaps(words[*at].span);
    let first = words.partition_point(|word| word.span.end <= name.start);
    let head = (first..words.len())
        .take_while(is_inside)
        .find(|at| words[*at].head == *at || !is_inside(&words[*at].head))?;
    let Word {
        head: verb, dependency, ..
    } = words[head];
    let below = |top: usize, sought: Dependency| dependent(words, top, sought);
    let is_one = |noun: usize| (0..noun).any(|at| words[at].head == noun && words[at].pos == Pos::Determiner);
    let noun = if dependency == Dependency::Subject {
        let is_be = matches!(words[verb].of(text), "is" | "was" | "became" | "remains" | "remained");
        let is_plain = is_be && below(verb, Dependency::Negation).is_none();
        below(verb, Dependency::Complement).filter(|noun| is_plain && *noun > verb && is_one(*noun))
    } else {
        below(head, Dependency::Apposition).filter(|noun| is_one(*noun))
    };
    let noun = words[noun.filter(|noun| words[*noun].pos == Pos::Noun)?];
    phrases.type_of(noun.of(text))
}

fn is_inside(text: &str, article: Span, word: Word, takes_of: bool) -> bool {
    let between = text.get(article.end as usize..word.span.start as usize).unwrap_or("");
    let spelled = word.of(text);
    let is_boundary = List::DefinitionEnds.has(spelled);
    !between.contains([';', '.', '(', ':']) && (takes_of || !is_boundary)
}

/// The type that the common noun right before a name shows ("the novelist *Mara Voss*"); between book marks, a work.
pub(crate) fn of_apposition(text: &str, words: &[Word], name: Span, phrases: &Phrases) -> Option<TypeId> {
    if text.get(..name.start as usize)?.ends_with('《') {
        return phrases.type_of("work");
    }
    let at = words.partition_point(|word| word.span.end <= name.start);
    let before = words[..at].last()?;
    if (before.is_capitalised && !is_title(before.of(text))) || before.kind != Kind::Common {
        return None;
    }
    // A single character may end anything ("大号宋江" is no ship).
    if begins(before.of(text)) && before.of(text).chars().count() == 1 {
        return None;
    }
    let gap = text.get(before.span.end as usize..name.start as usize).unwrap_or("");
    let is_adjacent = gap
        .chars()
        .all(|ch| ch.is_whitespace() || matches!(ch, '"' | '“' | '\'' | '《' | '「'));
    is_adjacent.then(|| phrases.type_of(before.of(text))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_engine::{Document, Origin, Schema};

    fn check(text: &str, expected_phrase: &str, expected_type: impl Into<Option<&'static str>>) {
        let schema = Schema::general().unwrap();
        let document = Document::new("T", text, Origin::default());
        let (span, kind) = definition(&Analysis::surface(&document), &Phrases::new(&schema)).unwrap();
        assert_eq!(span.of(text), expected_phrase);
        assert_eq!(
            kind.map(|kind| schema.entity_type(kind).name.as_str()),
            expected_type.into()
        );
    }

    #[test]
    fn the_opening_sentence_tells_what_its_subject_is() {
        check("Teak (1901) was a silent film directed by A.", "silent film", "work");
        check("Skelva is the largest island of the group.", "largest island", "place");
        check(
            "Tidd is one of the islands of the north.",
            "one of the islands of the north",
            "place",
        );
        check(
            "Quaver is a special form of dance in four parts.",
            "special form of dance",
            None,
        );
    }

    #[test]
    fn a_noun_that_says_nothing_without_its_complement_is_no_definition() {
        let schema = Schema::general().unwrap();
        let document = Document::new("T", "Sifting is a way to part grains.", Origin::default());
        assert_eq!(definition(&Analysis::surface(&document), &Phrases::new(&schema)), None);
    }
}
