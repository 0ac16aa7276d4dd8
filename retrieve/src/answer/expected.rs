//! What kind of thing a question asks for.

use banyan_engine::index::term;
use banyan_engine::{Schema, TypeId};
use serde::{Serialize, Serializer};

mod han;

/// The kind of answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Yes or no.
    YesNo,
    /// A date or a year.
    Date,
    /// A number or quantity.
    Number,
    /// An entity of this type.
    Entity(TypeId),
    /// Anything.
    Any,
}

impl Serialize for Expected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::YesNo => "yes or no",
            Self::Date => "date",
            Self::Number => "number",
            Self::Entity(_) => "entity",
            Self::Any => "anything",
        })
    }
}

const AUXILIARIES: &[&str] = &[
    "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "was", "were", "will", "would",
];
/// Words that follow "how" where a number is asked for.
const MEASURES: &[&str] = &[
    "big", "deep", "far", "fast", "heavy", "high", "large", "long", "many", "much", "old", "tall", "wide",
];
/// How far after "which" the noun may stand, in words. Arbitrary.
const MAX_NOUN_DISTANCE: usize = 5;
/// Nouns that ask for a date.
const DATES: &[&str] = &["birthday", "century", "date", "day", "decade", "month", "year"];
/// Nouns that ask for a number.
const NUMBERS: &[&str] = &[
    "amount",
    "area",
    "age",
    "cost",
    "count",
    "depth",
    "distance",
    "elevation",
    "height",
    "length",
    "number",
    "population",
    "price",
    "size",
    "speed",
    "weight",
];

impl Expected {
    /// Reads the kind from the question word and, after "what" and "which", from the first noun that tells; so in Chinese.
    pub fn of(question: &str, schema: &Schema) -> Self {
        if let Some(kind) = han::of(question, schema) {
            return kind;
        }
        let lower = question.to_lowercase();
        let words: Vec<&str> = lower
            .split(|ch: char| !ch.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        if words.first().is_some_and(|first| AUXILIARIES.contains(first)) {
            return Self::YesNo;
        }
        let Some(at) = words.iter().position(|word| is_question_word(word)) else {
            return Self::Any;
        };
        let next = words.get(at + 1).copied().unwrap_or("");
        let typed = |name: &str| schema.type_id(name).map_or(Self::Any, Self::Entity);
        match words[at] {
            "who" | "whom" | "whose" => typed("person"),
            "where" => typed("place"),
            "when" => Self::Date,
            "how" if MEASURES.contains(&next) => Self::Number,
            "what" | "which" => Self::of_noun(&words[at + 1..], schema),
            _ => Self::Any,
        }
    }

    /// The kind that the first telling noun within a few words denotes.
    fn of_noun(words: &[&str], schema: &Schema) -> Self {
        for word in words.iter().take(MAX_NOUN_DISTANCE) {
            if DATES.contains(word) {
                return Self::Date;
            }
            if NUMBERS.contains(word) {
                return Self::Number;
            }
            if let Some(kind) = denoted(word, schema) {
                return Self::Entity(kind);
            }
        }
        Self::Any
    }

    /// The noun after "which" or "what" that tells the type of entity asked for, in singular; so in Chinese.
    pub fn noun(question: &str, schema: &Schema) -> Option<String> {
        if let Some(noun) = han::noun(question, schema) {
            return Some(noun);
        }
        let lower = question.to_lowercase();
        let mut words = lower
            .split(|ch: char| !ch.is_alphanumeric())
            .filter(|word| !word.is_empty());
        words.find(|word| matches!(*word, "which" | "what"))?;
        let noun = words
            .take(MAX_NOUN_DISTANCE)
            .find(|word| denoted(word, schema).is_some())?;
        Some(term::singular(noun.to_owned()))
    }
}

impl Expected {
    /// The type that a noun in singular denotes.
    pub(crate) fn denoted(noun: &str, schema: &Schema) -> Option<TypeId> {
        denoted(noun, schema)
    }
}

/// The type that a noun, in singular or plural, denotes.
fn denoted(noun: &str, schema: &Schema) -> Option<TypeId> {
    let noun = term::singular(noun.to_owned());
    let denotes = |kind: &banyan_engine::schema::EntityType| kind.name == noun || kind.aliases.contains(&noun);
    schema
        .type_ids()
        .find(|(id, kind)| *id != schema.thing() && denotes(kind))
        .map(|(id, _)| id)
}

/// Whether a lower-case word opens a question.
pub(super) fn is_question_word(word: &str) -> bool {
    matches!(
        word,
        "who" | "whom" | "whose" | "where" | "when" | "how" | "what" | "which" | "why"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_words_and_nouns_tell_the_kind() {
        let schema = Schema::general().unwrap();
        let kind = |name| Expected::Entity(schema.type_id(name).unwrap());
        let check = |question, expected| assert_eq!(Expected::of(question, &schema), expected, "{question}");
        check("Who led the survey?", kind("person"));
        check("In which year did it sink?", Expected::Date);
        check("How long was the ship?", Expected::Number);
        check("Are both novels set in Tidd?", Expected::YesNo);
        check("What film did she direct?", kind("work"));
        check("Name it.", Expected::Any);
    }
}
