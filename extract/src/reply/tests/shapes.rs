//! What a reply looks like once it is JSON: ours, and those of other prompts and models.

use super::{check, defects, lines, read};

#[test]
fn the_shape_that_is_asked_for_says_which_passage() {
    let reply = r#"{"passages": [
        {"about": 2, "entities": [{"name": "Teak", "type": "film"}], "triples": [], "attributes": []},
        {"about": 1,
         "entities": [{"name": "Ansay", "type": "place"}, {"name": "Tidd", "type": ""}],
         "triples": [{"head": "Tidd", "relation": "located in", "tail": "Ansay"}],
         "attributes": [{"entity": "Ansay", "attribute": "population", "value": 312}]}],
      "proposed_types": {"entity_types": [], "relations": [{"name": "moored_at", "description": "Where a ship lies.", "domain": ["ship"], "range": "place"}], "attributes": []}}"#;
    check(
        reply,
        &[
            "- new Relation moored_at | Where a ship lies. | [\"ship\"] -> [\"place\"]",
            "1 entity Ansay | place",
            "1 entity Tidd | ?",
            "1 triple Tidd | located in | Ansay",
            "1 attribute Ansay | population | 312",
            "2 entity Teak | film",
        ],
        &["empty name: type "],
    );
}

#[test]
fn a_passage_that_states_nothing_is_an_answer() {
    for reply in [
        r#"{"passages": [{"passage": 1, "entities": [], "triples": [], "attributes": []}]}"#,
        r#"{"passages": [{"passage": 1}]}"#,
    ] {
        let statements = read(reply, 2);
        assert_eq!(statements.parts.len(), 1);
        assert_eq!(statements.parts[0].passage, Some(1));
        assert!(statements.parts[0].stated.is_empty());
    }
    assert!(!read(r#"{"passages": []}"#, 1).is_unusable());
    assert!(!read(r#"{"triples": []}"#, 1).is_unusable());
}

#[test]
fn what_has_no_known_shape_is_unusable() {
    for reply in [
        "",
        "  \n",
        "I cannot help with that.",
        "{}",
        "[]",
        "[1, 2]",
        r#"{"error": {"message": "no"}}"#,
        "null",
    ] {
        let statements = read(reply, 1);
        assert!(statements.is_unusable(), "{reply}");
        let last = statements.defects.last().unwrap();
        assert_eq!(last.kind, crate::stated::DefectKind::NotJson, "{reply}");
    }
}

#[test]
fn the_reference_shape_is_read() {
    let reply = r#"{
      "attributes": {"Mara Voss": ["profession: director", "born: 1961"], "Teak": ["lost"]},
      "triples": [["Mara Voss", "directed", "Teak"], ["Teak", "set_in", "Tidd"]],
      "entity_types": {"Mara Voss": "person", "Teak": "film"},
      "new_schema_types": {"nodes": ["harbour"], "relations": ["set_in"], "attributes": ["born"]}}"#;
    check(
        reply,
        &[
            "- entity Mara Voss | person",
            "- entity Teak | film",
            "- triple Mara Voss | directed | Teak",
            "- triple Teak | set_in | Tidd",
            "- attribute Mara Voss | profession | director",
            "- attribute Mara Voss | born | 1961",
            "- new EntityType harbour |  | [] -> []",
            "- new Relation set_in |  | [] -> []",
            "- new Attribute born |  | [] -> []",
        ],
        &["missing field: attribute of Teak: lost"],
    );
}

#[test]
fn triples_are_read_in_any_common_form() {
    let one = ["- triple A | knows | B"];
    check(
        r#"{"triples": [{"subject": "A", "predicate": "knows", "object": "B"}]}"#,
        &one,
        &[],
    );
    check(
        r#"{"edges": [{"source": "A", "target": "B", "label": "knows"}]}"#,
        &one,
        &[],
    );
    check(
        r#"{"Relationships": [{"From": "A", "To": "B", "Type": "knows"}]}"#,
        &one,
        &[],
    );
    check(r#"{"triples": {"A": {"knows": "B"}}}"#, &one, &[]);
    check(r#"{"triples": {"A": [["knows", "B"]]}}"#, &one, &[]);
    check(r#"[["A", "knows", "B"]]"#, &one, &[]);
    check(r#"[{"head": "A", "relation": "knows", "tail": "B"}]"#, &one, &[]);
    check(
        r#"{"result": {"output": [{"triples": ["A", "knows", "B"]}]}}"#,
        &one,
        &[],
    );
    let text = ["wrong type: a triple as one text"];
    check(r#"{"triples": ["(A, knows, B)"]}"#, &one, &text);
    check(r#"{"triples": ["A | knows | B"]}"#, &one, &text);
}

#[test]
fn triples_with_parts_missing_or_of_the_wrong_type_are_counted() {
    check(
        r#"{"triples": [{"head": "A", "relation": "knows"}]}"#,
        &[],
        &["missing field: tail of a triple"],
    );
    check(
        r#"{"triples": [{"head": "A", "tail": "B"}]}"#,
        &[],
        &["missing field: relation of a triple"],
    );
    check(
        r#"{"triples": [["A", "B"], 7, null]}"#,
        &[],
        &[
            "wrong shape: triple: a list",
            "wrong shape: triple: a number",
            "wrong shape: triple: null",
        ],
    );
    check(
        r#"{"triples": [["A", "aged", 7]]}"#,
        &["- triple A | aged | 7"],
        &["wrong type: tail: 7"],
    );
    check(
        r#"{"triples": [[{"name": "A", "type": "person"}, "knows", ["B", "C"]]]}"#,
        &[
            "- entity A | person",
            "- triple A | knows | B",
            "- triple A | knows | C",
        ],
        &["wrong type: head: A", "wrong type: several tails in one triple"],
    );
    check(r#"{"triples": [["A", "knows", null]]}"#, &[], &["missing field: tail"]);
    check(
        r#"{"triples": [["A", "knows", {"x": 1}]]}"#,
        &[],
        &["wrong shape: tail"],
    );
}

#[test]
fn entities_are_read_in_any_common_form() {
    let one = ["- entity Teak | film"];
    check(
        r#"{"entities": [{"entity": "Teak", "entity_type": "film"}]}"#,
        &one,
        &[],
    );
    check(r#"{"nodes": [{"id": "Teak", "label": "film"}]}"#, &one, &[]);
    check(
        r#"{"nodes": [{"id": "n1", "label": "Teak", "type": "film"}]}"#,
        &one,
        &[],
    );
    check(r#"{"entities": [["Teak", "film"]]}"#, &one, &[]);
    check(r#"{"entities": {"Teak": "film"}}"#, &one, &[]);
    check(r#"{"entities": {"Teak": {"type": "film"}}}"#, &one, &[]);
    check(r#"{"entities": {"film": ["Teak"]}}"#, &one, &[]);
    check(r#"{"entities": ["Teak"]}"#, &["- entity Teak | ?"], &[]);
    check(
        r#"{"entities": [{"name": "Teak", "type": "film", "attributes": {"year": 1999}}]}"#,
        &["- entity Teak | film", "- attribute Teak | year | 1999"],
        &[],
    );
    check(
        r#"{"entities": [{"type": "film"}]}"#,
        &[],
        &["missing field: name of an entity"],
    );
}

#[test]
fn attributes_are_read_in_any_common_form() {
    let one = ["- attribute Teak | year | 1999"];
    check(r#"{"attributes": [["Teak", "year", "1999"]]}"#, &one, &[]);
    check(r#"{"attributes": {"Teak": {"year": 1999}}}"#, &one, &[]);
    check(r#"{"attributes": {"Teak": ["year: 1999"]}}"#, &one, &[]);
    check(r#"{"attributes": {"Teak": "year: 1999"}}"#, &one, &[]);
    check(
        r#"{"attributes": {"Teak": [{"attribute": "year", "value": "1999"}]}}"#,
        &one,
        &[],
    );
    check(r#"{"attributes": {"Teak": [["year", "1999"]]}}"#, &one, &[]);
    check(r#"{"attributes": [{"Teak": ["year: 1999"]}]}"#, &one, &[]);
    check(
        r#"[{"entity": "Teak", "attribute": "year", "value": "1999"}]"#,
        &one,
        &[],
    );
    check(
        r#"{"attributes": [{"name": "Teak", "attribute": "year"}]}"#,
        &[],
        &["missing field: value of an attribute of Teak"],
    );
    check(
        r#"{"attributes": {"Teak": {"colour": ["brown", "gold"]}}}"#,
        &["- attribute Teak | colour | brown", "- attribute Teak | colour | gold"],
        &[],
    );
}

#[test]
fn proposals_are_read_by_kind() {
    check(
        r#"{"new_schema_types": {"relations": {"owns": "Has as property."}, "attributes": [{"name": "tonnage", "of": "ship", "type": "x", "value_kind": "quantity"}], "nodes": ["reef: A ridge under water."]}}"#,
        &[
            "- new Relation owns | Has as property. | [] -> []",
            "- new Attribute tonnage |  | [\"ship\"] -> [] Quantity",
            "- new EntityType reef | A ridge under water. | [] -> []",
        ],
        &[],
    );
    check(
        r#"{"new_schema_types": [{"kind": "relation", "name": "owns"}, {"kind": "verb", "name": "sees"}]}"#,
        &["- new Relation owns |  | [] -> []"],
        &["unknown kind: verb"],
    );
    check(
        r#"{"new_schema_types": {"verbs": ["sees"], "more": []}}"#,
        &[],
        &["unknown kind: verbs"],
    );
}

#[test]
fn passages_may_be_keys_or_texts_and_must_have_been_asked_about() {
    check(
        r#"{"passage 2": {"triples": [["A", "knows", "B"]]}}"#,
        &["2 triple A | knows | B"],
        &[],
    );
    check(
        r#"{"1": {"triples": [["A", "knows", "B"]]}}"#,
        &["1 triple A | knows | B"],
        &[],
    );
    check(
        r#"[{"passage": "passage 2", "triples": [["A", "knows", "B"]]}]"#,
        &["2 triple A | knows | B"],
        &[],
    );
    check(
        r#"[{"passage": 3, "triples": [["A", "knows", "B"]]}]"#,
        &[],
        &["unknown passage: passage 3 of 2"],
    );
}

#[test]
fn a_part_that_breaks_off_is_marked_and_those_before_it_are_whole() {
    let reply = r#"{"passages": [{"passage": 1, "triples": [["A", "knows", "B"]]}, {"passage": 2, "triples": [["B", "knows", "C"], ["C", "kn"#;
    let statements = read(reply, 2);
    assert_eq!(lines(&statements), ["1 triple A | knows | B", "2 triple B | knows | C"]);
    assert_eq!(defects(&statements), ["cut off: the reply", "cut off: triple"]);
    let marks: Vec<bool> = statements.parts.iter().map(|part| part.is_cut).collect();
    assert_eq!(marks, [false, true]);
}
