//! Which system answers a question, and what becomes of one that the chosen system does not cover.
//!
//! A method that is named answers or says why it cannot. Left to itself a question stays with retrieval, unless the documents
//! are records of one kind whose columns cover every word of it: then they answer. Where a language model reasons, the router
//! may send it to structures built for it. A method declines what it would only guess: then retrieval answers.
//!
//! # When records answer, and when they only choose documents
//! | the columns cover | what happens |
//! |---|---|
//! | every word that means something | the SQL's result is the answer |
//! | a condition that some records satisfy, not what is asked for, which is no number | SQL chooses those documents, retrieval answers from them |
//! | neither | declined; where records are forced, a refusal |
//!
//! `data/lights/questions.jsonl` has questions of the first two kinds; the suite counts how many come out right.

mod hybrid;

use super::adaptive;
use super::cache::QueryCache;
use super::models::Models;
use super::records::{Maker, Records, has_shape};
use super::tabled::{Tabled, reply};
use super::{AskOptions, Asking, Reply};
use crate::environment::Environment;
use anyhow::{Result, anyhow};
use banyan_engine::Knowledge;
use banyan_engine::embed::Embedder;
use banyan_engine::store::Derived;
use banyan_retrieve::adaptive::{Adaptive, StructureChooser, documents, max_calls as max_structure_calls};
use banyan_retrieve::aggregate::Asked;
use banyan_retrieve::reason::Listener;
use banyan_retrieve::router::{Method, Router, Situation};
use banyan_retrieve::tabulate::{MAX_DOCUMENTS, max_calls as max_table_calls};
use banyan_retrieve::{Config, Question, Searcher};
use hybrid::Hybrid;
use serde::Serialize;
use std::path::Path;
use std::sync::OnceLock;

/// Passages that documents are ranked by, for a table that cannot take all. Arbitrary: a few times what it takes.
const RANKED: usize = 2_000;

/// A reply, who gave it, and what it was computed from.
pub struct Answered {
    /// The answer and its evidence.
    pub reply: Reply,
    /// Which method gave it.
    pub routed: Routed,
    /// What a method other than the tree computed.
    pub work: Option<Work>,
}

/// Which method answered, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Routed {
    /// The one that answered.
    pub method: Method,
    /// Why it was chosen.
    pub reason: String,
    /// Those that were chosen before and declined.
    pub declined: Vec<Declined>,
}

/// A method that did not answer, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Declined {
    /// The method.
    pub method: Method,
    /// Its reason.
    pub reason: String,
}

/// What a method other than the tree computed.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// Records, and the documents that they narrowed the question to.
    Records(RecordsWork),
    /// A table that was filled for the question.
    Srag(Tabled),
    /// Structures that were built for the question.
    SchemaRag(Box<Adaptive>),
}

/// What records did for a question.
#[derive(Serialize)]
pub struct RecordsWork {
    #[serde(flatten)]
    tabled: Tabled,
    /// The documents that retrieval answered from, where the columns did not cover the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    hybrid: Option<Hybrid>,
}

pub(crate) struct Methods<'a> {
    pub(crate) asking: &'a Asking<'a>,
    kind: Option<Method>,
    options: &'a AskOptions,
    store: &'a Path,
    derived: &'a Derived,
    /// Opens a part of the store as the store was opened.
    opener: &'a (dyn Fn(Knowledge) -> Searcher + Sync),
    env: &'a Environment,
    models: Models<'a>,
    router: Router,
    chooser: StructureChooser,
    records: OnceLock<Result<Option<Records<'a>>, String>>,
    has_shape: OnceLock<bool>,
}

/// An answer, or why there is none.
enum Outcome {
    Answered(Box<(Reply, Option<Work>)>),
    Declined(String),
}

impl Outcome {
    fn answered(reply: Reply, work: Option<Work>) -> Self {
        Self::Answered(Box::new((reply, work)))
    }
}

