//! From the leaves of the query tree to its root (`SchemaRAG` §3.3): retrieval from the schema, then merging.

use super::KnowledgeSchema;
use super::joint::{Joint, Link};
use super::strategy::{Merge, Utilisation};
use super::tree::{QueryNode, QueryTree};
use super::unit::{Body, Field, Unit, bearing};
use crate::answer::Citation;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::table::Value;
use serde::Serialize;
use std::collections::BTreeSet;

/// Sentences of a digest. Arbitrary: what fits a screen.
const MAX_DIGEST: usize = 8;
/// Findings that a node takes from passages or facts. Arbitrary.
const MAX_FINDINGS: usize = 12;

/// What a node of the query tree knows: â for an end, a for a node with children.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// In words.
    pub text: String,
    /// The document that it is from, by position; none for what several make together.
    pub document: Option<usize>,
    /// Its value, where it has one that can be ordered.
    #[serde(skip)]
    pub value: Option<Value>,
    /// The words that state it.
    pub citations: Vec<Citation>,
}

impl Finding {
    /// What a node knows before anything was found.
    pub(super) fn open(node: &QueryNode) -> Self {
        Self {
            node: node.id.clone(),
            query: node.query.clone(),
            lines: Vec::new(),
        }
    }
}

/// The findings of all nodes, in the order of the tree; the first is the answer (Eq. 8, 9).
pub(super) fn utilise(
    searcher: &Searcher,
    question: &Question,
    tree: &QueryTree,
    schema: &KnowledgeSchema,
    utilise: &[Utilisation],
) -> Vec<Finding> {
    let mut findings: Vec<Finding> = tree.nodes().iter().map(Finding::open).collect();
    for at in (0..tree.nodes().len()).rev() {
        findings[at].lines = match utilise.get(at) {
            Some(Utilisation::Merge(how)) => {
                let children: Vec<&Finding> = tree.children(at).map(|child| &findings[child]).collect();
                merged(searcher, question, schema, *how, &children)
            }
            Some(taken) => retrieved(searcher, question, schema, taken),
            None => Vec::new(),
        };
    }
    findings
}

/// What the schema has for one node (Eq. 8).
pub(super) fn retrieved(
    searcher: &Searcher,
    question: &Question,
    schema: &KnowledgeSchema,
    taken: &Utilisation,
) -> Vec<Line> {
    match taken {
        Utilisation::Column(column) => column_lines(searcher, question, schema, column),
        Utilisation::Category(category) => category_lines(schema, category),
        Utilisation::Document(at) => document_lines(searcher, question, schema, *at),
        Utilisation::Value { column, document } => {
            let lines = column_lines(searcher, question, schema, column).into_iter();
            lines.filter(|line| line.document == Some(*document)).collect()
        }
        Utilisation::Everything | Utilisation::Merge(_) => everything(searcher, question, schema),
    }
}

/// The value of a column in each document; in passages and facts, the one that shares most words with it.
fn column_lines(searcher: &Searcher, question: &Question, schema: &KnowledgeSchema, column: &str) -> Vec<Line> {
    let asked = Question::new(column, None);
    let line = |(at, unit): (usize, &Unit)| {
        if let Body::Table(fields) = &unit.body {
            let field = fields.iter().find(|field| field.column == column)?;
            return Some(field_line(at, unit, field));
        }
        let lines = unit_lines(at, unit);
        let score =
            |line: &Line| bearing(searcher, &asked, &line.text) + 0.01 * bearing(searcher, question, &line.text);
        lines.into_iter().rev().max_by(|a, b| score(a).total_cmp(&score(b)))
    };
    schema.intra.iter().enumerate().filter_map(line).collect()
}

fn field_line(at: usize, unit: &Unit, field: &Field) -> Line {
    Line {
        text: format!("{}: {} {}", unit.title, field.column, field.text),
        document: Some(at),
        value: Some(field.value.clone()),
        citations: field.citation.iter().cloned().collect(),
    }
}

/// The documents of a category, with the values that put them there.
fn category_lines(schema: &KnowledgeSchema, category: &str) -> Vec<Line> {
    let Joint::Groups(groups) = &schema.inter else {
        return Vec::new();
    };
    let members = groups
        .iter()
        .filter(|group| group.category == category)
        .flat_map(|group| &group.documents);
    members.map(|at| member_line(*at, &schema.intra[*at])).collect()
}

