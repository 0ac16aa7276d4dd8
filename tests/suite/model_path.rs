//! Building with a language model: what is asked, what is kept, what a fault costs. Replies are scripted; nothing here
//! is a measure of any model.

use crate::{desk, list};
use banyan_tests::Desk;
use banyan_tests::server::{Answer, Asked, ChatServer};
use serde_json::json;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};

const BUILD: &str = "build corpus --extractor llm";
const NAMES: [&str; 6] = [
    "Ada Quill",
    "Bo Ferren",
    "Cy Loom",
    "Dot Marl",
    "Eb Nyland",
    "Fay Orrin",
];

/// Six people, a file each, and a configuration that names `server`, a call for each document, with `more` settings.
fn prepared(server: &ChatServer, more: &str) -> Desk {
    let files = NAMES.iter().enumerate().map(|(at, name)| {
        let text = format!("{name} was born in Vessing. {name} painted The Shore {at}.");
        (format!("corpus/{name}.txt"), text)
    });
    let config = server.config(&format!("share_calls = false\n{more}"));
    desk().with_files(files).with("banyan.toml", config)
}

/// A reply about everything that is asked about: who was born where, with the number of the passage that says so.
fn births(asked: &Asked) -> String {
    let bodies = asked.user().split("<passage ").skip(1);
    let entry = |(number, body): (usize, &str)| {
        let born = body
            .split('.')
            .find_map(|sentence| sentence.split_once(" was born in "));
        let (head, tail) = born.expect("every document says where");
        let name = head.lines().last().unwrap_or_default();
        let entities = json!([{"name": name, "type": "person"}, {"name": tail, "type": "place"}]);
        json!({"about": number, "entities": entities, "triples": [[name, "born_in", tail]], "attributes": []})
    };
    let passages: Vec<_> = (1..).zip(bodies).map(entry).collect();
    json!({"passages": passages}).to_string()
}

#[test]
fn short_documents_share_calls_and_what_a_cut_reply_was_about_is_asked_again() {
    let dump = |is_cut: bool| {
        let server = ChatServer::new(move |_, asked| {
            let (text, n) = (births(asked), asked.user().matches("<passage ").count());
            let is_cut = is_cut && n > 2;
            let end = if is_cut { text.len() * 2 / 3 } else { text.len() };
            let reason = if is_cut { "length" } else { "stop" };
            let choice = json!({"message": {"content": &text[..end]}, "finish_reason": reason});
            Answer::json(200, &json!({"choices": [choice]}))
        });
        let desk = prepared(&server, "").with("banyan.toml", server.config(""));
        let run = desk.banyan(BUILD).done();
        assert_eq!(n_born(&desk), 6);
        if is_cut {
            run.tells(&["broke off; what they were about was asked again"]);
            desk.banyan("stats").done().prints(&["cut off"]);
        } else {
            assert_eq!(server.asked().len(), 2, "four and two documents");
        }
        desk.dump("store")
    };
    // Each fact is cited from the document that states it, whoever shared its call.
    let facts = |dump: &str| -> Vec<String> {
        let lines = dump.lines().filter(|line| line.contains("born_in"));
        lines.map(str::to_owned).collect()
    };
    let whole = dump(false);
    assert_eq!(facts(&whole), facts(&dump(true)));
    assert!(!facts(&whole).is_empty(), "{whole}");
}

#[test]
fn a_model_is_shown_what_the_schema_grew_by_and_the_same_for_any_number_of_calls_at_a_time() {
    let says = |asked: &Asked| {
        let name = asked
            .user()
            .lines()
            .find(|line| line.contains(" moors at "))
            .unwrap_or_default();
        let name = name.split_once(" moors").unwrap_or_default().0;
        let proposed = json!([{"name": "moors_at", "description": "Where a boat lies.", "domain": ["organisation"], "range": ["place"]}]);
        let entities = json!([{"name": name, "type": "organisation"}, {"name": "Tidd", "type": "place"}]);
        let passage =
            json!({"about": 1, "entities": entities, "triples": [[name, "moors_at", "Tidd"]], "attributes": []});
        let proposed = json!({"entity_types": [], "relations": proposed, "attributes": []});
        Answer::text(&json!({"passages": [passage], "proposed_types": proposed}).to_string())
    };
    let build = |max_concurrent: u8| {
        let server = ChatServer::new(move |_, asked| says(asked));
        let files = (10..28).map(|n| (format!("corpus/{n}.txt"), format!("Boat{n} moors at Tidd.")));
        let config = server.config("share_calls = false\n");
        let config = config.replace("max_concurrent = 2", &format!("max_concurrent = {max_concurrent}"));
        let desk = desk().with_files(files).with("banyan.toml", config);
        desk.banyan(&format!("{BUILD} --schema-mode expand")).done();
        let shown = server
            .asked()
            .iter()
            .filter(|asked| asked.system().contains("- moors_at ("))
            .count();
        assert_eq!((server.asked().len(), shown), (18, 2), "after a round of sixteen calls");
        fs::remove_dir_all(desk.path("store")).unwrap();
        desk.banyan(&format!("{BUILD} --schema-mode expand --replay store.cassette.jsonl"))
            .done();
        desk.dump("store")
    };
    let one = build(1);
    assert_eq!(one, build(4));
    assert!(one.contains("moors_at"), "{one}");
}

