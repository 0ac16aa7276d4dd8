//! The schema's phrases as dependency trees speak them: by the stems of their words, without articles and auxiliaries.

use crate::kin::KIN;
use crate::label::{spelling, stems};
use crate::stem::stem;
use banyan_engine::schema::ValueKind;
use banyan_engine::{AttributeId, RelationId, Schema};
use std::borrow::Cow;
use std::collections::HashMap;

/// Last words of phrases that labels leave out: "founded" for "founded in".
const LEFT_OUT: [&str; 5] = [" in", " at", " by", " on", " from"];

/// The schema's phrases by the stems of their words.
pub(crate) struct Patterns {
    pub(crate) relations: HashMap<String, Vec<RelationId>>,
    pub(crate) attributes: HashMap<String, Vec<AttributeId>>,
    pub(crate) labels: Labels,
}

impl Patterns {
    /// Compiles names and aliases. Cost O(size of the schema).
    pub(crate) fn new(schema: &Schema) -> Self {
        let spell = |phrase: &str| stems(phrase.split(' '));
        let mut patterns = Self {
            relations: compile(relations(schema), spell),
            attributes: compile(attributes(schema), spell),
            labels: Labels::new(schema),
        };
        for (id, kind) in schema.relation_ids() {
            if let Some(phrase) = by_whom(&kind.name) {
                add(&mut patterns.relations, phrase, id);
            }
        }
        for (id, name, phrases) in attributes(schema) {
            let is_date = schema.attributes()[id.index()].kind == ValueKind::Date;
            let spoken = phrases.iter().map(String::as_str).chain([name]).filter(|_| is_date);
            for phrase in spoken.flat_map(when) {
                add(&mut patterns.attributes, spell(&phrase), id);
            }
        }
        patterns
    }
}

/// What a label says of the thing and the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    Attribute(AttributeId),
    Relation(RelationId),
    /// The relation is the value's: "Founder: Mara Voss" makes her the founder of the thing.
    Reversed(RelationId),
}

/// The labels of a schema, by their spelling; attributes before relations.
#[derive(Debug, Default)]
pub(crate) struct Labels(HashMap<String, Vec<Sense>>);

impl Labels {
    /// Compiles names and aliases. Cost O(size of the schema).
    fn new(schema: &Schema) -> Self {
        let mut labels = Self::default();
        for (id, name, aliases) in attributes(schema) {
            let is_date = schema.attributes()[id.index()].kind == ValueKind::Date;
            for phrase in aliases.iter().map(String::as_str).chain([name]) {
                labels.add(phrase.strip_suffix(" of").unwrap_or(phrase), Sense::Attribute(id));
                if is_date && phrase.contains("date") {
                    labels.add(&phrase.replace("date", "year"), Sense::Attribute(id));
                }
            }
        }
        for (id, name, aliases) in relations(schema) {
            let name = name.replace('_', " ");
            for phrase in aliases.iter().map(String::as_str).chain([name.as_str()]) {
                if let Some(noun) = phrase.strip_suffix(" of") {
                    labels.add(noun, Sense::Reversed(id));
                }
                labels.add(phrase, Sense::Relation(id));
            }
        }
        labels
    }

    /// What a label says, attributes first.
    pub(crate) fn senses(&self, label: &str) -> &[Sense] {
        self.0.get(&spelling(label)).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, phrase: &str, sense: Sense) {
        let bare = LEFT_OUT.iter().find_map(|word| phrase.strip_suffix(word));
        for phrase in [Some(phrase), bare].into_iter().flatten() {
            let senses = self.0.entry(spelling(phrase)).or_default();
            if !senses.contains(&sense) {
                senses.push(sense);
            }
        }
    }
}

/// The relations of a schema with their names and phrases.
pub(crate) fn relations(schema: &Schema) -> impl Iterator<Item = (RelationId, &str, Cow<'_, [String]>)> {
    let relations = schema.relation_ids();
    relations.map(|(id, kind)| (id, kind.name.as_str(), KIN.phrases(&kind.name, &kind.aliases)))
}

/// The attributes of a schema with their names and phrases.
pub(crate) fn attributes(schema: &Schema) -> impl Iterator<Item = (AttributeId, &str, Cow<'_, [String]>)> {
    let attributes = schema.attribute_ids();
    attributes.map(|(id, kind)| (id, kind.name.as_str(), KIN.phrases(&kind.name, &kind.aliases)))
}

/// Each phrase of the schema's elements, their names included, as `spell` writes it, with the elements that it stands
/// for.
pub(crate) fn compile<'a, Id: Copy + Eq + 'a>(
    kinds: impl Iterator<Item = (Id, &'a str, Cow<'a, [String]>)>,
    spell: impl Fn(&str) -> String,
) -> HashMap<String, Vec<Id>> {
    let mut phrases: HashMap<String, Vec<Id>> = HashMap::new();
    for (id, name, aliases) in kinds {
        let spoken = name.replace('_', " ");
        for phrase in aliases.iter().chain(std::iter::once(&spoken)) {
            add(&mut phrases, spell(phrase), id);
        }
    }
    phrases.remove("");
    phrases
}

fn add<Id: Eq>(phrases: &mut HashMap<String, Vec<Id>>, phrase: String, id: Id) {
    let ids = phrases.entry(phrase).or_default();
    if !ids.contains(&id) {
        ids.push(id);
    }
}

/// A phrase before a date: what is said of a year is said of a day, too ("founded in", "founded on").
fn when(phrase: &str) -> [String; 2] {
    const BEFORE_DATES: [&str; 2] = [" in", " on"];
    let verb = BEFORE_DATES.iter().find_map(|word| phrase.strip_suffix(word));
    BEFORE_DATES.map(|word| format!("{}{word}", verb.unwrap_or(phrase)))
}

/// What states that somebody is the one whom a name of one word is for: "illustrated by" for `illustrator`.
fn by_whom(name: &str) -> Option<String> {
    let ending = ["er", "or"].into_iter().find(|ending| name.ends_with(ending))?;
    let stem = stem(name);
    let root = stem.strip_suffix(ending).unwrap_or(&stem);
    let is_word = name.bytes().all(|byte| byte.is_ascii_lowercase());
    is_word.then(|| format!("{root} by"))
}
