//! Questions of an anonymised set, checked before anything is asked.

use super::key::Names;
use super::option::options;
use super::place::GoldPlace;
use super::reply;
use banyan_extract::tag::{self, Tag};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Columns that are read where a question has them; others are passed over.
pub(super) const COLUMNS: &[&str] = &[
    "id",
    "idx",
    "question",
    "answer",
    "relations",
    "entities",
    "query_type",
    "hops",
    "language",
    "gold",
];

/// Why a set cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// No text of a question.
    #[error("{place}: no `question`; expected one of {}, found {found}", COLUMNS.join(", "))]
    Columns {
        /// Which record.
        place: String,
        /// Its columns.
        found: String,
    },
    /// A question that nothing is known to be right for.
    #[error("{place}: a question without answer; expected `answer` with a letter, or with lines such as PERSON#3——Ann")]
    NoAnswer {
        /// Which record.
        place: String,
    },
    /// An answer of neither form.
    #[error("{place}: gold line {line:?} does not parse; expected a letter A to D, or PERSON#3——Ann")]
    Gold {
        /// Which record.
        place: String,
        /// The line.
        line: String,
    },
    /// A letter without an option.
    #[error(
        "{place}: the answer is {letter}, and the question has no option {letter}; expected lines such as `{letter}. …`"
    )]
    Option {
        /// Which record.
        place: String,
        /// The letter.
        letter: char,
    },
    /// A set of one's own whose key is missing.
    #[error("{place}: the names behind {tag} are not known; expected key.json beside the questions, or --key")]
    NoKey {
        /// Which record.
        place: String,
        /// The first such tag.
        tag: Tag,
    },
    /// A key that is none.
    #[error("not a key: {reason}; expected key.json as `banyan-eval anonymize` wrote it")]
    Key {
        /// What is wrong.
        reason: String,
    },
    /// Two questions under one id.
    #[error("{place}: id {id:?} is there twice")]
    Duplicate {
        /// The second record.
        place: String,
        /// The id.
        id: String,
    },
    /// A gold place of another shape.
    #[error("{place}: `gold` is not a list of places: {reason}")]
    Place {
        /// Which record.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// Nothing to ask.
    #[error("no questions")]
    Empty,
}

/// What is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gold {
    /// The letter of one of the options.
    Letter(char),
    /// The names that are right for each tag, at least one.
    Names(BTreeMap<Tag, Vec<String>>),
}

/// A question of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The set's id, else its number from 1.
    pub id: String,
    /// The set's own kind of question; empty where it has none.
    pub query_type: String,
    /// Number of hops, where the set tells it.
    pub hops: Option<usize>,
    /// All of it.
    pub question: String,
    /// It without its options.
    pub stem: String,
    /// Letter and text of each option; none for a reversion.
    pub options: Vec<(char, String)>,
    /// What is right.
    pub gold: Gold,
    /// Where the corpus states it; empty where the set does not tell.
    pub places: Vec<GoldPlace>,
}

/// The questions of a set's records, in order; `names` is the key of a set of one's own. Cost O(length).
///
/// # Errors
/// [`SetError`] for the first record that cannot be used.
pub fn items(records: &[(String, Map<String, Value>)], names: Option<&Names>) -> Result<Vec<Item>, SetError> {
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for (number, (place, record)) in (1_usize..).zip(records) {
        let item = item(number, place, record, names)?;
        if !seen.insert(item.id.clone()) {
            return Err(SetError::Duplicate {
                place: place.clone(),
                id: item.id,
            });
        }
        items.push(item);
    }
    if items.is_empty() {
        Err(SetError::Empty)
    } else {
        Ok(items)
    }
}

fn item(number: usize, place: &str, record: &Map<String, Value>, names: Option<&Names>) -> Result<Item, SetError> {
    let Some(question) = text(record, "question") else {
        return Err(SetError::Columns {
            place: place.to_owned(),
            found: record.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
        });
    };
    let answer = text(record, "answer").ok_or_else(|| SetError::NoAnswer {
        place: place.to_owned(),
    })?;
    let (stem, options) = options(&question, gold_letter(&answer));
    let gold = gold(place, &answer, &options, names)?;
    let id = text(record, "id")
        .or_else(|| text(record, "idx"))
        .unwrap_or_else(|| number.to_string());
    let is_choice = matches!(gold, Gold::Letter(_));
    Ok(Item {
        id,
        query_type: text(record, "query_type").unwrap_or_default(),
        hops: hops(record),
        stem: if is_choice { stem } else { question.clone() },
        options: if is_choice { options } else { Vec::new() },
        places: places(place, record)?,
        question,
        gold,
    })
}

