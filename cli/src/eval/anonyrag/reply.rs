//! What a reply says: a letter, or which name is behind which tag. Tolerant: whatever a model writes is read as far as it
//! says something.

use anyhow::Result;
use banyan_extract::tag::Tag;
use regex::Regex;
use std::collections::BTreeMap;

/// Longest name that is read from a reply, in bytes. Arbitrary: longer ones are explanations.
const MAX_NAME: usize = 120;
/// Marks around a name that are no part of it.
const MARKS: &str = "\"'“”‘’`*[]{}(（)）,，、。.;；:：—–-";

/// The patterns by which replies, and the gold of published sets, are read.
pub(super) struct Reading {
    tag: Regex,
    joint: Regex,
    unknown: Regex,
    spoken: Regex,
    letter: Regex,
    line: Regex,
    confidence: Regex,
}

impl Reading {
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            tag: Regex::new(r"(?i-u:[A-Z_]+#[0-9]+)")?,
            joint: Regex::new(r#"^[\]"'*`)】」]*\s*(?:——|—|–|=>|->|→|--|：|:|=|- |is\s|是|为|\s)"#)?,
            unknown: Regex::new(
                r"^\W*(?:(?i-u:n/?a|none|null|unknown|unclear|not [a-z ]+|cannot [a-z ]+|reject(?:ed)?|i do(?: not|n't) know|insufficient evidence)|未知|不知道?|无|无法.*|拒绝回答)?\W*$",
            )?,
            spoken: Regex::new(r"(?:(?i-u:answer|option|choice)|答案|选项|选择|选)")?,
            letter: Regex::new(r"(?-u:\b)([A-D])(?-u:\b)|^\W*([a-d])\W*$")?,
            line: Regex::new(r"(?m)^\W*([A-D])(?:\W|$)|\A\W*([a-d])\W*\z")?,
            confidence: Regex::new(r"(?:(?i-u:confidence)|置信度|把握)[^0-9]*([0-9]+(?:\.[0-9]+)?)\s*(%?)")?,
        })
    }

    /// Every tag with the name after it, in order, whatever the name says: gold may well say "none". `PERSON#200——Queequeg`,
    /// `[PERSON#200]: Queequeg`, `- PERSON#200 is Queequeg`, or an object of JSON. Cost O(length).
    pub(super) fn pairs(&self, text: &str) -> Vec<(Tag, String)> {
        let mut pairs = Vec::new();
        for part in text.split(['\n', ';', '；', '\r']) {
            let tags: Vec<_> = self.tag.find_iter(part).collect();
            for (at, tag) in tags.iter().enumerate() {
                let end = tags.get(at + 1).map_or(part.len(), regex::Match::start);
                let rest = &part[tag.end()..end];
                let Some(joint) = self.joint.find(rest) else { continue };
                let name = bare(&rest[joint.end()..]);
                let tag = Tag::parse(&tag.as_str().to_ascii_uppercase());
                let is_name = !name.is_empty() && name.len() <= MAX_NAME;
                pairs.extend(tag.filter(|_| is_name).map(|tag| (tag, name.to_owned())));
            }
        }
        pairs
    }

    /// Tag → name. Of a tag that is named twice the first counts; "unknown" and the like count as nothing. Cost O(length).
    pub(super) fn mapping(&self, reply: &str) -> BTreeMap<Tag, String> {
        let mut found = BTreeMap::new();
        for (tag, name) in self.pairs(reply) {
            if !self.unknown.is_match(&name) {
                found.entry(tag).or_insert(name);
            }
        }
        found
    }

    /// Whether a line says, of itself or after a colon, that the answer is not known.
    pub(super) fn is_unknown(&self, reply: &str) -> bool {
        reply.lines().any(|line| {
            let said = line.split_once([':', '：']).map_or(line, |(_, said)| said).trim();
            !said.is_empty() && self.unknown.is_match(said)
        })
    }

    /// The letter that a reply chooses: what stands after the last "answer" (答案, 选), else a line that begins with one.
    pub(super) fn letter(&self, reply: &str) -> Option<char> {
        let said = self.spoken.find_iter(reply).last().map(|spoken| spoken.end());
        let said = said.and_then(|at| reply[at..].lines().next());
        let found = said.and_then(|said| self.letter.captures(said));
        let found = found.or_else(|| self.line.captures(reply))?;
        let letter = found.get(1).or(found.get(2))?;
        letter.as_str().to_ascii_uppercase().chars().next()
    }

    /// The number from 0 to 1 that a reply gives last as its confidence; a percentage counts as its share.
    pub(super) fn confidence(&self, reply: &str) -> Option<f64> {
        let found = self.confidence.captures_iter(reply).last()?;
        let number: f64 = found[1].parse().ok()?;
        let share = if number > 1.0 || !found[2].is_empty() {
            number / 100.0
        } else {
            number
        };
        (0.0..=1.0).contains(&share).then_some(share)
    }
}

