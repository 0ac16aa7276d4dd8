//! `banyan query`: a question to a store.

use crate::Outcome;
use crate::args::{Global, ModeKind, Query};
use crate::compose::Embedding;
use crate::progress::Progress;
use crate::reasoning::{Reasoning, forecast};
use crate::render;
use crate::stop::Stop;
use anyhow::{Context, Result, bail};
use banyan_engine::embed::Embedder;
use banyan_engine::store::{self, Derived};
use banyan_retrieve::calibration::Calibration;
use banyan_retrieve::overview::{self, Point, Scope};
use banyan_retrieve::reason::{Conclusion, Listener, ReasonError, Reasoner, Task, Told, Trail};
use banyan_retrieve::{Answer, Config, Evidence, Expected, Mode, Question, Searcher};

mod adaptive;
mod batch;
mod kept;
mod method;
mod models;
mod records;
mod tabled;
mod trace;
mod view;

use method::Methods;
use models::Models;
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
    let reasoning = Reasoning {
        who: &args.reason.who,
        args: &args.reason.model,
        store: &args.target.store,
        calibration: &calibration,
        progress,
        stop,
    };
    if args.reason.dry_run {
        let typed = args.question.as_deref().into_iter();
        let listed = questions.iter().flatten().map(batch::Line::question);
        let texts: Vec<&str> = typed.chain(listed).collect();
        let questions = embedding.questions(&texts, progress, stop)?;
        let beside = method::calls_beside(args.method, searcher.knowledge())?;
        let n_beside = |at: usize| beside(&questions[at]);
        forecast(&reasoning, questions.len(), n_beside, args.json, |reasoner, at| {
            let asking = Asking::new(args, mode, &searcher, reasoner, false);
            asking.ask(&questions[at], embedding.sentences()).err()
        })?;
        return Ok(Outcome::Done);
    }
    reasoning.with(|reasoned| {
        let is_embedded = reasoned.language.is_none();
        let asking = Asking::new(args, mode, &searcher, reasoned.reasoner, is_embedded);
        let opener = embedding.opener();
        let models = Models::new(reasoned, &args.reason.model, stop)?;
        let methods = Methods::new(&asking, args, derived, &opener, models, progress)?;
        match &questions {
            Some(lines) => batch::run(&methods, lines, args, reasoned, &mut embedding, progress, stop),
            None => one(args, &methods, &mut embedding, progress),
        }
    })
}

/// Asks the question that was typed and prints the reply.
fn one(args: &Query, methods: &Methods<'_>, embedding: &mut Embedding, progress: Progress) -> Result<Outcome> {
    let text = args.question.as_deref().unwrap_or_default();
    let mut printed = Ok(());
    let mut tell = |told: Told<'_>| {
        if args.trace && !args.json && printed.is_ok() {
            printed = render::text(&trace::told(told));
        }
    };
    let question = Question::new(text, embedding.question(text)?);
    let answered = methods.ask(&question, methods.choose(&question)?, embedding.sentences(), &mut tell)?;
    printed?;
    if let Some(file) = &args.reason.save_trace {
        trace::save(file, &answered.reply)?;
    }
    let shown = View::new(methods.asking.searcher, &answered.reply, args.top_k.into());
    if args.json {
        render::json(&Shown::new(shown, &answered))?;
    } else {
        render::text(&Shown::new(shown, &answered).text(args.explain, args.trace))?;
    }
    if let Some(remark) = answered.reply.remark() {
        progress.remark(&remark);
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
    pub(crate) reasoner: &'a dyn Reasoner,
    /// Whether questions about the whole are answered from the communities rather than by the reasoner.
    pub(crate) has_overview: bool,
    pub(crate) mode: Mode,
    pub(crate) config: Config,
}

impl<'a> Asking<'a> {
    fn new(args: &Query, mode: Mode, searcher: &'a Searcher, reasoner: &'a dyn Reasoner, has_overview: bool) -> Self {
        Self {
            searcher,
            reasoner,
            has_overview,
            mode,
            config: Config {
                top_k: usize::from(args.top_k).max(Config::default().top_k),
                ..Config::default()
            },
        }
    }
}

impl Asking<'_> {
    /// Asks one question; `embedder` embeds its sub-questions.
    pub(crate) fn ask(&self, question: &Question, embedder: Option<&dyn Embedder>) -> Result<Reply, ReasonError> {
        self.ask_watched(question, embedder, &mut |_| {})
    }

    /// Asks one question and tells `listener` what is done.
    pub(crate) fn ask_watched(
        &self,
        question: &Question,
        embedder: Option<&dyn Embedder>,
        listener: Listener<'_>,
    ) -> Result<Reply, ReasonError> {
        let evidence = self.searcher.search(question, &self.config);
        let scope = self.has_overview.then(|| overview::scope(self.searcher, question));
        if let Some(scope) = scope.flatten() {
            return Ok(self.survey(question, &scope, evidence));
        }
        let task = Task {
            searcher: self.searcher,
            question,
            evidence: &evidence,
            mode: self.mode,
            embedder,
        };
        let Conclusion {
            answer,
            evidence,
            trail,
        } = self.reasoner.conclude(&task, listener)?;
        Ok(Reply {
            question: question.text.clone(),
            mode: self.mode,
            answer,
            evidence,
            points: Vec::new(),
            trail,
        })
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
            trail: None,
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
    /// What a model made of the evidence; `None` where none was asked.
    pub(crate) trail: Option<Trail>,
}

impl Reply {
    /// What was odd about a model's replies and the passages that it was shown, in one line.
    fn remark(&self) -> Option<String> {
        let trail = self.trail.as_ref()?;
        let mut parts = Vec::new();
        parts.extend(
            trail
                .plan
                .fallback
                .as_ref()
                .map(|why| format!("sub-questions by rules: {why}")),
        );
        if !trail.defects.is_empty() {
            parts.push(format!("defects in replies: {}", trail.defects));
        }
        if trail.n_orders > 0 {
            parts.push(format!(
                "{} shown that gives orders to its reader, as text",
                render::count(trail.n_orders, "passage")
            ));
        }
        if trail.n_cut > 0 {
            parts.push(format!("no room for {}", render::count(trail.n_cut, "further passage")));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
