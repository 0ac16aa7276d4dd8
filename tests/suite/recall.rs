//! Floors of retrieval without any model. They are set a little below what was measured, so that a change that loses
//! evidence is seen; the figures themselves are printed by `banyan eval`.

use crate::desk;
use banyan_tests::workspace::root;
use serde_json::Value;
use std::env;
use std::path::{Path, PathBuf};

const KS: [&str; 4] = ["2", "5", "8", "10"];

/// The JSON report on the set in `directory`.
fn evaluate(directory: &Path) -> Value {
    let directory = directory.to_string_lossy();
    desk().run(["eval", &directory, "--json"]).done().json()
}

#[track_caller]
fn figure(report: &Value, system: &str, metric: &str, k: &str) -> f64 {
    let value = &report["systems"][system][metric][k];
    value
        .as_f64()
        .unwrap_or_else(|| panic!("systems.{system}.{metric}.{k}: expected a number, found {value}"))
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

#[test]
fn the_report_has_every_figure_and_its_interval() {
    let report = evaluate(&root().join("data/harrow"));
    assert_eq!(
        (&report["embedder"], &report["questions"], &report["scored"]),
        (&"none".into(), &40.into(), &37.into())
    );
    for system in ["bm25", "banyan"] {
        for metric in ["recall", "all_gold"] {
            for k in KS {
                let value = figure(&report, system, metric, k);
                let interval = &report["systems"][system]["interval"][metric][k];
                let (low, high) = (interval[0].as_f64().unwrap(), interval[1].as_f64().unwrap());
                assert!(
                    0.0 <= low && low <= value && value <= high && high <= 1.0,
                    "{system} {metric}@{k}: {value} in {interval}"
                );
            }
        }
    }
    for (section, name) in [("build", "cpu_seconds"), ("query", "p50_ms")] {
        let value = &report[section][name];
        assert!(
            value.as_f64().is_some_and(|value| value >= 0.0),
            "{section}.{name}: found {value}"
        );
    }
    let dense: Vec<&str> = ["dense", "hybrid"]
        .into_iter()
        .filter(|name| report["systems"].get(name).is_some())
        .collect();
    assert!(dense.is_empty(), "{dense:?} without dense vectors");
}

#[test]
fn every_route_is_measured_by_its_absence_and_alone() {
    let directory = root().join("data/harrow");
    let arguments = ["eval", &directory.to_string_lossy(), "--ablation", "--json"];
    let report = desk().run(arguments).done().json();
    let routes = report["ablation"].as_array().unwrap();
    let names: Vec<&str> = routes.iter().map(|route| route["route"].as_str().unwrap()).collect();
    assert_eq!(names, ["chunk", "entity", "triple", "community", "path"]);
    let all = figure(&report, "banyan", "recall", "10");
    for route in routes {
        let without = route["without"]["recall"]["10"].as_f64().unwrap();
        let loss = route["loss"]["10"]["value"].as_f64().unwrap();
        assert!((all - without - loss).abs() < 1e-9, "{route}");
        assert!(route["alone"]["recall"]["10"].as_f64().unwrap() > 0.0, "{route}");
    }
    let asked = report["per_question"].as_array().unwrap();
    assert_eq!(asked.len(), 40);
    assert!(
        asked
            .iter()
            .all(|one| one["gold"].is_array() && one["retrieved"].is_array())
    );
    assert!(
        report["groups"]
            .as_object()
            .unwrap()
            .keys()
            .any(|name| name.ends_with(" gold"))
    );
}

/// Measured: recall@5 .876, recall@8 .959, all-gold@8 .892 (BM25: .892, .919, .784).
#[test]
fn banyan_finds_the_evidence_in_the_demo_corpus() {
    let report = evaluate(&root().join("data/harrow"));
    check(&report, "recall", "5", 0.86);
    check(&report, "recall", "8", 0.94);
    check(&report, "all_gold", "8", 0.86);
    // At 2 and 5 the two are within each other's interval.
    for (metric, k) in [("recall", "8"), ("recall", "10"), ("all_gold", "8"), ("all_gold", "10")] {
        check(&report, metric, k, figure(&report, "bm25", metric, k));
    }
}

/// The development set of this name, where `BANYAN_DATA` says where they are; relative paths count from the root.
#[allow(clippy::print_stderr, reason = "a skipped test must be seen")]
pub(crate) fn public(name: &str) -> Option<PathBuf> {
    let data = env::var_os("BANYAN_DATA").filter(|data| !data.is_empty());
    if data.is_none() {
        eprintln!("skipped: BANYAN_DATA is not set");
    }
    Some(root().join(data?).join("multihop").join(name))
}

#[test]
fn banyan_finds_the_evidence_in_hotpot100() {
    if let Some(data) = public("hotpot100") {
        check(&evaluate(&data), "recall", "5", 0.94);
    }
}

#[test]
fn banyan_finds_the_evidence_in_2wiki51() {
    if let Some(data) = public("2wiki51") {
        check(&evaluate(&data), "all_gold", "8", 0.95);
    }
}

#[test]
fn banyan_finds_the_evidence_in_musique100() {
    if let Some(data) = public("musique100") {
        check(&evaluate(&data), "recall", "5", 0.68);
    }
}
