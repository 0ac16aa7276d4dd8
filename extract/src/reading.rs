//! One document, read: who is named where, what its opening says, and, once types are known, what it states.

use crate::bind::is_entity;
use crate::clause::within;
use crate::facts::{Context, Facts};
use crate::lexicon::Lexicon;
use crate::lifespan::lifespan;
use crate::link;
use crate::parsed::Parsed;
use crate::phrase::Phrases;
use crate::recognise::{opening_name, other_names};
use crate::typing;
use banyan_engine::{
    AttributeClaim, Contribution, EntityClaim, Mention, Schema, Span, StatedAt, TripleClaim, TypeId, name,
};
use std::collections::{BTreeMap, BTreeSet};

/// Name of the attribute that takes what an opening sentence says its subject is.
const DEFINITION: &str = "description";
/// Name of the relation between a document's subject and whatever else the document names.
const MENTIONS: &str = "mentions";
/// The empty span that stands for the title.
const TITLE: Span = Span { start: 0, end: 0 };

/// What is known of a document before its relations are read.
pub(crate) struct Reading<'a> {
    /// The document.
    pub(crate) parsed: &'a Parsed<'a>,
    /// Key of its subject; empty where the title has no letter or digit.
    pub(crate) own: String,
    /// All mentions, sorted by place.
    pub(crate) mentions: Vec<Mention>,
    /// Names, and types that the text shows.
    pub(crate) entities: Vec<EntityClaim>,
    definition: Option<Span>,
    lifespan: Vec<AttributeClaim>,
}

impl<'a> Reading<'a> {
    /// Links and types the names of a document; `statements` from outside add types.
    pub(crate) fn new(
        parsed: &'a Parsed<'a>,
        statements: &[StatedAt],
        lexicon: &Lexicon,
        schema: &Schema,
        phrases: &Phrases,
    ) -> Self {
        let own = name::key(&parsed.document.title);
        let definition = typing::definition(parsed, phrases);
        let shown = definition.and_then(|(_, kind)| kind);
        let person = schema.type_id("person");
        let lifespan = if shown.is_none() || shown == person {
            lifespan(parsed, &own, schema)
        } else {
            Vec::new()
        };
        let mut reading = Self {
            parsed,
            mentions: link::mentions(parsed, lexicon),
            entities: Vec::new(),
            definition: definition.map(|(span, _)| span),
            own,
            lifespan,
        };
        reading.claim_subject(shown.or(person.filter(|_| !reading.lifespan.is_empty())), phrases);
        reading.claim_title(lexicon);
        reading.claim_mentions(phrases);
        reading.claim_stated(statements, lexicon, phrases);
        reading
    }

    fn claim(&mut self, entity: &str, name: &str, entity_type: Option<TypeId>, span: Span) {
        self.entities.push(EntityClaim {
            entity: entity.to_owned(),
            name: name.to_owned(),
            entity_type,
            span,
            is_subject: false,
        });
    }

    fn claim_subject(&mut self, shown: Option<TypeId>, phrases: &Phrases) {
        let title = &self.parsed.document.title;
        if self.own.is_empty() {
            return;
        }
        let tail = title.split_once('(').map_or("", |(_, tail)| tail);
        let by_tail = tail
            .split(|ch: char| !ch.is_alphanumeric())
            .find_map(|word| phrases.type_of(word));
        self.entities.push(EntityClaim {
            entity: self.own.clone(),
            name: title.clone(),
            entity_type: by_tail.or(shown),
            span: self.definition.unwrap_or(TITLE),
            is_subject: true,
        });
        let bare = name::without_disambiguator(title);
        let opening = opening_name(title, self.parsed).into_iter();
        let called = opening.chain(other_names(self.parsed));
        let called = called.map(|span| span.of(self.parsed.text()));
        let own = self.own.clone();
        for other in bare.into_iter().chain(called) {
            self.claim(&own, other, None, TITLE);
        }
    }

    fn claim_title(&mut self, lexicon: &Lexicon) {
        for (surface, mention) in link::in_title(self.parsed, lexicon) {
            self.claim(&mention.entity, &surface, None, TITLE);
            self.mentions.push(mention);
        }
        self.mentions.sort();
    }

    fn claim_mentions(&mut self, phrases: &Phrases) {
        let text = self.parsed.text();
        let mut claims = Vec::new();
        for (sentence, words) in &self.parsed.sentences {
            for mention in within(&self.mentions, *sentence).filter(|mention| mention.certainty == 100) {
                claims.push(EntityClaim {
                    entity: mention.entity.clone(),
                    name: mention.span.of(text).split_whitespace().collect::<Vec<_>>().join(" "),
                    entity_type: typing::of_tag(mention.span.of(text), phrases)
                        .or_else(|| typing::of_apposition(text, words, mention.span, phrases)),
                    span: mention.span,
                    is_subject: false,
                });
            }
        }
        self.entities.append(&mut claims);
    }

    /// Types that were stated from outside, where the schema has them.
    fn claim_stated(&mut self, statements: &[StatedAt], lexicon: &Lexicon, phrases: &Phrases) {
        let entities = statements
            .iter()
            .flat_map(|at| at.stated.entities.iter().map(|entity| (at.span, entity)));
        for (span, entity) in entities.filter(|(_, entity)| is_entity(&entity.name)) {
            let kind = entity.entity_type.as_deref().and_then(|kind| phrases.type_of(kind));
            let key = self.entity_of(&entity.name, lexicon);
            self.claim(&key, &entity.name, kind, span);
        }
    }

    /// The key of what a name, stated of this document, denotes: what the lexicon says; of several meanings the one
    /// that the document mentions.
    pub(crate) fn entity_of(&self, name: &str, lexicon: &Lexicon) -> String {
        let meanings = lexicon
            .meaning(name.trim())
            .map_or(&[][..], |meaning| &meaning.entities);
        let mentioned =
            |key: &&String| **key == self.own || self.mentions.iter().any(|mention| mention.entity == **key);
        let found = meanings.iter().find(mentioned).or_else(|| meanings.first());
        found.cloned().unwrap_or_else(|| name::key(name))
    }

    /// Everything the document says, with the facts that its extractor found.
    pub(crate) fn contribution(mut self, chunks: Vec<(Span, u32)>, facts: Facts, context: &Context) -> Contribution {
        let Context { schema, types, .. } = context;
        let mut contribution = Contribution::new(self.parsed.document.id);
        contribution.chunks = chunks;
        contribution.attributes = std::mem::take(&mut self.lifespan);
        self.define(schema, &mut contribution);
        contribution.triples = facts.triples;
        contribution.attributes.extend(facts.attributes);
        contribution.unbound = facts.unbound;
        self.mentions.extend(facts.mentions);
        self.mentions.sort();
        contribution.attributes.retain(|claim| !claim.entity.is_empty());
        contribution.triples.retain(|claim| !claim.head.is_empty());
        contribution.entities = types.claims(&contribution.triples, &self.mentions, schema);
        contribution.entities.append(&mut self.entities);
        contribution.entities.extend(facts.entities);
        self.mention(schema, &mut contribution);
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
        let claims = first.into_iter().map(|(entity, span)| TripleClaim {
            head: self.own.clone(),
            relation,
            tail: entity.to_owned(),
            phrase: String::new(),
            span,
        });
        let mut claims: Vec<_> = claims.collect();
        contribution.triples.append(&mut claims);
    }
}
