//! Questions of an anonymised set, checked before anything is asked.

use super::N_OPTIONS;
use super::reply::Reading;
use crate::eval::records::{Record, id, keys};
use anyhow::{Context, Result, bail, ensure};
use banyan_extract::tag::Tag;
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Columns that are read where a question has them; others are passed over.
const COLUMNS: [&str; 7] = ["id", "idx", "question", "answer", "relations", "query_type", "gold"];

/// What is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gold {
    /// The letter of one of the options.
    Letter(char),
    /// The names that are right for each tag, at least one.
    Names(BTreeMap<Tag, Vec<String>>),
}

/// A place of an anonymised corpus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GoldPlace {
    /// File, relative to the set's directory.
    pub file: String,
    /// Record, in files with several documents that have ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// First byte in the document's text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What stands there.
    pub quote: String,
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

/// The names behind the tags of a set of one's own: its `key.json`.
#[derive(Deserialize)]
pub(super) struct Key {
    entities: Vec<Entity>,
}

#[derive(Deserialize)]
struct Entity {
    tag: Tag,
    name: String,
    aliases: Vec<String>,
}

impl Key {
    pub(super) fn parse(json: &str) -> Result<Self> {
        serde_json::from_str(json).context("not a key; expected key.json as `banyan-eval anonymize` wrote it")
    }

    /// What is right for a tag, the name used most first.
    fn names(&self, tag: &Tag) -> Option<Vec<String>> {
        let entity = self.entities.iter().find(|entity| entity.tag == *tag)?;
        Some([&entity.name].into_iter().chain(&entity.aliases).cloned().collect())
    }
}

/// The questions of a set's records, in order; `key` is that of a set of one's own. Cost O(length).
///
/// # Errors
/// For the first record that cannot be used, with its place.
pub(super) fn items(records: &[Record], key: Option<&Key>) -> Result<Vec<Item>> {
    let reader = Reader {
        reading: Reading::new()?,
        ways: ways()?,
        key,
    };
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for (number, (place, record)) in (1_usize..).zip(records) {
        let item = reader.item(number, record).with_context(|| place.clone())?;
        ensure!(seen.insert(item.id.clone()), "{place}: id {:?} is there twice", item.id);
        items.push(item);
    }
    ensure!(!items.is_empty(), "no questions");
    Ok(items)
}

struct Reader<'a> {
    reading: Reading,
    ways: Vec<Vec<Regex>>,
    key: Option<&'a Key>,
}

impl Reader<'_> {
    fn item(&self, number: usize, record: &Map<String, Value>) -> Result<Item> {
        let question = text(record, "question").with_context(|| {
            let (expected, found) = (COLUMNS.join(", "), keys(record));
            format!("no `question`; expected one of {expected}, found {found}")
        })?;
        let answer = text(record, "answer").context(
            "a question without answer; expected `answer` with a letter, or with lines such as PERSON#3——Ann",
        )?;
        let letter = gold_letter(&answer);
        let (stem, options) = self.options(&question, letter);
        let gold = match letter {
            Some(letter) if options.iter().any(|(option, _)| *option == letter) => Gold::Letter(letter),
            Some(letter) => bail!(
                "the answer is {letter}, and the question has no option {letter}; expected lines such as `{letter}. …`"
            ),
            None => Gold::Names(self.names(&answer)?),
        };
        let is_choice = letter.is_some();
        let places = record.get("gold").filter(|gold| !gold.is_null()).cloned();
        Ok(Item {
            id: id(record, &["id", "idx"]).unwrap_or_else(|| number.to_string()),
            query_type: text(record, "query_type").unwrap_or_default(),
            hops: hops(record),
            stem: if is_choice { stem } else { question.clone() },
            options: if is_choice { options } else { Vec::new() },
            places: serde_json::from_value(places.unwrap_or_else(|| Value::Array(Vec::new())))
                .context("`gold` is not a list of places")?,
            question,
            gold,
        })
    }

    /// The names in gold lines: those that stand there, or for a tag alone those of the key.
    fn names(&self, answer: &str) -> Result<BTreeMap<Tag, Vec<String>>> {
        let mut found: BTreeMap<Tag, Vec<String>> = BTreeMap::new();
        for line in answer.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(tag) = Tag::parse(line) {
                let names = self.key.and_then(|key| key.names(&tag));
                let names = names.with_context(|| {
                    format!("the names behind {tag} are not known; expected key.json beside the questions, or --key")
                })?;
                found.entry(tag).or_default().extend(names);
                continue;
            }
            let pairs = self.reading.pairs(line);
            ensure!(
                !pairs.is_empty(),
                "gold line {line:?} does not parse; expected a letter A to D, or PERSON#3——Ann"
            );
            for (tag, name) in pairs {
                found.entry(tag).or_default().push(name);
            }
        }
        Ok(found)
    }

    /// A question without its options, and letter and text of each: parts that begin with A, B, C, D in that order and hold
    /// the letter `right`, if one is known. Without such parts the question stays whole. Cost O(length).
    fn options(&self, question: &str, right: Option<char>) -> (String, Vec<(char, String)>) {
        let starts = |letters: &Vec<Regex>| -> Vec<(usize, usize)> {
            let mut starts: Vec<(usize, usize)> = Vec::new();
            for (option, letter) in letters.iter().zip('A'..) {
                let from = starts.last().map_or(0, |(_, end)| *end);
                let Some(found) = option.find_at(question, from) else {
                    break;
                };
                let at = found.as_str().rfind(letter).unwrap_or(0);
                starts.push((found.start() + at, found.end()));
            }
            starts
        };
        let is_whole = |starts: &Vec<(usize, usize)>| {
            let has = |right| ('A'..).take(starts.len()).any(|letter| letter == right);
            starts.len() > 1 && right.is_none_or(has)
        };
        let Some(starts) = self.ways.iter().map(starts).find(is_whole) else {
            return (question.to_owned(), Vec::new());
        };
        let bare = |text: &str| {
            text.trim()
                .trim_end_matches(['(', '（', ';', '；', ','])
                .trim()
                .to_owned()
        };
        let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([question.len()]);
        let parts = ('A'..).zip(starts.iter().zip(ends));
        let options = parts.map(|(letter, ((_, start), end))| (letter, bare(&question[*start..end])));
        (bare(&question[..starts[0].0]), options.collect())
    }
}

