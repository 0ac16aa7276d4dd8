//! What kind of thing a noun means, by the schema.

use super::super::token::{self, Kind, Token};
use super::{PREPOSITION, RELATIVE};
use crate::question::Expected;
use banyan_engine::Schema;
use banyan_engine::index::term;

/// Whether a noun can be described by a name: it denotes a type, or a relation bears its name.
pub(super) fn is_head(noun: &str, schema: &Schema) -> bool {
    kind_of(noun, schema).is_some()
}

/// Nouns for places of an event in a life.
pub(super) const PLACES: &[&str] = &["birthplace", "hometown", "home", "nationality", "headquarters"];

/// The kind of thing that a noun means: by a type that it denotes or a relation that bears its name.
pub(super) fn kind_of(noun: &str, schema: &Schema) -> Option<Expected> {
    let lower = noun.to_lowercase();
    let single = term::singular(lower.clone());
    let typed = |name: &str| schema.type_id(name).map(Expected::Entity);
    if PLACES.contains(&lower.as_str()) {
        return typed("place");
    }
    if let Some(kind) = Expected::denoted(&single, schema) {
        return Some(Expected::Entity(kind));
    }
    let phrase = format!("{single} of");
    let relation = schema
        .relation_ids()
        .find(|(_, relation)| relation.name == single || relation.aliases.contains(&phrase));
    let (_, relation) = relation?;
    // "X is the spouse of Y": the noun names the head; "director" names the tail.
    let ends = if relation.name == single {
        &relation.range
    } else {
        &relation.domain
    };
    ends.first().and_then(|name| typed(name)).or(Some(Expected::Any))
}

/// The kind of thing that a description means: that of its head noun.
pub(super) fn head_kind(text: &str, names: &[&str], schema: &Schema) -> Expected {
    let tokens = token::tokens(text, names);
    let after_possessive = tokens.iter().position(|token| matches!(token.text, "'s" | "’s"));
    let nouns: Vec<&Token<'_>> = match after_possessive {
        Some(at) => tokens[at + 1..].iter().collect(),
        None => tokens
            .iter()
            .take_while(|token| !token.is_of(PREPOSITION) && !token.is_of(RELATIVE))
            .collect(),
    };
    let mut words = nouns.iter().rev().filter(|token| token.kind == Kind::Word);
    words
        .find_map(|token| kind_of(token.text, schema))
        .unwrap_or(Expected::Any)
}
