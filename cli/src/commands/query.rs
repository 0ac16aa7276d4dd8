//! `banyan query`: a question to a store.

use crate::Outcome;
use crate::args::{Global, ModeKind, Query};
use crate::compose::Embedding;
use crate::progress::Progress;
use crate::render;
use anyhow::{Result, bail};
use banyan_engine::{Knowledge, store};
use banyan_retrieve::agent::{Sink, Thought};
use banyan_retrieve::answer::{Weights, answer_with};
use banyan_retrieve::route::path::Path;
use banyan_retrieve::{Answer, Config, Evidence, Mode, Passage, Question, Searcher};
use serde::Serialize;

/// Longest question in bytes. Arbitrary: longer ones are documents.
const MAX_QUESTION_BYTES: usize = 10_000;

pub(crate) fn run(args: &Query, global: &Global, progress: Progress) -> Result<Outcome> {
    check(&args.question)?;
    let knowledge = store::read(&args.target.store)?;
    let mut embedding = Embedding::for_store(&knowledge.settings.embedder, global, progress)?;
    let searcher = Searcher::new(knowledge);
    let mode = match args.mode {
        ModeKind::Open => Mode::Open,
        ModeKind::Reject => Mode::Reject,
    };
    let config = Config {
        top_k: usize::from(args.top_k).max(Config::default().top_k),
        ..Config::default()
    };
    let mut told = Ok(());
    let mut tell = |thought: &Thought| {
        if args.trace && !args.json && told.is_ok() {
            told = render::text(&traced(thought));
        }
    };
    let reply = ask(&searcher, &mut embedding, &args.question, mode, &config, &mut tell)?;
    told?;
    let shown = View::new(&searcher, &reply, args.top_k.into());
    if args.json {
        render::json(&shown)?;
    } else {
        render::text(&shown.text(args.explain))?;
    }
    Ok(if reply.answer.text.is_some() {
        Outcome::Done
    } else {
        Outcome::NoAnswer
    })
}

/// A step of thinking in words.
fn traced(thought: &Thought) -> String {
    let mut lines = vec![format!("#{} {}", thought.step, thought.asked)];
    let filled = thought.filled.iter().filter(|filled| **filled != thought.asked);
    lines.extend(filled.map(|filled| format!("   asked: {filled}")));
    for belief in &thought.beliefs {
        let source = &belief.citation;
        lines.push(format!("   {:.2}  {} — {}", belief.share, belief.text, source.title));
    }
    if thought.beliefs.is_empty() {
        lines.push(format!(
            "   nothing of that kind in {}",
            render::count(thought.n_passages, "passage")
        ));
    }
    lines.join("\n")
}

fn check(question: &str) -> Result<()> {
    if question.trim().is_empty() {
        bail!("the question is empty; expected a sentence");
    }
    if question.len() > MAX_QUESTION_BYTES {
        bail!(
            "the question has {} bytes; expected at most {MAX_QUESTION_BYTES}",
            question.len()
        );
    }
    Ok(())
}

/// An answer with the evidence behind it.
pub(crate) struct Reply {
    pub(crate) question: String,
    pub(crate) mode: Mode,
    pub(crate) evidence: Evidence,
    pub(crate) answer: Answer,
}

/// Asks one question.
pub(crate) fn ask(
    searcher: &Searcher,
    embedding: &mut Embedding,
    text: &str,
    mode: Mode,
    config: &Config,
    sink: Sink<'_>,
) -> Result<Reply> {
    let question = Question::new(text, embedding.question(text)?);
    let evidence = searcher.search(&question, config);
    let answer = answer_with(searcher, &question, &evidence, mode, &Weights::shipped(), sink);
    Ok(Reply {
        question: text.to_owned(),
        mode,
        evidence,
        answer,
    })
}

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
}

#[derive(Serialize)]
struct PassageView<'a> {
    title: &'a str,
    origin: String,
    text: &'a str,
    score: f32,
    direct: f32,
    path: Option<PathView<'a>>,
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
    pub(crate) fn new(searcher: &'a Searcher, reply: &'a Reply, top_k: usize) -> Self {
        let knowledge = searcher.knowledge();
        let Reply { evidence, .. } = reply;
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
        }
    }

    pub(crate) fn text(&self, is_explained: bool) -> String {
        let mut lines = vec![self.headline()];
        for citation in &self.answer.citations {
            let quote = citation.quote.split_whitespace().collect::<Vec<_>>().join(" ");
            lines.push(format!(
                "  “{quote}”\n      — {} ({}:{}..{})",
                citation.title, citation.origin, citation.start, citation.end
            ));
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
            lines.push(format!(
                "sufficiency {:.2} · embedder {}",
                self.answer.sufficiency, self.embedder
            ));
        }
        lines.join("\n")
    }

    fn headline(&self) -> String {
        match &self.answer.text {
            Some(text) => format!("answer: {text}"),
            None if self.answer.is_rejected => format!(
                "no answer: the evidence covers too little of the question (sufficiency {:.2}); the nearest passages follow",
                self.answer.sufficiency
            ),
            None => "no answer: nothing of the kind asked for was found".to_owned(),
        }
    }
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
            _ => "direct match".to_owned(),
        };
        format!("{rank:>3}. {:.3}  {}  [{way}]", self.score, self.title)
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
        path: passage.path.as_ref().map(|path| path_view(knowledge, path)),
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