/// The one of [`NAMES`] that a request is about.
fn subject(asked: &Asked) -> &'static str {
    NAMES
        .into_iter()
        .find(|name| asked.user().contains(name))
        .expect("a request is about a document")
}

/// What a good model would say of one of them.
fn said(asked: &Asked) -> String {
    let name = subject(asked);
    let triples = json!([{"head": name, "relation": "born_in", "tail": "Vessing"}]);
    let entities = json!([{"name": name, "type": "person"}, {"name": "Vessing", "type": "place"}]);
    let passage = json!({"about": 1, "entities": entities, "triples": triples, "attributes": []});
    json!({"passages": [passage]}).to_string()
}

fn good(asked: &Asked) -> Answer {
    Answer::text(&said(asked))
}

/// How many people a store knows to be born somewhere.
fn n_born(desk: &Desk) -> u64 {
    let stats = desk.banyan("stats --json").done().json();
    stats["triples_by_relation"]["born_in"].as_u64().unwrap_or_default()
}

#[test]
fn a_build_is_recorded_and_built_again_for_nothing_byte_by_byte() {
    let server = ChatServer::new(|_, asked| good(asked));
    let desk = prepared(&server, "");
    let says = "6 calls paid (180 tokens), 0 from the cassette; 6 facts stated, 30 a fact";
    desk.banyan(BUILD).done().tells(&[says]);
    let dump = desk.dump("store");
    assert_eq!(n_born(&desk), 6, "{dump}");
    desk.banyan("stats --ledger").done().prints(&[
        "stated by llm",
        "6 chunks, 6 facts before the schema, 180 tokens, 30 a fact",
    ]);
    let stats = desk.banyan("stats --ledger --json").done().json();
    let rows = list(&stats["stated"]["by_chunk"]);
    let sum: u64 = rows.iter().filter_map(|row| row["tokens"].as_u64()).sum();
    assert_eq!((rows.len(), sum), (6, 180), "{stats:#}");

    fs::remove_dir_all(desk.path("store")).unwrap();
    let again = desk.banyan(BUILD).done();
    again.tells(&["0 calls paid (0 tokens), 6 from the cassette"]);
    assert_eq!(server.asked().len(), 6, "nothing is asked twice");
    assert_eq!(desk.dump("store"), dump);
    drop(server);
    fs::remove_dir_all(desk.path("store")).unwrap();
    let replay = format!("{BUILD} --replay store.cassette.jsonl");
    desk.banyan(&replay).done();
    assert_eq!(desk.dump("store"), dump);
    desk.put("corpus/Gil Penn.txt", "Gil Penn was born in Vessing.");
    desk.banyan(&replay)
        .refused(&["nothing was built", "no reply is recorded"]);
    assert_eq!(desk.dump("store"), dump, "the store is unchanged");
    desk.banyan("build corpus --store rules").done();
    let rules = desk.banyan("stats --store rules --json").done().json();
    assert!(rules["stated"].is_null(), "rules take no tokens: {rules:#}");
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
    let desk = prepared(&server, "");
    let mut child = desk.command(BUILD.split(' ')).spawn().unwrap();
    receiver.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    is_held.store(false, Ordering::SeqCst);
    let before = server.asked().len();
    desk.banyan(BUILD).done();
    let repeated = server.asked().len() - before;
    // Two calls run at a time; of six, at least two were answered and kept before a third one hung.
    assert!(repeated <= 4, "{repeated} calls after the kill, {before} before");
    assert_eq!(n_born(&desk), 6);
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
    let desk = prepared(&server, "");
    desk.banyan(BUILD).done().tells(&[
        "unusable reply",
        "1 chunk of 6 without a usable reply",
        "--retry-failed",
    ]);
    assert_eq!(n_born(&desk), 5);
    let before = server.asked().len();
    is_bad.store(false, Ordering::SeqCst);
    desk.banyan(BUILD).done();
    assert_eq!(server.asked().len(), before, "a recorded reply stands");
    desk.banyan(&format!("{BUILD} --retry-failed")).done();
    assert_eq!(server.asked().len(), before + 1);
    assert_eq!(n_born(&desk), 6);
}

