//! A report as one HTML page with its charts: it loads nothing and runs no script.

use super::chart::{self, Bar, N_COLOURS, Series, escape};
use super::figure::{Figure, figures};
use super::part::{Method, Part};
use super::table::{cost, heading, is_significant, spreads};
use super::{Report, markdown};
use banyan::eval::coverage::Coverage;
use banyan::eval::metric::Mean;
use std::collections::BTreeMap;

/// Methods whose name begins so are Banyan without one of its parts.
pub(super) const WITHOUT: &str = "without ";
/// Methods whose name ends so answer only where they are sure: their curve would be a part of the open one.
const REJECT: &str = " reject";
/// Metrics that count for a risk–coverage curve and for groups, the first that a part has.
const CORRECT: [&str; 3] = ["em", "match", "choice"];
/// The methods whose answers are shown by group, where a part has one of them: over texts, over records.
const OWN: [&str; 2] = ["banyan", "induced_schema"];

/// The page. Cost O(5,000 × values) for the intervals and tests.
pub fn page(report: &Report) -> String {
    let sections: Vec<String> = report.parts.iter().map(|part| section(part, report.seed)).collect();
    let skipped: Vec<String> = report
        .skipped
        .iter()
        .map(|reason| format!("<li>skipped: {}</li>", escape(reason)))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{name}</title>\n<style>\n{style}</style></head>\n<body><h1>{name}</h1>\n\
         <p>Every figure is a mean over the questions of a set, with its 95 % bootstrap interval. The last columns compare it with \
         the baseline on the same questions: difference, questions won and lost, and p of a paired randomisation test \
         (<b>bold</b> below 0.05). Seed {seed}.</p>\n<pre>{command}</pre>\n<ul>{skipped}</ul>\n<section><h2>All means</h2>{overview}</section>\n{sections}</body></html>\n",
        name = escape(&report.suite),
        style = include_str!("page.css"),
        seed = report.seed,
        command = escape(&report.command),
        skipped = skipped.concat(),
        overview = markdown::html(report),
        sections = sections.join("\n"),
    )
}

fn section(part: &Part, seed: u64) -> String {
    let figures = figures(part, seed);
    let charts = [
        at_k(part, &figures, "recall"),
        at_k(part, &figures, "all-gold"),
        risk(part),
        groups(part, seed),
        routes(part, &figures),
        costs(part),
        latency(part),
    ];
    let lines = spreads(part, &figures).into_iter();
    let over_seeds: Vec<String> = lines.map(|line| format!("<p>{}</p>", escape(&line))).collect();
    let charts: Vec<String> = charts
        .into_iter()
        .flatten()
        .map(|svg| format!("<figure>{svg}</figure>"))
        .collect();
    format!(
        "<section><h2>{}</h2>\n<p>{}</p>\n<div class=\"charts\">{}</div>\n{}\n<p>{}</p>{}\n<pre>{}\nstore {}</pre></section>",
        escape(&part.set),
        escape(&heading(part)),
        charts.concat(),
        rows(&figures),
        escape(&cost(&part.cost)),
        over_seeds.concat(),
        escape(&part.source.command),
        escape(if part.source.store.is_empty() {
            "none"
        } else {
            &part.source.store
        }),
    )
}

fn rows(figures: &[Figure]) -> String {
    let row = |figure: &Figure| {
        let (low, high) = figure.interval;
        let compared = figure.baseline.as_ref().map_or_else(
            || "<td colspan=\"4\" class=\"none\">is the baseline</td>".to_owned(),
            |baseline| {
                let paired = &baseline.paired;
                let p = if is_significant(figure) {
                    format!("<b>{:.4}</b>", paired.p)
                } else {
                    format!("{:.4}", paired.p)
                };
                format!(
                    "<td>{:+.3}</td><td>[{:+.2}, {:+.2}]</td><td>+{} −{}</td><td>{p}</td>",
                    paired.difference, paired.interval.0, paired.interval.1, paired.n_better, paired.n_worse
                )
            },
        );
        format!(
            "<tr><th>{}</th><th>{}</th><td>{}</td><td>{:.3}</td><td>[{low:.2}, {high:.2}]</td>{compared}</tr>",
            escape(&figure.metric),
            escape(&figure.method),
            figure.n,
            figure.value
        )
    };
    format!(
        "<details><summary>{} figures</summary><table><thead><tr><th>metric</th><th>method</th><td>n</td><td>mean</td><td>interval</td>\
         <td>difference</td><td>interval</td><td>won, lost</td><td>p</td></tr></thead><tbody>{}</tbody></table></details>",
        figures.len(),
        figures.iter().map(row).collect::<String>()
    )
}

/// Each method has the same colour in all charts of a set.
fn colour(part: &Part, method: &str) -> usize {
    let shown = part.methods.keys().filter(|name| !name.starts_with(WITHOUT));
    shown.take_while(|name| *name != method).count() % N_COLOURS
}

fn shown(part: &Part) -> impl DoubleEndedIterator<Item = (&String, &Method)> + Clone {
    part.methods.iter().filter(|(name, _)| !name.starts_with(WITHOUT))
}

