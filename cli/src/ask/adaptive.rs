//! `banyan query --method schemarag`: a question over several documents, by structures chosen for it.

use super::{Asking, Reply};
use banyan_retrieve::adaptive::{Adaptive, Body, Joint, Line, State};
use banyan_retrieve::{Answer, Citation, Evidence, Expected, Question};

/// Citations shown under a line of the answer.
const MAX_CITATIONS: usize = 3;
/// Citations of the whole answer. Arbitrary, as for tables.
const MAX_ALL_CITATIONS: usize = 20;

/// The reply that the root's findings make.
pub(super) fn reply(question: &Question, adaptive: &Adaptive, asking: &Asking<'_>) -> Reply {
    let found = adaptive.findings.first().map_or(&[][..], |root| &root.lines);
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
            text: (!found.is_empty()).then(|| texts.join("; ")),
            expected: Expected::Any,
            sufficiency: if found.is_empty() { 0.0 } else { 1.0 },
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
    let found = adaptive.findings.first().map_or(&[][..], |root| &root.lines);
    for line in found {
        lines.push(format!("  {}", line.text));
        lines.extend(cited(line));
    }
    if is_traced {
        lines.extend(trace(adaptive));
    }
    let strategy = &adaptive.plan.strategy;
    lines.push(format!(
        "{} over {}: {} in a {}; {} of {} kept from before",
        strategy.task,
        crate::progress::counted(adaptive.documents.len(), "document"),
        strategy.knowledge,
        strategy.index,
        adaptive.n_kept,
        crate::progress::counted(adaptive.schema.intra.len(), "unit")
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

/// The query tree with what each node found, the strategy with its reasons, and the schema.
fn trace(adaptive: &Adaptive) -> Vec<String> {
    let strategy = &adaptive.plan.strategy;
    let mut lines = vec![format!("task: {}", strategy.task)];
    lines.extend(strategy.reasons.iter().map(|reason| format!("  {reason}")));
    lines.push(format!("of each document: {}", strategy.intra));
    lines.push(format!("across documents: {}", strategy.inter));
    lines.push("query tree".to_owned());
    for (at, node) in adaptive.plan.tree.nodes().iter().enumerate() {
        let state = match node.state {
            State::Continue => "continue",
            State::End => "end",
        };
        let indent = "  ".repeat(node.level + 1);
        lines.push(format!("{indent}{} {} [{state}]", node.id, node.query));
        lines.extend(strategy.utilise.get(at).map(|taken| format!("{indent}    {taken}")));
        let found = adaptive.findings.get(at).map_or(0, |finding| finding.lines.len());
        lines.push(format!("{indent}    {}", crate::progress::counted(found, "finding")));
    }
    lines.push("schema".to_owned());
    lines.extend(
        adaptive
            .schema
            .intra
            .iter()
            .map(|unit| format!("  {}: {}", unit.title, held(&unit.body))),
    );
    lines.push(format!("  joined: {}", joined(adaptive)));
    lines
}

fn held(body: &Body) -> String {
    match body {
        Body::Table(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| format!("{} = {}", field.column, field.text))
                .collect();
            if fields.is_empty() {
                "no value".to_owned()
            } else {
                fields.join(", ")
            }
        }
        Body::Graph(edges) => crate::progress::counted(edges.len(), "fact"),
        Body::Chunk(passages) => crate::progress::counted(passages.len(), "sentence"),
    }
}

fn joined(adaptive: &Adaptive) -> String {
    let title = |at: &usize| adaptive.documents.get(*at).map_or("", String::as_str);
    match &adaptive.schema.inter {
        Joint::Parallel => "side by side".to_owned(),
        Joint::Groups(groups) => groups
            .iter()
            .map(|group| {
                let titles: Vec<&str> = group.documents.iter().map(title).collect();
                format!("{} [{}]", group.category, titles.join(", "))
            })
            .collect::<Vec<_>>()
            .join("; "),
        Joint::Links(links) => crate::progress::counted(links.len(), "link"),
        Joint::Chain { longest, links } => {
            let titles: Vec<&str> = longest.iter().map(title).collect();
            format!(
                "{} of {}",
                titles.join(" → "),
                crate::progress::counted(links.len(), "link")
            )
        }
    }
}
