//! Candidates from what was stated from outside: words that found no place in the schema, and elements that a model
//! proposed for it.

use super::embedded::Types;
use super::{Candidate, named};
use crate::literal::literals;
use banyan_engine::schema::{Element, ElementKind, ValueKind, snake_case};
use banyan_engine::stated::NewType;
use banyan_engine::{Contribution, Document, DocumentId, Span, StatedAt, UnboundClaim, name};
use std::collections::BTreeMap;

/// Most words of a name; longer ones are clauses. Arbitrary.
const MAX_WORDS: usize = 4;

/// A candidate for each stated type and attribute that the schema does not have; relations come from what they join
/// loosely.
pub(super) fn unbound(contribution: &Contribution, types: &Types) -> Vec<Candidate> {
    let claims = contribution.unbound.iter();
    claims
        .filter(|claim| claim.kind != ElementKind::Relation)
        .filter_map(|claim| candidate(contribution.document, claim, types))
        .collect()
}

fn candidate(document: DocumentId, claim: &UnboundClaim, types: &Types) -> Option<Candidate> {
    let value = (claim.kind == ElementKind::Attribute).then(|| kind_of(&claim.object));
    let tail = (claim.kind == ElementKind::Relation).then(|| types.of(&name::key(&claim.object)));
    Some(Candidate {
        head_type: types.of(&claim.subject),
        tail_type: tail.flatten(),
        value_kind: value,
        ..Candidate::new(named(claim.kind, word(&claim.word)?), document, claim.span)
    })
}

/// A candidate for each element that was proposed with the statements about `documents`, in their order. Cost O(n).
pub fn proposed(documents: &[Document], statements: &BTreeMap<DocumentId, Vec<StatedAt>>) -> Vec<Candidate> {
    let of = |document: &Document| statements.get(&document.id).map(|list| (document.id, list));
    let stated = documents.iter().filter_map(of);
    let places = stated.flat_map(|(id, list)| list.iter().map(move |at| (id, at)));
    let each = places.flat_map(|(id, at)| at.stated.types.iter().map(move |new| (id, at.span, new)));
    each.filter_map(|(id, span, new)| element(id, span, new)).collect()
}

fn element(document: DocumentId, span: Span, new: &NewType) -> Option<Candidate> {
    let mut element = named(new.kind, word(&new.name)?);
    match &mut element {
        Element::EntityType(kind) => kind.description.clone_from(&new.description),
        Element::Relation(kind) => {
            kind.description.clone_from(&new.description);
            kind.domain.clone_from(&new.domain);
            kind.range.clone_from(&new.range);
        }
        Element::Attribute(kind) => {
            kind.description.clone_from(&new.description);
            kind.domain.clone_from(&new.domain);
            kind.kind = new.value.filter(|kind| *kind != ValueKind::Enum).unwrap_or_default();
        }
    }
    Some(Candidate::new(element, document, span))
}

/// A stated word as the name of an element; `None` for a clause and for what has no letter.
fn word(text: &str) -> Option<String> {
    let name = snake_case(text);
    let is_name = name.chars().any(char::is_alphabetic) && name.split('_').count() <= MAX_WORDS;
    is_name.then_some(name)
}

/// What kind of value a stated text is: the kind of the literal that all of it is, else text.
fn kind_of(value: &str) -> ValueKind {
    let whole = Span::new(0, value.len());
    let literal = literals(value, whole).into_iter().find(|literal| literal.span == whole);
    literal.map_or(ValueKind::Text, |literal| literal.kind)
}
