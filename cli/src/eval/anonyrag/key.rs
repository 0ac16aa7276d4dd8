//! The names behind the tags of a set of one's own, from its `key.json`.

use super::item::SetError;
use banyan_extract::tag::Tag;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Accepted names by tag, the one used most first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(BTreeMap<Tag, Vec<String>>);

#[derive(Deserialize)]
struct Key {
    entities: Vec<Entity>,
}

#[derive(Deserialize)]
struct Entity {
    tag: Tag,
    name: String,
    aliases: Vec<String>,
}

impl Names {
    /// The names that the key `json` tells of.
    ///
    /// # Errors
    /// [`SetError::Key`] when it is none.
    pub fn parse(json: &str) -> Result<Self, SetError> {
        let key: Key = serde_json::from_str(json).map_err(|error| SetError::Key {
            reason: error.to_string(),
        })?;
        let names = |entity: Entity| {
            let all = std::iter::once(entity.name).chain(entity.aliases);
            (entity.tag, all.collect())
        };
        Ok(Self(key.entities.into_iter().map(names).collect()))
    }

    /// What is right for a tag.
    pub fn of(&self, tag: &Tag) -> Option<&[String]> {
        self.0.get(tag).map(Vec::as_slice)
    }
}
