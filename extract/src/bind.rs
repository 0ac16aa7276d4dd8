//! What an outside extractor stated, bound to the schema: its names become entities, its words relations and attributes.

use crate::context::{Context, Facts};
use crate::literal::{is_entity, literals};
use crate::reading::Reading;
use banyan_engine::schema::ElementKind;
use banyan_engine::{
    AttributeClaim, AttributeId, EntityClaim, LooseClaim, RelationId, Span, StatedAt, StatedTriple, TripleClaim,
    UnboundClaim, name,
};

/// The names that statements give to entities, with repetitions: those listed as entities; where none are, the ends of
/// triples and the owners of attributes.
pub(crate) fn names(statements: &[StatedAt]) -> impl Iterator<Item = &str> {
    statements.iter().flat_map(|StatedAt { stated, .. }| {
        let entities = stated.entities.iter().map(|entity| entity.name.as_str());
        let ends = stated
            .triples
            .iter()
            .flat_map(|triple| [triple.head.as_str(), triple.tail.as_str()]);
        let owners = stated.attributes.iter().map(|attribute| attribute.entity.as_str());
        let others = ends.chain(owners).filter(|_| stated.entities.is_empty());
        entities.chain(others).filter(|name| is_entity(name))
    })
}

/// The facts among the statements about one document. Cost O(statements · (phrase length + sentences)).
///
/// A relation is found by its name, else by the phrases of the schema; of several the one whose types fit. A triple that
/// ends in a value becomes an attribute where the schema has one for its words. What has no place is kept as unbound.
pub(crate) fn bind(reading: &Reading, statements: &[StatedAt], context: &Context) -> Facts {
    let mut binder = Binder {
        reading,
        context,
        facts: Facts::default(),
    };
    for at in statements {
        for entity in &at.stated.entities {
            binder.entity(&entity.name, entity.entity_type.as_deref(), at.span);
        }
        for triple in &at.stated.triples {
            binder.triple(triple, at.span);
        }
        for attribute in &at.stated.attributes {
            binder.attribute(&attribute.entity, &attribute.attribute, &attribute.value, at.span);
        }
    }
    binder.facts
}

struct Binder<'a> {
    reading: &'a Reading<'a>,
    context: &'a Context<'a>,
    facts: Facts,
}

impl Binder<'_> {
    /// Claims a stated name and its type.
    fn entity(&mut self, name: &str, kind: Option<&str>, within: Span) {
        if !is_entity(name) {
            return;
        }
        let span = self.place(within, &[name]);
        let entity = self.name(name, span);
        let (Some(kind), None) = (kind, kind.and_then(|kind| self.context.phrases.type_of(kind))) else {
            return;
        };
        self.unbound(ElementKind::EntityType, kind, entity, String::new(), span);
    }

    fn triple(&mut self, triple: &StatedTriple, within: Span) {
        if !is_entity(&triple.head) {
            return;
        }
        let span = self.place(within, &[&triple.head, &triple.tail]);
        if !is_entity(&triple.tail) {
            return self.attribute(&triple.head, &triple.relation, &triple.tail, within);
        }
        let (head, tail) = (self.name(&triple.head, span), self.name(&triple.tail, span));
        if head == tail {
            return;
        }
        let found = self.relation(&head, &triple.relation, &tail);
        if found.is_none() {
            self.unbound(
                ElementKind::Relation,
                &triple.relation,
                head.clone(),
                triple.tail.clone(),
                span,
            );
        }
        let phrase = triple.relation.clone();
        match found {
            Some(relation) => self.facts.triples.push(TripleClaim {
                head,
                relation,
                tail,
                phrase,
                span,
            }),
            None => self.facts.loose.push(LooseClaim {
                head,
                tail,
                phrase,
                span,
            }),
        }
    }

    fn attribute(&mut self, entity: &str, word: &str, value: &str, within: Span) {
        if !is_entity(entity) || value.trim().is_empty() {
            return;
        }
        let span = self.place(within, &[entity, value]);
        let entity = self.name(entity, span);
        match self.attribute_id(word, value) {
            Some(attribute) => self.facts.attributes.push(AttributeClaim {
                entity,
                attribute,
                value: value.trim().to_owned(),
                span,
            }),
            None => self.unbound(ElementKind::Attribute, word, entity, value.to_owned(), span),
        }
    }

    /// The key of a name as this document uses it, claimed as its spelling.
    fn name(&mut self, name: &str, span: Span) -> String {
        let entity = self.reading.entity_of(name, self.context.lexicon);
        self.facts.entities.push(EntityClaim {
            entity: entity.clone(),
            name: name.split_whitespace().collect::<Vec<_>>().join(" "),
            entity_type: None,
            span,
            is_subject: false,
        });
        entity
    }

    /// The relation that a word or phrase states; of several the one whose types fit the ends best.
    fn relation(&self, head: &str, word: &str, tail: &str) -> Option<RelationId> {
        let Context {
            schema, phrases, types, ..
        } = self.context;
        if let Some(relation) = schema.relation_id(word).or_else(|| schema.relation_id(&snake(word))) {
            return Some(relation);
        }
        let found = phrases.relation_before(&lower(word))?;
        let mut fitting: Vec<(u8, RelationId)> = found
            .ids
            .iter()
            .filter_map(|id| Some((types.fit(schema, head, *id, tail)?, *id)))
            .collect();
        fitting.sort_by_key(|(fit, _)| std::cmp::Reverse(*fit));
        fitting.first().map(|(_, id)| *id).or(found.ids.first().copied())
    }

    fn attribute_id(&self, word: &str, value: &str) -> Option<AttributeId> {
        let Context { schema, phrases, .. } = self.context;
        if let Some(attribute) = schema.attribute_id(word).or_else(|| schema.attribute_id(&snake(word))) {
            return Some(attribute);
        }
        let values = literals(value, Span::new(0, value.len()));
        let serves = |id: &AttributeId| {
            let kind = schema.attributes()[id.index()].kind;
            values.iter().any(|value| value.serves(kind))
        };
        let found = phrases.attributes_in(&lower(word));
        found.into_iter().flat_map(|found| found.ids).find(serves)
    }

    fn unbound(&mut self, kind: ElementKind, word: &str, subject: String, object: String, span: Span) {
        self.facts.unbound.push(UnboundClaim {
            kind,
            word: word.trim().to_owned(),
            subject,
            object,
            span,
        });
    }

    /// The sentence of `within` that names the most of `names`, the first of equals; all of `within` where none does.
    fn place(&self, within: Span, names: &[&str]) -> Span {
        let text = self.reading.parsed.text();
        let sentences = self.reading.parsed.sentences.iter().map(|(span, _)| *span);
        let mut best = (0, within);
        for sentence in sentences.filter(|sentence| within.contains(*sentence)) {
            let spoken = sentence.of(text);
            let n = names.iter().filter(|name| spoken.contains(**name)).count();
            if n > best.0 {
                best = (n, sentence);
            }
        }
        best.1
    }
}

fn lower(phrase: &str) -> Vec<String> {
    phrase.split_whitespace().map(str::to_lowercase).collect()
}

fn snake(phrase: &str) -> String {
    name::key(phrase).replace(' ', "_")
}
