//! Floors of retrieval without any model. They are set a little below what was measured, so that a change that loses
//! evidence is seen; the figures themselves are printed by `banyan eval`.

use crate::{desk, list};
use banyan_tests::workspace::{place, root};
use serde_json::{Value, json};
use std::env;

#[track_caller]
fn figure(report: &Value, system: &str, metric: &str, k: &str) -> f64 {
    let value = &report["systems"][system][metric][k];
    let found = value.as_f64();
    found.unwrap_or_else(|| panic!("systems.{system}.{metric}.{k}: expected a number, found {value}"))
}

/// Holds a floor for Banyan.
#[track_caller]
fn check(report: &Value, metric: &str, k: &str, floor: f64) {
    let found = figure(report, "banyan", metric, k);
    assert!(
        found >= floor,
        "{}: {metric}@{k} is {found:.3}; expected at least {floor}",
        report["dataset"]
    );
}

/// Measured: recall@5 .876, recall@8 .959, all-gold@8 .892 (BM25: .892, .919, .784).
#[test]
fn banyan_finds_the_evidence_in_the_demo_corpus_and_reports_every_figure_and_every_route() {
    let arguments = ["eval", &place("data/harrow"), "--ablation", "--json"];
    let report = desk().run(arguments).done().json();
    check(&report, "recall", "5", 0.86);
    check(&report, "recall", "8", 0.94);
    check(&report, "all_gold", "8", 0.86);
    // At 2 and 5 the two are within each other's interval.
    for (metric, k) in [("recall", "8"), ("recall", "10"), ("all_gold", "8"), ("all_gold", "10")] {
        check(&report, metric, k, figure(&report, "bm25", metric, k));
    }

    let head = ["embedder", "questions", "scored"].map(|name| report[name].clone());
    assert_eq!(head, [json!("none"), json!(40), json!(37)]);
    for system in ["bm25", "banyan"] {
        for (metric, k) in ["recall", "all_gold"]
            .iter()
            .flat_map(|metric| ["2", "5", "8", "10"].map(|k| (metric, k)))
        {
            let value = figure(&report, system, metric, k);
            let interval = &report["systems"][system]["interval"][metric][k];
            let (low, high) = (interval[0].as_f64().unwrap(), interval[1].as_f64().unwrap());
            assert!(
                0.0 <= low && low <= value && value <= high && high <= 1.0,
                "{system} {metric}@{k}: {value} in {interval}"
            );
        }
    }
    assert!(report["build"]["cpu_seconds"].is_number() && report["query"]["p50_ms"].is_number());
    let systems = report["systems"].as_object().unwrap();
    assert!(
        !systems.contains_key("dense") && !systems.contains_key("hybrid"),
        "without dense vectors"
    );

    let routes = &report["ablation"];
    let recall = |name: &str| routes[name]["recall"]["10"].as_f64();
    let all = recall("all").unwrap();
    for route in ["chunk", "entity", "triple", "community", "path"] {
        let without = recall(&format!("without {route}")).unwrap();
        assert!(without <= all + 0.1, "{route}");
        assert!(recall(&format!("{route} alone")).unwrap() > 0.0, "{route}");
    }
    let asked = list(&report["per_question"]);
    let is_whole = |one: &Value| one["gold"].is_array() && one["retrieved"].is_array();
    assert!(asked.len() == 40 && asked.iter().all(is_whole));
    let mut groups = report["groups"].as_object().unwrap().keys();
    assert!(groups.any(|name| name.ends_with(" gold")));
}

/// A public set below the directory that `BANYAN_DATA` names; relative paths count from the root.
#[allow(clippy::print_stderr, reason = "a skipped test must be seen")]
pub(crate) fn public(path: &str) -> Option<String> {
    let data = env::var_os("BANYAN_DATA").filter(|data| !data.is_empty());
    if data.is_none() {
        eprintln!("skipped: BANYAN_DATA is not set");
    }
    Some(root().join(data?).join(path).to_string_lossy().into_owned())
}

/// The same for a public set.
fn check_public(name: &str, metric: &str, k: &str, floor: f64) {
    if let Some(data) = public(&format!("multihop/{name}")) {
        let report = desk().run(["eval", &data, "--json"]).done().json();
        check(&report, metric, k, floor);
    }
}

#[test]
fn banyan_finds_the_evidence_in_hotpot100() {
    check_public("hotpot100", "recall", "5", 0.94);
}

#[test]
fn banyan_finds_the_evidence_in_2wiki51() {
    check_public("2wiki51", "all_gold", "8", 0.95);
}

#[test]
fn banyan_finds_the_evidence_in_musique100() {
    check_public("musique100", "recall", "5", 0.68);
}
