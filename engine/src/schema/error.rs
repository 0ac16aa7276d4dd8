//! Why a schema cannot be used, told so that its author can mend it.

use std::fmt;

/// What is wrong with a schema: which definition or key, what was expected and what was found.
#[derive(Debug, thiserror::Error)]
pub struct SchemaError {
    file: Option<String>,
    /// Line and column, from 1, where the text cannot be read as a schema.
    place: Option<(usize, usize)>,
    message: String,
}

impl SchemaError {
    /// The error with the name of the file that it is about, which then opens the message.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.file = Some(file.to_owned());
        self
    }
}

impl fmt::Display for SchemaError {
    /// One line: `FILE:LINE:COLUMN: what is wrong`, with the parts that are known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.place) {
            (Some(file), Some((line, column))) => write!(f, "{file}:{line}:{column}: ")?,
            (Some(file), None) => write!(f, "{file}: ")?,
            (None, Some((line, column))) => write!(f, "line {line}, column {column}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.message)
    }
}

impl From<String> for SchemaError {
    fn from(message: String) -> Self {
        Self {
            file: None,
            place: None,
            message,
        }
    }
}

impl From<serde_json::Error> for SchemaError {
    /// The parser's account without its own place, which is told once.
    fn from(error: serde_json::Error) -> Self {
        let message = error.to_string();
        let cut = message.rfind(" at line ").unwrap_or(message.len());
        Self {
            file: None,
            place: Some((error.line(), error.column())),
            message: format!("not a schema: {}", &message[..cut]),
        }
    }
}
