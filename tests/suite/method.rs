//! `query --method`: which system answers, that it says so, and what becomes of a question that it does not cover.

use crate::desk;
use banyan_tests::Desk;
use banyan_tests::server::{Answer, Asked, ChatServer};
use banyan_tests::workspace::root;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A desk with a store of the lighthouses.
fn lights() -> Desk {
    let desk = desk();
    let corpus = root().join("data/lights/corpus.jsonl");
    desk.run(["build", &corpus.to_string_lossy(), "--store", "store"])
        .done();
    desk
}

fn ask(desk: &Desk, question: &str, method: &str) -> Value {
    desk.run(["query", question, "--store", "store", "--method", method, "--json"])
        .done()
        .json()
}

/// What a store keeps beside its database.
fn derived(desk: &Desk) -> Vec<PathBuf> {
    let generations = fs::read_dir(desk.path("store")).unwrap();
    let places = generations.map(|entry| entry.unwrap().path().join("derived"));
    let kept = places.filter_map(|place| fs::read_dir(place).ok()).flatten();
    let mut kept: Vec<PathBuf> = kept.map(|entry| entry.unwrap().path()).collect();
    kept.sort();
    kept
}

#[test]
fn what_the_columns_cover_is_answered_by_sql_with_rows_and_quotes() {
    let desk = lights();
    let reply = ask(&desk, "How many lighthouses are built of granite?", "auto");
    assert_eq!(reply["routing"]["method"], "records", "{}", reply["routing"]);
    assert_eq!(reply["answer"]["text"], "6");
    let work = &reply["work"]["records"];
    assert!(work["sql"].as_str().unwrap().starts_with("SELECT "), "{work}");
    assert_eq!(work["records"].as_array().unwrap().len(), 6, "{work}");
    assert_eq!(reply["answer"]["citations"].as_array().unwrap().len(), 6);
    desk.put("answer.json", reply.to_string());
    desk.run(["verify", "--answer", "answer.json", "--store", "store"])
        .done();

    let text = desk.run([
        "query",
        "How many lighthouses are built of granite?",
        "--store",
        "store",
    ]);
    let text = text.done().stdout;
    for expected in ["answer: 6", "SQL ", "row ", "column ", "\nmethod: records ("] {
        assert!(text.contains(expected), "no {expected:?} in {text}");
    }
}

#[test]
fn questions_over_records_are_answered_by_sql_or_from_the_documents_that_sql_chose() {
    let desk = lights();
    let file = root().join("data/lights/questions.jsonl");
    let gold: Vec<Value> = fs::read_to_string(&file)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let batch = ["query", "--batch", &file.to_string_lossy(), "--store", "store"];
    let run = desk.run(batch.iter().chain(&["--method", "records"])).done();
    let replies: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut n_right = 0;
    for (gold, reply) in gold.iter().zip(&replies) {
        let work = &reply["work"]["records"];
        let is_hybrid = work.get("hybrid").is_some();
        assert_eq!(is_hybrid, gold["method"] == "hybrid", "{} {work}", gold["question"]);
        let parts = |text: &Value| -> Vec<String> {
            let mut parts: Vec<String> = text
                .as_str()
                .unwrap_or("")
                .split([',', ';'])
                .map(|part| part.trim().to_owned())
                .collect();
            parts.sort();
            parts
        };
        n_right += usize::from(parts(&gold["answer"]) == parts(&reply["answer"]["text"]));
    }
    // One is wrong: the origin of a bell.
    assert!(n_right >= 13, "{n_right} of {} right", gold.len());
}

#[test]
fn what_retrieval_answers_from_chosen_documents_is_shown_with_its_evidence() {
    let desk = lights();
    let question = "Which brick lighthouse on Corrow has a garden with plums?";
    let run = desk
        .run(["query", question, "--store", "store", "--method", "records"])
        .done();
    let lines: Vec<&str> = run.stdout.lines().collect();
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start));
    assert!(
        at("hybrid   SQL chose ") < at("evidence") && at("evidence").is_some(),
        "{}",
        run.stdout
    );
    assert!(
        at("  1. ").is_some_and(|at| lines[at].contains("Ferrel Ness Light")),
        "{}",
        run.stdout
    );
    let reply = ask(&desk, question, "records");
    let passages = reply["passages"].as_array().unwrap();
    let chosen = reply["work"]["records"]["hybrid"]["documents"].as_array().unwrap();
    assert!(!passages.is_empty());
    assert!(
        passages.iter().all(|passage| chosen.contains(&passage["title"])),
        "{reply}"
    );
}

