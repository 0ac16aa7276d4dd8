//! Extractors compiled from examples: learned, proved, written, read again.

use crate::desk;
use banyan_tests::{Desk, same};
use serde_json::{Value, json};

/// A company that was never there, its founder, its painter, and a sentence in words that no label has.
fn sentence(at: usize) -> [String; 4] {
    const FIRST: [&str; 6] = ["Ada", "Bo", "Mara", "Odd", "Ulla", "Ruan"];
    const LAST: [&str; 5] = ["Voss", "Ferren", "Quill", "Riis", "Tolliver"];
    const STEM: [&str; 6] = ["Ondle", "Marsk", "Gorse", "Kiln", "Sallow", "Teak"];
    const KIND: [&str; 5] = ["Works", "Mills", "Foundry", "Yards", "Press"];
    let company = format!("{} {}", STEM[at % 6], KIND[at / 6 % 5]);
    let person = |at: usize| format!("{} {}", FIRST[at % 6], LAST[(at + at / 6) % 5]);
    let (founder, painter) = (person(at), person(at + 13));
    let text = if at.is_multiple_of(2) {
        format!("{company}, painted by {painter}, was dreamt up by {founder}.")
    } else {
        format!("{company} was dreamt up by {founder} and later painted by {painter}.")
    };
    [company, founder, painter, text]
}

fn schema() -> Value {
    json!({
        "name": "companies",
        "entity_types": [{"name": "company"}, {"name": "person"}, {"name": "place"}],
        "relations": [
            {"name": "originator", "domain": ["company"], "range": ["person"]},
            {"name": "depth_gauge", "domain": ["company"], "range": ["place"]},
        ],
    })
}

fn examples() -> String {
    let line = |at| {
        let [company, person, _, text] = sentence(at);
        json!({"sent": text, "triples": [{"sub": company, "rel": "originator", "obj": person}]}).to_string()
    };
    (0..30).map(line).collect::<Vec<_>>().join("\n")
}

fn companies() -> Desk {
    desk()
        .with("schema.json", schema().to_string())
        .with("examples.jsonl", examples())
}

const LEARN: [&str; 8] = [
    "extract",
    "learn",
    "--examples",
    "examples.jsonl",
    "--schema",
    "schema.json",
    "--out",
    "patterns.json",
];

