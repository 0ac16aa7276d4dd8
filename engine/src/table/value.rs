//! A value of a cell.

use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// A typed value. Years are integers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub enum Value {
    /// Nothing is known.
    #[default]
    Null,
    /// Yes or no.
    Boolean(bool),
    /// A whole number, or a year.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// A calendar date `YYYY-MM-DD`, or the part of it that is known (`YYYY-MM`, `YYYY`); such dates sort as text.
    Date(String),
    /// Anything else.
    Text(String),
}

impl Value {
    /// Whether nothing is known.
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// The value as a number, where it is one; booleans are 0 and 1.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(n) => Some(*n as f64),
            Self::Number(n) => Some(*n),
            Self::Boolean(is) => Some(f64::from(u8::from(*is))),
            Self::Null | Self::Date(_) | Self::Text(_) => None,
        }
    }

    /// The text of a text or a date.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Date(text) => Some(text),
            _ => None,
        }
    }
}

impl Serialize for Value {
    /// In JSON as what it is, to be shown; elsewhere with its kind, to be read again.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_shown = serializer.is_human_readable();
        match self {
            Self::Null if is_shown => serializer.serialize_unit(),
            Self::Boolean(is) if is_shown => serializer.serialize_bool(*is),
            Self::Integer(n) if is_shown => serializer.serialize_i64(*n),
            Self::Number(n) if is_shown => serializer.serialize_f64(*n),
            Self::Date(text) | Self::Text(text) if is_shown => serializer.serialize_str(text),
            Self::Null => serializer.serialize_unit_variant("Value", 0, "Null"),
            Self::Boolean(is) => serializer.serialize_newtype_variant("Value", 1, "Boolean", is),
            Self::Integer(n) => serializer.serialize_newtype_variant("Value", 2, "Integer", n),
            Self::Number(n) => serializer.serialize_newtype_variant("Value", 3, "Number", n),
            Self::Date(text) => serializer.serialize_newtype_variant("Value", 4, "Date", text),
            Self::Text(text) => serializer.serialize_newtype_variant("Value", 5, "Text", text),
        }
    }
}

impl fmt::Display for Value {
    /// As people write it: nothing for nothing, numbers without trailing zeros, `yes` and `no`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Boolean(true) => f.write_str("yes"),
            Self::Boolean(false) => f.write_str("no"),
            Self::Integer(n) => write!(f, "{n}"),
            Self::Number(n) => write!(f, "{n}"),
            Self::Date(text) | Self::Text(text) => f.write_str(text),
        }
    }
}
