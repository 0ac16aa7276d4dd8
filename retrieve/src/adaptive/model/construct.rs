//! Units by a model (`SchemaRAG` Eq. 4, 5): one call a document; every fact with the words that state it.

use super::super::shelf::Shelf;
use super::super::strategy::{Intra, Strategy};
use super::super::structure::KnowledgeStructure;
use super::super::unit::{Body, Built, Edge, Field, Unit};
use super::super::{AdaptiveError, Constructor};
use super::{AskOptions, noted};
use crate::answer::Citation;
use crate::model::{Defect, Defects, field};
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, Reply, ReplyShape, Request, complete_all};
use banyan_engine::table::Value;
use banyan_engine::{Document, DocumentIndex, Span};
use banyan_extract::record::literal::numbers;
use serde::Serialize;
use serde_json::json;

/// Most facts of a document. Arbitrary, half of what the embedded constructor takes of a graph.
const MAX_FACTS: usize = 20;
/// Longest part of a fact, and longest quote, in characters. Arbitrary.
const MAX_PART: usize = 200;
const MAX_QUOTE: usize = 600;
/// Tokens of a fact in a reply. Arbitrary.
const FACT_TOKENS: u32 = 150;

/// Asks a model document by document; what it said before is taken from the shelf.
pub struct ModelConstructor<'a> {
    model: &'a dyn LanguageModel,
    prompt: Prompt,
    options: AskOptions,
    searcher: &'a Searcher,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

#[derive(Serialize)]
struct Values<'a> {
    structure: &'a str,
    strategy: String,
    columns: &'a [String],
    question: &'a str,
    max_facts: usize,
    document: String,
}

impl<'a> ModelConstructor<'a> {
    /// One that asks `model` until `is_stopped`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(
        model: &'a dyn LanguageModel,
        options: AskOptions,
        searcher: &'a Searcher,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            prompt: Prompt::parse("construct.md", include_str!("../../../prompts/construct.md"))?,
            options,
            searcher,
            is_stopped,
        })
    }

    /// The request about a document, the same for the same document, question and strategy.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt cannot be rendered.
    pub fn request(&self, question: &str, document: &Document, strategy: &Strategy) -> Result<Request, LlmError> {
        let text: String = document.text.chars().take(self.options.room()).collect();
        let values = Values {
            structure: strategy.knowledge.name(),
            strategy: strategy.intra.to_string(),
            columns: match &strategy.intra {
                Intra::Columns(columns) => columns,
                Intra::Relations | Intra::Passages => &[],
            },
            question,
            max_facts: MAX_FACTS,
            document: format!("{}\n{text}", document.title),
        };
        let text = json!({"type": "string"});
        let fact = json!({
            "type": "object",
            "properties": {"head": text, "relation": text, "value": text, "quote": text},
            "required": ["head", "relation", "value", "quote"],
            "additionalProperties": false,
        });
        let shape = ReplyShape {
            name: "unit".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {"facts": {"type": "array", "items": fact}},
                "required": ["facts"],
                "additionalProperties": false,
            }),
        };
        let most = FACT_TOKENS * u32::try_from(MAX_FACTS).unwrap_or(u32::MAX);
        self.prompt
            .request(&values, Some(shape), most.min(self.options.max_reply_tokens))
    }
}

impl Constructor for ModelConstructor<'_> {
    fn construct(
        &self,
        question: &Question,
        documents: &[DocumentIndex],
        strategy: &Strategy,
        shelf: &dyn Shelf,
    ) -> Result<Built, AdaptiveError> {
        let document = |one: &DocumentIndex| self.searcher.knowledge().document(*one);
        let requests = documents
            .iter()
            .map(|one| self.request(&question.text, document(one), strategy));
        let requests: Vec<Request> = requests.collect::<Result<_, _>>()?;
        let keys: Vec<String> = documents
            .iter()
            .map(|one| self.key(question, document(one), strategy))
            .collect();
        let kept: Vec<Option<Unit>> = keys.iter().map(|key| shelf.unit(key)).collect();
        let open: Vec<usize> = (0..kept.len()).filter(|at| kept[*at].is_none()).collect();
        let asked: Vec<Request> = open.iter().map(|at| requests[*at].clone()).collect();
        let replies = complete_all(
            self.model,
            &asked,
            self.options.max_concurrent,
            self.is_stopped,
            |_, _| (),
        );
        let mut replies = replies.into_iter();
        let (mut defects, mut units, mut n_failed) = (Defects::default(), Vec::new(), 0);
        let n_kept = kept.iter().flatten().count();
        for ((one, key), kept) in documents.iter().zip(&keys).zip(kept) {
            if let Some(unit) = kept {
                units.push(Unit { document: *one, ..unit });
                continue;
            }
            let body = match replies.next() {
                Some(Ok(reply)) => body(&reply, strategy, document(one), &mut defects),
                Some(Err(error)) if error.ends_job() => return Err(error.into()),
                _ => {
                    n_failed += 1;
                    empty(strategy.knowledge)
                }
            };
            let title = document(one).title.clone();
            let unit = Unit {
                title,
                document: *one,
                body,
            };
            shelf.keep_unit(key, &unit);
            units.push(unit);
        }
        let mut notes = noted("units", &defects);
        notes.extend((n_failed > 0).then(|| format!("units: {n_failed} documents without a reply are empty")));
        Ok(Built {
            units,
            n_kept,
            defects: notes,
        })
    }
}

