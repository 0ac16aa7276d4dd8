//! `banyan node`, `neighbours`, `paths` and `match`: the graph, looked at from one of its entities or by conditions.

use crate::args::{Edges, Match, Neighbours, Node, Paths};
use crate::{Outcome, render};
use anyhow::{Context, Result, bail};
use banyan::{Banyan, Environment, nearest, nearest_predicate};
use banyan_engine::graph::{Binding, Predicate, Tie, Ties, Witness};
use banyan_engine::{EntityId, Knowledge, RelationId, Schema, Source, TripleId, TypeId};
use serde_json::{Map, Value, json};

mod pattern;

/// Places shown of an entity.
const MAX_PLACES: usize = 5;
pub(crate) const TEMPLATE: &str = include_str!("../templates/graph.txt");

pub(crate) fn node(args: &Node, env: Environment) -> Result<Outcome> {
    let view = node_view(&Banyan::open(&args.target.store, env)?, args)?;
    render::report(if args.json { &view["node"] } else { &view }, TEMPLATE, args.json)
}

pub(crate) fn node_view(banyan: &Banyan, args: &Node) -> Result<Value> {
    let id = banyan.entity(&args.name)?;
    let names = Names(banyan.knowledge()?);
    let Knowledge {
        schema, graph, tree, ..
    } = names.0;
    let entity = graph.entity(id);
    let kinds = schema
        .ancestry(entity.entity_type)
        .map(|kind| &schema.entity_type(kind).name);
    let attributes = graph.attributes_of(id).map(|one| {
        json!({"name": schema.attribute_name(one.attribute), "value": one.value, "places": names.0.locate_all(&one.sources)})
    });
    let community = tree.community_of(id);
    let community = community.map(|own| json!({"number": own.index(), "name": tree.community(own).name}));
    let mut places: Vec<String> = Vec::new();
    for (source, _) in &entity.mentions {
        let place = names.0.locate(source);
        if places.last() != Some(&place) {
            places.push(place);
        }
        if places.len() > MAX_PLACES {
            break;
        }
    }
    let incident = graph.incident(id);
    let view = json!({"node": {
        "name": entity.name,
        "types": kinds.collect::<Vec<_>>(),
        "aliases": entity.aliases,
        "attributes": attributes.collect::<Vec<_>>(),
        "community": community,
        "triples": incident.count(),
        "associations": graph.associated(id).count(),
        "mentions": entity.mentions.len(),
        "places": places.iter().take(MAX_PLACES).collect::<Vec<_>>(),
        "is_cut": places.len() > MAX_PLACES,
    }});
    banyan.sound()?;
    Ok(view)
}

pub(crate) fn neighbours(args: &Neighbours, env: Environment) -> Result<Outcome> {
    let view = neighbours_view(&Banyan::open(&args.target.store, env)?, args)?;
    render::report(if args.json { &view["neighbours"] } else { &view }, TEMPLATE, args.json)
}

pub(crate) fn neighbours_view(banyan: &Banyan, args: &Neighbours) -> Result<Value> {
    let id = banyan.entity(&args.name)?;
    let names = Names(banyan.knowledge()?);
    let Knowledge { schema, graph, .. } = names.0;
    let relations = relations(schema, &args.edges)?;
    let kind = args.kind.as_deref().map(|kind| type_of(schema, kind)).transpose()?;
    let is_directed = args.incoming || args.outgoing;
    let ties = graph.ties(id, ties(&args.edges, &relations, is_directed));
    let is_wanted = |(other, tie): &(EntityId, Tie)| {
        let is_way = match tie {
            Tie::Triple(at) if is_directed => {
                let triple = graph.triple(*at);
                (args.outgoing && triple.head == id) || (args.incoming && triple.tail == id)
            }
            _ => true,
        };
        is_way && kind.is_none_or(|kind| schema.is_a(graph.entity(*other).entity_type, kind))
    };
    let found: Vec<(EntityId, Tie)> = ties.into_iter().filter(is_wanted).collect();
    let shown = found
        .iter()
        .take(args.limit)
        .map(|(other, tie)| names.edge(id, *tie, *other));
    let shown: Vec<Value> = shown.collect();
    let view = json!({"name": graph.entity(id).name, "neighbours": shown, "of": found.len()});
    banyan.sound()?;
    Ok(view)
}

pub(crate) fn paths(args: &Paths, env: Environment) -> Result<Outcome> {
    let view = paths_view(&Banyan::open(&args.target.store, env)?, args)?;
    render::report(&view, TEMPLATE, args.json)
}

pub(crate) fn paths_view(banyan: &Banyan, args: &Paths) -> Result<Value> {
    let ends = (banyan.entity(&args.from)?, banyan.entity(&args.to)?);
    if ends.0 == ends.1 {
        bail!("{:?} and {:?} are one entity; a path joins two", args.from, args.to);
    }
    let names = Names(banyan.knowledge()?);
    let Knowledge { schema, graph, .. } = names.0;
    let relations = relations(schema, &args.edges)?;
    let which = ties(&args.edges, &relations, false);
    let found = graph.simple_paths(ends, which, usize::from(args.max_depth), args.limit);
    let path = |path: &banyan_engine::graph::SimplePath| {
        let pairs = path.entities.windows(2).zip(&path.ties);
        let steps = pairs.map(|(pair, tie)| names.edge(pair[0], *tie, pair[1]));
        json!({"from": graph.entity(ends.0).name, "steps": steps.collect::<Vec<_>>()})
    };
    let view = json!({
        "from": graph.entity(ends.0).name,
        "to": graph.entity(ends.1).name,
        "max_depth": args.max_depth,
        "paths": found.paths.iter().map(path).collect::<Vec<_>>(),
        "is_cut": found.is_cut,
    });
    banyan.sound()?;
    Ok(view)
}

