//! `eval entities` on small annotated sets: what it prints, and what it refuses.

use crate::desk;
use serde_json::Value;

const TAGGED: &str = "The\tO\npoet\tO\nMara\tB-person\nVoss\tI-person\nsailed\tO\non\tO\nthe\tO\nOndle\tB-location\n\
    River\tI-location\n.\tO\n\nIt\tO\nrained\tO\n.\tO\n";

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
        let report = desk.run(["eval", "entities", "--data", data, "--json"]).done().json();
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
    let table = desk.run(["eval", "entities", "--data", "set"]).done().stdout;
    assert!(
        table.contains("span and label") && table.contains("published: –"),
        "{table}"
    );
}

#[test]
fn sets_that_cannot_be_read_are_refused_in_one_line() {
    let check = |name: &str, content: &str, command: &str, says: &[&str]| {
        let desk = desk().with(name, content);
        desk.run(["eval", command, "--data", name]).refused(says);
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
    desk()
        .run(["eval", "entities", "--data", "none"])
        .refused(&["none: cannot read"]);
}
