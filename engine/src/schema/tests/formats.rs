//! One schema in every format.

use super::*;

#[test]
fn what_is_written_reads_back() {
    for schema in [sea(), Schema::general().unwrap()] {
        let text = schema.to_json().unwrap();
        assert_eq!(Schema::read("a.json", &text).unwrap(), schema, "{text}");
        assert_eq!(Schema::read("a", &format!("\u{feff}\n{text}")).unwrap(), schema);
        let stored = serde_json::to_string(&schema).unwrap();
        assert_eq!(serde_json::from_str::<Schema>(&stored).unwrap(), schema);
    }
}

#[test]
fn the_python_references_schema_imports_as_it_is() {
    let json = r#"{"Nodes": ["person", "Art Work", "art work"], "Relations": ["Located In", "created by"],
                   "Attributes": ["date of birth"]}"#;
    let schema = Schema::read("data/youtu.json", json).unwrap();
    assert_eq!(schema.name(), "youtu");
    let types: Vec<(&str, &str)> = schema
        .entity_types()
        .iter()
        .map(|t| (t.name.as_str(), t.label()))
        .collect();
    assert_eq!(
        types,
        [("person", "person"), ("art_work", "Art Work"), ("thing", "thing")]
    );
    let relation = schema.relation_id("located_in").unwrap();
    assert_eq!(schema.relations()[relation.index()].label(), "Located In");
    assert!(schema.admits(kind(&schema, "person"), relation, kind(&schema, "art_work")));
    let attribute = &schema.attributes()[0];
    assert_eq!(
        (attribute.name.as_str(), attribute.kind),
        ("date_of_birth", ValueKind::Text)
    );
}
