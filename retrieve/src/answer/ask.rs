//! What a sub-question asks for, as the reader sees it.

use super::Expected;
use crate::decompose::SubQuery;
use crate::searcher::Searcher;
use banyan_engine::graph::Triple;
use banyan_engine::index::term;
use banyan_engine::schema::{RelationType, ValueKind};
use banyan_engine::{AttributeId, EntityId, RelationId, Schema, TripleId, TypeId, name};
use std::collections::{BTreeMap, BTreeSet};

/// A sub-question with the names filled in.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    /// Its own words, names apart, with their share of the inverse document frequency; shares sum to 1.
    pub(crate) focus: BTreeMap<String, f32>,
    /// How terms are spelled in it.
    pub(crate) spelled: BTreeMap<String, String>,
    /// Relations that its words name and whose ends fit.
    relations: BTreeSet<RelationId>,
    /// Words of the schema that say the same as its relations and attributes do.
    pub(crate) synonyms: BTreeSet<String>,
    /// The words of the whole question with their shares.
    pub(crate) context: BTreeMap<String, f32>,
    /// What it names, answers of earlier steps included.
    pub(crate) anchors: BTreeSet<EntityId>,
    /// What earlier steps found.
    pub(crate) bridges: BTreeSet<EntityId>,
    /// Terms of these names.
    pub(crate) named: BTreeSet<String>,
    /// The kind of answer.
    pub(crate) expected: Expected,
    /// Types that fit: the one asked for, and what its relations lead to.
    pub(crate) types: BTreeSet<TypeId>,
    /// The noun asked for, in singular: "which *river*".
    pub(crate) noun: Option<String>,
    /// The term of that noun.
    pub(crate) noun_term: Option<String>,
    /// Whether a person is asked for.
    pub(crate) is_person: bool,
    /// Whether things are to be counted.
    pub(crate) is_count: bool,
    /// Whether only the year of a date is asked for.
    pub(crate) is_year: bool,
    /// Entities that a fact of a relation asked for ties to something named.
    pub(crate) stated: BTreeSet<EntityId>,
    /// Values that the graph has for an attribute asked for of something named.
    pub(crate) values: Vec<String>,
}

/// Nouns that say no more than the kind of answer does.
const BARE: &[&str] = &["individual", "location", "person", "place", "thing"];
/// Words that ask and do not describe.
const ASKING: &[&str] = &["name", "call", "kind", "type", "following"];

impl Ask {
    /// A step of `question`, its variables filled in with `filled`; `bridges` are the entities that it was filled with.
    pub(crate) fn new(
        searcher: &Searcher,
        question: &str,
        step: &SubQuery,
        filled: &str,
        bridges: &[EntityId],
    ) -> Self {
        let schema = &searcher.knowledge().schema;
        let graph = &searcher.knowledge().graph;
        let mut anchors = searcher.named_in(filled);
        anchors.extend(bridges);
        let mut named: BTreeSet<String> = BTreeSet::new();
        for anchor in &anchors {
            // What tells Teak (Mara Voss album) from other Teaks may be what is asked for.
            let name = &graph.entity(*anchor).name;
            named.extend(term::terms(name::without_disambiguator(name).unwrap_or(name)));
        }
        let own: BTreeSet<String> = term::terms(filled).into_iter().collect();
        let is_focus = |word: &&String| !named.contains(*word) && !ASKING.contains(&word.as_str());
        let focus = shares(searcher, own.iter().filter(is_focus));
        let spoken = searcher.vocabulary().spoken_of(&own, step.expected, schema.thing());
        let mut types: BTreeSet<TypeId> = step.types.iter().copied().collect();
        if let Expected::Entity(kind) = step.expected {
            types.insert(kind);
        }
        if !types.is_empty() {
            for relation in &spoken.relations {
                let range = &schema.relations()[relation.index()].range;
                types.extend(range.iter().filter_map(|name| schema.type_id(name)));
            }
        }
        types.remove(&schema.thing());
        let noun = Expected::noun(&step.text, schema).or_else(|| Expected::described(&step.text, schema));
        let noun = noun.filter(|noun| !BARE.contains(&noun.as_str()));
        let stated = facts(searcher, &anchors, &spoken.relations)
            .into_iter()
            .map(|(end, _)| end);
        let values = values(searcher, &anchors, &spoken.attributes);
        let whole: BTreeSet<String> = term::terms(question).into_iter().collect();
        Self {
            focus,
            spelled: spelled(filled),
            synonyms: spoken.synonyms,
            context: shares(searcher, whole.iter()),
            anchors,
            bridges: bridges.iter().copied().collect(),
            named,
            expected: step.expected,
            types,
            noun_term: noun.as_ref().and_then(|noun| term::terms(noun).pop()),
            noun,
            is_person: matches!(step.expected, Expected::Entity(kind) if schema.type_id("person") == Some(kind)),
            is_count: filled.to_lowercase().contains("how many"),
            is_year: filled.to_lowercase().contains("year"),
            stated: stated.collect(),
            relations: spoken.relations,
            values,
        }
    }

