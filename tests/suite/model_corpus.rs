//! A corpus of two thousand passages built through an endpoint that says what a recording says: killed in the middle,
//! finished, and built again from the cassette alone. The replies are scripted; nothing here is a measure of any model.

use crate::desk;
use crate::recall::public;
use banyan_tests::server::{Answer, Asked, ChatServer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};

const MAX_CONCURRENT: usize = 4;
/// Replies before the build is killed.
const N_BEFORE: usize = 700;

/// What the recording says of the texts of each title.
struct Recording(BTreeMap<String, Vec<(String, Value)>>);

impl Recording {
    fn read(data: &Path) -> Self {
        let mut texts: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
        let rows = |file: &str| -> Vec<Value> {
            let text = fs::read_to_string(data.join(file)).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        for (record, said) in rows("corpus.jsonl").iter().zip(rows("openie.jsonl")) {
            let field = |name: &str| record[name].as_str().unwrap().trim().to_owned();
            texts.entry(field("title")).or_default().push((field("text"), said));
        }
        Self(texts)
    }

    /// A reply in the form that is asked for, malformed triples included.
    fn answer(&self, asked: &Asked) -> Answer {
        let said = self.said(asked);
        let field = |value: Option<&Value>| value.cloned().unwrap_or_default();
        let triples = said["triples"].as_array().unwrap().iter();
        let triples: Vec<Value> = triples
            .map(|triple| json!({"head": field(triple.get(0)), "relation": field(triple.get(1)), "tail": field(triple.get(2))}))
            .collect();
        let names = said["entities"].as_array().unwrap().iter();
        let entities: Vec<Value> = names.map(|name| json!({"name": name, "type": "thing"})).collect();
        let passage = json!({"about": 1, "attributes": [], "entities": entities, "triples": triples});
        Answer::text(&json!({"passages": [passage]}).to_string())
    }

    /// What is said of the first passage of a prompt, which begins with its title.
    fn said(&self, asked: &Asked) -> &Value {
        let mut lines = asked
            .user()
            .lines()
            .skip_while(|line| !line.starts_with("<passage 1 "))
            .skip(1);
        let title = lines.next().unwrap().trim();
        let text: String = lines
            .find(|line| !line.trim().is_empty())
            .unwrap()
            .chars()
            .take(40)
            .collect();
        let texts = &self.0[title];
        let (_, said) = texts
            .iter()
            .find(|(whole, _)| whole.contains(text.trim()))
            .unwrap_or(&texts[0]);
        said
    }
}

#[test]
fn musique100_is_killed_resumed_and_rebuilt_from_its_cassette_for_nothing() {
    let Some(data) = public("musique100") else { return };
    let corpus = data.join("corpus.jsonl");
    let recording = Recording::read(&data);
    let is_held = Arc::new(AtomicBool::new(true));
    let (sender, receiver) = mpsc::channel();
    let (held, sender) = (is_held.clone(), Mutex::new(sender));
    let server = ChatServer::new(move |number, asked| {
        if number >= N_BEFORE && held.load(Ordering::SeqCst) {
            // The test hears the first one and is gone from the channel afterwards.
            sender.lock().unwrap().send(()).unwrap_or_default();
            return Answer::Hang;
        }
        recording.answer(asked)
    });
    let url = server.base_url();
    let desk = desk().with(
        "banyan.toml",
        format!(
            "[llm]\nbase_url = \"{url}\"\nmodel = \"scripted\"\nmax_concurrent = {MAX_CONCURRENT}\nmax_retries = 0\n"
        ),
    );
    let corpus = corpus.to_string_lossy();
    let build = [
        "build",
        &*corpus,
        "--extractor",
        "llm",
        "--store",
        "store",
        "--record",
        "tape.jsonl",
    ];
    let mut child = desk.command(build).spawn().unwrap();
    receiver.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    is_held.store(false, Ordering::SeqCst);
    let n_before = server.asked().len();

    let run = desk.run(build).done();
    let n_prompts = fs::read_to_string(desk.path("tape.jsonl")).unwrap().lines().count();
    let n_asked = server.asked().len();
    assert!(n_prompts > 1_800, "{n_prompts} prompts: {run:#?}");
    assert!(
        n_asked - n_prompts <= MAX_CONCURRENT,
        "{n_asked} calls for {n_prompts} prompts, {n_before} before the kill: {run:#?}"
    );
    let dump = desk.dump("store");

    drop(server);
    fs::remove_dir_all(desk.path("store")).unwrap();
    let replay = [
        "build",
        &*corpus,
        "--extractor",
        "llm",
        "--store",
        "store",
        "--replay",
        "tape.jsonl",
    ];
    let run = desk.run(replay).done();
    assert!(run.stderr.contains("model: 0 calls paid (0 tokens), 19"), "{run:#?}");
    assert!(desk.dump("store") == dump, "the store that was rebuilt differs");
}
