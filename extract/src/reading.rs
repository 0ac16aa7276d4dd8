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
use crate::word::Word;
use banyan_engine::document::one_line;
use banyan_engine::fact::EntityKey;
use banyan_engine::{AttributeClaim, EntityClaim, Mention, Schema, Span, StatedAt, TypeId, name};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The empty span that stands for the title.
const TITLE: Span = Span { start: 0, end: 0 };

/// What a document shows of the type of somebody.
#[derive(Debug, Default)]
struct Shown {
    /// What a sentence says it is: outweighs what a recogniser takes it for anywhere in the document.
    stated: Option<TypeId>,
    n_places: usize,
    /// What a recogniser takes it for, and at how many places.
    labels: BTreeMap<TypeId, usize>,
}

impl Shown {
    /// The label of most places.
    fn usual_label(&self) -> Option<TypeId> {
        let mut labels = self.labels.iter();
        let usual = labels.find(|(_, n_so)| 2 * **n_so > self.n_places);
        usual.map(|(label, _)| *label)
    }
}

/// What is known of a document before its relations are read.
pub(crate) struct Reading<'a> {
    pub(crate) parsed: &'a Analysis<'a>,
    /// Key of its subject; empty where the title names nothing.
    pub(crate) own: EntityKey,
    /// Whether it is about what its title names, so that a sentence without a subject is, too.
    pub(crate) is_about_title: bool,
    /// All mentions, sorted by place.
    pub(crate) mentions: Vec<Mention>,
    /// Names, and types that the text shows.
    pub(crate) entities: Vec<EntityClaim>,
    /// What its opening sentence says its subject is.
    pub(crate) definition: Option<Span>,
    pub(crate) lifespan: Vec<AttributeClaim>,
    /// Types that were stated from outside, by key, each as often as it was stated.
    pub(crate) stated: Vec<(EntityKey, TypeId)>,
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
            name::key(&parsed.document.title).into()
        } else {
            EntityKey::default()
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
            stated: Vec::new(),
        };
        reading.claim_subject(shown.or(person.filter(|_| !reading.lifespan.is_empty())), phrases);
        reading.claim_mentions(phrases);
        reading.claim_stated(statements, lexicon, phrases);
        reading
    }

    /// Leaves out what is no entity: its mentions and claims, and the title where that is none.
    pub(crate) fn leave_out(&mut self, is_junk: impl Fn(&str) -> bool) {
        self.mentions.retain(|mention| !is_junk(&mention.entity));
        self.entities.retain(|claim| !is_junk(&claim.entity));
        self.lifespan.retain(|claim| !is_junk(&claim.entity));
        if is_junk(&self.own) {
            self.own = EntityKey::default();
            self.definition = None;
        }
    }

    fn claim(&mut self, entity: &EntityKey, name: &str, entity_type: Option<TypeId>, span: Span) {
        self.entities.push(EntityClaim {
            entity: Arc::clone(entity),
            name: name.into(),
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
            name: title.as_str().into(),
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
        let shown = self.shown(phrases);
        let (mut claims, mut names) = (Vec::new(), BTreeSet::<Arc<str>>::new());
        for (mention, words) in self.certain() {
            let name: Arc<str> = one_line(mention.span.of(text)).into();
            let name = names.get(&name).cloned().unwrap_or(name);
            names.insert(Arc::clone(&name));
            let shown = shown.get(&*mention.entity);
            // A recogniser's label counts where the name's own words say nothing; a Chinese name of a person may end
            // with any noun.
            let by_label = || {
                let label = shown?.usual_label()?;
                let is_person = begins(&name) && phrases.type_of("person") == Some(label);
                (is_person || typing::of_name(&name, phrases).is_none()).then_some(label)
            };
            claims.push(EntityClaim {
                entity: mention.entity.clone(),
                entity_type: typing::of_tag(mention.span.of(text), phrases)
                    .or_else(|| typing::of_apposition(text, words, mention.span, phrases))
                    .or_else(|| shown?.stated)
                    .or_else(by_label),
                name,
                span: mention.span,
                is_subject: false,
            });
        }
        self.entities.append(&mut claims);
    }

    /// The mentions that are certain, each with the words of its sentence.
    fn certain(&self) -> impl Iterator<Item = (&Mention, &[Word])> {
        let all = self.parsed.sentences.iter();
        all.flat_map(|(sentence, words)| within(&self.mentions, *sentence).map(|mention| (mention, words.as_slice())))
            .filter(|(mention, _)| mention.certainty == 100)
    }

    /// What the document as a whole shows of the types of those that it mentions.
    fn shown(&self, phrases: &Phrases) -> BTreeMap<&str, Shown> {
        let text = self.parsed.text();
        let mut all: BTreeMap<&str, Shown> = BTreeMap::new();
        for (mention, words) in self.certain() {
            let shown = all.entry(&mention.entity).or_default();
            shown.n_places += 1;
            if let Some(label) = typing::of_label(words, mention.span, phrases) {
                *shown.labels.entry(label).or_default() += 1;
            }
            if shown.stated.is_none() && !mention.is_term {
                shown.stated = typing::of_statement(text, words, mention.span, phrases);
            }
        }
        all
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
            self.stated.extend(kind.map(|kind| (key, kind)));
        }
    }

    /// The key of what a name, stated of this document, denotes: what the lexicon says; of several meanings the one
    /// that the document mentions.
    pub(crate) fn entity_of(&self, name: &str, lexicon: &Lexicon) -> EntityKey {
        let senses = lexicon.senses(name.trim()).map_or(&[][..], |found| &found.entities);
        let mentioned =
            |key: &&EntityKey| **key == self.own || self.mentions.iter().any(|mention| mention.entity == **key);
        let found = senses.iter().find(mentioned).or_else(|| senses.first());
        found.cloned().unwrap_or_else(|| name::key(name).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_of_most_places_is_the_usual_one() {
        let schema = Schema::general().unwrap();
        let [person, place] = ["person", "place"].map(|name| schema.type_id(name).unwrap());
        let usual = |labels: &[(TypeId, usize)]| {
            let labels = labels.iter().copied().collect();
            Shown {
                stated: None,
                n_places: 5,
                labels,
            }
            .usual_label()
        };
        assert_eq!(usual(&[(person, 2), (place, 3)]), Some(place));
        assert_eq!(usual(&[(person, 2), (place, 1)]), None, "no label at most places");
    }
}
