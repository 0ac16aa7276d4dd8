//! Schemas at the boundary: what every format gives, what is refused and where, what is admitted.

use super::*;

mod faults;
mod formats;
mod growth;

/// A schema of ships in our own format, with every field in use.
const SEA: &str = r#"{
  "name": "sea",
  "entity_types": [
    {"name": "vessel", "description": "Anything that floats.", "aliases": ["craft"]},
    {"name": "ship", "parent": "vessel"},
    {"name": "Tall Ship", "parent": "ship"},
    {"name": "person"}
  ],
  "relations": [
    {"name": "built_by", "domain": ["vessel"], "range": ["person"], "aliases": ["launched by"], "inverse": "built"},
    {"name": "built", "domain": ["person"], "range": ["Ship"]}
  ],
  "attributes": [
    {"name": "launched", "domain": ["vessel"], "kind": "date"},
    {"name": "tonnage", "domain": ["ship"], "kind": "quantity", "unit": "t"},
    {"name": "rig", "kind": "enum", "values": ["barque", "brig"]}
  ]
}"#;

fn sea() -> Schema {
    Schema::from_json(SEA).unwrap()
}

fn kind(schema: &Schema, name: &str) -> TypeId {
    schema.type_id(name).unwrap()
}

#[test]
fn a_subtype_is_admitted_where_its_ancestor_is_and_not_the_other_way_round() {
    let schema = sea();
    let (built_by, built) = (
        schema.relation_id("built_by").unwrap(),
        schema.relation_id("built").unwrap(),
    );
    let [vessel, ship, tall, person] = ["vessel", "ship", "tall_ship", "person"].map(|name| kind(&schema, name));
    for head in [vessel, ship, tall, schema.thing()] {
        assert!(schema.admits(head, built_by, person));
        assert!(!schema.admits(head, built_by, head) || head == schema.thing());
    }
    assert!(schema.admits(person, built, tall) && !schema.admits(person, built, vessel));
    let tonnage = schema.attribute_id("tonnage").unwrap();
    assert!(schema.admits_attribute(tall, tonnage) && !schema.admits_attribute(vessel, tonnage));
    let rig = schema.attribute_id("rig").unwrap();
    assert!(schema.admits_attribute(person, rig), "no domain admits any type");
}

#[test]
fn ids_of_another_schema_are_admitted_nowhere() {
    let schema = sea();
    let [foreign_type, foreign_relation, foreign_attribute] = ["900"; 3];
    let other: TypeId = serde_json::from_str(foreign_type).unwrap();
    let relation: RelationId = serde_json::from_str(foreign_relation).unwrap();
    let attribute: AttributeId = serde_json::from_str(foreign_attribute).unwrap();
    let rig = schema.attribute_id("rig").unwrap();
    assert!(!schema.admits_attribute(other, rig) && !schema.admits_attribute(schema.thing(), attribute));
    assert!(!schema.admits(schema.thing(), relation, schema.thing()));
    assert_eq!(schema.ancestry(other).count(), 0);
}
