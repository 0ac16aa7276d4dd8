//! Markdown: the title is the first heading, the text is what a reader sees.

use super::{origin, stem};
use banyan_engine::Document;

/// One document of a Markdown file.
pub(super) fn document(file: &str, source: &str) -> Document {
    let body = without_front_matter(source);
    let mut title = None;
    let mut lines: Vec<String> = Vec::new();
    let mut in_code = false;
    for line in body.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
            continue;
        }
        let visible = if in_code { line.to_owned() } else { visible(line) };
        if title.is_none() && line.starts_with('#') && !in_code {
            title = Some(visible);
        } else if !visible.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(visible);
        }
    }
    let title = title
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| stem(file).to_owned());
    Document::new(title, lines.join("\n").trim(), origin(file, None, None))
}

fn without_front_matter(source: &str) -> &str {
    let parted = source.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    let windows = || {
        source
            .strip_prefix("---\r\n")
            .and_then(|rest| rest.split_once("\r\n---\r\n"))
    };
    parted.or_else(windows).map_or(source, |(_, body)| body)
}

/// A line without heading and list marks, emphasis, code ticks and link targets.
fn visible(line: &str) -> String {
    let line = line.trim();
    let line = line.trim_start_matches(['#', '>']).trim_start();
    let line = ["- ", "* ", "+ "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line);
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(ch) = rest.chars().next() {
        if let Some((label, tail)) = link(rest) {
            text.push_str(&visible(label));
            rest = tail;
        } else {
            if !matches!(ch, '*' | '`') {
                text.push(ch);
            }
            rest = &rest[ch.len_utf8()..];
        }
    }
    text.trim_end().to_owned()
}

/// Splits `[label](target)tail` or `![label](target)tail` at the front of `text`.
fn link(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("![").or_else(|| text.strip_prefix('['))?;
    let (label, after) = inner.split_once("](")?;
    let (target, tail) = after.split_once(')')?;
    (!label.contains('[') && !target.contains('\n')).then_some((label, tail))
}