/// How each option may begin, the surest way first: on a line of its own; after a space, a bracket or the question's end;
/// after anything but a Latin letter or a digit, since in Chinese all may be written without spaces.
fn ways() -> Result<Vec<Vec<Regex>>> {
    let mark = "[.)、:：．），,]";
    let ways = [
        format!(r"(?m)^[\s(（*]*@(?:{mark}|\s)"),
        format!(r"(?:^|[\s(（？?。])@{mark}"),
        format!(r"(?:^|[^A-Za-z0-9])@{mark}"),
    ];
    let letters = |way: &String| {
        let letters = ('A'..).take(N_OPTIONS);
        letters
            .map(|letter| Ok(Regex::new(&way.replace('@', &letter.to_string()))?))
            .collect()
    };
    ways.iter().map(letters).collect()
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

/// The number of hops: as it is told, or that of the relations, which may be a list that is written as text.
fn hops(record: &Map<String, Value>) -> Option<usize> {
    let relations = record.get("relations");
    let told = record.get("hops").or(relations.filter(|relations| relations.is_u64()));
    let n = match (told.and_then(Value::as_u64), relations) {
        (Some(hops), _) => usize::try_from(hops).ok()?,
        (None, Some(Value::Array(list))) => list.len(),
        (None, Some(Value::String(list))) => list.trim().parse().unwrap_or_else(|_| {
            let parts = list.trim().trim_matches(['[', ']']);
            let parts = parts.split([',', ';', '，', '；', '、', '\n']);
            parts.filter(|part| !part.trim().is_empty()).count()
        }),
        _ => 0,
    };
    (n > 0).then_some(n)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_in_the_ways_in_which_they_are_written() {
        let reader = Reader {
            reading: Reading::new().unwrap(),
            ways: ways().unwrap(),
            key: None,
        };
        let check = |question: &str, right: char, stem: &str, expected: [&str; 4]| {
            let (found, parts) = reader.options(question, Some(right));
            assert_eq!(found, stem, "{question}");
            let texts: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
            assert_eq!(texts, expected, "{question}");
        };
        let four = ["red", "blue", "green", "white"];
        check("Which? A. red B. blue C. green D. white", 'D', "Which?", four);
        check("Which?\nA) red\nB) blue\nC) green\nD) white", 'B', "Which?", four);
        check("Which?\n(A) red\n(B) blue\n(C) green\n(D) white", 'A', "Which?", four);
        check("Which?\nA red\nB blue\nC green\nD white", 'C', "Which?", four);
        check("谁？A.甲B.乙C.丙D.丁", 'C', "谁？", ["甲", "乙", "丙", "丁"]);
        check("谁？A、甲；B、乙；C、丙；D、丁", 'D', "谁？", ["甲", "乙", "丙", "丁"]);
        let named = "Who met A. Venn and B. Reed?";
        check(
            &format!("{named}\nA. red\nB. blue\nC. green\nD. white"),
            'B',
            named,
            four,
        );
        for question in ["Q: Who?\nA: [PERSON#3].", "", "Which A of B?"] {
            assert_eq!(reader.options(question, None), (question.to_owned(), Vec::new()));
        }
    }
}
