//! `banyan query`: a question to a store.

use crate::Outcome;
use crate::args::{Global, ModeKind, Query};
use crate::compose::Embedding;
use crate::progress::Progress;
use crate::render;
use crate::stop::Stop;
use anyhow::{Context, Result, bail};
use banyan_engine::store::{self, Derived};
use banyan_retrieve::adaptive::StructureChooser;
use banyan_retrieve::agent::{Sink, Thought};
use banyan_retrieve::answer::{Weights, answer_with};
use banyan_retrieve::calibration::{Calibration, Signals};
use banyan_retrieve::overview::{self, Point, Scope};
use banyan_retrieve::router::Router;
use banyan_retrieve::{Answer, Config, Evidence, Expected, Mode, Question, Searcher};

mod adaptive;
mod batch;
mod method;
mod records;
mod tabled;
mod view;

use method::Methods;
use std::sync::OnceLock;
use view::Shown;
pub(crate) use view::View;

/// Longest question in bytes. Arbitrary: longer ones are documents.
const MAX_QUESTION_BYTES: usize = 10_000;

pub(crate) fn run(args: &Query, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let calibration = calibration(args.calibration.as_deref())?;
    let mode = match args.mode {
        ModeKind::Open => Mode::Open,
        ModeKind::Reject => Mode::Reject,
    };
    let questions = args.batch.as_deref().map(batch::read).transpose()?;
    if let Some(question) = &args.question {
        check(question)?;
    }
    let derived = Derived::of(&args.target.store)?;
    let knowledge = store::read(&args.target.store)?;
    let mut embedding = Embedding::for_store(&knowledge.settings.embedder, global, progress)?;
    let searcher = embedding.searcher(knowledge);
    let asking = Asking {
        searcher: &searcher,
        calibration: &calibration,
        mode,
        config: Config {
            top_k: usize::from(args.top_k).max(Config::default().top_k),
            ..Config::default()
        },
    };
    let opener = embedding.opener();
    let methods = Methods {
        asking: &asking,
        kind: args.method,
        store: &args.target.store,
        derived,
        opener: &opener,
        progress,
        router: Router::shipped()?,
        chooser: StructureChooser::shipped()?,
        records: OnceLock::new(),
        has_shape: OnceLock::new(),
    };
    if let Some(questions) = questions {
        return batch::run(&methods, &questions, args.top_k.into(), &mut embedding, progress, stop);
    }
    let text = args.question.as_deref().unwrap_or_default();
    let mut told = Ok(());
    let mut tell = |thought: &Thought| {
        if args.trace && !args.json && told.is_ok() {
            told = render::text(&traced(thought));
        }
    };
    let question = Question::new(text, embedding.question(text)?);
    let answered = methods.ask(&question, methods.choose(&question)?, &mut tell)?;
    told?;
    let shown = View::new(&searcher, &answered.reply, args.top_k.into());
    if args.json {
        render::json(&Shown::new(shown, &answered))?;
    } else {
        render::text(&Shown::new(shown, &answered).text(args.explain, args.trace))?;
    }
    Ok(if answered.reply.answer.text.is_some() {
        Outcome::Done
    } else {
        Outcome::NoAnswer
    })
}

/// The calibration in `file`, or the built-in one.
fn calibration(file: Option<&std::path::Path>) -> Result<Calibration> {
    let Some(file) = file else {
        return Ok(Calibration::default());
    };
    let text = std::fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))?;
    serde_json::from_str(&text).with_context(|| {
        format!(
            "{}: expected a calibration, as `banyan calibrate --out` writes it",
            file.display()
        )
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

/// Refuses what is no question.
pub(crate) fn check(question: &str) -> Result<()> {
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

/// A store opened once, to answer many questions alike.
pub(crate) struct Asking<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) calibration: &'a Calibration,
    pub(crate) mode: Mode,
    pub(crate) config: Config,
}

impl Asking<'_> {
    /// Asks one question.
    pub(crate) fn ask(&self, question: &Question) -> Reply {
        self.ask_watched(question, &mut |_| {})
    }

    /// Asks one question and tells `sink` every step that is done.
    pub(crate) fn ask_watched(&self, question: &Question, sink: Sink<'_>) -> Reply {
        let evidence = self.searcher.search(question, &self.config);
        if let Some(scope) = overview::scope(self.searcher, question) {
            return self.survey(question, &scope, evidence);
        }
        let found = answer_with(
            self.searcher,
            question,
            &evidence,
            Mode::Open,
            &Weights::shipped(),
            sink,
        );
        let signals = Signals::of(self.searcher, question, &evidence, &found);
        Reply {
            question: question.text.clone(),
            mode: self.mode,
            answer: self.calibration.judge(self.mode, &signals, found),
            evidence,
            points: Vec::new(),
        }
    }

    /// Answers a question about the whole. It is sufficient where there is a point to make, for every point is cited.
    fn survey(&self, question: &Question, scope: &Scope, evidence: Evidence) -> Reply {
        let points = overview::overview(self.searcher, scope);
        let headings: Vec<&str> = points.iter().map(|point| point.heading.as_str()).collect();
        let answer = Answer {
            text: (!points.is_empty()).then(|| headings.join("; ")),
            expected: Expected::Any,
            sufficiency: if points.is_empty() { 0.0 } else { 1.0 },
            is_rejected: points.is_empty() && self.mode == Mode::Reject,
            citations: Vec::new(),
            history: Vec::new(),
        };
        Reply {
            question: question.text.clone(),
            mode: self.mode,
            evidence,
            answer,
            points,
        }
    }
}

/// An answer with the evidence behind it.
pub(crate) struct Reply {
    pub(crate) question: String,
    pub(crate) mode: Mode,
    pub(crate) evidence: Evidence,
    pub(crate) answer: Answer,
    /// Points of an answer about the whole; empty for other questions.
    pub(crate) points: Vec<Point>,
}
