//! Rules of the house that no compiler checks.

use banyan_tests::workspace::{members, root, shipped, sources, text};
use std::path::Path;

/// Longest source file in lines.
const MAX_LINES: usize = 500;
/// Crates that do no I/O of their own and read no clock, no environment (ARCHITECTURE, invariant 8).
const PURE: [&str; 3] = ["extract", "community", "retrieve"];
/// Where `engine` may touch the world: a name in the code, and the places below `engine/src` that may use it.
const ENGINE_MAY: [(&str, &[&str]); 6] = [
    ("std::fs", &["store", "embed/", "llm/cassette/tape.rs"]),
    ("ureq::", &["llm/http.rs", "llm/http/"]),
    ("std::net", &[]),
    ("std::env", &[]),
    ("Instant", &["llm/http/clock.rs"]),
    ("SystemTime::now", &["llm/http/clock.rs"]),
];
/// Hosts that a source file may point to. A mirror or a machine of somebody's own is none of them.
const HOSTS: &str = "127.0.0.1 localhost example.com github.com crates.io docs.rs doc.rust-lang.org arxiv.org huggingface.co \
    keepachangelog.com semver.org www.apache.org www.w3.org graphml.graphdrawing.org \
    schemas.openxmlformats.org www.idpf.org purl.org";

/// Our own Rust files with their text.
fn rust() -> Vec<(String, String)> {
    let mut files = sources();
    files.retain(|(name, _)| Path::new(name).extension().is_some_and(|end| end == "rs"));
    let n = files.len();
    assert!(
        n > 100,
        "only {n} Rust files found; does this test still see the workspace?"
    );
    files
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    for (name, text) in rust() {
        let n = text.lines().count();
        assert!(
            n <= MAX_LINES,
            "{name}: {n} lines; expected at most {MAX_LINES}: one idea a file"
        );
    }
}

#[test]
fn every_crate_is_documented_by_its_readme_and_the_suite_is_one_binary() {
    for member in members() {
        assert!(
            root().join(&member).join("README.md").is_file(),
            "{member}: no README.md"
        );
        let crate_root = text(&format!("{member}/src/lib.rs"));
        let first = crate_root.lines().next();
        let expected = "#![doc = include_str!(\"../README.md\")]";
        assert_eq!(first, Some(expected), "first line of {member}/src/lib.rs");
    }
    for (name, _) in rust() {
        let in_tests = name.strip_prefix("tests/").is_some_and(|rest| !rest.contains('/'));
        let of_a_crate = name.split('/').nth(1) == Some("tests");
        assert!(
            !in_tests && !of_a_crate,
            "{name}: expected tests below tests/suite or beside the code"
        );
    }
}

#[test]
fn pure_crates_do_no_input_or_output() {
    let modules = ["fs", "env", "time", "net", "process"];
    let printing = ["println!", "print!", "eprintln!", "eprint!"];
    for (place, code) in PURE.into_iter().flat_map(shipped) {
        for line in code.lines() {
            let words: Vec<&str> = line.split(|ch: char| !ch.is_alphanumeric() && ch != '_').collect();
            let is_import = line.trim_start().starts_with("use std::{");
            for module in modules {
                let named = line.contains(&format!("std::{module}")) || (is_import && words.contains(&module));
                assert!(!named, "{place}: {line}: this crate has no std::{module}");
            }
            let prints = printing.iter().any(|name| line.contains(name));
            assert!(!prints, "{place}: {line}: this crate prints nothing");
        }
    }
}

#[test]
fn the_engine_touches_the_world_in_few_places() {
    let mut n_uses = 0;
    for (place, code) in shipped("engine") {
        for (used, places) in ENGINE_MAY.iter().filter(|(used, _)| code.contains(used)) {
            n_uses += 1;
            assert!(
                places.iter().any(|allowed| place.starts_with(allowed)),
                "engine: {place}: expected {used} only in {places:?}"
            );
        }
    }
    assert!(
        n_uses > 5,
        "only {n_uses} files found; does this test still see the engine?"
    );
}

#[test]
fn no_file_names_a_place_on_somebodys_machine_or_an_unknown_host() {
    // Cut in two, so that they do not occur in this file itself.
    let places = [
        ["/ro", "ot/"],
        ["/ho", "me/"],
        ["/Us", "ers/"],
        ["C:\\Us", "ers\\"],
        ["/wo", "rk/"],
    ];
    let registries = [
        ["index", "-url"],
        ["replace", "-with"],
        ["cargo_reg", "istries_"],
        ["pip_ind", "ex"],
    ];
    let (places, registries) = (
        places.map(|parts| parts.concat()),
        registries.map(|parts| parts.concat()),
    );
    let hosts: Vec<&str> = HOSTS.split_whitespace().collect();
    for (name, text) in sources() {
        for line in text.lines() {
            let place = places.iter().find(|place| line.contains(*place));
            assert_eq!(place, None, "{name}: a place on one machine: {line}");
            let lower = line.to_lowercase();
            let registry = registries.iter().find(|registry| lower.contains(*registry));
            assert_eq!(registry, None, "{name}: names a registry: {line}");
        }
        for address in text.split("://").skip(1) {
            let end = address.find(|ch: char| !ch.is_ascii_alphanumeric() && !".-".contains(ch));
            let host = &address[..end.unwrap_or(address.len())];
            assert!(
                host.is_empty() || hosts.contains(&host),
                "{name}: {host} is not among the hosts that this house points to (HOSTS in house_rules.rs)"
            );
        }
    }
}
