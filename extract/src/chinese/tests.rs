//! A tagger without a network: it finds the words of a list, longest first, and takes any other character for a word.

use super::*;
use crate::analysis::Analyser;
use banyan_engine::{Document, Origin};
use std::sync::LazyLock;

const TAGS: [&str; 8] = ["n", "v", "u", "p", "PER", "LOC", "ORG", "TIME"];

/// Tables for the characters of some words, with the labels of [`TAGS`] and no preference among transitions.
fn tables(words: &[(&str, &str)]) -> (Vec<char>, String, String, Vec<u8>) {
    let mut chars: Vec<char> = words.iter().flat_map(|(word, _)| word.chars()).collect();
    chars.sort_unstable();
    chars.dedup();
    let numbered = |(at, ch): (usize, &char)| format!("{}\t{ch}\n", at + 1);
    let characters = "0\tOOV\n".to_owned() + &chars.iter().enumerate().map(numbered).collect::<String>();
    let label = |(at, tag): (usize, &&str)| format!("{}\t{tag}-B\n{}\t{tag}-I\n", 2 * at, 2 * at + 1);
    let labels: String = TAGS.iter().enumerate().map(label).collect();
    let n = 2 * TAGS.len();
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({n}, {n}), }}\n");
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    let parts: [&[u8]; 4] = [b"\x93NUMPY\x01\x00", &length, header.as_bytes(), &vec![0; 4 * n * n]];
    (chars, characters, labels, parts.concat())
}

fn tagger(words: &'static [(&str, &str)]) -> Chinese {
    let (chars, characters, labels, transitions) = tables(words);
    let bytes = ChineseBytes {
        characters: &characters,
        labels: &labels,
        forms: "遠\t远\n",
        transitions: &transitions,
    };
    let weigh = move |numbers: &[i64], length: usize| {
        let read = |number: &i64| chars.get(usize::try_from(*number - 1).unwrap_or(usize::MAX));
        let mut weights = Vec::new();
        for sentence in numbers.chunks(length) {
            let text: Vec<char> = sentence.iter().map(|number| *read(number).unwrap_or(&' ')).collect();
            let mut at = 0;
            while at < text.len() {
                let begins = |(word, _): &&(&str, &str)| text[at..].iter().collect::<String>().starts_with(word);
                let found = words.iter().filter(begins).max_by_key(|(word, _)| word.len());
                let (word, tag) = found.copied().unwrap_or((" ", "n"));
                let label = 2 * TAGS.iter().position(|other| *other == tag).unwrap();
                for place in 0..word.chars().count() {
                    let is_it = |at| f32::from(u8::from(at == label + usize::from(place > 0)));
                    weights.extend((0..2 * TAGS.len()).map(is_it));
                }
                at += word.chars().count();
            }
        }
        Ok(weights)
    };
    Chinese::new("scripted", &bytes, Box::new(weigh)).unwrap()
}

/// An analyser whose reader of Chinese knows just these words with their tags.
pub(crate) fn analyser(words: &'static [(&str, &str)]) -> Analyser {
    Analyser::surface().with_chinese(Some(LazyLock::new(Box::new(move || Some(tagger(words))))))
}

#[test]
fn words_are_what_the_labels_cut_and_keep_digits_and_dots_apart() {
    let words: &[_] = &[("梅·多", "PER"), ("林远", "PER"), ("出生", "v"), ("年", "TIME")];
    let text = "1960年林遠、梅·多出生于Tidd。";
    let tokens = tagger(words).read(&["日本の林", "", text, text]).unwrap();
    assert_eq!((tokens[0].len(), tokens[1].len(), tokens[2] == tokens[3]), (0, 0, true));
    let found = annotate(text, crate::word::words(text, Span::new(0, text.len())), &tokens[2], 0);
    let found: Vec<_> = found
        .iter()
        .map(|word| (word.of(text), word.kind, word.begins))
        .collect();
    let expected = [
        ("1960", Kind::Common, false),
        ("年", Kind::Value, true),
        ("林遠", Kind::Person, true),
        ("梅", Kind::Person, true),
        ("多", Kind::Person, false),
        ("出生", Kind::Common, true),
        ("于", Kind::Common, true),
        ("Tidd", Kind::Common, false),
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_reader_is_named_where_it_has_something_to_read() {
    let id = |text: &str| analyser(&[("林远", "PER")]).id(&[Document::new("T", text, Origin::default())]);
    assert_eq!(id("林远。"), "scripted");
    assert_eq!(id("The town of Yunchuan (云川) is old. 日本のまち。"), "none");
}

#[test]
fn transitions_decide_where_weights_do_not() {
    let mut tagger = tagger(&[("林", "PER")]);
    let n = tagger.n_labels;
    // The second label is likelier after the first of its tag.
    tagger.transitions[8 * n + 9] = 2.0;
    let mut weights = vec![0.0; 2 * n];
    (weights[8], weights[n], weights[n + 9]) = (1.0, 1.0, 0.5);
    assert_eq!(tagger.best(&weights), [8, 9]);
}

#[test]
fn broken_tables_and_networks_are_refused() {
    let (_, characters, labels, transitions) = tables(&[("林", "PER")]);
    let check = |[characters, labels, forms]: [&str; 3], transitions: &[u8], expected: &str| {
        let bytes = ChineseBytes {
            characters,
            labels,
            forms,
            transitions,
        };
        let found = Chinese::new("broken", &bytes, Box::new(|_, _| Ok(vec![0.0])));
        match found.map(|tagger| tagger.read(&["林远"])) {
            Ok(read) => assert_eq!(read, Err(expected.to_owned())),
            Err(error) => assert!(error.to_string().starts_with(expected), "{error}"),
        }
    };
    check(
        [&characters, &labels, ""],
        &transitions,
        "the network gave 1 weights, expected 32",
    );
    check([&characters, &labels, ""], &transitions[..200], "transitions: ");
    check([&characters, "0\tn-X\n", ""], &transitions, "labels: ");
    check([&characters, "99\tn-B\n", ""], &transitions, "labels: ");
    check(["1\t林\n", &labels, ""], &transitions, "characters: ");
    check(["林\n", &labels, ""], &transitions, "characters: ");
    check([&characters, &labels, "遠遠\t林\n"], &transitions, "forms: ");
}
