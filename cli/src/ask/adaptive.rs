//! `banyan query --method schemarag`: a question over several documents, by structures chosen for it.

use super::{Asking, Reply};
use crate::progress::counted as count;
use banyan_retrieve::adaptive::{Adaptive, Index, Line, UnitContent};
use banyan_retrieve::{Answer, Citation, Evidence, Expected, Question};

/// Citations shown under a line of the answer.
const MAX_CITATIONS: usize = 3;
/// Citations of the whole answer. Arbitrary, as for tables.
const MAX_ALL_CITATIONS: usize = 20;

/// The reply that the root's findings make; none of them is no answer.
pub(super) fn reply(question: &Question, adaptive: &Adaptive, asking: &Asking<'_>) -> Reply {
    let found = adaptive.lines();
    let texts: Vec<&str> = found.iter().map(|line| line.text.as_str()).collect();
    let mut citations: Vec<Citation> = Vec::new();
    for citation in found.iter().flat_map(|line| &line.citations) {
        if !citations.contains(citation) {
            citations.push(citation.clone());
        }
    }
    citations.truncate(MAX_ALL_CITATIONS);
    Reply {
        question: question.text.clone(),
        mode: asking.mode,
        evidence: Evidence::default(),
        answer: Answer {
            text: (!citations.is_empty()).then(|| texts.join("; ")),
            expected: Expected::Any,
            sufficiency: if citations.is_empty() { 0.0 } else { 1.0 },
            is_rejected: false,
            citations,
            history: Vec::new(),
        },
        points: Vec::new(),
        trail: None,
    }
}

/// The lines of the answer with what states them, and, traced, how it came about.
pub(super) fn lines(adaptive: &Adaptive, is_traced: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for line in adaptive.lines() {
        lines.push(format!("  {}", line.text));
        lines.extend(cited(line));
    }
    if is_traced {
        lines.extend(trace(adaptive));
    }
    let plan = &adaptive.plan;
    lines.push(format!(
        "{} in a {} over {}; {} of {} from the cache",
        plan.knowledge,
        plan.index,
        count(adaptive.documents.len(), "document"),
        adaptive.n_cached,
        count(adaptive.schema.intra.len(), "unit")
    ));
    lines.extend(adaptive.defects.iter().map(|defect| format!("note     {defect}")));
    lines
}

fn cited(line: &Line) -> Vec<String> {
    let mut lines: Vec<String> = line.citations.iter().take(MAX_CITATIONS).map(quote).collect();
    if line.citations.len() > MAX_CITATIONS {
        lines.push(format!("      and {} more", line.citations.len() - MAX_CITATIONS));
    }
    lines
}

fn quote(citation: &Citation) -> String {
    let quote = citation.quote.split_whitespace().collect::<Vec<_>>().join(" ");
    let Citation {
        title,
        origin,
        start,
        end,
        ..
    } = citation;
    format!("      “{quote}” — {title} ({origin}:{start}..{end})")
}

/// The query tree with what each node found, the plan with its reasons, and the schema.
fn trace(adaptive: &Adaptive) -> Vec<String> {
    let plan = &adaptive.plan;
    let mut lines: Vec<String> = plan.task.iter().map(|task| format!("task: {task}")).collect();
    lines.extend(plan.reasons.iter().map(|reason| format!("  {reason}")));
    lines.push(format!("of each document: {}", plan.construction()));
    lines.push(format!("across documents: {}", plan.joining()));
    lines.push("query tree".to_owned());
    for (node, finding) in plan.tree.nodes().iter().zip(&adaptive.findings) {
        let indent = "  ".repeat(node.level + 1);
        let found = count(finding.lines.len(), "finding");
        lines.push(format!("{indent}{} {} [{found}]", node.id, node.query));
    }
    lines.push("schema".to_owned());
    for unit in &adaptive.schema.intra {
        let held = match &unit.content {
            UnitContent::Table(_) => count(unit.content.n_facts(), "value"),
            UnitContent::Graph(_) => count(unit.content.n_facts(), "fact"),
            UnitContent::Chunk(_) => count(unit.content.n_facts(), "sentence"),
        };
        lines.push(format!("  {}: {held}", unit.title));
    }
    lines.push(format!("  joined: {}", joined(adaptive)));
    lines
}

fn joined(adaptive: &Adaptive) -> String {
    let title = |at: &usize| adaptive.documents.get(*at).map_or("", String::as_str);
    match &adaptive.schema.inter {
        Index::Parallel => "side by side".to_owned(),
        Index::Links(links) | Index::Chain(links) => count(links.len(), "link"),
        Index::Groups(groups) => {
            let group = |(category, members): (&String, &Vec<usize>)| {
                let titles: Vec<&str> = members.iter().map(title).collect();
                format!("{category} [{}]", titles.join(", "))
            };
            groups.iter().map(group).collect::<Vec<_>>().join("; ")
        }
    }
}
