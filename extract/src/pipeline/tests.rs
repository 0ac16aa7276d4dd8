//! What extraction finds in small texts, as facts in words.

use super::*;
use crate::chinese::tests::analyser;
use crate::chunk::EstimateTokens;
use banyan_engine::Document;
use banyan_engine::{Knowledge, Origin, Resolution, Settings};

mod chinese;

struct Nobody;
impl Watch for Nobody {}

/// Expects these facts to be among those found.
fn check(documents: &[(&str, &str)], expected: &[&str]) {
    let found = facts(documents);
    for fact in expected {
        assert!(
            found.iter().any(|other| other == fact),
            "{fact} is not among {found:#?}"
        );
    }
}

/// The facts in `(title, text)` pairs, in words; weak relations left out.
fn facts(documents: &[(&str, &str)]) -> Vec<String> {
    facts_under(Schema::general().unwrap(), documents)
}

/// What is known of `(title, text)` pairs under a schema.
fn knowledge(schema: Schema, documents: &[(&str, &str)]) -> Knowledge {
    let document = |(title, text): &(&str, &str)| Document::new(*title, *text, Origin::default());
    known(schema, documents.iter().map(document).collect())
}

/// What is known of documents under a schema.
fn known(schema: Schema, mut documents: Vec<Document>) -> Knowledge {
    banyan_engine::document::canonicalise(&mut documents);
    let parsed = analyser(chinese::WORDS).read(&documents, &Nobody).unwrap();
    let contributions = extract(&parsed, Extractor::Embedded, &schema, &EstimateTokens, 256, &Nobody).unwrap();
    let resolution = Resolution::default();
    Knowledge::assemble(Settings::default(), schema, documents, contributions, resolution)
}

/// The facts under another schema.
fn facts_under(schema: Schema, documents: &[(&str, &str)]) -> Vec<String> {
    told(&knowledge(schema, documents))
}

/// The facts of a knowledge in words.
fn told(knowledge: &Knowledge) -> Vec<String> {
    let (graph, schema) = (&knowledge.graph, &knowledge.schema);
    let mut found: Vec<String> = graph
        .triples()
        .iter()
        .map(|t| {
            (
                graph.entity(t.head),
                schema.relation_name(t.relation),
                graph.entity(t.tail),
            )
        })
        .filter(|(_, relation, _)| !["mentions", "related_to"].contains(relation))
        .map(|(head, relation, tail)| format!("{} {relation} {}", head.name, tail.name))
        .collect();
    found.extend(graph.attributes().iter().map(|attribute| {
        let entity = &graph.entity(attribute.entity).name;
        format!(
            "{entity} {} = {}",
            schema.attribute_name(attribute.attribute),
            attribute.value
        )
    }));
    found
}

#[test]
fn verbs_prepositions_lists_and_passives_state_relations() {
    check(
        &[(
            "The Paper Gulls",
            "The Paper Gulls is a drama film directed by Mara Voss, starring Ivo Brandt, Lene Falk and Odd Riis. \
             It was produced by Corrin Hale.",
        )],
        &[
            "The Paper Gulls director Mara Voss",
            "The Paper Gulls cast_member Ivo Brandt",
            "The Paper Gulls cast_member Lene Falk",
            "The Paper Gulls cast_member Odd Riis",
            "The Paper Gulls producer Corrin Hale",
            "The Paper Gulls description = drama film",
        ],
    );
    check(
        &[(
            "Hestle Records",
            "Hestle Records is a record label. It was founded in 1966 by Noor Caddick.",
        )],
        &[
            "Hestle Records founded_by Noor Caddick",
            "Hestle Records founded_date = 1966",
        ],
    );
}

#[test]
fn pronouns_stand_for_the_subject_and_values_belong_to_the_nearest_phrase() {
    check(
        &[(
            "Mara Voss",
            "Mara Voss (3 May 1901 – 7 June 1980) was a film director. She was born in Tidd Harbour.",
        )],
        &[
            "Mara Voss birth_date = 3 May 1901",
            "Mara Voss death_date = 7 June 1980",
            "Mara Voss born_in Tidd Harbour",
        ],
    );
    check(
        &[(
            "Skelva",
            "Skelva is an island. It had a population of 27,900 in 2019 and covers 388 km².",
        )],
        &["Skelva population = 27,900", "Skelva area = 388 km²"],
    );
}

#[test]
fn a_comma_between_places_states_nothing() {
    let text = "The mill stood near Tidd Harbour, Nova Scotia, Canada. It sold to London, Paris and Rome.";
    let found = facts(&[("Mill", text), ("Tidd Harbour", "Tidd Harbour is a village.")]);
    assert_eq!(found, ["Tidd Harbour description = village"]);
}

/// A chapter is about what its sentences name, whatever it is called.
#[test]
fn a_title_that_the_text_does_not_open_with_is_no_subject() {
    let text = "Rain fell all day. He married Ada Voss in Tidd.";
    assert_eq!(facts(&[("The Long Shore", text)]), [""; 0]);
    let named = format!("The Long Shore is a novel. {text}");
    check(&[("The Long Shore", &named)], &["The Long Shore description = novel"]);
}

