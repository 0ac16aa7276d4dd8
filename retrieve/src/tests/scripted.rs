//! A model for tests that says what it is told to say, over a few texts. No figure from it is a quality of anything.

use crate::Searcher;
use banyan_engine::llm::{Finish, LanguageModel, LlmError, Reply, Request, Usage};
use banyan_engine::{Document, Knowledge, Origin, Resolution, Schema, Settings, document::canonicalise};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::{Analysis, Extractor, Watch, extract};
use std::sync::Mutex;

struct Nobody;
impl Watch for Nobody {}

/// Titles and texts as documents.
pub(crate) fn documents(texts: &[(&str, &str)]) -> Vec<Document> {
    let document = |(title, text): &(&str, &str)| {
        let origin = Origin {
            file: format!("{title}.txt"),
            record: None,
            line: None,
        };
        Document::new(*title, *text, origin)
    };
    texts.iter().map(document).collect()
}

/// Titles and texts, read under the built-in schema.
pub(crate) fn searcher(texts: &[(&str, &str)]) -> Searcher {
    let mut documents = documents(texts);
    canonicalise(&mut documents);
    let schema = Schema::general().unwrap();
    let claims = extract(
        &Analysis::surfaces(&documents),
        Extractor::Embedded,
        &schema,
        &EstimateTokens,
        256,
        &Nobody,
    )
    .unwrap();
    let (settings, joined) = (Settings::default(), Resolution::default());
    Searcher::new(Knowledge::assemble(settings, schema, documents, claims, joined))
}

/// Answers each request by the first rule whose words stand in the request's system text.
pub(crate) struct Scripted {
    rules: Vec<(&'static str, Vec<&'static str>)>,
    asked: Mutex<Vec<Request>>,
}

impl Scripted {
    /// Rules: words of a prompt, and the replies to requests with them, the last one repeated.
    pub(crate) fn new(rules: impl IntoIterator<Item = (&'static str, Vec<&'static str>)>) -> Self {
        Self {
            rules: rules.into_iter().collect(),
            asked: Mutex::default(),
        }
    }

    /// Replies to all requests in their order, the last one repeated.
    pub(crate) fn says(replies: &[&'static str]) -> Self {
        Self::new([("", replies.to_vec())])
    }

    /// What it was asked, in order.
    pub(crate) fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

impl LanguageModel for Scripted {
    fn id(&self) -> &'static str {
        "scripted"
    }

    fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let mut asked = self.asked.lock().unwrap();
        let rule = self.rules.iter().find(|(words, _)| request.system.contains(words));
        let (words, replies) = rule.ok_or(LlmError::Stopped)?;
        let before = asked.iter().filter(|earlier| earlier.system.contains(words)).count();
        asked.push(request.clone());
        let reply = replies.get(before).or(replies.last()).ok_or(LlmError::Stopped)?;
        Ok(Reply {
            text: (*reply).to_owned(),
            usage: Usage::default(),
            finish: Finish::Stop,
        })
    }
}

/// A request as one text: both parts, the form of the reply, the longest reply.
pub(crate) fn dump(request: &Request) -> String {
    let shape = request.shape.as_ref().unwrap();
    format!(
        "== system\n{}\n== user\n{}\n== reply: {}, at most {} tokens\n{}\n",
        request.system,
        request.user,
        shape.name,
        request.max_reply_tokens,
        shape.text()
    )
}

/// Compares with a golden file below `src`, or writes it where the variable `BANYAN_BLESS` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "a golden file is written when a person asks for it"
)]
pub(crate) fn golden(name: &str, found: &str) {
    let path = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).join(name);
    if std::env::var_os("BANYAN_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, found).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(found, golden, "{name} has changed; BANYAN_BLESS=1 writes it anew");
}
