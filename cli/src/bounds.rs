//! What bounds extraction.

use banyan_engine::schema::{Growth, SchemaMode};
use banyan_engine::{Decision, Schema, Settings};

/// What bounds extraction, and how far it may grow.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The seed, with what people decided.
    pub schema: Schema,
    /// Those decisions.
    pub growth: Growth,
    /// What happens to what it does not define.
    pub mode: SchemaMode,
    /// Least confidence of what is accepted.
    pub mu: f32,
    /// What people decided on which names are one entity, the earliest first.
    pub decisions: Vec<Decision>,
}

impl Bounds {
    /// A schema that stays as it is.
    pub fn strict(schema: Schema) -> Self {
        Self {
            schema,
            growth: Growth::default(),
            mode: SchemaMode::Strict,
            mu: Settings::default().mu,
            decisions: Vec::new(),
        }
    }
}
