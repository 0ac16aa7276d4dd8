//! What a sub-question finds: passages by the routes that its level needs, and facts of that level.

use super::ReasonError;
use crate::config::Config;
use crate::decompose::{SubQuery, Target};
use crate::evidence::{Evidence, Passage};
use crate::question::Question;
use crate::route::{Route, Routes};
use crate::searcher::Searcher;
use banyan_engine::document::one_line;
use banyan_engine::embed::{Embedder, embed_all};
use banyan_engine::index::term;
use banyan_engine::{RelationId, TripleId};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Facts of one sub-question. Arbitrary.
const MAX_FACTS: usize = 8;
/// Communities of one sub-question. Arbitrary.
const MAX_COMMUNITIES: usize = 3;
/// Characters of a fact in a prompt. Arbitrary; a description of a community has at most 400.
const MAX_FACT: usize = 400;

#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Best first.
    pub(super) passages: Vec<Passage>,
    /// A line each, best first.
    pub(super) facts: Vec<String>,
}

/// Retrieves for sub-questions with their filled words, all at once; results in their order. Words are embedded in one
/// batch.
pub(super) fn retrieve(
    searcher: &Searcher,
    embedder: Option<&dyn Embedder>,
    asked: &[(&SubQuery, String)],
    n_passages: usize,
) -> Result<Vec<Found>, ReasonError> {
    let texts: Vec<&str> = asked.iter().map(|(_, text)| text.as_str()).collect();
    let vectors = embedder
        .map(|embedder| embed_all(embedder, &texts, None, &mut |_, _| ControlFlow::Continue(())))
        .transpose()?;
    let vector = |at: usize| vectors.as_ref().map(|vectors| vectors.row(at).to_vec());
    let questions: Vec<(&SubQuery, Question)> = asked
        .iter()
        .enumerate()
        .map(|(at, (step, text))| (*step, Question::new(text.as_str(), vector(at))))
        .collect();
    let found = questions
        .par_iter()
        .map(|(step, question)| one(searcher, step, question, n_passages));
    Ok(found.collect())
}

fn one(searcher: &Searcher, step: &SubQuery, question: &Question, n_passages: usize) -> Found {
    let config = Config {
        routes: routes(step.target),
        top_k: n_passages,
    };
    let evidence = searcher.search(question, &config);
    let facts = match step.target {
        Target::Node => attributes(searcher, &evidence),
        Target::Triple => triples(searcher, step, &evidence),
        Target::Community => communities(searcher, &evidence),
    };
    let one_line = |fact: String| -> String {
        let line = one_line(&fact);
        line.chars().take(MAX_FACT).collect()
    };
    Found {
        facts: facts.into_iter().map(one_line).collect(),
        passages: evidence.passages,
    }
}

/// The routes that a level needs (Youtu-GraphRAG §3.3): a node is named, a relation is matched and followed, what many
/// have in common is found from the top. The chunk route always runs.
fn routes(target: Target) -> Routes {
    let all = Routes::all();
    match target {
        Target::Node => all.without(Route::Triple).without(Route::Community),
        Target::Triple => all.without(Route::Community),
        Target::Community => all.without(Route::Triple),
    }
}

/// (e, `has_attr`, a) of the entities that are named.
fn attributes(searcher: &Searcher, evidence: &Evidence) -> Vec<String> {
    let knowledge = searcher.knowledge();
    let of = evidence
        .entities
        .iter()
        .flat_map(|(entity, _)| knowledge.graph.attributes_of(*entity));
    let told = of.map(|fact| {
        let name = &knowledge.graph.entity(fact.entity).name;
        let attribute = knowledge.schema.attribute_name(fact.attribute);
        format!("{name} | {attribute} | {}", fact.value)
    });
    told.take(MAX_FACTS).collect()
}

/// (h, r, t) that match, those of a relation that the sub-question speaks of first.
fn triples(searcher: &Searcher, step: &SubQuery, evidence: &Evidence) -> Vec<String> {
    let knowledge = searcher.knowledge();
    let schema = &knowledge.schema;
    let words: BTreeSet<String> = term::terms(&step.text).into_iter().collect();
    let spoken = searcher.vocabulary().spoken_of(&words, step.expected, schema.thing());
    let mut asked: BTreeSet<RelationId> = spoken.relations;
    asked.extend(step.relations.iter().map(|id| schema.kept(*id)));
    let is_typed = |id: TripleId| asked.contains(&knowledge.graph.triple(id).relation);
    let (typed, others): (Vec<TripleId>, Vec<TripleId>) =
        evidence.triples.iter().map(|(id, _)| *id).partition(|id| is_typed(*id));
    let told = typed.into_iter().chain(others).map(|id| {
        let triple = knowledge.graph.triple(id);
        let name = |end| &knowledge.graph.entity(end).name;
        let relation = knowledge.schema.relation_name(triple.relation);
        format!("{} | {relation} | {}", name(triple.head), name(triple.tail))
    });
    told.take(MAX_FACTS).collect()
}

/// What the best communities are said to be.
fn communities(searcher: &Searcher, evidence: &Evidence) -> Vec<String> {
    let tree = &searcher.knowledge().tree;
    let told = evidence.communities.iter().map(|(id, _)| {
        let community = tree.community(*id);
        format!("{}: {}", community.name, community.description)
    });
    told.take(MAX_COMMUNITIES).collect()
}
