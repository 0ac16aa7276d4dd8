//! What is told while a question is reasoned about, and the same as a file.

use super::{Reply, render};
use anyhow::{Context, Result};
use banyan_retrieve::Mode;
use banyan_retrieve::agent::Thought;
use banyan_retrieve::decompose::Decomposition;
use banyan_retrieve::reason::{Round, Told, Trail};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// It in words.
pub(super) fn told(told: Told<'_>) -> String {
    match told {
        Told::Plan(plan) => planned(plan),
        Told::Step(thought) => traced(thought),
        Told::Round(round) => reasoned(round),
    }
}

fn planned(plan: &Decomposition) -> String {
    let mut lines = vec!["sub-questions".to_owned()];
    lines.extend(
        (1..)
            .zip(&plan.steps)
            .map(|(number, step)| format!("#{number} {}", step.text)),
    );
    lines.extend(plan.fallback.as_ref().map(|why| format!("   by rules: {why}")));
    if plan.fallback.is_none() && !plan.defects.is_empty() {
        lines.push(format!("   defects: {}", plan.defects));
    }
    lines.join("\n")
}

fn reasoned(round: &Round) -> String {
    let mut lines = vec![format!(
        "round {}: {} shown",
        round.number,
        render::count(round.n_shown, "passage")
    )];
    for asked in &round.asked {
        let n = render::count(asked.n_passages, "passage");
        lines.push(format!("   asked: #{} {} ({n})", asked.step, asked.text));
    }
    if !round.assessment.is_empty() {
        lines.push(format!("   {}", round.assessment));
    }
    for finding in &round.found {
        lines.push(format!("   #{} = {} — {}", finding.step, finding.answer, finding.title));
    }
    lines.extend(round.next.iter().map(|next| format!("   next: {next}")));
    if !round.defects.is_empty() {
        lines.push(format!("   defects: {}", round.defects));
    }
    lines.extend(round.stop.map(|stop| format!("   {}", stop.as_str())));
    lines.join("\n")
}

/// A step of thinking in words.
fn traced(thought: &Thought) -> String {
    let mut lines = vec![format!("#{} {}", thought.step, thought.asked)];
    let filled = thought.filled.iter().filter(|filled| **filled != thought.asked);
    lines.extend(filled.map(|filled| format!("   asked: {filled}")));
    for belief in &thought.beliefs {
        let source = &belief.citation;
        lines.push(format!("   {:.2}  {} — {}", belief.share, belief.text, source.title));
    }
    if thought.beliefs.is_empty() {
        lines.push(format!(
            "   nothing of that kind in {}",
            render::count(thought.n_passages, "passage")
        ));
    }
    lines.join("\n")
}

/// All steps of a question, as a file keeps them.
#[derive(Serialize)]
struct Trace<'a> {
    question: &'a str,
    mode: Mode,
    answer: Option<&'a str>,
    history: &'a [Thought],
    reasoning: Option<&'a Trail>,
}

/// Writes the steps of `reply` to a file that does not exist.
pub(super) fn save(file: &Path, reply: &Reply) -> Result<()> {
    let trace = Trace {
        question: &reply.question,
        mode: reply.mode,
        answer: reply.answer.text.as_deref(),
        history: &reply.answer.history,
        reasoning: reply.trail.as_ref(),
    };
    let place = file.display();
    let json = serde_json::to_string_pretty(&trace).context("cannot encode JSON")?;
    let mut out = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(file)
        .with_context(|| format!("{place}: cannot write; expected a name that is not taken"))?;
    writeln!(out, "{json}").with_context(|| format!("{place}: cannot write"))
}
