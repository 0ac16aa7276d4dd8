//! Yes or no: whether what the question says of the things it names stands in what the evidence says of them.

use super::Expected;
use super::Found;
use super::alternative::{Alternative, alternatives};
use super::role;
use super::subject::Subject;
use super::weight::Weights;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::EntityId;
use banyan_engine::index::term;
use banyan_extract::gazetteer;
use std::collections::BTreeSet;

/// Share of the question's own words, names apart, that must stand beside each thing it names.
const AGREES: f32 = 0.5;
/// Nouns for where somebody or something is from.
const ORIGINS: &[&str] = &["country", "nation", "nationality", "nationalities", "countries"];

/// Decides by what the documents about the named things say. `None` without such documents.
///
/// "the same X": whether those documents name the same thing of that kind: for countries, by their openings' names of
/// peoples and countries. Else: whether each opening holds at least half of the question's words that are no names.
pub(crate) fn decide(searcher: &Searcher, question: &Question) -> Option<Found> {
    let mut named = alternatives(searcher, &question.text);
    if named.is_empty() {
        let entities = searcher.named_in(&question.text).into_iter();
        named = entities
            .map(|entity| Alternative {
                text: searcher.knowledge().graph.entity(entity).name.clone(),
                entities: vec![entity],
            })
            .collect();
    }
    let subjects: Vec<Vec<Subject>> = named
        .iter()
        .map(|one| role::subjects(searcher, &question.text, one, &Weights::shipped()))
        .filter(|subjects| !subjects.is_empty())
        .collect();
    let first: Vec<Subject> = subjects.iter().filter_map(|of_one| of_one.first().copied()).collect();
    if first.is_empty() {
        return None;
    }
    let agrees = match same_what(&question.text) {
        Some(noun) => share(searcher, &first, &noun),
        None => each_is(searcher, question, &named, &first),
    };
    Some(Found {
        text: if agrees { "yes" } else { "no" }.to_owned(),
        support: first.iter().filter_map(|subject| subject.opening(searcher)).collect(),
    })
}

/// What follows "the same".
fn same_what(question: &str) -> Option<String> {
    let (_, after) = question.split_once(" same ")?;
    Some(after.to_lowercase())
}

fn share(searcher: &Searcher, subjects: &[Subject], noun: &str) -> bool {
    if subjects.len() < 2 {
        return false;
    }
    let first_noun = noun.split(|ch: char| !ch.is_alphabetic()).next().unwrap_or_default();
    let sets: Vec<BTreeSet<String>> = if ORIGINS.contains(&first_noun) {
        subjects
            .iter()
            .map(|subject| origins(subject.opening_text(searcher)))
            .collect()
    } else {
        let known: Vec<BTreeSet<String>> = subjects
            .iter()
            .map(|subject| places(subject.opening_text(searcher), first_noun))
            .collect();
        if known.iter().all(|set| !set.is_empty()) {
            known
        } else {
            things(searcher, subjects, noun)
        }
    };
    let mut sets = sets.into_iter();
    let Some(first) = sets.next() else { return false };
    let is_origin = ORIGINS.contains(&first_noun);
    let rest: Vec<BTreeSet<String>> = sets.collect();
    if is_origin && !first.is_empty() && rest.iter().all(|set| set.len() == 1) && first.len() == 1 {
        return rest.iter().all(|set| *set == first);
    }
    rest.iter().all(|set| !set.is_disjoint(&first)) && (!is_origin || rest.iter().all(|set| *set == first))
}

/// The words for a people ("a *British* film") or, without one, the countries that a text names.
fn origins(text: &str) -> BTreeSet<String> {
    let people = peoples(text);
    if people.is_empty() {
        places(text, "country")
    } else {
        people
    }
}

/// Capitalised words between "is a" and the noun.
pub(crate) fn peoples(text: &str) -> BTreeSet<String> {
    let words: Vec<&str> = text
        .split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let copula = words
        .windows(2)
        .position(|pair| matches!(pair[0], "is" | "was" | "are" | "were") && matches!(pair[1], "a" | "an" | "the"));
    let Some(at) = copula else { return BTreeSet::new() };
    let after = &words[at + 2..];
    let first = after
        .iter()
        .take(4)
        .position(|word| word.starts_with(char::is_uppercase));
    let Some(first) = first else { return BTreeSet::new() };
    let run = after[first..]
        .iter()
        .take_while(|word| word.starts_with(char::is_uppercase));
    run.map(|word| word.to_lowercase())
        .filter(|word| !matches!(word.as_str(), "world" | "war" | "i" | "ii" | "born"))
        .collect()
}

/// The well-known places in a text that are what the noun says.
fn places(text: &str, noun: &str) -> BTreeSet<String> {
    let words: Vec<&str> = text
        .split(|ch: char| !ch.is_alphanumeric() && ch != '.')
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = BTreeSet::new();
    for length in 1..=3usize {
        for run in words
            .windows(length)
            .filter(|run| run[0].starts_with(char::is_uppercase))
        {
            let name = run.join(" ");
            if gazetteer::place(&name) == Some(noun) {
                found.insert(banyan_engine::name::key(&name));
            }
        }
    }
    found
}

/// Keys of the things of the kind that the documents name.
fn things(searcher: &Searcher, subjects: &[Subject], noun: &str) -> Vec<BTreeSet<String>> {
    let knowledge = searcher.knowledge();
    let kind = Expected::of(&format!("which {noun}"), &knowledge.schema);
    let fits = |entity: EntityId| match kind {
        Expected::Entity(wanted) => knowledge.graph.entity(entity).entity_type == wanted,
        _ => true,
    };
    let own: BTreeSet<EntityId> = subjects.iter().map(|subject| subject.entity).collect();
    let of_one = |subject: &Subject| -> BTreeSet<String> {
        let chunks = searcher.incidence().subject_chunks(subject.entity).iter();
        let inside = chunks
            .flat_map(|chunk| searcher.incidence().entities_of(*chunk))
            .map(|(entity, _)| *entity);
        let new = inside.filter(|entity| !own.contains(entity) && fits(*entity));
        new.map(|entity| knowledge.graph.entity(entity).key.clone()).collect()
    };
    subjects.iter().map(of_one).collect()
}

fn each_is(searcher: &Searcher, question: &Question, named: &[Alternative], subjects: &[Subject]) -> bool {
    let mut names: BTreeSet<String> = named.iter().flat_map(|one| term::terms(&one.text)).collect();
    names.extend(
        named
            .iter()
            .flat_map(|one| &one.entities)
            .flat_map(|entity| term::terms(&searcher.knowledge().graph.entity(*entity).name)),
    );
    let said: Vec<String> = term::distinct(&question.text)
        .into_iter()
        .filter(|word| !names.contains(word) && !matches!(word.as_str(), "both" | "either"))
        .collect();
    let proper: BTreeSet<String> = question
        .text
        .split_whitespace()
        .skip(1)
        .filter(|word| word.starts_with(char::is_uppercase))
        .flat_map(term::terms)
        .filter(|word| !names.contains(word))
        .collect();
    subjects.iter().all(|subject| {
        let held: BTreeSet<String> = term::terms(subject.opening_text(searcher)).into_iter().collect();
        let n = said.iter().filter(|word| held.contains(*word)).count();
        proper.iter().all(|word| held.contains(word)) && n as f32 >= AGREES * said.len() as f32
    })
}
