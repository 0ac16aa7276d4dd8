//! `banyan communities` and `banyan export`: communities for people, and files for other programs.

use crate::{desk, list};
use banyan_tests::Desk;
use serde_json::{Value, json};
use std::env;
use std::process::Command;

/// A desk with a store of two towns and a painter whose name means something in every format.
fn built() -> Desk {
    let desk = desk().with_files([
        (
            "texts/Ada.txt",
            "Ada \"Quill\" Foss & <Sons> was a painter. Ada Foss was born in Vessing in 1901.",
        ),
        (
            "texts/Vessing.txt",
            "Vessing is a town in Harrow. Vessing has 4,120 inhabitants. Bo Ferren was born in Vessing.",
        ),
        ("texts/Tidd.txt", "Tidd is a town in Harrow. Cass Orde lived in Tidd."),
    ]);
    desk.banyan("build texts").done();
    desk
}

fn nodes(desk: &Desk, file: &str) -> Vec<Value> {
    let mut object: Value = serde_json::from_str(&desk.read(file)).unwrap();
    list(&object["nodes"].take()).to_vec()
}

#[test]
fn every_node_has_a_level_a_description_and_sources_and_a_part_can_be_chosen() {
    let desk = built();
    desk.banyan("export --out all.json").done();
    let all = nodes(&desk, "all.json");
    for level in 1..=4 {
        assert!(all.iter().any(|node| node["level"] == level), "level {level}");
    }
    for node in &all {
        let sources = list(&node["sources"]);
        assert!(!node["description"].as_str().unwrap().is_empty(), "{node:#}");
        assert!(!sources.is_empty() || node["kind"] == "community", "{node:#}");
        for source in sources {
            let mut parts = source.as_str().unwrap().rsplitn(3, ':');
            let [column, line] = [(); 2].map(|()| parts.next().unwrap().parse::<usize>().unwrap());
            let text = desk.read(parts.next().unwrap());
            let line = text.lines().nth(line - 1).unwrap();
            assert!(line.chars().nth(column - 1).is_some(), "{node:#}");
        }
    }
    desk.banyan("export --level triples --out all.json --force").done();
    desk.banyan("export --level triples --out one.json --community 0")
        .done();
    desk.banyan("export --level triples --out near.json --entity Vessing --depth 1")
        .done();
    let [all, one, near] = ["all.json", "one.json", "near.json"].map(|file| nodes(&desk, file));
    assert!(one.len() < all.len() && near.len() < all.len());
    let is_near = |name: &str| near.iter().any(|node| node["name"] == name);
    assert!(is_near("Vessing") && !is_near("Cass Orde"));
}

#[test]
fn communities_are_shown_with_why_they_belong_together() {
    let desk = built();
    desk.banyan("communities")
        .done()
        .prints(&["over ", "keywords", "relations", "—born_in→ Vessing", ".txt:"]);
    let views = desk.banyan("communities --json").done().json();
    let n_members: usize = list(&views).iter().map(|view| list(&view["members"]).len()).sum();
    let stats = desk.banyan("stats --json").done().json();
    assert_eq!(json!(n_members), stats["entities"], "each entity in one community");
    for fact in ["facts", "attributes"] {
        let stated: Vec<&Value> = list(&views).iter().flat_map(|view| list(&view[fact])).collect();
        let is_scored = |fact: &&Value| fact["score"] == json!(list(&fact["sources"]).len());
        assert!(!stated.is_empty() && stated.iter().all(is_scored), "{fact}");
    }
    let one = desk.banyan("communities --community 0").done().stdout;
    assert!(
        one.contains("#0 ") && one.contains("members\n") && !one.contains("#1 "),
        "{one}"
    );
    desk.banyan("communities --community 99")
        .refused(&["--community 99", "below"]);
}

#[test]
fn nothing_is_overwritten_unless_asked_and_what_cannot_be_exported_is_refused() {
    let desk = built().with("mine.json", "my own");
    desk.banyan("export --out mine.json")
        .refused(&["mine.json", "is there already", "--force"]);
    assert_eq!(desk.read("mine.json"), "my own");
    desk.banyan("export --out mine.json --force").done();
    assert!(!nodes(&desk, "mine.json").is_empty());
    desk.banyan("export --out tables --format csv").done();
    for (line, says) in [
        ("--out tables --format csv", &["nodes.csv", "--force"][..]),
        ("--out file.txt", &["file.txt", "which format", "--format"]),
        (
            "--out a.json --community 99",
            &["--community 99", "expected a number below"],
        ),
        ("--out a.json --entity Nobody", &["Nobody", "no such name"]),
        ("--out texts/Ada.txt/a.json", &["texts/Ada.txt/a.json"]),
        ("--out texts --format obsidian", &["texts", "--force"]),
    ] {
        desk.banyan(&format!("export {line}")).refused(says);
    }
    let unknown = desk.banyan("export --out a --format gexf");
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("[possible values: json, jsonl, graphml, csv, "));
    desk.banyan("export --out all.cypher").done();
    assert!(desk.read("all.cypher").contains("-[:`born_in` "));
    desk.banyan("export --out notes --format obsidian").done();
    let painter = desk.read("notes/Ada.md");
    assert!(
        painter.contains("- born_in:: [[Vessing]] (texts/Ada.txt:1:"),
        "{painter}"
    );
}

/// Reads the files as networkx does and prints how many nodes and edges each has; then the rows that pandas finds, and the
/// triples and labels that rdflib does.
const SCRIPT: &str = "
import json, networkx as nx
link = nx.node_link_graph(json.load(open('all.json')), edges='edges')
for graph in [link, nx.read_graphml('all.graphml', force_multigraph=True)]:
    print(graph.number_of_nodes(), graph.number_of_edges(), len({data.get('level') for _, data in graph.nodes(data=True)}))
import pandas, rdflib
rows = pandas.read_json('all.jsonl', lines=True)
print(rows['node'].notna().sum(), rows['edge'].notna().sum())
graph = rdflib.Graph().parse('all.nt', format='nt')
print(len(graph), rdflib.Literal('Vessing') in set(graph.objects(None, rdflib.RDFS.label)))
";

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test must be seen")]
fn networkx_pandas_and_rdflib_read_what_is_written() {
    let Some(python) = env::var_os("BANYAN_NETWORKX").filter(|python| !python.is_empty()) else {
        eprintln!("skipped: BANYAN_NETWORKX names no Python that has networkx, pandas and rdflib");
        return;
    };
    let desk = built();
    for file in ["all.json", "all.graphml", "all.jsonl", "all.nt"] {
        desk.banyan(&format!("export --out {file}")).done();
    }
    let mut command = Command::new(python);
    let read = command
        .args(["-c", SCRIPT])
        .current_dir(desk.path(""))
        .output()
        .unwrap();
    let said = String::from_utf8(read.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let n = nodes(&desk, "all.json").len().to_string();
    assert!(
        lines.len() == 4
            && lines[0] == lines[1]
            && lines[0].starts_with(&n)
            && lines[0].ends_with(" 4")
            && lines[0].starts_with(lines[2])
            && lines[3].ends_with(" True"),
        "{said}\n{}",
        String::from_utf8_lossy(&read.stderr)
    );
}
