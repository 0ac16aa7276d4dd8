//! From the contributions of documents to one graph: names are counted, types voted, equal facts joined.

use super::{Attribute, Entity, KnowledgeGraph, Source, Triple, chunk_of};
use crate::document::{Chunk, Span};
use crate::fact::Contribution;
use crate::id::{DocumentIndex, EntityId};
use crate::resolution::Resolution;
use crate::schema::{AttributeId, RelationId, Schema, TypeId};
use std::collections::BTreeMap;

/// Votes of a document that is about an entity; it knows name and type better than one that mentions it. Arbitrary: more
/// than a few.
pub const SUBJECT_VOTES: usize = 8;

/// Assembles the chunks and the graph of `contributions`, which stand in canonical document order.
///
/// Keys that `resolution` joins are one entity with all their names and sources; what a text states between two names of
/// one entity is no fact.
///
/// Facts that the schema does not admit with the types the entities ended up with are left out (Eq. 2); the number of
/// facts left out is returned third. Cost O(n log n) in the number of claims. No contributions give an empty graph.
pub fn assemble(
    schema: &Schema,
    contributions: &[Contribution],
    resolution: &Resolution,
) -> (Vec<Chunk>, KnowledgeGraph, usize) {
    let mut draft = Draft::new(resolution);
    for (position, contribution) in contributions.iter().enumerate() {
        draft.add(DocumentIndex::at(position), contribution);
    }
    draft.finish(schema)
}

struct Draft<'a> {
    resolution: &'a Resolution,
    chunks: Vec<Chunk>,
    /// Every key, also those that are joined to another.
    ids: BTreeMap<&'a str, EntityId>,
    entities: Vec<EntityDraft<'a>>,
    triples: BTreeMap<(EntityId, RelationId, EntityId), Statements<'a>>,
    attributes: BTreeMap<(EntityId, AttributeId, &'a str), Vec<Source>>,
}

struct EntityDraft<'a> {
    key: &'a str,
    /// Spellings of its own key, which name it, and of those that are joined to it, by count.
    names: BTreeMap<&'a str, usize>,
    other_names: BTreeMap<&'a str, usize>,
    types: BTreeMap<TypeId, usize>,
    subject_of: Vec<DocumentIndex>,
    mentions: Vec<(Source, u8)>,
}

#[derive(Default)]
struct Statements<'a> {
    phrases: BTreeMap<&'a str, usize>,
    sources: Vec<Source>,
}

impl<'a> Draft<'a> {
    fn new(resolution: &'a Resolution) -> Self {
        Self {
            resolution,
            chunks: Vec::new(),
            ids: BTreeMap::new(),
            entities: Vec::new(),
            triples: BTreeMap::new(),
            attributes: BTreeMap::new(),
        }
    }

    fn add(&mut self, document: DocumentIndex, contribution: &'a Contribution) {
        let first = self.chunks.len();
        let chunks = contribution.chunks.iter().map(|&(span, n_tokens)| Chunk {
            document,
            span,
            n_tokens,
        });
        self.chunks.extend(chunks);
        let own = self.chunks[first..].to_vec();
        let source = |span: Span| Source {
            chunk: chunk_of(&own, first, span),
            span,
        };
        for claim in &contribution.entities {
            let entity = self.entity(&claim.entity);
            let votes = if claim.is_subject { SUBJECT_VOTES } else { 1 };
            if !claim.name.is_empty() {
                let names = if entity.key == claim.entity {
                    &mut entity.names
                } else {
                    &mut entity.other_names
                };
                *names.entry(&claim.name).or_default() += votes;
            }
            if let Some(kind) = claim.entity_type {
                *entity.types.entry(kind).or_default() += votes;
            }
            if claim.is_subject && entity.subject_of.last() != Some(&document) {
                entity.subject_of.push(document);
            }
        }
        for mention in &contribution.mentions {
            let place = (source(mention.span), mention.certainty);
            self.entity(&mention.entity).mentions.push(place);
        }
        for claim in &contribution.triples {
            let fact = (self.id(&claim.head), claim.relation, self.id(&claim.tail));
            if fact.0 == fact.2 && claim.head != claim.tail {
                continue;
            }
            let statements = self.triples.entry(fact).or_default();
            *statements.phrases.entry(&claim.phrase).or_default() += 1;
            statements.sources.push(source(claim.span));
        }
        for claim in &contribution.attributes {
            let fact = (self.id(&claim.entity), claim.attribute, claim.value.as_str());
            self.attributes.entry(fact).or_default().push(source(claim.span));
        }
    }

    fn id(&mut self, key: &'a str) -> EntityId {
        if let Some(id) = self.ids.get(key) {
            return *id;
        }
        let canonical = self.resolution.canonical(key);
        let next = EntityId::at(self.entities.len());
        let id = *self.ids.entry(canonical).or_insert(next);
        self.ids.insert(key, id);
        if id == next {
            self.entities.push(EntityDraft {
                key: canonical,
                names: BTreeMap::new(),
                other_names: BTreeMap::new(),
                types: BTreeMap::new(),
                subject_of: Vec::new(),
                mentions: Vec::new(),
            });
        }
        id
    }

