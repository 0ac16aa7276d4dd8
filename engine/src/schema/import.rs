//! Schemas of other systems, as they are.
//!
//! Fields that have no counterpart here are passed over: these files are not ours to correct. Names that come to the
//! same normal form are one definition, and each keeps the spelling it came with as its label.

use super::element::{AttributeType, EntityType, RelationType, ValueKind};
use super::read::SchemaFile;
use super::{THING, snake_case};
use serde::Deserialize;
use std::collections::BTreeMap;

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
        let mut file = SchemaFile::blank(name);
        for label in &self.nodes {
            add_type(&mut file, label);
        }
        for label in &self.relations {
            add_relation(&mut file, label, Vec::new(), Vec::new());
        }
        for label in &self.attributes {
            add_attribute(&mut file, label, Vec::new(), ValueKind::Text);
        }
        file
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
const LITERAL_WORDS: [(ValueKind, &str); 4] = [
    (
        ValueKind::Number,
        "age count employees number population size staff students",
    ),
    (
        ValueKind::Quantity,
        "area budget cost depth duration elevation height income length price revenue weight width",
    ),
    (ValueKind::Date, "date time year"),
    (ValueKind::Text, "code"),
];

impl Ontology {
    pub(super) const KEY: &'static str = "concepts";

    /// The same concepts, relations and attributes.
    ///
    /// A relation whose range is a literal becomes an attribute of that kind; the others stay relations. A range or
    /// domain that no concept names becomes a type, unless it is only an id: an id without a label restricts nothing.
    /// An open range stays open, unless the label's last word names a literal ("publication date").
    pub(super) fn into_file(self, name: &str) -> SchemaFile {
        let own_name = [&self.title, &self.id].into_iter().find(|name| !name.is_empty());
        let mut file = SchemaFile::blank(own_name.map_or(name, |name| name.as_str()));
        let mut labels: BTreeMap<&str, &str> = BTreeMap::new();
        for concept in &self.concepts {
            add_type(&mut file, &concept.label);
            labels.insert(concept.qid.trim(), concept.label.trim());
        }
        let own = self.concepts.iter().map(|concept| concept.label.trim());
        labels.extend(own.map(|label| (label, label)));
        for property in &self.relations {
            let domain = ends(&mut file, &property.domain, &labels);
            if let Some(kind) = literal(property, &labels) {
                add_attribute(&mut file, &property.label, domain, kind);
            } else {
                let range = ends(&mut file, &property.range, &labels);
                add_relation(&mut file, &property.label, domain, range);
            }
        }
        file
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
        let is_last = |words: &&str| words.split(' ').any(|word| word == last);
        let found = LITERAL_WORDS.iter().find(|(_, words)| is_last(words));
        return found.map(|(kind, _)| *kind);
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

/// The types that a domain or range stands for: none where it restricts nothing.
fn ends(file: &mut SchemaFile, named: &str, labels: &BTreeMap<&str, &str>) -> Vec<String> {
    let named = named.trim();
    match labels.get(named) {
        Some(label) => vec![(*label).to_owned()],
        None if named.is_empty() || is_bare_id(named) || snake_case(named) == THING => Vec::new(),
        None => {
            add_type(file, named);
            vec![named.to_owned()]
        }
    }
}

/// Whether a text is an id of Wikidata (`Q5`) rather than a name.
fn is_bare_id(text: &str) -> bool {
    text.strip_prefix('Q')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn add_type(file: &mut SchemaFile, label: &str) {
    let mut kind = EntityType {
        name: label.trim().to_owned(),
        ..EntityType::default()
    };
    kind.tidy();
    if file.entity_types.iter().all(|known| known.name != kind.name) {
        file.entity_types.push(kind);
    }
}

fn add_relation(file: &mut SchemaFile, label: &str, domain: Vec<String>, range: Vec<String>) {
    let mut kind = RelationType {
        name: label.trim().to_owned(),
        domain,
        range,
        ..RelationType::default()
    };
    kind.tidy();
    match file.relations.iter_mut().find(|known| known.name == kind.name) {
        Some(known) => {
            widen(&mut known.domain, kind.domain);
            widen(&mut known.range, kind.range);
        }
        None => file.relations.push(kind),
    }
}

fn add_attribute(file: &mut SchemaFile, label: &str, domain: Vec<String>, value: ValueKind) {
    let mut kind = AttributeType {
        name: label.trim().to_owned(),
        domain,
        kind: value,
        ..AttributeType::default()
    };
    kind.tidy();
    match file.attributes.iter_mut().find(|known| known.name == kind.name) {
        Some(known) => widen(&mut known.domain, kind.domain),
        None => file.attributes.push(kind),
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
