//! What changed from one schema to another.

use super::Schema;
use super::element::{Element, ElementKind};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// The difference of two schemas: what to add, remove and change to come from the first to the second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SchemaDiff {
    /// Name and version of the first schema.
    pub old: (String, u32),
    /// Name and version of the second.
    pub new: (String, u32),
    /// Definitions of the second alone, by kind, in its order.
    pub added: Vec<Element>,
    /// Definitions of the first alone, by kind, in its order.
    pub removed: Vec<Element>,
    /// Fields that differ, by kind and in the order of the first.
    pub changed: Vec<Change>,
}

/// A field of a definition that both schemas have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Which list the definition is in.
    pub kind: ElementKind,
    /// Its name.
    pub name: String,
    /// The field.
    pub field: String,
    /// Its value in the first schema, as JSON; null where it is absent.
    pub old: Value,
    /// Its value in the second.
    pub new: Value,
}

impl SchemaDiff {
    /// Compares two schemas; definitions are the same where kind and name are, and the order of a list says nothing.
    /// Cost O(n log n).
    pub fn new(old: &Schema, new: &Schema) -> Self {
        let (before, after) = (old.elements(), new.elements());
        let (known, kept) = (index(&before), index(&after));
        let alone = |list: &[Element], others: &BTreeMap<(ElementKind, &str), &Element>| {
            let is_new = |element: &&Element| !others.contains_key(&(element.kind(), element.name()));
            list.iter().filter(is_new).cloned().collect()
        };
        let pairs = before
            .iter()
            .filter_map(|element| Some((element, *kept.get(&(element.kind(), element.name()))?)));
        Self {
            old: (old.name().to_owned(), old.version()),
            new: (new.name().to_owned(), new.version()),
            added: alone(&after, &known),
            removed: alone(&before, &kept),
            changed: pairs.flat_map(|(old, new)| changes(old, new)).collect(),
        }
    }

    /// Whether both define the same.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

fn index(elements: &[Element]) -> BTreeMap<(ElementKind, &str), &Element> {
    let entry = |element| (Element::kind(element), Element::name(element));
    elements.iter().map(|element| (entry(element), element)).collect()
}

fn changes(old: &Element, new: &Element) -> Vec<Change> {
    let (before, after) = (fields(old), fields(new));
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let value = |fields: &BTreeMap<String, Value>, name: &String| fields.get(name).cloned().unwrap_or_default();
    names
        .into_iter()
        .map(|name| (name, value(&before, name), value(&after, name)))
        .filter(|(_, old, new)| old != new)
        .map(|(field, before, after)| Change {
            kind: old.kind(),
            name: old.name().to_owned(),
            field: field.clone(),
            old: before,
            new: after,
        })
        .collect()
}

/// The fields of a definition as its file would have them, with lists in alphabetical order.
fn fields(element: &Element) -> BTreeMap<String, Value> {
    let value = match element {
        Element::EntityType(kind) => serde_json::to_value(kind),
        Element::Relation(kind) => serde_json::to_value(kind),
        Element::Attribute(kind) => serde_json::to_value(kind),
    };
    // Strings, lists of strings and a word for a kind always have a JSON value.
    let Ok(Value::Object(map)) = value else {
        return BTreeMap::new();
    };
    let sorted = |mut value: Value| {
        if let Value::Array(items) = &mut value {
            items.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
        }
        value
    };
    map.into_iter().map(|(name, value)| (name, sorted(value))).collect()
}

impl fmt::Display for SchemaDiff {
    /// One line for each definition or field, `+` added, `-` removed, `~` changed, below both names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((old, old_version), (new, new_version)) = (&self.old, &self.new);
        write!(f, "{old} version {old_version} → {new} version {new_version}")?;
        if self.is_empty() {
            write!(f, "\nno difference")?;
        }
        for (sign, list) in [('+', &self.added), ('-', &self.removed)] {
            for element in list {
                write!(f, "\n{sign} {element}")?;
            }
        }
        for change in &self.changed {
            let Change { kind, name, field, .. } = change;
            write!(f, "\n~ {kind} {name}: {field} {} → {}", change.old, change.new)?;
        }
        Ok(())
    }
}

impl fmt::Display for Element {
    /// The definition in a line: `relation lit_by (lighthouse → person | organisation)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let any = |types: &[String]| {
            if types.is_empty() {
                "any".to_owned()
            } else {
                types.join(" | ")
            }
        };
        write!(f, "{} {}", self.kind(), self.name())?;
        match self {
            Self::EntityType(kind) => kind.parent.iter().try_for_each(|parent| write!(f, " (a {parent})")),
            Self::Relation(kind) => write!(f, " ({} → {})", any(&kind.domain), any(&kind.range)),
            Self::Attribute(kind) => {
                write!(f, " ({}: {}", any(&kind.domain), kind.kind)?;
                kind.unit.iter().try_for_each(|unit| write!(f, " in {unit}"))?;
                if !kind.values.is_empty() {
                    write!(f, " of {}", kind.values.join(" | "))?;
                }
                write!(f, ")")
            }
        }
    }
}
