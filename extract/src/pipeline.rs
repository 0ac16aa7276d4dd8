//! Documents to contributions: the whole of embedded extraction, in the order in which it happens.

use crate::attributes::attributes;
use crate::chunk::{CountTokens, chunks};
use crate::clause::Clause;
use crate::lexicon::{Lexicon, LexiconError};
use crate::lifespan::lifespan;
use crate::link;
use crate::parsed::Parsed;
use crate::phrase::Phrases;
use crate::recognise::{CaseCounts, names, opening_name};
use crate::triples::{Types, implied_types, triples};
use crate::typing;
use banyan_engine::{AttributeClaim, Contribution, Document, EntityClaim, Mention, Schema, Span, TypeId, name};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Name of the attribute that takes what an opening sentence says its subject is.
const DEFINITION: &str = "description";
/// Name of the relation between a document's subject and whatever else the document names.
const MENTIONS: &str = "mentions";

/// Extracts from `documents`, which stand in canonical order, what each contributes. Cost O(total length · log names),
/// in parallel; the same for any number of threads. `on_document` is called once a finished document, from any thread.
///
/// # Errors
/// [`LexiconError`] when the corpus has more names than can be searched at once.
pub fn extract(
    documents: &[Document],
    schema: &Schema,
    counter: &dyn CountTokens,
    max_chunk_tokens: u32,
    on_document: &(dyn Fn() + Sync),
) -> Result<Vec<Contribution>, LexiconError> {
    let phrases = Phrases::new(schema);
    let parsed: Vec<Parsed> = documents.par_iter().map(Parsed::new).collect();
    let cases = CaseCounts::new(&parsed.iter().collect::<Vec<_>>());
    let found: Vec<_> = parsed.par_iter().map(|each| names(each, &cases)).collect();
    let lexicon = Lexicon::new(&parsed, cases, &found)?;
    let readings: Vec<Reading> = parsed
        .par_iter()
        .map(|each| Reading::new(each, &lexicon, schema, &phrases))
        .collect();
    let types = vote(&readings, schema);
    let contributions = readings
        .into_par_iter()
        .map(|reading| {
            let spans = chunks(reading.parsed, counter, max_chunk_tokens);
            let contribution = reading.contribution(spans, schema, &phrases, &types);
            on_document();
            contribution
        })
        .collect();
    Ok(contributions)
}

/// What is known of a document before its relations are read.
struct Reading<'a> {
    parsed: &'a Parsed<'a>,
    own: String,
    mentions: Vec<Mention>,
    entities: Vec<EntityClaim>,
    definition: Option<Span>,
    lifespan: Vec<AttributeClaim>,
}

impl<'a> Reading<'a> {
    fn new(parsed: &'a Parsed<'a>, lexicon: &Lexicon, schema: &Schema, phrases: &Phrases) -> Self {
        let own = name::key(&parsed.document.title);
        let definition = typing::definition(parsed, phrases);
        let lifespan = lifespan(parsed, &own, schema);
        let mut reading = Self {
            parsed,
            mentions: link::mentions(parsed, lexicon),
            entities: Vec::new(),
            definition: definition.map(|(span, _)| span),
            lifespan,
            own,
        };
        let person = schema.type_id("person").filter(|_| !reading.lifespan.is_empty());
        reading.claim_subject(person.or(definition.and_then(|(_, kind)| kind)), phrases);
        reading.claim_mentions(phrases);
        reading
    }

    fn claim_subject(&mut self, shown: Option<TypeId>, phrases: &Phrases) {
        let title = &self.parsed.document.title;
        if self.own.is_empty() {
            return;
        }
        let tail = title.split_once('(').map(|(_, tail)| tail);
        let by_tail = tail.and_then(|tail| {
            tail.split(|ch: char| !ch.is_alphanumeric())
                .find_map(|word| phrases.type_of(word))
        });
        self.entities.push(EntityClaim {
            entity: self.own.clone(),
            name: title.clone(),
            entity_type: by_tail.or(shown).or_else(|| typing::of_name(title, phrases)),
            span: self.definition.unwrap_or(Span::new(0, 0)),
            is_subject: true,
        });
        let bare = name::without_disambiguator(title).map(str::to_owned);
        let opening = opening_name(title, self.parsed).map(|span| span.of(self.parsed.text()).to_owned());
        for other in bare.into_iter().chain(opening) {
            self.entities.push(EntityClaim {
                entity: self.own.clone(),
                name: other,
                entity_type: None,
                span: Span::new(0, 0),
                is_subject: false,
            });
        }
    }

