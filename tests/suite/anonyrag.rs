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

/// What a suite of one set prints, the set with these files.
fn report(desk: &Desk, questions: &str, corpus: &str) -> Value {
    desk.put("suite.toml", suite(questions, corpus));
    desk.run(["eval", "suite.toml", "--json"]).done().json()
}

fn suite(questions: &str, corpus: &str) -> String {
    format!(
        "name = \"s\"\n[[set]]\nname = \"s\"\nkind = \"anonyrag\"\nquestions = \"{questions}\"\ncorpus = \"{corpus}\"\n"
    )
}

/// A figure: its value, and how many count.
#[track_caller]
fn figure(report: &Value, method: &str, metric: &str) -> (f64, u64) {
    let figures = report["figures"].as_array().unwrap();
    let is_it = |one: &&Value| one["method"] == method && one["metric"] == metric;
    let found = figures.iter().find(is_it);
    let found = found.unwrap_or_else(|| panic!("{method} {metric} in {figures:#?}"));
    (found["value"].as_f64().unwrap(), found["n"].as_u64().unwrap())
}

#[test]
fn both_modes_are_measured_over_sets_of_our_own() {
    for corpus in ["harrow", "dongling"] {
        let desk = set(corpus);
        let measured = |options: &[&str]| desk.run(["eval", "set", "--json"].iter().chain(options)).done().json();
        let report = measured(&[]);
        let (open, n) = figure(&report, "banyan", "choice");
        assert!(open >= 0.45 && n >= 60, "{corpus}: {open} of {n}");
        let (answered, _) = figure(&report, "banyan reject", "answered");
        assert!(
            answered < figure(&report, "banyan", "answered").0,
            "{corpus}: {answered}"
        );
        let (found, _) = figure(&report, "banyan", "recall@20");
        assert!(found >= 0.7, "{corpus}: {found}");
        assert_eq!(measured(&["--threads", "1"])["figures"], report["figures"]);
    }
}

#[test]
fn the_program_remembers_nothing() {
    let desk = set("harrow");
    let report = desk.exam(["leakage", "set", "--json"]).done().json();
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
    let desk = reference();
    let found = report(&desk, "final_qa_pairs.json", "final_chunk_corpus.json");
    assert_eq!(figure(&found, "banyan", "choice"), (1.0, 1));
    assert_eq!(figure(&found, "banyan", "reversion"), (1.0, 1));
    desk.put(
        "chunks.txt",
        "id: a\tChunk: [PERSON#1] hid the silver lantern from [PERSON#2].\nid: b\tChunk: It rained.\n",
    );
    let found = report(&desk, "final_qa_pairs.json", "chunks.txt");
    assert_eq!(found["parts"][0]["source"]["n_documents"], 2);
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
    for (qa, texts, n_texts, n_choices, n_named) in [
        ("eng_qa.parquet", "eng.parquet", 6, 3, 1),
        ("chs_qa.parquet", "chs.parquet", 4, 2, 1),
    ] {
        let found = report(&desk, qa, texts);
        assert_eq!(found["parts"][0]["source"]["n_documents"], n_texts, "{qa}");
        assert_eq!(figure(&found, "banyan", "choice"), (1.0, n_choices), "{qa}: {found}");
        assert_eq!(figure(&found, "banyan", "reversion").1, n_named, "{qa}");
        let groups = &found["parts"][0]["questions"][0]["groups"];
        assert!(groups.as_array().is_some_and(|groups| !groups.is_empty()), "{groups}");
    }
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
        desk.put("suite.toml", suite(qa, "eng.parquet"));
        desk.run(["eval", "suite.toml"]).refused(&[qa, says]);
    }
    for (texts, says) in [
        ("other.parquet", "no `text`"),
        ("eng_qa.parquet", "no `text`"),
        ("none.parquet", "no `text`"),
        ("cut.parquet", "not a parquet table"),
        ("empty.parquet", "not a parquet table"),
    ] {
        desk.put("suite.toml", suite("eng_qa.parquet", texts));
        desk.run(["eval", "suite.toml"]).refused(&[texts, says]);
    }
}

#[test]
fn sets_that_cannot_be_used_are_refused_before_any_work() {
    let desk = reference().with("empty.txt", "");
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
        // The texts say nothing, too: the questions are looked at first.
        desk.put("suite.toml", suite("bad.json", "empty.txt"));
        desk.run(["eval", "suite.toml"]).refused(&["bad.json", says]);
    }
    desk.put("bad.parquet", "PAR1");
    desk.put("suite.toml", suite("bad.parquet", "empty.txt"));
    desk.run(["eval", "suite.toml"]).refused(&["not a parquet table"]);
    desk.put("suite.toml", suite("final_qa_pairs.json", "missing.json"));
    desk.run(["eval", "suite.toml"]).refused(&["missing.json"]);
    desk.exam(["leakage", "missing"]).refused(&["key.json"]);
}
