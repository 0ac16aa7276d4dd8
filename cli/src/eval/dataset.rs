//! Questions with known answers in the shapes in which they are published, as one shape.
//!
//! | set | a record has |
//! |---|---|
//! | own | `question`, and `id`, `answers`, `gold` (ids of the corpus's records), `evidence` (regular expressions), `type` where they are known |
//! | `HotpotQA`, `2WikiMultiHopQA` | `question`, `context` (titles with sentences), `supporting_facts`, `answer` |
//! | `MuSiQue` | `question`, `paragraphs` with `is_supporting`, `answer`, `answer_aliases` |
//! | `HippoRAG` | one of the two above, with the corpus in a file of its own |
//! | `GraphRAG-Bench` | `question`, `answer`, `question_type`; or `Question`, `Answer`, `Level-1 Topic` |
//! | Youtu-GraphRAG's reference | `question`, `answer` |
//!
//! A file is a JSON array, or one object a line.

use super::records::{Record, id, keys, kind, parse as parse_records, records};
use anyhow::{Context, Result, bail, ensure};
use banyan_engine::{Document, Origin, QaPair, name};
use regex::Regex;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// A passage that a question brings with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its id, which the question's `gold` names.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Whether it holds evidence for the question that brings it.
    pub is_gold: bool,
}

/// The questions of a file, in its order.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// The questions; each id once.
    pub questions: Vec<QaPair>,
    /// For each question the expressions that its evidence matches, each in some passage; mostly none.
    pub evidence: Vec<Vec<Regex>>,
    /// The passages that came with them, each once; none for sets with the corpus in a file of its own.
    pub passages: Vec<Passage>,
}

/// The questions of a file.
///
/// # Errors
/// When it cannot be read, for a record that is no question, for an id that two have, and for none at all.
pub fn read(file: &Path) -> Result<Dataset> {
    Dataset::new(&records(file)?).with_context(|| file.display().to_string())
}

/// The questions in a text.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &str) -> Result<Dataset> {
    Dataset::new(&parse_records(text)?)
}

impl Dataset {
    fn new(records: &[Record]) -> Result<Self> {
        let mut set = Self::default();
        let mut known: HashMap<(String, String), String> = HashMap::new();
        let mut ids = BTreeSet::new();
        for (at, (place, record)) in records.iter().enumerate() {
            let (mut pair, passages) = question(record, at).with_context(|| place.clone())?;
            ensure!(
                ids.insert(pair.id.clone()),
                "{place}: id `{}` again; expected one of its own",
                pair.id
            );
            for passage in passages {
                let key = (name::key(&passage.title), squeezed(&passage.text));
                let id = known.entry(key).or_insert_with(|| passage.id.clone()).clone();
                if passage.is_gold && !pair.gold.contains(&Value::String(id.clone())) {
                    pair.gold.push(Value::String(id.clone()));
                }
                if id == passage.id {
                    set.passages.push(passage);
                } else if passage.is_gold {
                    let same = set.passages.iter_mut().filter(|passage| passage.id == id);
                    same.for_each(|passage| passage.is_gold = true);
                }
            }
            set.questions.push(pair);
            set.evidence.push(evidence(record).with_context(|| place.clone())?);
        }
        Ok(set)
    }

    /// The passages as documents of `file`, for a set that has no corpus beside it.
    pub fn documents(&self, file: &str) -> Vec<Document> {
        let document = |passage: &Passage| Document::new(&passage.title, &passage.text, origin(file, &passage.id));
        self.passages.iter().map(document).collect()
    }

    /// Lets the documents of a corpus bear the ids of the gold passages: by title and text without white space, else by a
    /// title that one document alone has. Gives the titles of gold passages that the corpus does not hold. Cost O(bytes).
    pub fn find_gold_in(&self, file: &str, documents: &mut [Document]) -> Vec<String> {
        let mut by_text: HashMap<(String, String), usize> = HashMap::new();
        let mut by_title: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, document) in documents.iter().enumerate() {
            let title = name::key(&document.title);
            by_text.insert((title.clone(), squeezed(&document.text)), at);
            by_title.entry(title).or_default().push(at);
        }
        let mut missing = Vec::new();
        for passage in self.passages.iter().filter(|passage| passage.is_gold) {
            let title = name::key(&passage.title);
            let alone = match by_title.get(&title).map(Vec::as_slice) {
                Some([only]) => Some(*only),
                _ => None,
            };
            match by_text.get(&(title, squeezed(&passage.text))).copied().or(alone) {
                Some(at) => documents[at].origins.push(origin(file, &passage.id)),
                None => missing.push(passage.title.clone()),
            }
        }
        missing
    }
}

