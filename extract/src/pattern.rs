//! The schema's phrases as dependency trees speak them: by the stems of their words, without articles and auxiliaries.

use crate::kin::KIN;
use crate::label::{is_idle, stems};
use crate::stem::stem;
use banyan_engine::index::term;
use banyan_engine::schema::{ValueKind, snake_case};
use banyan_engine::{AttributeId, RelationId, Schema};
use std::borrow::Cow;
use std::collections::HashMap;

/// Last words of phrases that labels leave out: "founded" for "founded in". Without "by" a phrase would say the reverse.
const LEFT_OUT: [&str; 4] = [" in", " at", " on", " from"];

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

/// The labels of a schema, by their wording; attributes before relations.
#[derive(Debug, Default)]
pub(crate) struct Labels(HashMap<String, Vec<Sense>>);

impl Labels {
    /// Compiles names and aliases; a phrase as it is said goes before what is left of a longer one. Cost O(size of the
    /// schema).
    fn new(schema: &Schema) -> Self {
        let mut phrases: Vec<(String, Sense)> = Vec::new();
        for (id, name, aliases) in attributes(schema) {
            let is_date = schema.attributes()[id.index()].kind == ValueKind::Date;
            for phrase in aliases.iter().cloned().chain([name.replace('_', " ")]) {
                if is_date && phrase.contains("date") {
                    phrases.push((phrase.replace("date", "year"), Sense::Attribute(id)));
                }
                phrases.push((phrase, Sense::Attribute(id)));
            }
        }
        for (id, name, aliases) in relations(schema) {
            let own = aliases.iter().cloned().chain([name.replace('_', " ")]);
            phrases.extend(own.map(|phrase| (phrase, Sense::Relation(id))));
        }
        let mut labels = Self::default();
        for (phrase, sense) in &phrases {
            labels.0.entry(wording(phrase)).or_default().push(*sense);
        }
        for (phrase, sense) in &phrases {
            let noun = phrase.strip_suffix(" of");
            let bare = LEFT_OUT.iter().find_map(|word| phrase.strip_suffix(word));
            let left = match (sense, noun) {
                (Sense::Attribute(_), Some(noun)) => Some((noun, *sense)),
                // "Type: lighthouse" of relations between any things would make the value a kind of the thing.
                (Sense::Relation(id), Some(noun)) if !schema.admits_any(*id) => Some((noun, Sense::Reversed(*id))),
                _ => bare.map(|bare| (bare, *sense)),
            };
            let Some((label, sense)) = left else { continue };
            let senses = labels.0.entry(wording(label)).or_default();
            let is_attribute = |one: &Sense| matches!(one, Sense::Attribute(_));
            if !senses.iter().any(|one| is_attribute(one) == is_attribute(&sense)) {
                senses.push(sense);
            }
        }
        labels
    }

    /// What a label says, attributes first.
    pub(crate) fn senses(&self, label: &str) -> &[Sense] {
        self.0.get(&wording(label)).map_or(&[], Vec::as_slice)
    }
}

/// A label as all its spellings have it, "birth place" for "Place of birth"; not by stems, since an owner is not what is
/// owned.
fn wording(label: &str) -> String {
    let spoken = snake_case(label).replace('_', " ");
    let turned = match spoken.split_once(" of ") {
        Some((what, whose)) => format!("{whose} {what}"),
        None => spoken,
    };
    let mut words: Vec<&str> = turned.split(' ').filter(|word| !is_idle(word)).collect();
    let last = words
        .pop()
        .map(|last| term::singular(last.to_owned()))
        .unwrap_or_default();
    words.push(&last);
    words.join(" ")
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
