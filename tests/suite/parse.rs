//! Words, tags, heads and entities as the library that trained the model finds them, and `banyan parse`.
//!
//! `parse/parsed.txt` is the library's own analysis of `parse/texts.txt`; `parse/golden.py` writes it again. The model is
//! read from the directory that `BANYAN_PARSER_DIR` names, else from the program's cache (`banyan model fetch --parser`).

use crate::desk;
use banyan_extract::parse::{ModelBytes, Pipeline};
use banyan_tests::{Run, same};
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
fn a_text_is_shown_word_by_word() {
    let Some(directory) = directory() else { return };
    let desk = desk().with("Ada.txt", "Ada Quill lives in London. She sails.");
    let parse = |text: &str, options: &[&str]| {
        let mut command = desk.command(["parse", text, "--offline"]);
        let output = command.args(options).arg("--parser-dir").arg(&directory).output();
        Run::from(output.unwrap()).done()
    };
    let table = parse("Ada Quill lives in London.", &[]).stdout;
    let first: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(first, ["0", "Ada", "NNP", "1", "compound", "B-PERSON"]);
    let json = parse("Ada.txt", &["--json"]).json();
    let tokens = json[0]["tokens"].as_array().unwrap();
    let starts: Vec<_> = tokens.iter().filter(|token| token["starts_sentence"] == true).collect();
    assert_eq!(
        (json[0]["tokens"][4]["entity"].as_str(), starts.len()),
        (Some("B-GPE"), 2)
    );
    assert_eq!((&starts[1]["text"], &starts[1]["start"]), (&"She".into(), &27.into()));
}

/// Holds that these arguments are refused with one line.
fn refuse(args: &[&str], says: &[&str]) {
    desk().run(args).refused(says);
}

#[test]
fn a_parser_that_cannot_be_had_is_told_in_one_line() {
    let says = [
        "tried the cache",
        "offline",
        "banyan model fetch --parser",
        "--parser-dir",
    ];
    refuse(&["parse", "Ada sails.", "--offline"], &says);
    refuse(&["model", "fetch", "--parser", "--offline"], &says);
    refuse(
        &["parse", "Ada sails.", "--parser-dir", "nowhere"],
        &["nowhere", "lacks tokenizer", "en_core_web_sm"],
    );
}

#[test]
fn a_damaged_parser_is_told_with_its_files() {
    let desk = desk();
    for name in [
        "tokenizer",
        "vocab/lookups.bin",
        "tok2vec/model",
        "tagger/model",
        "tagger/cfg",
        "parser/model",
        "parser/moves",
        "ner/model",
        "ner/moves",
    ] {
        desk.put(&format!("parser/{name}"), "x");
    }
    desk.run(["parse", "Ada sails.", "--parser-dir", "parser"])
        .refused(&["cannot load the parser in parser", "tok2vec/model: expected"]);
    desk.run(["model", "verify", "--parser", "--parser-dir", "parser"])
        .refused(&["not the published one", "ner/moves has 1 bytes, expected 1064"]);
}

#[test]
fn a_text_that_is_none_is_refused() {
    refuse(&["parse", " ", "--offline"], &["the text is empty"]);
    refuse(&["parse", "gone.txt", "--offline"], &["gone.txt", "No such file"]);
}
