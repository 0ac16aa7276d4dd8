//! `banyan-eval community` on small graphs of its own, on the public ones where `BANYAN_DATA` has them, and what it
//! refuses.

use crate::recall::public;
use crate::{desk, list};
use banyan_tests::Desk;
use serde_json::{Value, json};
use std::fmt::Write;

const METHODS: &str = "banyan louvain leiden kmeans relations_only meaning_only";

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
    let id = |node: usize| format!("entity_{node}");
    let node = |node: usize| json!({"id": id(node), "label": "entity", "topic": node / 5});
    let nodes: Vec<Value> = (0..10).map(node).collect();
    let edges: Vec<Value> = pairs().iter().map(|(a, b)| json!([id(*a), "knows", id(*b)])).collect();
    json!({"nodes": nodes, "edges": edges}).to_string()
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
    [[1.0, 0.0].repeat(5), [0.0, 1.0].repeat(5)].concat()
}

#[track_caller]
fn figure(report: &Value, method: &str, metric: &str) -> f64 {
    let found = report["methods"][method][metric].as_f64();
    found.unwrap_or_else(|| panic!("{method} {metric}: expected a number in {report}"))
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "expected {expected}, found {found}");
}

fn evaluate(desk: &Desk, graph: &str) -> Value {
    let line = format!("community --json --graph {graph}");
    desk.exam(&line).done().json()
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
    for (graph, meaning) in [
        ("two.gml", "none"),
        ("two.gml --embeddings two/embeddings.npy", "embeddings"),
        ("two.tsv --nodes nodes.tsv", "features"),
        ("two", "embeddings"),
    ] {
        let report = evaluate(&desk, graph);
        assert_eq!(report["meaning"], meaning);
        for method in METHODS.split(' ') {
            for name in ["nmi", "ari", "modularity", "communities", "cpu_seconds"] {
                figure(&report, method, name);
            }
            close(figure(&report, method, "coverage"), 1.0);
        }
        for method in ["banyan", "leiden", "louvain"] {
            close(figure(&report, method, "nmi"), 1.0);
        }
        assert_eq!(list(&report["methods"]["banyan"]["stages"]).len(), 3);
        if graph == "two" {
            close(figure(&report, "reference", "coverage"), 0.2);
        }
    }
    desk.exam("community --graph two")
        .done()
        .prints(&["relations_only", "fuse cpu_seconds"]);
    let report = evaluate(&desk, "two.tsv");
    let banyan = &report["methods"]["banyan"];
    assert!(
        banyan["nmi"].is_null() && banyan["ari"].is_null(),
        "no agreement without classes"
    );
    close(figure(&report, "banyan", "communities"), 2.0);
}

#[test]
fn what_is_no_graph_is_refused_in_one_line() {
    let desk = desk()
        .with("empty.gml", "")
        .with("two.gml", gml())
        .with("graph.xml", "<graph/>")
        .with("edges.tsv", "a\tb\n")
        .with("nodes.tsv", "a\tx\n")
        .with("bad/graph.json", r#"{"nodes": 3}"#)
        .with("short.npy", npy("9, 2", &vectors()[..18]))
        .with("text.npy", "1 2 3");
    for (graph, says) in [
        ("empty.gml", &["empty.gml", "no nodes"][..]),
        ("graph.xml", &["graph.xml", "unknown format", ".gml"]),
        ("absent.gml", &["absent.gml", "cannot read"]),
        ("edges.tsv --nodes nodes.tsv", &["edges.tsv", "`b`"]),
        ("bad", &["graph.json"]),
        ("two.gml --embeddings short.npy", &["short.npy", "9 rows; expected 10"]),
        ("two.gml --embeddings text.npy", &["text.npy", "not a .npy file"]),
    ] {
        desk.exam(&format!("community --graph {graph}")).refused(says);
    }
}

/// Floors a little below what was measured.
#[test]
fn public_graphs_are_divided_as_they_were() {
    let Some(data) = public("community") else { return };
    let desk = desk();
    let read = |graph: &str| evaluate(&desk, &format!("{data}/{graph}"));
    for (file, floor) in [("karate.gml", 0.55), ("football.gml", 0.88), ("polbooks.gml", 0.50)] {
        let report = read(file);
        let nmi = |method: &str| figure(&report, method, "nmi");
        let is_no_worse = file == "karate.gml" || nmi("banyan") >= nmi("leiden") - 0.05;
        assert!(nmi("banyan") >= floor && is_no_worse, "{file}: {report}");
    }
    let planted = read("reference_n1000");
    let of = |method: &str| (figure(&planted, method, "nmi"), figure(&planted, method, "ari"));
    let (banyan, reference) = (of("banyan"), of("reference"));
    assert!(banyan.0 >= 0.97 && banyan.1 >= 0.95, "{banyan:?}");
    assert!(
        (reference.0 - 0.811).abs() < 0.001 && (reference.1 - 0.348).abs() < 0.001,
        "{reference:?}"
    );
    let cora = read(&format!("cora.edges.tsv --nodes {data}/cora.nodes.tsv"));
    for side in ["relations_only", "meaning_only"] {
        assert!(
            figure(&cora, "banyan", "nmi") > figure(&cora, side, "nmi"),
            "{side}: {cora}"
        );
    }
}
