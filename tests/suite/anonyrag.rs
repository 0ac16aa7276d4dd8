//! Questions over anonymised texts through the program: sets of our own and the published shapes, and what is refused.

use crate::desk;
use banyan_tests::Desk;
use banyan_tests::workspace::text;
use serde_json::Value;

/// A desk with a set over one of our own corpora in `set`.
fn set(corpus: &str) -> Desk {
    let desk = desk().with("corpus.jsonl", text(&format!("data/{corpus}/corpus.jsonl")));
    desk.exam(["anonymize", "corpus.jsonl", "--out", "set"]).done();
    desk
}

const OWN: [&str; 5] = ["anonyrag", "--qa", "set/questions.jsonl", "--texts", "set/corpus"];

fn json(desk: &Desk, args: &[&str]) -> Value {
    desk.exam(args.iter().chain(&["--json"])).done().json()
}

#[test]
fn both_modes_are_measured_over_sets_of_our_own() {
    for corpus in ["harrow", "dongling"] {
        let desk = set(corpus);
        let report = json(&desk, &OWN);
        let figure = |path: &str| {
            report
                .pointer(path)
                .and_then(Value::as_f64)
                .unwrap_or_else(|| panic!("{path}: {report}"))
        };
        for mode in ["open", "reject"] {
            for name in ["precision", "recall", "f1", "relaxed_f1"] {
                let value = figure(&format!("/modes/{mode}/reversion/{name}"));
                assert!((0.0..=1.0).contains(&value));
            }
            assert!(figure(&format!("/modes/{mode}/choice/coverage")) <= 1.0);
        }
        assert!(
            figure("/modes/open/choice/accuracy") >= 0.45,
            "{corpus}: {}",
            figure("/modes/open/choice/accuracy")
        );
        assert!(
            figure("/evidence/20/value") >= 0.7,
            "{corpus}: {}",
            figure("/evidence/20/value")
        );
        let (area, random) = (
            figure("/modes/reject/risk_coverage_area"),
            figure("/modes/reject/random_area"),
        );
        assert!(area <= 0.75 * random, "{corpus}: {area} of {random}");
        let shared = figure("/overlap/value");
        assert!(0.0 < shared && shared < 1.0, "{corpus}: {shared}");
        assert!(report["remarks"][0].as_str().unwrap().contains("cannot be known"));
        assert_eq!(json(&desk, &[&OWN[..], &["--threads", "1"]].concat()), report);
        let table = desk.exam(OWN).done().stdout;
        assert!(table.contains("recall@20") && table.contains("by hops"), "{table}");
        let open = json(&desk, &[&OWN[..], &["--mode", "open"]].concat());
        assert!(open["modes"].get("reject").is_none());
    }
}

#[test]
fn the_program_remembers_nothing() {
    let desk = set("harrow");
    let leakage = json(&desk, &["leakage", "--set", "set"]);
    assert_eq!(leakage["remembered"]["value"], 0.0);
    assert_eq!(leakage["remembered"]["interval"], serde_json::json!([0.0, 0.0]));
    for corpus in ["plain", "anonymised"] {
        assert_eq!(leakage[corpus]["closed_book"]["value"], 0.0, "{corpus}");
    }
    assert!(leakage["retrieved"]["value"].as_f64().unwrap() > 0.25);
    assert!(leakage["gap"]["open"]["interval"].is_array());
}

/// Questions and texts as the Python reference of the paper names them.
fn reference() -> Desk {
    desk()
        .with(
            "final_chunk_corpus.json",
            r#"[{"idx": 1, "title": "one", "chunk": "[PERSON#1] hid the silver lantern from [PERSON#2]."},
                {"idx": 2, "title": "two", "chunk": "[PERSON#3], called Orla Venn, painted a boat for [PERSON#4]."}]"#,
        )
        .with(
            "final_qa_pairs.json",
            r#"[{"question": "From whom did [PERSON#1] hide the silver lantern?\nA. [PERSON#3]\nB. [PERSON#2]\nC. [PERSON#4]\nD. [PERSON#5]", "answer": "B. (Ann)", "query_type": "simple"},
                {"question": "Q: Who painted a boat?\nA: [PERSON#3]", "answer": "PERSON#3——Orla Venn", "query_type": "complex"}]"#,
        )
}

#[test]
fn the_shapes_of_the_reference_are_read_as_they_are() {
    let desk = reference();
    let args = [
        "anonyrag",
        "--qa",
        "final_qa_pairs.json",
        "--texts",
        "final_chunk_corpus.json",
    ];
    let report = json(&desk, &args);
    assert_eq!(report["modes"]["open"]["choice"]["accuracy"], 1.0);
    assert_eq!(report["modes"]["open"]["reversion"]["f1"], 1.0);
    assert_eq!(report["modes"]["open"]["by_type"]["simple"]["questions"], 1);
    assert!(report["evidence"].is_null());
    desk.put(
        "chunks.txt",
        "id: a\tChunk: [PERSON#1] hid the silver lantern from [PERSON#2].\nid: b\tChunk: It rained.\n",
    );
    let args = ["anonyrag", "--qa", "final_qa_pairs.json", "--texts", "chunks.txt"];
    assert_eq!(json(&desk, &args)["documents"], 2);
}

