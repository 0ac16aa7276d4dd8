//! The laws of a schema: unique names, references that lead somewhere, ancestors without a cycle, inverses that agree.
//! A broken law is told as a sentence that names the definition.

use super::element::{AttributeType, ElementKind, ValueKind};
use super::read::SchemaFile;
use super::{AttributeId, RelationId, Schema, TypeId};
use std::collections::BTreeMap;

/// All names with their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) types: BTreeMap<String, TypeId>,
    pub(super) relations: BTreeMap<String, RelationId>,
    pub(super) attributes: BTreeMap<String, AttributeId>,
}

/// Gives every definition its id, and holds that names are unique and references lead to definitions.
pub(super) fn names(file: &SchemaFile) -> Result<Names, String> {
    let types = file.entity_types.iter().map(|kind| (kind.name.as_str(), kind.label()));
    let relations = file.relations.iter().map(|kind| (kind.name.as_str(), kind.label()));
    let attributes = file.attributes.iter().map(|kind| (kind.name.as_str(), kind.label()));
    let names = Names {
        types: ids(ElementKind::EntityType, types, TypeId)?,
        relations: ids(ElementKind::Relation, relations, RelationId)?,
        attributes: ids(ElementKind::Attribute, attributes, AttributeId)?,
    };
    for kind in &file.entity_types {
        let owner = (ElementKind::EntityType, kind.name.as_str());
        refers(owner, "parent", kind.parent.as_slice(), &names.types)?;
    }
    for kind in &file.relations {
        let owner = (ElementKind::Relation, kind.name.as_str());
        refers(owner, "domain", &kind.domain, &names.types)?;
        refers(owner, "range", &kind.range, &names.types)?;
        refers(owner, "inverse", kind.inverse.as_slice(), &names.relations)?;
    }
    for kind in &file.attributes {
        let owner = (ElementKind::Attribute, kind.name.as_str());
        refers(owner, "domain", &kind.domain, &names.types)?;
    }
    Ok(names)
}

fn ids<'a, Id>(
    kind: ElementKind,
    names: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
    make: impl Fn(u16) -> Id,
) -> Result<BTreeMap<String, Id>, String> {
    let (n, max) = (names.len(), usize::from(u16::MAX) + 1);
    let mut labels: BTreeMap<&str, &str> = BTreeMap::new();
    let mut map = BTreeMap::new();
    for (position, (name, label)) in names.enumerate() {
        let Ok(id) = u16::try_from(position) else {
            return Err(format!(
                "the schema has {n} definitions of one kind ({kind}); at most {max} fit"
            ));
        };
        if name.is_empty() {
            return Err(format!(
                "{kind} `{label}` has no name; expected one with letters or digits"
            ));
        }
        if let Some(first) = labels.insert(name, label) {
            let is_one = if first == name && label == name {
                String::new()
            } else {
                format!(", and `{first}` and `{label}` are one")
            };
            return Err(format!(
                "{kind} `{name}` is defined twice; expected unique names{is_one}"
            ));
        }
        map.insert(name.to_owned(), make(id));
    }
    Ok(map)
}

fn refers<Id>(
    (kind, owner): (ElementKind, &str),
    field: &str,
    names: &[String],
    known: &BTreeMap<String, Id>,
) -> Result<(), String> {
    match names.iter().find(|name| !known.contains_key(*name)) {
        Some(name) => Err(format!(
            "{kind} `{owner}`: its {field} names `{name}`, which the schema does not define"
        )),
        None => Ok(()),
    }
}

/// The parent of each type, none of which is its own ancestor. Cost O(types).
pub(super) fn parents(file: &SchemaFile, names: &Names) -> Result<Vec<Option<TypeId>>, String> {
    let parent = |name: &Option<String>| name.as_ref().and_then(|name| names.types.get(name)).copied();
    let parents: Vec<Option<TypeId>> = file.entity_types.iter().map(|kind| parent(&kind.parent)).collect();
    // The walk upwards that saw a type first: a type seen again in the same walk closes a cycle.
    let mut walks: Vec<Option<usize>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let mut at = start;
        while walks[at].is_none() {
            walks[at] = Some(start);
            match parents[at] {
                Some(next) if walks[next.index()] == Some(start) => return Err(cycle(file, &parents, next)),
                Some(next) => at = next.index(),
                None => {}
            }
        }
    }
    Ok(parents)
}