fn member_line(at: usize, unit: &Unit) -> Line {
    let (values, citations) = match &unit.body {
        Body::Table(fields) => {
            let values: Vec<String> = fields
                .iter()
                .map(|field| format!("{} {}", field.column, field.text))
                .collect();
            (
                values.join(", "),
                fields.iter().filter_map(|field| field.citation.clone()).collect(),
            )
        }
        Body::Graph(edges) => (
            String::new(),
            edges.iter().take(1).map(|edge| edge.citation.clone()).collect(),
        ),
        Body::Chunk(passages) => (String::new(), passages.iter().take(1).cloned().collect()),
    };
    let text = if values.is_empty() {
        unit.title.clone()
    } else {
        format!("{} ({values})", unit.title)
    };
    Line {
        text,
        document: Some(at),
        value: None,
        citations,
    }
}

/// What is known of one document, and the documents that it leads to.
fn document_lines(searcher: &Searcher, question: &Question, schema: &KnowledgeSchema, at: usize) -> Vec<Line> {
    let Some(unit) = schema.intra.get(at) else {
        return Vec::new();
    };
    let links: Vec<Line> = match &schema.inter {
        Joint::Links(links) | Joint::Chain { links, .. } => links
            .iter()
            .filter(|link| link.from == at)
            .map(|link| link_line(schema, link))
            .collect(),
        Joint::Parallel | Joint::Groups(_) => Vec::new(),
    };
    if links.is_empty() {
        best(searcher, question, unit_lines(at, unit))
    } else {
        links
    }
}

fn link_line(schema: &KnowledgeSchema, link: &Link) -> Line {
    let title = |at: usize| schema.intra.get(at).map_or("", |unit| unit.title.as_str());
    Line {
        text: format!("{} → {}", title(link.from), title(link.to)),
        document: Some(link.from),
        value: None,
        citations: vec![link.citation.clone()],
    }
}

/// What all documents have on the question, and how they are joined.
fn everything(searcher: &Searcher, question: &Question, schema: &KnowledgeSchema) -> Vec<Line> {
    match &schema.inter {
        Joint::Groups(groups) => groups
            .iter()
            .map(|group| group_line(schema, &group.category, &group.documents))
            .collect(),
        Joint::Chain { longest, .. } if !longest.is_empty() => vec![chain_line(schema)],
        Joint::Links(links) if !links.is_empty() => links.iter().map(|link| link_line(schema, link)).collect(),
        _ => {
            let units = schema.intra.iter().enumerate();
            best(
                searcher,
                question,
                units.flat_map(|(at, unit)| unit_lines(at, unit)).collect(),
            )
        }
    }
}

fn group_line(schema: &KnowledgeSchema, category: &str, documents: &[usize]) -> Line {
    let members: Vec<Line> = documents
        .iter()
        .map(|at| member_line(*at, &schema.intra[*at]))
        .collect();
    let names: Vec<&str> = members.iter().map(|line| line.text.as_str()).collect();
    let names = if names.is_empty() {
        "none".to_owned()
    } else {
        names.join("; ")
    };
    Line {
        text: format!("{category}: {names}"),
        document: None,
        value: None,
        citations: members.iter().flat_map(|line| line.citations.iter().cloned()).collect(),
    }
}

/// The longest chain with the words that lead from each document to the next.
fn chain_line(schema: &KnowledgeSchema) -> Line {
    let Joint::Chain { longest, links } = &schema.inter else {
        return Line {
            text: String::new(),
            document: None,
            value: None,
            citations: Vec::new(),
        };
    };
    let titles: Vec<&str> = longest.iter().map(|at| schema.intra[*at].title.as_str()).collect();
    let step = |pair: &[usize]| links.iter().find(|link| link.from == pair[0] && link.to == pair[1]);
    Line {
        text: titles.join(" → "),
        document: None,
        value: None,
        citations: longest
            .windows(2)
            .filter_map(step)
            .map(|link| link.citation.clone())
            .collect(),
    }
}

