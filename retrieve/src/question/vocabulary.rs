//! The phrases of a schema's relations and attributes, and which of them a question uses.

use super::Expected;
use banyan_engine::index::term;
use banyan_engine::schema::{RelationType, ValueKind};
use banyan_engine::{AttributeId, RelationId, Schema, TypeId};
use std::collections::{BTreeSet, HashMap};

/// The phrases of a schema's relations and attributes as terms, each with the kinds of answer it can have.
pub(crate) struct Vocabulary {
    elements: Vec<(Kind, Vec<Vec<String>>)>,
    /// For each term the elements one of whose phrases begins with it.
    first: HashMap<String, BTreeSet<usize>>,
    /// The type of places, and those of what "where" may ask for as well: "where did she study?".
    sites: Vec<TypeId>,
}

enum Kind {
    /// A relation with the types of its ends.
    Relation(RelationId, Vec<TypeId>),
    Attribute(AttributeId, ValueKind),
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
            let kind = Kind::Relation(schema.kept(id), ends(relation));
            (kind, phrases(&relation.name, &relation.aliases))
        });
        let attributes = schema.attribute_ids().map(|(id, attribute)| {
            let kind = Kind::Attribute(id, attribute.kind);
            (kind, phrases(&attribute.name, &attribute.aliases))
        });
        let elements: Vec<(Kind, Vec<Vec<String>>)> = relations.chain(attributes).collect();
        let mut first: HashMap<String, BTreeSet<usize>> = HashMap::new();
        for (at, (_, phrases)) in elements.iter().enumerate() {
            for term in phrases.iter().filter_map(|phrase| phrase.first()) {
                first.entry(term.clone()).or_default().insert(at);
            }
        }
        Self {
            elements,
            first,
            sites: ["place", "organisation", "structure"]
                .iter()
                .filter_map(|name| schema.type_id(name))
                .collect(),
        }
    }

    /// The relations and attributes one of whose phrases these terms hold, and whose ends fit the answer expected.
    pub(crate) fn spoken_of(&self, own: &BTreeSet<String>, expected: Expected, thing: TypeId) -> Spoken {
        let mut spoken = Spoken::default();
        let holds = |phrase: &Vec<String>| phrase.iter().all(|word| own.contains(word));
        let begun: BTreeSet<usize> = own
            .iter()
            .filter_map(|word| self.first.get(word))
            .flatten()
            .copied()
            .collect();
        for (kind, phrases) in begun.into_iter().map(|at| &self.elements[at]) {
            if !self.fits(kind, expected, thing) || !phrases.iter().any(holds) {
                continue;
            }
            match kind {
                Kind::Relation(id, _) => spoken.relations.insert(*id),
                Kind::Attribute(id, _) => spoken.attributes.insert(*id),
            };
            spoken.synonyms.extend(phrases.iter().flatten().cloned());
        }
        spoken
    }

    /// Whether what is expected may be an end of a relation, or the value of an attribute.
    fn fits(&self, kind: &Kind, expected: Expected, thing: TypeId) -> bool {
        match (kind, expected) {
            (Kind::Relation(_, ends), Expected::Entity(wanted)) => {
                let is_place = self.sites.first() == Some(&wanted);
                ends.contains(&wanted)
                    || ends.contains(&thing)
                    || (is_place && ends.iter().any(|end| self.sites.contains(end)))
            }
            (Kind::Relation(..), _) => expected == Expected::Any,
            (Kind::Attribute(_, kind), Expected::Date) => *kind == ValueKind::Date,
            (Kind::Attribute(_, kind), Expected::Number) => matches!(kind, ValueKind::Number | ValueKind::Quantity),
            (Kind::Attribute(_, kind), _) => *kind == ValueKind::Text,
        }
    }
}