#[test]
fn what_examples_teach_is_proved_and_written_as_a_readable_file() {
    let desk = companies();
    let report = desk.run(LEARN.iter().chain(&["--json"])).done().json();
    assert_eq!(
        (&report["examples"], &report["kept"]),
        (&json!(30), &json!(1)),
        "{report:#}"
    );
    assert_eq!(report["relations"][0]["outcome"], "kept");
    assert_eq!(report["relations"][1]["outcome"], "no_example");
    let f1 = |which: &str| report["relations"][0][which]["f1"].as_f64().unwrap();
    assert!(f1("with") > 0.9 && f1("with") > f1("without"), "{report:#}");
    let text = std::fs::read_to_string(desk.path("patterns.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&file["kind"], &file["format"]), (&json!("banyan patterns"), &json!(2)));
    assert!(text.contains("\"before.2=up&by\""), "features have names: {text}");
    let again = companies();
    again.run(LEARN.iter().chain(&["--threads", "1"])).done();
    assert_eq!(std::fs::read_to_string(again.path("patterns.json")).unwrap(), text);
}

#[test]
fn a_table_says_what_is_kept_and_why() {
    let table = companies().run(LEARN).done().stdout;
    for part in [
        "schema companies: 30 examples",
        "originator ",
        "kept",
        "dropped: no example",
    ] {
        assert!(table.contains(part), "expected {part}: {table}");
    }
}

#[test]
fn nothing_is_written_over_and_nothing_half_written() {
    let desk = companies().with("patterns.json", "mine");
    desk.run(LEARN).refused(&["patterns.json", "exists already"]);
    assert_eq!(std::fs::read_to_string(desk.path("patterns.json")).unwrap(), "mine");
    let check = |file: &str, content: &str, expected: &[&str]| {
        let desk = companies().with(file, content);
        desk.run(LEARN).refused(expected);
        assert!(!desk.path("patterns.json").exists());
    };
    check("examples.jsonl", "{\"sent\": 3}", &["examples.jsonl", "line 1"]);
    check(
        "examples.jsonl",
        "{\"sent\": \"S\"}",
        &["examples.jsonl", "line 1", "without `triples`"],
    );
    let foreign = json!({"sent": "A is B.", "triples": [{"sub": "A", "rel": "is", "obj": "B"}]});
    check(
        "examples.jsonl",
        &foreign.to_string(),
        &["examples.jsonl", "none of its 1 statement", "schema.json"],
    );
    check("schema.json", "{", &["schema.json"]);
}

#[test]
fn a_recording_and_a_store_of_it_teach_like_labels() {
    let (mut corpus, mut said) = (Vec::new(), Vec::new());
    for at in 0..30 {
        let [company, person, other, text] = sentence(at);
        corpus.push(json!({"id": at, "title": company, "text": text}).to_string());
        let triples = json!([
            [company, "originator", person],
            [company, "smells like", other],
            [company, "originator", "Nobody"]
        ]);
        said.push(json!({"id": at, "entities": [company, person, other], "triples": triples}).to_string());
    }
    let desk = companies()
        .with("corpus.jsonl", corpus.join("\n"))
        .with("examples.jsonl", said.join("\n"));
    let report = desk
        .run(LEARN.iter().chain(&["--json", "--corpus", "corpus.jsonl"]))
        .done()
        .json();
    assert_eq!(
        (&report["examples"], &report["kept"]),
        (&json!(30), &json!(1)),
        "{report:#}"
    );
    let said = "recorded:examples.jsonl";
    desk.run([
        "build",
        "corpus.jsonl",
        "--schema",
        "schema.json",
        "--extractor",
        said,
        "--store",
        "store",
    ])
    .done();
    let learn = [
        "extract",
        "learn",
        "--examples",
        "store",
        "--schema",
        "schema.json",
        "--out",
        "other.json",
        "--json",
    ];
    let of_store = desk.run(learn).done().json();
    assert_eq!(of_store, report);
}

#[test]
fn a_compiled_extractor_reads_an_ontology_as_learning_on_the_spot_does() {
    let ontology = json!({
        "title": "companies", "id": "ont_companies",
        "concepts": [{"qid": "Company", "label": "Company"}, {"qid": "Person", "label": "Person"}],
        "relations": [{"pid": "originator", "label": "originator", "domain": "", "range": ""}],
    });
    let (train, test): (Vec<_>, Vec<_>) = examples()
        .lines()
        .map(str::to_owned)
        .enumerate()
        .partition(|(at, _)| at % 4 > 0);
    let lines = |part: Vec<(usize, String)>| part.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    let desk = desk()
        .with("set/ontology.json", ontology.to_string())
        .with("set/train.jsonl", lines(train))
        .with("set/ground_truth.jsonl", lines(test))
        .with("schema.json", schema().to_string())
        .with("examples.jsonl", examples());
    let learn = [
        "extract",
        "learn",
        "--examples",
        "set/train.jsonl",
        "--schema",
        "set/ontology.json",
        "--out",
        "set.json",
    ];
    desk.run(learn).done();
    let eval = |options: &[&str]| {
        let args = ["extraction", "--data", "set", "--json"];
        desk.exam(args.iter().chain(options)).done().json()
    };
    let (compiled, learned) = (eval(&["--patterns", "set.json"]), eval(&["--learn"]));
    assert_eq!(
        (&compiled["f1"], &compiled["strict_f1"]),
        (&learned["f1"], &learned["strict_f1"])
    );
    assert!(compiled["f1"].as_f64() > eval(&[])["f1"].as_f64(), "{compiled:#}");
    desk.run(LEARN).done();
    let eval = ["extraction", "--data", "set", "--patterns"];
    desk.exam(eval.iter().chain(&["patterns.json"]))
        .refused(&["compiled for schema companies", "depth_gauge"]);
    desk.exam(eval.iter().chain(&["schema.json"]))
        .refused(&["schema.json", "no compiled extractor", "`kind`"]);
    desk.exam(eval.iter().chain(&["none.json"]))
        .refused(&["none.json", "cannot read"]);
}

/// Two companies that no example has, and one that is none of the relation's.
fn corpus(files: &Desk) {
    files.put("corpus/hestle.md", "# Hestle Brewery\n\nHestle Brewery was dreamt up by Ilse Marn and later painted by Tove Lund. Ilse Marn liked Tove Lund.");
    files.put("corpus/ommer.md", "# Ommer Ropes\n\nOmmer Ropes is a company in Tidd. Ommer Ropes was dreamt up by Jory Penn and later painted by Tove Lund.");
    files.put(
        "corpus/other.md",
        "# Sallow Bank\n\nSallow Bank was not dreamt up by Tove Lund.",
    );
}

const BUILD: [&str; 8] = [
    "build",
    "corpus",
    "--schema",
    "schema.json",
    "--patterns",
    "patterns.json",
    "--store",
    "store",
];

#[test]
fn a_build_reads_what_was_learned_and_keeps_it_for_every_change() {
    let desk = companies();
    corpus(&desk);
    desk.run(LEARN).done();
    desk.run(["build", "corpus", "--schema", "schema.json", "--store", "rules"])
        .done();
    assert!(!desk.dump("rules").contains("originator"));
    desk.run(BUILD).done();
    let dump = desk.dump("store");
    for fact in ["2 originator ilse marn", "2 originator jory penn"] {
        assert!(dump.contains(fact), "expected {fact}: {dump}");
    }
    assert_eq!(dump.matches("2 originator").count(), 2, "{dump}");
    assert!(dump.contains("extractor embedded+patterns:"), "{dump}");
    // Any number of threads gives the same, and a changed store is a fresh one, without the file.
    desk.run(BUILD.iter().chain(&["--threads", "1"])).done();
    same(&desk.dump("store"), &dump, "with one thread");
    std::fs::rename(desk.path("patterns.json"), desk.path("kept.json")).unwrap();
    desk.run(["remove", "corpus/ommer.md", "--store", "store"]).done();
    assert!(!desk.dump("store").contains("jory penn"));
    desk.run(["add", "corpus/ommer.md", "--store", "store", "--communities", "detect"])
        .done();
    same(&desk.dump("store"), &dump, "after a removal and an addition");
}

#[test]
fn patterns_that_cannot_be_used_build_nothing() {
    let desk = companies();
    corpus(&desk);
    desk.run(LEARN).done();
    let check = |args: &[&str], expected: &[&str]| {
        desk.run(args).refused(expected);
        assert!(!desk.path("store/CURRENT").exists());
    };
    check(
        &["build", "corpus", "--patterns", "patterns.json", "--store", "store"],
        &["patterns.json", "compiled for schema companies", "originator"],
    );
    check(
        &["build", "corpus", "--patterns", "examples.jsonl", "--store", "store"],
        &["examples.jsonl", "no compiled extractor"],
    );
    check(
        &[&BUILD[..], &["--extractor", "recorded:examples.jsonl"]].concat(),
        &["--patterns", "--extractor"],
    );
    let text = std::fs::read_to_string(desk.path("patterns.json")).unwrap();
    desk.put("patterns.json", text.replace("\"format\": 2", "\"format\": 7"));
    check(&BUILD, &["patterns.json", "of format 7"]);
}
