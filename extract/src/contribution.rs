//! Everything that a document says, put together.

use crate::context::{Context, Facts};
use crate::field::is_field;
use crate::reading::Reading;
use crate::sentence;
use banyan_engine::{AttributeClaim, Contribution, Schema, Span};

/// Name of the attribute that takes what a sentence says its subject is.
pub const DEFINITION: &str = "description";

/// What a document contributes: what was read of it, and the facts that its extractor found. A date that the form of a life
/// tells ("(1901 – 1980)") is nothing else.
pub(crate) fn contribution(
    reading: Reading,
    chunks: Vec<(Span, u32)>,
    facts: Facts,
    context: &Context,
) -> Contribution {
    let Context { schema, types, .. } = context;
    let mut contribution = Contribution::new(reading.parsed.document.id);
    contribution.chunks = chunks;
    contribution.opening = opening(reading.parsed.text());
    contribution.triples = facts.triples;
    contribution.triples.retain(|claim| !claim.head.is_empty());
    contribution.attributes = definition(&reading, schema).into_iter().collect();
    let is_known = |claim: &AttributeClaim| {
        let same = |known: &AttributeClaim| known.entity == claim.entity && claim.span.contains(known.span);
        let mut known = reading.lifespan.iter().filter(|known| same(known));
        known.any(|known| known.value == claim.value && known.attribute != claim.attribute)
    };
    let read = facts.attributes.into_iter().filter(|claim| !is_known(claim));
    contribution.attributes.extend(read);
    contribution.entities = types.borne_out(&reading);
    let told = types.claims(&reading.mentions, &contribution.entities);
    contribution.entities.extend(told);
    contribution.entities.extend(facts.entities);
    contribution.unbound = facts.unbound;
    contribution.sentences = reading.parsed.sentences.iter().map(|(span, _)| *span).collect();
    contribution.loose = facts.loose;
    contribution.loose.retain(|claim| !claim.head.is_empty());
    contribution.attributes.extend(reading.lifespan);
    contribution.attributes.retain(|claim| !claim.entity.is_empty());
    contribution.mentions = reading.mentions;
    contribution.mentions.extend(facts.mentions);
    contribution.normalised()
}

/// Where the first sentence of a text ends.
fn opening(text: &str) -> u32 {
    // A sentence longer than this is no opening; arbitrary, and it bounds the cost for long texts.
    let head = text.char_indices().nth(600).map_or(text, |(end, _)| &text[..end]);
    let sentences = sentence::split(head);
    let behind = sentences.iter().find(|span| !is_field(span.of(head)));
    behind.or(sentences.first()).map_or(0, |span| span.end)
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