    fn claim_mentions(&mut self, phrases: &Phrases) {
        let text = self.parsed.text();
        for (sentence, words) in &self.parsed.sentences {
            for mention in self
                .mentions
                .iter()
                .filter(|m| m.certainty == 100 && sentence.contains(m.span))
            {
                let surface = mention.span.of(text);
                if surface.is_empty() {
                    continue;
                }
                let shown = typing::of_apposition(text, words, mention.span, phrases);
                self.entities.push(EntityClaim {
                    entity: mention.entity.clone(),
                    name: surface.to_owned(),
                    entity_type: shown.or_else(|| typing::of_name(surface, phrases)),
                    span: mention.span,
                    is_subject: false,
                });
            }
        }
    }

    fn contribution(self, chunks: Vec<(Span, u32)>, schema: &Schema, phrases: &Phrases, types: &Types) -> Contribution {
        let mut contribution = Contribution::new(self.parsed.document.id);
        contribution.chunks = chunks;
        contribution.attributes.clone_from(&self.lifespan);
        self.define(schema, &mut contribution);
        for sentence in &self.parsed.sentences {
            let clause = Clause::new(self.parsed, sentence, &self.mentions, &self.own);
            contribution.triples.extend(triples(&clause, schema, phrases, types));
            contribution.attributes.extend(attributes(&clause, schema, phrases));
        }
        contribution.attributes.retain(|claim| !claim.entity.is_empty());
        contribution.triples.retain(|claim| !claim.head.is_empty());
        self.mention(schema, &mut contribution);
        contribution.entities = implied(&contribution, schema, types);
        contribution.entities.extend(self.entities);
        contribution.mentions = self.mentions;
        contribution.normalised()
    }

    /// What the opening sentence says the subject is, as an attribute.
    fn define(&self, schema: &Schema, contribution: &mut Contribution) {
        if let (Some(span), Some(attribute)) = (self.definition, schema.attribute_id(DEFINITION)) {
            contribution.attributes.push(AttributeClaim {
                entity: self.own.clone(),
                attribute,
                value: span.of(self.parsed.text()).to_owned(),
                span,
            });
        }
    }

    /// Ties the subject to whatever its document names and no other triple of the document reaches from it.
    fn mention(&self, schema: &Schema, contribution: &mut Contribution) {
        let Some(relation) = schema.relation_id(MENTIONS).filter(|_| !self.own.is_empty()) else {
            return;
        };
        let reached: BTreeSet<&str> = contribution
            .triples
            .iter()
            .filter(|claim| claim.head == self.own || claim.tail == self.own)
            .flat_map(|claim| [claim.head.as_str(), claim.tail.as_str()])
            .chain([self.own.as_str()])
            .collect();
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        for mention in self
            .mentions
            .iter()
            .filter(|mention| !reached.contains(mention.entity.as_str()))
        {
            first.entry(&mention.entity).or_insert(mention.span);
        }
        let claims: Vec<_> = first
            .into_iter()
            .map(|(entity, span)| banyan_engine::TripleClaim {
                head: self.own.clone(),
                relation,
                tail: entity.to_owned(),
                phrase: String::new(),
                span,
            })
            .collect();
        contribution.triples.extend(claims);
    }
}

/// One type for each key: what its own document says, else the majority of what others say.
fn vote(readings: &[Reading], schema: &Schema) -> Types {
    let mut votes: BTreeMap<&str, BTreeMap<TypeId, (bool, usize)>> = BTreeMap::new();
    for claim in readings.iter().flat_map(|reading| &reading.entities) {
        if let Some(kind) = claim.entity_type.filter(|kind| *kind != schema.thing()) {
            let slot = votes.entry(&claim.entity).or_default().entry(kind).or_default();
            slot.0 |= claim.is_subject;
            slot.1 += 1;
        }
    }
    votes
        .into_iter()
        .filter_map(|(key, kinds)| {
            let best = kinds
                .into_iter()
                .max_by_key(|(kind, score)| (*score, std::cmp::Reverse(*kind)))?;
            Some((key.to_owned(), best.0))
        })
        .collect()
}

/// The types that relations imply for entities of which nothing else tells a type.
fn implied(contribution: &Contribution, schema: &Schema, types: &Types) -> Vec<EntityClaim> {
    let mut claims = Vec::new();
    for triple in &contribution.triples {
        let Some((head, tail)) = implied_types(schema, triple.relation) else {
            continue;
        };
        for (entity, kind) in [(&triple.head, head), (&triple.tail, tail)] {
            if !types.contains_key(entity) {
                claims.push(EntityClaim {
                    entity: entity.clone(),
                    name: entity.clone(),
                    entity_type: Some(kind),
                    span: triple.span,
                    is_subject: false,
                });
            }
        }
    }
    claims
}

#[cfg(test)]
mod tests;
