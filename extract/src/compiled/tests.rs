use super::SentenceReader;
use crate::chunk::EstimateTokens;
use crate::learn::{Example, Patterns, Triple, verify};
use crate::statement::{General, Relation};
use crate::{Extractor, Watch, extract};
use banyan_engine::{Contribution, Document, Origin, Schema};

struct Nobody;
impl Watch for Nobody {}

/// A schema that has this phrase for its relation.
fn schema(phrase: &str) -> Schema {
    let file = r#"{"name": "works", "entity_types": [{"name": "works", "aliases": ["foundry"]}, {"name": "person"}],
        "relations": [{"name": "originator", "aliases": ["PHRASE"]}]}"#;
    Schema::from_json(&file.replace("PHRASE", phrase)).unwrap()
}

/// What examples in the words of the tests teach.
fn reader(schema: &Schema) -> SentenceReader {
    let one = |at: usize| {
        let first = ["Ada", "Bo", "Mara", "Ulla", "Ruan"][at % 5];
        let (who, what) = (format!("{first} Voss"), format!("Ondle{} Works", "le".repeat(at)));
        Example {
            id: at.to_string(),
            sentence: format!("{what} was dreamt up by {who} and painted by Odd Riis."),
            triples: vec![Triple {
                subject: what,
                relation: "originator".to_owned(),
                object: who,
            }],
            is_complete: true,
        }
    };
    let examples: Vec<Example> = (0..20).map(one).collect();
    let (relations, general) = (Relation::all(schema), General::built_in().unwrap());
    let verified = verify(&relations, &examples, &general);
    SentenceReader::compiled(&Patterns::new("works", relations, 20, verified), &general)
}

fn read(phrase: &str, title: &str, text: &str) -> Contribution {
    let origin = Origin {
        file: "t".to_owned(),
        record: None,
        line: None,
    };
    let (schema, document) = (schema(phrase), Document::new(title, text, origin));
    let reader = reader(&schema);
    let found = extract(
        &[document],
        Extractor::Compiled(&reader),
        &schema,
        &EstimateTokens,
        256,
        &Nobody,
    );
    found.unwrap().remove(0)
}

/// Holds which triples of a text are found, each with the words of its evidence.
fn check(title: &str, text: &str, expected: &[(&str, &str, &str)]) {
    let contribution = read("brainchild of", title, text);
    let found: Vec<_> = contribution
        .triples
        .iter()
        .map(|claim| (claim.head.as_str(), claim.tail.as_str(), claim.span.of(text)))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn ends_are_what_the_document_names_and_the_evidence_is_its_words() {
    let text = "Hestle Mill stands. Hestle Mill was dreamt up by Ilse Marn and painted by Tove Lund.";
    let evidence = "Hestle Mill was dreamt up by Ilse Marn";
    check("Hestle Mill", text, &[("hestle mill", "ilse marn", evidence)]);
}

#[test]
fn a_pronoun_or_its_kind_stands_for_the_subject_of_the_document() {
    let subject = ("ommer mill", "ilse marn");
    let text = "Ommer Mill is a foundry. It was dreamt up by Ilse Marn and painted by Tove Lund.";
    check(
        "Ommer Mill (foundry)",
        text,
        &[("ommer mill foundry", subject.1, "It was dreamt up by Ilse Marn")],
    );
    let text = "Ommer Mill is a foundry. The foundry was dreamt up by Ilse Marn and painted by Tove Lund.";
    check(
        "Ommer Mill",
        text,
        &[(subject.0, subject.1, "The foundry was dreamt up by Ilse Marn")],
    );
}

#[test]
fn what_is_denied_is_not_stated() {
    check(
        "Ommer Mill",
        "Ommer Mill was never dreamt up by Ilse Marn and painted by Tove Lund.",
        &[],
    );
}

#[test]
fn what_rules_found_is_not_said_twice() {
    let text = "Ommer Mill was dreamt up by Ilse Marn and painted by Tove Lund.";
    let triples = read("dreamt up by", "Ommer Mill", text).triples;
    assert_eq!(triples.len(), 1, "{triples:?}");
}
