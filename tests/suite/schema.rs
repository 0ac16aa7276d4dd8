//! Schemas through the program: files that are refused, formats that are read, growth that a person decides on.

use crate::desk;
use banyan_engine::fact::Unbound;
use banyan_engine::schema::{Element, EntityType, Growth, Proposal, RelationType};
use banyan_engine::{DocumentId, Schema, Span, UnboundClaim, store};
use banyan_tests::Desk;
use banyan_tests::workspace::text;

const TEXT: &str = "Ada Quill was born in Vessing. The Salt Road was written by Ada Quill in 1902.";

/// A desk with a text and a schema file.
fn with_schema(file: &str, schema: &str) -> Desk {
    desk().with("Ada Quill.txt", TEXT).with(file, schema)
}

/// Expects a build with this schema to be refused, and nothing to be built.
fn refuse(file: &str, schema: &str, says: &[&str]) {
    let desk = with_schema(file, schema);
    desk.run(["build", "Ada Quill.txt", "--schema", file, "--store", "store"])
        .refused(says);
    assert!(!desk.path("store").exists(), "{file}: something was built");
}

/// The text of a schema of this many relations.
fn many_relations(n: usize) -> String {
    let relation = |at: usize| format!(r#"{{"name": "r{at}", "aliases": ["runs to {at}"]}}"#);
    let relations: Vec<String> = (0..n).map(relation).collect();
    format!(r#"{{"name": "many", "relations": [{}]}}"#, relations.join(",\n"))
}

#[test]
fn an_unknown_key_is_named_with_line_and_column() {
    refuse(
        "sea.toml",
        "name = \"sea\"\n\n[[relations]]\nname = \"born_in\"\n",
        &["sea.toml: ", "JSON", "convert"],
    );
    refuse(
        "sea.json",
        "{\"name\": \"sea\",\n \"entity_typos\": []}",
        &["sea.json:2:15: ", "unknown field `entity_typos`", "`entity_types`"],
    );
}

#[test]
fn types_that_inherit_from_each_other_are_named() {
    refuse(
        "sea.json",
        r#"{"name": "sea", "entity_types": [{"name": "ship", "parent": "vessel"}, {"name": "vessel", "parent": "ship"}]}"#,
        &["sea.json: ", "cycle", "ship → vessel → ship"],
    );
}

#[test]
fn an_inverse_that_contradicts_its_domain_is_named() {
    refuse(
        "sea.json",
        "{\"name\": \"sea\", \"entity_types\": [{\"name\": \"ship\"}, {\"name\": \"person\"}], \"relations\": [\n\
         {\"name\": \"built_by\", \"domain\": [\"ship\"], \"range\": [\"person\"], \"inverse\": \"built\"},\n\
         {\"name\": \"built\", \"domain\": [\"ship\"]}]}",
        &[
            "sea.json: ",
            "`built_by` names `built` as its inverse",
            "its range (person)",
            "the domain of its inverse (ship)",
        ],
    );
}

#[test]
fn an_empty_schema_is_refused_with_what_to_add() {
    for (file, schema) in [
        ("sea.json", "{\"name\": \"sea\"}"),
        ("youtu.json", "{\"Nodes\": [], \"Relations\": [], \"Attributes\": []}"),
    ] {
        refuse(file, schema, &[file, "empty", "add at least one entry", "`relations`"]);
    }
}

#[test]
fn ten_thousand_relations_work_and_more_than_there_are_ids_are_refused() {
    let desk = with_schema("many.json", &many_relations(10_000));
    desk.run(["build", "Ada Quill.txt", "--schema", "many.json", "--store", "store"])
        .done();
    assert!(desk.dump("store").contains("schema many version 1 "));
    refuse(
        "more.json",
        &many_relations(65_537),
        &["more.json", "65537", "at most 65536"],
    );
}

/// The three lists of the Python reference.
const YOUTU: &str = r#"{"Nodes": ["person", "Art Work"], "Relations": ["Born In"], "Attributes": ["date of birth"]}"#;
/// An ontology of `Text2KGBench`'s kind.
const ONTOLOGY: &str = r#"{"title": "Film Ontology", "id": "o1",
  "concepts": [{"qid": "Q1", "label": "film"}, {"qid": "Q5", "label": "human"}],
  "relations": [{"pid": "P57", "label": "castMember", "domain": "Q1", "range": "Q5"},
                {"pid": "P577", "label": "publication date", "domain": "Q1", "range": ""}]}"#;

#[test]
fn schemas_of_other_systems_build_as_they_are() {
    for (file, schema, name) in [
        ("youtu.json", YOUTU, "youtu"),
        ("ontology.json", ONTOLOGY, "Film Ontology"),
    ] {
        let desk = with_schema(file, schema);
        desk.run(["build", "Ada Quill.txt", "--schema", file, "--store", "store"])
            .done();
        let shown = desk.run(["schema", "show", "store"]).done().stdout;
        assert!(shown.starts_with(&format!("{name} version 1: ")), "{shown}");
    }
}

#[test]
fn a_schema_is_shown_as_a_list_or_as_a_file_that_reads_back() {
    let desk = with_schema("ontology.json", ONTOLOGY);
    let shown = desk.run(["schema", "show", "ontology.json"]).done().stdout;
    for part in [
        "entity type film",
        "relation cast_member (film → human)",
        "attribute publication_date (film: date)",
    ] {
        assert!(shown.contains(part), "expected {part:?}: {shown}");
    }
    let copy = desk.run(["schema", "show", "ontology.json", "--json"]).done().stdout;
    assert!(copy.contains("castMember"), "the spelling it had: {copy}");
    desk.put("copy.json", copy);
    let diff = desk.run(["schema", "show", "copy.json", "--since", "ontology.json"]);
    assert!(diff.done().stdout.contains("no difference"));
    let general = desk.run(["schema", "show"]).done().stdout;
    assert!(general.starts_with("general version 1: 14 entity types, "), "{general}");
    desk.run(["schema", "show", "none.json"])
        .refused(&["none.json", "name another schema"]);
    desk.run(["schema", "show", "nowhere"]).refused(&["nowhere"]);
}

#[test]
fn a_difference_is_printed_as_lines_or_json() {
    let desk = with_schema("old.json", ONTOLOGY).with("new.json", ONTOLOGY.replace("castMember", "director"));
    let diff = desk
        .run(["schema", "show", "new.json", "--since", "old.json"])
        .done()
        .stdout;
    assert_eq!(
        diff,
        "Film Ontology version 1 → Film Ontology version 1\n+ relation director (film → human)\n\
         - relation cast_member (film → human)\n"
    );
    let diff = desk
        .run(["schema", "show", "new.json", "--since", "old.json", "--json"])
        .done()
        .json();
    assert_eq!(diff["added"][0]["relation"]["name"], "director");
    assert!(diff["changed"].as_array().unwrap().is_empty() && diff["proposed"].as_array().unwrap().is_empty());
}

#[test]
fn a_seed_is_inferred_and_never_written_over() {
    let desk = desk().with("corpus.jsonl", text("data/harrow/corpus.jsonl"));
    desk.run(["schema", "infer", "corpus.jsonl", "--out", "seed.json"])
        .done();
    desk.run(["build", "corpus.jsonl", "--schema", "seed.json", "--store", "store"])
        .done();
    let before = std::fs::read_to_string(desk.path("seed.json")).unwrap();
    desk.run(["schema", "infer", "corpus.jsonl", "--out", "seed.json"])
        .refused(&["seed.json", "exists already", "name another"]);
    assert_eq!(std::fs::read_to_string(desk.path("seed.json")).unwrap(), before);
    let one = desk.with("one/Ada Quill.txt", "Ada Quill.");
    one.run(["schema", "infer", "one", "--out", "one.json"])
        .refused(&["nothing recurs"]);
    assert!(!one.path("one.json").exists());
}

/// A store with two open proposals, as a build that expands its schema leaves them.
fn with_proposals() -> Desk {
    let desk = desk().with("Ada Quill.txt", TEXT);
    desk.run(["build", "Ada Quill.txt", "--store", "store"]).done();
    let path = desk.path("store");
    let mut knowledge = store::read(&path).unwrap();
    let evidence: Vec<(DocumentId, Span)> = vec![(knowledge.documents[0].id, Span::new(0, 9))];
    let open = [
        Element::EntityType(EntityType {
            name: "road".to_owned(),
            ..EntityType::default()
        }),
        Element::Relation(RelationType {
            name: "leads_to".to_owned(),
            domain: vec!["road".to_owned()],
            ..RelationType::default()
        }),
    ];
    knowledge.growth = Growth {
        open: open
            .map(|element| Proposal {
                element,
                alias_of: None,
                confidence: 0.5,
                n_documents: 1,
                consistency: 1.0,
                distance: 0.5,
                evidence: evidence.clone(),
            })
            .to_vec(),
        ..Growth::default()
    };
    store::Writer::lock(&path)
        .unwrap()
        .write(&knowledge, &mut |_, _| true)
        .unwrap();
    desk
}

fn schema_of(desk: &Desk) -> Schema {
    store::read(&desk.path("store")).unwrap().schema
}

#[test]
fn a_person_accepts_and_takes_back_what_a_store_proposes() {
    let desk = with_proposals();
    let before = desk.dump("store");
    let shown = desk.run(["schema", "show", "store"]).done().stdout;
    assert!(
        shown.contains("2 open proposals\n? entity type road  confidence 0.50 from 1 document,"),
        "{shown}"
    );
    let diff = desk
        .run(["schema", "show", "store", "--since", "store", "--json"])
        .done()
        .json();
    assert_eq!(diff["proposed"][1]["element"]["relation"]["name"], "leads_to");
    desk.run(["schema", "decide", "--store", "store", "--accept", "leads_to"])
        .refused(&["store is unchanged", "its domain names `road`"]);
    desk.run(["schema", "decide", "--store", "store", "--accept", "haven"])
        .refused(&["nothing named `haven` is proposed", "road, leads_to"]);
    assert_eq!(desk.dump("store"), before);
    desk.run(["schema", "decide", "--store", "store", "--accept", "Leads To", "road"])
        .done();
    assert!(schema_of(&desk).relation_id("leads_to").is_some());
    let shown = desk.run(["schema", "show", "store"]).done().stdout;
    assert!(shown.contains("version 2, by the user\n+ entity type road"), "{shown}");
    desk.run(["add", "Ada Quill.txt", "--store", "store"]).done();
    assert_eq!(schema_of(&desk).version(), 2, "a change of the corpus keeps the schema");
    desk.run(["schema", "decide", "--store", "store", "--reject", "leads_to", "road"])
        .done();
    assert_eq!(schema_of(&desk).elements(), Schema::general().unwrap().elements());
    desk.run(["schema", "decide", "--store", "store", "--reject", "person"])
        .refused(&["`person` is part of the seed schema"]);
}

#[test]
fn what_the_schema_refused_is_listed_by_reason() {
    let desk = desk().with("Ada Quill.txt", TEXT);
    desk.run(["build", "Ada Quill.txt", "--store", "store"]).done();
    let path = desk.path("store");
    let mut knowledge = store::read(&path).unwrap();
    let unbound = |word: &str, at: usize| UnboundClaim {
        kind: Unbound::Relation,
        word: word.to_owned(),
        subject: "ada quill".to_owned(),
        object: "Vessing".to_owned(),
        span: Span::new(at, at + 9),
    };
    knowledge.contributions[0].unbound = vec![unbound("left", 0), unbound("left", 31), unbound("saw", 0)];
    store::Writer::lock(&path)
        .unwrap()
        .write(&knowledge, &mut |_, _| true)
        .unwrap();
    let listed = desk.run(["stats", "--store", "store"]).done().stdout;
    let line = "2  no relation `left`; first: ada quill · left · Vessing (Ada Quill.txt:0..9)";
    assert!(listed.contains(line), "{listed}");
    let stats = desk.run(["stats", "--store", "store", "--json"]).done().json();
    let rows = stats["refused_by_reason"].as_array().unwrap();
    let n = |name: &str| {
        let of_name = |row: &&serde_json::Value| row["reason"]["unknown_relation"]["name"] == name;
        rows.iter().find(of_name).and_then(|row| row["n"].as_u64())
    };
    assert_eq!((n("left"), n("saw"), n("met")), (Some(2), Some(1), None));
    let all: u64 = rows.iter().map(|row| row["n"].as_u64().unwrap()).sum();
    assert_eq!(stats["refused_by_schema"].as_u64(), Some(all));
}
