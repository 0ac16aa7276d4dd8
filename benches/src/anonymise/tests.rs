//! Names to tags and back, over small corpora and arbitrary texts.

use super::path::{Reading, steps};
use super::question::{Draw, Kind, draw};
use super::*;
use banyan_engine::document::canonicalise;
use banyan_engine::{Document, Knowledge, Origin, Schema, Settings};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::resolve::resolve;
use banyan_extract::{Extractor, Watch, extract, read};
use proptest::prelude::*;

struct Unwatched;
impl Watch for Unwatched {}

fn knowledge(mut documents: Vec<Document>) -> Knowledge {
    canonicalise(&mut documents);
    let schema = Schema::general().unwrap();
    let settings = Settings::default();
    let max = settings.max_chunk_tokens;
    let contributions = extract(
        &documents,
        Extractor::Embedded,
        &schema,
        &EstimateTokens,
        max,
        &Unwatched,
    )
    .unwrap();
    let resolved = resolve(&documents, &contributions, &schema, &[]).unwrap();
    Knowledge::assemble(settings, schema, documents, contributions, resolved.resolution)
}

fn text(text: &str) -> Document {
    let origin = Origin {
        file: "t.txt".to_owned(),
        record: None,
        line: None,
    };
    Document::new("t", text, origin)
}

fn own(corpus: &str) -> Vec<Document> {
    let records = match corpus {
        "harrow" => include_str!("../../../data/harrow/corpus.jsonl"),
        _ => include_str!("../../../data/dongling/corpus.jsonl"),
    };
    read::parse("corpus.jsonl", records.as_bytes().to_vec()).unwrap()
}

const TALE: &str = "Captain Orla Venn sailed from Skelva. \"Heave,\" said Venn. Venn's crew liked Orla Venn. The crew of \
    the Marigold met Tobin in Skelva; TOBIN shouted. The Tobins were one too many, Tobin said. Tobin saw Skelva \
    burning. The flask was Flask's.";

/// Listed names that a text still has.
fn leaks(text: &str, dictionary: &Dictionary) -> Vec<String> {
    Listed::new(dictionary.entries()).unwrap().left_in(text)
}

/// Puts tags into a text, checks that no listed name is left, and that the key gives the very text back.
fn there_and_back(dictionary: &Dictionary, raw: &str, is_json: bool) -> String {
    let mut key = Key::new(dictionary);
    let new = key.seal(dictionary, "a", "1", raw, is_json);
    let key = Key::parse(&serde_json::to_string(&key).unwrap()).unwrap();
    assert_eq!(key.open(&key.files[0], &new, is_json).unwrap(), raw);
    new
}

/// What becomes of `text` under the names of [`TALE`], with every tag of one entity shown by its name in brackets.
fn check(text: &str, expected: &str) {
    let dictionary = Dictionary::of(&knowledge(vec![self::text(TALE)]));
    let mut shown = dictionary.anonymise(text).text;
    for entry in dictionary.entries() {
        shown = shown.replace(&entry.tag.to_string(), &format!("<{}>", entry.name));
    }
    assert_eq!(shown, expected);
}

#[test]
fn a_name_goes_under_one_tag_in_all_its_forms() {
    check("TOBIN and Tobin and tobin", "<Tobin> and <Tobin> and <Tobin>");
    check("Tobin's, two Tobins’, _Tobin_", "<Tobin>'s, two <Tobin>s’, _<Tobin>_");
    check("in\nSkelva; Skelvaland", "in\n<Skelva>; Skelvaland");
    check("nobody here", "nobody here");
}

#[test]
fn a_tag_that_is_there_stays_and_its_number_is_not_given_again() {
    let dictionary = Dictionary::of(&knowledge(vec![text(
        "[THING#7] met Tobin in Skelva. \"No,\" said Tobin. Tobin said so.",
    )]));
    let tobin = dictionary.entries().iter().find(|entry| entry.name == "Tobin").unwrap();
    assert_eq!((tobin.tag.label.as_str(), tobin.tag.number), ("THING", 8));
    assert_eq!(dictionary.anonymise("[THING#7] Tobin").text, "[THING#7] [THING#8]");
}

#[test]
fn no_listed_name_is_left_in_corpora_of_our_own() {
    for corpus in ["harrow", "dongling"] {
        let documents = own(corpus);
        let dictionary = Dictionary::of(&knowledge(documents.clone()));
        assert!(dictionary.entries().len() > 20);
        for document in &documents {
            for text in [&document.title, &document.text] {
                let new = there_and_back(&dictionary, text, false);
                assert_eq!(leaks(&new, &dictionary), Vec::<String>::new());
            }
        }
    }
}

#[test]
fn places_of_the_old_text_are_found_in_the_new_one() {
    let dictionary = Dictionary::of(&knowledge(vec![text(TALE)]));
    let new = dictionary.anonymise(TALE);
    for (at, word) in TALE.match_indices("crew") {
        let place = new.position(at);
        assert_eq!(&new.text[place..place + word.len()], word);
    }
    assert_eq!((new.position(0), new.position(TALE.len())), (0, new.text.len()));
}

