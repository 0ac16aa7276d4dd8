//! Candidates from what was stated from outside: words that found no place in the schema, and elements that a model
//! proposed for it.

use super::Candidate;
use super::embedded::Types;
use crate::literal::literals;
use banyan_engine::fact::Unbound;
use banyan_engine::schema::{AttributeType, Element, EntityType, RELATED_TO, RelationType, ValueKind, snake_case};
use banyan_engine::stated::{NewType, NewTypeKind};
use banyan_engine::{Contribution, Document, DocumentId, Span, StatedAt, UnboundClaim, name};
use std::collections::BTreeMap;

/// Most words of a name; longer ones are clauses. Arbitrary.
const MAX_WORDS: usize = 4;

/// A candidate for each stated type and attribute that the schema does not have, and for each such relation where the
/// schema cannot say `related_to`, which would suggest it otherwise.
pub(super) fn unbound(contribution: &Contribution, types: &Types) -> Vec<Candidate> {
    let is_related = types.schema.relation_id(RELATED_TO).is_some();
    let claims = contribution.unbound.iter();
    claims
        .filter(|claim| !(is_related && claim.kind == Unbound::Relation))
        .filter_map(|claim| candidate(contribution.document, claim, types))
        .collect()
}

fn candidate(document: DocumentId, claim: &UnboundClaim, types: &Types) -> Option<Candidate> {
    let name = word(&claim.word)?;
    let (element, tail_type, value_kind) = match claim.kind {
        Unbound::Type => (
            Element::EntityType(EntityType {
                name,
                ..EntityType::default()
            }),
            None,
            None,
        ),
        Unbound::Relation => {
            let relation = RelationType {
                name,
                ..RelationType::default()
            };
            (Element::Relation(relation), types.of(&name::key(&claim.object)), None)
        }
        Unbound::Attribute => {
            let kind = kind_of(&claim.object);
            let attribute = AttributeType {
                name,
                kind,
                ..AttributeType::default()
            };
            (Element::Attribute(attribute), None, Some(kind))
        }
    };
    Some(Candidate {
        element,
        document,
        span: claim.span,
        head_type: types.of(&claim.subject),
        tail_type,
        value_kind,
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
    let (name, description) = (word(&new.name)?, new.description.clone());
    let (domain, range) = (new.domain.clone(), new.range.clone());
    let element = match new.kind {
        NewTypeKind::EntityType => Element::EntityType(EntityType {
            name,
            description,
            ..EntityType::default()
        }),
        NewTypeKind::Relation => Element::Relation(RelationType {
            name,
            description,
            domain,
            range,
            ..RelationType::default()
        }),
        NewTypeKind::Attribute => {
            let kind = new.value.filter(|kind| *kind != ValueKind::Enum).unwrap_or_default();
            Element::Attribute(AttributeType {
                name,
                description,
                domain,
                kind,
                ..AttributeType::default()
            })
        }
    };
    Some(Candidate {
        element,
        document,
        span,
        head_type: None,
        tail_type: None,
        value_kind: None,
    })
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
