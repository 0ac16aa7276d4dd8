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
    for line in spreads(part, &figures) {
        writeln!(text, "  {line}")?;
    }
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

/// The figures that a seed of the communities changes: mean, standard deviation and range over all seeds.
pub(super) fn spreads(part: &Part, figures: &[Figure]) -> Vec<String> {
    let line = |figure: &Figure| {
        let others = part.spreads.get(&format!("{} {}", figure.method, figure.metric))?;
        let values: Vec<f64> = others.iter().copied().chain([figure.value]).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(*value), high.max(*value))
        });
        Some(format!(
            "{} {} over {n} seeds: {mean:.3} ± {deviation:.3} ({low:.3} to {high:.3})",
            figure.method, figure.metric
        ))
    };
    figures.iter().filter_map(line).collect()
}

/// What a set took, in words.
pub(super) fn cost(cost: &Cost) -> String {
    let peak = cost.peak_mb.map_or_else(String::new, |mb| format!(", peak {mb} MB"));
    let calls = if cost.n_calls > 0 {
        format!("; {} calls of a model, {} tokens", cost.n_calls, cost.n_tokens)
    } else {
        String::new()
    };
    let question = if cost.query_ms.is_empty() {
        String::new()
    } else {
        format!(
            "; a question p50 {:.2} ms, p95 {:.2} ms",
            cost.percentile(50),
            cost.percentile(95)
        )
    };
    format!(
        "build {:.2} s cpu and {:.2} s embedding{peak}{question}{calls}",
        cost.build_cpu_seconds, cost.embedding_cpu_seconds
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::suite::Method;

    #[test]
    fn what_seeds_change_is_shown_with_its_spread() {
        let method = Method {
            scores: BTreeMap::from([("em".to_owned(), vec![Some(0.0), Some(1.0)])]),
            ..Method::default()
        };
        let part = Part {
            methods: BTreeMap::from([("a".to_owned(), method)]),
            spreads: BTreeMap::from([("a em".to_owned(), vec![0.4, 0.6])]),
            ..Part::default()
        };
        let lines = spreads(&part, &figures(&part, 1));
        assert_eq!(lines, ["a em over 3 seeds: 0.500 ± 0.100 (0.400 to 0.600)"]);
        assert!(spreads(&Part::default(), &[]).is_empty());
    }
}