impl ModelConstructor<'_> {
    /// What a unit depends on. Values and facts of a document do not depend on how the question is worded, passages do.
    fn key(&self, question: &Question, document: &Document, strategy: &Strategy) -> String {
        let asked = match strategy.intra {
            Intra::Columns(_) | Intra::Relations => "",
            Intra::Passages => question.text.as_str(),
        };
        format!("{} {} {:?} {asked}", self.model.id(), document.id, strategy.intra)
    }
}

fn empty(structure: KnowledgeStructure) -> Body {
    match structure {
        KnowledgeStructure::Table => Body::Table(Vec::new()),
        KnowledgeStructure::Graph => Body::Graph(Vec::new()),
        KnowledgeStructure::Chunk => Body::Chunk(Vec::new()),
    }
}

/// The valid facts of a reply: those whose quote stands in the document and that have what their structure needs.
fn body(reply: &Reply, strategy: &Strategy, document: &Document, defects: &mut Defects) -> Body {
    let entries = field::entries(reply, &["facts"], defects).unwrap_or_default();
    let list = field::list(entries.get("facts"));
    defects.note_many(Defect::TooMany, list.len().saturating_sub(MAX_FACTS));
    let mut body = empty(strategy.knowledge);
    for entry in list.iter().take(MAX_FACTS) {
        let added = quoted(entry, document).and_then(|citation| add(&mut body, entry, citation, &strategy.intra));
        if let Err(defect) = added {
            defects.note(defect);
        }
    }
    body
}

fn quoted(entry: &serde_json::Value, document: &Document) -> Result<Citation, Defect> {
    let quote = entry
        .get("quote")
        .and_then(|quote| quote.as_str())
        .unwrap_or_default()
        .trim();
    if quote.is_empty() {
        return Err(Defect::Empty);
    }
    if quote.chars().count() > MAX_QUOTE {
        return Err(Defect::TooLong);
    }
    let start = document.text.find(quote).ok_or(Defect::NotVerbatim)?;
    Ok(Citation::of(document, Span::new(start, start + quote.len())))
}

fn add(body: &mut Body, entry: &serde_json::Value, citation: Citation, intra: &Intra) -> Result<(), Defect> {
    let part = |name: &str| field::text(entry.get(name), MAX_PART);
    match body {
        Body::Table(fields) => {
            let head = part("head")?;
            let known = match intra {
                Intra::Columns(columns) if !columns.is_empty() => columns
                    .iter()
                    .find(|column| column.eq_ignore_ascii_case(&head))
                    .cloned(),
                _ => Some(head),
            };
            let column = known.ok_or(Defect::UnknownRelation)?;
            let text = part("value")?;
            if fields.iter().any(|field| field.column == column) {
                return Err(Defect::Repeated);
            }
            fields.push(Field {
                column,
                value: value(&text),
                text,
                citation: Some(citation),
            });
        }
        Body::Graph(edges) => edges.push(Edge {
            head: part("head")?,
            relation: part("relation")?,
            tail: part("value")?,
            citation,
        }),
        Body::Chunk(passages) if passages.contains(&citation) => return Err(Defect::Repeated),
        Body::Chunk(passages) => passages.push(citation),
    }
    Ok(())
}

/// A value that can be ordered where the text is a number, perhaps with a unit.
fn value(text: &str) -> Value {
    match &numbers(text)[..] {
        [only] => Value::Number(only.value),
        _ => Value::Text(text.to_owned()),
    }
}
