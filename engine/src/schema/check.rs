//! The laws of a schema: unique names, references that lead somewhere, ancestors without a cycle, inverses that agree.

use super::element::{AttributeType, ElementKind, ValueKind};
use super::error::SchemaFault;
use super::file::SchemaFile;
use super::node::Step;
use super::{AttributeId, RelationId, Schema, TypeId};
use std::collections::BTreeMap;

/// A broken law and the path to the value that breaks it.
pub(super) struct Broken {
    pub(super) fault: Box<SchemaFault>,
    pub(super) path: Vec<Step>,
}

/// All names with their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) types: BTreeMap<String, TypeId>,
    pub(super) relations: BTreeMap<String, RelationId>,
    pub(super) attributes: BTreeMap<String, AttributeId>,
}

/// Gives every definition its id, and holds that names are unique and references lead to definitions.
pub(super) fn names(file: &SchemaFile) -> Result<Names, Broken> {
    let types = file.entity_types.iter().map(|kind| (kind.name.as_str(), kind.label()));
    let relations = file.relations.iter().map(|kind| (kind.name.as_str(), kind.label()));
    let attributes = file.attributes.iter().map(|kind| (kind.name.as_str(), kind.label()));
    let names = Names {
        types: ids(ElementKind::EntityType, types, TypeId)?,
        relations: ids(ElementKind::Relation, relations, RelationId)?,
        attributes: ids(ElementKind::Attribute, attributes, AttributeId)?,
    };
    for (at, kind) in file.entity_types.iter().enumerate() {
        let owner = Owner::new(ElementKind::EntityType, at, &kind.name);
        owner.refers("parent", kind.parent.as_slice(), &names.types)?;
    }
    for (at, kind) in file.relations.iter().enumerate() {
        let owner = Owner::new(ElementKind::Relation, at, &kind.name);
        owner.refers("domain", &kind.domain, &names.types)?;
        owner.refers("range", &kind.range, &names.types)?;
        owner.refers("inverse", kind.inverse.as_slice(), &names.relations)?;
    }
    for (at, kind) in file.attributes.iter().enumerate() {
        let owner = Owner::new(ElementKind::Attribute, at, &kind.name);
        owner.refers("domain", &kind.domain, &names.types)?;
    }
    Ok(names)
}

fn ids<'a, Id>(
    kind: ElementKind,
    names: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
    make: impl Fn(u16) -> Id,
) -> Result<BTreeMap<String, Id>, Broken> {
    let found = names.len();
    let mut spelled: BTreeMap<&str, &str> = BTreeMap::new();
    let mut map = BTreeMap::new();
    for (position, (name, label)) in names.enumerate() {
        let broken = |fault| Broken {
            fault: Box::new(fault),
            path: vec![list(kind), Step::Item(position), Step::Key("name")],
        };
        let Ok(id) = u16::try_from(position) else {
            let max = usize::from(u16::MAX) + 1;
            return Err(broken(SchemaFault::TooMany { kind, found, max }));
        };
        if name.is_empty() {
            let found = label.to_owned();
            return Err(broken(SchemaFault::NoName { kind, found }));
        }
        if let Some(first) = spelled.insert(name, label) {
            return Err(broken(SchemaFault::Repeated {
                kind,
                name: name.to_owned(),
                first: first.to_owned(),
                second: label.to_owned(),
            }));
        }
        map.insert(name.to_owned(), make(id));
    }
    Ok(map)
}

fn list(kind: ElementKind) -> Step {
    Step::Key(match kind {
        ElementKind::EntityType => "entity_types",
        ElementKind::Relation => "relations",
        ElementKind::Attribute => "attributes",
    })
}

/// A definition that is being checked.
#[derive(Clone, Copy)]
struct Owner<'a> {
    kind: ElementKind,
    at: usize,
    name: &'a str,
}

impl<'a> Owner<'a> {
    fn new(kind: ElementKind, at: usize, name: &'a str) -> Self {
        Self { kind, at, name }
    }

    fn broken(self, field: &'static str, fault: SchemaFault) -> Broken {
        Broken {
            fault: Box::new(fault),
            path: vec![list(self.kind), Step::Item(self.at), Step::Key(field)],
        }
    }

    fn refers<Id>(self, field: &'static str, names: &[String], known: &BTreeMap<String, Id>) -> Result<(), Broken> {
        let Some(position) = names.iter().position(|name| !known.contains_key(name)) else {
            return Ok(());
        };
        let mut broken = self.broken(
            field,
            SchemaFault::Unknown {
                owner_kind: self.kind,
                owner: self.name.to_owned(),
                field,
                name: names[position].clone(),
            },
        );
        broken.path.push(Step::Item(position));
        Err(broken)
    }
}

