//! A report as a table: for a terminal, or for a page in Markdown.

use super::Report;
use super::figure::{Figure, figures};
use super::part::{Cost, Part, percentile};
use std::collections::BTreeSet;

/// Differences with a smaller p are marked.
const SIGNIFICANT: f64 = 0.05;

/// A table of each set for a terminal, intervals in brackets: a row a metric, a column a method; turned where that is
/// less wide.
pub fn text(report: &Report) -> String {
    let mut lines = Vec::new();
    for part in &report.parts {
        let names = part.names();
        let head = ["metric", "n"].into_iter().chain(names.iter().copied());
        let mut rows = vec![head.map(str::to_owned).collect()];
        rows.extend(self::rows(part, &names, report.seed, interval));
        if rows[0].len() > rows.len() + 1 {
            rows = turned(&rows);
        }
        lines.push(heading(part));
        lines.extend(aligned(&rows));
        lines.extend(cost(&part.cost).map(|cost| format!("  {cost}")));
    }
    lines.extend(report.skipped.iter().map(|reason| format!("skipped: {reason}")));
    lines.push(format!(
        "in brackets: 95 % bootstrap intervals; * differs from the baseline with p < {SIGNIFICANT} (paired randomisation)"
    ));
    lines.join("\n")
}

/// One table of all sets for a Markdown page: a row a set and metric, a column a method.
pub fn markdown(report: &Report) -> String {
    let names: BTreeSet<&str> = report.parts.iter().flat_map(Part::names).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | ")).replace("|  |", "| |");
    let head = ["set", "passages", "figure", "n"];
    let head: Vec<String> = head.iter().chain(&names).map(|cell| (*cell).to_owned()).collect();
    let mut lines = vec![format!("|{}", "---|".repeat(head.len()))];
    lines.insert(0, line(head));
    for part in &report.parts {
        let rows = rows(part, &names, report.seed, |figure| format!("{:.3}", figure.value));
        for (at, row) in rows.into_iter().enumerate() {
            let first = [part.set.clone(), part.source.n_documents.to_string()];
            let first = if at == 0 { first } else { Default::default() };
            lines.push(line(first.into_iter().chain(row).collect()));
        }
    }
    lines.join("\n")
}

/// For each metric its name, how many count, and a cell for each method.
fn rows(part: &Part, names: &[&str], seed: u64, cell: impl Fn(&Figure) -> String) -> Vec<Vec<String>> {
    let figures = figures(part, seed);
    let mut rows = Vec::new();
    for metric in part.metrics() {
        let of = |name: &&str| figures.iter().find(|one| one.method == *name && one.metric == metric);
        let Some(n) = names.iter().filter_map(of).map(|figure| figure.n).max() else {
            continue;
        };
        let mut row = vec![metric.to_owned(), n.to_string()];
        row.extend(names.iter().map(|name| of(name).map_or_else(String::new, &cell)));
        rows.push(row);
    }
    rows
}

fn turned(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let n = rows.first().map_or(0, Vec::len);
    (0..n)
        .map(|at| rows.iter().filter_map(|row| row.get(at).cloned()).collect())
        .collect()
}

/// Lines in which every column is as wide as its longest cell.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let wide = |cell: &String| cell.chars().count();
    let n = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(wide).max();
    let widths: Vec<usize> = (0..n).map(|at| width(at).unwrap_or(0)).collect();
    let pad = |(cell, width): (&String, &usize)| format!("  {cell:<width$}");
    let line = |row: &Vec<String>| row.iter().zip(&widths).map(pad).collect::<String>();
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
}

fn heading(part: &Part) -> String {
    let source = &part.source;
    let mut parts = Vec::new();
    if source.n_documents > 0 {
        parts.push(format!("{} documents", source.n_documents));
    }
    if !part.questions.is_empty() {
        parts.push(format!("{} questions", part.questions.len()));
    }
    if !source.embedder.is_empty() {
        parts.push(format!("embedder {}", source.embedder));
    }
    parts.extend(source.store.get(..12).map(|start| format!("store {start}")));
    if !part.baseline.is_empty() {
        parts.push(format!("baseline {}", part.baseline));
    }
    format!("{}: {}", part.set, parts.join(", "))
}

/// What a set took, in words; `None` where nothing was counted.
fn cost(cost: &Cost) -> Option<String> {
    let mut parts = Vec::new();
    if cost.build_cpu_seconds > 0.0 {
        parts.push(format!(
            "build {:.2} s cpu and {:.2} s embedding",
            cost.build_cpu_seconds, cost.embedding_cpu_seconds
        ));
    }
    parts.extend(cost.peak_mb.map(|mb| format!("peak {mb} MB")));
    if !cost.query_ms.is_empty() {
        let (half, most) = (percentile(&cost.query_ms, 50), percentile(&cost.query_ms, 95));
        parts.push(format!("a question p50 {half:.2} ms, p95 {most:.2} ms"));
    }
    if cost.n_calls > 0 {
        parts.push(format!("{} calls of a model, {} tokens", cost.n_calls, cost.n_tokens));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The value with its interval, and a mark where the difference from the baseline is more than chance.
fn interval(figure: &Figure) -> String {
    let is_significant = figure
        .baseline
        .as_ref()
        .is_some_and(|other| other.paired.p < SIGNIFICANT);
    let mark = if is_significant { "*" } else { "" };
    match figure.interval {
        Some((low, high)) => format!("{:.3} [{low:.2}, {high:.2}]{mark}", figure.value),
        None => format!("{:.3}", figure.value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::part::Asked;
    use super::*;

    #[test]
    fn both_tables_have_a_row_for_every_metric() {
        let mut part = Part {
            set: "notes".to_owned(),
            questions: vec![Asked::default(); 2],
            ..Part::default()
        };
        part.score("banyan", "em", 0, 1.0);
        part.score("banyan", "em", 1, 0.5);
        part.total("bm25", "f1", 9, 0.25);
        let report = Report {
            parts: vec![part],
            ..Report::default()
        };
        let expected = "| set | passages | figure | n | banyan | bm25 |\n|---|---|---|---|---|---|\n| notes | 0 | em | 2 | 0.750 | |\n| |  | f1 | 9 | | 0.250 |";
        assert_eq!(markdown(&report), expected);
        let text = text(&report);
        assert!(text.contains("em      2  0.750 [0.50, 1.00]"), "{text}");
    }
}
