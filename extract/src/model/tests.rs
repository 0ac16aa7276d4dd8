//! The model path with a scripted model: nothing here says anything about what a model can do.

use super::*;
use crate::Watch;
use banyan_engine::llm::{Finish, Reply, Usage};
use banyan_engine::{Document, Origin};
use std::sync::Mutex;

mod arbitrary;
mod failure;
mod plan;
mod prompts;
mod reading;

/// What a script sees of a request: the bodies of its passages.
struct Asked {
    bodies: Vec<String>,
}

/// A model that follows a script and keeps what it was asked.
struct Scripted<F> {
    script: F,
    asked: Mutex<Vec<Request>>,
}

impl<F: Fn(&Asked) -> Result<Reply, LlmError> + Sync> Scripted<F> {
    fn new(script: F) -> Self {
        Self {
            script,
            asked: Mutex::default(),
        }
    }

    /// How many passages each call had, in the order in which they were made.
    fn sizes(&self) -> Vec<usize> {
        self.asked
            .lock()
            .unwrap()
            .iter()
            .map(|request| bodies(request).len())
            .collect()
    }
}

impl<F: Fn(&Asked) -> Result<Reply, LlmError> + Sync> LanguageModel for Scripted<F> {
    fn id(&self) -> &'static str {
        "scripted"
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        self.asked.lock().unwrap().push(request.clone());
        (self.script)(&Asked {
            bodies: bodies(request),
        })
    }
}

/// The passages of a request, as they stand in their fences.
fn bodies(request: &Request) -> Vec<String> {
    let mut bodies = Vec::new();
    let mut rest = request.user.as_str();
    while let Some(start) = rest.find("<passage ") {
        let (mark, behind) = rest[start + 1..].split_once(">\n").unwrap();
        let (body, after) = behind.split_once(&format!("\n</{mark}>")).unwrap();
        bodies.push(body.to_owned());
        rest = after;
    }
    bodies
}

struct Nobody;
impl Watch for Nobody {}

/// A reply of this text; one token a byte, and a thousand for the prompt.
fn reply(text: impl Into<String>, finish: Finish) -> Reply {
    let text = text.into();
    let usage = Usage {
        prompt_tokens: 1_000,
        completion_tokens: text.len() as u64,
        ..Usage::default()
    };
    Reply { text, usage, finish }
}

/// The entry of one passage: `A knows B.` becomes a triple, whatever else it says is left out.
fn entry(number: usize, body: &str) -> String {
    let (_, text) = body.split_once("\n\n").unwrap();
    let facts = text
        .split('.')
        .filter_map(|sentence| sentence.trim().split_once(" knows "));
    let triples: Vec<String> = facts
        .map(|(head, tail)| format!(r#"{{"head": "{head}", "relation": "knows", "tail": "{tail}"}}"#))
        .collect();
    format!(
        r#"{{"about": {number}, "attributes": [], "entities": [], "triples": [{}]}}"#,
        triples.join(", ")
    )
}

/// An honest reply about every passage.
fn honest(asked: &Asked) -> String {
    let entries: Vec<String> = (1..)
        .zip(&asked.bodies)
        .map(|(number, body)| entry(number, body))
        .collect();
    format!(r#"{{"passages": [{}]}}"#, entries.join(", "))
}

fn schema() -> Schema {
    Schema::from_json(
        r#"{"name": "people",
            "entity_types": [{"name": "person", "description": "A human being."}],
            "relations": [{"name": "knows", "domain": ["person"], "range": ["person"]},
                          {"name": "mentions", "domain": ["thing"], "range": []}],
            "attributes": [{"name": "height", "domain": ["person"], "kind": "quantity", "unit": "m"}]}"#,
    )
    .unwrap()
}

/// One document for each text, titled by its place.
fn documents(texts: &[&str]) -> Vec<Document> {
    texts
        .iter()
        .enumerate()
        .map(|(n, text)| Document::new(format!("Note {n}"), *text, Origin::default()))
        .collect()
}

fn passages<'a>(documents: &'a [Document]) -> Vec<Passage<'a>> {
    let whole = |document: &'a Document| Passage {
        document,
        span: Span::new(0, document.text.len()),
    };
    documents.iter().map(whole).collect()
}

/// Plans and runs over one document for each text.
fn run(model: &dyn LanguageModel, options: Options, texts: &[&str]) -> Run {
    let documents = documents(texts);
    let passages = passages(&documents);
    let extractor = ModelExtractor::new(model, &schema(), options).unwrap();
    let calls = extractor.plan(&passages, usize::MAX).unwrap();
    extractor.run(&passages, &calls, &Nobody)
}

/// What became of each passage in a word, with the tails of its triples.
fn told(run: &Run) -> Vec<String> {
    let tell = |chunk: &Extracted| {
        let tails: Vec<&str> = chunk.stated.triples.iter().map(|triple| triple.tail.as_str()).collect();
        let outcome = match &chunk.outcome {
            Outcome::Done => "done".to_owned(),
            Outcome::Pending => "pending".to_owned(),
            Outcome::Quarantined(quarantine) => quarantine.reason.to_string(),
        };
        format!("{outcome}: {}", tails.join(" "))
    };
    run.chunks.iter().map(tell).collect()
}

/// A passage a call, one at a time.
fn one_by_one() -> Options {
    Options {
        max_passages: NonZeroUsize::MIN,
        ..in_order()
    }
}

/// One call at a time, so that a script that counts sees an order.
fn in_order() -> Options {
    Options {
        max_concurrent: NonZeroUsize::MIN,
        ..Options::default()
    }
}

const FOUR: [&str; 4] = ["Ann knows Ben.", "Ben knows Cay.", "Cay knows Dee.", "Dee knows Eve."];
