//! The laws of a schema: unique names, references that lead somewhere, ancestors without a cycle, inverses that agree.
//! A broken law is told as a sentence that names the definition.

use super::element::{AttributeType, ElementKind, EntityType, ValueKind};
use super::read::SchemaFile;
use super::{RelationId, Schema, TypeId};
use std::collections::BTreeMap;

/// The positions of definitions by name: of types, relations and attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names([BTreeMap<String, u16>; 3]);

impl Names {
    pub(super) fn find(&self, kind: ElementKind, name: &str) -> Option<u16> {
        self.0[kind as usize].get(name).copied()
    }

    pub(super) fn types(&self, names: &[String]) -> Vec<TypeId> {
        let found = names.iter().filter_map(|name| self.find(ElementKind::EntityType, name));
        found.map(TypeId).collect()
    }

    fn hold(&self, owner: &str, field: &str, kind: ElementKind, names: &[String]) -> Result<(), String> {
        match names.iter().find(|name| self.find(kind, name).is_none()) {
            Some(name) => Err(format!(
                "{owner}: its {field} names `{name}`, which the schema does not define"
            )),
            None => Ok(()),
        }
    }
}

/// Gives every definition its position, and holds that names are unique and references lead to definitions.
pub(super) fn names(file: &SchemaFile) -> Result<Names, String> {
    use ElementKind::{Attribute, EntityType, Relation};
    let types = file.entity_types.iter().map(|kind| (kind.name.as_str(), kind.label()));
    let relations = file.relations.iter().map(|kind| (kind.name.as_str(), kind.label()));
    let attributes = file.attributes.iter().map(|kind| (kind.name.as_str(), kind.label()));
    let names = Names([
        positions(EntityType, types)?,
        positions(Relation, relations)?,
        positions(Attribute, attributes)?,
    ]);
    for kind in &file.entity_types {
        let owner = format!("{EntityType} `{}`", kind.name);
        names.hold(&owner, "parent", EntityType, kind.parent.as_slice())?;
    }
    for kind in &file.relations {
        let owner = format!("{Relation} `{}`", kind.name);
        names.hold(&owner, "domain", EntityType, &kind.domain)?;
        names.hold(&owner, "range", EntityType, &kind.range)?;
        names.hold(&owner, "inverse", Relation, kind.inverse.as_slice())?;
    }
    for kind in &file.attributes {
        let owner = format!("{Attribute} `{}`", kind.name);
        names.hold(&owner, "domain", EntityType, &kind.domain)?;
    }
    Ok(names)
}

fn positions<'a>(
    kind: ElementKind,
    names: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
) -> Result<BTreeMap<String, u16>, String> {
    let (n, max) = (names.len(), usize::from(u16::MAX) + 1);
    let mut labels: BTreeMap<&str, &str> = BTreeMap::new();
    let mut map = BTreeMap::new();
    for (position, (name, label)) in names.enumerate() {
        let Ok(position) = u16::try_from(position) else {
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
        map.insert(name.to_owned(), position);
    }
    Ok(map)
}

/// The parent of each type, none of which is its own ancestor. Cost O(types).
pub(super) fn parents(file: &SchemaFile, names: &Names) -> Result<Vec<Option<TypeId>>, String> {
    let parent = |kind: &EntityType| names.types(kind.parent.as_slice()).first().copied();
    let parents: Vec<Option<TypeId>> = file.entity_types.iter().map(parent).collect();
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
