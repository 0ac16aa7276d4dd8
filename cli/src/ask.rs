//! A question to an open store: which system answers it, by whom, and what comes back.

use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::language::Language;
use crate::reasoning::{AskOptions, QuestionPlan, Reasoning, forecast};
use anyhow::{Result, bail};
use banyan_engine::embed::Embedder;
use banyan_engine::store::Derived;
use banyan_engine::{Document, Knowledge, store};
use banyan_retrieve::classify::Classifier;
use banyan_retrieve::overview::{self, Point, Scope};
use banyan_retrieve::reason::{Conclusion, Listener, ReasonError, Reasoner, Task, Trail};
use banyan_retrieve::{Answer, Citation, Config, Evidence, Expected, Mode, Question, Searcher, best_of_each};
use banyan_retrieve::{adaptive, router};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::path::Path;
use std::sync::OnceLock;

mod cache;
mod method;
mod models;
mod records;
mod tabled;

use cache::QueryCache;
use method::calls_beside;
pub use method::{Answered, Routed, Work};
use records::{Records, Roles};
pub(crate) use records::{filled, has_shape};

/// Longest question in bytes. Arbitrary: longer ones are documents.
const MAX_QUESTION_BYTES: usize = 10_000;

/// A store that was read, with what answers questions to it.
pub(crate) struct Opened {
    pub(crate) searcher: Searcher,
    pub(crate) embedding: Embedding,
    pub(crate) derived: Derived,
    /// The documents that are there, where some are gone.
    left: OnceLock<Vec<Document>>,
}

impl Opened {
    pub(crate) fn new(searcher: Searcher, embedding: Embedding, derived: Derived) -> Self {
        Self {
            searcher,
            embedding,
            derived,
            left: OnceLock::new(),
        }
    }

    /// What methods keep beside the store.
    fn cache<'a>(&'a self, env: &'a Environment) -> QueryCache<'a> {
        QueryCache {
            derived: &self.derived,
            progress: &env.progress,
        }
    }

    /// The documents that are there.
    fn documents(&self) -> &[Document] {
        let knowledge = self.searcher.knowledge();
        if knowledge.gone.is_empty() {
            return knowledge.documents.all();
        }
        self.left.get_or_init(|| knowledge.documents_left().cloned().collect())
    }
}

/// Questions under one set of options; what they need beside the store is opened once.
pub struct Session<'a> {
    asking: Asking<'a>,
    options: &'a AskOptions,
    opened: &'a Opened,
    /// Who fills tables and structures: the program itself, or the language model that reasons.
    roles: Roles<'a>,
    router: &'static Classifier,
    chooser: &'static Classifier,
    records: OnceLock<Result<Option<Records<'a>>, String>>,
    has_shape: OnceLock<bool>,
}

impl Session<'_> {
    /// What is asked.
    pub fn knowledge(&self) -> &Knowledge {
        self.opened.searcher.knowledge()
    }

    /// Answers a question and tells `listener` what is done.
    ///
    /// # Errors
    /// When the question is empty or too long, or a model gives no usable reply.
    pub fn ask(&self, question: &str, listener: Listener<'_>) -> Result<Answered> {
        check_question(question)?;
        let questions = self.opened.embedding.questions(&[question])?;
        self.answer(&questions[0], listener)
    }

    /// Answers many questions in parallel, in their order.
    ///
    /// # Errors
    /// When they cannot be embedded; what fails with a single question is in its place.
    pub fn ask_all(&self, questions: &[&str]) -> Result<Vec<Result<Answered>>> {
        for question in questions {
            check_question(question)?;
        }
        let questions = self.opened.embedding.questions(questions)?;
        let ask = || {
            let asked = questions.par_iter();
            asked.map(|question| self.answer(question, &mut |_| {})).collect()
        };
        Ok(match self.roles.language {
            // Calls wait for an endpoint, not for a core.
            Some(language) => {
                let n = language.limits().max_concurrent.get();
                ThreadPoolBuilder::new().num_threads(n).build()?.install(ask)
            }
            None => ask(),
        })
    }

    fn answer(&self, question: &Question, listener: Listener<'_>) -> Result<Answered> {
        let routed = self.choose(question)?;
        let answered = self.ask_by(question, routed, listener);
        store::sound(self.knowledge())?;
        answered
    }
}

