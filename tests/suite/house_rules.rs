//! Rules of the house that no compiler checks.

use banyan_tests::workspace::{members, root, sources, text};
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
const HOSTS: [&str; 13] = [
    "127.0.0.1",
    "localhost",
    "example.com",
    "github.com",
    "crates.io",
    "docs.rs",
    "doc.rust-lang.org",
    "arxiv.org",
    "huggingface.co",
    "keepachangelog.com",
    "semver.org",
    "www.apache.org",
    "graphml.graphdrawing.org",
];

/// A needle that does not occur in this file itself.
fn needle(parts: [&str; 2]) -> String {
    parts.concat()
}

/// Our own Rust files with their text.
fn rust() -> Vec<(String, String)> {
    let files: Vec<_> = sources()
        .into_iter()
        .filter(|(name, _)| Path::new(name).extension().is_some_and(|end| end == "rs"))
        .collect();
    assert!(
        files.len() > 100,
        "only {} Rust files found; does this test still see the workspace?",
        files.len()
    );
    files
}

/// The part of a source file that is compiled outside tests.
fn shipped(text: &str) -> &str {
    text.split_once("#[cfg(test)]").map_or(text, |(shipped, _)| shipped)
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
fn every_crate_is_documented_by_its_readme() {
    for member in members() {
        assert!(
            root().join(&member).join("README.md").is_file(),
            "{member}: no README.md"
        );
        let crate_root = text(&format!("{member}/src/lib.rs"));
        let first = crate_root.lines().next();
        assert_eq!(
            first,
            Some("#![doc = include_str!(\"../README.md\")]"),
            "first line of {member}/src/lib.rs"
        );
    }
}

#[test]
fn the_suite_is_one_binary() {
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
    let printing = ["println", "print", "eprintln", "eprint"].map(|name| format!("{name}!"));
    let is_pure = |name: &str| PURE.iter().any(|member| name.starts_with(&format!("{member}/src/")));
    let is_test = |name: &str| name.ends_with("/tests.rs") || name.contains("/tests/");
    for (name, text) in rust().into_iter().filter(|(name, _)| is_pure(name) && !is_test(name)) {
        for line in shipped(&text)
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            let words: Vec<&str> = line.split(|ch: char| !ch.is_alphanumeric() && ch != '_').collect();
            let is_import = line.trim_start().starts_with("use std::{");
            for module in modules {
                let imported = is_import && words.contains(&module);
                let named = line.contains(&format!("std::{module}"));
                assert!(!imported && !named, "{name}: {line}: this crate has no std::{module}");
            }
            assert!(
                !printing.iter().any(|name| line.contains(name.as_str())),
                "{name}: {line}: this crate prints nothing"
            );
        }
    }
}

#[test]
fn the_engine_touches_the_world_in_few_places() {
    let is_test = |name: &str| name.ends_with("/tests.rs") || name.contains("/tests/");
    let mut n_uses = 0;
    for (name, text) in rust().into_iter().filter(|(name, _)| !is_test(name)) {
        let Some(place) = name.strip_prefix("engine/src/") else {
            continue;
        };
        for line in shipped(&text)
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for (used, places) in ENGINE_MAY.iter().filter(|(used, _)| line.contains(used)) {
                n_uses += 1;
                assert!(
                    places.iter().any(|allowed| place.starts_with(allowed)),
                    "{name}: {line}: expected {used} only in {places:?}"
                );
            }
        }
    }
    assert!(
        n_uses > 10,
        "only {n_uses} uses found; does this test still see the engine?"
    );
}

#[test]
fn no_file_names_a_place_on_somebodys_machine() {
    let places = [
        ["/ro", "ot/"],
        ["/ho", "me/"],
        ["/Us", "ers/"],
        ["C:\\Us", "ers\\"],
        ["/wo", "rk/"],
    ]
    .map(needle);
    let mirrors = [
        ["index", "-url"],
        ["replace", "-with"],
        ["cargo_reg", "istries_"],
        ["pip_ind", "ex"],
    ]
    .map(needle);
    for (name, text) in sources() {
        for line in text.lines() {
            for forbidden in &places {
                assert!(
                    !line.contains(forbidden.as_str()),
                    "{name}: a place on one machine: {line}"
                );
            }
            for forbidden in &mirrors {
                assert!(
                    !line.to_lowercase().contains(forbidden.as_str()),
                    "{name}: names a registry: {line}"
                );
            }
        }
    }
}

#[test]
fn addresses_lead_to_known_hosts() {
    for (name, text) in sources() {
        for address in text.split("://").skip(1) {
            let host: String = address
                .chars()
                .take_while(|ch| ch.is_ascii_alphanumeric() || ".-".contains(*ch))
                .collect();
            let is_known = host.is_empty() || HOSTS.contains(&host.as_str());
            assert!(
                is_known,
                "{name}: {host} is not among the hosts that this house points to (HOSTS in house_rules.rs)"
            );
        }
    }
}
