//! Notes that link to each other, for people who keep theirs as a folder of Markdown.

use super::picture::{Edge, Node, NodeKind, Picture};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Longest name of a file, in bytes: file systems take 255, with the ending and a number.
const MAX_NAME: usize = 180;

/// A note for each branch, community and entity of a picture, by the name of its file: what it is, its attributes and
/// facts as links to other notes, and where they are said. Cost O(size · log n).
pub fn obsidian(picture: &Picture) -> BTreeMap<String, String> {
    let has_note = |node: &&Node| !matches!(node.kind, NodeKind::Attribute | NodeKind::Keyword);
    let mut taken = BTreeSet::new();
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    for node in picture.nodes.iter().filter(has_note) {
        names.insert(&node.id, file_name(node, &mut taken));
    }
    let by_id: BTreeMap<&str, &Node> = picture.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let mut from: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
    let mut to: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
    for edge in &picture.edges {
        from.entry(&edge.source).or_default().push(edge);
        to.entry(&edge.target).or_default().push(edge);
    }
    let link = |id: &str| match (names.get(id), by_id.get(id)) {
        (Some(name), _) => Some(format!("[[{name}]]")),
        (None, Some(node)) if node.kind == NodeKind::Attribute => Some(line(&node.name)),
        _ => None,
    };
    let mut notes = BTreeMap::new();
    for node in picture.nodes.iter().filter(has_note) {
        let mut text = format!("---\ntype: {}\n---\n", line(&node.type_name));
        if node.description != node.type_name {
            let _ = writeln!(text, "{}\n", line(&node.description));
        }
        for edge in from.get(node.id.as_str()).into_iter().flatten() {
            if let Some(object) = link(&edge.target) {
                // A membership of the tree is no fact of that name.
                let is_group = by_id
                    .get(edge.target.as_str())
                    .is_some_and(|node| node.kind == NodeKind::Community);
                let relation = if is_group { "in" } else { &edge.relation };
                let _ = writeln!(text, "- {relation}:: {object}{}", said(edge));
            }
        }
        let incoming = to.get(node.id.as_str()).into_iter().flatten();
        for edge in incoming.filter(|_| matches!(node.kind, NodeKind::Community | NodeKind::Branch)) {
            if let Some(subject) = link(&edge.source) {
                let _ = writeln!(text, "- {subject}");
            }
        }
        if let Some(name) = names.get(node.id.as_str()) {
            notes.insert(format!("{name}.md"), text);
        }
    }
    notes
}

/// Where a fact is said first.
fn said(edge: &Edge) -> String {
    edge.sources
        .first()
        .map_or_else(String::new, |place| format!(" ({})", line(place)))
}

fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name that every file system takes and that no other note has, also where case does not count.
fn file_name(node: &Node, taken: &mut BTreeSet<String>) -> String {
    let plain = |ch: char| {
        if ch.is_control() || "\\/:*?\"<>|#^[]%".contains(ch) {
            ' '
        } else {
            ch
        }
    };
    let name = line(&node.name.chars().map(plain).collect::<String>());
    let name = name.trim_start_matches('.').trim_end_matches('.');
    let name = &name[..name.floor_char_boundary(MAX_NAME)];
    let name = if name.is_empty() {
        node.id.clone()
    } else {
        name.to_owned()
    };
    if taken.insert(name.to_lowercase()) {
        return name;
    }
    let name = format!("{name} ({})", node.id);
    taken.insert(name.to_lowercase());
    name
}
