//! No rule, list or test may be written for a question of the development sets: none of their wordings stands in a
//! source.

use banyan_tests::workspace::{root, sources};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Files of questions below the development data; a star stands for every folder.
const QUESTIONS: [&str; 3] = [
    "multihop/*/questions.jsonl",
    "strangers/*/questions.jsonl",
    "structured/worldcup/questions.jsonl",
];
/// Words without content.
const STOP_WORDS: &str = "a an and are as at be been by can could did do does for from had has have he her his how i if in is it \
    its many me much my name no not of on or our she so that the their them then there these they this those to was we were \
    what when where which who whom whose why will with would you your";
/// Content words in a row that give a question away.
const LENGTH: usize = 4;
/// A wording of more questions than this is that of a kind of question, not of one.
const MAX_QUESTIONS: usize = 2;
/// Ends of files that hold data, not sources: texts, answers by the id of a question, versions.
const DATA: [&str; 3] = ["jsonl", "lock", "parquet"];

/// The content words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|ch: char| !ch.is_alphanumeric()).map(str::to_lowercase);
    let is_content = |word: &String| !word.is_empty() && STOP_WORDS.split_whitespace().all(|stop| stop != word);
    words.filter(is_content).collect()
}

fn files(data: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for pattern in QUESTIONS {
        match pattern.split_once("/*/") {
            Some((folder, file)) => {
                let folders = fs::read_dir(data.join(folder)).into_iter().flatten();
                found.extend(folders.map(|entry| entry.unwrap().path().join(file)));
            }
            None => found.push(data.join(pattern)),
        }
    }
    found.retain(|file| file.is_file());
    found
}

/// The wordings that one or two questions have, each with one of them.
fn wordings(data: &Path) -> BTreeMap<Vec<String>, String> {
    let mut owners: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for file in files(data) {
        let text = fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let row: Value = serde_json::from_str(line).unwrap();
            let question = row["question"].as_str().unwrap();
            for wording in words(question).windows(LENGTH) {
                owners.entry(wording.to_vec()).or_default().insert(question.to_owned());
            }
        }
    }
    owners.retain(|_, questions| questions.len() <= MAX_QUESTIONS);
    let first = |(wording, questions): (_, BTreeSet<String>)| Some((wording, questions.into_iter().next()?));
    owners.into_iter().filter_map(first).collect()
}

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test must be seen")]
fn no_source_has_the_words_of_a_development_question() {
    let Some(data) = env::var_os("BANYAN_DATA").filter(|data| !data.is_empty()) else {
        eprintln!("skipped: BANYAN_DATA is not set");
        return;
    };
    let wordings = wordings(&root().join(data));
    assert!(!wordings.is_empty(), "no question found below BANYAN_DATA");
    let mut found = Vec::new();
    for (name, text) in sources() {
        let is_data = Path::new(&name)
            .extension()
            .is_some_and(|end| DATA.iter().any(|data| end == *data));
        if is_data {
            continue;
        }
        let words = words(&text);
        let hits = words
            .windows(LENGTH)
            .filter_map(|wording| Some((wording, wordings.get(wording)?)));
        found.extend(hits.map(|(wording, question)| format!("{name}: {:?} of {question:?}", wording.join(" "))));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
