//! `eval entities` and `eval relations` on small annotated sets: what they print, and what they refuse.

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

#[track_caller]
fn figure(report: &Value, path: &str) -> f64 {
    let value = report.pointer(path);
    let found = value.and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("{path}: expected a number in {report}"))
}

#[test]
fn entities_are_scored_in_place_and_label() {
    let desk = desk().with("set/dev.txt", TAGGED);
    for data in ["set", "set/dev.txt"] {
        let report = desk.exam(["entities", "--data", data, "--json"]).done().json();
        for path in [
            "/f1",
            "/precision",
            "/recall",
            "/span/f1",
            "/by_label/person/f1",
            "/by_label/location/recall",
        ] {
            assert!((figure(&report, path) - 1.0).abs() < 1e-12, "{path}: {report}");
        }
        assert!((figure(&report, "/sentences") - 2.0).abs() < 1e-12 && figure(&report, "/cpu_seconds") >= 0.0);
        assert_eq!(report["comparators"], Value::Array(Vec::new()));
    }
    let table = desk.exam(["entities", "--data", "set"]).done().stdout;
    assert!(
        table.contains("span and label") && table.contains("published: –"),
        "{table}"
    );
}

#[test]
fn relations_are_scored_between_the_entities_of_a_document() {
    let desk = desk()
        .with("set/dev.json", DOCUMENTS)
        .with("set/relation_labels.json", RELATIONS);
    for data in ["set", "set/dev.json"] {
        let report = desk.exam(["relations", "--data", data, "--json"]).done().json();
        for path in [
            "/f1",
            "/precision",
            "/recall",
            "/between_gold/f1",
            "/entity_spans/f1",
            "/by_label/place of birth/f1",
        ] {
            assert!((figure(&report, path) - 1.0).abs() < 1e-12, "{path}: {report}");
        }
        assert!((figure(&report, "/documents") - 1.0).abs() < 1e-12 && figure(&report, "/cpu_seconds") >= 0.0);
    }
}

#[test]
fn sets_that_cannot_be_read_are_refused_in_one_line() {
    let check = |name: &str, content: &str, command: &str, says: &[&str]| {
        let desk = desk().with(name, content);
        desk.exam([command, "--data", name]).refused(says);
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
    desk()
        .exam(["entities", "--data", "none"])
        .refused(&["none: cannot read"]);
    let desk = desk()
        .with("set/a.json", "[]")
        .with("set/relation_labels.json", RELATIONS);
    desk.exam(["entities", "--data", "set"])
        .refused(&["set: no files of kind txt"]);
    desk.exam(["relations", "--data", "set"])
        .refused(&["a.json", "no documents"]);
    let desk = desk.with("set/a.json", DOCUMENTS.replace("\"P1\"", "\"P2\""));
    desk.exam(["relations", "--data", "set"])
        .refused(&["a.json", "`Ada Quill`", "relation P2 has no label"]);
}
