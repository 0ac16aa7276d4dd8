//! A reply as `query --json` prints it; `templates/query.txt` puts the same into words.

use crate::render;
use anyhow::Result;
use banyan::{Answered, Routed, Work};
use banyan_engine::Knowledge;
use banyan_retrieve::overview::Point;
use banyan_retrieve::reason::Trail;
use banyan_retrieve::route::path::Path;
use banyan_retrieve::{Answer, Citation, Evidence, Mode, Passage};
use serde::Serialize;
use std::collections::BTreeMap;

/// A reply with names for ids.
#[derive(Serialize)]
pub(crate) struct View<'a> {
    question: &'a str,
    mode: Mode,
    embedder: &'a str,
    answer: &'a Answer,
    passages: Vec<PassageView<'a>>,
    entities: Vec<Scored>,
    triples: Vec<Scored>,
    communities: Vec<Scored>,
    points: &'a [Point],
    /// What a model made of the evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<&'a Trail>,
    cut: Cut<'a>,
    routing: &'a Routed,
    /// What a method other than the tree computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<&'a Work>,
}

#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    view: &'a View<'a>,
    is_explained: bool,
    is_traced: bool,
}

/// What was found and not kept.
#[derive(Serialize)]
struct Cut<'a> {
    passages: usize,
    first: Option<&'a str>,
    score: Option<f32>,
}

#[derive(Serialize)]
struct PassageView<'a> {
    title: &'a str,
    /// The headings around its quote or its beginning, the highest first; empty where there are none.
    section: String,
    origin: String,
    text: &'a str,
    /// The sentence of it that is nearest to the question.
    quote: Option<&'a Citation>,
    score: f32,
    direct: f32,
    /// What each route says of it.
    routes: BTreeMap<&'static str, f32>,
    path: Option<PathView<'a>>,
    step: Option<usize>,
}

#[derive(Serialize)]
struct PathView<'a> {
    score: f32,
    /// Titles of passages and, between them, the names of the entities that join them.
    steps: Vec<&'a str>,
}

#[derive(Serialize)]
struct Scored {
    what: String,
    score: f32,
}

impl<'a> View<'a> {
    pub(crate) fn of(knowledge: &'a Knowledge, answered: &'a Answered, top_k: usize) -> Self {
        let Answered { reply, routed, work } = answered;
        let evidence = &reply.evidence;
        let scored = |what: String, score: f32| Scored { what, score };
        Self {
            question: &reply.question,
            mode: reply.mode,
            embedder: &knowledge.settings.embedder,
            answer: &reply.answer,
            passages: evidence
                .passages
                .iter()
                .zip(reply.quotes.iter().map(Option::as_ref).chain(std::iter::repeat(None)))
                .take(top_k)
                .map(|(passage, quote)| passage_view(knowledge, passage, quote))
                .collect(),
            entities: evidence
                .entities
                .iter()
                .map(|(id, score)| scored(knowledge.graph.entity(*id).name.clone(), *score))
                .collect(),
            triples: evidence
                .triples
                .iter()
                .take(top_k)
                .map(|(id, score)| scored(triple(knowledge, *id), *score))
                .collect(),
            communities: evidence
                .communities
                .iter()
                .map(|(id, score)| scored(knowledge.tree.community(*id).name.clone(), *score))
                .collect(),
            points: &reply.points,
            reasoning: reply.trail.as_ref(),
            cut: cut(knowledge, evidence, top_k),
            routing: routed,
            work: work.as_ref(),
        }
    }

    /// In words: the answer, what it was computed from or the evidence, the method; explained, what each route found, and
    /// traced, how structures were chosen and built.
    pub(crate) fn text(&self, is_explained: bool, is_traced: bool) -> Result<String> {
        let told = Told {
            view: self,
            is_explained,
            is_traced,
        };
        render::page(include_str!("../../templates/query.txt"), &told)
    }
}

/// The passages beyond the `top_k` shown: those that search ranked, then those that it did not.
fn cut<'a>(knowledge: &'a Knowledge, evidence: &Evidence, top_k: usize) -> Cut<'a> {
    let title = |id| knowledge.document(knowledge.chunk(id).document).title.as_str();
    let next = evidence
        .passages
        .get(top_k)
        .map(|passage| (passage.chunk, passage.score));
    let first = next.or(evidence.first_cut);
    Cut {
        passages: evidence.passages.len().saturating_sub(top_k) + evidence.n_cut,
        first: first.map(|(id, _)| title(id)),
        score: first.map(|(_, score)| score),
    }
}

fn passage_view<'a>(knowledge: &'a Knowledge, passage: &Passage, quote: Option<&'a Citation>) -> PassageView<'a> {
    let chunk = knowledge.chunk(passage.chunk);
    let document = knowledge.document(chunk.document);
    PassageView {
        title: &document.title,
        section: quote.map_or_else(|| document.section(chunk.span.start), |quote| quote.section.clone()),
        origin: document.origins.first().map(ToString::to_string).unwrap_or_default(),
        text: knowledge.chunk_text(passage.chunk),
        quote,
        score: passage.score,
        direct: passage.direct,
        routes: passage
            .by_route
            .iter()
            .map(|(route, score)| (route.name(), *score))
            .collect(),
        path: passage.path.as_ref().map(|path| path_view(knowledge, path)),
        step: passage.step,
    }
}

fn path_view<'a>(knowledge: &'a Knowledge, path: &Path) -> PathView<'a> {
    let mut steps = Vec::new();
    for (position, chunk) in path.chunks.iter().enumerate() {
        if let Some(entity) = position.checked_sub(1).and_then(|before| path.entities.get(before)) {
            steps.push(knowledge.graph.entity(*entity).name.as_str());
        }
        steps.push(knowledge.document(knowledge.chunk(*chunk).document).title.as_str());
    }
    PathView {
        score: path.score,
        steps,
    }
}

fn triple(knowledge: &Knowledge, id: banyan_engine::TripleId) -> String {
    let triple = knowledge.graph.triple(id);
    let name = |id| &knowledge.graph.entity(id).name;
    format!(
        "({}, {}, {})",
        name(triple.head),
        knowledge.schema.relation_name(triple.relation),
        name(triple.tail)
    )
}