fn cycle(file: &SchemaFile, parents: &[Option<TypeId>], first: TypeId) -> String {
    let name = |id: TypeId| file.entity_types[id.index()].name.as_str();
    let mut members = vec![name(first)];
    let mut next = parents[first.index()];
    while let Some(id) = next.filter(|id| *id != first) {
        members.push(name(id));
        next = parents[id.index()];
    }
    members.push(name(first));
    format!(
        "the parents of entity types form a cycle ({}); expected a type without a parent at the end",
        members.join(" → ")
    )
}

/// Holds that inverses are mutual, whichever of two relations names the other, and can hold between the same two things.
/// Cost O(relations · ends²).
pub(super) fn inverses(schema: &Schema) -> Result<(), String> {
    let mut claimed: BTreeMap<RelationId, &str> = BTreeMap::new();
    for (id, kind) in schema.relation_ids() {
        let Some(inverse) = kind.inverse.as_deref().and_then(|name| schema.relation_id(name)) else {
            continue;
        };
        let (relation, other) = (kind.name.as_str(), &schema.relations()[inverse.index()]);
        let named = format!("relation `{relation}` names `{}` as its inverse, but", other.name);
        let earlier = claimed.insert(inverse, relation);
        let found = other.inverse.as_deref().or(earlier);
        if let Some(found) = found.filter(|found| *found != relation) {
            return Err(format!("{named} the inverse of `{}` is `{found}`", other.name));
        }
        let ((domain, range), (other_domain, other_range)) = (&schema.ends[id.index()], &schema.ends[inverse.index()]);
        if !agree(schema, domain, other_range) {
            return Err(apart(&named, ("domain", &kind.domain), ("range", &other.range)));
        }
        if !agree(schema, range, other_domain) {
            return Err(apart(&named, ("range", &kind.range), ("domain", &other.domain)));
        }
    }
    Ok(())
}

fn apart(named: &str, (side, types): (&str, &[String]), (other_side, other_types): (&str, &[String])) -> String {
    let (types, other_types) = (types.join(", "), other_types.join(", "));
    format!("{named} no type is in both its {side} ({types}) and the {other_side} of its inverse ({other_types})")
}

/// Whether one entity can be of both: some type of one list is, or is a kind of, a type of the other.
fn agree(schema: &Schema, some: &[TypeId], others: &[TypeId]) -> bool {
    let is_open = |types: &[TypeId]| types.is_empty() || types.contains(&schema.thing());
    let meet = |a: TypeId, b: TypeId| schema.is_a(a, b) || schema.is_a(b, a);
    is_open(some) || is_open(others) || some.iter().any(|a| others.iter().any(|b| meet(*a, *b)))
}

/// Holds that an enum lists its words, and that only enums have words and only quantities a unit.
pub(super) fn values(kind: &AttributeType) -> Result<(), String> {
    let name = &kind.name;
    let not_for_kind = |field: &str, expected: ValueKind| {
        let found = kind.kind;
        Err(format!(
            "attribute `{name}` has kind {found} and `{field}`, which only kind {expected} takes"
        ))
    };
    if kind.kind == ValueKind::Enum && kind.values.iter().all(|value| crate::name::key(value).is_empty()) {
        Err(format!(
            "attribute `{name}` has kind enum and no values; list the words it takes in `values`"
        ))
    } else if kind.kind != ValueKind::Enum && !kind.values.is_empty() {
        not_for_kind("values", ValueKind::Enum)
    } else if kind.kind != ValueKind::Quantity && kind.unit.is_some() {
        not_for_kind("unit", ValueKind::Quantity)
    } else {
        Ok(())
    }
}
