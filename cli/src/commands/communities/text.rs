//! Communities as a report for the terminal.

use super::{Fact, View};
use crate::render::count;
use banyan_engine::Knowledge;

/// Relations named in a line.
const MAX_RELATIONS: usize = 4;

/// How many there are and how large, then the largest with their reasons.
pub(super) fn overview(knowledge: &Knowledge, views: &[View], top: usize) -> String {
    let sizes: Vec<usize> = views.iter().map(|view| view.members.len()).collect();
    let entities = count(knowledge.graph.entities().len(), "entity");
    let head = match (sizes.last(), sizes.get(sizes.len() / 2), sizes.first()) {
        (Some(least), Some(median), Some(most)) => {
            format!(
                "{} over {entities}; members: {least} to {most}, median {median}\n",
                count(views.len(), "community")
            )
        }
        _ => "no communities: the store has no entities\n".to_owned(),
    };
    let shown: Vec<String> = views
        .iter()
        .take(top)
        .map(|view| format!("\n{}", reasons(view)))
        .collect();
    let rest = views.len().saturating_sub(top);
    let more = if rest == 0 {
        String::new()
    } else {
        format!("\n{rest} more (--top N, --community N)\n")
    };
    (head + &shown.concat() + &more).trim_end().to_owned()
}

/// One community with its reasons and all of its members.
pub(super) fn whole(view: &View) -> String {
    let members = view
        .members
        .iter()
        .map(|member| format!("  {} ({})\n", member.name, member.kind));
    let members = members.collect::<Vec<_>>().concat();
    format!("{}members\n{members}", reasons(view)).trim_end().to_owned()
}

fn reasons(view: &View) -> String {
    let mut lines = vec![
        format!("#{} {}", view.number, view.name),
        format!("  {}", view.description),
    ];
    let keywords = view
        .keywords
        .iter()
        .map(|word| format!("{} {:.2}", word.name, word.score));
    lines.push(format!("  keywords   {}", keywords.collect::<Vec<_>>().join(" · ")));
    if view.n_inside > 0 {
        let relations = view.relations.iter().take(MAX_RELATIONS);
        let relations: Vec<String> = relations
            .map(|share| format!("{} {}", share.relation, share.n))
            .collect();
        lines.push(format!(
            "  relations  {} · {:.0} % of its {} stay inside",
            relations.join(" · "),
            100.0 * view.cohesion,
            count(view.n_inside + view.n_outside, "triple")
        ));
    }
    if !view.words.is_empty() {
        lines.push(format!("  words      {}", view.words.join(", ")));
    }
    lines.extend(view.facts.iter().enumerate().map(|(at, fact)| {
        let label = if at == 0 { "facts" } else { "" };
        format!("  {label:<9}  {}", line(fact))
    }));
    lines.push(String::new());
    lines.join("\n")
}

fn line(fact: &Fact) -> String {
    let first = fact.sources.first().map(String::as_str).unwrap_or_default();
    let more = match fact.sources.len() {
        0 | 1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    format!("{} —{}→ {}  ({first}{more})", fact.head, fact.relation, fact.tail)
}
