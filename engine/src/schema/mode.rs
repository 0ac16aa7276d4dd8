//! What happens to what a schema does not define.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How a schema treats candidates for new elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaMode {
    /// They are refused and counted; the schema stays as it is.
    #[default]
    Strict,
    /// They become proposals, and those whose confidence reaches μ become part of the schema (Eq. 3, Youtu-GraphRAG).
    Expand,
    /// Every well-formed one becomes part of the schema at once, and the version says so.
    Open,
}

impl fmt::Display for SchemaMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
