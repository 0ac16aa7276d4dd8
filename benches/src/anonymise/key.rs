//! The key of an anonymised corpus: which name is behind which tag, and every spelling in its place.

use super::dictionary::{Dictionary, Entry};
use super::tag::{self, Tag};
use super::text::{Anonymised, RestoreError, restore};
use super::{json, text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What every key says of itself.
const FORMAT: &str = "banyan-anonymised-1";

/// Why a key does not fit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// No key.
    #[error("not a key: {reason}; expected key.json as `anonymize` wrote it")]
    Shape {
        /// What is wrong.
        reason: String,
    },
    /// A file that is not the one that was written.
    #[error(transparent)]
    Restore(#[from] RestoreError),
}

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
    /// [`KeyError::Shape`] when it is not one, or a file in it tells of a spelling that it does not list.
    pub fn parse(json: &str) -> Result<Self, KeyError> {
        let shape = |reason: String| KeyError::Shape { reason };
        let key: Self = serde_json::from_str(json).map_err(|error| shape(error.to_string()))?;
        if key.format != FORMAT {
            return Err(shape(format!("format {:?}, expected {FORMAT:?}", key.format)));
        }
        let is_listed = |at: &u32| (*at as usize) < key.surfaces.len();
        match key.files.iter().find(|file| !file.spelled.iter().all(is_listed)) {
            Some(file) => Err(shape(format!("{} has spellings that are not listed", file.file))),
            None => Ok(key),
        }
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
        let (new, surfaces, literals) = if is_json {
            seal_json(dictionary, raw)
        } else {
            let Anonymised { text, replaced } = dictionary.anonymise(raw);
            let surfaces = replaced.into_iter().map(|replaced| replaced.surface).collect();
            (text, surfaces, BTreeMap::new())
        };
        let spelled = self.list(surfaces);
        self.files.push(KeyFile {
            file: file.into(),
            anonymised: anonymised.into(),
            spelled,
            literals,
        });
        new
    }

    /// The content that one of the key's files had, from what it has. Cost O(length).
    ///
    /// # Errors
    /// [`KeyError::Restore`] when it does not have the tags that the key tells of.
    pub fn open(&self, file: &KeyFile, anonymised: &str, is_json: bool) -> Result<String, KeyError> {
        let spelled = file.spelled.iter().filter_map(|at| self.surfaces.get(*at as usize));
        let surfaces: Vec<&str> = spelled.map(String::as_str).collect();
        if is_json {
            Ok(open_json(anonymised, &surfaces, &file.literals)?)
        } else {
            Ok(restore(anonymised, &surfaces)?)
        }
    }

    /// A text with the name used most for each tag that the key knows.
    pub fn reveal(&self, text: &str) -> String {
        let names: BTreeMap<&Tag, &str> = self.entities.iter().map(|one| (&one.tag, one.name.as_str())).collect();
        let mut revealed = String::with_capacity(text.len());
        let mut at = 0;
        for range in tag::find(text) {
            let name = Tag::parse(&text[range.clone()]).and_then(|tag| names.get(&tag).copied());
            revealed.push_str(&text[at..range.start]);
            revealed.push_str(name.unwrap_or(&text[range.clone()]));
            at = range.end;
        }
        revealed.push_str(&text[at..]);
        revealed
    }

    /// What is behind a tag.
    pub fn entity(&self, tag: &Tag) -> Option<&KeyEntity> {
        self.entities.iter().find(|entity| entity.tag == *tag)
    }

    fn list(&mut self, surfaces: Vec<String>) -> Vec<u32> {
        let listed = self.surfaces.iter().cloned().zip(0..);
        let mut numbers: BTreeMap<String, u32> = listed.collect();
        let mut spelled = Vec::with_capacity(surfaces.len());
        for surface in surfaces {
            let next = u32::try_from(self.surfaces.len()).unwrap_or(u32::MAX);
            let number = *numbers.entry(surface.clone()).or_insert(next);
            if number == next {
                self.surfaces.push(surface);
            }
            spelled.push(number);
        }
        spelled
    }
}

type Sealed = (String, Vec<String>, BTreeMap<usize, String>);

fn seal_json(dictionary: &Dictionary, raw: &str) -> Sealed {
    let mut new = String::with_capacity(raw.len());
    let (mut surfaces, mut literals) = (Vec::new(), BTreeMap::new());
    let mut at = 0;
    for (place, range) in json::values(raw).into_iter().enumerate() {
        let literal = &raw[range.clone()];
        new.push_str(&raw[at..range.start]);
        at = range.end;
        let Some((value, sealed)) = decoded(literal).map(|value| (value.clone(), dictionary.anonymise(&value))) else {
            new.push_str(literal);
            continue;
        };
        if sealed.replaced.is_empty() {
            new.push_str(literal);
            continue;
        }
        if encoded(&value) != literal {
            literals.insert(place, literal.to_owned());
        }
        new.push_str(&encoded(&sealed.text));
        surfaces.extend(sealed.replaced.into_iter().map(|replaced| replaced.surface));
    }
    new.push_str(&raw[at..]);
    (new, surfaces, literals)
}

fn open_json(raw: &str, surfaces: &[&str], literals: &BTreeMap<usize, String>) -> Result<String, RestoreError> {
    let mut old = String::with_capacity(raw.len());
    let (mut at, mut n) = (0, 0);
    for (place, range) in json::values(raw).into_iter().enumerate() {
        let literal = &raw[range.clone()];
        old.push_str(&raw[at..range.start]);
        at = range.end;
        let value = decoded(literal).filter(|value| !tag::find(value).is_empty());
        let Some(value) = value else {
            old.push_str(literal);
            continue;
        };
        let n_tags = tag::find(&value).len();
        let own = surfaces.get(n..n + n_tags).unwrap_or(&[]);
        n += n_tags;
        let value = text::restore(&value, own).map_err(|_| RestoreError {
            expected: surfaces.len(),
            found: n,
        })?;
        old.push_str(literals.get(&place).unwrap_or(&encoded(&value)));
    }
    old.push_str(&raw[at..]);
    if n == surfaces.len() {
        Ok(old)
    } else {
        Err(RestoreError {
            expected: surfaces.len(),
            found: n,
        })
    }
}

fn decoded(literal: &str) -> Option<String> {
    serde_json::from_str(literal).ok()
}

/// A string as this program writes it in JSON.
fn encoded(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}
