//! What is told while a question is reasoned about.

use banyan::counted;
use banyan_retrieve::agent::Thought;
use banyan_retrieve::decompose::Decomposition;
use banyan_retrieve::reason::{Round, Told};

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
        counted(round.n_shown, "passage")
    )];
    for asked in &round.asked {
        let n = counted(asked.n_passages, "passage");
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
            counted(thought.n_passages, "passage")
        ));
    }
    lines.join("\n")
}
