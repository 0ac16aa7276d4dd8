//! Schemas through the program: files that are refused, formats that are read, growth that a person decides on.

use crate::{desk, list};
use banyan_engine::graph::assemble;
use banyan_engine::schema::{Element, ElementKind, EntityType, Proposal, RelationType};
use banyan_engine::{Knowledge, Schema, Span, UnboundClaim, store};
use banyan_tests::Desk;
use banyan_tests::workspace::text;
use serde_json::json;

const TEXT: &str = "Ada Quill was born in Vessing. The Salt Road was written by Ada Quill in 1902.";

/// The text of a schema of this many relations.
fn many_relations(n: usize) -> String {
    let relation = |at: usize| format!(r#"{{"name": "r{at}", "aliases": ["runs to {at}"]}}"#);
    let relations: Vec<String> = (0..n).map(relation).collect();
    format!(r#"{{"name": "many", "relations": [{}]}}"#, relations.join(",\n"))
}

#[test]
fn a_schema_that_cannot_bound_anything_is_refused_and_nothing_is_built() {
    let desk = desk().with("ada.txt", TEXT);
    let cases: [(&str, &str, &[&str]); 6] = [
        (
            "sea.json",
            "{\"name\": \"sea\",\n \"entity_typos\": []}",
            &["sea.json:2:15: ", "unknown field `entity_typos`", "`entity_types`"],
        ),
        (
            "ring.json",
            r#"{"name": "sea", "entity_types": [{"name": "ship", "parent": "vessel"}, {"name": "vessel", "parent": "ship"}]}"#,
            &["cycle", "ship → vessel → ship"],
        ),
        (
            "unknown.json",
            r#"{"name": "sea", "relations": [{"name": "r", "domain": ["ship"]}]}"#,
            &["`r`", "domain", "`ship`", "does not define"],
        ),
        (
            "empty.json",
            "{\"name\": \"sea\"}",
            &["empty", "add at least one entry", "`relations`"],
        ),
        ("text.json", "not JSON", &["text.json:1:", "not a schema"]),
        ("more.json", &many_relations(65_537), &["65537", "at most 65536"]),
    ];
    for (file, schema, says) in cases {
        desk.put(file, schema);
        desk.banyan(&format!("build ada.txt --schema {file}"))
            .refused(&[&[file], says].concat());
    }
    desk.banyan("build ada.txt --schema none.json")
        .refused(&["none.json", "name another file", "No such file"]);
    assert!(!desk.path("store").exists(), "something was built");
}

/// The three lists of the Python reference.
const YOUTU: &str = r#"{"Nodes": ["person", "Art Work"], "Relations": ["Born In"], "Attributes": ["date of birth"]}"#;
const FILMS: &str = r#"{"name": "Film Ontology", "entity_types": [{"name": "film"}, {"name": "human"}],
  "relations": [{"name": "castMember", "domain": ["film"], "range": ["human"]}],
  "attributes": [{"name": "publication date", "domain": ["film"], "kind": "date"}]}"#;

#[test]
fn large_schemas_and_those_of_other_systems_build_as_they_are() {
    let desk = desk().with("ada.txt", TEXT);
    for (schema, name) in [(many_relations(10_000).as_str(), "many"), (YOUTU, "youtu")] {
        desk.put("youtu.json", schema);
        desk.banyan("build ada.txt --schema youtu.json").done();
        let shown = desk.banyan("schema show store").done().stdout;
        assert!(shown.starts_with(&format!("{name} version 1: ")), "{shown}");
    }
}

#[test]
fn a_schema_is_shown_compared_and_read_back() {
    let desk = desk()
        .with("old.json", FILMS)
        .with("new.json", FILMS.replace("castMember", "director"));
    desk.banyan("schema show old.json").done().prints(&[
        "entity type film",
        "relation cast_member (film → human)",
        "attribute publication_date (film: date)",
    ]);
    let copy = desk.banyan("schema show old.json --json").done().stdout;
    assert!(copy.contains("castMember"), "the spelling it had: {copy}");
    desk.put("copy.json", copy);
    desk.banyan("schema show copy.json --since old.json")
        .done()
        .prints(&["no difference"]);
    let general = desk.banyan("schema show").done().stdout;
    assert!(general.starts_with("general version 1: 23 entity types, "), "{general}");
    desk.banyan("schema show none.json")
        .refused(&["none.json", "name another file"]);
    desk.banyan("schema show nowhere").refused(&["nowhere"]);

    let diff = desk.banyan("schema show new.json --since old.json").done().stdout;
    assert_eq!(
        diff,
        "Film Ontology version 1 → Film Ontology version 1\n+ relation director (film → human)\n\
         - relation cast_member (film → human)\n"
    );
    let diff = desk
        .banyan("schema show new.json --since old.json --json")
        .done()
        .json();
    assert_eq!(diff["added"][0]["relation"]["name"], "director");
    assert_eq!((&diff["changed"], &diff["proposed"]), (&json!([]), &json!([])));
}

#[test]
fn a_seed_is_inferred_and_never_written_over() {
    let desk = desk()
        .with("corpus.jsonl", text("data/harrow/corpus.jsonl"))
        .with("one.txt", "Ada Quill.");
    desk.banyan("schema infer corpus.jsonl --out seed.json").done();
    desk.banyan("build corpus.jsonl --schema seed.json").done();
    let before = desk.read("seed.json");
    desk.banyan("schema infer corpus.jsonl --out seed.json")
        .refused(&["seed.json", "exists already", "name another"]);
    assert_eq!(desk.read("seed.json"), before);
    desk.banyan("schema infer one.txt --out one.json")
        .refused(&["nothing recurs"]);
    assert!(!desk.path("one.json").exists());
}

#[test]
fn a_seed_has_the_kinds_that_texts_say_things_are_and_the_readings_of_its_relations() {
    let lines = [
        ("Vessing", "Harrow"),
        ("Skelva", "Fennick"),
        ("Tidd", "Wrenna"),
        ("Ansay", "Teak"),
        ("Ondle", "Marl"),
    ];
    let records = lines.map(|(line, town)| {
        let text = format!(
            "The {line} Line is a tramway in {town}. The {line} Line was founded by Ada Quill. It closed after a flood."
        );
        json!({"title": format!("{line} Line"), "text": text}).to_string()
    });
    let desk = desk().with("lines.jsonl", records.join("\n"));
    desk.banyan("schema infer lines.jsonl --out seed.json").done();
    let seed: serde_json::Value = serde_json::from_str(&desk.read("seed.json")).unwrap();
    let names = |list: &str| -> Vec<String> {
        let entries = seed[list].as_array().unwrap().iter();
        entries
            .map(|entry| entry["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(names("entity_types").contains(&"tramway".to_owned()), "{seed}");
    for relation in ["founded_by", "founder_of"] {
        assert!(names("relations").contains(&relation.to_owned()), "{seed}");
    }
}

/// A store of the text, with its knowledge changed.
fn changed(change: impl FnOnce(&mut Knowledge)) -> Desk {
    let desk = desk().with("ada.txt", TEXT);
    desk.banyan("build ada.txt").done();
    let path = desk.path("store");
    let mut knowledge = store::load(&path).unwrap();
    change(&mut knowledge);
    store::Writer::lock(&path)
        .unwrap()
        .write(&knowledge, &mut |_, _| true)
        .unwrap();
    desk
}

#[test]
fn a_person_accepts_and_takes_back_what_a_store_proposes() {
    let road = EntityType {
        name: "road".to_owned(),
        ..EntityType::default()
    };
    let leads_to = RelationType {
        name: "leads_to".to_owned(),
        domain: vec!["road".to_owned()],
        ..RelationType::default()
    };
    // As a build that expands its schema leaves them.
    let desk = changed(|knowledge| {
        let open = [Element::EntityType(road), Element::Relation(leads_to)];
        let evidence = vec![(knowledge.documents.get(0).id, Span::new(0, 9))];
        let proposal = |element| Proposal {
            element,
            alias_of: None,
            confidence: 0.5,
            n_documents: 1,
            consistency: 1.0,
            distance: 0.5,
            evidence: evidence.clone(),
        };
        knowledge.growth.open = open.map(proposal).to_vec();
    });
    let schema = || store::load(&desk.path("store")).unwrap().schema;
    let before = desk.dump("store");
    desk.banyan("schema show store")
        .done()
        .prints(&["2 open proposals\n? entity type road  confidence 0.50 from 1 document,"]);
    let diff = desk.banyan("schema show store --since store --json").done().json();
    assert_eq!(diff["proposed"][1]["element"]["relation"]["name"], "leads_to");
    desk.banyan("schema decide --accept leads_to")
        .refused(&["store is unchanged", "its domain names `road`"]);
    desk.banyan("schema decide --accept haven")
        .refused(&["nothing named `haven` is proposed", "road, leads_to"]);
    assert_eq!(desk.dump("store"), before);
    desk.run(["schema", "decide", "--accept", "Leads To", "road"]).done();
    assert!(schema().relation_id("leads_to").is_some());
    desk.banyan("schema show store")
        .done()
        .prints(&["version 2, by the user\n+ entity type road"]);
    desk.banyan("add ada.txt").done();
    assert_eq!(schema().version(), 2, "a change of the corpus keeps the schema");
    desk.banyan("schema decide --reject leads_to road").done();
    assert_eq!(schema().elements(), Schema::general().unwrap().elements());
    desk.banyan("schema decide --reject person")
        .refused(&["`person` is part of the seed schema"]);
}

#[test]
fn what_the_schema_refused_is_listed_by_reason() {
    let unbound = |word: &str, at: usize| UnboundClaim {
        kind: ElementKind::Relation,
        word: word.to_owned(),
        subject: "ada quill".into(),
        object: "Vessing".to_owned(),
        span: Span::new(at, at + 9),
    };
    let refused = vec![unbound("left", 0), unbound("left", 31), unbound("saw", 0)];
    let desk = changed(|knowledge| {
        knowledge.contributions.edit(|all| all[0].unbound = refused);
        let (.., refusals) = assemble(&knowledge.schema, knowledge.contributions.all(), &knowledge.resolution);
        knowledge.refusals = refusals.into();
    });
    desk.banyan("stats")
        .done()
        .prints(&["2  no relation `left`; first: ada quill · left · Vessing (ada.txt:0..9)"]);
    let stats = desk.banyan("stats --json").done().json();
    let rows = list(&stats["refused_by_reason"]);
    let n = |name: &str| {
        let of_name = |row: &&serde_json::Value| row["reason"]["unknown_relation"]["name"] == name;
        rows.iter().find(of_name).and_then(|row| row["n"].as_u64())
    };
    assert_eq!((n("left"), n("saw"), n("met")), (Some(2), Some(1), None));
    let all: u64 = rows.iter().filter_map(|row| row["n"].as_u64()).sum();
    assert_eq!(stats["refused_by_schema"].as_u64(), Some(all));
}