/// Somebody chose the name to find the file by.
#[test]
fn the_name_of_a_file_is_no_subject_unless_a_sentence_tells_of_it() {
    let check = |text: &str, expected: &[&str]| {
        let documents = crate::read::parse("notes/marbles.txt", text.into()).unwrap();
        assert_eq!(told(&known(Schema::general().unwrap(), documents)), expected, "{text}");
    };
    let text = "Rain fell all day. He married Ada Voss in Tidd.";
    check(
        &format!("The Hall of Marbles. By Jon Eld. He hid the marbles. {text}"),
        &[],
    );
    check(&format!("Marbles is a novel. {text}"), &["marbles description = novel"]);
}

#[test]
fn what_is_denied_is_not_stated() {
    let found = facts(&[("Skelva", "Skelva is an island. It was never part of Wrenna.")]);
    assert!(found.iter().all(|fact| !fact.contains("part_of")), "{found:#?}");
}

#[test]
fn a_passive_without_an_agent_has_no_founder_and_an_adverbial_no_subject() {
    let found = facts(&[
        ("Acme", "Acme is a company. It was founded in Tidd Harbour."),
        ("Odd Riis", "Born in Corby, England, Odd Riis is a painter."),
    ]);
    assert!(
        found
            .iter()
            .all(|fact| !fact.contains("founder_of") && !fact.starts_with("England")),
        "{found:#?}"
    );
}

/// Expects these names with these types among the entities.
fn check_types(text: &str, expected: &[(&str, &str)]) {
    let knowledge = knowledge(Schema::general().unwrap(), &[("", text)]);
    for (name, kind) in expected {
        let entities = knowledge.graph.entities();
        let entity = entities.iter().find(|entity| entity.name == *name);
        let found = entity.map(|entity| knowledge.schema.entity_type(entity.entity_type).name.as_str());
        assert_eq!(found, Some(*kind), "{name} in {text}");
    }
}

#[test]
fn names_are_typed_by_what_stands_around_them() {
    check_types(
        "The poet Mara Voss met Peter Holm, who was from Norway, and Odd Riis.",
        &[
            ("Mara Voss", "person"),
            ("Peter Holm", "person"),
            ("Norway", "place"),
            ("Odd Riis", "thing"),
        ],
    );
}

#[test]
fn a_watch_can_stop_the_work() {
    struct Impatient;
    impl Watch for Impatient {
        fn is_stopped(&self) -> bool {
            true
        }
    }
    let schema = Schema::general().unwrap();
    let result = extract(&[], Extractor::Embedded, &schema, &EstimateTokens, 256, &Impatient);
    assert!(result.is_ok(), "there is nothing to stop");
    let documents = knowledge(schema.clone(), &[("T", "Text.")]).documents;
    let result = extract(
        &Analysis::surfaces(documents.all()),
        Extractor::Embedded,
        &schema,
        &EstimateTokens,
        256,
        &Impatient,
    );
    assert!(matches!(result, Err(ExtractError::Stopped)));
}

#[test]
fn what_was_read_before_is_taken_over_where_nothing_that_it_was_read_from_has_changed() {
    let schema = Schema::general().unwrap();
    let texts = [
        ("Ada Quill", "Ada Quill was born in Vessing."),
        ("Bo Ferren", "Bo Ferren was born in Tidd."),
        ("Vessing", "Vessing is a novel by Cass Orde."),
    ];
    let read = |texts: &[(&str, &str)], extractor: Extractor| {
        let mut documents: Vec<Document> = texts
            .iter()
            .map(|(title, text)| Document::new(*title, *text, Origin::default()))
            .collect();
        banyan_engine::document::canonicalise(&mut documents);
        let parsed = Analysis::surfaces(&documents);
        extract(&parsed, extractor, &schema, &EstimateTokens, 256, &Nobody).unwrap()
    };
    let mut known: std::collections::BTreeMap<_, _> = read(&texts[..2], Extractor::Embedded)
        .into_iter()
        .map(|said| (said.document, said))
        .collect();
    // What no reading gives shows what was taken over.
    for said in known.values_mut() {
        said.opening = 99;
    }
    let fresh = read(&texts, Extractor::Embedded);
    let stated = std::collections::BTreeMap::new();
    let again = Extractor::Again {
        known: &known,
        stated: &stated,
    };
    let again = read(&texts, again);
    let openings: Vec<u32> = again.iter().map(|said| said.opening).collect();
    assert_eq!(openings[1], 99, "nothing changed for Bo Ferren");
    // A town that turns out to be a novel.
    assert_eq!((&again[0], &again[2]), (&fresh[0], &fresh[2]));
    assert_ne!(fresh[0].basis, known[&fresh[0].document].basis);
    assert_eq!(fresh[1].basis, again[1].basis);
}

#[test]
fn the_fields_of_a_record_state_facts_of_it() {
    let text = "name: Mara Voss\nborn: 1860\nYear of death: 1920\nplace of birth: Orle\noccupation: painter\n\
                married: twice";
    let record = |title: &str, text: &str| {
        let origin = Origin {
            file: "people.csv".to_owned(),
            record: Some("row=2".to_owned()),
            line: None,
        };
        Document::new(title, text, origin)
    };
    let others = "Orle is a town. Jon Eld is a painter. Mara Voss is a painter.";
    let documents = vec![
        record("Mara Voss", text),
        Document::new("Notes", others, Origin::default()),
    ];
    let mut found = told(&known(Schema::general().unwrap(), documents));
    found.retain(|fact| fact.contains("Mara Voss") && !fact.contains("description"));
    found.sort();
    assert_eq!(
        found,
        [
            "Mara Voss birth_date = 1860",
            "Mara Voss born_in Orle",
            "Mara Voss death_date = 1920",
            "Mara Voss occupation = painter",
        ]
    );
}
