//! `banyan communities`: what belongs together, and why.

use crate::args::Communities;
use crate::{Outcome, render};
use anyhow::{Result, bail};
use banyan::{Banyan, Environment};
use banyan_community::{Config, Reasons, reasons};
use banyan_engine::{CommunityId, EntityId, Knowledge, TripleId};
use serde::Serialize;
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
    let mut views: Vec<View> = reasons
        .iter()
        .enumerate()
        .filter(|(at, _)| args.community.is_none_or(|number| number == *at))
        .map(|(at, reasons)| View::new(knowledge, at, reasons))
        .collect();
    views.sort_by_key(|view| (Reverse(view.members.len()), view.number));
    if args.json {
        render::json(&views)?;
    } else if args.community.is_some() {
        let whole: Vec<String> = views.iter().map(text::whole).collect();
        render::text(&whole.concat())?;
    } else {
        render::text(&text::overview(knowledge, &views, args.top))?;
    }
    Ok(Outcome::Done)
}

/// One community, as it is shown.
#[derive(Serialize)]
struct View {
    number: usize,
    /// Position of the branch above it, where there is one.
    branch: Option<usize>,
    name: String,
    description: String,
    keywords: Vec<Word>,
    /// Share of its triples that stay inside.
    cohesion: f32,
    n_inside: usize,
    n_outside: usize,
    relations: Vec<Share>,
    words: Vec<String>,
    facts: Vec<Fact>,
    /// Level 1: what is stated of its members.
    attributes: Vec<Stated>,
    members: Vec<Member>,
}

#[derive(Serialize)]
struct Word {
    name: String,
    score: f32,
}

/// Triples inside of one relation.
#[derive(Serialize)]
struct Share {
    relation: String,
    n: usize,
}

/// A triple with how many places state it.
#[derive(Serialize)]
struct Fact {
    head: String,
    relation: String,
    tail: String,
    score: usize,
    sources: Vec<String>,
}

/// An attribute with how many places state it.
#[derive(Serialize)]
struct Stated {
    entity: String,
    attribute: String,
    value: String,
    score: usize,
    sources: Vec<String>,
}

#[derive(Serialize)]
struct Member {
    name: String,
    #[serde(rename = "type")]
    kind: String,
}

impl View {
    fn new(knowledge: &Knowledge, number: usize, reasons: &Reasons) -> Self {
        let community = knowledge.tree.community(CommunityId::at(number));
        let name = |id: EntityId| knowledge.graph.entity(id).name.clone();
        let keyword = |word: &banyan_engine::Keyword| Word {
            name: name(word.entity),
            score: word.score,
        };
        let share = |(id, n): &(_, usize)| Share {
            relation: knowledge.schema.relation_name(*id).to_owned(),
            n: *n,
        };
        let member = |id: &EntityId| Member {
            name: name(*id),
            kind: knowledge
                .schema
                .entity_type(knowledge.graph.entity(*id).entity_type)
                .name
                .clone(),
        };
        let branches = knowledge.tree.branches().first();
        let is_above = |branch: &banyan_engine::Branch| branch.children.contains(&CommunityId::at(number));
        Self {
            number,
            branch: branches.and_then(|branches| branches.iter().position(is_above)),
            name: community.name.clone(),
            description: community.description.clone(),
            keywords: community.keywords.iter().map(keyword).collect(),
            cohesion: reasons.cohesion(),
            n_inside: reasons.n_inside,
            n_outside: reasons.n_outside,
            relations: reasons.relations.iter().map(share).collect(),
            words: reasons.words.clone(),
            facts: reasons.facts.iter().map(|id| fact(knowledge, *id)).collect(),
            attributes: community.members.iter().flat_map(|id| values(knowledge, *id)).collect(),
            members: community.members.iter().map(member).collect(),
        }
    }
}

fn fact(knowledge: &Knowledge, id: TripleId) -> Fact {
    let triple = knowledge.graph.triple(id);
    let name = |id: EntityId| knowledge.graph.entity(id).name.clone();
    Fact {
        head: name(triple.head),
        relation: knowledge.schema.relation_name(triple.relation).to_owned(),
        tail: name(triple.tail),
        score: triple.sources.len(),
        sources: triple.sources.iter().map(|source| knowledge.locate(source)).collect(),
    }
}

/// The attributes of an entity.
fn values(knowledge: &Knowledge, id: EntityId) -> Vec<Stated> {
    let value = |fact: &banyan_engine::Attribute| Stated {
        entity: knowledge.graph.entity(id).name.clone(),
        attribute: knowledge.schema.attribute_name(fact.attribute).to_owned(),
        value: fact.value.clone(),
        score: fact.sources.len(),
        sources: fact.sources.iter().map(|source| knowledge.locate(source)).collect(),
    };
    knowledge.graph.attributes_of(id).iter().map(value).collect()
}
