//! A relation as the reader needs it.

use banyan_engine::Schema;
use banyan_engine::schema::{RELATED_TO, ValueKind};
use serde::{Deserialize, Serialize};

/// The relation between a document's subject and whatever else it names: no sentence states it.
const MENTIONS: &str = "mentions";
/// The attribute that takes what an opening sentence says its subject is, which rules read.
const DEFINITION: &str = "description";

/// A relation that statements may have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// Its label, as the schema spells it: `birthPlace`, `place_of_birth` or `place of birth`.
    pub label: String,
    /// Names of the types that its subject may have; empty admits any.
    pub domain: Vec<String>,
    /// Names of the types that its object may have; empty admits any.
    pub range: Vec<String>,
    /// Other phrases that state it.
    pub aliases: Vec<String>,
    /// Whether its dates are written `dd Month yyyy`, a bare year as the first of January of that year.
    pub is_dated: bool,
}

impl Relation {
    /// Everything that a schema asks of a sentence: its relations, then its attributes. `related_to` and `mentions` are left
    /// out, for no sentence states them, and `description`, which is a clause.
    pub fn all(schema: &Schema) -> Vec<Self> {
        let relations = schema.relations().iter();
        let relations = relations.filter(|kind| kind.name != RELATED_TO && kind.name != MENTIONS);
        let relations = relations.map(|kind| Self {
            label: kind.label().to_owned(),
            domain: kind.domain.clone(),
            range: kind.range.clone(),
            aliases: kind.aliases.clone(),
            is_dated: false,
        });
        let attributes = schema.attributes().iter().filter(|kind| kind.name != DEFINITION);
        let attributes = attributes.map(|kind| {
            let range = match kind.kind {
                ValueKind::Date => "date",
                ValueKind::Number | ValueKind::Quantity => "number",
                ValueKind::Text | ValueKind::Enum => "string",
            };
            Self {
                label: kind.label().to_owned(),
                domain: kind.domain.clone(),
                range: vec![range.to_owned()],
                aliases: kind.aliases.clone(),
                is_dated: false,
            }
        });
        relations.chain(attributes).collect()
    }
}
