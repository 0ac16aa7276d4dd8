//! What an outside extractor stated, bound to the schema: its names become entities, its words relations and attributes.

use crate::context::{Context, Facts};
use crate::lexicon::Lexicon;
use crate::link;
use crate::literal::{is_entity, literals};
use crate::reading::Reading;
use crate::stated::Grounds;
use banyan_engine::document::one_line;
use banyan_engine::fact::EntityKey;
use banyan_engine::schema::{ElementKind, ValueKind};
use banyan_engine::{
    AttributeClaim, AttributeId, EntityClaim, LooseClaim, Mention, RelationId, Span, StatedAt, StatedTriple,
    TripleClaim, UnboundClaim, name,
};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The names that statements give to entities, with repetitions: those listed as entities, the ends of triples and the
/// owners of attributes.
pub(crate) fn names(statements: &[StatedAt]) -> impl Iterator<Item = &str> {
    statements.iter().flat_map(|StatedAt { stated, .. }| {
        let entities = stated.entities.iter().map(|entity| entity.name.as_str());
        let ends = stated
            .triples
            .iter()
            .flat_map(|triple| [triple.head.as_str(), triple.tail.as_str()]);
        let owners = stated.attributes.iter().map(|attribute| attribute.entity.as_str());
        entities.chain(ends).chain(owners).filter(|name| is_entity(name))
    })
}

