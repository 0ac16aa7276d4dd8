//! What kind of thing a question asks for.

use super::{han, is_among};
use banyan_engine::index::term;
use banyan_engine::{Schema, TypeId, name};
use serde::{Serialize, Serializer};

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
const NUMBERS: &str = "amount area age attendance budget capacity code cost count debt depth diameter distance elevation height \
    income length number percentage population price rainfall revenue salary size snowfall speed temperature \
    weight";

impl Expected {
    /// Reads the kind from the question word and, after "what" and "which", from the first noun that tells; so in
    /// Chinese.
    pub fn of(question: &str, schema: &Schema) -> Self {
        if let Some(kind) = han::of(question, schema) {
            return kind;
        }
        let lower = asked(question).to_lowercase();
        let words: Vec<&str> = name::words(&lower).collect();
        if words.first().is_some_and(|first| AUXILIARIES.contains(first)) {
            return Self::YesNo;
        }
        let Some(at) = asking(&words) else {
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
        let words = named(words);
        let is_copula = words.first().is_some_and(|first| AUXILIARIES.contains(first));
        for (n, word) in words.iter().enumerate().take(MAX_NOUN_DISTANCE) {
            if n > 0 && is_copula && matches!(*word, "of" | "in" | "by" | "that" | "which" | "who" | "where") {
                break;
            }
            if DATES.contains(word) {
                return Self::Date;
            }
            if is_among(NUMBERS, word) {
                return Self::Number;
            }
            if let Some(kind) = denoted(word, schema) {
                return Self::Entity(kind);
            }
        }
        Self::Any
    }

    /// The noun after "which" or "what" that tells the type of entity asked for, in singular; so in Chinese.
    pub(crate) fn noun(question: &str, schema: &Schema) -> Option<String> {
        if let Some(noun) = han::noun(question, schema) {
            return Some(noun);
        }
        let lower = asked(question).to_lowercase();
        let words: Vec<&str> = name::words(&lower).collect();
        let at = asking(&words)?;
        let after = named(&words[at + 1..]);
        match words[at] {
            "how" if matches!(after.first(), Some(&"many" | &"much")) => {
                after.get(1).map(|noun| term::singular((*noun).to_owned()))
            }
            "which" | "what" => {
                let denotes = |word: &&&str| denoted(word, schema).is_some();
                let noun = after.iter().take(MAX_NOUN_DISTANCE).find(denotes);
                let any = || {
                    after
                        .iter()
                        .take(MAX_NOUN_DISTANCE)
                        .find(|word| !term::is_stop_word(word) && !matches!(**word, "name" | "kind" | "type"))
                };
                noun.or_else(any).map(|noun| term::singular((*noun).to_owned()))
            }
            _ => None,
        }
    }
}

impl Expected {
    /// The noun that a description is about, in singular: "the *state* where #1 is", "#1's *birthplace*". Of several
    /// nouns beside each other the first that denotes a type, else the last; `None` for a question or without a noun.
    pub(crate) fn described(text: &str, schema: &Schema) -> Option<String> {
        let lower = text.to_lowercase();
        let own = lower.rsplit("'s ").next().unwrap_or(&lower);
        let words: Vec<&str> = name::words(own).collect();
        if words
            .iter()
            .any(|word| is_question_word(word) && words.first() == Some(word))
        {
            return None;
        }
        let first = words.iter().position(|word| !term::is_stop_word(word))?;
        let run: Vec<&str> = words[first..]
            .iter()
            .copied()
            .take_while(|word| !term::is_stop_word(word))
            .collect();
        let telling = run.iter().find(|word| denoted(word, schema).is_some());
        telling.or(run.last()).map(|noun| term::singular((*noun).to_owned()))
    }

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

/// What follows "is the name of", where words begin so.
fn named<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let is_name = |at: usize| words.get(at).is_some_and(|word| matches!(*word, "name" | "names"));
    let first = (0..3).find(|at| is_name(*at) && words[..*at].iter().all(|word| term::is_stop_word(word)));
    match first {
        Some(at) if words.get(at + 1) == Some(&"of") => &words[at + 2..],
        _ => words,
    }
}

/// The last sentence of a question where it asks by itself: "Tidd has a pier. Does Ansay have one?"; else all of it.
fn asked(question: &str) -> &str {
    let whole = question.trim();
    let Some((_, last)) = whole.rsplit_once(". ").or_else(|| whole.rsplit_once("? ")) else {
        return whole;
    };
    let first = last
        .split(|ch: char| !ch.is_alphabetic())
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let asks = AUXILIARIES.contains(&first.as_str()) || is_question_word(&first);
    if asks { last } else { whole }
}

/// The position of the word that asks: a question word that begins a question, with or without a preposition; else the
/// last "what" or "how", or "which" with its noun; else the first question word.
fn asking(words: &[&str]) -> Option<usize> {
    let asks = |at: &usize| is_question_word(words[*at]) && words.get(at + 1) != Some(&"to");
    let found: Vec<usize> = (0..words.len()).filter(asks).collect();
    let first = *found.first()?;
    if words[..first].iter().all(|word| term::is_stop_word(word)) {
        return Some(first);
    }
    let asks = |at: &usize| match words[*at] {
        "what" | "how" => true,
        "which" => term::is_stop_word(words[at - 1]) && words.get(at + 1).is_some_and(|next| !term::is_stop_word(next)),
        _ => at + 1 == words.len(),
    };
    found.iter().copied().rev().find(asks).or(Some(first))
}

/// Whether a lower-case word opens a question for yes or no.
pub(crate) fn is_auxiliary(word: &str) -> bool {
    AUXILIARIES.contains(&word)
}

/// Whether a lower-case word opens a question.
fn is_question_word(word: &str) -> bool {
    matches!(
        word,
        "who" | "whom" | "whose" | "where" | "when" | "how" | "what" | "which" | "why"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_about_its_noun() {
        let schema = Schema::general().unwrap();
        let check = |text, expected: Option<&str>| {
            assert_eq!(Expected::described(text, &schema).as_deref(), expected, "{text}");
        };
        check("the state where #1 is", Some("state"));
        check("Mara Voss's country", Some("country"));
        check("the average snowfall in #2", Some("snowfall"));
        check("Who led #1?", None);
    }

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
        check("Tidd has a pier. Does Ansay have one?", Expected::YesNo);
        check("How to Sail, released in which year, is a book?", Expected::Date);
    }
}