/// Everything a unit says, one line each.
fn unit_lines(at: usize, unit: &Unit) -> Vec<Line> {
    let line = |text: String, citation: Option<Citation>| Line {
        text,
        document: Some(at),
        value: None,
        citations: citation.into_iter().collect(),
    };
    match &unit.body {
        Body::Table(fields) => fields.iter().map(|field| field_line(at, unit, field)).collect(),
        Body::Graph(edges) => edges
            .iter()
            .map(|edge| {
                line(
                    format!("{} — {} → {}", edge.head, edge.relation, edge.tail),
                    Some(edge.citation.clone()),
                )
            })
            .collect(),
        Body::Chunk(passages) => {
            let words = |quote: &str| quote.split_whitespace().collect::<Vec<_>>().join(" ");
            passages
                .iter()
                .map(|one| line(format!("{}: {}", unit.title, words(&one.quote)), Some(one.clone())))
                .collect()
        }
    }
}

/// The lines that bear most on the question, in their order; all where there are few.
fn best(searcher: &Searcher, question: &Question, lines: Vec<Line>) -> Vec<Line> {
    if lines.len() <= MAX_FINDINGS {
        return lines;
    }
    let mut ranked: Vec<(f32, usize)> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| (bearing(searcher, question, &line.text), at))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let kept: BTreeSet<usize> = ranked.iter().take(MAX_FINDINGS).map(|(_, at)| *at).collect();
    lines
        .into_iter()
        .enumerate()
        .filter(|(at, _)| kept.contains(at))
        .map(|(_, line)| line)
        .collect()
}

/// The answer of a node from what its children found (Eq. 9).
pub(super) fn merged(
    searcher: &Searcher,
    question: &Question,
    schema: &KnowledgeSchema,
    how: Merge,
    children: &[&Finding],
) -> Vec<Line> {
    match how {
        Merge::Groups => {
            let Joint::Groups(groups) = &schema.inter else {
                return listed(children);
            };
            groups
                .iter()
                .map(|group| group_line(schema, &group.category, &group.documents))
                .collect()
        }
        Merge::Chain => match &schema.inter {
            Joint::Chain { longest, .. } if !longest.is_empty() => vec![chain_line(schema)],
            _ => listed(children),
        },
        Merge::Compare => children.iter().flat_map(|child| compared(child)).collect(),
        Merge::Digest => digest(searcher, question, &listed(children)),
        Merge::List => listed(children),
    }
}

fn listed(children: &[&Finding]) -> Vec<Line> {
    children.iter().flat_map(|child| child.lines.iter().cloned()).collect()
}

/// The lines of one aspect, with their order where all values are numbers or dates.
fn compared(child: &Finding) -> Vec<Line> {
    let mut ordered: Vec<&Line> = child.lines.iter().collect();
    let is_ordered = |line: &&Line| {
        line.value
            .as_ref()
            .is_some_and(|value| value.as_number().is_some() || matches!(value, Value::Date(_)))
    };
    if child.lines.len() > 1 && child.lines.iter().all(|line| is_ordered(&line)) {
        let value = |line: &&Line| line.value.clone().unwrap_or_default();
        ordered.sort_by(|a, b| value(b).order(&value(a)).then(a.document.cmp(&b.document)));
    }
    ordered.into_iter().cloned().collect()
}

/// The sentences that share most words with all others, at most one of any two that say the same, in their order.
fn digest(searcher: &Searcher, question: &Question, lines: &[Line]) -> Vec<Line> {
    let terms: Vec<BTreeSet<String>> = lines
        .iter()
        .map(|line| term::terms(&line.text).into_iter().collect())
        .collect();
    let overlap = |a: usize, b: usize| {
        let shared = terms[a].intersection(&terms[b]).count() as f32;
        shared / (terms[a].len().max(terms[b].len()).max(1)) as f32
    };
    let score = |at: usize| {
        let central: f32 = (0..lines.len())
            .filter(|other| *other != at)
            .map(|other| overlap(at, other))
            .sum();
        central + bearing(searcher, question, &lines[at].text)
    };
    let mut ranked: Vec<(f32, usize)> = (0..lines.len()).map(|at| (score(at), at)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut kept: Vec<usize> = Vec::new();
    for (_, at) in ranked {
        if kept.len() < MAX_DIGEST && kept.iter().all(|other| overlap(at, *other) < SAME) {
            kept.push(at);
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|at| lines[at].clone()).collect()
}

/// Share of words in common from which two sentences say the same. Arbitrary.
const SAME: f32 = 0.6;
