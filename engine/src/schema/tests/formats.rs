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

/// A property of an ontology, what it becomes, and its ends or its kind.
fn check_property(domain: &str, label: &str, range: &str, expected: &str) {
    let json = format!(
        r#"{{"title": "Film Ontology", "id": "o1",
            "concepts": [{{"qid": "Q11424", "label": "film"}}, {{"qid": "Q5", "label": "Human Being "}}],
            "relations": [{{"pid": "P1", "label": "{label}", "domain": "{domain}", "range": "{range}"}}]}}"#
    );
    let schema = Schema::read("ontology.json", &json).unwrap();
    assert_eq!(schema.name(), "Film Ontology");
    let relations = schema.relations().iter().map(|kind| {
        assert_eq!(kind.label(), label);
        format!("{} {:?} -> {:?}", kind.name, kind.domain, kind.range)
    });
    let attributes = schema.attributes().iter().map(|kind| {
        assert_eq!(kind.label(), label);
        format!("{} {:?}: {}", kind.name, kind.domain, kind.kind)
    });
    assert_eq!(relations.chain(attributes).collect::<Vec<_>>(), [expected], "{json}");
}

#[test]
fn an_ontologys_relations_lead_to_concepts_by_id_or_label() {
    check_property(
        "Q11424",
        "cast member",
        "Q5",
        r#"cast_member ["film"] -> ["human_being"]"#,
    );
    check_property(
        "film",
        "castMember",
        "Human Being",
        r#"cast_member ["film"] -> ["human_being"]"#,
    );
}

#[test]
fn an_end_that_no_concept_names_becomes_a_type_and_a_bare_id_restricts_nothing() {
    check_property(
        "Person",
        "leaderParty",
        "Party",
        r#"leader_party ["person"] -> ["party"]"#,
    );
    check_property("Q47461344", "depicts", "Thing", r"depicts [] -> []");
}

#[test]
fn a_literal_range_makes_an_attribute_and_an_open_one_follows_the_label() {
    check_property("film", "leaderTitle", "string", r#"leader_title ["film"]: text"#);
    check_property("film", "netIncome", "number", r#"net_income ["film"]: number"#);
    check_property("film", "foundingYear", "Year", r#"founding_year ["film"]: date"#);
    check_property("film", "established", "date", r#"established ["film"]: date"#);
    check_property("Q11424", "publication date", "", r#"publication_date ["film"]: date"#);
    check_property("Q11424", "cost", "", r#"cost ["film"]: quantity"#);
    check_property("Q11424", "main subject", "", r#"main_subject ["film"] -> []"#);
}
