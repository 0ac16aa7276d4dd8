//! `banyan communities`: what belongs together, and why.

use crate::args::Communities;
use crate::{Outcome, render};
use anyhow::{Result, bail};
use banyan::{Banyan, Environment};
use banyan_community::{Reasons, reasons};
use banyan_engine::{Branch, CommunityId, EntityId, Keyword, Knowledge, RelationId, TripleId};
use serde_json::{Value, json};
use std::cmp::Reverse;

pub(crate) const TEMPLATE: &str = include_str!("../templates/communities.txt");
const MAX_LISTED: usize = 5;
const MAX_CHILDREN: usize = 4;

pub(crate) fn run(args: &Communities, env: Environment) -> Result<Outcome> {
    let view = view(&Banyan::open(&args.target.store, env)?, args)?;
    if args.json {
        render::json(&view["communities"])?;
        return Ok(Outcome::Done);
    }
    render::report(&view, TEMPLATE, false)
}

/// The largest communities, or all where JSON is asked for, and the levels above them; or the one that is named.
pub(crate) fn view(banyan: &Banyan, args: &Communities) -> Result<Value> {
    let knowledge = banyan.knowledge()?;
    let n = knowledge.tree.n_communities();
    if let Some(number) = args.community.filter(|number| *number >= n) {
        bail!("--community {number}: expected a number below {n}, the count of communities");
    }
    let reasons = reasons(&knowledge.graph, &knowledge.tree, MAX_LISTED);
    let mut shown: Vec<(usize, &Reasons)> = reasons.iter().enumerate().collect();
    let is_gone = |at: usize| knowledge.tree.community(CommunityId::at(at)).is_gone();
    shown.retain(|(at, _)| args.community.map_or(!is_gone(*at), |number| number == *at));
    shown.sort_by_key(|(at, _)| {
        (
            Reverse(knowledge.tree.community(CommunityId::at(*at)).members.len()),
            *at,
        )
    });
    let names = Names(knowledge);
    let views = |n: usize| -> Vec<Value> {
        let first = shown.iter().take(n);
        first.map(|(at, reasons)| names.view(*at, reasons)).collect()
    };
    let top = if args.json { n } else { args.top };
    let view = match args.community {
        Some(_) => json!({"communities": views(1)}),
        None => json!({"communities": views(top), "summary": names.summary(args.top)}),
    };
    banyan.sound()?;
    Ok(view)
}

/// What ids are called.
struct Names<'a>(&'a Knowledge);

impl<'a> Names<'a> {
    fn entity(&self, id: EntityId) -> &'a str {
        &self.0.graph.entity(id).name
    }

    fn kind(&self, id: EntityId) -> &'a str {
        &self.0.schema.entity_type(self.0.graph.entity(id).entity_type).name
    }

    /// How many communities there are and how large, and the levels above them from the highest down, each with the
    /// branches that have most children.
    fn summary(&self, top: usize) -> Value {
        let tree = &self.0.tree;
        let there = tree.communities().iter().filter(|node| !node.is_gone());
        let mut sizes: Vec<usize> = there.map(|node| node.members.len()).collect();
        sizes.sort_unstable();
        let mut below: Vec<&str> = tree.communities().iter().map(|node| node.name.as_str()).collect();
        let mut levels = Vec::new();
        for (level, nodes) in tree.branches().iter().enumerate() {
            let mark = if level == 0 { "#" } else { "" };
            let branch = |branch: &Branch| {
                let children = branch.children.iter().take(MAX_CHILDREN);
                let children = children.map(|child| format!("{mark}{} {}", child.index(), below[child.index()]));
                json!({
                    "name": branch.name,
                    "description": branch.description,
                    "children": children.collect::<Vec<_>>(),
                    "n_more": branch.children.len().saturating_sub(MAX_CHILDREN),
                })
            };
            let mut order: Vec<&Branch> = nodes.iter().collect();
            order.sort_by_key(|node| Reverse(node.children.len()));
            let branches: Vec<Value> = order.into_iter().take(top).map(branch).collect();
            levels.push(json!({"number": level + 5, "n": nodes.len(), "branches": branches}));
            below = nodes.iter().map(|node| node.name.as_str()).collect();
        }
        levels.reverse();
        json!({
            "n": sizes.len(),
            "n_entities": self.0.counts().entities,
            "least": sizes.first(),
            "median": sizes.len().checked_sub(1 + sizes.len() / 2).map(|at| sizes[at]),
            "most": sizes.last(),
            "levels": levels,
            "n_more": sizes.len().saturating_sub(top),
        })
    }

    /// One community as JSON; `branch` is the position of the branch above it, `cohesion` the share of its triples that
    /// stay inside, and a `score` how many places state a fact.
    fn view(&self, number: usize, reasons: &Reasons) -> Value {
        let Self(knowledge) = self;
        let id = CommunityId::at(number);
        let community = knowledge.tree.community(id);
        let branches = knowledge.tree.branches().first();
        let branch = branches.and_then(|branches| branches.iter().position(|branch| branch.children.contains(&id)));
        let keyword = |word: &Keyword| json!({"name": self.entity(word.entity), "score": render::number(word.score)});
        let relation = |(id, n): &(RelationId, usize)| json!({"relation": knowledge.schema.relation_name(*id), "n": n});
        let fact = |id: &TripleId| {
            let triple = knowledge.graph.triple(*id);
            json!({
                "head": self.entity(triple.head),
                "relation": knowledge.schema.relation_name(triple.relation),
                "tail": self.entity(triple.tail),
                "score": triple.sources.len(),
                "sources": self.0.locate_all(&triple.sources),
            })
        };
        let stated = |id: &EntityId| {
            let entity = self.entity(*id);
            let stated = knowledge.graph.attributes_of(*id).map(move |fact| {
                json!({
                    "entity": entity,
                    "attribute": knowledge.schema.attribute_name(fact.attribute),
                    "value": fact.value,
                    "score": fact.sources.len(),
                    "sources": self.0.locate_all(&fact.sources),
                })
            });
            stated.collect::<Vec<_>>()
        };
        let member = |id: &EntityId| json!({"name": self.entity(*id), "type": self.kind(*id)});
        let list = |values: Vec<Value>| Value::Array(values);
        json!({
            "number": number,
            "branch": branch,
            "name": community.name,
            "description": community.description,
            "keywords": list(community.keywords.iter().map(keyword).collect()),
            "cohesion": render::number(reasons.cohesion()),
            "n_inside": reasons.n_inside,
            "n_outside": reasons.n_outside,
            "relations": list(reasons.relations.iter().map(relation).collect()),
            "words": reasons.words,
            "facts": list(reasons.facts.iter().map(fact).collect()),
            "attributes": list(community.members.iter().flat_map(stated).collect()),
            "members": list(community.members.iter().map(member).collect()),
        })
    }
}