/// The facts among the statements about one document. Cost O(length + statements · (phrase length + sentences of a
/// chunk)).
///
/// A relation is found by its name, else by the phrases of the schema; of several the one whose types fit. A triple that
/// ends in a value becomes an attribute where the schema has one for its words. What has no place is kept as unbound, and
/// joins the things that it names loosely. Whatever becomes of a fact, its things are mentioned where they are named.
pub(crate) fn bind(reading: &Reading, statements: &[StatedAt], context: &Context, lexicon: &Lexicon) -> Facts {
    let sentences = reading.parsed.sentences.iter();
    let mut binder = Binder {
        reading,
        context,
        lexicon,
        sentences: sentences
            .map(|(span, _)| (*span, Grounds::new("", span.of(reading.parsed.text()))))
            .collect(),
        mentioned: reading.mentions.iter().map(|mention| mention.entity.clone()).collect(),
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
    lexicon: &'a Lexicon,
    /// In text order.
    sentences: Vec<(Span, Grounds)>,
    /// Keys of the entities that the document mentions.
    mentioned: BTreeSet<EntityKey>,
    facts: Facts,
}

impl Binder<'_> {
    /// Claims a stated name and its type. What is no thing was counted when it was taken in, here and below.
    fn entity(&mut self, name: &str, kind: Option<&str>, within: Span) {
        if !is_entity(name) {
            return;
        }
        let span = self.place(within, name, "", "");
        let entity = self.name(name, span);
        let (Some(kind), None) = (kind, kind.and_then(|kind| self.context.phrases.type_of(kind))) else {
            return;
        };
        self.unbound(ElementKind::EntityType, kind, entity, String::new(), span);
    }

    fn triple(&mut self, StatedTriple { head, relation, tail }: &StatedTriple, within: Span) {
        if !is_entity(head) {
            return;
        }
        let schema = self.context.schema;
        // An attribute that any words can be the value of.
        let is_attribute = schema.relation_id(relation).is_none()
            && schema
                .attribute_id(relation)
                .is_some_and(|id| schema.attributes()[id.index()].kind == ValueKind::Text);
        if is_attribute || !is_entity(tail) {
            return self.attribute(head, relation, tail, within);
        }
        let span = self.place(within, head, relation, tail);
        let (from, to) = (self.name(head, span), self.name(tail, span));
        let Some(found) = self.relation(&from, relation, &to) else {
            self.unbound(ElementKind::Relation, relation, from.clone(), tail.clone(), span);
            return self.loose(from, relation, to, span);
        };
        self.facts.triples.push(TripleClaim {
            head: from,
            relation: found,
            tail: to,
            phrase: relation.clone(),
            span,
        });
    }

    fn attribute(&mut self, owner: &str, word: &str, value: &str, within: Span) {
        if !is_entity(owner) {
            return;
        }
        let span = self.place(within, owner, word, value);
        let entity = self.name(owner, span);
        let Some(attribute) = self.attribute_id(word, value) else {
            if self.lexicon.senses(value).is_some() {
                let other = self.name(value, span);
                self.loose(entity.clone(), word, other, span);
            }
            return self.unbound(ElementKind::Attribute, word, entity, value.to_owned(), span);
        };
        self.facts.attributes.push(AttributeClaim {
            entity,
            attribute,
            value: value.trim().to_owned(),
            span,
        });
    }

    fn loose(&mut self, head: EntityKey, phrase: &str, tail: EntityKey, span: Span) {
        let phrase = phrase.to_owned();
        self.facts.loose.push(LooseClaim {
            head,
            tail,
            phrase,
            span,
        });
    }

    /// The key of a name as this document uses it, claimed as its spelling, and mentioned where `span` has it unless the
    /// document is known to mention it.
    fn name(&mut self, name: &str, span: Span) -> EntityKey {
        let entity = self.reading.entity_of(name, self.lexicon);
        self.facts.entities.push(EntityClaim {
            entity: entity.clone(),
            name: one_line(name).into(),
            entity_type: None,
            span,
            is_subject: false,
        });
        if !self.mentioned.contains(&entity)
            && let Some(span) = link::named(self.reading.parsed.text(), span, name)
        {
            self.mentioned.insert(entity.clone());
            self.facts.mentions.push(Mention {
                span,
                entity: entity.clone(),
                certainty: link::FULL,
                is_term: false,
            });
        }
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

    fn unbound(&mut self, kind: ElementKind, word: &str, subject: EntityKey, object: String, span: Span) {
        self.facts.unbound.push(UnboundClaim {
            kind,
            word: word.trim().to_owned(),
            subject,
            object,
            span,
        });
    }

    /// The sentence of `within` that states something: one that names both, else `tail`, else `head`; of several the one
    /// with most words of the relation, then the one nearest to where `head` is named, rather after it than before; all
    /// of `within` where none names either.
    fn place(&self, within: Span, head: &str, relation: &str, tail: &str) -> Span {
        let first = self.sentences.partition_point(|(span, _)| span.start < within.start);
        let inside = self.sentences[first..]
            .iter()
            .take_while(|(span, _)| span.end <= within.end);
        // A name or value is there word for word, or as some of its words.
        let names = |grounds: &Grounds, name: &str| u8::from(grounds.name(name)) + u8::from(grounds.value(name));
        let found: Vec<_> = inside
            .map(|(span, grounds)| {
                let words = relation.split(|ch: char| !ch.is_alphanumeric());
                let n_words = words.filter(|word| grounds.name(word)).count();
                (*span, names(grounds, head), names(grounds, tail), n_words)
            })
            .collect();
        let heads = (0..).zip(&found).filter(|(_, (_, head, ..))| *head > 0);
        let heads: Vec<usize> = heads.map(|(at, _)| at).collect();
        let best = (0..).zip(&found).max_by_key(|(at, (_, head, tail, n_words))| {
            let away = heads
                .iter()
                .map(|head| 2 * head.abs_diff(*at) + usize::from(head > at))
                .min();
            let is_both = *head > 0 && *tail > 0;
            (is_both, *tail, *head, *n_words, Reverse(away), Reverse(*at))
        });
        let named = best.filter(|(_, (_, head, tail, _))| head + tail > 0);
        named.map_or(within, |(_, (span, ..))| *span)
    }
}

fn lower(phrase: &str) -> Vec<String> {
    phrase.split_whitespace().map(str::to_lowercase).collect()
}

fn snake(phrase: &str) -> String {
    name::key(phrase).replace(' ', "_")
}

#[cfg(test)]
mod tests {
    use crate::Extractor;
    use crate::analysis::Analysis;
    use crate::chunk::EstimateTokens;
    use crate::pipeline::extract;
    use crate::stated::Intake;
    use crate::watch::Watch;
    use banyan_engine::graph::{KnowledgeGraph, Source, assemble};
    use banyan_engine::schema::Refusals;
    use banyan_engine::{Document, Origin, Resolution, Schema, Span, StatedAt};
    use std::collections::BTreeMap;

    struct Nobody;
    impl Watch for Nobody {}

    const SCHEMA: &str = r#"{"name": "quay", "entity_types": [{"name": "person"}, {"name": "place"}],
        "relations": [{"name": "married", "domain": ["person"], "range": ["person"]}],
        "attributes": [{"name": "height", "kind": "quantity", "unit": "m"}]}"#;

    /// The graph of a text and of statements about it, under [`SCHEMA`].
    fn graph(text: &str, say: impl Fn(&mut Intake)) -> (Schema, KnowledgeGraph, Refusals) {
        let origin = Origin {
            record: Some("1".to_owned()),
            ..Origin::default()
        };
        let documents = [Document::new("Ann Orrin (keeper)", text, origin)];
        let mut intake = Intake::default();
        for (name, kind) in [("Ann Orrin", "person"), ("Bo Ferren", "person"), ("Tidd", "place")] {
            intake.entity(name, Some(kind));
        }
        say(&mut intake);
        let at = StatedAt {
            span: Span::new(0, text.len()),
            stated: intake.finish(),
            tokens: 0,
        };
        let statements = BTreeMap::from([(documents[0].id, vec![at])]);
        let schema = Schema::from_json(SCHEMA).unwrap();
        let (parsed, extractor) = (Analysis::surfaces(&documents), Extractor::Stated(&statements));
        let said = extract(&parsed, extractor, &schema, &EstimateTokens, 256, &Nobody).unwrap();
        let (_, graph, refusals) = assemble(&schema, &said, &Resolution::default());
        (schema, graph, refusals)
    }

    /// What becomes of statements about a text: facts with the sentence that they cite, words of associations, refusals.
    fn check(text: &str, say: impl Fn(&mut Intake), expected: &[&str]) {
        let (_, graph, refusals) = graph(text, say);
        let cited = |source: &Source| source.span.of(text).to_owned();
        let triples = graph.triples().iter();
        let mut found: Vec<String> = triples.map(|one| format!("fact: {}", cited(&one.sources[0]))).collect();
        found.extend(
            graph
                .attributes()
                .iter()
                .map(|one| format!("{}: {}", one.value, cited(&one.sources[0]))),
        );
        let tied = graph.associations().iter().filter(|one| !one.phrases.is_empty());
        found.extend(tied.map(|one| {
            let ends = [one.a, one.b].map(|end| graph.entity(end));
            assert!(ends.iter().all(|end| !end.mentions.is_empty()), "{ends:?}");
            format!("{} ~ {} ({})", ends[0].key, ends[1].key, one.phrases.join(", "))
        }));
        found.extend(
            refusals
                .iter()
                .map(|(reason, refused)| format!("{} {reason}", refused.n)),
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn a_fact_cites_the_sentence_that_states_it() {
        let text = "Ann Orrin kept the light. Tidd lies far off. Bo Ferren came. Ann Orrin married Bo Ferren. Ann Orrin left Bo Ferren.";
        let married = |intake: &mut Intake| intake.triple("Ann Orrin", "married", "Bo Ferren");
        check(text, married, &["fact: Ann Orrin married Bo Ferren."]);
        let text = "Bo Ferren rowed. Ann Orrin kept the light. She met Bo Ferren. Tidd lies far off. Bo Ferren left.";
        check(text, married, &["fact: She met Bo Ferren."]);
        let text = "Ann Orrin kept the light. Tidd lies far off. She was 1.7 m tall.";
        let tall = |intake: &mut Intake| intake.attribute("Ann Orrin", "height", "1.7 m");
        check(text, tall, &["1.7 m: She was 1.7 m tall."]);
    }

    #[test]
    fn a_stated_type_outweighs_what_texts_show() {
        let text = "The person Tidd rowed. The person Tidd sang. The person Skelva left. The person Skelva died.";
        let (schema, graph, _) = graph(text, |intake| intake.entity("Skelva", Some("Hall")));
        let entities = graph.entities().iter();
        let kinds = entities.map(|entity| {
            (
                entity.name.as_str(),
                schema.entity_type(entity.entity_type).name.as_str(),
            )
        });
        // Tidd is stated to be a place; what the schema lacks says nothing.
        let expected = [("Skelva", "person"), ("Tidd", "place")];
        assert!(
            expected.iter().all(|one| kinds.clone().any(|kind| kind == *one)),
            "{:?}",
            kinds.collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_fact_without_a_place_in_the_graph_is_counted_and_leaves_mentions_and_its_words() {
        let text = "Ann Orrin came to Tidd with Bo Ferren and a brass lamp.";
        let say = |intake: &mut Intake| {
            intake.triple("Ann Orrin", "married", "Tidd");
            intake.triple("Bo Ferren", "came to", "Tidd");
            intake.triple("Bo Ferren", "carried", "brass lamp");
            intake.triple("Ann Orrin", "married", "Ann Orrin (keeper)");
            intake.attribute("Bo Ferren", "landfall", "Tidd");
            intake.attribute("Bo Ferren", "mood", "grim");
        };
        let expected = [
            "ann orrin keeper ~ tidd (married)",
            "bo ferren ~ brass lamp (carried)",
            "bo ferren ~ tidd (came to, landfall)",
            "1 no relation `came to`",
            "1 no relation `carried`",
            "1 no attribute `landfall`",
            "1 no attribute `mood`",
            "1 tail of `married` cannot be place",
            "1 both ends of `married` are one thing",
        ];
        check(text, say, &expected);
    }
}
