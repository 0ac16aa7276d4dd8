//! Communities as a report for the terminal.

use super::Names;
use banyan::counted;
use banyan_community::Reasons;
use banyan_engine::{Branch, CommunityId, Knowledge};
use std::cmp::Reverse;

/// Relations named in a line.
const MAX_RELATIONS: usize = 4;
/// Children named of a branch.
const MAX_CHILDREN: usize = 4;

/// How many there are and how large, then the largest with their reasons.
pub(super) fn overview(names: &Names<'_>, shown: &[(usize, &Reasons)], top: usize) -> String {
    let Names(knowledge) = names;
    let size = |(at, _): &(usize, &Reasons)| knowledge.tree.community(CommunityId::at(*at)).members.len();
    let sizes: Vec<usize> = shown.iter().map(size).collect();
    let entities = counted(knowledge.graph.entities().len(), "entity");
    let head = match (sizes.last(), sizes.get(sizes.len() / 2), sizes.first()) {
        (Some(least), Some(median), Some(most)) => {
            let communities = counted(sizes.len(), "community");
            format!("{communities} over {entities}; members: {least} to {most}, median {median}\n")
        }
        _ => "no communities: the store has no entities\n".to_owned(),
    };
    let largest = shown.iter().take(top);
    let largest: String = largest
        .flat_map(|(at, why)| ["\n".to_owned(), reasons(names, *at, why)])
        .collect();
    let more = match shown.len().saturating_sub(top) {
        0 => String::new(),
        rest => format!("\n{rest} more (--top N, --community N)\n"),
    };
    (head + &branches(knowledge, top) + &largest + &more)
        .trim_end()
        .to_owned()
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
pub(super) fn whole(names: &Names<'_>, number: usize, why: &Reasons) -> String {
    let members = names.0.tree.community(CommunityId::at(number)).members.iter();
    let members: Vec<String> = members
        .map(|id| format!("  {} ({})", names.entity(*id), names.kind(*id)))
        .collect();
    format!("{}members\n{}", reasons(names, number, why), members.join("\n"))
}

fn reasons(names: &Names<'_>, number: usize, why: &Reasons) -> String {
    let schema = &names.0.schema;
    let community = names.0.tree.community(CommunityId::at(number));
    let keywords = community.keywords.iter();
    let keywords: Vec<String> = keywords
        .map(|word| format!("{} {:.2}", names.entity(word.entity), word.score))
        .collect();
    let mut lines = vec![
        format!("#{number} {}", community.name),
        format!("  {}", community.description),
        format!("  keywords   {}", keywords.join(" · ")),
    ];
    if why.n_inside > 0 {
        let relations = why.relations.iter().take(MAX_RELATIONS);
        let relations: Vec<String> = relations
            .map(|(id, n)| format!("{} {n}", schema.relation_name(*id)))
            .collect();
        lines.push(format!(
            "  relations  {} · {:.0} % of its {} stay inside",
            relations.join(" · "),
            100.0 * why.cohesion(),
            counted(why.n_inside + why.n_outside, "triple")
        ));
    }
    if !why.words.is_empty() {
        lines.push(format!("  words      {}", why.words.join(", ")));
    }
    for (at, id) in why.facts.iter().enumerate() {
        let triple = names.0.graph.triple(*id);
        let label = if at == 0 { "facts" } else { "" };
        let (head, tail) = (names.entity(triple.head), names.entity(triple.tail));
        let relation = schema.relation_name(triple.relation);
        let first = triple.sources.first().map(|source| names.0.locate(source));
        let more = match triple.sources.len() {
            0 | 1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let place = first.unwrap_or_default() + &more;
        lines.push(format!("  {label:<9}  {head} —{relation}→ {tail}  ({place})"));
    }
    lines.push(String::new());
    lines.join("\n")
}
