//! `eval community` on small graphs of its own, on the public ones where `BANYAN_DATA` has them, and what it refuses.

use crate::desk;
use crate::recall::public;
use banyan_tests::Desk;
use serde_json::Value;
use std::fmt::Write;

const METHODS: [&str; 6] = [
    "banyan",
    "louvain",
    "leiden",
    "kmeans",
    "relations_only",
    "meaning_only",
];

/// Pairs of all that are in one of two cliques of five, and a bridge.
fn pairs() -> Vec<(usize, usize)> {
    let clique = |start: usize| (start..start + 5).flat_map(move |a| (a + 1..start + 5).map(move |b| (a, b)));
    clique(0).chain(clique(5)).chain([(4, 5)]).collect()
}

fn edges() -> String {
    pairs()
        .iter()
        .fold(String::new(), |text, (a, b)| format!("{text}{a}\t{b}\n"))
}

fn gml() -> String {
    let mut text = String::from("graph [\n");
    for node in 0..10 {
        writeln!(text, "  node [ id {node} gt \"{}\" ]", node / 5).unwrap();
    }
    for (a, b) in pairs() {
        writeln!(text, "  edge [ source {a} target {b} ]").unwrap();
    }
    text + "]\n"
}

fn dump() -> String {
    let nodes: Vec<String> = (0..10)
        .map(|node| format!(r#"{{"id": "entity_{node}", "label": "entity", "topic": {}}}"#, node / 5))
        .collect();
    let edges: Vec<String> = pairs()
        .iter()
        .map(|(a, b)| format!(r#"["entity_{a}", "knows", "entity_{b}"]"#))
        .collect();
    format!(
        r#"{{"nodes": [{}], "edges": [{}]}}"#,
        nodes.join(", "),
        edges.join(", ")
    )
}

/// A matrix as numpy writes it.
fn npy(shape: &str, values: &[f32]) -> Vec<u8> {
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{header:<117}\n").bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// Two directions, one for each clique.
fn vectors() -> Vec<f32> {
    (0..10)
        .flat_map(|node| if node < 5 { [1.0, 0.0] } else { [0.0, 1.0] })
        .collect()
}

#[track_caller]
fn figure(report: &Value, path: &str) -> f64 {
    let found = report.pointer(path).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("{path}: expected a number in {report}"))
}

fn evaluate(desk: &Desk, args: &[&str]) -> Value {
    let args = [&["community", "--json", "--graph"], args].concat();
    desk.exam(args).done().json()
}

#[test]
fn two_cliques_are_found_in_every_format() {
    let nodes: String = (0..10).fold(String::new(), |text, node| {
        format!("{text}{node}\tclass{}\t{} {}\n", node / 5, node / 5, 2 + node)
    });
    let desk = desk()
        .with("two.gml", gml())
        .with("two.tsv", edges())
        .with("nodes.tsv", nodes)
        .with("two/graph.json", dump())
        .with("two/embeddings.npy", npy("10, 2", &vectors()))
        .with("two/communities_ref_x.json", r#"{"0": ["entity_0", "entity_1"]}"#);
    let runs: [(&[&str], &str); 4] = [
        (&["two.gml"], "none"),
        (&["two.gml", "--embeddings", "two/embeddings.npy"], "embeddings"),
        (&["two.tsv", "--nodes", "nodes.tsv"], "features"),
        (&["two"], "embeddings"),
    ];
    for (args, meaning) in runs {
        let report = evaluate(&desk, args);
        assert_eq!(report["meaning"], meaning);
        for method in METHODS {
            for name in ["nmi", "ari", "modularity", "coverage", "communities", "cpu_seconds"] {
                figure(&report, &format!("/methods/{method}/{name}"));
            }
            let coverage = figure(&report, &format!("/methods/{method}/coverage"));
            assert!((coverage - 1.0).abs() < 1e-12, "{method}");
        }
        for method in ["banyan", "leiden", "louvain"] {
            let nmi = figure(&report, &format!("/methods/{method}/nmi"));
            assert!((nmi - 1.0).abs() < 1e-9, "{args:?} {method}: {nmi}");
        }
        assert_eq!(report["methods"]["banyan"]["stages"].as_array().map(Vec::len), Some(3));
    }
    let stored = evaluate(&desk, &["two"]);
    assert!((figure(&stored, "/methods/reference/coverage") - 0.2).abs() < 1e-12);
    let table = desk.exam(["community", "--graph", "two"]).done().stdout;
    assert!(
        table.contains("relations_only") && table.contains("fuse cpu seconds"),
        "{table}"
    );
}

#[test]
fn without_classes_there_is_no_agreement() {
    let desk = desk().with("two.tsv", edges());
    let report = evaluate(&desk, &["two.tsv"]);
    assert!(report.pointer("/methods/banyan/nmi").is_none() && report.pointer("/methods/banyan/ari").is_none());
    assert!((figure(&report, "/methods/banyan/communities") - 2.0).abs() < 1e-12);
}

#[test]
fn what_is_no_graph_is_refused_in_one_line() {
    let desk = desk()
        .with("empty.gml", "")
        .with("none.gml", "graph [ ]")
        .with("open.gml", "graph [ node [ id 1 ]")
        .with("two.gml", gml())
        .with("graph.xml", "<graph/>")
        .with("edges.tsv", "a\tb\n")
        .with("nodes.tsv", "a\tx\n")
        .with("bad/graph.json", r#"{"nodes": 3}"#)
        .with("short.npy", npy("9, 2", &vectors()[..18]))
        .with("cut.npy", npy("10, 2", &vectors()[..18]))
        .with("flat.npy", npy("20,", &vectors()))
        .with("nan.npy", npy("10, 2", &[&vectors()[..19], &[f32::NAN]].concat()))
        .with("text.npy", "1 2 3");
    let check = |args: &[&str], says: &[&str]| {
        desk.exam([&["community", "--graph"], args].concat()).refused(says);
    };
    check(&["empty.gml"], &["empty.gml", "no nodes"]);
    check(&["none.gml"], &["no nodes"]);
    check(&["open.gml"], &["`graph` still open"]);
    check(&["graph.xml"], &["graph.xml", "unknown format", ".gml"]);
    check(&["absent.gml"], &["absent.gml", "cannot read"]);
    check(&["edges.tsv", "--nodes", "nodes.tsv"], &["line 1", "`b`"]);
    check(&["bad"], &["graph.json"]);
    check(
        &["two.gml", "--embeddings", "short.npy"],
        &["short.npy", "9 rows; expected 10"],
    );
    check(&["two.gml", "--embeddings", "cut.npy"], &["72 bytes", "expected 80"]);
    check(&["two.gml", "--embeddings", "flat.npy"], &["the shape is (20,)"]);
    check(&["two.gml", "--embeddings", "nan.npy"], &["nan.npy", "row 9 holds NaN"]);
    check(
        &["two.gml", "--embeddings", "text.npy"],
        &["text.npy", "not a .npy file"],
    );
}

/// Floors a little below what was measured.
#[test]
fn public_graphs_are_divided_as_they_were() {
    let Some(data) = public("../community") else {
        return;
    };
    let desk = desk();
    let read = |file: &str| evaluate(&desk, &[&data.join(file).to_string_lossy()]);
    let nmi = |report: &Value, method: &str| figure(report, &format!("/methods/{method}/nmi"));
    for (file, floor) in [("karate.gml", 0.55), ("football.gml", 0.88), ("polbooks.gml", 0.50)] {
        let report = read(file);
        assert!(nmi(&report, "banyan") >= floor, "{file}: {report}");
        if file != "karate.gml" {
            assert!(
                nmi(&report, "banyan") >= nmi(&report, "leiden") - 0.05,
                "{file}: {report}"
            );
        }
    }
    let planted = read("reference_n1000");
    assert!(nmi(&planted, "banyan") >= 0.97 && figure(&planted, "/methods/banyan/ari") >= 0.95);
    assert!(
        (nmi(&planted, "reference") - 0.811).abs() < 0.001
            && (figure(&planted, "/methods/reference/ari") - 0.348).abs() < 0.001
    );
    let cora = ["cora.edges.tsv", "cora.nodes.tsv"].map(|file| data.join(file).to_string_lossy().into_owned());
    let cora = evaluate(&desk, &[&cora[0], "--nodes", &cora[1]]);
    for side in ["relations_only", "meaning_only"] {
        assert!(nmi(&cora, "banyan") > nmi(&cora, side), "{side}: {cora}");
    }
}