pub(crate) fn matching(args: &Match, env: Environment) -> Result<Outcome> {
    let view = matching_view(&Banyan::open(&args.target.store, env)?, args)?;
    render::report(&view, TEMPLATE, args.json)
}

pub(crate) fn matching_view(banyan: &Banyan, args: &Match) -> Result<Value> {
    let names = Names(banyan.knowledge()?);
    let Knowledge { schema, graph, .. } = names.0;
    let (patterns, variables) = pattern::parse(&args.pattern, schema, |name| Ok(banyan.entity(name)?))?;
    let found = graph.matching(schema, &patterns, variables.len(), args.limit);
    let place = |sources: &[Source]| sources.first().map(|source| names.0.locate(source));
    let row = |row: &banyan_engine::graph::Row| {
        let values = variables.iter().zip(&row.bindings).map(|(variable, bound)| {
            let value = match bound {
                Binding::Entity(id) => graph.entity(*id).name.clone(),
                Binding::Value(value) => value.clone(),
            };
            (variable.clone(), value.into())
        });
        let places = row.witnesses.iter().map(|witness| match witness {
            Witness::Triple(at) => place(&graph.triple(TripleId::at(*at)).sources),
            Witness::Attribute(at) => place(&graph.attribute(*at).sources),
        });
        json!({"values": values.collect::<Map<_, _>>(), "places": places.collect::<Vec<_>>()})
    };
    let view = json!({
        "variables": variables,
        "rows": found.rows.iter().map(row).collect::<Vec<_>>(),
        "is_cut": found.is_cut,
    });
    banyan.sound()?;
    Ok(view)
}

/// The relations that were named, as the schema keeps them.
fn relations(schema: &Schema, edges: &Edges) -> Result<Vec<RelationId>> {
    let named = edges
        .relation
        .iter()
        .map(|name| Ok(schema.kept(relation(schema, name)?)));
    named.collect()
}

fn ties<'a>(edges: &Edges, relations: &'a [RelationId], is_directed: bool) -> Ties<'a> {
    Ties {
        relations,
        with_associations: relations.is_empty() && !edges.facts && !is_directed,
    }
}

fn relation(schema: &Schema, name: &str) -> Result<RelationId> {
    if schema.attribute_id(name).is_some() {
        bail!("{name:?} is an attribute, which joins no two entities; `banyan node` shows those of an entity");
    }
    schema
        .relation_id(name)
        .with_context(|| unknown("relation", name, nearest_predicate(schema, name)))
}

fn type_of(schema: &Schema, name: &str) -> Result<TypeId> {
    let names = || schema.entity_types().iter().map(|one| one.name.as_str());
    schema
        .type_id(name)
        .with_context(|| unknown("type", name, nearest(name, names())))
}

/// That a schema has no such element, with the one that may be meant.
fn unknown(what: &str, name: &str, near: Option<&str>) -> String {
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    format!("{name:?}: the schema of the store has no such {what}{near} (`banyan schema show` lists all)")
}

/// What ids are called.
struct Names<'a>(&'a Knowledge);

impl Names<'_> {
    /// What joins an entity to another.
    fn edge(&self, from: EntityId, tie: Tie, to: EntityId) -> Value {
        let Knowledge { schema, graph, .. } = self.0;
        let other = graph.entity(to);
        let mut view = match tie {
            Tie::Triple(at) => {
                let triple = graph.triple(at);
                json!({
                    "relation": schema.relation_name(triple.relation),
                    "is_outgoing": triple.head == from,
                    "places": self.0.locate_all(&triple.sources),
                })
            }
            Tie::Association(at) => {
                let association = graph.association(at as usize);
                json!({
                    "relation": null,
                    "words": association.phrases,
                    "weight": association.weight,
                    "sentences": association.n,
                    "places": self.0.locate_all(&[association.source]),
                })
            }
        };
        view["name"] = other.name.clone().into();
        view["type"] = schema.entity_type(other.entity_type).name.clone().into();
        view
    }
}

/// The relation, read from either side, or the attribute of a name.
fn predicate(schema: &Schema, name: &str) -> Result<(Predicate, bool)> {
    if name.starts_with('?') {
        bail!(
            "{name:?}: a relation cannot be a variable; `banyan neighbours` shows whatever joins an entity to others"
        );
    }
    if let Some(id) = schema.attribute_id(name) {
        return Ok((Predicate::Attribute(id), false));
    }
    let Some(id) = schema.relation_id(name) else {
        bail!(unknown("relation or attribute", name, nearest_predicate(schema, name)));
    };
    Ok((Predicate::Relation(schema.kept(id)), schema.kept(id) != id))
}