#[test]
fn questions_follow_paths_and_name_nothing() {
    let knowledge = knowledge(own("harrow"));
    let dictionary = Dictionary::of(&knowledge);
    let reading = Reading::new(&knowledge, &dictionary);
    let steps = steps(&knowledge, &dictionary, &reading);
    let wanted = Draw {
        hops: 1..=6,
        n: 48,
        seed: 7,
    };
    let drawn = draw(&dictionary, &reading, &steps, &wanted);
    assert_eq!(drawn.len(), 48);
    assert_eq!(drawn, draw(&dictionary, &reading, &steps, &wanted));
    for question in &drawn {
        let line = &question.line;
        assert_eq!((question.gold.len(), line.entities.len()), (line.hops, line.hops + 1));
        assert_eq!(leaks(&line.question, &dictionary), Vec::<String>::new());
        for (at, (document, start, end)) in question.gold.iter().enumerate() {
            let quote = &reading.text(*document).text[*start..*end];
            assert!(quote.contains(&line.entities[at].to_string()), "{question:?}");
            assert!(quote.contains(&line.entities[at + 1].to_string()), "{question:?}");
        }
        let n_right = question
            .options
            .iter()
            .filter(|option| **option == question.answer)
            .count();
        assert_eq!(n_right, usize::from(line.query_type == Kind::MultipleChoice));
    }
    assert_eq!(drawn.iter().filter(|one| one.line.hops == 6).count(), 8);
    assert!(draw(&dictionary, &reading, &[], &wanted).is_empty());
}

#[test]
fn json_stays_json_and_comes_back_as_it_was_written() {
    let dictionary = Dictionary::of(&knowledge(vec![text(TALE)]));
    let raw = "{\"Tobin\": \"a \\u0054obin\\/ said\\n \\\"Tobin\\\"\", \"n\": [1, \"Skelva\", \"\\t\"]}\n";
    let new = there_and_back(&dictionary, raw, true);
    let value: serde_json::Value = serde_json::from_str(&new).unwrap();
    assert!(value.get("Tobin").is_some() && !value["n"][1].as_str().unwrap().contains("Skelva"));
    let mut key = Key::new(&dictionary);
    key.seal(&dictionary, "a.json", "1.json", raw, true);
    let wrong = key.open(&key.files[0], "{}", true).unwrap_err().to_string();
    assert!(wrong.contains("has 0 tags") && Key::parse("{}").is_err(), "{wrong}");
    assert_eq!(key.reveal(&dictionary.anonymise("tobin!").text), "Tobin!");
}

#[test]
fn tags_are_found_where_they_are_whole() {
    let found = |text: &str| {
        tag::find(text)
            .into_iter()
            .map(|range| text[range].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found("[[A#1] [B_C#22]] [#3] [a#1] [A#] [A1#2] [A#3"),
        ["[A#1]", "[B_C#22]"]
    );
    assert_eq!(Tag::parse("PERSON#3"), Tag::parse(" [PERSON#3] "));
    assert!(Tag::parse("[PERSON#]").is_none() && Tag::parse("#3").is_none());
}

#[test]
fn an_accent_belongs_to_its_letter_for_both_the_reader_and_the_check() {
    let dictionary = Dictionary::of(&knowledge(vec![text(TALE)]));
    let check = |raw: &str, n_replaced: usize| {
        let new = dictionary.anonymise(raw);
        assert_eq!(new.replaced.len(), n_replaced, "{raw:?}");
        assert_eq!(leaks(&new.text, &dictionary), Vec::<String>::new());
    };
    check("Tobin\u{301} came", 1);
    check("Tobin\u{20d0}\u{1ce9}", 0);
    check("x\u{301}Tobin", 0);
    let left = leaks("Tobin\u{301} came", &dictionary);
    assert!(left.iter().any(|name| name.eq_ignore_ascii_case("tobin")), "{left:?}");
}

proptest! {
    #[test]
    fn restoring_undoes_anonymising_any_text(parts in proptest::collection::vec(
        prop_oneof![
            "\\PC{0,6}", Just("Tobin".to_owned()), Just("[PERSON#1]".to_owned()), Just("[PERSON#".to_owned()), Just("Skelva".to_owned()),
            Just("Orla\nVenn".to_owned()), Just("]".to_owned()), Just("宋江".to_owned()), Just("'s ".to_owned()),
        ], 0..30)) {
        let raw = parts.concat();
        let documents = vec![text(TALE), text("宋江来了。宋江说：“好。”宋江在青河县。")];
        let dictionary = Dictionary::of(&knowledge(documents));
        prop_assert_eq!(leaks(&there_and_back(&dictionary, &raw, false), &dictionary), Vec::<String>::new());
        there_and_back(&dictionary, &serde_json::to_string(&[&raw]).unwrap(), true);
    }
}