#[test]
fn records_are_kept_for_the_next_question_and_gone_with_a_document() {
    let desk = lights();
    let question = "How many lighthouses are on Tidd?";
    assert_eq!(ask(&desk, question, "records")["answer"]["text"], "3");
    let kept = derived(&desk);
    assert_eq!(kept.len(), 1, "{kept:?}");
    let dump = desk.dump("store");
    // What is kept is what answers: without it the records are filled again, with it they are read.
    let bytes = fs::read(&kept[0]).unwrap();
    fs::write(&kept[0], b"damaged").unwrap();
    assert_eq!(ask(&desk, question, "records")["answer"]["text"], "3");
    assert_eq!(fs::read(&kept[0]).unwrap(), bytes);
    assert_eq!(desk.dump("store"), dump);

    desk.run(["remove", "Wether Light", "--store", "store"]).done();
    assert_eq!(derived(&desk), Vec::<PathBuf>::new());
    assert_eq!(ask(&desk, question, "records")["answer"]["text"], "2");
    for file in derived(&desk) {
        let text = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
        assert!(!text.contains("Wether"));
    }
}

#[test]
fn a_table_is_filled_for_the_question_and_shown() {
    let desk = lights();
    let question = "What is the average height of the lighthouses?";
    let reply = ask(&desk, question, "srag");
    assert_eq!(reply["answer"]["text"], "28");
    let work = &reply["work"]["srag"];
    assert_eq!(work["documents"]["n_read"], 14);
    let schema: Vec<&str> = work["schema"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column.as_str().unwrap())
        .collect();
    assert!(schema.contains(&"height integer") && schema.len() < 4, "{schema:?}");
    let text = desk
        .run(["query", question, "--store", "store", "--method", "srag"])
        .done()
        .stdout;
    assert!(text.contains("filled from 14 of 14 documents"), "{text}");
}

#[test]
fn documents_that_are_no_records_leave_every_question_to_the_tree() {
    let desk = desk();
    let corpus = root().join("data/harrow/corpus.jsonl");
    desk.run(["build", &corpus.to_string_lossy(), "--store", "store"])
        .done();
    let file = root().join("data/harrow/questions.jsonl");
    let answers = |method: &str| -> Vec<(Value, Value)> {
        let batch = ["query", "--batch", &file.to_string_lossy(), "--store", "store"];
        let run = desk.run(batch.iter().chain(&["--method", method])).done();
        let replies = run
            .stdout
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        replies
            .map(|reply| (reply["answer"].clone(), reply["routing"]["method"].clone()))
            .collect()
    };
    let (auto, tree) = (answers("auto"), answers("tree"));
    let n_same = auto.iter().zip(&tree).filter(|(auto, tree)| auto == tree).count();
    assert_eq!(n_same, tree.len());
    let text = desk.run(["query", "How many islands have a mill?", "--store", "store"]);
    assert!(
        text.stdout.contains("method: tree (no records cover the question)"),
        "{}",
        text.stdout
    );
}

#[test]
fn what_no_column_says_is_refused_with_the_columns() {
    let desk = lights();
    let run = desk.run([
        "query",
        "What is the average salary?",
        "--store",
        "store",
        "--method",
        "records",
    ]);
    let text = run.unanswered().stdout;
    assert!(text.contains("refused  ") && text.contains("height"), "{text}");
}

#[test]
fn odd_corpora_and_questions_end_in_an_answer_or_a_reason() {
    let check = |documents: &[&str], question: &str, expected: &str| {
        let desk = desk();
        for (at, text) in documents.iter().enumerate() {
            desk.put(&format!("texts/{at}.md"), text);
        }
        desk.run(["build", "texts", "--store", "store"]).done();
        for method in ["auto", "records", "srag", "schemarag"] {
            let run = desk.run(["query", question, "--store", "store", "--method", method]);
            assert!(
                run.stderr.is_empty() || !run.stderr.contains("panicked"),
                "{method}: {}",
                run.stderr
            );
            assert!(
                run.stdout.contains("method: "),
                "{method}: {} {}",
                run.stdout,
                run.stderr
            );
            if method == "records" {
                assert!(
                    run.stdout.contains(expected),
                    "{question}: no {expected:?} in {}",
                    run.stdout
                );
            }
        }
    };
    let keywords = [
        "# Ash\n\nGroup: 3\nOrder: 5\nSelect: 2\nTable: oak\n",
        "# Elm\n\nGroup: 4\nOrder: 7\nSelect: 9\nTable: pine\n",
    ];
    check(&keywords, "What is the average order?", "answer: 6");
    check(
        &["# Alone\n\nHeight: 12 m\nBuilt: 1901\n"],
        "What is the average height?",
        "answer: 12",
    );
    check(
        &["# A\n\nRain.\n", "# B\n\nThe goats left.\n"],
        "How many barns are there?",
        "no answer",
    );
    check(&keywords, "Wie viele Bäume stehen am Hafen?", "no answer");
    let costs = ["# Ash\n\nCost: 12\nRent: 30\n", "# Elm\n\nCost: 15\nRent: 40\n"];
    check(&costs, "What is the average cost with a rent above 100?", "no answer");
}

