//! Which crate may know which: an edge more is a wall less.

use banyan_tests::workspace::{members, sources, text};
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

/// Top-level modules that still know each other in a circle. The lists may only become shorter.
const CIRCLES: [(&str, &[&str]); 4] = [
    (
        "engine",
        &[
            "fact",
            "graph",
            "index",
            "knowledge",
            "name",
            "resolution",
            "schema",
            "stated",
        ],
    ),
    (
        "extract",
        &[
            "compiled",
            "facts",
            "reading",
            "spread",
            "triples",
            "types",
            "han",
            "word",
            "learn",
            "statement",
        ],
    ),
    (
        "retrieve",
        &[
            "agent",
            "answer",
            "calibration",
            "config",
            "decompose",
            "evidence",
            "route",
            "searcher",
        ],
    ),
    (
        "cli",
        &[
            "args",
            "build",
            "commands",
            "compose",
            "eval",
            "extraction",
            "language",
            "patterns",
            "reasoning",
            "records",
            "summary",
            "tree",
        ],
    ),
];

/// Which top-level modules of a crate each of them names, by `crate::…` outside tests and comments.
fn modules(member: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in sources() {
        let Some(path) = file.strip_prefix(&format!("{member}/src/")) else {
            continue;
        };
        let top = path.split('/').next().unwrap_or(path).trim_end_matches(".rs");
        if path.strip_suffix(".rs").is_none() || ["lib", "main", "bin"].contains(&top) || path.contains("tests") {
            continue;
        }
        let (shipped, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        let lines = shipped.lines().filter(|line| !line.trim_start().starts_with("//"));
        let named = known.entry(top.to_owned()).or_default();
        for rest in lines.collect::<Vec<_>>().join("\n").split("crate::").skip(1) {
            let list = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            for name in list.map_or(rest, |(list, _)| list).split(',') {
                let is_part = |ch: char| ch.is_alphanumeric() || ch == '_';
                named.insert(name.trim_start().chars().take_while(|ch| is_part(*ch)).collect());
                if list.is_none() {
                    break;
                }
            }
        }
    }
    known
}

/// Those that lead back to themselves.
fn in_circles(known: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&str> {
    let leads_back = |start: &&String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![*start]);
        while let Some(module) = open.pop() {
            for next in known[module]
                .iter()
                .filter(|next| *next != module && known.contains_key(*next))
            {
                if next == *start {
                    return true;
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    };
    known.keys().filter(leads_back).map(String::as_str).collect()
}

#[test]
fn modules_know_each_other_in_one_direction() {
    for member in members() {
        let allowed = CIRCLES.iter().find(|(name, _)| *name == member);
        let allowed: BTreeSet<&str> = allowed.map_or(&[][..], |(_, list)| *list).iter().copied().collect();
        let known = modules(&member);
        let found = in_circles(&known);
        let new: Vec<_> = found.difference(&allowed).collect();
        assert!(
            new.is_empty(),
            "{member}: modules that lead back to themselves: {new:?}"
        );
    }
}

#[test]
fn circles_are_found() {
    let known = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("e", "e")];
    let known = known.map(|(module, named)| (module.to_owned(), BTreeSet::from([named.to_owned()])));
    assert_eq!(in_circles(&BTreeMap::from(known)), BTreeSet::from(["a", "b", "c"]));
}
