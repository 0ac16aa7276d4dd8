//! Which crate may know which: an edge more is a wall less.

use banyan_tests::workspace::{members, text};
use std::collections::{BTreeMap, BTreeSet};

/// The whole graph among our own crates; `tests` may know any crate, and none may know it.
const EDGES: [(&str, &[&str]); 6] = [
    ("engine", &[]),
    ("extract", &["banyan-engine"]),
    ("community", &["banyan-engine"]),
    ("retrieve", &["banyan-engine", "banyan-extract"]),
    (
        "cli",
        &["banyan-community", "banyan-engine", "banyan-extract", "banyan-retrieve"],
    ),
    (
        "benches",
        &[
            "banyan",
            "banyan-community",
            "banyan-engine",
            "banyan-extract",
            "banyan-retrieve",
        ],
    ),
];
/// Members that only look on.
const ONLOOKERS: [&str; 1] = ["tests"];

/// The lines of a manifest by section.
fn sections(manifest: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut sections: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut current = "";
    for line in manifest
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(header) => current = header.trim_matches(['[', ']']),
            None => sections.entry(current).or_default().push(line),
        }
    }
    sections
}

/// Dependencies in sections that `is_wanted` admits, as `name` and the rest of the line.
fn dependencies(manifest: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<(&str, &str)> {
    sections(manifest)
        .into_iter()
        .filter(|(header, _)| is_wanted(header))
        .flat_map(|(_, lines)| lines)
        .map(|line| line.split_at(line.find([' ', '.', '=']).unwrap_or(line.len())))
        .collect()
}

/// `[dependencies]`, also those of one platform; a dependency must not have a section of its own.
fn is_runtime(header: &str) -> bool {
    header == "dependencies" || (header.starts_with("target.") && header.ends_with(".dependencies"))
}

#[test]
fn crates_know_only_those_below_them() {
    for (member, expected) in EDGES {
        let manifest = text(&format!("{member}/Cargo.toml"));
        let found: BTreeSet<&str> = dependencies(&manifest, is_runtime)
            .into_iter()
            .map(|(name, _)| name)
            .filter(|name| name.starts_with("banyan"))
            .collect();
        assert_eq!(found, expected.iter().copied().collect(), "edges of {member}");
    }
}

#[test]
fn every_member_has_its_place_in_the_graph() {
    let placed: BTreeSet<&str> = EDGES.iter().map(|(member, _)| *member).chain(ONLOOKERS).collect();
    let members = members();
    assert_eq!(members.iter().map(String::as_str).collect::<BTreeSet<_>>(), placed);
}

#[test]
fn versions_are_written_in_the_root_only() {
    for member in members() {
        let manifest = text(&format!("{member}/Cargo.toml"));
        let all = dependencies(&manifest, |header| header.ends_with("dependencies"));
        assert!(
            !all.is_empty(),
            "{member}: no dependencies found; does this test still read the manifest?"
        );
        for (name, rest) in all {
            let inherits = rest.replace(' ', "").contains("workspace=true");
            assert!(
                inherits && !rest.contains("version"),
                "{member}: {name}{rest}: expected `workspace = true`"
            );
        }
        let apart = sections(&manifest)
            .keys()
            .any(|header| header.contains("dependencies."));
        assert!(
            !apart,
            "{member}: a dependency with a section of its own; expected one line in [dependencies]"
        );
    }
}

#[test]
fn members_inherit_lints_and_package_fields() {
    for member in members() {
        let manifest = text(&format!("{member}/Cargo.toml"));
        let sections = sections(&manifest);
        assert_eq!(
            sections.get("lints"),
            Some(&vec!["workspace = true"]),
            "lints of {member}"
        );
        for field in ["version", "edition", "rust-version", "license", "publish"] {
            let line = format!("{field}.workspace = true");
            assert!(
                sections["package"].contains(&line.as_str()),
                "{member}: expected `{line}`"
            );
        }
    }
}
