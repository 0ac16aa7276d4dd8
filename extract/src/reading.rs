//! One document, read: who is named where, what its opening says, and, once types are known, what it states.

use crate::analysis::Analysis;
use crate::clause::within;
use crate::han::begins;
use crate::lexicon::Lexicon;
use crate::lifespan::lifespan;
use crate::link;
use crate::literal::is_entity;
use crate::phrase::Phrases;
use crate::recognise::{opening_name, opens_with_title, other_names};
use crate::typing;
use banyan_engine::{AttributeClaim, EntityClaim, Mention, Schema, Span, StatedAt, TypeId, name};
use std::collections::BTreeMap;

/// The empty span that stands for the title.
const TITLE: Span = Span { start: 0, end: 0 };

/// What is known of a document before its relations are read.
pub(crate) struct Reading<'a> {
    pub(crate) parsed: &'a Analysis<'a>,
    /// Key of its subject; empty where the title names nothing.
    pub(crate) own: String,
    /// Whether it is about what its title names, so that a sentence without a subject is, too.
    pub(crate) is_about_title: bool,
    /// All mentions, sorted by place.
    pub(crate) mentions: Vec<Mention>,
    /// Names, and types that the text shows.
    pub(crate) entities: Vec<EntityClaim>,
    /// What its opening sentence says its subject is.
    pub(crate) definition: Option<Span>,
    pub(crate) lifespan: Vec<AttributeClaim>,
}

impl<'a> Reading<'a> {
    /// Links and types the names of a document; `statements` from outside add types.
    pub(crate) fn new(
        parsed: &'a Analysis<'a>,
        statements: &[StatedAt],
        lexicon: &Lexicon,
        schema: &Schema,
        phrases: &Phrases,
    ) -> Self {
        let own = if lexicon.is_titled(parsed.document) {
            name::key(&parsed.document.title)
        } else {
            String::new()
        };
        let is_about_title = opens_with_title(parsed);
        let definition = typing::definition(parsed, phrases).filter(|_| is_about_title);
        let shown = definition.and_then(|(_, kind)| kind);
        let person = schema.type_id("person");
        let lifespan = if is_about_title && (shown.is_none() || shown == person) {
            lifespan(parsed, &own, schema)
        } else {
            Vec::new()
        };
        let mut reading = Self {
            parsed,
            mentions: link::mentions(parsed, &own, lexicon),
            entities: Vec::new(),
            definition: definition.map(|(span, _)| span),
            own,
            is_about_title,
            lifespan,
        };
        reading.claim_subject(shown.or(person.filter(|_| !reading.lifespan.is_empty())), phrases);
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

    fn claim_mentions(&mut self, phrases: &Phrases) {
        let text = self.parsed.text();
        let mut claims = Vec::new();
        let stated = self.stated(phrases);
        let labelled = self.labelled(phrases);
        for (sentence, words) in &self.parsed.sentences {
            for mention in within(&self.mentions, *sentence).filter(|mention| mention.certainty == 100) {
                let name = mention.span.of(text).split_whitespace().collect::<Vec<_>>().join(" ");
                // A recogniser's label counts where the name's own words say nothing; a Chinese name of a person may
                // end with any noun.
                let by_label = || {
                    let label = labelled.get(mention.entity.as_str()).copied()?;
                    let is_person = begins(&name) && phrases.type_of("person") == Some(label);
                    (is_person || typing::of_name(&name, phrases).is_none()).then_some(label)
                };
                claims.push(EntityClaim {
                    entity: mention.entity.clone(),
                    entity_type: typing::of_tag(mention.span.of(text), phrases)
                        .or_else(|| typing::of_apposition(text, words, mention.span, phrases))
                        .or_else(|| stated.get(mention.entity.as_str()).copied())
                        .or_else(by_label),
                    name,
                    span: mention.span,
                    is_subject: false,
                });
            }
        }
        self.entities.append(&mut claims);
    }

    /// What sentences say that names are: it outweighs what a recogniser takes them for anywhere in the document.
    fn stated(&self, phrases: &Phrases) -> BTreeMap<&str, TypeId> {
        let text = self.parsed.text();
        let mut stated = BTreeMap::new();
        for (sentence, words) in &self.parsed.sentences {
            let names =
                within(&self.mentions, *sentence).filter(|mention| mention.certainty == 100 && !mention.is_term);
            for name in names {
                if let Some(kind) = typing::of_statement(text, words, name.span, phrases) {
                    stated.entry(name.entity.as_str()).or_insert(kind);
                }
            }
        }
        stated
    }

    /// What a recogniser takes names for at most of the places that name them.
    fn labelled(&self, phrases: &Phrases) -> BTreeMap<&str, TypeId> {
        let mut counts: BTreeMap<&str, (usize, BTreeMap<TypeId, usize>)> = BTreeMap::new();
        for (sentence, words) in &self.parsed.sentences {
            for mention in within(&self.mentions, *sentence).filter(|mention| mention.certainty == 100) {
                let (n, labels) = counts.entry(&mention.entity).or_default();
                *n += 1;
                if let Some(label) = typing::of_label(words, mention.span, phrases) {
                    *labels.entry(label).or_default() += 1;
                }
            }
        }
        let mostly = counts.into_iter().filter_map(|(entity, (n, labels))| {
            let (label, _) = labels.into_iter().find(|(_, n_so)| 2 * n_so > n)?;
            Some((entity, label))
        });
        mostly.collect()
    }

    /// Whether a claim is about one of the mentions, rather than what the document or somebody else says as a whole.
    pub(crate) fn is_mention(&self, claim: &EntityClaim) -> bool {
        let first = self.mentions.partition_point(|mention| mention.span < claim.span);
        let same = self.mentions[first..]
            .iter()
            .take_while(|mention| mention.span == claim.span);
        !claim.is_subject && same.into_iter().any(|mention| mention.entity == claim.entity)
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
        let senses = lexicon.senses(name.trim()).map_or(&[][..], |found| &found.entities);
        let mentioned =
            |key: &&String| **key == self.own || self.mentions.iter().any(|mention| mention.entity == **key);
        let found = senses.iter().find(mentioned).or_else(|| senses.first());
        found.cloned().unwrap_or_else(|| name::key(name))
    }
}
