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

use super::records::{Texts, records};
use anyhow::{Context, Result, ensure};
use banyan_engine::{Document, Origin, name};
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// A question with what is known of it.
#[derive(Clone, Debug, Default)]
pub struct QaPair {
    /// The set's id of it, else its number from 1.
    pub id: String,
    /// The question.
    pub question: String,
    /// Accepted answers, each once; empty where the set has none or the question is unanswerable.
    pub answers: Vec<String>,
    /// Ids of the corpus's records that hold its evidence.
    pub gold: Vec<String>,
    /// The set's own kind of question; empty where it has none.
    pub kind: String,
    /// Expressions that its evidence matches, each in some passage; mostly none.
    pub evidence: Vec<Regex>,
    /// Answers of its steps, in order, where the set tells them.
    pub steps: Vec<String>,
}

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
    /// The passages that came with them, each once; none for sets with the corpus in a file of its own.
    pub passages: Vec<Passage>,
}

/// What a record of a set is.
const EXPECTED: &str = "an object with `question` (or `Question`) and answers, gold or evidence";

/// The questions of a file.
///
/// # Errors
/// When it cannot be read, for a record that is no question, for an id that two have, and for none at all.
pub fn read(file: &Path) -> Result<Dataset> {
    Dataset::new(records(file, EXPECTED)?).with_context(|| file.display().to_string())
}

impl Dataset {
    fn new(rows: Vec<(String, Row)>) -> Result<Self> {
        let mut set = Self::default();
        let mut known: HashMap<(String, String), String> = HashMap::new();
        let mut ids = BTreeSet::new();
        for (number, (place, row)) in (1..).zip(rows) {
            let (mut pair, passages) = row.question(number).with_context(|| place.clone())?;
            ensure!(
                ids.insert(pair.id.clone()),
                "{place}: id `{}` again; expected one of its own",
                pair.id
            );
            for passage in passages {
                let key = (name::key(&passage.title), squeezed(&passage.text));
                let id = known.entry(key).or_insert_with(|| passage.id.clone()).clone();
                if passage.is_gold && !pair.gold.contains(&id) {
                    pair.gold.push(id.clone());
                }
                if id == passage.id {
                    set.passages.push(passage);
                } else if passage.is_gold {
                    let same = set.passages.iter_mut().filter(|passage| passage.id == id);
                    same.for_each(|passage| passage.is_gold = true);
                }
            }
            set.questions.push(pair);
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

/// A record in any of the shapes.
#[derive(Deserialize)]
struct Row {
    #[serde(alias = "_id", alias = "ID")]
    id: Option<Texts>,
    #[serde(alias = "Question")]
    question: String,
    #[serde(rename = "type", alias = "kind", alias = "question_type", alias = "Level-1 Topic")]
    kind: Option<Texts>,
    #[serde(alias = "Answer")]
    answer: Option<Texts>,
    answers: Option<Texts>,
    answer_aliases: Option<Texts>,
    answerable: Option<bool>,
    gold: Option<Texts>,
    evidence: Option<Vec<String>>,
    context: Option<Titled>,
    supporting_facts: Option<Facts>,
    paragraphs: Option<Vec<Paragraph>>,
    #[serde(default)]
    decomposition: Vec<Step>,
}

/// Passages with titles and sentences.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected `context` as a list of [title, [sentence, …]] or {`title`: […], `sentences`: [[…], …]}"
)]
enum Titled {
    Pairs(Vec<(String, Vec<String>)>),
    Columns {
        title: Vec<String>,
        #[serde(alias = "content")]
        sentences: Vec<Vec<String>>,
    },
}

/// Titles of gold passages.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected `supporting_facts` as a list of [title, number] or {`title`: […]}"
)]
enum Facts {
    Pairs(Vec<(String, Value)>),
    Columns { title: Vec<String> },
}

#[derive(Deserialize)]
struct Paragraph {
    title: String,
    #[serde(rename = "paragraph_text")]
    text: String,
    #[serde(default)]
    is_supporting: bool,
}

#[derive(Deserialize)]
struct Step {
    a: String,
}