/// A field as text; `None` where it is missing or blank.
fn text(record: &Map<String, Value>, field: &str) -> Option<String> {
    let text = match record.get(field)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    };
    (!text.is_empty()).then_some(text)
}

/// The number of hops: as it is told, or that of the relations. A number in the kind of question counts, too.
fn hops(record: &Map<String, Value>) -> Option<usize> {
    let told = record.get("hops").and_then(Value::as_u64);
    let relations = || match record.get("relations")? {
        Value::Array(list) if !list.is_empty() => Some(list.len() as u64),
        Value::Number(number) => number.as_u64(),
        Value::String(list) => listed(list),
        _ => None,
    };
    told.or_else(relations)
        .and_then(|hops| usize::try_from(hops).ok())
        .filter(|hops| *hops > 0)
}

/// The length of a list that is written as text: a number, a JSON array, or parts between marks.
fn listed(list: &str) -> Option<u64> {
    let list = list.trim();
    if let Ok(number) = list.parse() {
        return Some(number);
    }
    if let Ok(Value::Array(parts)) = serde_json::from_str(list) {
        return Some(parts.len() as u64).filter(|n| *n > 0);
    }
    let bare = list.trim_matches(['[', ']']);
    let parts = bare
        .split([',', ';', '，', '；', '、', '\n'])
        .filter(|part| !part.trim().is_empty());
    Some(parts.count() as u64).filter(|n| *n > 0)
}

fn gold(place: &str, answer: &str, options: &[(char, String)], names: Option<&Names>) -> Result<Gold, SetError> {
    if let Some(letter) = gold_letter(answer) {
        if options.iter().any(|(option, _)| *option == letter) {
            return Ok(Gold::Letter(letter));
        }
        return Err(SetError::Option {
            place: place.to_owned(),
            letter,
        });
    }
    let mut found: BTreeMap<Tag, Vec<String>> = BTreeMap::new();
    for line in answer.lines().map(str::trim).filter(|line| !line.is_empty()) {
        for (tag, accepted) in gold_line(place, line, names)? {
            found.entry(tag).or_default().extend(accepted);
        }
    }
    Ok(Gold::Names(found))
}

/// The letter of gold such as `C` or `C. (李纨, 稻香老农)`.
fn gold_letter(answer: &str) -> Option<char> {
    let mut chars = answer.trim().chars();
    let letter = chars.next().filter(char::is_ascii_uppercase)?;
    let is_alone = chars
        .next()
        .is_none_or(|ch| !ch.is_alphanumeric() && ch != '#' && ch != '_');
    is_alone.then_some(letter)
}

fn gold_line(place: &str, line: &str, names: Option<&Names>) -> Result<Vec<(Tag, Vec<String>)>, SetError> {
    if let Some(tag) = Tag::parse(line) {
        let accepted = names.and_then(|names| names.of(&tag)).map(<[String]>::to_vec);
        return match accepted {
            Some(accepted) => Ok(vec![(tag, accepted)]),
            None => Err(SetError::NoKey {
                place: place.to_owned(),
                tag,
            }),
        };
    }
    let read = reply::pairs(line);
    if read.is_empty() {
        return Err(SetError::Gold {
            place: place.to_owned(),
            line: line.to_owned(),
        });
    }
    Ok(read.into_iter().map(|(tag, name)| (tag, vec![name])).collect())
}

fn places(place: &str, record: &Map<String, Value>) -> Result<Vec<GoldPlace>, SetError> {
    let Some(gold) = record.get("gold").filter(|gold| !gold.is_null()) else {
        return Ok(Vec::new());
    };
    serde_json::from_value(gold.clone()).map_err(|error| SetError::Place {
        place: place.to_owned(),
        reason: error.to_string(),
    })
}

impl Item {
    /// The tags that a reversion asks for: those of the gold, else those of the question.
    pub fn tags(&self) -> Vec<Tag> {
        match &self.gold {
            Gold::Names(names) => names.keys().cloned().collect(),
            Gold::Letter(_) => tag::named(&self.question),
        }
    }
}
