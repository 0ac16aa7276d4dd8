//! `node`, `neighbours`, `paths` and `match` over what a recording states, and what they refuse.

use crate::desk;
use banyan_tests::Desk;
use serde_json::json;

const CORPUS: &str = r#"{"id": 1, "title": "Ada Quill", "text": "Ada Quill was born in Vessing. She wrote The Long Shore with Jan Orde."}
{"id": 2, "title": "Vessing", "text": "Vessing lies in Harrow. Jan Orde was born in Harrow."}
"#;
const SAID: &str = r#"{"id": 1, "entities": ["Ada Quill", "Vessing", "The Long Shore", "Jan Orde"], "triples": [["Ada Quill", "born in", "Vessing"], ["The Long Shore", "written by", "Ada Quill"], ["The Long Shore", "written by", "Jan Orde"]]}
{"id": 2, "entities": ["Vessing", "Harrow", "Jan Orde"], "triples": [["Vessing", "located in", "Harrow"], ["Jan Orde", "born in", "Harrow"]]}
"#;

fn built() -> Desk {
    let desk = desk().with("corpus.jsonl", CORPUS).with("said.jsonl", SAID);
    desk.banyan("build corpus.jsonl --extractor recorded:said.jsonl").done();
    desk
}

#[test]
fn the_graph_is_looked_at_from_one_entity() {
    let desk = built();
    let node = desk.run(["node", "ada quill", "--json"]).done().json();
    assert_eq!(
        (&node["name"], &node["triples"]),
        (&json!("Ada Quill"), &json!(2)),
        "{node:#}"
    );
    desk.run(["node", "Ada Quill"])
        .done()
        .prints(&["community", "2 triples", "corpus.jsonl#1:1:1"]);
    let names = |options: &str| -> Vec<String> {
        let line = ["neighbours", "Ada Quill", "--json"]
            .into_iter()
            .chain(options.split_whitespace());
        let found = desk.run(line).done().json();
        let found = found.as_array().unwrap().iter();
        found
            .map(|one| {
                format!(
                    "{} {}",
                    one["relation"].as_str().unwrap_or("~"),
                    one["name"].as_str().unwrap()
                )
            })
            .collect()
    };
    assert_eq!(names("--facts"), ["born_in Vessing", "author The Long Shore"]);
    assert_eq!(names("--out"), ["born_in Vessing"]);
    assert_eq!(names("--relation wrote"), ["author The Long Shore"]);
    assert_eq!(names("--type person"), ["~ Jan Orde"]);
    assert!(names("").len() > 2, "{:?}", names(""));
    desk.run(["neighbours", "Ada Quill", "--limit", "1"])
        .done()
        .prints(&["—born_in→ Vessing", "more (--limit N)"]);
}

#[test]
fn paths_run_over_facts_in_either_direction() {
    let desk = built();
    desk.run(["paths", "Ada Quill", "Harrow", "--facts"]).done().prints(&[
        "1. Ada Quill",
        "—born_in→ Vessing",
        "—located_in→ Harrow",
        "2. Ada Quill",
        "←author— The Long Shore",
        "—author→ Jan Orde",
    ]);
    let few = ["paths", "Ada Quill", "Harrow", "--facts", "--max-depth", "1"];
    desk.run(few)
        .done()
        .prints(&["no path of at most 1 edge from Ada Quill to Harrow"]);
    desk.run(["paths", "Ada Quill", "Harrow", "--relation", "flies_to"])
        .refused(&["\"flies_to\"", "no such relation", "did you mean"]);
    desk.run(["paths", "Harrow", "Harrow"]).refused(&["are one entity"]);
    desk.run(["neighbours", "Ada Quill", "--relation", "birth_date"])
        .refused(&["\"birth_date\" is an attribute"]);
    let none = desk.run(["paths", "Ada Quill", "Harrow", "--limit", "0"]);
    assert_eq!(none.code, Some(2), "{none:#?}");
    desk.run(["paths", "Ada Quil", "Harrow"])
        .refused(&["did you mean \"Ada Quill\""]);
}

#[test]
fn conditions_are_joined_on_their_variables() {
    let desk = built();
    let rows = |pattern: &str| desk.run(["match", pattern, "--json"]).done().json()["rows"].clone();
    let found = rows("?book author ?who . ?who born_in ?town . ?town located_in Harrow");
    assert_eq!(
        found[0]["values"],
        json!({"book": "The Long Shore", "who": "Ada Quill", "town": "Vessing"}),
        "{found:#}"
    );
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(
        rows("?book author ?who. ?who born_in ?town. ?town located_in Harrow"),
        found
    );
    // The inverse of a relation reads the same facts.
    assert_eq!(rows("?who wrote \"The Long Shore\"").as_array().unwrap().len(), 2);
    desk.run(["match", "?who born_in ?where"])
        .done()
        .prints(&["?who = Ada Quill · ?where = Vessing", "corpus.jsonl#1"]);
    desk.run(["match", "Vessing located_in ?x . ?x located_in ?y"])
        .done()
        .prints(&["nothing fulfils all conditions"]);
    for (pattern, says) in [
        ("?who born_at ?where", "did you mean born_in"),
        ("?who born_in", "expected three parts"),
        ("?who born_in \"Vessing", "a quote is not closed"),
        (" . ", "the pattern is empty"),
        ("?who ?how ?where", "a relation cannot be a variable"),
        ("?who born_in Vesing", "did you mean \"Vessing\""),
    ] {
        desk.run(["match", pattern]).refused(&[says]);
    }
}
