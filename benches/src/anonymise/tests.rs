//! Names to tags over small corpora and arbitrary texts, and questions over them.

use super::path::steps;
use super::question::{Draw, Kind, draw};
use super::*;
use banyan_engine::document::canonicalise;
use banyan_engine::{Document, Knowledge, Origin, Schema, Settings};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::resolve::resolve;
use banyan_extract::{Analysis, Extractor, Watch, extract, read};
use proptest::prelude::*;

struct Unwatched;
impl Watch for Unwatched {}

fn knowledge(mut documents: Vec<Document>) -> Knowledge {
    canonicalise(&mut documents);
    let schema = Schema::general().unwrap();
    let settings = Settings::default();
    let max = settings.max_chunk_tokens;
    let contributions = extract(
        &Analysis::surfaces(&documents),
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

fn tale() -> Dictionary {
    Dictionary::of(&knowledge(vec![text(TALE)])).unwrap()
}

/// What becomes of `text` under the names of [`TALE`], with every tag of one entity shown by its name in brackets.
fn check(text: &str, expected: &str) {
    let dictionary = tale();
    let mut shown = dictionary.anonymise(text).text;
    for entry in dictionary.entries() {
        shown = shown.replace(&entry.tag.to_string(), &format!("<{}>", entry.name));
    }
    assert_eq!(shown, expected);
}

#[test]
fn a_name_goes_under_one_tag_in_all_its_forms() {
    check("TOBIN and Tobin and tobin", "<Tobin> and <Tobin> and <Tobin>");
    check("Tobin's, two Skelvas’, _Tobin_", "<Tobin>'s, two <Skelva>s’, _<Tobin>_");
    check("in\nSkelva; Skelvaland", "in\n<Skelva>; Skelvaland");
    check("Tobin\u{301} came, x\u{301}Tobin", "<Tobin>\u{301} came, x\u{301}Tobin");
    check("nobody here", "nobody here");
}

#[test]
fn a_tag_that_is_there_stays_and_its_number_is_not_given_again() {
    let text = text("[THING#7] met Tobin in Skelva. \"No,\" said Tobin. Tobin said so.");
    let dictionary = Dictionary::of(&knowledge(vec![text])).unwrap();
    let tobin = dictionary.entries().iter().find(|entry| entry.name == "Tobin").unwrap();
    assert_eq!((tobin.tag.label.as_str(), tobin.tag.number), ("THING", 8));
    assert_eq!(dictionary.anonymise("[THING#7] Tobin").text, "[THING#7] [THING#8]");
}

#[test]
fn no_listed_name_is_left_in_corpora_of_our_own() {
    for corpus in ["harrow", "dongling"] {
        let documents = own(corpus);
        let dictionary = Dictionary::of(&knowledge(documents.clone())).unwrap();
        assert!(dictionary.entries().len() > 20);
        for document in &documents {
            let new = dictionary.anonymise(&document.text);
            assert!(!new.replaced.is_empty() && dictionary.anonymise(&new.text).replaced.is_empty());
        }
    }
}

#[test]
fn places_of_the_old_text_are_found_in_the_new_one() {
    let new = tale().anonymise(TALE);
    for (at, word) in TALE.match_indices("crew") {
        let place = new.position(at);
        assert_eq!(&new.text[place..place + word.len()], word);
    }
    assert_eq!((new.position(0), new.position(TALE.len())), (0, new.text.len()));
}

#[test]
fn questions_follow_paths_and_name_nothing() {
    let knowledge = knowledge(own("harrow"));
    let dictionary = Dictionary::of(&knowledge).unwrap();
    let texts: Vec<Anonymised> = (knowledge.documents.all().iter())
        .map(|document| dictionary.anonymise(&document.text))
        .collect();
    let steps = steps(&knowledge, &dictionary, &texts);
    let wanted = Draw {
        hops: 1..=6,
        n: 48,
        seed: 7,
    };
    let drawn = draw(&dictionary, &texts, &steps, &wanted);
    assert_eq!(drawn.len(), 48);
    assert_eq!(drawn, draw(&dictionary, &texts, &steps, &wanted));
    for line in &drawn {
        assert_eq!((line.gold.len(), line.entities.len()), (line.hops, line.hops + 1));
        assert!(dictionary.anonymise(&line.question).replaced.is_empty(), "{line:?}");
        for (place, ends) in line.gold.iter().zip(line.entities.windows(2)) {
            assert!(
                ends.iter().all(|end| place.quote.contains(&end.to_string())),
                "{line:?}"
            );
        }
        let last = line.entities.last().unwrap();
        let right = format!("\n{}. {last}", line.answer);
        assert_eq!(line.question.contains(&right), line.query_type == Kind::MultipleChoice);
    }
    assert_eq!(drawn.iter().filter(|one| one.hops == 6).count(), 8);
    assert!(draw(&dictionary, &texts, &[], &wanted).is_empty());
}

proptest! {
    #[test]
    fn no_name_is_left_in_any_text_and_the_key_names_them_again(parts in proptest::collection::vec(
        prop_oneof![
            "\\PC{0,6}", Just("Tobin".to_owned()), Just("[PERSON#1]".to_owned()), Just("[PERSON#".to_owned()), Just("Skelva".to_owned()),
            Just("Orla\nVenn".to_owned()), Just("]".to_owned()), Just("宋江".to_owned()), Just("'s ".to_owned()),
        ], 0..30)) {
        let documents = vec![text(TALE), text("宋江来了。宋江说：“好。”宋江在青河县。")];
        let dictionary = Dictionary::of(&knowledge(documents)).unwrap();
        let new = dictionary.anonymise(&parts.concat());
        prop_assert!(dictionary.anonymise(&new.text).replaced.is_empty());
        let key = Key { entities: dictionary.entries().to_vec(), documents: Vec::new() };
        let tags: Vec<String> = new.replaced.iter().map(|one| new.text[one.tag.clone()].to_owned()).collect();
        let names: Vec<&str> = new.replaced.iter().map(|one| dictionary.entries()[one.entry].name.as_str()).collect();
        prop_assert_eq!(key.reveal(&tags.join(" ")), names.join(" "));
    }
}
