//! Which system answers a question, and what becomes of one that the chosen system does not cover.
//!
//! A method that is named answers or says why it cannot. Left to itself a question stays with retrieval, unless the
//! documents are records of one kind whose columns cover every word of it: then they answer. Where a language model
//! reasons, the router may send it to structures built for it. A method declines what it would only guess: then
//! retrieval answers.
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

use super::cache::QueryCache;
use super::records::{Records, has_shape};
use super::tabled::{MAX_CITATIONS, Tabled};
use super::{Reply, Session};
use anyhow::{Result, anyhow};
use banyan_engine::Knowledge;
use banyan_engine::table::Table;
use banyan_retrieve::adaptive::{Adaptive, max_calls as max_structure_calls};
use banyan_retrieve::aggregate::Asked;
use banyan_retrieve::reason::Listener;
use banyan_retrieve::router::{self, Method, Situation};
use banyan_retrieve::tabulate::{MAX_DOCUMENTS, max_calls as max_table_calls};
use banyan_retrieve::{Citation, Config, Question};
use hybrid::Hybrid;
use serde::Serialize;

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

impl<'a> Session<'a> {
    /// The method that a question is sent to.
    ///
    /// # Errors
    /// Where the records cannot be asked.
    pub(super) fn choose(&self, question: &Question) -> Result<Routed> {
        let (method, reason) = if let Some(method) = self.options.method {
            (method, "asked for".to_owned())
        } else {
            let situation = Situation {
                is_covered: self.is_covered(question)?,
                has_model: self.roles.language.is_some(),
            };
            let vector = vector(self.knowledge(), question);
            let routing = router::route(self.router, &question.text, vector, situation);
            (routing.method, routing.reason)
        };
        Ok(Routed {
            method,
            reason,
            declined: Vec::new(),
        })
    }

    /// Whether the documents are records of one kind whose columns cover every word of a question, with evidence. Where
    /// it is dear, by a model or of many documents, columns are not predicted for a question that does not ask for them.
    fn is_covered(&self, question: &Question) -> Result<bool> {
        let n = self.knowledge().n_documents();
        let is_dear = self.roles.language.is_some() || n > MAX_DOCUMENTS && !Records::are_kept(self.cache());
        if is_dear || !self.is_tabular() {
            return Ok(false);
        }
        let Some(records) = self.records()? else {
            return Ok(false);
        };
        let asked = records.ask(&question.text)?.asked;
        Ok(asked.answer.is_some() && !(asked.provenance.is_empty() && asked.completeness.is_empty()))
    }

    /// The records of the store; filled, or taken from where they were kept, when they are first asked for.
    fn records(&self) -> Result<Option<&Records<'a>>> {
        let open = || {
            let opened = Records::open(self.opened, self.options.columns.as_ref(), self.roles);
            opened.map_err(|error| format!("{error:#}"))
        };
        let records = self.records.get_or_init(open).as_ref();
        Ok(records.map_err(|error| anyhow!("{error}"))?.as_ref())
    }

    /// Answers a question by the method that it was sent to, or by the next that does not decline.
    pub(super) fn ask_by(&self, question: &Question, mut routed: Routed, listener: Listener<'_>) -> Result<Answered> {
        loop {
            let outcome = match routed.method {
                Method::Tree => Outcome::answered(self.asking.ask(question, listener)?, None),
                Method::Records => self.by_records(question)?,
                Method::Srag => self.by_table(question)?,
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
        *self.has_shape.get_or_init(|| has_shape(self.opened.documents()))
    }

    fn is_forced(&self) -> bool {
        self.options.method.is_some()
    }

    fn by_records(&self, question: &Question) -> Result<Outcome> {
        let Some(records) = self.records()? else {
            let reason = "the documents share no attribute, so there are no columns".to_owned();
            if !self.is_forced() {
                return Ok(Outcome::Declined(reason));
            }
            return Ok(self.by_rows(question, &Asked::refused(reason), &Table::default()));
        };
        let answer = records.ask(&question.text)?;
        if let Some(chosen) = records.narrowed(&answer)? {
            return self.hybrid(question, records, &chosen, answer);
        }
        let (asked, table) = (&answer.asked, records.table(&answer));
        if asked.answer.is_none() && !self.is_forced() {
            return Ok(Outcome::Declined(unanswered(asked)));
        }
        Ok(self.by_rows(question, asked, table))
    }

    fn by_rows(&self, question: &Question, asked: &Asked, table: &Table) -> Outcome {
        let work = RecordsWork {
            tabled: Tabled::new(asked, table),
            hybrid: None,
        };
        Outcome::answered(self.tabled(question, asked, table), Some(Work::Records(work)))
    }

    fn by_table(&self, question: &Question) -> Result<Outcome> {
        let found = self.tabulate(question, &self.ranking(question))?;
        if !self.is_forced() && found.asked.answer.is_none() {
            return Ok(Outcome::Declined(unanswered(&found.asked)));
        }
        let tabled = Tabled::new(&found.asked, &found.table);
        let tabled = tabled.filled_from(found.n_read, self.knowledge().n_documents(), found.target.reasons);
        Ok(Outcome::answered(
            self.tabled(question, &found.asked, &found.table),
            Some(Work::Srag(tabled)),
        ))
    }

    /// Positions among the documents that are there, as retrieval ranks them, where not all can be read.
    fn ranking(&self, question: &Question) -> Vec<usize> {
        let knowledge = self.knowledge();
        if knowledge.n_documents() <= MAX_DOCUMENTS {
            return Vec::new();
        }
        let config = Config {
            top_k: RANKED,
            ..self.asking.config.clone()
        };
        let found = self.asking.searcher.search(question, &config);
        let passages = found.passages.iter();
        let documents = passages.map(|passage| knowledge.chunk(passage.chunk).document);
        documents
            .map(|at| at.index() - knowledge.gone.partition_point(|gone| *gone < at))
            .collect()
    }

    fn by_structure(&self, question: &Question) -> Result<Outcome> {
        let found = self.structure(question)?;
        let lines = found.lines();
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        let mut citations: Vec<Citation> = Vec::new();
        for citation in lines.iter().flat_map(|line| &line.citations) {
            if !citations.contains(citation) {
                citations.push(citation.clone());
            }
        }
        citations.truncate(MAX_CITATIONS);
        let text = (!citations.is_empty()).then(|| texts.join("; "));
        let sufficiency = if text.is_some() { 1.0 } else { 0.0 };
        let reply = self.asking.computed(question, text, sufficiency, citations);
        if reply.answer.text.is_none() && !self.is_forced() {
            return Ok(Outcome::Declined("the documents have nothing on it".to_owned()));
        }
        Ok(Outcome::answered(reply, Some(Work::SchemaRag(Box::new(found)))))
    }

    pub(super) fn cache(&self) -> QueryCache<'_> {
        self.opened.cache(self.roles.env)
    }
}

/// Most calls to a model that the method of a question makes before it answers, or leaves it to the tree.
///
/// # Errors
/// Where weights that ship are broken.
pub(crate) fn calls_beside(kind: Option<Method>, knowledge: &Knowledge) -> Result<impl Fn(&Question) -> usize> {
    let classifier = router::shipped()?;
    let n = knowledge.n_documents();
    Ok(move |question: &Question| {
        let situation = Situation {
            is_covered: false,
            has_model: true,
        };
        let routed = || {
            let routing = router::route(classifier, &question.text, vector(knowledge, question), situation);
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