#[test]
fn a_cap_stops_before_it_is_exceeded_and_the_rest_follows_later() {
    // Good replies at a price of 3,100 tokens each.
    let server = ChatServer::new(|_, asked| {
        let usage = json!({"prompt_tokens": 3_000, "completion_tokens": 100, "total_tokens": 3_100});
        let choice = json!({"message": {"content": said(asked)}, "finish_reason": "stop"});
        Answer::json(200, &json!({"choices": [choice], "usage": usage}))
    });
    let desk = prepared(&server, "max_reply_tokens = 100\n");
    let forecast = desk.banyan(&format!("{BUILD} --dry-run --json")).done().json();
    let n = |name: &str| forecast[name].as_u64().unwrap();
    assert_eq!((n("n_calls"), n("n_known")), (6, 0));
    assert_eq!(server.asked().len(), 0, "counting asks nothing");
    assert!(!desk.path("store").exists() && !desk.path("store.cassette.jsonl").exists());
    // Room for two calls as they are estimated; what they really take leaves too little for a third.
    let cap = (n("prompt_tokens") + n("max_completion_tokens")) / 3;
    let run = desk.banyan(&format!("{BUILD} --max-tokens {cap}")).done();
    let asked = server.asked().len();
    assert_eq!(asked, 2, "calls under a cap of {cap}: {run:#?}");
    desk.banyan(BUILD).done();
    assert_eq!(server.asked().len(), 6, "nothing is asked twice");
    assert_eq!(n_born(&desk), 6);
}

/// Holds that a key is in the header of every request, and not in what was said, kept or dumped.
#[test]
fn a_document_that_is_added_is_asked_about_one_that_goes_leaves_nothing_and_a_key_is_in_the_header_alone() {
    let server = ChatServer::new(|_, asked| good(asked));
    let desk = prepared(&server, "api_key_env = \"SCRIPTED_KEY\"\n");
    let key = "sk-test-0123456789abcdef0123456789";
    let run = |line: &str| -> String {
        let output = desk.command(line.split(' ')).env("SCRIPTED_KEY", key).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let fay = desk.read("corpus/Fay Orrin.txt");
    fs::remove_file(desk.path("corpus/Fay Orrin.txt")).unwrap();
    let mut said = run(BUILD);
    let five = desk.dump("store");
    desk.put("fay.txt", fay);
    said += &run("add fay.txt --record store.cassette.jsonl");
    assert_eq!((server.asked().len(), n_born(&desk)), (6, 6));
    said += &desk.dump("store");
    said += &run("remove fay.txt");
    assert_eq!(desk.dump("store"), five);
    assert_eq!(server.asked().len(), 6);
    for asked in server.asked() {
        assert!(asked.headers["authorization"].ends_with(key));
    }
    let cassette = desk.read("store.cassette.jsonl");
    assert_eq!(cassette.lines().count(), 6);
    assert!(!said.contains(key) && !cassette.contains(key));
}

#[test]
fn what_is_missing_for_a_model_is_told_in_one_line() {
    let desk = desk().with("corpus/a.txt", "Ada Quill was born in Vessing.");
    desk.banyan(BUILD)
        .refused(&["no language model is configured", "base_url", "banyan.toml"]);
    let closed = "[llm]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\nmax_retries = 0\n";
    for (config, says) in [
        (closed.to_owned(), &["nothing was built", "the endpoint failed"][..]),
        (
            format!("{closed}api_key_env = \"NOT_SET_ANYWHERE\"\n"),
            &["NOT_SET_ANYWHERE"],
        ),
        (
            closed.replace("http:", "ftp:"),
            &["banyan.toml", "base_url", "ftp://127.0.0.1"],
        ),
        (format!("{closed}colour = \"m\"\n"), &["banyan.toml:5", "colour"]),
        (
            format!("{closed}max_reply_tokens = 9000\n"),
            &["max_reply_tokens", "8192"],
        ),
    ] {
        desk.put("banyan.toml", config);
        desk.banyan(BUILD).refused(says);
        assert!(!desk.path("store/CURRENT").exists());
    }
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
    let desk = prepared(&server, "");
    let build = "build corpus --summaries llm";
    desk.banyan(build).done().tells(&["summaries: "]);
    let dump = desk.dump("store");
    assert!(dump.contains("\nsummariser llm:scripted\n"), "{dump}");
    assert_eq!(dump.matches("\n4 \"Painters ").count(), dump.matches("\n4 ").count());
    let n_asked = server.asked().len();
    assert!(n_asked > 0);
    desk.banyan(build).done();
    assert_eq!(server.asked().len(), n_asked, "everything is on the cassette");
    assert_eq!(desk.dump("store"), dump);
    let gus = "Gus Pell was born in Vessing. Gus Pell painted The Mole.";
    desk.put("Gus.txt", gus);
    desk.banyan("add Gus.txt --communities refresh")
        .done()
        .tells(&["communities touched "]);
    assert!(server.asked().len() > n_asked, "what was touched is asked about");
    desk.banyan("remove Gus.txt").done();
    assert_eq!(desk.dump("store"), dump);
}
