//! Candidates from what extraction stored: nouns of definitions that no type covers, connections of names that
//! no relation covers, values that no attribute covers.

use super::{Candidate, attribute, named, relation, stated};
use crate::analysis::Analysis;
use crate::phrase::Phrases;
use crate::word_list::List;
use banyan_engine::graph::assemble;
use banyan_engine::index::term;
use banyan_engine::schema::ElementKind;
use banyan_engine::{Contribution, Document, KnowledgeGraph, Resolution, Schema, Span};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Terms that a noun must end before it is taken for their type. Arbitrary.
const MIN_HEADED: usize = 5;
/// The relation by which sentences say of what kind something is.
const KIND_OF: &str = "kind_of";

/// What `contributions` to the documents beside them suggest for `schema`, with which they were extracted; in chunk
/// order. Cost O(total length), in parallel; the same for any number of threads.
///
/// An entity type comes from a subject whose opening sentence defines it by a noun of no type ("is a *lighthouse*"), from
/// what any sentence says to be of a kind, and from terms that end with the same noun ("input *shaper*"). A
/// relation comes from a `related_to` claim whose words are a verb or noun with its preposition ("moved to"). An
/// attribute comes from a date, number or quantity that no claim took, with the noun or verb before it ("seating capacity
/// of 5,000", "reopened in 1921"). Any of them comes from a word that was stated from outside and found no place.
pub fn candidates(contributions: &[Contribution], documents: &[Analysis], schema: &Schema) -> Vec<Candidate> {
    let (_, graph, _) = assemble(schema, contributions, &Resolution::default());
    let types = Types {
        schema,
        phrases: Phrases::new(schema),
        graph: &graph,
        nouns: nouns(contributions, documents, schema, &graph),
        heads: heads(contributions),
    };
    let pairs: Vec<(&Contribution, &Analysis)> = contributions.iter().zip(documents).collect();
    let found: Vec<Vec<Candidate>> = pairs
        .into_par_iter()
        .map(|(contribution, parsed)| {
            let mut found = definitions(contribution, parsed.document, &types);
            found.extend(headed(contribution, &types));
            found.extend(kinds(contribution, &types));
            found.extend(relation::candidates(contribution, &types));
            found.extend(attribute::candidates(contribution, parsed, &types));
            found.extend(stated::unbound(contribution, &types));
            found.sort_by_key(|candidate| candidate.span);
            found
        })
        .collect();
    found.into_iter().flatten().collect()
}

/// The types of entities as far as anything is known of them.
pub(super) struct Types<'a> {
    pub(super) schema: &'a Schema,
    phrases: Phrases,
    pub(super) graph: &'a KnowledgeGraph,
    /// The noun that defines an entity of no type.
    pub(super) nouns: BTreeMap<&'a str, String>,
    /// Nouns that many terms end with.
    heads: BTreeSet<String>,
}

impl Types<'_> {
    /// The name of an entity's type, or of the noun that may become its type.
    pub(super) fn of(&self, key: &str) -> Option<String> {
        self.shown(key).or_else(|| self.nouns.get(key).cloned())
    }

    /// A type called by a noun, of which an entity is.
    fn candidate(&self, key: &str, noun: String, contribution: &Contribution, span: Span) -> Candidate {
        Candidate {
            head_type: self.shown(key),
            ..Candidate::new(named(ElementKind::EntityType, noun), contribution.document, span)
        }
    }

    /// The name of an entity's type.
    fn shown(&self, key: &str) -> Option<String> {
        let kind = self.graph.entity(self.graph.find(key)?).entity_type;
        (kind != self.schema.thing()).then(|| self.schema.entity_type(kind).name.clone())
    }
}

/// Nouns that define entities of no type, by entity; only those that define several, since a type of one entity is none.
fn nouns<'a>(
    contributions: &'a [Contribution],
    documents: &[Analysis],
    schema: &Schema,
    graph: &KnowledgeGraph,
) -> BTreeMap<&'a str, String> {
    let is_untyped = |key: &str| {
        graph
            .find(key)
            .is_some_and(|id| graph.entity(id).entity_type == schema.thing())
    };
    let mut nouns: BTreeMap<&str, String> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (contribution, document) in contributions.iter().zip(documents) {
        for (key, noun, _) in defined(contribution, document.document).filter(|(key, ..)| is_untyped(key)) {
            *counts.entry(noun.clone()).or_default() += 1;
            nouns.insert(key, noun);
        }
    }
    nouns.retain(|_, noun| counts.get(noun).is_some_and(|n| *n > 1));
    nouns
}

