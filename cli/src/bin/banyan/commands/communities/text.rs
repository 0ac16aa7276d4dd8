//! Communities as a report for the terminal.

use super::{Fact, View};
use banyan::counted;
use banyan_engine::{Branch, Knowledge};
use std::cmp::Reverse;

/// Relations named in a line.
const MAX_RELATIONS: usize = 4;
/// Children named of a branch.
const MAX_CHILDREN: usize = 4;

/// How many there are and how large, then the largest with their reasons.
pub(super) fn overview(knowledge: &Knowledge, views: &[View], top: usize) -> String {
    let sizes: Vec<usize> = views.iter().map(|view| view.members.len()).collect();
    let entities = counted(knowledge.graph.entities().len(), "entity");
    let head = match (sizes.last(), sizes.get(sizes.len() / 2), sizes.first()) {
        (Some(least), Some(median), Some(most)) => {
            format!(
                "{} over {entities}; members: {least} to {most}, median {median}\n",
                counted(views.len(), "community")
            )
        }
        _ => "no communities: the store has no entities\n".to_owned(),
    };
    let above = branches(knowledge, top);
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
    (head + &above + &shown.concat() + &more).trim_end().to_owned()
}

/// The levels above the communities from the highest down, each with the branches that have most children.
fn branches(knowledge: &Knowledge, top: usize) -> String {
    let tree = &knowledge.tree;
    let mut names: Vec<&str> = tree.communities().iter().map(|node| node.name.as_str()).collect();
    let mut levels = Vec::new();
    for (level, nodes) in tree.branches().iter().enumerate() {
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|at| Reverse(nodes[*at].children.len()));
        let told = order.into_iter().take(top).map(|at| branch(&nodes[at], level, &names));
        let told: Vec<String> = told.collect();
        levels.push(format!(
            "\nlevel {}: {}\n{}",
            level + 5,
            counted(nodes.len(), "branch"),
            told.concat()
        ));
        names = nodes.iter().map(|node| node.name.as_str()).collect();
    }
    levels.reverse();
    levels.concat()
}

fn branch(branch: &Branch, level: usize, below: &[&str]) -> String {
    let mark = if level == 0 { "#" } else { "" };
    let children = branch.children.iter().take(MAX_CHILDREN);
    let children: Vec<String> = children
        .map(|child| format!("{mark}{} {}", child.index(), below[child.index()]))
        .collect();
    let rest = branch.children.len().saturating_sub(MAX_CHILDREN);
    let more = if rest == 0 {
        String::new()
    } else {
        format!(" and {rest} more")
    };
    format!(
        "  {}\n    {}\n    {}{more}\n",
        branch.name,
        branch.description,
        children.join(" · ")
    )
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
            counted(view.n_inside + view.n_outside, "triple")
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