#[test]
fn structures_are_built_traced_and_kept_for_the_next_question() {
    let desk = lights();
    let traced = |question: &str| {
        let arguments = ["query", question, "--store", "store", "--method", "schemarag"];
        let text = desk.run(arguments.iter().chain(&["--trace"])).done().stdout;
        for expected in [
            "take the values of height, range",
            "query tree",
            "schema",
            "method: schemarag (",
        ] {
            assert!(text.contains(expected), "no {expected:?} in {text}");
        }
        text
    };
    let first = traced("Compare the lighthouses in a table by height and range.");
    assert!(first.contains("0 of 14 units from the cache"), "{first}");
    let second = traced("Compare the lighthouses in a table by range and height.");
    assert!(second.contains("14 of 14 units from the cache"), "{second}");
    let reply = ask(
        &desk,
        "Compare the lighthouses in a table by height and range.",
        "schemarag",
    );
    let work = &reply["work"]["schemarag"];
    assert_eq!(work["schema"]["intra"].as_array().unwrap().len(), 14);
    assert!(work["plan"]["reasons"].as_array().unwrap().len() > 1, "{work}");
    desk.put("answer.json", reply.to_string());
    desk.run(["verify", "--answer", "answer.json", "--store", "store"])
        .done();
}

/// Runs a question with a scripted model; nothing here is a measure of any model.
fn asked_by_model(method: &str, script: impl Fn(&str) -> String + Send + Sync + 'static) -> (Desk, Value) {
    let server = ChatServer::new(move |_, asked: &Asked| {
        Answer::text(&script(asked.body["messages"][0]["content"].as_str().unwrap()))
    });
    let url = server.base_url();
    let config = format!("[llm]\nbase_url = \"{url}\"\nmodel = \"scripted\"\nmax_concurrent = 2\nmax_retries = 0\n");
    let desk = lights().with("banyan.toml", config);
    let question = "What is the average height of the lighthouses?";
    let arguments = ["query", question, "--store", "store", "--method", method, "--json"];
    let reply = desk.run(arguments.iter().chain(&["--reasoner", "llm"])).done().json();
    (desk, reply)
}

#[test]
fn a_model_designs_the_table_and_mends_its_statement() {
    let (_, reply) = asked_by_model("srag", |system| {
        let reply = if system.starts_with("You design a table") {
            json!({"columns": [{"name": "height", "type": "integer", "description": "in metres"}],
                "sql": "SELECT round(avg(\"tallness\"), 1) FROM records", "rows": "SELECT _row FROM records"})
        } else if system.starts_with("You turn a question") {
            json!({"sql": "SELECT round(avg(\"height\"), 1) FROM records", "records": "SELECT _row FROM records", "reason": ""})
        } else {
            json!({"cells": [{"column": "height", "value": "30", "quote": "Height"}, {"column": "height", "value": "1", "quote": "not there"}]})
        };
        reply.to_string()
    });
    assert_eq!(reply["answer"]["text"], "30", "{reply}");
    let notes = reply["work"]["srag"]["notes"].to_string();
    assert!(
        notes.contains("mended: ") && notes.contains("defects in what was read"),
        "{notes}"
    );
}

#[test]
fn a_model_plans_builds_and_answers_over_structures() {
    let (_, reply) = asked_by_model("schemarag", |system| {
        let reply = if system.starts_with("You plan how facts") {
            json!({"task": "extraction", "knowledge": "table", "index": "parallel_chunk", "columns": ["height"], "categories": [],
                "queries": [{"under": 0, "query": "How high is each?"}], "reason": "heights are values"})
        } else if system.starts_with("You reorganise") {
            json!({"category": "", "facts": [{"head": "height", "relation": "", "value": "30 m", "quote": "Height"}]})
        } else {
            assert!(system.starts_with("You answer a query"), "{system}");
            json!({"lines": [{"text": "They are 30 m high.", "from": [1, 2]}]})
        };
        reply.to_string()
    });
    assert_eq!(reply["answer"]["text"], "They are 30 m high.", "{reply}");
    assert_eq!(reply["answer"]["citations"][0]["quote"], "Height");
}
