//! Schemas of other systems, as they are.
//!
//! Fields that have no counterpart here are passed over: these files are not ours to correct. Names that come to the
//! same normal form are one definition, and each keeps the spelling it came with as its label.

use super::element::{AttributeType, EntityType, RelationType, ValueKind};
use super::file::SchemaFile;
use super::{THING, snake_case};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The Python reference of Youtu-GraphRAG: three lists of names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reference {
    #[serde(rename = "Nodes", default)]
    nodes: Vec<String>,
    #[serde(rename = "Relations", default)]
    relations: Vec<String>,
    #[serde(rename = "Attributes", default)]
    attributes: Vec<String>,
}

impl Reference {
    pub(super) const KEYS: [&'static str; 3] = ["Nodes", "Relations", "Attributes"];

    /// The same names: relations between any types, attributes of any type with free text.
    pub(super) fn into_file(self, name: &str) -> SchemaFile {
        let mut draft = Draft::new(name);
        for label in &self.nodes {
            draft.add_type(label);
        }
        for label in &self.relations {
            draft.add_relation(label, Vec::new(), Vec::new());
        }
        for label in &self.attributes {
            draft.add_attribute(label, Vec::new(), ValueKind::Text);
        }
        draft.file
    }
}

/// `Text2KGBench`'s `ontology.json`: concepts, and relations from a concept to a concept or to a literal.
#[derive(Deserialize)]
pub(super) struct Ontology {
    #[serde(default)]
    title: String,
    #[serde(default)]
    id: String,
    concepts: Vec<Concept>,
    #[serde(default)]
    relations: Vec<Property>,
}

#[derive(Deserialize)]
struct Concept {
    #[serde(default)]
    qid: String,
    label: String,
}

#[derive(Deserialize)]
struct Property {
    label: String,
    #[serde(default)]
    domain: String,
    #[serde(default)]
    range: String,
}

/// Last words of labels that name a literal. They decide only where an ontology leaves the range open, as `Text2KGBench`
/// does for "publication date" as well as for "main subject".
const LITERAL_WORDS: &[(&str, ValueKind)] = &[
    ("age", ValueKind::Number),
    ("area", ValueKind::Quantity),
    ("budget", ValueKind::Quantity),
    ("code", ValueKind::Text),
    ("cost", ValueKind::Quantity),
    ("count", ValueKind::Number),
    ("date", ValueKind::Date),
    ("depth", ValueKind::Quantity),
    ("duration", ValueKind::Quantity),
    ("elevation", ValueKind::Quantity),
    ("employees", ValueKind::Number),
    ("height", ValueKind::Quantity),
    ("income", ValueKind::Quantity),
    ("length", ValueKind::Quantity),
    ("number", ValueKind::Number),
    ("population", ValueKind::Number),
    ("price", ValueKind::Quantity),
    ("revenue", ValueKind::Quantity),
    ("size", ValueKind::Number),
    ("staff", ValueKind::Number),
    ("students", ValueKind::Number),
    ("time", ValueKind::Date),
    ("weight", ValueKind::Quantity),
    ("width", ValueKind::Quantity),
    ("year", ValueKind::Date),
];

impl Ontology {
    pub(super) const KEYS: [&'static str; 1] = ["concepts"];

    /// The same concepts, relations and attributes.
    ///
    /// A relation whose range is a literal becomes an attribute of that kind; the others stay relations. A range or
    /// domain that no concept names becomes a type, unless it is only an id: an id without a label restricts nothing.
    /// An open range stays open, unless the label's last word names a literal ("publication date").
    pub(super) fn into_file(self, name: &str) -> SchemaFile {
        let own_name = [&self.title, &self.id].into_iter().find(|name| !name.is_empty());
        let mut draft = Draft::new(own_name.map_or(name, |name| name.as_str()));
        let mut labels: BTreeMap<&str, &str> = BTreeMap::new();
        for concept in &self.concepts {
            draft.add_type(&concept.label);
            labels.insert(concept.qid.trim(), concept.label.trim());
        }
        labels.extend(
            self.concepts
                .iter()
                .map(|concept| (concept.label.trim(), concept.label.trim())),
        );
        for property in &self.relations {
            let domain = draft.ends(&property.domain, &labels);
            if let Some(kind) = literal(property, &labels) {
                draft.add_attribute(&property.label, domain, kind);
            } else {
                let range = draft.ends(&property.range, &labels);
                draft.add_relation(&property.label, domain, range);
            }
        }
        draft.file
    }
}

/// The kind of literal that a property takes; `None` for one that leads to an entity.
fn literal(property: &Property, labels: &BTreeMap<&str, &str>) -> Option<ValueKind> {
    let range = property.range.trim();
    if labels.contains_key(range) {
        return None;
    }
    if range.is_empty() {
        let name = snake_case(&property.label);
        let last = name.rsplit('_').next()?;
        return LITERAL_WORDS
            .iter()
            .find(|(word, _)| *word == last)
            .map(|(_, kind)| *kind);
    }
    match snake_case(range).as_str() {
        "string" | "text" | "literal" | "lang_string" | "any_uri" | "url" => Some(ValueKind::Text),
        "number" | "integer" | "int" | "float" | "double" | "decimal" | "non_negative_integer" | "positive_integer" => {
            Some(ValueKind::Number)
        }
        "date" | "date_time" | "datetime" | "year" | "g_year" | "time" => Some(ValueKind::Date),
        _ => None,
    }
}

/// Whether a text is an id of Wikidata (`Q5`) rather than a name.
fn is_bare_id(text: &str) -> bool {
    text.strip_prefix('Q')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A file in the making, and where each normal form stands in its lists.
struct Draft {
    file: SchemaFile,
    types: BTreeSet<String>,
    relations: BTreeMap<String, usize>,
    attributes: BTreeMap<String, usize>,
}

impl Draft {
    fn new(name: &str) -> Self {
        Self {
            file: SchemaFile::blank(name),
            types: BTreeSet::new(),
            relations: BTreeMap::new(),
            attributes: BTreeMap::new(),
        }
    }

    /// The types that a domain or range stands for: none where it restricts nothing.
    fn ends(&mut self, named: &str, labels: &BTreeMap<&str, &str>) -> Vec<String> {
        let named = named.trim();
        match labels.get(named) {
            Some(label) => vec![(*label).to_owned()],
            None if named.is_empty() || is_bare_id(named) || snake_case(named) == THING => Vec::new(),
            None => {
                self.add_type(named);
                vec![named.to_owned()]
            }
        }
    }

    fn add_type(&mut self, label: &str) {
        if self.types.insert(snake_case(label)) {
            self.file.entity_types.push(EntityType {
                name: label.trim().to_owned(),
                ..EntityType::default()
            });
        }
    }

    fn add_relation(&mut self, label: &str, domain: Vec<String>, range: Vec<String>) {
        let relations = &mut self.file.relations;
        let at = *self.relations.entry(snake_case(label)).or_insert(relations.len());
        match relations.get_mut(at) {
            Some(known) => {
                widen(&mut known.domain, domain);
                widen(&mut known.range, range);
            }
            None => relations.push(RelationType {
                name: label.trim().to_owned(),
                domain,
                range,
                ..RelationType::default()
            }),
        }
    }

    fn add_attribute(&mut self, label: &str, domain: Vec<String>, kind: ValueKind) {
        let attributes = &mut self.file.attributes;
        let at = *self.attributes.entry(snake_case(label)).or_insert(attributes.len());
        match attributes.get_mut(at) {
            Some(known) => widen(&mut known.domain, domain),
            None => attributes.push(AttributeType {
                name: label.trim().to_owned(),
                domain,
                kind,
                ..AttributeType::default()
            }),
        }
    }
}

/// Admits also what a second definition of the same name admits; a list without types admits all.
fn widen(types: &mut Vec<String>, more: Vec<String>) {
    if types.is_empty() || more.is_empty() {
        types.clear();
        return;
    }
    for name in more {
        if !types.contains(&name) {
            types.push(name);
        }
    }
}
