//! Building with a language model: what is asked, what is kept, what a fault costs. Replies are scripted; nothing here is a
//! measure of any model.

use crate::desk;
use banyan_tests::Desk;
use banyan_tests::server::{Answer, Asked, ChatServer};
use serde_json::json;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};

const BUILD: [&str; 6] = ["build", "corpus", "--extractor", "llm", "--store", "store"];
const NAMES: [&str; 6] = [
    "Ada Quill",
    "Bo Ferren",
    "Cy Loom",
    "Dot Marl",
    "Eb Nyland",
    "Fay Orrin",
];

/// Six people, a file each, and a configuration that names `server`.
fn prepared(server: &ChatServer) -> Desk {
    let mut desk = desk();
    for (at, name) in NAMES.iter().enumerate() {
        let text = format!("{name} was born in Vessing. {name} painted The Shore {at}.");
        desk = desk.with(&format!("corpus/{name}.txt"), text);
    }
    configured(desk, server, "")
}

fn configured(desk: Desk, server: &ChatServer, more: &str) -> Desk {
    let config = format!(
        "[llm]\nbase_url = \"{}\"\nmodel = \"scripted\"\nmax_concurrent = 2\nmax_retries = 0\n{more}",
        server.base_url()
    );
    desk.with("banyan.toml", config)
}

/// The one of [`NAMES`] that a request is about.
fn subject(asked: &Asked) -> &'static str {
    NAMES
        .into_iter()
        .find(|name| asked.user().contains(name))
        .expect("a request is about a document")
}

/// What a good model would say of one of them.
fn good(asked: &Asked) -> Answer {
    let name = subject(asked);
    let triples = json!([{"head": name, "relation": "born_in", "tail": "Vessing"}]);
    let entities = json!([{"name": name, "type": "person"}, {"name": "Vessing", "type": "place"}]);
    let passage = json!({"about": 1, "entities": entities, "triples": triples, "attributes": []});
    Answer::text(&json!({"passages": [passage]}).to_string())
}

#[test]
fn stats_tell_what_every_chunk_and_fact_took() {
    let server = ChatServer::new(|_, asked| good(asked));
    let desk = prepared(&server);
    desk.run(BUILD).done();
    let text = desk.run(["stats", "--store", "store", "--ledger"]).done().stdout;
    for part in [
        "stated by llm",
        "6 chunks, 6 facts before the schema, 180 tokens, 30 a fact",
    ] {
        assert!(text.contains(part), "expected {part:?}: {text}");
    }
    let stats = desk
        .run(["stats", "--store", "store", "--ledger", "--json"])
        .done()
        .json();
    let rows = stats["stated"]["by_chunk"].as_array().unwrap();
    let sum: u64 = rows.iter().map(|row| row["tokens"].as_u64().unwrap()).sum();
    assert_eq!((rows.len(), sum), (6, 180), "{stats:#}");
    desk.run(["build", "corpus", "--store", "plain"]).done();
    let plain = desk.run(["stats", "--store", "plain", "--json"]).done().json();
    assert!(plain.get("stated").is_none(), "rules take no tokens: {plain:#}");
}

/// The same, at a price of 3,100 tokens.
fn dear(asked: &Asked) -> Answer {
    let Answer::Response { body, .. } = good(asked) else {
        unreachable!("a good answer is a response")
    };
    let mut reply: serde_json::Value = serde_json::from_slice(&body).unwrap();
    reply["usage"] = json!({"prompt_tokens": 3_000, "completion_tokens": 100, "total_tokens": 3_100});
    Answer::json(200, &reply)
}

/// How many people a store knows to be born somewhere.
fn n_born(desk: &Desk, store: &str) -> u64 {
    let stats = desk.run(["stats", "--store", store, "--json"]).done().json();
    stats["triples_by_relation"]["born_in"].as_u64().unwrap_or_default()
}

#[test]
fn a_build_is_recorded_and_built_again_for_nothing_byte_by_byte() {
    let server = ChatServer::new(|_, asked| good(asked));
    let desk = prepared(&server);
    let run = desk.run(BUILD).done();
    assert!(
        run.stderr
            .contains("6 calls paid (180 tokens), 0 from the cassette; 6 facts stated, 30 a fact"),
        "{run:#?}"
    );
    let dump = desk.dump("store");
    assert_eq!(n_born(&desk, "store"), 6, "{dump}");
    fs::remove_dir_all(desk.path("store")).unwrap();
    let run = desk.run(BUILD).done();
    assert!(
        run.stderr.contains("0 calls paid (0 tokens), 6 from the cassette"),
        "{run:#?}"
    );
    assert_eq!(server.asked().len(), 6, "nothing is asked twice");
    assert_eq!(desk.dump("store"), dump);
    drop(server);
    fs::remove_dir_all(desk.path("store")).unwrap();
    desk.run(BUILD.iter().chain(&["--replay", "store.cassette.jsonl"]))
        .done();
    assert_eq!(desk.dump("store"), dump);
}