    fn entity(&mut self, key: &'a str) -> &mut EntityDraft<'a> {
        let id = self.id(key);
        &mut self.entities[id.index()]
    }

    fn finish(self, schema: &Schema) -> (Vec<Chunk>, KnowledgeGraph, usize) {
        let entities: Vec<Entity> = self
            .entities
            .into_iter()
            .map(|draft| draft.finish(schema.thing()))
            .collect();
        let kind = |id: EntityId| entities[id.index()].entity_type;
        let n_facts = self.triples.len() + self.attributes.len();
        let triples: Vec<Triple> = self
            .triples
            .into_iter()
            .filter(|(fact, _)| schema.admits(kind(fact.0), fact.1, kind(fact.2)))
            .map(|((head, relation, tail), statements)| Triple {
                head,
                relation,
                tail,
                phrases: by_frequency(&statements.phrases),
                sources: sorted(statements.sources),
            })
            .collect();
        let attributes: Vec<Attribute> = self
            .attributes
            .into_iter()
            .filter(|(fact, _)| schema.admits_attribute(kind(fact.0), fact.1))
            .map(|((entity, attribute, value), sources)| Attribute {
                entity,
                attribute,
                value: value.to_owned(),
                sources: sorted(sources),
            })
            .collect();
        let n_refused = n_facts - triples.len() - attributes.len();
        let joined = self.ids.into_iter().map(|(key, id)| (key.to_owned(), id));
        let graph = KnowledgeGraph::new(entities, triples, attributes).with_keys(joined);
        (self.chunks, graph, n_refused)
    }
}

impl EntityDraft<'_> {
    fn finish(self, thing: TypeId) -> Entity {
        let others = by_frequency(&self.other_names);
        let mut names = by_frequency(&self.names).into_iter().chain(others);
        let name = names.next().unwrap_or_else(|| self.key.to_owned());
        let mut aliases: Vec<_> = names.filter(|other| *other != name).collect();
        aliases.sort();
        aliases.dedup();
        let entity_type = self
            .types
            .iter()
            .max_by_key(|(kind, votes)| (**votes, std::cmp::Reverse(**kind)))
            .map_or(thing, |(kind, _)| *kind);
        Entity {
            key: self.key.to_owned(),
            name,
            aliases,
            entity_type,
            subject_of: self.subject_of,
            mentions: sorted(self.mentions),
        }
    }
}

/// Texts by falling count, then alphabetically.
fn by_frequency(counts: &BTreeMap<&str, usize>) -> Vec<String> {
    let mut list: Vec<_> = counts.iter().collect();
    list.sort_by_key(|(text, count)| (std::cmp::Reverse(**count), **text));
    list.into_iter().map(|(text, _)| (*text).to_owned()).collect()
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::{EntityClaim, Mention, TripleClaim};
    use crate::id::DocumentId;
    use crate::resolution::{Evidence, Merge};

    /// A document about `subject` that names `other` and states a fact of the two.
    fn contribution(subject: &str, other: &str, schema: &Schema) -> Contribution {
        let mut contribution = Contribution::new(DocumentId::of(subject, other));
        contribution.chunks = vec![(Span::new(0, 40), 9)];
        for (name, span, is_subject) in [(subject, Span::new(0, 0), true), (other, Span::new(10, 20), false)] {
            contribution.entities.push(EntityClaim {
                entity: crate::name::key(name),
                name: name.to_owned(),
                entity_type: None,
                span,
                is_subject,
            });
            contribution.mentions.push(Mention {
                span,
                entity: crate::name::key(name),
                certainty: 100,
            });
        }
        contribution.triples.push(TripleClaim {
            head: crate::name::key(subject),
            relation: schema.relation_id("author").unwrap(),
            tail: crate::name::key(other),
            phrase: "by".to_owned(),
            span: Span::new(5, 20),
        });
        contribution
    }

    fn joined(from: &str, into: &str) -> Resolution {
        let merge = Merge {
            from: from.to_owned(),
            into: into.to_owned(),
            score: 0.9,
            evidence: vec![Evidence::Initials],
        };
        Resolution::new(vec![merge], Vec::new()).unwrap()
    }

    #[test]
    fn joined_names_are_one_entity_with_all_names_and_sources() {
        let schema = Schema::general().unwrap();
        let contributions = [
            contribution("Gull Songs", "M. Voss", &schema),
            contribution("Mara Voss", "M. Voss", &schema),
            contribution("Salt Road", "Mara Voss", &schema),
        ];
        let (_, graph, n_refused) = assemble(&schema, &contributions, &joined("m voss", "mara voss"));
        let id = graph.find("m voss").unwrap();
        assert_eq!(graph.find("mara voss"), Some(id));
        let voss = graph.entity(id);
        assert_eq!((voss.key.as_str(), voss.name.as_str()), ("mara voss", "Mara Voss"));
        assert_eq!(voss.aliases, ["M. Voss"]);
        assert_eq!(
            voss.mentions.len(),
            4,
            "named in every document, and a title: {:?}",
            voss.mentions
        );
        assert_eq!(voss.subject_of, [DocumentIndex::at(1)]);
        let heads: Vec<&str> = graph
            .triples()
            .iter()
            .map(|fact| graph.entity(fact.head).name.as_str())
            .collect();
        assert_eq!(
            heads,
            ["Gull Songs", "Salt Road"],
            "two names of one entity state no fact"
        );
        assert_eq!((graph.entities().len(), n_refused), (3, 0));
    }

    #[test]
    fn a_join_of_names_that_are_gone_changes_nothing() {
        let schema = Schema::general().unwrap();
        let contributions = [contribution("Gull Songs", "M. Voss", &schema)];
        let (_, graph, _) = assemble(&schema, &contributions, &joined("cass orde", "odd riis"));
        let keys: Vec<&str> = graph.entities().iter().map(|entity| entity.key.as_str()).collect();
        assert_eq!(keys, ["gull songs", "m voss"]);
    }
}
