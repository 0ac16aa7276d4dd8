//! All means of a report in one table: what a README shows, and what a page begins with.

use super::Report;
use super::chart::escape;
use super::figure::figures;
use super::page::WITHOUT;
use super::part::Part;
use std::collections::BTreeSet;

/// A table for a Markdown page: a row a set and metric, a column a method, and the number of questions that count.
pub fn markdown(report: &Report) -> String {
    let Overview { head, rows } = Overview::new(report);
    let line = |cells: &Vec<String>| format!("| {} |", cells.join(" | ")).replace("|  |", "| |");
    let mut lines = vec![line(&head), format!("|{}", "---|".repeat(head.len()))];
    lines.extend(rows.iter().map(line));
    lines.join("\n")
}

/// The same as HTML.
pub(super) fn html(report: &Report) -> String {
    let Overview { head, rows } = Overview::new(report);
    let cells = |cells: &Vec<String>| -> String {
        let cell = |(at, text): (usize, &String)| match at {
            0 | 2 => format!("<th>{}</th>", escape(text)),
            _ => format!("<td>{}</td>", escape(text)),
        };
        format!("<tr>{}</tr>", cells.iter().enumerate().map(cell).collect::<String>())
    };
    let body: String = rows.iter().map(cells).collect();
    format!("<table><thead>{}</thead><tbody>{body}</tbody></table>", cells(&head))
}

/// Cells of the table; repeated names of sets are left empty.
struct Overview {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Overview {
    fn new(report: &Report) -> Self {
        let names = report
            .parts
            .iter()
            .flat_map(|part| part.methods.keys().map(String::as_str));
        let methods: BTreeSet<&str> = names.filter(|name| !name.starts_with(WITHOUT)).collect();
        let head = ["set", "passages", "figure", "n"]
            .into_iter()
            .chain(methods.iter().copied());
        let rows = report.parts.iter().flat_map(|part| rows(part, &methods, report.seed));
        Self {
            head: head.map(str::to_owned).collect(),
            rows: rows.collect(),
        }
    }
}

fn rows(part: &Part, methods: &BTreeSet<&str>, seed: u64) -> Vec<Vec<String>> {
    let figures = figures(part, seed);
    let mut rows = Vec::new();
    for metric in part.metrics() {
        let of = |method: &&str| figures.iter().find(|one| one.method == *method && one.metric == metric);
        let Some(n) = methods.iter().filter_map(of).map(|figure| figure.n).max() else {
            continue;
        };
        let cell = |method: &&str| of(method).map_or_else(String::new, |figure| format!("{:.3}", figure.value));
        let mut row = vec![String::new(), String::new(), metric.to_owned(), n.to_string()];
        if rows.is_empty() {
            row[0].clone_from(&part.set);
            row[1] = part.source.n_documents.to_string();
        }
        row.extend(methods.iter().map(cell));
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::part::{Method, Source};
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_row_has_a_metric_and_a_column_a_method() {
        let method = |values: [f64; 2]| Method {
            scores: BTreeMap::from([("em".to_owned(), values.map(Some).to_vec())]),
            ..Method::default()
        };
        let part = Part {
            set: "notes".to_owned(),
            source: Source {
                n_documents: 7,
                ..Source::default()
            },
            methods: BTreeMap::from([
                ("banyan".to_owned(), method([1.0, 0.5])),
                ("bm25".to_owned(), Method::default()),
                ("without path".to_owned(), method([0.0, 0.0])),
            ]),
            ..Part::default()
        };
        let report = Report {
            parts: vec![part],
            ..Report::default()
        };
        let expected = "| set | passages | figure | n | banyan | bm25 |\n|---|---|---|---|---|---|\n| notes | 7 | em | 2 | 0.750 | |";
        assert_eq!(markdown(&report), expected);
        assert!(html(&report).contains("<th>em</th><td>2</td><td>0.750</td><td></td>"));
    }
}