fn open(part: &Part) -> impl DoubleEndedIterator<Item = (&String, &Method)> + Clone {
    shown(part).filter(|(name, _)| !name.ends_with(REJECT))
}

/// A line a method over k.
fn at_k(part: &Part, figures: &[Figure], metric: &str) -> Option<String> {
    let point = |figure: &Figure| {
        let (name, k) = figure.metric.split_once('@')?;
        Some((k.parse::<f64>().ok().filter(|_| name == metric)?, figure.value))
    };
    let series: Vec<Series> = shown(part)
        .map(|(name, _)| Series {
            name: name.clone(),
            colour: colour(part, name),
            points: figures
                .iter()
                .filter(|figure| figure.method == *name)
                .filter_map(point)
                .collect(),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    let ks: Vec<f64> = series.first()?.points.iter().map(|(k, _)| *k).collect();
    let ends = (*ks.first()?, *ks.last()?);
    (ks.len() > 1).then(|| chart::lines(&format!("{metric}@k"), "k", ends, &ks, &series))
}

/// Accuracy over coverage of every method that says how sure it is.
fn risk(part: &Part) -> Option<String> {
    let series: Vec<Series> = open(part)
        .filter_map(|(name, method)| {
            let metric = CORRECT.iter().find(|metric| method.scores.contains_key(**metric))?;
            let sure = |(at, value): (usize, f64)| Some((*method.confidence.get(at)?, value));
            let answers: Vec<(f64, f64)> = method.values(metric).filter_map(sure).collect();
            let coverage = Coverage::new(&answers)?;
            Some(Series {
                name: name.clone(),
                colour: colour(part, name),
                points: coverage.curve,
            })
        })
        .collect();
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0];
    (!series.is_empty()).then(|| {
        chart::lines(
            "accuracy of the surest answers",
            "share of questions answered",
            (0.0, 1.0),
            &ticks,
            &series,
        )
    })
}

/// Banyan's share of right answers (of a part without it, the last method's), or else its recall, by group of questions.
fn groups(part: &Part, seed: u64) -> Option<String> {
    let metrics = part.metrics();
    let correct = CORRECT.into_iter().find(|metric| metrics.contains(metric));
    let metric = correct.or_else(|| metrics.iter().copied().find(|metric| metric.starts_with("recall")))?;
    let mut with_metric = open(part).filter(|(_, method)| method.scores.contains_key(metric));
    let own = with_metric.clone().find(|(name, _)| OWN.contains(&name.as_str()));
    let (name, method) = own.or_else(|| with_metric.next_back())?;
    let mut values: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (at, value) in method.values(metric) {
        for group in part.questions.get(at).into_iter().flat_map(|question| &question.groups) {
            values.entry(group).or_default().push(value);
        }
    }
    let bar = |(group, values): (&str, Vec<f64>)| {
        let mean = Mean::of(&values, seed);
        Bar {
            label: format!("{group} ({})", values.len()),
            colour: colour(part, name),
            value: mean.value,
            interval: Some(mean.interval),
        }
    };
    let bars: Vec<Bar> = values.into_iter().map(bar).collect();
    (bars.len() > 1).then(|| chart::bars(&format!("{metric} by group, {name}"), "", 1.0, &bars))
}

/// Recall at the largest k without each part.
fn routes(part: &Part, figures: &[Figure]) -> Option<String> {
    let metric = part
        .metrics()
        .into_iter()
        .rfind(|metric| metric.starts_with("recall@"))?;
    let bars: Vec<Bar> = figures
        .iter()
        .filter(|figure| figure.metric == metric && figure.method.starts_with(WITHOUT))
        .map(|figure| Bar {
            label: figure.method.clone(),
            colour: 1,
            value: figure.value,
            interval: Some(figure.interval),
        })
        .collect();
    (!bars.is_empty()).then(|| chart::bars(&format!("{metric} without each route"), "", 1.0, &bars))
}

/// What a build took, and the tokens of a model where one was asked.
fn costs(part: &Part) -> Option<String> {
    let cost = &part.cost;
    let bar = |label: &str, value: f64| Bar {
        label: label.to_owned(),
        colour: 5,
        value,
        interval: None,
    };
    let mut bars = vec![
        bar("build", cost.build_cpu_seconds),
        bar("embedding", cost.embedding_cpu_seconds),
    ];
    bars.retain(|bar| bar.value > 0.0);
    let seconds = (!bars.is_empty()).then(|| chart::bars("CPU seconds to build", " s", 0.0, &bars));
    let tokens = (cost.n_tokens > 0).then(|| {
        let tokens = bar("prompts and replies", cost.n_tokens as f64);
        chart::bars("tokens of a model", "", 0.0, &[tokens])
    });
    let charts: Vec<String> = seconds.into_iter().chain(tokens).collect();
    (!charts.is_empty()).then(|| charts.join("</figure><figure>"))
}

fn latency(part: &Part) -> Option<String> {
    let bars: Vec<Bar> = [50, 75, 95, 99]
        .map(|percent| Bar {
            label: format!("p{percent}"),
            colour: 3,
            value: part.cost.percentile(percent),
            interval: None,
        })
        .into();
    (!part.cost.query_ms.is_empty()).then(|| chart::bars("milliseconds a question", " ms", 0.0, &bars))
}
