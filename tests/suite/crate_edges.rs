//! Which crate may know which: an edge more is a wall less.

use banyan_tests::workspace::{members, shipped, text};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

/// The whole graph among our own crates; `tests` may know any crate, and none may know it.
const EDGES: [(&str, &str); 6] = [
    ("engine", ""),
    ("extract", "banyan-engine"),
    ("community", "banyan-engine"),
    ("retrieve", "banyan-engine banyan-extract"),
    ("cli", "banyan-community banyan-engine banyan-extract banyan-retrieve"),
    (
        "benches",
        "banyan banyan-community banyan-engine banyan-extract banyan-retrieve",
    ),
];

/// The manifest of a member.
fn manifest(member: &str) -> Table {
    toml::from_str(&text(&format!("{member}/Cargo.toml"))).expect(member)
}

#[test]
fn crates_know_only_those_below_them_and_every_member_has_its_place() {
    for (member, expected) in EDGES {
        let manifest = manifest(member);
        let names = manifest["dependencies"].as_table().unwrap().keys();
        let found: BTreeSet<&str> = names
            .map(String::as_str)
            .filter(|name| name.starts_with("banyan"))
            .collect();
        assert_eq!(found, expected.split_whitespace().collect(), "edges of {member}");
    }
    let placed: BTreeSet<&str> = EDGES.iter().map(|(member, _)| *member).chain(["tests"]).collect();
    let members = members();
    assert_eq!(members.iter().map(String::as_str).collect::<BTreeSet<_>>(), placed);
}

#[test]
fn versions_lints_and_package_fields_are_written_in_the_root_only() {
    let inherits = |value: &Value| value.get("workspace").and_then(Value::as_bool) == Some(true);
    for member in members() {
        let manifest = manifest(&member);
        assert!(inherits(&manifest["lints"]), "lints of {member}");
        for field in ["version", "edition", "rust-version", "license", "publish"] {
            assert!(inherits(&manifest["package"][field]), "{member}: {field}");
        }
        let platform = manifest.get("target");
        assert_eq!(platform, None, "{member}: dependencies of one platform are in no edge");
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (name, value) in manifest.get(section).and_then(Value::as_table).into_iter().flatten() {
                assert!(
                    inherits(value) && value.get("version").is_none(),
                    "{member}: {name}: expected `workspace = true`"
                );
            }
        }
    }
}

/// Top-level modules that still know each other in a circle. The lists may only become shorter.
const CIRCLES: [(&str, &str); 2] = [
    ("engine", "fact graph index knowledge name resolution schema stated"),
    ("extract", "han word"),
];

/// Which top-level modules of a crate each of them names by `crate::…`.
fn modules(member: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (place, code) in shipped(member) {
        let top = place.split('/').next().unwrap_or(&place).trim_end_matches(".rs");
        if ["lib", "main", "bin"].contains(&top) {
            continue;
        }
        let named = known.entry(top.to_owned()).or_default();
        for rest in code.split("crate::").skip(1) {
            let list = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            let names: Vec<&str> = list.map_or(vec![rest], |(list, _)| list.split(',').collect());
            for name in names {
                let end = name
                    .trim_start()
                    .split(|ch: char| !ch.is_alphanumeric() && ch != '_')
                    .next();
                named.extend(end.map(str::to_owned));
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
        let allowed: Vec<&str> = allowed.map_or("", |(_, list)| list).split_whitespace().collect();
        let known = modules(&member);
        let mut found = in_circles(&known);
        found.retain(|module| !allowed.contains(module));
        assert!(
            found.is_empty(),
            "{member}: modules that lead back to themselves: {found:?}"
        );
    }
}

#[test]
fn circles_are_found() {
    let known = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("e", "e")];
    let known = known.map(|(module, named)| (module.to_owned(), BTreeSet::from([named.to_owned()])));
    assert_eq!(in_circles(&BTreeMap::from(known)), BTreeSet::from(["a", "b", "c"]));
}