fn origin(file: &str, id: &str) -> Origin {
    Origin {
        file: file.to_owned(),
        record: Some(id.to_owned()),
        line: None,
    }
}

/// Sets join sentences with and without spaces, so white space does not tell texts apart.
fn squeezed(text: &str) -> String {
    text.chars().filter(|ch| !ch.is_whitespace()).collect()
}

/// A record as a question and the passages it brings; `at` is its position, its id where it has none.
fn question(record: &Map<String, Value>, at: usize) -> Result<(QaPair, Vec<Passage>)> {
    let question = record.get("question").or_else(|| record.get("Question"));
    let Some(question) = question.and_then(Value::as_str).filter(|text| !text.trim().is_empty()) else {
        bail!(
            "no `question` that says something; expected an object with `question` (or `Question`) and answers or evidence, found {}",
            keys(record)
        );
    };
    let has_more = [
        "answers",
        "answer",
        "Answer",
        "gold",
        "evidence",
        "context",
        "paragraphs",
    ];
    ensure!(
        has_more.iter().any(|key| record.contains_key(*key)),
        "nothing is known of the question; expected one of {}, found {}",
        has_more.join(", "),
        keys(record)
    );
    let mut pair = QaPair {
        id: id(record, &["id", "_id", "ID"]).unwrap_or_else(|| (at + 1).to_string()),
        question: question.to_owned(),
        answers: answers(record)?,
        gold: list(record, "gold", "a list of ids")?.to_vec(),
        kind: id(record, &["type", "question_type", "Level-1 Topic"]).unwrap_or_default(),
    };
    let passages = if record.contains_key("paragraphs") {
        if pair.kind.is_empty() {
            // MuSiQue writes the kind before its ids: `2hop__1_2`.
            pair.kind = pair.id.split_once("__").map_or("", |(kind, _)| kind).to_owned();
        }
        paragraphs(record, &pair.id)?
    } else if record.contains_key("context") {
        context(record, &pair.id)?
    } else {
        Vec::new()
    };
    Ok((pair, passages))
}

/// The accepted answers, each once. Where the set writes a single one, it must say something.
fn answers(record: &Map<String, Value>) -> Result<Vec<String>> {
    // MuSiQue writes questions that its paragraphs do not answer, with the answer they would have had.
    if record.get("answerable") == Some(&Value::Bool(false)) {
        return Ok(Vec::new());
    }
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        _ => None,
    };
    let mut answers: Vec<String> = Vec::new();
    for key in ["answers", "answer", "Answer", "answer_aliases"] {
        let values = match record.get(key) {
            None | Some(Value::Null) => continue,
            Some(Value::Array(values)) => values.as_slice(),
            Some(value) => std::slice::from_ref(value),
        };
        for value in values {
            let Some(answer) = text(value) else {
                bail!(
                    "{} as `{key}`; expected an answer as text, or a list of them",
                    kind(value)
                );
            };
            if !answer.is_empty() && !answers.contains(&answer) {
                answers.push(answer);
            }
        }
    }
    let is_promised = ["answer", "Answer"]
        .iter()
        .any(|key| record.get(*key).is_some_and(|value| !value.is_null()));
    ensure!(
        !is_promised || !answers.is_empty(),
        "no answer; expected an answer as text, or a list of them"
    );
    Ok(answers)
}

/// The regular expressions of a question's evidence, in which `.` stands for a line end, too.
fn evidence(record: &Map<String, Value>) -> Result<Vec<Regex>> {
    let expected = "a list of regular expressions";
    let expression = |value: &Value| {
        let text = value
            .as_str()
            .with_context(|| format!("{} in `evidence`; expected {expected}", kind(value)))?;
        Ok(Regex::new(&format!("(?s){text}"))?)
    };
    list(record, "evidence", expected)?.iter().map(expression).collect()
}