/// Subjects that their document defines by a noun of no type: key, noun, and where the definition stands.
fn defined<'a>(contribution: &'a Contribution, document: &Document) -> impl Iterator<Item = (&'a str, String, Span)> {
    let subjects = contribution
        .entities
        .iter()
        .filter(|claim| claim.is_subject && claim.entity_type.is_none());
    subjects.filter_map(|claim| {
        let noun = head_noun(claim.span.of(&document.text))?;
        Some((&*claim.entity, noun, claim.span))
    })
}

fn definitions(contribution: &Contribution, document: &Document, types: &Types) -> Vec<Candidate> {
    defined(contribution, document)
        .map(|(key, noun, span)| types.candidate(key, noun, contribution, span))
        .collect()
}

/// The noun that ends a term of several words; `None` of a name.
fn head_of_term(key: &str, name: &str) -> Option<String> {
    let is_term = key.contains(' ') && !name.contains(char::is_uppercase);
    head_noun(name).filter(|_| is_term)
}

/// The nouns that end at least [`MIN_HEADED`] terms.
fn heads(contributions: &[Contribution]) -> BTreeSet<String> {
    let mut terms: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for claim in contributions.iter().flat_map(|contribution| &contribution.entities) {
        if let Some(noun) = head_of_term(&claim.entity, &claim.name) {
            terms.entry(noun).or_default().insert(&claim.entity);
        }
    }
    terms.retain(|_, terms| terms.len() >= MIN_HEADED);
    terms.into_keys().collect()
}

/// Types by the nouns that terms end with, as far as the schema has no type for the noun.
fn headed<'a>(contribution: &'a Contribution, types: &'a Types) -> impl Iterator<Item = Candidate> {
    let is_new = |noun: &String| types.heads.contains(noun) && types.phrases.type_of(noun).is_none();
    contribution.entities.iter().filter_map(move |claim| {
        let noun = head_of_term(&claim.entity, &claim.name).filter(is_new)?;
        Some(types.candidate(&claim.entity, noun, contribution, claim.span))
    })
}

/// Types by what sentences say somebody to be a kind of.
fn kinds<'a>(contribution: &'a Contribution, types: &'a Types) -> impl Iterator<Item = Candidate> {
    let kind_of = types.schema.relation_id(KIND_OF);
    let claims = contribution.triples.iter();
    claims
        .filter(move |claim| Some(claim.relation) == kind_of)
        .filter_map(|claim| {
            let noun = head_noun(&claim.tail).filter(|noun| types.phrases.type_of(noun).is_none())?;
            Some(types.candidate(&claim.head, noun, contribution, claim.span))
        })
}

/// The singular of the noun that heads a phrase such as "the largest lighthouse"; of "one of the reefs" what stands after
/// "of". `None` where the phrase ends in a name, a number or a noun that says nothing.
fn head_noun(phrase: &str) -> Option<String> {
    let phrase = phrase.strip_prefix("one of ").unwrap_or(phrase);
    let phrase = phrase.split_once(" of ").map_or(phrase, |(head, _)| head);
    let last = phrase.split_whitespace().next_back()?;
    let last = last.trim_matches(|ch: char| !ch.is_alphanumeric());
    let noun = term::singular(last.to_owned());
    let is_empty = |noun: &str| List::EmptyHeads.has(noun) || term::is_stop_word(noun);
    let is_word = noun.chars().count() > 2 && noun.chars().all(|ch| ch.is_lowercase() || ch == '-');
    let is_other = ["ly", "ing", "ed"].iter().any(|end| noun.ends_with(end));
    (is_word && !is_other && !is_empty(last) && !is_empty(&noun)).then_some(noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_headed_by_its_last_noun() {
        for (phrase, expected) in [
            ("disused brick lighthouse", Some("lighthouse")),
            ("one of the outer reefs of the north", Some("reef")),
            ("member", None),
            ("series of lighthouses", None),
            ("Great Ommer", None),
            ("second largest", None),
            ("", None),
        ] {
            assert_eq!(head_noun(phrase).as_deref(), expected, "{phrase}");
        }
    }
}
