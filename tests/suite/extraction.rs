//! Statements of single sentences under an ontology of our own.

use crate::desk;
use banyan_tests::Desk;
use serde_json::json;

/// Films and who directed them.
fn ontology() -> Desk {
    let ontology = json!({
        "title": "Film Ontology", "id": "ont_film",
        "concepts": [{"qid": "Film", "label": "Film"}, {"qid": "Person", "label": "Person"}],
        "relations": [{"pid": "director", "label": "director", "domain": "Film", "range": "Person"}],
    });
    let examples = [
        ("Teak", "Mara Voss"),
        ("Low Water", "Odd Riis"),
        ("The Kiln", "Ada Quill"),
        ("Gorse", "Bo Ferren"),
    ];
    let examples = examples.map(|(film, person)| {
        let triples = json!([{"sub": film, "rel": "director", "obj": person}]);
        json!({"id": film, "sent": format!("{film} is a film directed by {person}."), "triples": triples}).to_string()
    });
    let (train, test) = examples.split_at(2);
    desk()
        .with("films/ontology.json", ontology.to_string())
        .with("films/train.jsonl", train.join("\n"))
        .with("films/ground_truth.jsonl", test.join("\n"))
}

#[test]
fn statements_conform_to_the_ontology_and_invent_nothing() {
    for options in ["", "--learn"] {
        let report = ontology()
            .exam(&format!("extraction --data . --json {options}"))
            .done()
            .json();
        assert_eq!(report["sentences"], 2);
        assert_eq!(report["conformance"], 1.0);
        let invented = json!({"subject": 0.0, "relation": 0.0, "object": 0.0});
        assert_eq!(report["hallucination"], invented);
        assert!(report["f1"].as_f64() > Some(0.5), "{report:#}");
    }
}

#[test]
fn a_directory_without_an_ontology_and_a_broken_one_are_refused() {
    let desk = ontology().with("none/a.txt", "x");
    let refuse = |data: &str, says: &[&str]| desk.exam(&format!("extraction --data {data}")).refused(says);
    refuse("none", &["no ontology", "ontology.json"]);
    desk.put("films/ground_truth.jsonl", "{\"id\": \"1\"}");
    refuse("films", &["films/ground_truth.jsonl"]);
    desk.put("films/ontology.json", "{");
    refuse("films", &["films/ontology.json", "line 1"]);
}
