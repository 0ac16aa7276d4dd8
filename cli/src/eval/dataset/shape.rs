//! The shapes of published sets, and how a record of each is read.

use super::Passage;
use super::record::{Mismatch, id, kind, text, texts};
use banyan_engine::QaPair;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// How a set writes a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// With accepted answers and ids of gold passages.
    Own,
    /// With titles and sentences: `HotpotQA`, `2WikiMultiHopQA`.
    Context,
    /// With paragraphs: `MuSiQue`.
    Paragraphs,
    /// Question and answer alone: `GraphRAG-Bench`, the reference of Youtu-GraphRAG.
    Plain,
    /// The same with capitals: the other `GraphRAG-Bench`.
    Capital,
}

const HAS_QUESTION: &str = "a `question` that says something";
const HAS_CONTEXT: &str = "`context` as a list of [title, [sentence, …]], or as {`title`: […], `sentences`: [[…], …]}";
const HAS_FACTS: &str = "`supporting_facts` as a list of [title, number], or as {`title`: […]}";
const HAS_PARAGRAPHS: &str = "`paragraphs` as a list of {`title`, `paragraph_text`, `is_supporting`}";
const HAS_ANSWER: &str = "an answer as text, or a list of them";

impl Shape {
    /// What is known, for an error.
    pub(super) const KNOWN: &str = "an object with `question` and `answers`, `gold` or `answer`; with `question` and `context` (HotpotQA, 2WikiMultiHopQA) or `paragraphs` (MuSiQue); or with `Question` and `Answer` (GraphRAG-Bench)";

    /// The shape of a record; `None` for one that is no question.
    pub fn of(record: &Value) -> Option<Self> {
        let has = |key: &str| record.get(key).is_some();
        match () {
            () if has("Question") && has("Answer") => Some(Self::Capital),
            () if !has("question") => None,
            () if has("paragraphs") => Some(Self::Paragraphs),
            () if has("context") => Some(Self::Context),
            () if has("answers") || has("gold") => Some(Self::Own),
            () if has("answer") => Some(Self::Plain),
            () => None,
        }
    }

    /// A record as a question and the passages it brings; `at` is its position, its id where it has none.
    pub(super) fn read(self, record: &Value, at: usize) -> Result<(QaPair, Vec<Passage>), Mismatch> {
        let question = match self {
            Self::Capital => "Question",
            _ => "question",
        };
        let mut pair = QaPair {
            id: id(record, &["id", "_id", "ID"]).unwrap_or_else(|| (at + 1).to_string()),
            question: question_of(record, question)?,
            answers: self.answers(record)?,
            gold: Vec::new(),
            kind: id(record, &["type", "question_type", "Level-1 Topic"]).unwrap_or_default(),
        };
        let passages = match self {
            Self::Own => {
                pair.gold = gold(record)?;
                Vec::new()
            }
            Self::Context => context(record, &pair.id)?,
            Self::Paragraphs => paragraphs(record, &pair.id)?,
            Self::Plain | Self::Capital => Vec::new(),
        };
        if self == Self::Paragraphs && pair.kind.is_empty() {
            // MuSiQue writes the kind before its ids: `2hop__1_2`.
            pair.kind = pair.id.split_once("__").map_or("", |(kind, _)| kind).to_owned();
        }
        Ok((pair, passages))
    }

    fn answers(self, record: &Value) -> Result<Vec<String>, Mismatch> {
        let keys: &[&str] = match self {
            Self::Own => &["answers"],
            Self::Capital => &["Answer"],
            _ => &["answer", "answer_aliases"],
        };
        let mut answers = Vec::new();
        for key in keys {
            let found = texts(record, key).ok_or_else(|| {
                let found = record.get(*key).map_or("nothing", kind);
                (HAS_ANSWER, format!("{found} as `{key}`"))
            })?;
            answers.extend(found);
        }
        // MuSiQue writes questions that its paragraphs do not answer, with the answer they would have had.
        if record.get("answerable") == Some(&Value::Bool(false)) {
            answers.clear();
        } else if answers.is_empty() && !matches!(self, Self::Own) {
            return Err((HAS_ANSWER, "none".to_owned()));
        }
        let mut seen = BTreeSet::new();
        answers.retain(|answer| seen.insert(answer.clone()));
        Ok(answers)
    }
}

