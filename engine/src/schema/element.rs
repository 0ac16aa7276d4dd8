//! The parts of a schema as people define them: entity types, relations and attributes (Eq. 1, Youtu-GraphRAG).

use super::spelling;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of entity (`S_e`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityType {
    /// Name in `snake_case`.
    pub name: String,
    /// The spelling that the file used, where it is another one than `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// One sentence for people and models.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The type that this one is a kind of: what admits the parent admits this type, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Common nouns that denote the type in text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// A kind of fact between two entities (`S_r`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationType {
    /// Name in `snake_case`.
    pub name: String,
    /// The spelling that the file used, where it is another one than `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// One sentence for people and models.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Types of the head; empty admits any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domain: Vec<String>,
    /// Types of the tail; empty admits any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub range: Vec<String>,
    /// Phrases that state the relation in text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The relation that says the same from the tail's side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
}

/// What values an attribute takes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// Free text.
    #[default]
    Text,
    /// A bare number.
    Number,
    /// A calendar date or year.
    Date,
    /// A number with a unit.
    Quantity,
    /// One of the attribute's `values`.
    Enum,
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A kind of fact about one entity (`S_attr`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeType {
    /// Name in `snake_case`.
    pub name: String,
    /// The spelling that the file used, where it is another one than `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// One sentence for people and models.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Types it can be said of; empty admits any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domain: Vec<String>,
    /// What values it takes.
    pub kind: ValueKind,
    /// The unit quantities are normalised to; only a quantity has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The words that an enum takes; at least one for an enum, none for other kinds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Phrases that introduce the value in text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

macro_rules! labelled {
    ($($kind:ident),*) => {$(
        impl $kind {
            /// The name as its author spelled it: what is printed where people know that spelling.
            pub fn label(&self) -> &str {
                self.label.as_deref().unwrap_or(&self.name)
            }

            /// Brings the name to its normal form and keeps another spelling as the label.
            pub(super) fn tidy(&mut self) {
                let name = spelling::snake_case(&self.name);
                if name != self.name {
                    let label = self.name.trim().to_owned();
                    self.label.get_or_insert(label);
                    self.name = name;
                }
            }
        }
    )*};
}

labelled!(EntityType, RelationType, AttributeType);

/// Which list of a schema an element belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElementKind {
    /// `S_e`.
    EntityType,
    /// `S_r`.
    Relation,
    /// `S_attr`.
    Attribute,
}

impl ElementKind {
    /// All kinds, in the order in which schemas list them.
    pub const ALL: [Self; 3] = [Self::EntityType, Self::Relation, Self::Attribute];

    /// The kind as one word, as it stands before a colon in `relation:lit_by`.
    pub fn word(self) -> &'static str {
        match self {
            Self::EntityType => "type",
            Self::Relation => "relation",
            Self::Attribute => "attribute",
        }
    }
}

impl fmt::Display for ElementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EntityType => "entity type",
            Self::Relation => "relation",
            Self::Attribute => "attribute",
        })
    }
}

/// One element of any kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Element {
    /// An entity type.
    EntityType(EntityType),
    /// A relation.
    Relation(RelationType),
    /// An attribute.
    Attribute(AttributeType),
}

impl Element {
    /// Which list it belongs to.
    pub fn kind(&self) -> ElementKind {
        match self {
            Self::EntityType(_) => ElementKind::EntityType,
            Self::Relation(_) => ElementKind::Relation,
            Self::Attribute(_) => ElementKind::Attribute,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::EntityType(kind) => &kind.name,
            Self::Relation(kind) => &kind.name,
            Self::Attribute(kind) => &kind.name,
        }
    }

    /// The entity types that it refers to, as it spells them: parent, domain and range.
    pub fn references(&self) -> Vec<&str> {
        let names: Vec<&String> = match self {
            Self::EntityType(kind) => kind.parent.iter().collect(),
            Self::Relation(kind) => kind.domain.iter().chain(&kind.range).collect(),
            Self::Attribute(kind) => kind.domain.iter().collect(),
        };
        names.into_iter().map(String::as_str).collect()
    }

    /// The phrases that denote it in text.
    pub fn aliases(&self) -> &[String] {
        match self {
            Self::EntityType(kind) => &kind.aliases,
            Self::Relation(kind) => &kind.aliases,
            Self::Attribute(kind) => &kind.aliases,
        }
    }
}