/// The parent of each type, none of which is its own ancestor. Cost O(types).
pub(super) fn parents(file: &SchemaFile, names: &Names) -> Result<Vec<Option<TypeId>>, Broken> {
    let parent = |name: &Option<String>| name.as_ref().and_then(|name| names.types.get(name)).copied();
    let parents: Vec<Option<TypeId>> = file.entity_types.iter().map(|kind| parent(&kind.parent)).collect();
    // The walk that first came by each type; a walk that meets itself has found a cycle.
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

fn cycle(file: &SchemaFile, parents: &[Option<TypeId>], first: TypeId) -> Broken {
    let name = |id: TypeId| file.entity_types[id.index()].name.clone();
    let mut members = vec![first];
    let mut next = parents[first.index()];
    while let Some(id) = next.filter(|id| *id != first) {
        members.push(id);
        next = parents[id.index()];
    }
    let cycle = members.iter().chain([&first]).map(|id| name(*id)).collect();
    let owner = Owner::new(ElementKind::EntityType, first.index(), "");
    owner.broken("parent", SchemaFault::Cycle { cycle })
}

/// The inverse of each relation, whichever of the two names the other; holds that inverses are mutual and can hold
/// between the same two things. Cost O(relations · ends²).
pub(super) fn inverses(schema: &Schema) -> Result<Vec<Option<RelationId>>, Broken> {
    let mut inverses = vec![None; schema.relations().len()];
    let mut claimed: BTreeMap<RelationId, &str> = BTreeMap::new();
    for (id, kind) in schema.relation_ids() {
        let Some(inverse) = kind.inverse.as_deref().and_then(|name| schema.relation_id(name)) else {
            continue;
        };
        let (relation, other) = (&kind.name, &schema.relations()[inverse.index()]);
        let owner = Owner::new(ElementKind::Relation, id.index(), relation);
        let earlier = claimed.insert(inverse, relation);
        inverses[id.index()] = Some(inverse);
        inverses[inverse.index()] = Some(id);
        let found = other.inverse.as_deref().or(earlier).filter(|found| found != relation);
        if let Some(found) = found {
            return Err(owner.broken(
                "inverse",
                SchemaFault::OtherInverse {
                    relation: relation.clone(),
                    inverse: other.name.clone(),
                    found: found.to_owned(),
                },
            ));
        }
        if let Some(fault) = apart(schema, id, inverse) {
            return Err(owner.broken("inverse", fault));
        }
    }
    Ok(inverses)
}

/// What keeps two relations from holding between the same two things, if anything does.
fn apart(schema: &Schema, relation: RelationId, inverse: RelationId) -> Option<SchemaFault> {
    let (kind, other) = (
        &schema.relations()[relation.index()],
        &schema.relations()[inverse.index()],
    );
    let ((domain, range), (other_domain, other_range)) =
        (&schema.ends[relation.index()], &schema.ends[inverse.index()]);
    let sides = [
        ("domain", domain, &kind.domain, "range", other_range, &other.range),
        ("range", range, &kind.range, "domain", other_domain, &other.domain),
    ];
    let apart = sides
        .into_iter()
        .find(|(_, ids, _, _, other_ids, _)| !agree(schema, ids, other_ids));
    apart.map(
        |(side, _, types, other_side, _, other_types)| SchemaFault::InverseTypes {
            relation: kind.name.clone(),
            inverse: other.name.clone(),
            side,
            types: types.clone(),
            other_side,
            other_types: other_types.clone(),
        },
    )
}

/// Whether one entity can be of both: some type of one list is, or is a kind of, a type of the other.
fn agree(schema: &Schema, some: &[TypeId], others: &[TypeId]) -> bool {
    let is_open = |types: &[TypeId]| types.is_empty() || types.contains(&schema.thing());
    let meet = |a: TypeId, b: TypeId| schema.is_a(a, b) || schema.is_a(b, a);
    is_open(some) || is_open(others) || some.iter().any(|a| others.iter().any(|b| meet(*a, *b)))
}

/// Holds that an enum lists its words, and that only enums have words and only quantities a unit.
pub(super) fn values(schema: &Schema) -> Result<(), Broken> {
    for (at, kind) in schema.attributes().iter().enumerate() {
        let owner = Owner::new(ElementKind::Attribute, at, &kind.name);
        if let Some((field, fault)) = value_fault(kind) {
            return Err(owner.broken(field, fault));
        }
    }
    Ok(())
}

fn value_fault(kind: &AttributeType) -> Option<(&'static str, SchemaFault)> {
    let attribute = kind.name.clone();
    let not_for_kind = |field, expected| SchemaFault::NotForKind {
        attribute: kind.name.clone(),
        kind: kind.kind,
        field,
        expected,
    };
    if kind.kind == ValueKind::Enum && kind.values.iter().all(|value| crate::name::key(value).is_empty()) {
        Some(("kind", SchemaFault::NoValues { attribute }))
    } else if kind.kind != ValueKind::Enum && !kind.values.is_empty() {
        Some(("values", not_for_kind("values", ValueKind::Enum)))
    } else if kind.kind != ValueKind::Quantity && kind.unit.is_some() {
        Some(("unit", not_for_kind("unit", ValueKind::Quantity)))
    } else {
        None
    }
}
