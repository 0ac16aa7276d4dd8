//! Answers by a model (`SchemaRAG` Eq. 8, 9): one call a node, leaves first. What a node is shown is what the embedded
//! utiliser finds for it, numbered; what it says has to name the numbers that it is from.

use super::super::embedded::Embedded;
use super::super::strategy::Utilisation;
use super::super::utilise::{Finding, Line, Used, merged, retrieved};
use super::super::{AdaptiveError, KnowledgeSchema, Plan, Utiliser};
use super::{AskOptions, noted};
use crate::answer::Citation;
use crate::model::{Defect, Defects, field};
use crate::question::Question;
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, Reply, ReplyShape, Request};
use serde::Serialize;
use serde_json::json;

/// Most lines of an answer and of what is shown for it. Arbitrary.
const MAX_LINES: usize = 12;
const MAX_SHOWN: usize = 60;
/// Longest line of an answer in characters. Arbitrary.
const MAX_TEXT: usize = 600;
/// Tokens of a reply. Arbitrary.
const REPLY_TOKENS: u32 = 1_500;

/// Asks a model node by node. A node without a usable reply keeps what the embedded utiliser found.
pub struct ModelUtiliser<'a> {
    model: &'a dyn LanguageModel,
    prompt: Prompt,
    options: AskOptions,
    embedded: &'a Embedded<'a>,
}

#[derive(Serialize)]
struct Values<'a> {
    strategy: String,
    query: &'a str,
    question: &'a str,
    knowledge: Vec<&'a str>,
    max_lines: usize,
}

impl<'a> ModelUtiliser<'a> {
    /// One that asks `model`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(
        model: &'a dyn LanguageModel,
        options: AskOptions,
        embedded: &'a Embedded<'a>,
    ) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            prompt: Prompt::parse("utilise.md", include_str!("../../../prompts/utilise.md"))?,
            options,
            embedded,
        })
    }

    /// The request about a node, the same for the same query and knowledge.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt cannot be rendered.
    pub fn request(
        &self,
        question: &str,
        query: &str,
        taken: &Utilisation,
        knowledge: &[Line],
    ) -> Result<Request, LlmError> {
        let values = Values {
            strategy: taken.to_string(),
            query,
            question,
            knowledge: knowledge.iter().map(|line| line.text.as_str()).collect(),
            max_lines: MAX_LINES,
        };
        let line = json!({
            "type": "object",
            "properties": {"text": {"type": "string"}, "from": {"type": "array", "items": {"type": "integer"}}},
            "required": ["text", "from"],
            "additionalProperties": false,
        });
        let shape = ReplyShape {
            name: "finding".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {"lines": {"type": "array", "items": line}},
                "required": ["lines"],
                "additionalProperties": false,
            }),
        };
        let most = REPLY_TOKENS.min(self.options.max_reply_tokens);
        self.prompt.request(&values, Some(shape), most)
    }

    /// As many lines as the prompt has room for.
    fn fitting(&self, lines: Vec<Line>) -> Vec<Line> {
        let mut room = self.options.room();
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
    fn utilise(&self, question: &Question, plan: &Plan, schema: &KnowledgeSchema) -> Result<Used, AdaptiveError> {
        let nodes = plan.tree.nodes();
        let mut defects = Defects::default();
        let mut findings: Vec<Finding> = nodes.iter().map(Finding::open).collect();
        for at in (0..nodes.len()).rev() {
            let Some(taken) = plan.strategy.utilise.get(at) else {
                continue;
            };
            let searcher = self.embedded.searcher;
            let own = match taken {
                Utilisation::Merge(how) => {
                    let children: Vec<&Finding> = plan.tree.children(at).map(|child| &findings[child]).collect();
                    merged(searcher, question, schema, *how, &children)
                }
                taken => retrieved(searcher, question, schema, taken),
            };
            let knowledge = self.fitting(own);
            if knowledge.is_empty() {
                continue;
            }
            let request = self.request(&question.text, &nodes[at].query, taken, &knowledge)?;
            let said = match self.model.complete(&request) {
                Ok(reply) => read(&reply, &knowledge, &mut defects),
                Err(error) if error.ends_job() => return Err(error.into()),
                Err(_) => None,
            };
            findings[at].lines = said.unwrap_or(knowledge);
        }
        Ok(Used {
            findings,
            defects: noted("findings", &defects),
        })
    }
}

/// The valid lines of a reply, each with the words behind the lines that it is from; `None` where there is no reply.
fn read(reply: &Reply, knowledge: &[Line], defects: &mut Defects) -> Option<Vec<Line>> {
    let entries = field::entries(reply, &["lines"], defects)?;
    let mut lines = Vec::new();
    for entry in field::list(entries.get("lines")).iter().take(MAX_LINES) {
        let text = match field::text(entry.get("text"), MAX_TEXT) {
            Ok(text) => text,
            Err(defect) => {
                defects.note(defect);
                continue;
            }
        };
        let numbers = field::list(entry.get("from"))
            .iter()
            .filter_map(|number| field::number(Some(number)));
        let sources: Vec<&Line> = numbers.filter_map(|number| knowledge.get(number - 1)).collect();
        if sources.is_empty() {
            defects.note(Defect::UnknownPassage);
            continue;
        }
        let mut citations: Vec<Citation> = Vec::new();
        for citation in sources.iter().flat_map(|line| &line.citations) {
            if !citations.contains(citation) {
                citations.push(citation.clone());
            }
        }
        let (document, value) = match sources[..] {
            [only] => (only.document, only.value.clone()),
            _ => (None, None),
        };
        lines.push(Line {
            text,
            document,
            value,
            citations,
        });
    }
    Some(lines)
}
