//! Questions over anonymised texts through the program: sets of our own and the published shapes, and what is refused.

use crate::{desk, list};
use banyan_tests::server::{Answer, ChatServer};
use banyan_tests::workspace::text;
use banyan_tests::{Desk, Run};
use serde_json::Value;

/// Evaluates a suite of one set, the set with these files.
fn eval(desk: &Desk, questions: &str, corpus: &str) -> Run {
    eval_with(desk, questions, corpus, "")
}

fn eval_with(desk: &Desk, questions: &str, corpus: &str, options: &str) -> Run {
    let set = format!("kind = \"anonyrag\"\nquestions = \"{questions}\"\ncorpus = \"{corpus}\"\n");
    desk.put("suite.toml", format!("name = \"s\"\n[[set]]\nname = \"s\"\n{set}"));
    desk.banyan(&format!("eval suite.toml --json {options}"))
}

/// A figure: its value, and how many count.
#[track_caller]
fn figure(report: &Value, method: &str, metric: &str) -> (f64, u64) {
    let found = crate::figure(report, method, metric);
    (found["value"].as_f64().unwrap(), found["n"].as_u64().unwrap())
}

#[test]
fn both_modes_are_measured_over_sets_of_our_own() {
    for corpus in ["harrow", "dongling"] {
        let desk = desk().with("corpus.jsonl", text(&format!("data/{corpus}/corpus.jsonl")));
        desk.exam("anonymize corpus.jsonl --out set").done();
        let report = desk.banyan("eval set --json").done().json();
        let (open, n) = figure(&report, "banyan", "choice");
        // Without its tagger Chinese has few names.
        let least = if corpus == "dongling" { 30 } else { 60 };
        assert!(open >= 0.45 && n >= least, "{corpus}: {open} of {n}");
        let answered = |method: &str| figure(&report, method, "answered").0;
        assert!(answered("banyan reject") < answered("banyan"), "{corpus}");
        let (found, _) = figure(&report, "banyan", "recall@20");
        assert!(found >= 0.7, "{corpus}: {found}");
        for (method, metric) in [
            ("banyan", "choice"),
            ("banyan reject", "choice"),
            ("banyan", "answered"),
        ] {
            let one = crate::figure(&report, method, metric);
            assert!(
                one["interval"].is_array() && one["baseline"]["method"] == "bm25",
                "{one}"
            );
        }
        let groups = list(&report["parts"][0]["questions"][0]["groups"]);
        assert!(groups.contains(&Value::from("1 hops")), "{groups:?}");
        let again = desk.banyan("eval set --json --threads 1").done().json();
        assert_eq!(again["figures"], report["figures"]);
        if corpus == "harrow" {
            check_that_the_program_remembers_nothing(&desk);
        }
    }
}

fn check_that_the_program_remembers_nothing(desk: &Desk) {
    let report = desk.exam("leakage set --json").done().json();
    for corpus in ["names", "tags"] {
        let closed = figure(&report, &format!("{corpus}, closed book"), "choice").0;
        assert!(closed.abs() < 1e-12, "{corpus}: {closed}");
        assert!(figure(&report, &format!("{corpus}, with passages"), "choice").0 > 0.25);
    }
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
    let desk = reference().with(
        "chunks.txt",
        "id: a\tChunk: [PERSON#1] hid the silver lantern from [PERSON#2].\nid: b\tChunk: It rained.\n",
    );
    let of = |corpus: &str| eval(&desk, "final_qa_pairs.json", corpus).done().json();
    let found = of("final_chunk_corpus.json");
    assert_eq!(figure(&found, "banyan", "choice"), (1.0, 1));
    assert_eq!(figure(&found, "banyan", "reversion"), (0.0, 1));
    assert_eq!(of("chunks.txt")["parts"][0]["source"]["n_documents"], 2);
}

#[test]
fn a_model_reasons_answers_and_tells_what_it_knows_by_itself() {
    // It chooses where it is shown the passage, and gives no usable reply to anything else.
    let server = ChatServer::new(|_, asked| {
        let is_choice = asked.user().contains("A. [PERSON#3]") && asked.system().contains("replaced by tags");
        let is_shown = asked.user().contains("hid the silver lantern from");
        Answer::text(if is_choice && is_shown {
            r#"{"answer": "B", "confidence": 0.9}"#
        } else {
            "{}"
        })
    });
    let desk = reference().with("banyan.toml", server.config(""));
    let eval = |tape: &str| {
        let options = format!("--reasoner llm {tape} tape.jsonl");
        eval_with(&desk, "final_qa_pairs.json", "final_chunk_corpus.json", &options)
    };
    let run = eval("--record").done();
    let report = run.tells(&["decompose 2, reason 2"]).json();
    for (method, right) in [("banyan", 1.0), ("banyan reject", 1.0), ("closed book", 0.0)] {
        assert_eq!(figure(&report, method, "choice"), (right, 1), "{method}");
    }
    let n_asked = server.asked().len();
    let again = eval("--replay").done().json();
    assert_eq!(
        (again["figures"].clone(), server.asked().len()),
        (report["figures"].clone(), n_asked)
    );
}

