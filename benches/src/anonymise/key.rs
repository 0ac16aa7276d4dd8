//! The key of an anonymised corpus: which name is behind which tag, and every spelling in its place.

use super::dictionary::{Dictionary, Entry};
use super::json;
use super::tag::Tag;
use super::text::replaced;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What every key says of itself.
const FORMAT: &str = "banyan-anonymised-1";

/// Everything that is needed to undo an anonymisation. As JSON it is `key.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    format: String,
    /// What is behind each tag, in the order of first appearance.
    pub entities: Vec<KeyEntity>,
    /// Every spelling that was replaced, once.
    pub surfaces: Vec<String>,
    /// Each file.
    pub files: Vec<KeyFile>,
}

/// What is behind a tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyEntity {
    /// The tag.
    pub tag: Tag,
    /// The name used most.
    pub name: String,
    /// Its other spellings.
    pub aliases: Vec<String>,
}

/// The tags of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyFile {
    /// The file as it was named when it was read.
    pub file: String,
    /// The file that was written.
    pub anonymised: String,
    /// For each of its tags in order, which of [`Key::surfaces`] stood there.
    pub spelled: Vec<u32>,
    /// Strings of a JSON file that are not written as this program writes them: place among the values → as it was.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub literals: BTreeMap<usize, String>,
}

impl Key {
    /// The key of a dictionary, without files.
    pub fn new(dictionary: &Dictionary) -> Self {
        let entity = |entry: &Entry| KeyEntity {
            tag: entry.tag.clone(),
            name: entry.name.clone(),
            aliases: entry.aliases.clone(),
        };
        Self {
            format: FORMAT.to_owned(),
            entities: dictionary.entries().iter().map(entity).collect(),
            surfaces: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The key that `json` is.
    ///
    /// # Errors
    /// When it is not one, or a file in it tells of a spelling that it does not list.
    pub fn parse(json: &str) -> Result<Self> {
        let key: Self = serde_json::from_str(json).context("not a key; expected key.json as `anonymize` wrote it")?;
        ensure!(
            key.format == FORMAT,
            "not a key: format {:?}; expected {FORMAT:?}",
            key.format
        );
        let is_listed = |at: &u32| (*at as usize) < key.surfaces.len();
        if let Some(file) = key.files.iter().find(|file| !file.spelled.iter().all(is_listed)) {
            bail!("not a key: {} has spellings that are not listed", file.file);
        }
        Ok(key)
    }

    /// Anonymises the content of a file, and adds to the key what undoes it. In a JSON file (`is_json`) only values are
    /// replaced, so that it stays JSON. Cost O(length).
    pub fn seal(
        &mut self,
        dictionary: &Dictionary,
        file: impl Into<String>,
        anonymised: impl Into<String>,
        raw: &str,
        is_json: bool,
    ) -> String {
        let mut own = KeyFile {
            file: file.into(),
            anonymised: anonymised.into(),
            spelled: Vec::new(),
            literals: BTreeMap::new(),
        };
        let mut numbers: BTreeMap<String, u32> = self.surfaces.iter().cloned().zip(0..).collect();
        let mut seal = |text: &str| {
            let sealed = dictionary.anonymise(text);
            for replaced in &sealed.replaced {
                let next = u32::try_from(self.surfaces.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(replaced.surface.clone()).or_insert(next);
                if number == next {
                    self.surfaces.push(replaced.surface.clone());
                }
                own.spelled.push(number);
            }
            (!sealed.replaced.is_empty()).then_some(sealed.text)
        };
        let new = if is_json {
            json::replaced(raw, |place, literal| {
                let value = decoded(literal)?;
                let sealed = seal(&value)?;
                if encoded(&value) != literal {
                    own.literals.insert(place, literal.to_owned());
                }
                Some(encoded(&sealed))
            })
        } else {
            seal(raw).unwrap_or_else(|| raw.to_owned())
        };
        self.files.push(own);
        new
    }

    /// The content that one of the key's files had, from what it has. Cost O(length).
    ///
    /// # Errors
    /// When it does not have the tags that the key tells of.
    pub fn open(&self, file: &KeyFile, anonymised: &str, is_json: bool) -> Result<String> {
        let mut surfaces = file.spelled.iter().filter_map(|at| self.surfaces.get(*at as usize));
        let mut n_tags = 0;
        let mut open = |text: &str| {
            let before = n_tags;
            let old = replaced(text, |_| {
                n_tags += 1;
                surfaces.next().map(String::as_str)
            });
            (n_tags > before).then_some(old)
        };
        let old = if is_json {
            json::replaced(anonymised, |place, literal| {
                let value = open(&decoded(literal)?)?;
                Some(file.literals.get(&place).cloned().unwrap_or_else(|| encoded(&value)))
            })
        } else {
            open(anonymised).unwrap_or_else(|| anonymised.to_owned())
        };
        ensure!(
            n_tags == file.spelled.len(),
            "the text has {n_tags} tags, its key tells of {}: restore the very file that was written, with its own key",
            file.spelled.len()
        );
        Ok(old)
    }

    /// A text with the name used most for each tag that the key knows.
    pub fn reveal(&self, text: &str) -> String {
        let names: BTreeMap<&Tag, &str> = self.entities.iter().map(|one| (&one.tag, one.name.as_str())).collect();
        replaced(text, |tag| names.get(&Tag::parse(tag)?).copied())
    }
}

fn decoded(literal: &str) -> Option<String> {
    serde_json::from_str(literal).ok()
}

/// A string as this program writes it in JSON.
fn encoded(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}
