//! `banyan-eval entities` and `relations` on small annotated sets: what they print, and what they refuse.

use crate::desk;
use serde_json::Value;

const TAGGED: &str = "The\tO\npoet\tO\nMara\tB-person\nVoss\tI-person\nsailed\tO\non\tO\nthe\tO\nOndle\tB-location\n\
    River\tI-location\n.\tO\n\nIt\tO\nrained\tO\n.\tO\n";

const RELATIONS: &str = r#"{"P1": "place of birth"}"#;

const DOCUMENTS: &str = r#"[{"title": "Ada Quill",
    "sents": [["Ada", "Quill", "was", "born", "in", "Vessing", "."]],
    "vertexSet": [[{"name": "Ada Quill", "sent_id": 0, "pos": [0, 2], "type": "PER"}],
                  [{"name": "Vessing", "sent_id": 0, "pos": [5, 6], "type": "LOC"}]],
    "labels": [{"h": 0, "t": 1, "r": "P1"}]}]"#;

/// A figure over the whole set.
#[track_caller]
fn figure(report: &Value, method: &str, metric: &str) -> f64 {
    let totals = report["parts"][0]["totals"].as_array().unwrap();
    let is_it = |one: &&Value| one["method"] == method && one["metric"] == metric;
    let found = totals.iter().find(is_it).and_then(|one| one["value"].as_f64());
    found.unwrap_or_else(|| panic!("{method} {metric}: expected a number in {report}"))
}

#[test]
fn entities_are_scored_in_place_and_label() {
    let desk = desk().with("set/dev.txt", TAGGED);
    for data in ["set", "set/dev.txt"] {
        let report = desk.exam(["entities", data, "--json"]).done().json();
        for metric in ["f1", "precision", "recall", "span f1", "f1 person", "f1 location"] {
            assert!(
                (figure(&report, "names", metric) - 1.0).abs() < 1e-12,
                "{metric}: {report}"
            );
        }
        assert_eq!(report["parts"][0]["source"]["n_documents"], 2);
    }
    let table = desk.exam(["entities", "set"]).done().stdout;
    assert!(table.contains("span precision") && table.contains("names"), "{table}");
}

#[test]
fn relations_are_scored_between_the_entities_of_a_document() {
    let desk = desk()
        .with("set/dev.json", DOCUMENTS)
        .with("set/relation_labels.json", RELATIONS);
    for data in ["set", "set/dev.json"] {
        let report = desk.exam(["relations", data, "--json"]).done().json();
        for (method, metric) in [
            ("facts", "f1"),
            ("facts", "precision"),
            ("facts", "f1 place of birth"),
            ("facts between gold entities", "recall"),
            ("names", "span f1"),
        ] {
            assert!(
                (figure(&report, method, metric) - 1.0).abs() < 1e-12,
                "{metric}: {report}"
            );
        }
    }
}

#[test]
fn sets_that_cannot_be_read_are_refused_in_one_line() {
    let check = |name: &str, content: &str, command: &str, says: &[&str]| {
        let desk = desk().with(name, content);
        desk.exam([command, name]).refused(says);
    };
    check(
        "a.txt",
        "Ada\tB-person\nQuill\n",
        "entities",
        &["a.txt", "line 2 has 1 columns", "a tag"],
    );
    check(
        "a.txt",
        "Ada\tO\nQuill\tI-person\n",
        "entities",
        &["a.txt", "line 2", "`I-person` without `B-person`"],
    );
    check("a.txt", "\n", "entities", &["a.txt", "no sentences"]);
    check(
        "a.json",
        DOCUMENTS,
        "relations",
        &["labels of the relations", "relation_labels.json", "cannot read"],
    );
    check(
        "relation_labels.json",
        RELATIONS,
        "relations",
        &["no documents", "beside relation_labels.json"],
    );
    desk().exam(["entities", "none"]).refused(&["none: cannot read"]);
    let desk = desk()
        .with("set/a.json", "[]")
        .with("set/relation_labels.json", RELATIONS);
    desk.exam(["entities", "set"]).refused(&["set: no files of kind txt"]);
    desk.exam(["relations", "set"]).refused(&["a.json", "no documents"]);
    let desk = desk.with("set/a.json", DOCUMENTS.replace("\"P1\"", "\"P2\""));
    desk.exam(["relations", "set"])
        .refused(&["a.json", "`Ada Quill`", "relation P2 has no label"]);
}