#[test]
fn the_facts_are_read_by_whom_the_user_names_within_the_schema_that_the_user_names() {
    let desk = reference()
        .with(
            "said.jsonl",
            r#"{"id": 1, "entities": ["[PERSON#1]"], "triples": [["[PERSON#1]", "hid from", "[PERSON#2]"]]}"#,
        )
        .with(
            "schema.json",
            r#"{"name": "s", "entity_types": [{"name": "person"}], "relations": [{"name": "hides_from"}]}"#,
        );
    let dump = |options: &str| {
        let run = eval_with(&desk, "final_qa_pairs.json", "final_chunk_corpus.json", options);
        let report = run.done().json();
        report["parts"][0]["source"]["store"].clone()
    };
    let dumps = ["", "--schema schema.json", "--extractor recorded:said.jsonl"].map(dump);
    assert!(dumps[0] != dumps[1] && dumps[0] != dumps[2], "{dumps:?}");
    assert!(dumps.iter().all(Value::is_string));
}

/// Written by `anonyrag/tables.py`.
const TABLES: [(&str, &[u8]); 6] = [
    ("eng_qa.parquet", include_bytes!("anonyrag/annoyrag_eng_qa.parquet")),
    (
        "eng.parquet",
        include_bytes!("anonyrag/annoyrag_eng_text_chunks.parquet"),
    ),
    ("chs_qa.parquet", include_bytes!("anonyrag/annoyrag_chs_qa.parquet")),
    (
        "chs.parquet",
        include_bytes!("anonyrag/annoyrag_chs_text_chunks.parquet"),
    ),
    ("other.parquet", include_bytes!("anonyrag/other_columns.parquet")),
    ("none.parquet", include_bytes!("anonyrag/no_rows.parquet")),
];

#[test]
fn published_tables_are_read_as_they_are_packed_or_refused_by_name() {
    let whole = TABLES[0].1;
    let desk = desk().with_files(TABLES).with("cut.parquet", &whole[..whole.len() / 2]);
    for (qa, texts, n_texts, n_choices, n_named) in [
        ("eng_qa.parquet", "eng.parquet", 6, 3, 1),
        ("chs_qa.parquet", "chs.parquet", 4, 2, 1),
    ] {
        let found = eval(&desk, qa, texts).done().json();
        assert_eq!(found["parts"][0]["source"]["n_documents"], n_texts, "{qa}");
        assert_eq!(figure(&found, "banyan", "choice"), (1.0, n_choices), "{qa}: {found}");
        assert_eq!(figure(&found, "banyan", "reversion").1, n_named, "{qa}");
        assert!(!list(&found["parts"][0]["questions"][0]["groups"]).is_empty(), "{qa}");
    }
    for (qa, says) in [
        ("other.parquet", "missing field `question`"),
        ("none.parquet", "nothing in it"),
        ("cut.parquet", "not a parquet table"),
    ] {
        eval(&desk, qa, "eng.parquet").refused(&[qa, says]);
    }
    for (texts, says) in [
        ("other.parquet", "no `text`"),
        ("none.parquet", "no `text`"),
        ("cut.parquet", "not a parquet table"),
    ] {
        eval(&desk, "eng_qa.parquet", texts).refused(&[texts, says]);
    }
}

#[test]
fn sets_that_cannot_be_used_are_refused_before_any_work() {
    let desk = reference().with("empty.txt", "");
    for (questions, says) in [
        (r#"[{"query": "x"}]"#, "missing field `question`"),
        (r#"[{"question": "x"}]"#, "missing field `answer`"),
        (r#"[{"question": "x", "answer": "PERSON#1"}]"#, "key.json"),
        ("{", "EOF while parsing"),
        ("", "nothing in it"),
    ] {
        desk.put("bad.json", questions);
        // The texts say nothing, too: the questions are looked at first.
        eval(&desk, "bad.json", "empty.txt").refused(&["bad.json", says]);
    }
    eval(&desk, "final_qa_pairs.json", "missing.json").refused(&["missing.json"]);
    desk.exam("leakage missing").refused(&["key.json"]);
}
