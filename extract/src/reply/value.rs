//! A value of a reply, as it was written: entries keep their order and repetitions, numbers their digits.

/// A value, and for containers whether the reply broke off inside.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List {
        items: Vec<Value>,
        is_cut: bool,
    },
    Object {
        entries: Vec<(String, Value)>,
        is_cut: bool,
    },
}

impl Value {
    /// Whether the reply broke off inside.
    pub(super) fn is_cut(&self) -> bool {
        match self {
            Self::List { is_cut, .. } | Self::Object { is_cut, .. } => *is_cut,
            _ => false,
        }
    }

    /// Whether it holds other values.
    pub(super) fn is_container(&self) -> bool {
        matches!(self, Self::List { .. } | Self::Object { .. })
    }

    /// The text of a text.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of the first of these names that an object has; null counts as absent. Where a name is repeated, the
    /// last one holds. Names are in lower case without marks, see [`is_called`].
    pub(super) fn field(&self, names: &[&str]) -> Option<&Self> {
        let Self::Object { entries, .. } = self else {
            return None;
        };
        names.iter().find_map(|name| {
            let named = |(key, value): &&(String, Self)| *value != Self::Null && is_called(key, name);
            entries.iter().rfind(named).map(|(_, value)| value)
        })
    }

    /// Texts within that look like JSON themselves.
    pub(super) fn json_texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) if text.trim_start().starts_with(['{', '[']) => vec![text],
            Self::List { items, .. } => items.iter().flat_map(Self::json_texts).collect(),
            Self::Object { entries, .. } => entries.iter().flat_map(|(_, value)| value.json_texts()).collect(),
            _ => Vec::new(),
        }
    }
}

/// Whether a key is this name, whatever its case and the marks between its words.
pub(super) fn is_called(key: &str, name: &str) -> bool {
    let letters = key.chars().filter(|ch| ch.is_alphanumeric());
    letters.map(|ch| ch.to_ascii_lowercase()).eq(name.chars())
}
