//! A reply in words, for print and for JSON.

use banyan::{Answered, Routed, Work};
use banyan_engine::Knowledge;
use banyan_retrieve::overview::{Fact, Point};
use banyan_retrieve::reason::Trail;
use banyan_retrieve::route::path::Path;
use banyan_retrieve::{Answer, Citation, Evidence, Mode, Passage};
use serde::Serialize;
use std::collections::BTreeMap;

/// A reply in words, for print and for JSON.
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

/// What was found and not kept.
#[derive(Serialize)]
struct Cut<'a> {
    /// Passages, found by some route.
    passages: usize,
    /// Title of the best of them.
    first: Option<&'a str>,
    /// Its score.
    score: Option<f32>,
}

#[derive(Serialize)]
struct PassageView<'a> {
    title: &'a str,
    origin: String,
    text: &'a str,
    score: f32,
    direct: f32,
    /// What each route says of it.
    routes: BTreeMap<&'static str, f32>,
    path: Option<PathView<'a>>,
    /// The step that it was found for.
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
                .take(top_k)
                .map(|passage| passage_view(knowledge, passage))
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

    /// In words: the answer, what it was computed from or the evidence, the method.
    pub(crate) fn text(&self, is_explained: bool, is_traced: bool) -> String {
        let mut lines = vec![self.headline()];
        lines.extend(self.work.iter().flat_map(|work| work.lines(is_traced)));
        if self.work.is_none_or(Work::is_retrieved) {
            lines.extend(self.evidence(is_explained));
        }
        lines.push(self.routing.line());
        lines.join("\n")
    }

    fn evidence(&self, is_explained: bool) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.answer.citations.iter().map(|citation| quoted(citation, "  ")));
        for Point { heading, text, facts } in self.points {
            lines.push(format!("• {heading}{}{text}", if text.is_empty() { "" } else { " — " }));
            for Fact { what, citation } in facts {
                lines.push(format!("    {}", what.join(" · ").trim_end_matches([' ', '·'])));
                lines.push(quoted(citation, "    "));
            }
        }
        lines.push(
            if self.passages.is_empty() {
                "evidence: none"
            } else {
                "evidence"
            }
            .to_owned(),
        );
        for (rank, passage) in (1..).zip(&self.passages) {
            lines.push(passage.line(rank));
            if is_explained {
                lines.push(passage.routes_line());
            }
        }
        if is_explained {
            for (heading, list) in [
                ("entities", &self.entities),
                ("triples", &self.triples),
                ("communities", &self.communities),
            ] {
                lines.push(format!("{heading}{}", if list.is_empty() { ": none" } else { "" }));
                lines.extend(list.iter().map(|item| format!("  {:.3}  {}", item.score, item.what)));
            }
            lines.push(self.cut.line());
            lines.push(format!(
                "sufficiency {:.2} · embedder {}",
                self.answer.sufficiency, self.embedder
            ));
        }
        lines
    }

    fn headline(&self) -> String {
        match &self.answer.text {
            Some(text) if self.reasoning.is_some_and(|trail| !trail.is_cited) => {
                format!("answer: {text} (without a source: no quote given for it stands in a passage)")
            }
            Some(text) => format!("answer: {text}"),
            None if self.reasoning.is_some() && self.answer.is_rejected => {
                "no answer: the model says that the evidence does not tell; the nearest passages follow".to_owned()
            }
            None if self.reasoning.is_some() => {
                "no answer: the model gave none; the nearest passages follow".to_owned()
            }
            None if self.answer.is_rejected => format!(
                "no answer: not sure enough of any (sufficiency {:.2}); the nearest passages follow",
                self.answer.sufficiency
            ),
            None => "no answer: nothing of the kind asked for was found".to_owned(),
        }
    }
}

/// A citation in two lines.
fn quoted(citation: &Citation, indent: &str) -> String {
    let Citation {
        title,
        origin,
        start,
        end,
        line,
        column,
        quote,
    } = citation;
    let quote = quote.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{indent}“{quote}”\n{indent}    — {title} ({origin}:{line}:{column}, bytes {start}..{end})")
}

impl PassageView<'_> {
    fn line(&self, rank: usize) -> String {
        let way = match &self.path {
            Some(path) if path.score > self.direct => {
                let shown: Vec<String> = path
                    .steps
                    .iter()
                    .enumerate()
                    .map(|(i, step)| path.spell(i, step))
                    .collect();
                format!("path {}", shown.join(" "))
            }
            _ if self.step.is_some() && self.direct <= 0.0 => "found by a step".to_owned(),
            _ => "direct match".to_owned(),
        };
        let step = self.step.map(|step| format!(" [step #{step}]")).unwrap_or_default();
        format!("{rank:>3}. {:.3}  {}  [{way}]{step}", self.score, self.title)
    }
}

impl PassageView<'_> {
    fn routes_line(&self) -> String {
        let routes: Vec<String> = self
            .routes
            .iter()
            .map(|(name, score)| format!("{name} {score:.3}"))
            .collect();
        format!("       {}", routes.join(" · "))
    }
}

impl Cut<'_> {
    fn line(&self) -> String {
        match (self.first, self.score) {
            (Some(title), Some(score)) => format!("cut: {} more passages, the best {score:.3}  {title}", self.passages),
            _ => "cut: nothing".to_owned(),
        }
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

impl PathView<'_> {
    /// A step in words; the entity between two passages only where it is not the next passage's own title.
    fn spell(&self, position: usize, step: &str) -> String {
        match self.steps.get(position + 1) {
            _ if position.is_multiple_of(2) => step.to_owned(),
            Some(next) if *next == step => "→".to_owned(),
            _ => format!("—{step}→"),
        }
    }
}

fn passage_view<'a>(knowledge: &'a Knowledge, passage: &Passage) -> PassageView<'a> {
    let document = knowledge.document(knowledge.chunk(passage.chunk).document);
    PassageView {
        title: &document.title,
        origin: document.origins.first().map(ToString::to_string).unwrap_or_default(),
        text: knowledge.chunk_text(passage.chunk),
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
