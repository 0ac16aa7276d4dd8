//! The port to language models over HTTP: what is asked, how often, and how long it waits in between. Replies are
//! scripted.

mod faults;
mod local;
mod terms;
mod waits;

use banyan_engine::llm::http::Clock;
use banyan_engine::llm::{
    ApiKey, Finish, Http, HttpConfig, LanguageModel, LlmError, Reply, ReplyShape, Request, Usage,
};
use banyan_tests::server::{Answer, ChatServer};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// A key that a provider could have issued, and must be seen by nobody.
const SECRET: &str = "sk-0123456789abcdefghij";
/// Sun, 06 Nov 1994 08:49:37 GMT.
const NOW: Duration = Duration::from_secs(784_111_777);

/// A clock that stands still but for the pauses asked for, and remembers them.
#[derive(Clone, Debug, Default)]
struct StillClock {
    pauses: Arc<Mutex<Vec<Duration>>>,
}

impl StillClock {
    /// The pauses so far, in seconds.
    fn pauses(&self) -> Vec<f64> {
        self.pauses.lock().unwrap().iter().map(Duration::as_secs_f64).collect()
    }
}

impl Clock for StillClock {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + NOW
    }

    fn elapsed(&self) -> Duration {
        self.pauses.lock().unwrap().iter().sum()
    }

    fn pause(&self, wait: Duration) -> Result<(), LlmError> {
        self.pauses.lock().unwrap().push(wait);
        Ok(())
    }
}

fn key() -> ApiKey {
    ApiKey::new("BANYAN_LLM_KEY", SECRET).unwrap()
}

fn request(user: &str) -> Request {
    Request {
        system: "You list trees.".into(),
        user: user.into(),
        shape: None,
        max_reply_tokens: 100,
    }
}

fn shaped(user: &str) -> Request {
    let shape = ReplyShape {
        name: "trees".into(),
        schema: json!({ "type": "array" }),
    };
    Request {
        shape: Some(shape),
        ..request(user)
    }
}

/// A model at `server` with the key, and its clock; `change` sets what the test is about.
fn model(server: &ChatServer, change: impl FnOnce(&mut HttpConfig)) -> (Http, StillClock) {
    let mut config = HttpConfig::new(server.base_url(), "oak-1");
    config.api_key = Some(key());
    change(&mut config);
    let clock = StillClock::default();
    (Http::new(config, clock.clone()).unwrap(), clock)
}

#[test]
fn a_request_says_everything_that_changes_a_reply() {
    let server = ChatServer::scripted([Answer::text("[]")]);
    let (model, clock) = model(&server, |_| {});
    assert_eq!(model.id(), "oak-1 temperature=0 seed=42");
    let reply = model.complete(&shaped("Teak.")).unwrap();
    let usage = Usage {
        prompt_tokens: 10,
        completion_tokens: 20,
        ..Usage::default()
    };
    let expected = Reply {
        text: "[]".into(),
        usage,
        finish: Finish::Stop,
    };
    assert_eq!(reply, expected);
    let asked = &server.asked()[0];
    assert_eq!(asked.target, "POST /v1/chat/completions");
    assert_eq!(asked.headers["authorization"], format!("Bearer {SECRET}"));
    assert_eq!(asked.headers["content-type"], "application/json");
    let body = json!({
        "model": "oak-1",
        "messages": [{ "role": "system", "content": "You list trees." }, { "role": "user", "content": "Teak." }],
        "max_tokens": 100,
        "temperature": 0,
        "seed": 42,
        "response_format": {
            "type": "json_schema",
            "json_schema": { "name": "trees", "schema": { "type": "array" }, "strict": true },
        },
    });
    assert_eq!(asked.body, body);
    assert!(clock.pauses().is_empty() && model.refused().is_empty());
}

#[test]
fn without_a_key_or_a_shape_none_is_sent() {
    let server = ChatServer::scripted([Answer::text("[]")]);
    let (model, _) = model(&server, |config| config.api_key = None);
    model.complete(&request("Teak.")).unwrap();
    let asked = &server.asked()[0];
    assert!(!asked.headers.contains_key("authorization"));
    assert_eq!(asked.body.get("response_format"), None);
}