/// Lets `work` ask the store at `path`; what a model took is told afterwards.
pub(crate) fn session<T>(
    path: &Path,
    opened: &Opened,
    options: &AskOptions,
    env: &Environment,
    work: impl FnOnce(&Session<'_>) -> Result<T>,
) -> Result<T> {
    let reasoning = Reasoning {
        options,
        env,
        store: path,
    };
    reasoning.with(|reasoner, language: Option<&Language>| {
        work(&Session {
            asking: Asking::new(options, opened, reasoner, language.is_none()),
            options,
            opened,
            roles: Roles { language, env },
            router: router::shipped()?,
            chooser: adaptive::classifier()?,
            records: OnceLock::new(),
            has_shape: OnceLock::new(),
        })
    })
}

/// What asking these questions of a model can come to at most; asks nothing.
pub(crate) fn plan(
    path: &Path,
    opened: &Opened,
    questions: &[&str],
    options: &AskOptions,
    env: &Environment,
) -> Result<QuestionPlan> {
    for question in questions {
        check_question(question)?;
    }
    let questions = opened.embedding.questions(questions)?;
    let beside = calls_beside(options.method, opened.searcher.knowledge())?;
    let n_beside = |at: usize| beside(&questions[at]);
    let reasoning = Reasoning {
        options,
        env,
        store: path,
    };
    forecast(&reasoning, questions.len(), n_beside, |reasoner, at| {
        let asking = Asking::new(options, opened, reasoner, false);
        asking.ask(&questions[at], &mut |_| {}).err()
    })
}

/// Refuses what is no question.
///
/// # Errors
/// When it is empty or longer than 10,000 bytes.
pub fn check_question(question: &str) -> Result<()> {
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
struct Asking<'a> {
    searcher: &'a Searcher,
    /// What embeds sub-questions.
    embedder: Option<&'a dyn Embedder>,
    reasoner: &'a dyn Reasoner,
    /// Whether questions about the whole are answered from the communities rather than by the reasoner.
    has_overview: bool,
    mode: Mode,
    config: Config,
}

impl<'a> Asking<'a> {
    fn new(options: &AskOptions, opened: &'a Opened, reasoner: &'a dyn Reasoner, has_overview: bool) -> Self {
        Self {
            searcher: &opened.searcher,
            embedder: opened.embedding.sentences(),
            reasoner,
            has_overview,
            mode: options.mode,
            config: Config {
                top_k: options.top_k.max(Config::default().top_k),
                ..Config::default()
            },
        }
    }
}

impl Asking<'_> {
    /// Asks one question and tells `listener` what is done.
    fn ask(&self, question: &Question, listener: Listener<'_>) -> Result<Reply, ReasonError> {
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
            embedder: self.embedder,
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
            quotes: best_of_each(self.searcher, question, &evidence),
            evidence,
            points: Vec::new(),
            trail,
        })
    }

    /// Answers a question about the whole by its points, each cited; nothing is stated in one line.
    fn survey(&self, question: &Question, scope: &Scope, evidence: Evidence) -> Reply {
        let points = overview::overview(self.searcher, scope);
        let mut reply = self.computed(question, None, 0.0, Vec::new());
        reply.answer.is_rejected = points.is_empty() && self.mode == Mode::Reject;
        Reply {
            quotes: best_of_each(self.searcher, question, &evidence),
            evidence,
            points,
            ..reply
        }
    }

    /// A reply that nobody reasoned about: computed, not found in passages.
    fn computed(&self, question: &Question, text: Option<String>, sufficiency: f32, citations: Vec<Citation>) -> Reply {
        Reply {
            question: question.text.clone(),
            mode: self.mode,
            evidence: Evidence::default(),
            quotes: Vec::new(),
            answer: Answer {
                likeliest: text.clone(),
                text,
                expected: Expected::Any,
                sufficiency,
                is_rejected: false,
                citations,
                history: Vec::new(),
            },
            points: Vec::new(),
            trail: None,
        }
    }
}

/// An answer with the evidence behind it.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The question.
    pub question: String,
    /// Whether a weak answer was to be refused.
    pub mode: Mode,
    /// Passages, entities, triples and communities, the best first.
    pub evidence: Evidence,
    /// The sentence of each passage that is nearest to the question.
    pub quotes: Vec<Option<Citation>>,
    /// The answer with its citations.
    pub answer: Answer,
    /// Points of an answer about the whole; empty for other questions.
    pub points: Vec<Point>,
    /// What a model made of the evidence; `None` where none was asked.
    pub trail: Option<Trail>,
}

impl Reply {
    /// Whether something is stated: an answer, or points about the whole.
    pub fn is_answered(&self) -> bool {
        self.answer.text.is_some() || !self.points.is_empty()
    }
}