/// The elements of a field; none where it is missing.
fn list<'a>(record: &'a Map<String, Value>, key: &str, expected: &str) -> Result<&'a [Value]> {
    match record.get(key) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(values)) => Ok(values),
        Some(other) => bail!("{} as `{key}`; expected {expected}", kind(other)),
    }
}

/// The passages of a question with titles and sentences. Gold are those whose title a supporting fact names.
fn context(record: &Map<String, Value>, question: &str) -> Result<Vec<Passage>> {
    let expected = "`context` as a list of [title, [sentence, …]] or {`title`: […], `sentences`: [[…], …]}, and \
        `supporting_facts` as a list of [title, number] or {`title`: […]}";
    let titles = |facts: &Value| -> Option<BTreeSet<String>> {
        let titles: Vec<&Value> = match facts {
            Value::Null => Vec::new(),
            Value::Array(pairs) => pairs.iter().map(|pair| &pair[0]).collect(),
            columns => columns["title"].as_array()?.iter().collect(),
        };
        titles
            .into_iter()
            .map(|title| title.as_str().map(str::to_owned))
            .collect()
    };
    let passages = |context: &Value, gold: &BTreeSet<String>| -> Option<Vec<Passage>> {
        let pairs: Vec<(&Value, &Value)> = match context {
            Value::Array(list) => list.iter().map(|pair| (&pair[0], &pair[1])).collect(),
            columns => {
                let sentences = columns["sentences"]
                    .as_array()
                    .or_else(|| columns["content"].as_array())?;
                columns["title"].as_array()?.iter().zip(sentences).collect()
            }
        };
        let passage = |(n, (title, sentences)): (usize, (&Value, &Value))| {
            let sentences: Option<Vec<&str>> = sentences.as_array()?.iter().map(Value::as_str).collect();
            Some(Passage {
                id: format!("{question}#{n}"),
                title: title.as_str()?.to_owned(),
                text: joined(&sentences?),
                is_gold: gold.contains(title.as_str()?),
            })
        };
        pairs.into_iter().enumerate().map(passage).collect()
    };
    let gold = titles(record.get("supporting_facts").unwrap_or(&Value::Null));
    let found = gold.and_then(|gold| passages(&record["context"], &gold));
    let mut found = found.with_context(|| format!("found another shape; expected {expected}"))?;
    found.retain(|passage| !passage.text.is_empty());
    Ok(found)
}

/// Sentences with a space between them where they bring none.
fn joined(sentences: &[&str]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        if !text.is_empty() && !text.ends_with(char::is_whitespace) && !sentence.starts_with(char::is_whitespace) {
            text.push(' ');
        }
        text.push_str(sentence);
    }
    text.trim().to_owned()
}

