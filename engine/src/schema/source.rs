//! Schemas as text: read from the formats that people have, written as our own.

use super::Schema;
use super::error::{SchemaError, SchemaFault};
use super::file::SchemaFile;
use super::import::{Ontology, Reference};
use super::node::{Format, Node, Place};

impl Schema {
    /// Reads the text of a schema file that people write. `file` names it: in errors, and by its extension the
    /// [`Format`]; where that tells nothing, the text does. Cost O(n log n): 10,000 relations take milliseconds.
    ///
    /// # Errors
    /// [`SchemaError`] with file, line and column where the format gives them; an empty schema is one.
    pub fn read(file: &str, text: &str) -> Result<Self, SchemaError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        Self::parse(text, Format::of(file, text), stem).map_err(|error| error.in_file(file))
    }

    /// Reads a schema from JSON.
    ///
    /// # Errors
    /// [`SchemaError`] with line and column.
    pub fn from_json(json: &str) -> Result<Self, SchemaError> {
        Self::parse(json, Format::Json, "schema")
    }

    /// Reads a schema from TOML.
    ///
    /// # Errors
    /// [`SchemaError`] with line and column.
    pub fn from_toml(toml: &str) -> Result<Self, SchemaError> {
        Self::parse(toml, Format::Toml, "schema")
    }

    fn parse(text: &str, format: Format, name: &str) -> Result<Self, SchemaError> {
        let node = Node::parse(text, format)?;
        let is_import = node.has_any(&Reference::KEYS) || node.has_any(&Ontology::KEYS);
        let file = if node.has_any(&Reference::KEYS) {
            node.read::<Reference>().map(|reference| reference.into_file(name))
        } else if is_import {
            node.read::<Ontology>().map(|ontology| ontology.into_file(name))
        } else {
            node.read::<SchemaFile>()
        };
        let file = file.map_err(|mistake| {
            let message = mistake.message;
            SchemaError::new(SchemaFault::Shape { message }, mistake.at.map(|at| Place::of(text, at)))
        })?;
        if file.is_empty() {
            return Err(SchemaFault::Empty.into());
        }
        file.compile().map_err(|broken| {
            let place = (!is_import).then(|| Place::of(text, node.find(&broken.path)));
            SchemaError::new(*broken.fault, place)
        })
    }

    /// The schema as a file that [`Schema::read`] takes, with its lists in the order of their ids.
    ///
    /// # Errors
    /// When a name or description cannot be encoded, which no text is known to cause.
    pub fn to_text(&self, format: Format) -> Result<String, SchemaError> {
        let text = match format {
            Format::Json => serde_json::to_string_pretty(&self.file).map_err(|error| error.to_string()),
            Format::Toml => ::toml::to_string(&self.file).map_err(|error| error.to_string()),
        };
        text.map_err(|message| SchemaFault::Syntax { format, message }.into())
    }
}
