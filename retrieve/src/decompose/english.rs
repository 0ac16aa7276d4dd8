//! Nested descriptions in English questions, by rules on phrases.
//!
//! A description is a noun with what says which one is meant, by a name: "the performer of Teak", "Teak's performer",
//! "the town where the Ondle rises", "the company that built Tidd Bridge". The innermost becomes the first step and a
//! variable in the rest of the question; then the rest is read in the same way.

use super::kinship;
use super::token;
use super::{Decompose, Decomposition, MAX_STEPS, Shape, SubQuery, variables};
use crate::question::{Expected, expected};
use banyan_engine::Schema;
use banyan_engine::index::term;
use banyan_engine::llm::LlmError;
use description::{apposed, clause, of_phrase, possessive};
use noun::head_kind;

mod description;
mod noun;

/// Takes English questions apart by rules; any other question stays whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Decompose for Embedded {
    fn decompose(&self, question: &str, names: &[&str], schema: &Schema) -> Result<Decomposition, LlmError> {
        Ok(self.steps(question, names, schema))
    }
}

impl Embedded {
    /// The steps of a question, as [`Decompose::decompose`] gives them; rules cannot fail.
    pub fn steps(self, question: &str, names: &[&str], schema: &Schema) -> Decomposition {
        if !variables(question).is_empty() {
            // Its own marks could not be told from variables.
            return Decomposition::whole(question, schema);
        }
        let mut steps: Vec<SubQuery> = Vec::new();
        let mut rest = kinship::unfolded(question.trim());
        while steps.len() + 1 < MAX_STEPS && !sets_against(&rest) {
            let Some((start, end)) = innermost(&rest, names, schema) else {
                break;
            };
            let mut step = SubQuery::read(&rest[start..end], steps.len(), schema);
            step.expected = head_kind(&rest[start..end], names, schema);
            steps.push(step);
            rest.replace_range(start..end, &format!("#{}", steps.len()));
        }
        let last = SubQuery::read(&rest, steps.len(), schema);
        steps.push(last);
        Decomposition {
            shape: shape(question, &steps),
            steps,
            ..Decomposition::whole(question, schema)
        }
    }
}

/// Words that begin a clause which describes the noun before it.
const RELATIVE: &[&str] = &["that", "where", "which", "who", "whom", "whose", "when"];
/// Words that may follow the name at the end of a clause: its verb and what hangs on it.
const AUXILIARY: &[&str] = &[
    "is", "was", "are", "were", "has", "had", "did", "does", "can", "could", "will",
];
const PREPOSITION: &[&str] = &[
    "at", "by", "for", "from", "in", "into", "near", "of", "on", "to", "under", "with",
];

/// Whether a question sets several things against each other: what it says holds of each of them.
fn sets_against(text: &str) -> bool {
    let plain = format!(" {} ", token::plain(text));
    let opens_with_verb = plain.split_whitespace().next().is_some_and(expected::is_auxiliary);
    plain.contains(" or ") || (opens_with_verb && (plain.contains(" both ") || plain.contains(" same ")))
}

/// The bytes of the shortest description that leaves a question around it.
fn innermost(text: &str, names: &[&str], schema: &Schema) -> Option<(usize, usize)> {
    let tokens = token::tokens(text, names);
    let bytes = |(first, end): (usize, usize)| (tokens[first].span.start as usize, tokens[end - 1].span.end as usize);
    let things = (0..tokens.len()).filter(|at| tokens[*at].is_thing());
    things
        .flat_map(|at| {
            let found = [
                possessive(&tokens, at, schema),
                of_phrase(&tokens, at, schema),
                apposed(&tokens, at, schema),
                clause(&tokens, at),
            ];
            found.into_iter().flatten()
        })
        .map(bytes)
        .filter(|(start, end)| leaves_a_question(text, *start, *end))
        .min_by_key(|(start, end)| (end - start, *start))
}

/// Whether something is asked of the description: there are words outside that are neither small nor empty.
fn leaves_a_question(text: &str, start: usize, end: usize) -> bool {
    let outside = format!("{} {}", &text[..start], &text[end..]).to_lowercase();
    let mut words = outside.split(|ch: char| !ch.is_alphanumeric() && ch != '#');
    words.any(|word| !word.is_empty() && !term::is_stop_word(word) && !matches!(word, "name" | "called" | "s"))
}

/// How the steps of a question work together.
pub(super) fn shape(question: &str, steps: &[SubQuery]) -> Shape {
    let plain = format!(" {} ", token::plain(question));
    let expected = steps.last().map(|step| step.expected);
    match expected {
        Some(Expected::YesNo) => Shape::YesNo,
        _ if plain.contains(" or ") => Shape::Comparison,
        _ if plain.starts_with(" how many ") && steps.len() == 1 => Shape::Count,
        _ if steps.len() > 1 => Shape::Bridge,
        _ => Shape::Single,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, names: &[&str], expected: &[&str]) {
        let schema = Schema::general().unwrap();
        let decomposition = Embedded.steps(question, names, &schema);
        let texts: Vec<&str> = decomposition.steps.iter().map(|step| step.text.as_str()).collect();
        assert_eq!(texts, expected, "{question}");
        for (position, step) in decomposition.steps.iter().enumerate() {
            assert!(step.depends_on.iter().all(|needed| *needed <= position), "{question}");
        }
    }

    #[test]
    fn the_innermost_description_comes_first() {
        check(
            "Who is the spouse of the performer of Teak Nights?",
            &[],
            &["the performer of Teak Nights", "Who is the spouse of #1?"],
        );
        check(
            "When did the wife of Teak Nights's director die?",
            &[],
            &["Teak Nights's director", "the wife of #1", "When did #2 die?"],
        );
        check(
            "What is the population of the county where the town of Tidd is located?",
            &[],
            &[
                "the county where the town of Tidd is located",
                "What is the population of #1?",
            ],
        );
        check(
            "Who founded the company that built Tidd Bridge in 1901?",
            &[],
            &["the company that built Tidd Bridge in 1901", "Who founded #1?"],
        );
    }

    #[test]
    fn a_name_that_the_corpus_knows_is_one_name() {
        check(
            "Where was the author of The boats that left born?",
            &["The boats that left"],
            &["the author of The boats that left", "Where was #1 born?"],
        );
    }

    #[test]
    fn what_has_no_nested_description_stays_whole() {
        for question in [
            "",
            "Who led Tidd?",
            "Which is older, Tidd Bridge or Ansay Pier?",
            "塔在哪里？",
            "🦀🦀 #1 #9 '; DROP TABLE",
        ] {
            check(question, &[], &[question]);
        }
    }

    #[test]
    fn steps_know_what_they_ask_for() {
        let schema = Schema::general().unwrap();
        let decomposition = Embedded.steps("Who is the spouse of the performer of Teak?", &[], &schema);
        let person = Expected::Entity(schema.type_id("person").unwrap());
        let kinds: Vec<Expected> = decomposition.steps.iter().map(|step| step.expected).collect();
        assert_eq!(kinds, [person, person]);
        assert_eq!(
            decomposition.steps[1].filled(&[Some("Mara Voss")]),
            "Who is the spouse of Mara Voss?"
        );
        assert_eq!(decomposition.steps[1].depends_on, [1]);
        assert_eq!(decomposition.shape, Shape::Bridge);
    }
}