/// The paragraphs of a question.
fn paragraphs(record: &Map<String, Value>, question: &str) -> Result<Vec<Passage>> {
    let expected = "a list of {`title`, `paragraph_text`, `is_supporting`}";
    let paragraph = |(n, paragraph): (usize, &Value)| {
        let text = |key: &str| {
            let text = paragraph[key].as_str().map(str::trim).filter(|text| !text.is_empty());
            text.with_context(|| format!("a paragraph without `{key}`; expected {expected}"))
        };
        Ok(Passage {
            id: format!("{question}#{n}"),
            title: text("title")?.to_owned(),
            text: text("paragraph_text")?.to_owned(),
            is_gold: paragraph["is_supporting"].as_bool().unwrap_or(false),
        })
    };
    list(record, "paragraphs", expected)?
        .iter()
        .enumerate()
        .map(paragraph)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each question its accepted answers and the titles of its gold passages.
    fn check(text: &str, expected: &[(&str, &[&str], &[&str])]) {
        let set = parse(text).unwrap();
        assert_eq!(set.questions.len(), expected.len());
        for (pair, (question, answers, gold)) in set.questions.iter().zip(expected) {
            let title = |id: &Value| {
                let found = set
                    .passages
                    .iter()
                    .find(|passage| Some(passage.id.as_str()) == id.as_str());
                found.map_or_else(|| id.to_string(), |passage| passage.title.clone())
            };
            let titles: Vec<String> = pair.gold.iter().map(title).collect();
            assert_eq!(pair.question, *question);
            assert_eq!(pair.answers, *answers);
            assert_eq!(titles, *gold);
        }
    }

    #[test]
    fn every_published_shape_gives_its_questions() {
        check(
            r#"{"id": 1, "question": "Who?", "answers": ["Ann"], "gold": [3, "x"]}"#,
            &[("Who?", &["Ann"], &["3", "\"x\""])],
        );
        check(
            r#"[{"_id": "a", "question": "Who?", "answer": "Ann", "supporting_facts": [["T", 0], ["T", 1]],
                "context": [["T", ["One.", " Two."]], ["U", ["Three."]]]},
               {"_id": "b", "question": "When?", "answer": "1900", "supporting_facts": {"title": ["U"], "sent_id": [0]},
                "context": {"title": ["U", "V"], "sentences": [["Three."], ["Four."]]}}]"#,
            &[("Who?", &["Ann"], &["T"]), ("When?", &["1900"], &["U"])],
        );
        check(
            r#"{"id": "2hop__1_2", "question": "Who?", "answer": "Ann", "answer_aliases": ["Anna", "Ann"], "paragraphs": [{"title": "T", "paragraph_text": "One.", "is_supporting": true}]}"#,
            &[("Who?", &["Ann", "Anna"], &["T"])],
        );
        check(
            r#"{"Question": "Who?", "Answer": ["A", "C"]}"#,
            &[("Who?", &["A", "C"], &[])],
        );
        check(
            r#"{"question": "Who?", "answer": "Ann", "answerable": false, "paragraphs": []}"#,
            &[("Who?", &[], &[])],
        );
    }

    #[test]
    fn a_passage_that_two_questions_bring_is_one_and_is_found_in_a_corpus() {
        let text = r#"[
            {"_id": "a", "question": "Who?", "answer": "x", "context": [["T", ["One. ", "Two."]]]},
            {"_id": "b", "question": "Why?", "answer": "y", "supporting_facts": [["T", 0], ["U", 0], ["W", 0]],
             "context": [["T", ["One.", "Two."]], ["U", ["Short."]], ["W", ["Gone."]]]}]"#;
        let set = parse(text).unwrap();
        assert_eq!((set.passages.len(), set.passages[0].text.as_str()), (3, "One. Two."));
        assert_eq!(set.questions[1].gold[0], "a#0");
        let corpus = |title: &str, text: &str| Document::new(title, text, origin("c.json", "0"));
        let mut documents = [
            corpus("T", "Other."),
            corpus("T", "One.Two."),
            corpus("U", "Longer text."),
        ];
        assert_eq!(set.find_gold_in("q.json", &mut documents), ["W"]);
        let origins: Vec<usize> = documents.iter().map(|document| document.origins.len()).collect();
        assert_eq!(origins, [1, 2, 2]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, expected) in [
            ("[]", "no questions"),
            (r#"[{"q": 1}]"#, "record 1: no `question`"),
            ("[1]", "found a number"),
            ("[{]", "a JSON array of objects"),
            ("{\"question\": \"Who?\", \"answer\": \"x\"}\n{]", "line 2"),
            (
                r#"[{"question": "Who?", "answer": "x"}, {"question": "Who?"}]"#,
                "record 2: nothing is known",
            ),
            (r#"[{"question": "Who?", "answer": {}}]"#, "an object as `answer`"),
            (r#"[{"question": "Who?", "answer": ""}]"#, "no answer"),
            (
                r#"[{"question": "Who?", "evidence": ["("]}]"#,
                "record 1: regex parse error",
            ),
            (
                r#"[{"question": "Who?", "answer": "x", "context": "T"}]"#,
                "expected `context` as",
            ),
            (
                r#"[{"id": 1, "question": "Who?", "gold": []}, {"id": 1, "question": "Why?", "gold": []}]"#,
                "id `1` again",
            ),
        ] {
            let message = format!("{:#}", parse(text).unwrap_err());
            assert!(message.contains(expected), "{message}");
        }
    }
}
