//! `banyan-eval entities` and `relations` on small annotated sets: what they print, and what they refuse.

use crate::{desk, list};
use serde_json::Value;

const TAGGED: &str = "The\tO\npoet\tO\nMara\tB-person\nVoss\tI-person\nsailed\tO\non\tO\nthe\tO\nOndle\tB-location\n\
    River\tI-location\n.\tO\n\nIt\tO\nrained\tO\n.\tO\n";

const RELATIONS: &str = r#"{"P1": "place of birth"}"#;

const DOCUMENTS: &str = r#"[{"title": "Ada Quill",
    "sents": [["Ada", "Quill", "was", "born", "in", "Vessing", "."]],
    "vertexSet": [[{"name": "Ada Quill", "sent_id": 0, "pos": [0, 2], "type": "PER"}],
                  [{"name": "Vessing", "sent_id": 0, "pos": [5, 6], "type": "LOC"}]],
    "labels": [{"h": 0, "t": 1, "r": "P1"}]}]"#;

/// Holds that figures over the whole set are 1.
#[track_caller]
fn is_whole(report: &Value, figures: &[(&str, &str)]) {
    let totals = list(&report["parts"][0]["totals"]);
    for (method, metric) in figures {
        let is_it = |one: &&Value| one["method"] == *method && one["metric"] == *metric;
        let found = totals.iter().find(is_it).and_then(|one| one["value"].as_f64());
        assert_eq!(found, Some(1.0), "{method} {metric} in {totals:#?}");
    }
}

#[test]
fn entities_and_relations_are_scored_in_place_and_label() {
    let desk = desk()
        .with("tagged/dev.txt", TAGGED)
        .with("facts/dev.json", DOCUMENTS)
        .with("facts/relation_labels.json", RELATIONS);
    for data in ["tagged", "tagged/dev.txt"] {
        let report = desk.exam(&format!("entities {data} --json")).done().json();
        let metrics = ["f1", "precision", "recall", "span f1", "f1 person", "f1 location"];
        is_whole(&report, &metrics.map(|metric| ("names", metric)));
        assert_eq!(report["parts"][0]["source"]["n_documents"], 2);
    }
    desk.exam("entities tagged").done().prints(&["span precision", "names"]);
    for data in ["facts", "facts/dev.json"] {
        let report = desk.exam(&format!("relations {data} --json")).done().json();
        is_whole(
            &report,
            &[
                ("facts", "f1"),
                ("facts", "precision"),
                ("facts", "f1 place of birth"),
                ("facts between gold entities", "recall"),
                ("names", "span f1"),
            ],
        );
    }
}

#[test]
fn sets_that_cannot_be_read_are_refused_in_one_line() {
    let desk = desk()
        .with("a.txt", "Ada\tB-person\nQuill\n")
        .with("bare/a.json", DOCUMENTS)
        .with("labels/relation_labels.json", RELATIONS)
        .with("set/relation_labels.json", RELATIONS)
        .with("set/a.json", DOCUMENTS.replace("\"P1\"", "\"P2\""));
    for (line, says) in [
        ("entities a.txt", &["a.txt", "line 2 has 1 columns", "a tag"][..]),
        ("entities none", &["none: cannot read"]),
        ("entities set", &["set: no files of kind txt"]),
        (
            "relations bare",
            &["labels of the relations", "relation_labels.json", "cannot read"],
        ),
        ("relations labels", &["no documents", "relation_labels.json"]),
        ("relations set", &["a.json", "`Ada Quill`", "relation P2 has no label"]),
    ] {
        desk.exam(line).refused(says);
    }
}
