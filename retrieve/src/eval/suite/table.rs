//! A report as a table for a terminal.

use super::Report;
use super::figure::{Figure, figures};
use super::part::{Cost, Part};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Differences with a smaller p are marked.
const SIGNIFICANT: f64 = 0.05;

/// Set by set: a row a metric, a column a method.
impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            show(f, part, self.seed)?;
        }
        for reason in &self.skipped {
            writeln!(f, "skipped: {reason}")?;
        }
        let marked = format!("* differs from the baseline with p < {SIGNIFICANT} (paired randomisation)");
        write!(f, "in brackets: 95 % bootstrap intervals; {marked}")
    }
}

fn show(text: &mut Formatter<'_>, part: &Part, seed: u64) -> fmt::Result {
    let figures = figures(part, seed);
    let methods: Vec<&String> = part.methods.keys().collect();
    let mut cells: BTreeMap<(&str, &str), &Figure> = BTreeMap::new();
    for figure in &figures {
        cells.insert((&figure.metric, &figure.method), figure);
    }
    let shown = |metric: &str, method: &str| {
        cells
            .get(&(metric, method))
            .map_or_else(String::new, |figure| cell(figure))
    };
    let width = |method: &String| {
        let longest = part
            .metrics()
            .into_iter()
            .map(|metric| shown(metric, method).chars().count())
            .max();
        longest.unwrap_or(0).max(method.chars().count())
    };
    let widths: Vec<usize> = methods.iter().map(|method| width(method)).collect();
    let first = part
        .metrics()
        .iter()
        .map(|metric| metric.len())
        .max()
        .unwrap_or(0)
        .max("metric".len());
    writeln!(text, "{}", heading(part))?;
    write!(text, "  {:<first$} {:>5}", "metric", "n")?;
    for (method, width) in methods.iter().zip(&widths) {
        write!(text, "  {method:<width$}")?;
    }
    writeln!(text)?;
    for metric in part.metrics() {
        let n = figures
            .iter()
            .filter(|figure| figure.metric == metric)
            .map(|figure| figure.n)
            .max();
        let Some(n) = n else { continue };
        write!(text, "  {metric:<first$} {n:>5}")?;
        for (method, width) in methods.iter().zip(&widths) {
            write!(text, "  {:<width$}", shown(metric, method))?;
        }
        writeln!(text)?;
    }
    writeln!(text, "  {}", cost(&part.cost))?;
    writeln!(text, "  {}", part.source.command)
}

/// Name, sizes, embedder and store.
pub(super) fn heading(part: &Part) -> String {
    let source = &part.source;
    let store = match source.store.get(..12) {
        Some(start) => format!(", store {start}"),
        None => String::new(),
    };
    format!(
        "{}: {} documents, {} questions, embedder {}{store}, baseline {}",
        part.set,
        source.n_documents,
        part.questions.len(),
        source.embedder,
        part.baseline
    )
}

/// What a set took, in words.
pub(super) fn cost(cost: &Cost) -> String {
    let peak = cost.peak_mb.map_or_else(String::new, |mb| format!(", peak {mb} MB"));
    let calls = if cost.n_calls > 0 {
        format!("; {} calls of a model, {} tokens", cost.n_calls, cost.n_tokens)
    } else {
        String::new()
    };
    format!(
        "build {:.2} s cpu and {:.2} s embedding{peak}; a question p50 {:.2} ms, p95 {:.2} ms{calls}",
        cost.build_cpu_seconds,
        cost.embedding_cpu_seconds,
        cost.percentile(50),
        cost.percentile(95)
    )
}

fn cell(figure: &Figure) -> String {
    let (low, high) = figure.interval;
    let mark = if is_significant(figure) { "*" } else { "" };
    format!("{:.3} [{low:.2}, {high:.2}]{mark}", figure.value)
}

/// Whether the difference from the baseline is more than chance.
pub(super) fn is_significant(figure: &Figure) -> bool {
    figure
        .baseline
        .as_ref()
        .is_some_and(|baseline| baseline.paired.p < SIGNIFICANT)
}
