//! Whether the schema admits a fact, and if not, why (Eq. 2, Youtu-GraphRAG).

use super::correction::Corrections;
use crate::graph::Entity;
use crate::schema::{AttributeId, RefusalReason, RelationId, Schema, TypeId};

/// A reason, and the fact in words.
type Refused = (RefusalReason, String);

/// Why the schema, or what somebody decided, does not admit a triple; `None` where it does. Of several reasons the first from head to tail.
pub(super) fn triple(
    schema: &Schema,
    corrections: &Corrections,
    (head, tail): (&Entity, &Entity),
    relation: RelationId,
) -> Option<Refused> {
    let spoken = |name: &str| format!("{} {name} {}", head.key, tail.key);
    let Some(kind) = schema.relations().get(relation.index()) else {
        let name = number(relation.index());
        let fact = spoken(&name);
        return Some((RefusalReason::UnknownRelation { name }, fact));
    };
    let (name, found) = (kind.name.clone(), |kind: TypeId| schema.entity_type(kind).name.clone());
    let reason = if corrections.denies(&head.key, &name, &tail.key) {
        RefusalReason::Denied { relation: name }
    } else if !schema.admits_head(head.entity_type, relation) {
        RefusalReason::Domain {
            relation: name,
            found: found(head.entity_type),
        }
    } else if !schema.admits_tail(relation, tail.entity_type) {
        RefusalReason::Range {
            relation: name,
            found: found(tail.entity_type),
        }
    } else if head.key == tail.key {
        RefusalReason::OneThing { relation: name }
    } else {
        return None;
    };
    Some((reason, spoken(&kind.name)))
}

/// Why the schema, or what somebody decided, does not admit an attribute; `None` where it does.
pub(super) fn attribute(
    schema: &Schema,
    corrections: &Corrections,
    entity: &Entity,
    attribute: AttributeId,
    value: &str,
) -> Option<Refused> {
    let spoken = |name: &str| format!("{} {name} = {value}", entity.key);
    let Some(kind) = schema.attributes().get(attribute.index()) else {
        let name = number(attribute.index());
        let fact = spoken(&name);
        return Some((RefusalReason::UnknownAttribute { name }, fact));
    };
    let reason = if corrections.denies(&entity.key, &kind.name, value) {
        RefusalReason::Denied {
            relation: kind.name.clone(),
        }
    } else if !schema.admits_attribute(entity.entity_type, attribute) {
        RefusalReason::AttributeDomain {
            attribute: kind.name.clone(),
            found: schema.entity_type(entity.entity_type).name.clone(),
        }
    } else if !kind.holds(value) {
        RefusalReason::ValueKind {
            attribute: kind.name.clone(),
            expected: kind.kind,
        }
    } else {
        return None;
    };
    Some((reason, spoken(&kind.name)))
}

/// What stands for the name of a definition that only another schema has.
pub(super) fn number(index: usize) -> String {
    format!("#{index}")
}