#[test]
fn replaying_what_was_never_recorded_is_an_error() {
    let server = ChatServer::new(|_, asked| good(asked));
    let desk = prepared(&server);
    desk.run(BUILD).done();
    desk.put("corpus/Gil Penn.txt", "Gil Penn was born in Vessing.");
    let dump = desk.dump("store");
    let args = BUILD.iter().chain(&["--replay", "store.cassette.jsonl"]);
    desk.run(args).refused(&["nothing was built", "no reply is recorded"]);
    assert_eq!(server.asked().len(), 6);
    assert_eq!(desk.dump("store"), dump, "the store is unchanged");
}

#[test]
fn a_build_that_is_killed_repeats_at_most_the_calls_in_flight() {
    let is_held = Arc::new(AtomicBool::new(true));
    let (sender, receiver) = mpsc::channel();
    let (held, sender) = (is_held.clone(), Mutex::new(sender));
    let server = ChatServer::new(move |number, asked| {
        if number >= 3 && held.load(Ordering::SeqCst) {
            sender.lock().unwrap().send(()).unwrap();
            return Answer::Hang;
        }
        good(asked)
    });
    let desk = prepared(&server);
    let mut child = desk.command(BUILD).spawn().unwrap();
    receiver.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    is_held.store(false, Ordering::SeqCst);
    let before = server.asked().len();
    desk.run(BUILD).done();
    let repeated = server.asked().len() - before;
    // Two calls run at a time; of six, at least two were answered and kept before a third one hung.
    assert!(repeated <= 4, "{repeated} calls after the kill, {before} before");
    assert_eq!(n_born(&desk, "store"), 6);
}

#[test]
fn what_a_model_gives_no_usable_reply_to_is_told_and_asked_again_on_request() {
    let is_bad = Arc::new(AtomicBool::new(true));
    let bad = is_bad.clone();
    let server = ChatServer::new(move |_, asked| {
        if bad.load(Ordering::SeqCst) && subject(asked) == "Cy Loom" {
            return Answer::text("I would rather not say.");
        }
        good(asked)
    });
    let desk = prepared(&server);
    let run = desk.run(BUILD).done();
    for part in [
        "unusable reply",
        "1 chunk of 6 without a usable reply",
        "--retry-failed",
    ] {
        assert!(run.stderr.contains(part), "expected {part}: {run:#?}");
    }
    assert_eq!(n_born(&desk, "store"), 5);
    let before = server.asked().len();
    is_bad.store(false, Ordering::SeqCst);
    desk.run(BUILD).done();
    assert_eq!(
        server.asked().len(),
        before,
        "a recorded reply stands until it is asked again"
    );
    desk.run(BUILD.iter().chain(&["--retry-failed"])).done();
    assert_eq!(server.asked().len(), before + 1);
    assert_eq!(n_born(&desk, "store"), 6);
}

#[test]
fn a_cap_stops_before_it_is_exceeded_and_the_rest_follows_later() {
    let server = ChatServer::new(|_, asked| dear(asked));
    let desk = configured(prepared(&server), &server, "max_reply_tokens = 100\n");
    let forecast = desk.run(BUILD.iter().chain(&["--dry-run", "--json"])).done().json();
    assert_eq!(
        (forecast["n_calls"].as_u64(), forecast["n_known"].as_u64()),
        (Some(6), Some(0))
    );
    assert_eq!(server.asked().len(), 0, "counting asks nothing");
    assert!(!desk.path("store").exists() && !desk.path("store.cassette.jsonl").exists());
    let whole = forecast["prompt_tokens"].as_u64().unwrap() + forecast["max_completion_tokens"].as_u64().unwrap();
    // Room for two calls as they are estimated; what they really take leaves too little for a third.
    let cap = (whole / 3).to_string();
    let run = desk.run(BUILD.iter().chain(&["--max-tokens", cap.as_str()])).done();
    let asked = server.asked().len();
    assert_eq!(asked, 2, "calls under a cap of {cap}: {run:#?}");
    desk.run(BUILD).done();
    assert_eq!(server.asked().len(), 6, "nothing is asked twice");
    assert_eq!(n_born(&desk, "store"), 6);
}

#[test]
fn a_document_that_is_added_is_asked_about_and_one_that_goes_leaves_nothing() {
    let server = ChatServer::new(|_, asked| good(asked));
    let desk = prepared(&server);
    let kept: Vec<String> = NAMES[..5].iter().map(|name| format!("corpus/{name}.txt")).collect();
    let args = ["--extractor", "llm", "--store", "five"].map(str::to_owned);
    desk.run(["build".to_owned()].iter().chain(&kept).chain(&args)).done();
    let five = desk.dump("five");
    desk.run([
        "add",
        "corpus/Fay Orrin.txt",
        "--store",
        "five",
        "--record",
        "five.cassette.jsonl",
    ])
    .done();
    assert_eq!(server.asked().len(), 6);
    assert_eq!(n_born(&desk, "five"), 6);
    desk.run(["remove", "Fay Orrin", "--store", "five"]).done();
    assert_eq!(desk.dump("five"), five);
    assert_eq!(server.asked().len(), 6);
}

