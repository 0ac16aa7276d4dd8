//! Everything that a document says, put together.

use crate::context::{Context, Facts};
use crate::reading::Reading;
use banyan_engine::{AttributeClaim, Contribution, Schema, Span, TripleClaim};
use std::collections::{BTreeMap, BTreeSet};

/// Name of the attribute that takes what an opening sentence says its subject is.
const DEFINITION: &str = "description";
/// Name of the relation between a document's subject and whatever else the document names.
const MENTIONS: &str = "mentions";

/// What a document contributes: what was read of it, and the facts that its extractor found.
pub(crate) fn contribution(
    reading: Reading,
    chunks: Vec<(Span, u32)>,
    facts: Facts,
    context: &Context,
) -> Contribution {
    let Context { schema, types, .. } = context;
    let mut contribution = Contribution::new(reading.parsed.document.id);
    contribution.chunks = chunks;
    contribution.triples = facts.triples;
    contribution.triples.retain(|claim| !claim.head.is_empty());
    contribution.attributes = definition(&reading, schema).into_iter().collect();
    contribution.attributes.extend(facts.attributes);
    contribution.entities = types.claims(&reading.mentions);
    contribution.entities.extend(facts.entities);
    contribution.unbound = facts.unbound;
    mention(&reading, schema, &mut contribution.triples);
    contribution.attributes.extend(reading.lifespan);
    contribution.attributes.retain(|claim| !claim.entity.is_empty());
    contribution.entities.extend(reading.entities);
    contribution.mentions = reading.mentions;
    contribution.normalised()
}

/// What the opening sentence says the subject is, as an attribute.
fn definition(reading: &Reading, schema: &Schema) -> Option<AttributeClaim> {
    let span = reading.definition?;
    Some(AttributeClaim {
        entity: reading.own.clone(),
        attribute: schema.attribute_id(DEFINITION)?,
        value: span.of(reading.parsed.text()).to_owned(),
        span,
    })
}

/// Ties the subject to whatever its document names and no other triple of the document reaches from it.
fn mention(reading: &Reading, schema: &Schema, triples: &mut Vec<TripleClaim>) {
    let own = reading.own.as_str();
    let Some(relation) = schema.relation_id(MENTIONS).filter(|_| !own.is_empty()) else {
        return;
    };
    let reached: BTreeSet<&str> = triples
        .iter()
        .filter(|claim| claim.head == own || claim.tail == own)
        .flat_map(|claim| [claim.head.as_str(), claim.tail.as_str()])
        .chain([own])
        .collect();
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for mention in reading
        .mentions
        .iter()
        .filter(|mention| !reached.contains(mention.entity.as_str()))
    {
        first.entry(&mention.entity).or_insert(mention.span);
    }
    let claims = first.into_iter().map(|(entity, span)| TripleClaim {
        head: own.to_owned(),
        relation,
        tail: entity.to_owned(),
        phrase: String::new(),
        span,
    });
    let claims: Vec<_> = claims.collect();
    triples.extend(claims);
}