/// A question as it is written.
fn question_of(record: &Value, key: &str) -> Result<String, Mismatch> {
    text(record, key, HAS_QUESTION)?;
    Ok(record[key].as_str().unwrap_or_default().to_owned())
}

fn gold(record: &Value) -> Result<Vec<Value>, Mismatch> {
    match record.get("gold") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(ids)) => Ok(ids.clone()),
        Some(other) => Err(("`gold` as a list of ids", kind(other).to_owned())),
    }
}

/// The passages of a question with titles and sentences. Gold are those whose title a supporting fact names.
fn context(record: &Value, question: &str) -> Result<Vec<Passage>, Mismatch> {
    let wrong = |found: &Value| (HAS_CONTEXT, kind(found).to_owned());
    let facts = record.get("supporting_facts").unwrap_or(&Value::Null);
    let supporting = supporting(facts)?;
    let context = &record["context"];
    let pairs: Vec<(&Value, &Value)> = match context {
        Value::Array(list) => list.iter().map(|pair| (&pair[0], &pair[1])).collect(),
        Value::Object(columns) => {
            let list = |key: &str| columns.get(key).and_then(Value::as_array);
            let sentences = list("sentences").or_else(|| list("content"));
            let (titles, sentences) = list("title").zip(sentences).ok_or_else(|| wrong(context))?;
            titles.iter().zip(sentences).collect()
        }
        _ => return Err(wrong(context)),
    };
    let passage = |(n, (title, sentences)): (usize, (&Value, &Value))| {
        let title = title.as_str().ok_or_else(|| wrong(title))?;
        let sentences = sentences.as_array().ok_or_else(|| wrong(sentences))?;
        let sentences: Vec<&str> = sentences
            .iter()
            .map(|sentence| sentence.as_str().ok_or_else(|| wrong(sentence)))
            .collect::<Result<_, _>>()?;
        Ok(Passage {
            id: format!("{question}#{n}"),
            title: title.to_owned(),
            text: joined(&sentences),
            is_gold: supporting.contains(title),
        })
    };
    let passages: Vec<Passage> = pairs.into_iter().enumerate().map(passage).collect::<Result<_, _>>()?;
    Ok(passages
        .into_iter()
        .filter(|passage| !passage.text.trim().is_empty())
        .collect())
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

/// The titles that the supporting facts name; none where a set keeps them back.
fn supporting(facts: &Value) -> Result<BTreeSet<&str>, Mismatch> {
    let titles: Option<BTreeSet<&str>> = match facts {
        Value::Null => Some(BTreeSet::new()),
        Value::Array(pairs) => pairs.iter().map(|pair| pair[0].as_str()).collect(),
        Value::Object(columns) => columns
            .get("title")
            .and_then(Value::as_array)
            .and_then(|titles| titles.iter().map(Value::as_str).collect()),
        _ => None,
    };
    titles.ok_or_else(|| (HAS_FACTS, kind(facts).to_owned()))
}

/// The paragraphs of a question.
fn paragraphs(record: &Value, question: &str) -> Result<Vec<Passage>, Mismatch> {
    let wrong = |found: &Value| (HAS_PARAGRAPHS, kind(found).to_owned());
    let list = &record["paragraphs"];
    let list = list.as_array().ok_or_else(|| wrong(list))?;
    list.iter()
        .enumerate()
        .map(|(n, paragraph)| {
            Ok(Passage {
                id: format!("{question}#{n}"),
                title: text(paragraph, "title", HAS_PARAGRAPHS)?.to_owned(),
                text: text(paragraph, "paragraph_text", HAS_PARAGRAPHS)?.to_owned(),
                is_gold: paragraph.get("is_supporting").and_then(Value::as_bool).unwrap_or(false),
            })
        })
        .collect()
}
