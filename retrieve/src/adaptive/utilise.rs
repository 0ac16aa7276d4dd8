//! From the leaves of the query tree to its root (`SchemaRAG` §3.3): retrieval from the schema, then merging.

use super::KnowledgeSchema;
use super::index::{Index, Link};
use super::plan::{QueryNode, QueryTree};
use super::unit::{KnowledgeUnit, UnitContent};
use crate::answer::Citation;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::document::one_line;
use banyan_engine::index::term;
use serde::Serialize;
use std::collections::BTreeSet;

/// Lines that a leaf takes from facts or passages. Arbitrary: what fits a screen.
const MAX_LINES: usize = 12;

/// What a node of the query tree knows: â for an end, a for a node with children.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The node's id.
    pub node: String,
    /// The node's query.
    pub query: String,
    /// What was found, one line each; empty where the schema has nothing on it.
    pub lines: Vec<Line>,
}

/// The findings of all nodes with what was wrong on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Used {
    /// One a node, in the order of the tree.
    pub findings: Vec<Finding>,
    /// What was wrong with what a model said, in words; none without a model.
    pub defects: Vec<String>,
}

/// One thing that was found, with the words that state it; there is no line without any.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// In words.
    pub text: String,
    /// Where it is stated; at least one place.
    pub citations: Vec<Citation>,
}

impl Used {
    /// The findings of a tree before anything was found.
    pub(super) fn open(tree: &QueryTree) -> Self {
        let open = |node: &QueryNode| Finding {
            node: node.id.clone(),
            query: node.query.clone(),
            lines: Vec::new(),
        };
        Self {
            findings: tree.nodes().iter().map(open).collect(),
            defects: Vec::new(),
        }
    }
}

/// What the schema has for a node without children (Eq. 8): how the documents are joined, else the rows of a table,
/// else the facts and sentences that share words with the query.
pub(super) fn retrieved(searcher: &Searcher, query: &Question, schema: &KnowledgeSchema) -> Vec<Line> {
    let joined = joined(schema);
    if !joined.is_empty() {
        return joined;
    }
    let lines = schema.intra.iter().flat_map(unit_lines);
    if schema
        .intra
        .iter()
        .any(|unit| matches!(unit.content, UnitContent::Table(_)))
    {
        return lines.collect();
    }
    let scored = lines
        .enumerate()
        .map(|(at, line)| (bearing(searcher, query, &line.text), at, line));
    let mut scored: Vec<(f32, usize, Line)> = scored.filter(|(score, ..)| *score > 0.0).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(MAX_LINES);
    scored.sort_by_key(|(_, at, _)| *at);
    scored.into_iter().map(|(.., line)| line).collect()
}

/// The answer of a node from what its children found (Eq. 9): how the documents are joined, else the children's lines,
/// each once.
pub(super) fn merged<'a>(schema: &KnowledgeSchema, children: impl Iterator<Item = &'a Finding>) -> Vec<Line> {
    let mut lines = joined(schema);
    if lines.is_empty() {
        for line in children.flat_map(|child| &child.lines) {
            if !lines.contains(line) {
                lines.push(line.clone());
            }
        }
    }
    lines
}

fn joined(schema: &KnowledgeSchema) -> Vec<Line> {
    let title = |at: usize| schema.intra.get(at).map_or("", |unit| unit.title.as_str());
    let line = |text: String, citations: Vec<Citation>| (!citations.is_empty()).then_some(Line { text, citations });
    let step = |link: &Link| {
        line(
            format!("{} → {}", title(link.from), title(link.to)),
            vec![link.citation.clone()],
        )
    };
    match &schema.inter {
        Index::Parallel => Vec::new(),
        Index::Links(links) => links.iter().filter_map(step).collect(),
        Index::Chain(links) => {
            let ends = links
                .first()
                .map(|link| link.from)
                .into_iter()
                .chain(links.iter().map(|link| link.to));
            let titles: Vec<&str> = ends.map(title).collect();
            let citations = links.iter().map(|link| link.citation.clone()).collect();
            line(titles.join(" → "), citations).into_iter().collect()
        }
        Index::Groups(groups) => {
            let group = |(category, members): (&String, &Vec<usize>)| {
                let titles: Vec<&str> = members.iter().map(|at| title(*at)).collect();
                let cited = members
                    .iter()
                    .filter_map(|at| unit_lines(schema.intra.get(*at)?).into_iter().next());
                line(
                    format!("{category}: {}", titles.join("; ")),
                    cited.flat_map(|line| line.citations).collect(),
                )
            };
            groups.iter().filter_map(group).collect()
        }
    }
}

/// What a unit says: the row of a table in one line, facts and sentences one line each.
fn unit_lines(unit: &KnowledgeUnit) -> Vec<Line> {
    let line = |text: String, citation: &Citation| Line {
        text,
        citations: vec![citation.clone()],
    };
    match &unit.content {
        UnitContent::Table(fields) if fields.is_empty() => Vec::new(),
        UnitContent::Table(fields) => {
            let values: Vec<String> = fields
                .iter()
                .map(|field| format!("{} {}", field.column, field.text))
                .collect();
            vec![Line {
                text: format!("{}: {}", unit.title, values.join(", ")),
                citations: fields.iter().map(|field| field.citation.clone()).collect(),
            }]
        }
        UnitContent::Graph(edges) => {
            let told = edges.iter().map(|edge| {
                line(
                    format!("{} — {} → {}", edge.head, edge.relation, edge.tail),
                    &edge.citation,
                )
            });
            told.collect()
        }
        UnitContent::Chunk(passages) => passages
            .iter()
            .map(|one| line(format!("{}: {}", unit.title, one_line(&one.quote)), one))
            .collect(),
    }
}

/// Inverse document frequency of the question's words that a text holds.
pub(super) fn bearing(searcher: &Searcher, question: &Question, text: &str) -> f32 {
    let held: BTreeSet<String> = term::terms(text).into_iter().collect();
    let words = question.terms.iter().filter(|word| held.contains(*word));
    words.map(|word| searcher.passages().idf(word)).sum()
}
