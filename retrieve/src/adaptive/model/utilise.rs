//! Answers by a model (`SchemaRAG` Eq. 8, 9): one call a node, leaves first. What a node is shown is what the embedded
//! utiliser finds for it, numbered; what the model says has to name the numbers that it is from.

use super::super::plan::Plan;
use super::super::utilise::{Line, Used, merged, retrieved};
use super::super::{KnowledgeSchema, Utiliser};
use super::{noted, room};
use crate::answer::Citation;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::llm::{CallLimits, LanguageModel, LlmError, Role};
use banyan_engine::stated::{DefectCounts, DefectKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most lines of an answer; the reply's form says it, too. Arbitrary.
const MAX_LINES: usize = 12;
/// Most lines that are shown. Arbitrary.
const MAX_SHOWN: usize = 60;
/// Tokens of a reply. Arbitrary.
const REPLY_TOKENS: u32 = 1_500;

/// Asks a model node by node. A node without a usable reply keeps what the embedded utiliser found.
pub struct ModelUtiliser<'a> {
    model: &'a dyn LanguageModel,
    role: Role<FindingReply>,
    limits: CallLimits,
    searcher: &'a Searcher,
}

#[derive(Serialize)]
struct Values<'a> {
    strategy: String,
    query: &'a str,
    question: &'a str,
    knowledge: Vec<&'a str>,
    max_lines: usize,
}

/// What a model answers.
#[derive(Deserialize, JsonSchema)]
struct FindingReply {
    #[schemars(length(max = 12))]
    lines: Vec<LineReply>,
}

#[derive(Deserialize, JsonSchema)]
struct LineReply {
    #[schemars(length(max = 60), inner(range(min = 1)))]
    from: Vec<usize>,
    #[schemars(length(min = 1, max = 600))]
    text: String,
}

impl<'a> ModelUtiliser<'a> {
    /// One that asks `model`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel, limits: CallLimits, searcher: &'a Searcher) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            role: Role::new("finding", include_str!("../../../prompts/utilise.md"))?,
            limits,
            searcher,
        })
    }

    fn fitting(&self, lines: Vec<Line>) -> Vec<Line> {
        let mut room = room(&self.limits);
        let fits = |line: &Line| {
            let length = line.text.chars().count();
            let is_in = length <= room;
            room = room.saturating_sub(length);
            is_in
        };
        lines.into_iter().take(MAX_SHOWN).take_while(fits).collect()
    }
}

impl Utiliser for ModelUtiliser<'_> {
    fn utilise(&self, question: &Question, plan: &Plan, schema: &KnowledgeSchema) -> Result<Used, LlmError> {
        let mut defects = DefectCounts::default();
        let mut used = Used::open(&plan.tree);
        for (at, node) in plan.tree.nodes().iter().enumerate().rev() {
            let children: Vec<usize> = plan.tree.children(at).collect();
            let own = if children.is_empty() {
                retrieved(self.searcher, &Question::new(&node.query, None), schema)
            } else {
                merged(schema, children.iter().map(|child| &used.findings[*child]))
            };
            let knowledge = self.fitting(own);
            if knowledge.is_empty() {
                continue;
            }
            let values = Values {
                strategy: plan.joining(),
                query: &node.query,
                question: &question.text,
                knowledge: knowledge.iter().map(|line| line.text.as_str()).collect(),
                max_lines: MAX_LINES,
            };
            let most = REPLY_TOKENS.min(self.limits.max_reply_tokens);
            let reply = match self.role.ask(self.model, &values, most) {
                Ok(asked) => asked.counted(&mut defects),
                Err(error) if error.ends_job() => return Err(error),
                Err(_) => None,
            };
            used.findings[at].lines = match reply {
                Some(reply) => supported(reply, &knowledge, &mut defects),
                None => knowledge,
            };
        }
        used.defects = noted("findings", &defects);
        Ok(used)
    }
}

/// The lines of a reply that are from lines shown, each with the evidence of those.
fn supported(reply: FindingReply, knowledge: &[Line], defects: &mut DefectCounts) -> Vec<Line> {
    let mut lines = Vec::new();
    for LineReply { text, from } in reply.lines {
        let sources = from.iter().filter_map(|number| knowledge.get(number.checked_sub(1)?));
        let mut citations: Vec<Citation> = Vec::new();
        for citation in sources.flat_map(|line| &line.citations) {
            if !citations.contains(citation) {
                citations.push(citation.clone());
            }
        }
        if citations.is_empty() {
            defects.note(DefectKind::UnknownReference, 1);
        } else {
            lines.push(Line { text, citations });
        }
    }
    lines
}
