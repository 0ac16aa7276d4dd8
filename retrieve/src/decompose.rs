//! A question as sub-questions that the schema bounds (Youtu-GraphRAG §3.3).
//!
//! ```text
//! "Who is the spouse of the performer of Teak?"   ─►   #1  the performer of Teak        triple-level, performer
//!                                                      #2  Who is the spouse of #1?     triple-level, spouse
//! ```
//! Steps refer to the answers of earlier ones by `#1`, `#2` …; steps that need no other answer can be asked at once.

use crate::question::Expected;
use banyan_engine::llm::LlmError;
use banyan_engine::stated::DefectCounts;
use banyan_engine::{RelationId, Schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod english;
mod kinship;
mod model;
mod token;

pub use english::Embedded;
pub use model::ModelDecomposer;
pub(crate) use model::{Step, step};

/// Most sub-questions of one question (the paper's pre-defined maximum i, for which it gives no number). Arbitrary: four
/// hops and a comparison of two chains fit.
pub const MAX_STEPS: usize = 6;

/// What the sub-questions of a question make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// One fact.
    Single,
    /// A chain: each step needs the answer of the one before.
    Bridge,
    /// Values of several named things, set against each other.
    Comparison,
    /// How many.
    Count,
    /// Whether something is so.
    YesNo,
}

/// The level of the knowledge that a sub-question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// An attribute of one thing: (e, `has_attr`, a).
    Node,
    /// A fact between two things: (h, r, t).
    Triple,
    /// What many things have in common.
    Community,
}

/// One sub-question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubQuery {
    /// Its words; `#k` stands for the answer of step k, counted from 1.
    pub text: String,
    /// Which level it asks.
    pub target: Target,
    /// Relations that a model names for it, ascending.
    #[serde(skip)]
    pub relations: Vec<RelationId>,
    /// The kind of answer.
    pub expected: Expected,
    /// Steps whose answers its text needs, counted from 1, ascending; each is smaller than its own number.
    pub depends_on: Vec<usize>,
}

impl SubQuery {
    /// A sub-question with what its words tell: the kind of answer, and which of the `n_earlier` steps before it it needs.
    pub fn read(text: &str, n_earlier: usize, schema: &Schema) -> Self {
        let expected = Expected::of(text, schema);
        Self {
            text: text.to_owned(),
            target: match expected {
                Expected::Date | Expected::Number => Target::Node,
                _ => Target::Triple,
            },
            relations: Vec::new(),
            expected,
            depends_on: variables(text).into_iter().filter(|step| *step <= n_earlier).collect(),
        }
    }

    /// Its words with the answers of earlier steps in place of their variables; `answers[k - 1]` is that of step k, and a
    /// variable without an answer stays.
    pub fn filled(&self, answers: &[Option<&str>]) -> String {
        // From the last to the first, so that #1 is not found within #12.
        self.depends_on
            .iter()
            .rev()
            .fold(self.text.clone(), |text, step| match answers.get(step - 1) {
                Some(Some(answer)) => text.replace(&format!("#{step}"), answer),
                _ => text,
            })
    }
}

/// Who made a decomposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// Rules on phrases.
    Embedded,
    /// A language model.
    Model,
}

/// A question in steps; the last step answers it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decomposition {
    /// How the steps work together.
    pub shape: Shape,
    /// At least one, at most [`MAX_STEPS`]; every variable refers to an earlier step.
    pub steps: Vec<SubQuery>,
    /// Who made it.
    pub author: Author,
    /// Why the rules made it although a model was asked; `None` where nobody stood in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// What was wrong with the reply of the model that was asked.
    #[serde(skip_serializing_if = "DefectCounts::is_empty")]
    pub defects: DefectCounts,
}

impl Decomposition {
    /// The question as its own only step.
    pub fn whole(question: &str, schema: &Schema) -> Self {
        Self {
            shape: Shape::Single,
            steps: vec![SubQuery::read(question, 0, schema)],
            author: Author::Embedded,
            fallback: None,
            defects: DefectCounts::default(),
        }
    }
}

/// Takes a question apart: rules on phrases ([`Embedded`]), or a language model ([`ModelDecomposer`]).
pub trait Decompose: Sync {
    /// The steps of a question under a schema. `names` are what the corpus knows of the names in it, as they stand there.
    /// What cannot be taken apart is its own only step; a reply that is of no use is replaced by the steps that rules
    /// find, and [`Decomposition::fallback`] says so.
    ///
    /// # Errors
    /// [`LlmError`] where a model is asked and there is no reply to be had.
    fn decompose(&self, question: &str, names: &[&str], schema: &Schema) -> Result<Decomposition, LlmError>;
}

/// The numbers of the variables in a text, ascending, each once.
fn variables(text: &str) -> Vec<usize> {
    let mut found: Vec<usize> = text
        .split('#')
        .skip(1)
        .filter_map(|after| {
            let end = after.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(after.len());
            after[..end].parse().ok().filter(|step| (1..=MAX_STEPS).contains(step))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
