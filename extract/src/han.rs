//! Chinese text, whoever reads it.

pub(crate) use banyan_engine::script::is_han;
use banyan_engine::script::simplified;

/// A text with simplified characters for traditional ones; offsets stay as they are.
pub(crate) fn folded(text: &str) -> String {
    text.chars().map(simplified).collect()
}

/// Whether a text begins with such a character.
pub(crate) fn begins(text: &str) -> bool {
    text.starts_with(is_han)
}
