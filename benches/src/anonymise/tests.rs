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
                let new = dictionary.anonymise(text);
                assert_eq!(leaks(&new.text, dictionary.entries()).unwrap(), Vec::<String>::new());
                let surfaces: Vec<&str> = new.replaced.iter().map(|one| one.surface.as_str()).collect();
                assert_eq!(restore(&new.text, &surfaces).unwrap(), **text);
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
        assert_eq!(
            (question.gold.len(), question.entities.len()),
            (question.hops, question.hops + 1)
        );
        assert_eq!(
            leaks(&question.question, dictionary.entries()).unwrap(),
            Vec::<String>::new()
        );
        let answer = &dictionary.entries()[question.answer].tag;
        for (at, (document, start, end)) in question.gold.iter().enumerate() {
            let quote = &reading.text(*document).text[*start..*end];
            assert!(quote.contains(&question.entities[at].to_string()), "{question:?}");
            assert!(quote.contains(&question.entities[at + 1].to_string()), "{question:?}");
        }
        let n_right = question.options.iter().filter(|option| *option == answer).count();
        assert_eq!(n_right, usize::from(question.kind == Kind::MultipleChoice));
    }
    assert_eq!(drawn.iter().filter(|one| one.hops == 6).count(), 8);
    assert!(draw(&dictionary, &reading, &[], &wanted).is_empty());
}

#[test]
fn json_stays_json_and_comes_back_as_it_was_written() {
    let dictionary = Dictionary::of(&knowledge(vec![text(TALE)]));
    let raw = "{\"Tobin\": \"a \\u0054obin\\/ said\\n \\\"Tobin\\\"\", \"n\": [1, \"Skelva\", \"\\t\"]}\n";
    let mut key = Key::new(&dictionary);
    let new = key.seal(&dictionary, "a.json", "1.json", raw, true);
    let value: serde_json::Value = serde_json::from_str(&new).unwrap();
    assert!(value.get("Tobin").is_some() && !value["n"][1].as_str().unwrap().contains("Skelva"));
    let key = Key::parse(&serde_json::to_string(&key).unwrap()).unwrap();
    assert_eq!(key.open(&key.files[0], &new, true).unwrap(), raw);
    assert!(key.open(&key.files[0], "{}", true).is_err());
    assert_eq!(key.reveal(&dictionary.anonymise("tobin!").text), "Tobin!");
}

#[test]
fn a_text_with_other_tags_is_not_restored() {
    let wrong = restore("[A#1] and [B#2]", &["x"]).unwrap_err();
    assert_eq!((wrong.expected, wrong.found), (1, 2));
    assert!(Key::parse("{}").is_err());
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
        assert_eq!(leaks(&new.text, dictionary.entries()).unwrap(), Vec::<String>::new());
    };
    check("Tobin\u{301} came", 1);
    check("Tobin\u{20d0}\u{1ce9}", 0);
    check("x\u{301}Tobin", 0);
    let left = leaks("Tobin\u{301} came", dictionary.entries()).unwrap();
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
        let new = dictionary.anonymise(&raw);
        let surfaces: Vec<&str> = new.replaced.iter().map(|one| one.surface.as_str()).collect();
        prop_assert_eq!(restore(&new.text, &surfaces).unwrap(), raw.clone());
        prop_assert_eq!(leaks(&new.text, dictionary.entries()).unwrap(), Vec::<String>::new());
        let json = serde_json::to_string(&[&raw]).unwrap();
        let mut key = Key::new(&dictionary);
        let sealed = key.seal(&dictionary, "a.json", "1.json", &json, true);
        prop_assert_eq!(key.open(&key.files[0], &sealed, true).unwrap(), json);
    }
}
