//! Questions of an anonymised set, checked before anything is asked.

use super::N_OPTIONS;
use crate::eval::records::Texts;
use anyhow::{Context, Result, bail, ensure};
use banyan_extract::tag::Tag;
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a record of a set is; other columns are passed over.
pub(super) const EXPECTED: &str = "an object with `question` and `answer`, a letter or lines such as PERSON#3——Ann; also id, relations, query_type, gold";

/// A question as a record of a set.
#[derive(Deserialize)]
pub(super) struct Row {
    #[serde(alias = "idx")]
    id: Option<Texts>,
    question: Texts,
    answer: Texts,
    relations: Option<Texts>,
    hops: Option<usize>,
    query_type: Option<Texts>,
    gold: Option<Vec<GoldPlace>>,
}

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

/// The names behind the tags of a set of one's own, that used most first: its `key.json`.
pub(super) type Key = BTreeMap<Tag, Vec<String>>;

pub(super) fn parse_key(json: &str) -> Result<Key> {
    #[derive(Deserialize)]
    struct File {
        entities: Vec<Entity>,
    }
    #[derive(Deserialize)]
    struct Entity {
        tag: Tag,
        name: String,
        aliases: Vec<String>,
    }
    let file: File =
        serde_json::from_str(json).context("not a key; expected key.json as `banyan-eval anonymize` wrote it")?;
    let names = |entity: Entity| (entity.tag, [vec![entity.name], entity.aliases].concat());
    Ok(file.entities.into_iter().map(names).collect())
}

/// The questions of a set's records, in order; `key` is that of a set of one's own. Cost O(length).
///
/// # Errors
/// For the first record that cannot be used, with its place.
pub(super) fn items(records: Vec<(String, Row)>, key: Option<&Key>) -> Result<Vec<Item>> {
    let reader = Reader {
        ways: ways()?,
        named: named()?,
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
    ways: Vec<Regex>,
    named: Regex,
    key: Option<&'a Key>,
}

impl Reader<'_> {
    fn item(&self, number: usize, record: Row) -> Result<Item> {
        let question = record.question.lines().context("a `question` that says nothing")?;
        let answer = record.answer.lines().context("a question without answer")?;
        let (letter, hops) = (
            letter(&answer),
            record.hops.or(record.relations.as_ref().and_then(hops)),
        );
        let (stem, options) = match letter {
            Some(right) => self.options(&question, right),
            None => (question.clone(), Vec::new()),
        };
        let gold = match letter {
            Some(letter) if options.iter().any(|(option, _)| *option == letter) => Gold::Letter(letter),
            Some(letter) => bail!(
                "the answer is {letter}, and the question has no option {letter}; expected lines such as `{letter}. …`"
            ),
            None => Gold::Names(self.names(&answer)?),
        };
        Ok(Item {
            id: record.id.and_then(Texts::lines).unwrap_or_else(|| number.to_string()),
            query_type: record.query_type.and_then(Texts::lines).unwrap_or_default(),
            hops,
            stem,
            options,
            places: record.gold.unwrap_or_default(),
            question,
            gold,
        })
    }

    /// The names in gold lines: those that stand there, or for a tag alone those of the key.
    fn names(&self, answer: &str) -> Result<BTreeMap<Tag, Vec<String>>> {
        let mut found: BTreeMap<Tag, Vec<String>> = BTreeMap::new();
        for line in answer.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(tag) = Tag::parse(line) {
                let names = self.key.and_then(|key| key.get(&tag).cloned());
                let names = names.with_context(|| {
                    format!("the names behind {tag} are not known; expected key.json beside the questions, or --key")
                })?;
                found.entry(tag).or_default().extend(names);
                continue;
            }
            ensure!(
                self.named.is_match(line),
                "gold line {line:?} does not parse; expected a letter A to D, or PERSON#3——Ann"
            );
            for pair in self.named.captures_iter(line) {
                let name = pair[2].trim().trim_end_matches(['.', '。']);
                let tag = Tag::parse(&pair[1]).with_context(|| format!("{} is no tag", &pair[1]))?;
                found.entry(tag).or_default().push(name.to_owned());
            }
        }
        Ok(found)
    }

    /// A question without its options, and letter and text of each: parts that begin with A, B, C, D in that order and
    /// hold the letter `right`. Without such parts the question stays whole. Cost O(length).
    fn options(&self, question: &str, right: char) -> (String, Vec<(char, String)>) {
        let starts = |way: &Regex| -> Vec<(usize, usize)> {
            let mut letters = ('A'..).take(N_OPTIONS).peekable();
            let found = way.captures_iter(question).filter_map(|found| {
                let letter = found.get(1)?;
                letters.next_if(|next| letter.as_str().starts_with(*next))?;
                Some((letter.start(), found.get(0)?.end()))
            });
            found.collect()
        };
        let is_whole =
            |starts: &Vec<(usize, usize)>| starts.len() > 1 && ('A'..).take(starts.len()).any(|letter| letter == right);
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

/// How options may begin, the surest way first: on a line of its own; after a space, a bracket or the question's end;
/// after anything but a Latin letter or a digit, since in Chinese all may be written without spaces.
fn ways() -> Result<Vec<Regex>> {
    let mark = "[.)、:：．），,]";
    let ways = [
        format!(r"(?m)^[\s(（*]*([A-D])(?:{mark}|\s)"),
        format!(r"(?:^|[\s(（？?。])([A-D]){mark}"),
        format!(r"(?:^|[^A-Za-z0-9])([A-D]){mark}"),
    ];
    ways.iter().map(|way| Ok(Regex::new(way)?)).collect()
}

/// How gold names what is behind a tag: `PERSON#3——Ann`, `[PERSON#3]: Ann`.
fn named() -> Result<Regex> {
    Ok(Regex::new(r"\[?([A-Z_]+#[0-9]+)\]?(?:\s*[—–:：=-]+\s*|\s+)([^;；]+)")?)
}

/// The number of relations: as it is told, or how many are listed, which may be a list that is written as text.
fn hops(relations: &Texts) -> Option<usize> {
    let n = match &relations.0[..] {
        [one] => one.parse().unwrap_or_else(|_| {
            let parts = one.trim_matches(['[', ']']).split([',', ';', '，', '；', '、', '\n']);
            parts.filter(|part| !part.trim().is_empty()).count()
        }),
        several => several.len(),
    };
    (n > 0).then_some(n)
}

/// The letter of gold such as `C` or `C. (李纨, 稻香老农)`.
pub(super) fn letter(answer: &str) -> Option<char> {
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
            ways: ways().unwrap(),
            named: named().unwrap(),
            key: None,
        };
        let check = |question: &str, right: char, stem: &str, expected: [&str; 4]| {
            let (found, parts) = reader.options(question, right);
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
            assert_eq!(reader.options(question, 'A'), (question.to_owned(), Vec::new()));
        }
    }
}
