//! Tags such as `[PERSON#3]` that stand for names in anonymised texts: written, found, parsed.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

/// Longest label or number that is taken for part of a tag. Arbitrary: real ones have less than 15.
const MAX_PART: usize = 40;

/// What stands for an entity: a kind and a number. Written `[PERSON#3]`, in gold lines `PERSON#3`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Tag {
    /// Kind, in capitals.
    pub label: String,
    /// Number among the tags of this kind.
    pub number: u64,
}

impl Tag {
    /// The tag that `text` is, with or without brackets.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let bare = text
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .unwrap_or(text);
        let (label, number) = bare.split_once('#')?;
        let is_label = !label.is_empty() && label.len() <= MAX_PART && label.bytes().all(is_label_byte);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        Some(Self {
            number: number.parse().ok().filter(|_| is_label && is_number)?,
            label: label.to_owned(),
        })
    }

    /// The form of gold lines: `PERSON#3`.
    pub fn bare(&self) -> String {
        format!("{}#{}", self.label, self.number)
    }
}

impl Display for Tag {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "[{}#{}]", self.label, self.number)
    }
}

impl From<Tag> for String {
    fn from(tag: Tag) -> Self {
        tag.to_string()
    }
}

impl TryFrom<String> for Tag {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("expected a tag like [PERSON#3], found {text:?}"))
    }
}

fn is_label_byte(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte == b'_'
}

/// Where `text` has tags in brackets, in order. They do not overlap. Cost O(length).
pub fn find(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let starts = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'[');
    starts.filter_map(|(at, _)| Some(at..tag_end(bytes, at)?)).collect()
}

/// One past the closing bracket of the tag that begins at `start`.
fn tag_end(bytes: &[u8], start: usize) -> Option<usize> {
    let run = |from: usize, is_part: fn(u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or(&[]);
        rest.iter()
            .take(MAX_PART + 1)
            .take_while(|byte| is_part(**byte))
            .count()
    };
    let label = run(start + 1, is_label_byte);
    let mark = start + 1 + label;
    let digits = run(mark + 1, |byte| byte.is_ascii_digit());
    let close = mark + 1 + digits;
    let is_tag = (1..=MAX_PART).contains(&label)
        && (1..=MAX_PART).contains(&digits)
        && bytes.get(mark) == Some(&b'#')
        && bytes.get(close) == Some(&b']');
    is_tag.then_some(close + 1)
}

/// The tags that `text` names in brackets, each once, in the order of first appearance. Numbers beyond 64 bits are left
/// out.
pub fn named(text: &str) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    for tag in find(text).into_iter().filter_map(|range| Tag::parse(&text[range])) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}