    /// Facts of the relations asked for about what it names, each with its other end.
    pub(crate) fn facts(&self, searcher: &Searcher) -> Vec<(EntityId, TripleId)> {
        facts(searcher, &self.anchors, &self.relations)
    }

    /// Whether a term is among the sub-question's own words or says the same.
    pub(crate) fn says(&self, word: &str) -> bool {
        self.focus.contains_key(word) || self.synonyms.contains(word)
    }
}

/// The words of a text in lower case, by their terms.
fn spelled(text: &str) -> BTreeMap<String, String> {
    let words = text.split(|ch: char| !ch.is_alphanumeric()).map(str::to_lowercase);
    let pairs = words.filter_map(|word| Some((term::terms(&word).into_iter().next()?, word)));
    pairs.collect()
}

/// Facts of these relations about these things, each with its other end, in the order of things and facts.
fn facts(
    searcher: &Searcher,
    anchors: &BTreeSet<EntityId>,
    relations: &BTreeSet<RelationId>,
) -> Vec<(EntityId, TripleId)> {
    let graph = &searcher.knowledge().graph;
    if relations.is_empty() {
        return Vec::new();
    }
    let of_one = |anchor: &EntityId| {
        let facts = graph.incident(*anchor).into_iter().map(|id| (id, graph.triple(id)));
        let asked = facts.filter(|(_, triple)| relations.contains(&triple.relation));
        let end = |triple: &Triple| {
            if triple.head == *anchor {
                triple.tail
            } else {
                triple.head
            }
        };
        asked.map(|(id, triple)| (end(triple), id)).collect::<Vec<_>>()
    };
    anchors.iter().flat_map(of_one).collect()
}

/// The values of these attributes of these things.
fn values(searcher: &Searcher, anchors: &BTreeSet<EntityId>, attributes: &BTreeSet<AttributeId>) -> Vec<String> {
    let graph = &searcher.knowledge().graph;
    let all = anchors.iter().flat_map(|anchor| graph.attributes_of(*anchor));
    all.filter(|one| attributes.contains(&one.attribute))
        .map(|one| one.value.clone())
        .collect()
}

/// Words with their share of the inverse document frequency; shares sum to 1.
fn shares<'a>(searcher: &Searcher, words: impl Iterator<Item = &'a String>) -> BTreeMap<String, f32> {
    let mut shares: BTreeMap<String, f32> = words
        .map(|word| (word.clone(), searcher.passages().idf(word)))
        .collect();
    let total: f32 = shares.values().sum();
    for share in shares.values_mut() {
        *share /= total.max(f32::MIN_POSITIVE);
    }
    shares
}

/// The phrases of a schema's relations and attributes as terms, each with the kinds of answer it can have.
pub(crate) struct Vocabulary {
    relations: Vec<(RelationId, Vec<Vec<String>>, Vec<TypeId>)>,
    attributes: Vec<(AttributeId, Vec<Vec<String>>, ValueKind)>,
    /// The type of places, and those of what "where" may ask for as well: "where did she study?".
    sites: Vec<TypeId>,
}

/// What a sub-question speaks of.
#[derive(Default)]
struct Spoken {
    relations: BTreeSet<RelationId>,
    attributes: BTreeSet<AttributeId>,
    /// Terms of all phrases of these.
    synonyms: BTreeSet<String>,
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
        let relations = schema
            .relation_ids()
            .map(|(id, relation)| (id, phrases(&relation.name, &relation.aliases), ends(relation)));
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
    fn spoken_of(&self, own: &BTreeSet<String>, expected: Expected, thing: TypeId) -> Spoken {
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