impl Row {
    /// The question and the passages it brings; `number` is its id where it has none.
    fn question(self, number: usize) -> Result<(QaPair, Vec<Passage>)> {
        ensure!(
            !self.question.trim().is_empty(),
            "a `question` that says nothing; expected {EXPECTED}"
        );
        let is_known = [&self.answer, &self.answers, &self.gold]
            .iter()
            .any(|field| field.is_some())
            || self.evidence.is_some()
            || self.context.is_some()
            || self.paragraphs.is_some();
        ensure!(is_known, "nothing is known of the question; expected {EXPECTED}");
        let expression = |text: String| Ok(Regex::new(&format!("(?s){text}"))?);
        let mut pair = QaPair {
            id: self.id.and_then(Texts::lines).unwrap_or_else(|| number.to_string()),
            question: self.question,
            gold: self.gold.unwrap_or_default().0,
            kind: self.kind.and_then(Texts::lines).unwrap_or_default(),
            evidence: self
                .evidence
                .into_iter()
                .flatten()
                .map(expression)
                .collect::<Result<_>>()?,
            steps: self.decomposition.into_iter().map(|step| step.a).collect(),
            answers: Vec::new(),
        };
        // MuSiQue writes questions that its paragraphs do not answer, with the answer they would have had.
        if self.answerable != Some(false) {
            let is_promised = self.answer.is_some();
            let given = [self.answers, self.answer, self.answer_aliases].into_iter().flatten();
            for answer in given.flat_map(|answers| answers.0) {
                if !answer.is_empty() && !pair.answers.contains(&answer) {
                    pair.answers.push(answer);
                }
            }
            ensure!(
                !is_promised || !pair.answers.is_empty(),
                "no answer; expected an answer as text, or a list of them"
            );
        }
        let brought: Vec<(String, String, bool)> = if let Some(paragraphs) = self.paragraphs {
            if pair.kind.is_empty() {
                // MuSiQue writes the kind before its ids: `2hop__1_2`.
                pair.kind = pair.id.split_once("__").map_or("", |(kind, _)| kind).to_owned();
            }
            let text = |one: Paragraph| (one.title, one.text.trim().to_owned(), one.is_supporting);
            paragraphs.into_iter().map(text).collect()
        } else {
            titled(self.context, self.supporting_facts)
        };
        let numbered = brought.into_iter().enumerate();
        let passages = numbered
            .filter(|(_, (_, text, _))| !text.is_empty())
            .map(|(n, (title, text, is_gold))| Passage {
                id: format!("{}#{n}", pair.id),
                title,
                text,
                is_gold,
            });
        let passages = passages.collect();
        Ok((pair, passages))
    }
}

/// Title and text of each passage, and whether a supporting fact names it.
fn titled(context: Option<Titled>, facts: Option<Facts>) -> Vec<(String, String, bool)> {
    let gold: BTreeSet<String> = match facts {
        None => BTreeSet::new(),
        Some(Facts::Pairs(pairs)) => pairs.into_iter().map(|(title, _)| title).collect(),
        Some(Facts::Columns { title }) => title.into_iter().collect(),
    };
    let pairs = match context {
        None => Vec::new(),
        Some(Titled::Pairs(pairs)) => pairs,
        Some(Titled::Columns { title, sentences }) => title.into_iter().zip(sentences).collect(),
    };
    let passage = |(title, sentences): (String, Vec<String>)| {
        let is_gold = gold.contains(&title);
        (title, joined(&sentences), is_gold)
    };
    pairs.into_iter().map(passage).collect()
}

/// Sentences with a space between them where they bring none.
fn joined(sentences: &[String]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        if !text.is_empty() && !text.ends_with(char::is_whitespace) && !sentence.starts_with(char::is_whitespace) {
            text.push(' ');
        }
        text.push_str(sentence);
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Dataset> {
        Dataset::new(crate::eval::records::parse(text, EXPECTED)?)
    }

    /// For each question its accepted answers and the titles of its gold passages.
    fn check(text: &str, expected: &[(&str, &[&str], &[&str])]) {
        let set = parse(text).unwrap();
        assert_eq!(set.questions.len(), expected.len());
        for (pair, (question, answers, gold)) in set.questions.iter().zip(expected) {
            let title = |id: &String| {
                let found = set.passages.iter().find(|passage| passage.id == *id);
                found.map_or_else(|| id.clone(), |passage| passage.title.clone())
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
            &[("Who?", &["Ann"], &["3", "x"])],
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
            ("[]", "nothing in it"),
            (r#"[{"q": 1}]"#, "record 1: expected an object with `question`"),
            ("[1]", "found 1"),
            ("[{]", "a JSON array of objects"),
            ("{\"question\": \"Who?\", \"answer\": \"x\"}\n{]", "line 2"),
            (
                r#"[{"question": "Who?", "answer": "x"}, {"question": "Who?"}]"#,
                "record 2: nothing is known",
            ),
            (
                r#"[{"question": "Who?", "answer": {}}]"#,
                "expected a text, or a list of texts",
            ),
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
