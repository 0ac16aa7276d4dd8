//! The phrases of a schema's relations and attributes, and which of them a question uses.

use super::Expected;
use banyan_engine::index::term;
use banyan_engine::schema::{RelationType, ValueKind};
use banyan_engine::{AttributeId, RelationId, Schema, TypeId};
use std::collections::BTreeSet;

/// The phrases of a schema's relations and attributes as terms, each with the kinds of answer it can have.
pub(crate) struct Vocabulary {
    relations: Vec<(RelationId, Vec<Vec<String>>, Vec<TypeId>)>,
    attributes: Vec<(AttributeId, Vec<Vec<String>>, ValueKind)>,
    /// The type of places, and those of what "where" may ask for as well: "where did she study?".
    sites: Vec<TypeId>,
}

/// What a sub-question speaks of.
#[derive(Default)]
pub(crate) struct Spoken {
    pub(crate) relations: BTreeSet<RelationId>,
    pub(crate) attributes: BTreeSet<AttributeId>,
    /// Terms of all phrases of these.
    pub(crate) synonyms: BTreeSet<String>,
}

impl Vocabulary {
    /// Reads a schema. Cost O(phrases).
    pub(crate) fn new(schema: &Schema) -> Self {
        let phrases = |name: &str, aliases: &[String]| -> Vec<Vec<String>> {
            let name = name.replace('_', " ");
            let all = std::iter::once(&name).chain(aliases).map(|phrase| term::terms(phrase));
            all.filter(|terms| !terms.is_empty()).collect()
        };
        let ends = |relation: &RelationType| {
            let names = relation.domain.iter().chain(&relation.range);
            names.filter_map(|name| schema.type_id(name)).collect()
        };
        let relations = schema.relation_ids().map(|(id, relation)| {
            (
                schema.kept(id),
                phrases(&relation.name, &relation.aliases),
                ends(relation),
            )
        });
        let attributes = schema
            .attribute_ids()
            .map(|(id, attribute)| (id, phrases(&attribute.name, &attribute.aliases), attribute.kind));
        Self {
            relations: relations.collect(),
            attributes: attributes.collect(),
            sites: ["place", "organisation", "structure"]
                .iter()
                .filter_map(|name| schema.type_id(name))
                .collect(),
        }
    }

    /// The relations and attributes one of whose phrases these terms hold, and whose ends fit the answer expected.
    pub(crate) fn spoken_of(&self, own: &BTreeSet<String>, expected: Expected, thing: TypeId) -> Spoken {
        let mut spoken = Spoken::default();
        let holds = |phrases: &[Vec<String>]| {
            phrases
                .iter()
                .any(|phrase| phrase.iter().all(|word| own.contains(word)))
        };
        for (id, phrases, ends) in &self.relations {
            let fits = match expected {
                Expected::Entity(kind) => {
                    let is_place = self.sites.first() == Some(&kind);
                    ends.contains(&kind)
                        || ends.contains(&thing)
                        || (is_place && ends.iter().any(|end| self.sites.contains(end)))
                }
                Expected::Any => true,
                _ => false,
            };
            if fits && holds(phrases) {
                spoken.relations.insert(*id);
                spoken.synonyms.extend(phrases.iter().flatten().cloned());
            }
        }
        for (id, phrases, kind) in &self.attributes {
            let fits = match expected {
                Expected::Date => *kind == ValueKind::Date,
                Expected::Number => matches!(kind, ValueKind::Number | ValueKind::Quantity),
                _ => *kind == ValueKind::Text,
            };
            if fits && holds(phrases) {
                spoken.attributes.insert(*id);
                spoken.synonyms.extend(phrases.iter().flatten().cloned());
            }
        }
        spoken
    }
}