/// A name without marks around it and without an explanation in brackets.
fn bare(name: &str) -> &str {
    let is_mark = |ch: char| ch.is_whitespace() || MARKS.contains(ch);
    let bare = name.trim_matches(is_mark);
    let before = bare.split(['(', '（']).next().unwrap_or(bare).trim_end();
    if before.is_empty() { bare } else { before }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_read_in_the_forms_that_are_written() {
        let reading = Reading::new().unwrap();
        for (reply, expected) in [
            (
                "PERSON#200——Queequeg\nPERSON#588——captain",
                "PERSON#200 Queequeg, PERSON#588 captain",
            ),
            (
                "[PERSON#2]: Ann Hall\r\n- **LOCATION#3** - Skelva",
                "LOCATION#3 Skelva, PERSON#2 Ann Hall",
            ),
            ("{\"PERSON#1\": \"Ann\", \"PERSON#2\": null}", "PERSON#1 Ann"),
            (
                "[PERSON#1] is Ann (the captain), person#2 = Bob.",
                "PERSON#1 Ann, PERSON#2 Bob",
            ),
            (
                "PERSON#532——鲁智深；[LOCATION#526]：五台山",
                "LOCATION#526 五台山, PERSON#532 鲁智深",
            ),
            ("1. PERSON#4是周通", "PERSON#4 周通"),
            ("PERSON#1——Ann\nPERSON#1——Bob", "PERSON#1 Ann"),
            ("PERSON#1——unknown\n# heading\nPERSON#——x\nno tag", ""),
        ] {
            let found = reading.mapping(reply);
            let found: Vec<String> = found
                .iter()
                .map(|(tag, name)| format!("{} {name}", tag.bare()))
                .collect();
            assert_eq!(found.join(", "), expected, "{reply}");
        }
    }

    #[test]
    fn letters_and_confidence_are_read_in_the_forms_that_are_written() {
        let reading = Reading::new().unwrap();
        for (reply, letter, confidence) in [
            ("C", Some('C'), None),
            ("c.", Some('C'), None),
            ("(B)", Some('B'), None),
            ("C. (Ann, Skelva)", Some('C'), None),
            ("The answer is D.", Some('D'), None),
            ("A person said it.\nAnswer: B", Some('B'), None),
            ("Answer: B\nConfidence: 0.8.", Some('B'), Some(0.8)),
            ("答案：A 置信度：85 %", Some('A'), Some(0.85)),
            ("应选B。", Some('B'), None),
            ("**D**", Some('D'), None),
            ("Answer: unknown\nConfidence: high", None, None),
            ("E", None, None),
            ("I do not know", None, None),
            ("Because of it", None, None),
            ("", None, None),
        ] {
            assert_eq!(
                (reading.letter(reply), reading.confidence(reply)),
                (letter, confidence),
                "{reply}"
            );
        }
        assert!(reading.is_unknown("Answer: Unknown.") && reading.is_unknown("未知") && !reading.is_unknown("Ann"));
    }
}
