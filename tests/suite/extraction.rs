//! Statements of single sentences under an ontology of our own.

use crate::desk;
use banyan_tests::Desk;
use serde_json::json;
use std::fs;

/// Films and who directed them.
fn ontology() -> Desk {
    let ontology = json!({
        "title": "Film Ontology", "id": "ont_film",
        "concepts": [{"qid": "Film", "label": "Film"}, {"qid": "Person", "label": "Person"}],
        "relations": [{"pid": "director", "label": "director", "domain": "Film", "range": "Person"}],
    });
    let examples: Vec<String> = [
        ("Teak", "Mara Voss"),
        ("Low Water", "Odd Riis"),
        ("The Kiln", "Ada Quill"),
        ("Gorse", "Bo Ferren"),
    ]
    .iter()
    .enumerate()
    .map(|(at, (film, person))| {
        let triples = json!([{"sub": film, "rel": "director", "obj": person}]);
        json!({"id": at.to_string(), "sent": format!("{film} is a film directed by {person}."), "triples": triples})
            .to_string()
    })
    .collect();
    let (train, test) = examples.split_at(2);
    desk()
        .with("films/ontology.json", ontology.to_string())
        .with("films/train.jsonl", train.join("\n"))
        .with("films/ground_truth.jsonl", test.join("\n"))
}

#[test]
fn statements_conform_to_the_ontology_and_invent_nothing() {
    for options in [&[][..], &["--learn"]] {
        let args = ["extraction", "--data", ".", "--json"];
        let report = ontology().exam(args.iter().chain(options)).done().json();
        assert_eq!(report["sentences"], 2);
        assert_eq!(report["conformance"], 1.0);
        assert_eq!(
            report["hallucination"],
            json!({"subject": 0.0, "relation": 0.0, "object": 0.0})
        );
        assert!(report["f1"].as_f64().is_some_and(|f1| f1 > 0.5), "{report:#}");
    }
}

/// The only other ontology teaches what a director's sentence looks like; the one that is read stays unseen.
#[test]
fn one_ontology_is_left_out_of_its_own_weights() {
    let desk = ontology();
    let args = ["extraction", "--data", ".", "--leave-one-out"];
    desk.exam(args).refused(&["one ontology", "--leave-one-out"]);
    for file in ["ontology.json", "train.jsonl", "ground_truth.jsonl"] {
        let content = fs::read(desk.path(format!("films/{file}"))).unwrap();
        desk.put(&format!("copy/{file}"), content);
    }
    let report = desk.exam(args.iter().chain(&["--json"])).done().json();
    assert_eq!(report["ontologies"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        report["reader"],
        "labels, general weights fitted to the other ontologies,"
    );
}

#[test]
fn fitted_weights_are_written_and_the_same_each_time() {
    let desk = ontology();
    for file in ["a.json", "b.json"] {
        desk.exam(["extraction", "--data", ".", "--fit", file]).done();
    }
    let read = |file: &str| fs::read_to_string(desk.path(file)).unwrap();
    assert_eq!(read("a.json"), read("b.json"));
    assert!(read("a.json").starts_with("{\n  \"object\": {"));
}

#[test]
fn a_directory_without_an_ontology_and_a_broken_one_are_refused() {
    desk()
        .with("a.txt", "x")
        .exam(["extraction", "--data", "."])
        .refused(&["no ontology", "ontology.json"]);
    let desk = ontology();
    desk.put("films/ground_truth.jsonl", "{\"id\": \"1\"}");
    desk.exam(["extraction", "--data", "films"])
        .refused(&["films/ground_truth.jsonl"]);
    desk.put("films/ontology.json", "{");
    desk.exam(["extraction", "--data", "films"])
        .refused(&["films/ontology.json", "line 1"]);
}
