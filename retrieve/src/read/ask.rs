//! What a sub-question asks for, as the reader sees it.

use crate::decompose::SubQuery;
use crate::question::Expected;
use crate::searcher::Searcher;
use banyan_engine::graph::Triple;
use banyan_engine::index::term;
use banyan_engine::{AttributeId, EntityId, RelationId, Span, TypeId, name};
use std::collections::{BTreeMap, BTreeSet};

/// A sub-question with the names filled in.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    /// Its own words, names apart, with their share of the inverse document frequency; shares sum to 1.
    pub(crate) focus: BTreeMap<String, f32>,
    /// Words of the schema that say the same as its relations and attributes do.
    pub(crate) synonyms: BTreeSet<String>,
    /// The words of the whole question.
    pub(crate) context: BTreeSet<String>,
    /// What it names, answers of earlier steps included.
    pub(crate) anchors: BTreeSet<EntityId>,
    /// What earlier steps found.
    pub(crate) bridges: BTreeSet<EntityId>,
    /// Terms of these names.
    pub(crate) named: BTreeSet<String>,
    pub(crate) expected: Expected,
    /// Types that fit: the one asked for, and what its relations lead to.
    pub(crate) types: BTreeSet<TypeId>,
    /// The noun asked for, in singular: "which *river*".
    pub(crate) noun: Option<String>,
    /// The term of that noun.
    pub(crate) noun_term: Option<String>,
    pub(crate) is_person: bool,
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
        let mut types: BTreeSet<TypeId> = BTreeSet::new();
        if let Expected::Entity(kind) = step.expected {
            types.insert(kind);
            for relation in &spoken.relations {
                let range = &schema.relations()[relation.index()].range;
                types.extend(range.iter().filter_map(|name| schema.type_id(name)));
            }
        }
        types.remove(&schema.thing());
        let noun = Expected::noun(&step.text, schema).or_else(|| Expected::described(&step.text, schema));
        let noun = noun.filter(|noun| !BARE.contains(&noun.as_str()));
        let stated = stated(searcher, &anchors, &spoken.relations);
        let values = values(searcher, &anchors, &spoken.attributes);
        Self {
            focus,
            synonyms: spoken.synonyms,
            context: term::terms(question).into_iter().collect(),
            anchors,
            bridges: bridges.iter().copied().collect(),
            named,
            expected: step.expected,
            types,
            noun_term: noun.as_ref().and_then(|noun| term::terms(noun).pop()),
            noun,
            is_person: matches!(step.expected, Expected::Entity(kind) if schema.type_id("person") == Some(kind)),
            is_year: filled.to_lowercase().contains("year"),
            stated,
            values,
        }
    }

    /// Where a passage with these mentions names an anchor or a bridge.
    pub(super) fn named_in(&self, mentions: &[(Span, EntityId)]) -> Vec<Named> {
        let named = mentions.iter().map(|(span, entity)| Named {
            span: *span,
            is_anchor: self.anchors.contains(entity),
            is_bridge: self.bridges.contains(entity),
        });
        named.filter(|named| named.is_anchor || named.is_bridge).collect()
    }
}

/// Where a passage names what a step is about.
pub(super) struct Named {
    pub(super) span: Span,
    pub(super) is_anchor: bool,
    pub(super) is_bridge: bool,
}

/// The other ends of the facts of these relations about these things.
fn stated(searcher: &Searcher, anchors: &BTreeSet<EntityId>, relations: &BTreeSet<RelationId>) -> BTreeSet<EntityId> {
    let graph = &searcher.knowledge().graph;
    if relations.is_empty() {
        return BTreeSet::new();
    }
    let of_one = |anchor: &EntityId| {
        let facts = graph.incident(*anchor).map(|id| graph.triple(id));
        let asked = facts.filter(|triple| relations.contains(&triple.relation));
        let end = |triple: &Triple| {
            if triple.head == *anchor {
                triple.tail
            } else {
                triple.head
            }
        };
        asked.map(end).collect::<Vec<_>>()
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
