//! The schema's phrases as dependency trees speak them: by the stems of their words, without articles and auxiliaries.

use crate::stem::stem;
use banyan_engine::{AttributeId, RelationId, Schema};
use std::collections::HashMap;

/// Words of phrases that the tree leaves out.
const IDLE: &[&str] = &[
    "a", "an", "are", "be", "been", "being", "had", "has", "have", "her", "his", "is", "its", "the", "their", "was",
    "were",
];

/// The schema's phrases by the stems of their words.
pub(crate) struct Patterns {
    pub(crate) relations: HashMap<String, Vec<RelationId>>,
    pub(crate) attributes: HashMap<String, Vec<AttributeId>>,
}

impl Patterns {
    /// Compiles names and aliases. Cost O(size of the schema).
    pub(crate) fn new(schema: &Schema) -> Self {
        let relations = schema.relation_ids().map(|(id, kind)| (id, &kind.name, &kind.aliases));
        let attributes = schema.attribute_ids().map(|(id, kind)| (id, &kind.name, &kind.aliases));
        let spell = |phrase: &str| stems(phrase.split(' '));
        Self {
            relations: compile(relations, spell),
            attributes: compile(attributes, spell),
        }
    }
}

/// Each phrase of the schema's elements, their names included, as `spell` writes it, with the elements that it stands
/// for.
pub(crate) fn compile<'a, Id: Copy + Eq + 'a>(
    kinds: impl Iterator<Item = (Id, &'a String, &'a Vec<String>)>,
    spell: impl Fn(&str) -> String,
) -> HashMap<String, Vec<Id>> {
    let mut phrases: HashMap<String, Vec<Id>> = HashMap::new();
    for (id, name, aliases) in kinds {
        let spoken = name.replace('_', " ");
        for phrase in aliases.iter().chain(std::iter::once(&spoken)) {
            let ids = phrases.entry(spell(phrase)).or_default();
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    phrases.remove("");
    phrases
}

/// The stems of the telling words of a phrase.
pub(crate) fn stems<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let lower = words.map(str::to_lowercase);
    let telling = lower.filter(|word| !is_idle(word));
    telling.map(|word| stem(&word)).collect::<Vec<_>>().join(" ")
}

/// Whether a word, in lower case, is an article, an auxiliary or a possessive pronoun.
pub(crate) fn is_idle(word: &str) -> bool {
    IDLE.binary_search(&word).is_ok()
}
