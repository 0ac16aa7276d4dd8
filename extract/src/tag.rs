//! Tags such as `[PERSON#3]` that stand for names in anonymised texts: written, found, parsed.

use regex::Regex;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::sync::LazyLock;

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
        let is_label_byte = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
        let is_label = (1..=MAX_PART).contains(&label.len()) && label.bytes().all(is_label_byte);
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

/// Where `text` has tags in brackets, in order. They do not overlap. Cost O(length).
pub fn find(text: &str) -> Vec<Range<usize>> {
    let found = PATTERN.iter().flat_map(|pattern| pattern.find_iter(text));
    found.map(|tag| tag.range()).collect()
}

/// `None` is impossible for a pattern that compiles once, which a test of words holds.
static PATTERN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"\[[A-Z_]{{1,{MAX_PART}}}#[0-9]{{1,{MAX_PART}}}\]")).ok());

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