impl<'a> Methods<'a> {
    /// The methods for the store at `store`; `derived` is the place of the generation that was read.
    ///
    /// # Errors
    /// Where weights that ship are broken.
    pub(crate) fn new(
        asking: &'a Asking<'a>,
        options: &'a AskOptions,
        store: &'a Path,
        derived: &'a Derived,
        opener: &'a (dyn Fn(Knowledge) -> Searcher + Sync),
        models: Models<'a>,
        env: &'a Environment,
    ) -> Result<Self> {
        Ok(Self {
            models,
            asking,
            kind: options.method,
            options,
            store,
            derived,
            opener,
            env,
            router: Router::shipped()?,
            chooser: StructureChooser::shipped()?,
            records: OnceLock::new(),
            has_shape: OnceLock::new(),
        })
    }
}

impl<'a> Methods<'a> {
    /// The method that a question is sent to.
    ///
    /// # Errors
    /// Where the records cannot be asked.
    pub(crate) fn choose(&self, question: &Question) -> Result<Routed> {
        let (method, reason) = if let Some(method) = self.kind {
            (method, "asked for".to_owned())
        } else {
            let situation = Situation {
                is_covered: self.is_covered(question)?,
                has_model: self.models.language.is_some(),
            };
            let vector = vector(self.asking.searcher.knowledge(), question);
            let routing = self.router.route(&question.text, vector, situation);
            (routing.method, routing.reason)
        };
        Ok(Routed {
            method,
            reason,
            declined: Vec::new(),
        })
    }

    /// Whether the documents are records of one kind whose columns cover every word of a question, with evidence. Where it is
    /// dear, by a model or of many documents, columns are not predicted for a question that does not ask for them.
    fn is_covered(&self, question: &Question) -> Result<bool> {
        let n = self.asking.searcher.knowledge().documents.len();
        let is_dear = self.models.language.is_some() || n > MAX_DOCUMENTS && !Records::are_kept(self.derived);
        if is_dear || !self.is_tabular() {
            return Ok(false);
        }
        let Some(records) = self.records()? else {
            return Ok(false);
        };
        let answer = records.ask(&question.text)?;
        let found = reply(&question.text, &answer.asked, records.table(&answer), self.asking);
        Ok(answer.asked.answer.is_some() && !found.answer.citations.is_empty())
    }

