//! Questions about the whole: what a corpus is about, and how two things compare. Answered from the top of the tree down:
//! communities, their keywords, their triples and attributes, each point with the words that state it.

use crate::citation::{Citation, cite};
use crate::question::{Question, is_among};
use crate::route;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{CommunityId, EntityId, Source, TripleId, name};
use serde::Serialize;
use std::collections::BTreeSet;

/// Communities that one answer tells of. Arbitrary: as many as the community route returns.
const MAX_POINTS: usize = 5;
/// Facts behind each point. Arbitrary.
const MAX_FACTS: usize = 3;
/// Facts about each of two things that are compared. Arbitrary.
const MAX_TRAITS: usize = 8;
/// Words that ask for themes.
const THEMES: &str = "theme themes topic topics overview summarise summarize";
/// Words that ask for a comparison.
const COMPARISONS: &str = "compare contrast difference differences differ comparison";
/// Words of such questions that say nothing of what they are about.
const FRAME: &str = "main major key important central common corpus collection documents texts give list cover \
    discussed";

/// What a question about the whole is after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The main communities, or those that some words are about.
    Themes(Vec<String>),
    /// These entities beside each other, in the order in which they are named.
    Comparison(Vec<EntityId>),
}

/// One point of an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The community's or the entity's name.
    pub heading: String,
    /// What holds the community together; empty for an entity.
    pub text: String,
    /// Facts in words, each with its place.
    pub facts: Vec<Fact>,
}

/// A fact and the words that state it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// `head, relation, tail` or `entity, attribute, value`.
    pub what: [String; 3],
    /// Where it is stated.
    pub citation: Citation,
}

/// Whether a question asks about the whole, by its words: `None` for all others. A comparison must name two things.
pub fn scope(searcher: &Searcher, question: &Question) -> Option<Scope> {
    let lower = question.text.to_lowercase();
    let words: Vec<&str> = name::words(&lower).collect();
    let has = |list: &str| words.iter().any(|word| is_among(list, word));
    if has(COMPARISONS) {
        let named = in_order(searcher, &question.text);
        return (named.len() > 1).then_some(Scope::Comparison(named));
    }
    if !has(THEMES) {
        return None;
    }
    let frame = [THEMES, FRAME].into_iter().flat_map(term::terms);
    let frame: BTreeSet<String> = frame.collect();
    let about = question.terms.iter().filter(|word| !frame.contains(*word));
    Some(Scope::Themes(about.cloned().collect()))
}

/// The entities that a text names, rarest of each name, by place.
fn in_order(searcher: &Searcher, text: &str) -> Vec<EntityId> {
    let graph = &searcher.knowledge().graph;
    let lower = text.to_lowercase();
    let mut placed: Vec<(usize, EntityId)> = Vec::new();
    for entity in searcher.named_in(text) {
        let names = std::iter::once(&graph.entity(entity).name).chain(&graph.entity(entity).aliases);
        let place = names.filter_map(|name| lower.find(&name.to_lowercase())).min();
        placed.push((place.unwrap_or(usize::MAX), entity));
    }
    placed.sort_unstable();
    placed.dedup_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, entity)| entity).collect()
}

/// The points of an answer, best first; none where the knowledge is empty or no community speaks of what is asked.
pub fn overview(searcher: &Searcher, scope: &Scope) -> Vec<Point> {
    match scope {
        Scope::Themes(about) => themes(searcher, about),
        Scope::Comparison(entities) => entities.iter().map(|entity| described(searcher, *entity)).collect(),
    }
}

/// The largest communities, or those whose text holds the words.
fn themes(searcher: &Searcher, about: &[String]) -> Vec<Point> {
    let communities = searcher.knowledge().tree.communities();
    let mut ranked: Vec<(CommunityId, f32)> = if about.is_empty() {
        let sizes = communities.iter().enumerate();
        sizes
            .map(|(at, community)| (CommunityId::at(at), community.members.len() as f32))
            .collect()
    } else {
        route::community::search(searcher, &Question::new(about.join(" "), None))
    };
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let points = ranked.into_iter().map(|(id, _)| point(searcher, id));
    points
        .filter(|point| !point.facts.is_empty())
        .take(MAX_POINTS)
        .collect()
}

/// A community by its keywords' facts within it, the best keyword's first.
fn point(searcher: &Searcher, id: CommunityId) -> Point {
    let knowledge = searcher.knowledge();
    let community = knowledge.tree.community(id);
    let mut triples: Vec<TripleId> = Vec::new();
    for keyword in &community.keywords {
        for triple in knowledge.graph.incident(keyword.entity) {
            let stated = knowledge.graph.triple(triple);
            let is_inside = [stated.head, stated.tail]
                .iter()
                .all(|end| knowledge.tree.community_of(*end) == Some(id));
            if is_inside && !triples.contains(&triple) {
                triples.push(triple);
                break;
            }
        }
    }
    let stated = triples.iter().filter_map(|triple| triple_fact(searcher, *triple));
    let facts: Vec<Fact> = stated.take(MAX_FACTS).collect();
    let named = || {
        community
            .keywords
            .iter()
            .filter_map(|keyword| naming(searcher, keyword.entity))
    };
    Point {
        heading: community.name.clone(),
        text: community.description.clone(),
        facts: if facts.is_empty() {
            named().take(1).collect()
        } else {
            facts
        },
    }
}

fn described(searcher: &Searcher, entity: EntityId) -> Point {
    let knowledge = searcher.knowledge();
    let attributes = knowledge.graph.attributes_of(entity).filter_map(|attribute| {
        let name = knowledge.schema.attribute_name(attribute.attribute);
        fact(searcher, entity, name, &attribute.value, attribute.sources.first()?)
    });
    let triples = knowledge
        .graph
        .incident(entity)
        .filter_map(|triple| triple_fact(searcher, triple));
    let mut facts: Vec<Fact> = attributes.chain(triples).take(MAX_TRAITS).collect();
    if facts.is_empty() {
        facts.extend(naming(searcher, entity));
    }
    Point {
        heading: knowledge.graph.entity(entity).name.clone(),
        text: String::new(),
        facts,
    }
}

/// Where an entity is first named, as a fact.
fn naming(searcher: &Searcher, entity: EntityId) -> Option<Fact> {
    let graph = &searcher.knowledge().graph;
    let mut mentions = graph.entity(entity).mentions.iter();
    let (source, _) = mentions.find(|(source, _)| source.span.end > 0)?;
    fact(searcher, entity, "named", "", source)
}

fn triple_fact(searcher: &Searcher, id: TripleId) -> Option<Fact> {
    let knowledge = searcher.knowledge();
    let triple = knowledge.graph.triple(id);
    let relation = knowledge.schema.relation_name(triple.relation);
    let tail = &knowledge.graph.entity(triple.tail).name;
    fact(searcher, triple.head, relation, tail, triple.sources.first()?)
}

fn fact(searcher: &Searcher, entity: EntityId, relation: &str, value: &str, source: &Source) -> Option<Fact> {
    let knowledge = searcher.knowledge();
    let span = searcher.sentence_of(*source)?;
    Some(Fact {
        what: [
            knowledge.graph.entity(entity).name.clone(),
            relation.replace('_', " "),
            value.to_owned(),
        ],
        citation: cite(searcher, source.chunk, span),
    })
}