#[test]
fn what_is_missing_for_a_model_is_told_in_one_line() {
    let check = |config: &str, says: &[&str]| {
        let desk = desk().with("corpus/a.txt", "Ada Quill was born in Vessing.");
        if !config.is_empty() {
            desk.put("banyan.toml", config);
        }
        desk.run(BUILD).refused(says);
        assert!(!desk.path("store/CURRENT").exists());
    };
    let closed = "[llm]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\nmax_retries = 0\n";
    check("", &["no language model is configured", "base_url", "banyan.toml"]);
    check(closed, &["nothing was built", "the endpoint failed"]);
    check(
        &format!("{closed}api_key_env = \"NOT_SET_ANYWHERE\"\n"),
        &["NOT_SET_ANYWHERE"],
    );
    check(
        "[llm]\nbase_url = \"ftp://127.0.0.1\"\nmodel = \"m\"\n",
        &["banyan.toml", "base_url", "ftp://127.0.0.1"],
    );
    check(&format!("{closed}colour = \"m\"\n"), &["banyan.toml:5", "colour"]);
    check(
        &format!("{closed}max_reply_tokens = 9000\n"),
        &["max_reply_tokens", "8192"],
    );
}

#[test]
fn a_key_reaches_the_endpoint_and_nothing_else() {
    let server = ChatServer::new(|_, asked| good(asked));
    let desk = configured(prepared(&server), &server, "api_key_env = \"SCRIPTED_KEY\"\n");
    let key = "sk-test-0123456789abcdef0123456789";
    let output = desk.command(BUILD).env("SCRIPTED_KEY", key).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(
        server
            .asked()
            .iter()
            .all(|asked| asked.headers["authorization"].ends_with(key))
    );
    let cassette = fs::read_to_string(desk.path("store.cassette.jsonl")).unwrap();
    assert!(!said.contains(key) && !cassette.contains(key) && !desk.dump("store").contains(key));
    assert_eq!(cassette.lines().count(), 6);
}

/// What a good model would say of groups of people.
fn summaries(asked: &Asked) -> Answer {
    let n = asked.user().matches("\n</group ").count();
    let entry = |at: usize| json!({"about": at, "name": format!("Painters {at}"), "summary": "People of Vessing."});
    Answer::text(&json!({"communities": (1..=n).map(entry).collect::<Vec<_>>()}).to_string())
}

#[test]
fn a_model_writes_about_communities_and_again_about_those_that_change() {
    let server = ChatServer::new(|_, asked| summaries(asked));
    let desk = prepared(&server);
    let build = ["build", "corpus", "--summaries", "llm", "--store", "store"];
    let run = desk.run(build).done();
    assert!(run.stderr.contains("summaries: "), "{}", run.stderr);
    let dump = desk.dump("store");
    assert!(dump.contains("\nsummariser llm:scripted\n"), "{dump}");
    assert_eq!(dump.matches("\n4 \"Painters ").count(), dump.matches("\n4 ").count());
    let n_asked = server.asked().len();
    assert!(n_asked > 0);
    desk.run(build).done();
    assert_eq!(server.asked().len(), n_asked, "everything is on the cassette");
    assert_eq!(desk.dump("store"), dump);
    desk.put(
        "Gus Pell.txt",
        "Gus Pell was born in Vessing. Gus Pell painted The Mole.",
    );
    let add = ["add", "Gus Pell.txt", "--store", "store", "--communities", "refresh"];
    let run = desk.run(add).done();
    assert!(run.stderr.contains("communities touched "), "{}", run.stderr);
    assert!(server.asked().len() > n_asked, "what was touched is asked about");
    desk.run(["remove", "Gus Pell.txt", "--store", "store"]).done();
    assert_eq!(desk.dump("store"), dump);
}

#[test]
fn communities_without_a_usable_summary_keep_the_text_of_the_program_and_that_is_told() {
    let server = ChatServer::new(|_, _| Answer::text("I would rather not."));
    let desk = prepared(&server);
    let run = desk
        .run(["build", "corpus", "--summaries", "llm", "--store", "store"])
        .done();
    let told = "without a usable summary keep the text of the program (1 × not JSON, 1 × repaired syntax)";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    desk.run(["build", "corpus", "--store", "plain"]).done();
    let plain = desk.dump("plain");
    assert_eq!(desk.dump("store").replace("\nsummariser llm:scripted\n", "\n"), plain);
    desk.run([
        "build",
        "corpus",
        "--summaries",
        "llm",
        "--store",
        "none",
        "--replay",
        "absent.jsonl",
    ])
    .refused(&["absent.jsonl"]);
}