#[test]
fn weights_are_fitted_to_several_sets_and_tried_on_each_without_it() {
    let desk = set("harrow").with("other.jsonl", text("data/dongling/corpus.jsonl"));
    desk.exam(["anonymize", "other.jsonl", "--out", "other"]).done();
    let one = [&OWN[..], &["--fit", "weights.txt"]].concat();
    desk.exam(&one).refused(&["expected several with --fit"]);
    let both = [&one[..], &["--qa", "other/questions.jsonl", "--texts", "other/corpus"]].concat();
    let held = json(&desk, &both);
    for (at, name) in ["set", "other"].iter().enumerate() {
        assert_eq!(held[at]["set"], *name);
        assert!(held[at]["accuracy"].as_f64().unwrap() > 0.5, "{held}");
    }
    let weights = std::fs::read_to_string(desk.path("weights.txt")).unwrap();
    assert!(
        weights.starts_with("sentence ") && weights.lines().count() > 6,
        "{weights}"
    );
    desk.exam(&both).refused(&["weights.txt", "exists"]);
}

/// A desk with the tables that `anonyrag/tables.py` wrote.
fn tables() -> Desk {
    let put = |desk: Desk, name: &str, bytes: &[u8]| desk.with(name, bytes);
    let desk = put(
        desk(),
        "eng_qa.parquet",
        include_bytes!("anonyrag/annoyrag_eng_qa.parquet"),
    );
    let desk = put(
        desk,
        "eng.parquet",
        include_bytes!("anonyrag/annoyrag_eng_text_chunks.parquet"),
    );
    let desk = put(
        desk,
        "chs_qa.parquet",
        include_bytes!("anonyrag/annoyrag_chs_qa.parquet"),
    );
    let desk = put(
        desk,
        "chs.parquet",
        include_bytes!("anonyrag/annoyrag_chs_text_chunks.parquet"),
    );
    let desk = put(desk, "other.parquet", include_bytes!("anonyrag/other_columns.parquet"));
    put(desk, "none.parquet", include_bytes!("anonyrag/no_rows.parquet"))
}

#[test]
fn published_tables_are_read_as_they_are_packed() {
    let desk = tables();
    for (qa, texts, n_texts, n_choices, n_named, hops) in [
        ("eng_qa.parquet", "eng.parquet", 6, 3, 1, "2"),
        ("chs_qa.parquet", "chs.parquet", 4, 2, 1, "1"),
    ] {
        let report = json(&desk, &["anonyrag", "--qa", qa, "--texts", texts]);
        assert_eq!(report["documents"], n_texts, "{qa}");
        let open = &report["modes"]["open"];
        assert_eq!(open["choice"]["questions"], n_choices, "{qa}");
        assert_eq!(open["reversion"]["questions"], n_named, "{qa}");
        assert_eq!(open["choice"]["coverage"], 1.0, "{qa}");
        assert_eq!(open["choice"]["accuracy"], 1.0, "{qa}: {report}");
        assert!(
            open["by_type"]["simple"].is_object() && open["by_hops"][hops].is_object(),
            "{report}"
        );
    }
    let named = json(&desk, &["anonyrag", "--qa", "eng_qa.parquet", "--texts", "eng.parquet"]);
    let reversion = &named["modes"]["open"]["reversion"];
    assert_eq!(
        (&reversion["precision"], reversion["f1"].as_f64()),
        (&Value::from(1.0), Some(0.5))
    );
}

#[test]
fn tables_that_cannot_be_used_are_refused_by_name() {
    let desk = tables();
    let whole = include_bytes!("anonyrag/annoyrag_eng_qa.parquet");
    let desk = desk
        .with("cut.parquet", &whole[..whole.len() / 2])
        .with("empty.parquet", "");
    for (qa, says) in [
        ("other.parquet", "no `question`"),
        ("none.parquet", "no questions"),
        ("cut.parquet", "not a parquet table"),
        ("empty.parquet", "not a parquet table"),
    ] {
        desk.exam(["anonyrag", "--qa", qa, "--texts", "eng.parquet"])
            .refused(&[qa, says]);
    }
    for (texts, says) in [
        ("other.parquet", "no `text`"),
        ("eng_qa.parquet", "is this a file of questions?"),
        ("none.parquet", "no documents"),
        ("cut.parquet", "not a parquet table"),
        ("empty.parquet", "not a parquet table"),
    ] {
        desk.exam(["anonyrag", "--qa", "eng_qa.parquet", "--texts", texts])
            .refused(&[texts, says]);
    }
}

#[test]
fn sets_that_cannot_be_used_are_refused_before_any_work() {
    let desk = reference();
    for (questions, says) in [
        (r#"[{"query": "x"}]"#, "no `question`"),
        (r#"[{"question": "x"}]"#, "a question without answer"),
        (r#"[{"question": "x", "answer": "somebody"}]"#, "does not parse"),
        (
            r#"[{"id": 1, "question": "x", "answer": "PERSON#1——A"}, {"id": 1, "question": "y", "answer": "PERSON#1——A"}]"#,
            "is there twice",
        ),
        (r#"[{"question": "x", "answer": "PERSON#1"}]"#, "key.json"),
        ("[3]", "expected an object"),
        ("{", "no JSON"),
        ("", "no questions"),
    ] {
        desk.put("bad.json", questions);
        // The texts are missing, too: the questions are looked at first.
        let run = desk.exam(["anonyrag", "--qa", "bad.json", "--texts", "missing.json"]);
        run.refused(&["bad.json", says]);
    }
    desk.put("bad.parquet", "PAR1");
    desk.exam(["anonyrag", "--qa", "bad.parquet", "--texts", "missing.json"])
        .refused(&["not a parquet table"]);
    let qa = ["anonyrag", "--qa", "final_qa_pairs.json"];
    desk.exam(qa.iter().chain(&["--texts", "missing.json"]))
        .refused(&["missing.json"]);
    desk.exam(["leakage", "--set", "missing"]).refused(&["key.json"]);
}
