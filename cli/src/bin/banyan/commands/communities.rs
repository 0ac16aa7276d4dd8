//! `banyan communities`: what belongs together, and why.

use crate::args::Communities;
use crate::{Outcome, render};
use anyhow::{Result, bail};
use banyan::{Banyan, Environment};
use banyan_community::{Config, Reasons, reasons};
use banyan_engine::{CommunityId, EntityId, Keyword, Knowledge, RelationId, Source, TripleId};
use serde_json::{Value, json};
use std::cmp::Reverse;

mod text;

/// Words and facts shown for each.
const MAX_LISTED: usize = 5;

pub(crate) fn run(args: &Communities, env: Environment) -> Result<Outcome> {
    let banyan = Banyan::open(&args.target.store, env)?;
    let knowledge = banyan.knowledge()?;
    let n = knowledge.tree.communities().len();
    if let Some(number) = args.community.filter(|number| *number >= n) {
        bail!("--community {number}: expected a number below {n}, the count of communities");
    }
    let reasons = reasons(
        &knowledge.graph,
        &knowledge.tree,
        &Config::for_schema(&knowledge.schema),
        MAX_LISTED,
    );
    let mut shown: Vec<(usize, &Reasons)> = reasons.iter().enumerate().collect();
    shown.retain(|(at, _)| args.community.is_none_or(|number| number == *at));
    shown.sort_by_key(|(at, _)| {
        (
            Reverse(knowledge.tree.community(CommunityId::at(*at)).members.len()),
            *at,
        )
    });
    let names = Names(knowledge);
    if args.json {
        let views = shown.iter().map(|(at, reasons)| names.view(*at, reasons));
        render::json(&views.collect::<Vec<_>>())?;
    } else if args.community.is_some() {
        let whole: Vec<String> = shown
            .iter()
            .map(|(at, reasons)| text::whole(&names, *at, reasons))
            .collect();
        render::text(&whole.concat())?;
    } else {
        render::text(&text::overview(&names, &shown, args.top))?;
    }
    Ok(Outcome::Done)
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

    fn places(&self, sources: &[Source]) -> Vec<String> {
        sources.iter().map(|source| self.0.locate(source)).collect()
    }

    /// One community as JSON; `branch` is the position of the branch above it, `cohesion` the share of its triples that stay
    /// inside, and a `score` how many places state a fact.
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
                "sources": self.places(&triple.sources),
            })
        };
        let stated = |id: &EntityId| {
            let entity = self.entity(*id);
            let stated = knowledge.graph.attributes_of(*id).iter().map(move |fact| {
                json!({
                    "entity": entity,
                    "attribute": knowledge.schema.attribute_name(fact.attribute),
                    "value": fact.value,
                    "score": fact.sources.len(),
                    "sources": self.places(&fact.sources),
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
