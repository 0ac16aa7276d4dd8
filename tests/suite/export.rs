//! `banyan communities` and `banyan export`: communities for people, and files for other programs.

use crate::desk;
use banyan_tests::Desk;
use serde_json::Value;
use std::env;
use std::fs;
use std::process::Command;

/// A desk with a store of two towns and a painter whose name means something in every format.
fn built() -> Desk {
    let desk = desk()
        .with(
            "Ada.txt",
            "Ada \"Quill\" Foss & <Sons> was a painter. Ada Foss was born in Vessing in 1901.",
        )
        .with(
            "Vessing.txt",
            "Vessing is a town in Harrow. Vessing has 4,120 inhabitants. Bo Ferren was born in Vessing.",
        )
        .with("Tidd.txt", "Tidd is a town in Harrow. Cass Orde lived in Tidd.");
    desk.run(["build", "Ada.txt", "Vessing.txt", "Tidd.txt", "--store", "store"])
        .done();
    desk
}

fn export(desk: &Desk, args: &[&str]) -> banyan_tests::Run {
    desk.run(["export", "--store", "store"].iter().chain(args))
}

fn nodes(desk: &Desk, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(desk.path(file)).unwrap();
    let object: Value = serde_json::from_str(&text).unwrap();
    object["nodes"].as_array().unwrap().clone()
}

#[test]
fn every_node_has_a_level_a_description_and_sources_that_stand_in_the_files() {
    let desk = built();
    export(&desk, &["--out", "all.json"]).done();
    let nodes = nodes(&desk, "all.json");
    let levels: Vec<u64> = (1..=4)
        .filter(|level| nodes.iter().any(|node| node["level"] == *level))
        .collect();
    assert_eq!(levels, [1, 2, 3, 4]);
    for node in &nodes {
        assert!(!node["description"].as_str().unwrap().is_empty(), "{node:#}");
        let sources = node["sources"].as_array().unwrap();
        assert!(!sources.is_empty() || node["kind"] == "community", "{node:#}");
        for source in sources {
            let (file, span) = source.as_str().unwrap().rsplit_once(':').unwrap();
            let (start, end) = span.split_once("..").unwrap();
            let text = fs::read_to_string(desk.path(file)).unwrap();
            assert!(
                text.get(start.parse().unwrap()..end.parse().unwrap()).is_some(),
                "{node:#}"
            );
        }
    }
}

#[test]
fn communities_are_shown_with_why_they_belong_together() {
    let desk = built();
    let text = desk.run(["communities", "--store", "store"]).done().stdout;
    for part in ["over ", "keywords", "relations", "—born_in→ Vessing", ".txt:"] {
        assert!(text.contains(part), "expected {part:?}: {text}");
    }
    let views = desk.run(["communities", "--store", "store", "--json"]).done().json();
    let sizes = views
        .as_array()
        .unwrap()
        .iter()
        .map(|view| view["members"].as_array().unwrap().len());
    let stats = desk.run(["stats", "--store", "store", "--json"]).done().json();
    assert_eq!(
        Some(sizes.sum::<usize>() as u64),
        stats["entities"].as_u64(),
        "each entity in one community"
    );
    for fact in ["facts", "attributes"] {
        let mut stated = views
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|view| view[fact].as_array().unwrap());
        let scored = |fact: &Value| fact["score"].as_u64() == Some(fact["sources"].as_array().unwrap().len() as u64);
        assert!(stated.next().is_some_and(scored) && stated.all(scored), "{fact}");
    }
    let one = desk
        .run(["communities", "--store", "store", "--community", "0"])
        .done()
        .stdout;
    assert!(
        one.contains("#0 ") && one.contains("members\n") && !one.contains("#1 "),
        "{one}"
    );
    desk.run(["communities", "--store", "store", "--community", "99"])
        .refused(&["--community 99", "below"]);
}

#[test]
fn a_part_is_chosen_by_level_community_and_entity() {
    let desk = built();
    export(&desk, &["--out", "one.json", "--level", "triples", "--community", "0"]).done();
    export(
        &desk,
        &[
            "--out",
            "near.json",
            "--level",
            "triples",
            "--entity",
            "Vessing",
            "--depth",
            "1",
        ],
    )
    .done();
    export(&desk, &["--out", "all.json", "--level", "triples"]).done();
    let n = |file: &str| nodes(&desk, file).len();
    assert!(n("one.json") < n("all.json") && n("near.json") < n("all.json"));
    assert!(nodes(&desk, "near.json").iter().any(|node| node["name"] == "Vessing"));
    assert!(!nodes(&desk, "near.json").iter().any(|node| node["name"] == "Cass Orde"));
}

#[test]
fn nothing_is_overwritten_unless_that_is_asked() {
    let desk = built();
    desk.put("mine.json", "my own");
    export(&desk, &["--out", "mine.json"]).refused(&["mine.json", "is there already", "--force"]);
    assert_eq!(fs::read_to_string(desk.path("mine.json")).unwrap(), "my own");
    export(&desk, &["--out", "mine.json", "--force"]).done();
    assert!(!nodes(&desk, "mine.json").is_empty());
    export(&desk, &["--out", "tables", "--format", "csv"]).done();
    export(&desk, &["--out", "tables", "--format", "csv"]).refused(&["nodes.csv", "--force"]);
}

#[test]
fn what_cannot_be_exported_is_refused_in_one_line() {
    let desk = built();
    export(&desk, &["--out", "file.txt"]).refused(&["file.txt", "which format", "--format"]);
    export(&desk, &["--out", "a", "--format", "gexf"]).refused(&["gexf", "use graphml"]);
    export(&desk, &["--out", "a.json", "--community", "99"]).refused(&["--community 99", "expected a number below"]);
    export(&desk, &["--out", "a.json", "--entity", "Nobody Atall"]).refused(&["Nobody Atall", "no such name"]);
    export(&desk, &["--out", "Ada.txt/a.json"]).refused(&["Ada.txt/a.json"]);
}

/// Reads the files as networkx does and prints how many nodes and edges each has.
const SCRIPT: &str = "
import json, networkx as nx
link = nx.node_link_graph(json.load(open('all.json')), edges='edges')
for graph in [link, nx.read_graphml('all.graphml', force_multigraph=True)]:
    print(graph.number_of_nodes(), graph.number_of_edges(), len({data.get('level') for _, data in graph.nodes(data=True)}))
";

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test must be seen")]
fn networkx_reads_what_is_written() {
    let Some(python) = env::var_os("BANYAN_NETWORKX").filter(|python| !python.is_empty()) else {
        eprintln!("skipped: BANYAN_NETWORKX names no Python that has networkx");
        return;
    };
    let desk = built();
    for file in ["all.json", "all.graphml"] {
        export(&desk, &["--out", file]).done();
    }
    let read = Command::new(python)
        .args(["-c", SCRIPT])
        .current_dir(desk.path(""))
        .output()
        .unwrap();
    let said = String::from_utf8(read.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let stderr = String::from_utf8_lossy(&read.stderr);
    assert!(
        lines.len() == 2 && lines.iter().all(|line| *line == lines[0]),
        "{said}\n{stderr}"
    );
    assert!(
        lines[0].ends_with(" 4") && lines[0].starts_with(&nodes(&desk, "all.json").len().to_string()),
        "{said}"
    );
}
