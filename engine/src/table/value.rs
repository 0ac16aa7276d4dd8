//! A value of a cell.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A typed value. Years are integers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