    /// The records of the store; filled, or taken from where they were kept, when they are first asked for.
    fn records(&self) -> Result<Option<&Records<'a>>> {
        let documents = &self.asking.searcher.knowledge().documents;
        let maker = Maker {
            columns: self.options.columns.as_ref(),
            language: self.models.language,
            derived: self.derived,
            env: self.env,
        };
        let open = || Records::open(documents, &maker).map_err(|error| format!("{error:#}"));
        let records = self.records.get_or_init(open).as_ref();
        Ok(records.map_err(|error| anyhow!("{error}"))?.as_ref())
    }

    /// Answers a question by the method that it was sent to, or by the next that does not decline.
    pub(crate) fn ask(
        &self,
        question: &Question,
        mut routed: Routed,
        embedder: Option<&dyn Embedder>,
        listener: Listener<'_>,
    ) -> Result<Answered> {
        let is_forced = self.kind.is_some();
        loop {
            let outcome = match routed.method {
                Method::Tree => Outcome::answered(self.asking.ask_watched(question, embedder, listener)?, None),
                Method::Records => self.by_records(question, embedder, is_forced)?,
                Method::Srag => self.by_table(question, is_forced)?,
                Method::SchemaRag => self.by_structure(question)?,
            };
            match outcome {
                Outcome::Answered(answered) => {
                    let (reply, work) = *answered;
                    return Ok(Answered { reply, routed, work });
                }
                Outcome::Declined(reason) => {
                    let method = routed.method;
                    routed.declined.push(Declined { method, reason });
                    routed.method = Method::Tree;
                }
            }
        }
    }

    fn is_tabular(&self) -> bool {
        *self
            .has_shape
            .get_or_init(|| has_shape(&self.asking.searcher.knowledge().documents))
    }

    fn by_records(&self, question: &Question, embedder: Option<&dyn Embedder>, is_forced: bool) -> Result<Outcome> {
        let Some(records) = self.records()? else {
            return Ok(self.refused(
                question,
                "the documents share no attribute, so there are no columns",
                is_forced,
            ));
        };
        let answer = records.ask(&question.text)?;
        if let Some(chosen) = records.narrowed(&answer)? {
            return self.hybrid(question, embedder, records, &chosen, answer);
        }
        let (asked, table) = (&answer.asked, records.table(&answer));
        if asked.answer.is_none() && !is_forced {
            return Ok(Outcome::Declined(unanswered(asked)));
        }
        Ok(Outcome::answered(
            reply(&question.text, asked, table, self.asking),
            Some(Work::Records(RecordsWork {
                tabled: Tabled::new(asked, table),
                hybrid: None,
            })),
        ))
    }

    fn by_table(&self, question: &Question, is_forced: bool) -> Result<Outcome> {
        let documents = &self.asking.searcher.knowledge().documents;
        let ranking = self.ranking(question);
        let found = self
            .models
            .tabulate(&question.text, documents, &ranking, self.cache())?;
        if !is_forced && found.asked.answer.is_none() {
            return Ok(Outcome::Declined(unanswered(&found.asked)));
        }
        let tabled = Tabled::new(&found.asked, &found.table);
        let tabled = tabled.filled_from(found.n_read, documents.len(), found.target.reasons);
        Ok(Outcome::answered(
            reply(&question.text, &found.asked, &found.table, self.asking),
            Some(Work::Srag(tabled)),
        ))
    }

    /// Positions of documents as retrieval ranks them, where not all can be read.
    fn ranking(&self, question: &Question) -> Vec<usize> {
        let knowledge = self.asking.searcher.knowledge();
        if knowledge.documents.len() <= MAX_DOCUMENTS {
            return Vec::new();
        }
        let config = Config {
            top_k: RANKED,
            ..self.asking.config.clone()
        };
        let found = self.asking.searcher.search(question, &config);
        let passages = found.passages.iter();
        passages
            .map(|passage| knowledge.chunk(passage.chunk).document.index())
            .collect()
    }

    fn by_structure(&self, question: &Question) -> Result<Outcome> {
        let searcher = self.asking.searcher;
        let documents = documents(searcher, question);
        let cache = self.cache();
        let found = self
            .models
            .structure(searcher, question, &documents, &self.chooser, &cache)?;
        let reply = adaptive::reply(question, &found, self.asking);
        if reply.answer.text.is_none() && self.kind.is_none() {
            return Ok(Outcome::Declined("the documents have nothing on it".to_owned()));
        }
        Ok(Outcome::answered(reply, Some(Work::SchemaRag(Box::new(found)))))
    }

    fn cache(&self) -> QueryCache<'_> {
        QueryCache {
            derived: self.derived,
            progress: &self.env.progress,
        }
    }

    fn refused(&self, question: &Question, reason: &str, is_forced: bool) -> Outcome {
        if !is_forced {
            return Outcome::Declined(reason.to_owned());
        }
        let (asked, table) = (
            Asked::refused(reason.to_owned()),
            banyan_engine::table::Table::default(),
        );
        let work = RecordsWork {
            tabled: Tabled::new(&asked, &table),
            hybrid: None,
        };
        Outcome::answered(
            reply(&question.text, &asked, &table, self.asking),
            Some(Work::Records(work)),
        )
    }
}

/// Most calls to a model that the method of a question makes before it answers, or leaves it to the tree.
///
/// # Errors
/// Where weights that ship are broken.
pub(crate) fn calls_beside(kind: Option<Method>, knowledge: &Knowledge) -> Result<impl Fn(&Question) -> usize> {
    let router = Router::shipped()?;
    let n = knowledge.documents.len();
    Ok(move |question: &Question| {
        let situation = Situation {
            is_covered: false,
            has_model: true,
        };
        let routed = || {
            let routing = router.route(&question.text, vector(knowledge, question), situation);
            routing.method
        };
        match kind.unwrap_or_else(routed) {
            Method::Tree | Method::Records => 0,
            Method::SchemaRag => max_structure_calls(n),
            Method::Srag => max_table_calls(n),
        }
    })
}

/// A question's vector with the embedder that it is of.
fn vector<'a>(knowledge: &'a Knowledge, question: &'a Question) -> Option<(&'a str, &'a [f32])> {
    let embedder = knowledge.settings.embedder.as_str();
    question.vector.as_deref().map(|vector| (embedder, vector))
}

/// Why a table does not answer.
fn unanswered(asked: &Asked) -> String {
    asked.refusal.clone().unwrap_or_else(|| "no record fits".to_owned())
}
