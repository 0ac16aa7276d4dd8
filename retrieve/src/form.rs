//! One reading of a question against a knowledge, which reader, comparison, agent and answer go by.

use crate::decompose::{Decomposition, Embedded};
use crate::level;
use crate::question::{Expected, Question};
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_engine::{Schema, Span, name};
use banyan_extract::literal::literals;
use banyan_extract::stem::stem;
use comparison::{Alternative, Scale};

pub(crate) mod comparison;

/// Words from a number to the noun that it counts: "1,000 head of fine cattle". Arbitrary.
const MAX_COUNTED: usize = 5;

/// What a question asks of a knowledge.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionForm {
    /// The kind of answer.
    pub expected: Expected,
    /// The names in it that the corpus knows, as they stand there, from left to right.
    pub names: Vec<String>,
    /// Its sub-questions; it is its own only one where nothing in it is described by something else.
    pub decomposition: Decomposition,
    /// Whether it names something that no passage names.
    pub is_foreign: bool,
    /// Stems of what it asks of the names in it: of "When did Mara Voss *die*?".
    pub(crate) asked: Vec<String>,
    /// The term of what it asks the number of: "how many *horses*".
    pub(crate) counted: Option<String>,
    /// The kind of place that it asks for, of those that lie in each other: "in which *county*".
    pub(crate) level: Option<String>,
    /// Whether it asks for one of two things.
    pub(crate) is_choice: bool,
    /// What it sets against each other, where it asks for a choice or for yes or no.
    pub(crate) alternatives: Vec<Alternative>,
    /// What they are compared by, and whether the smallest is asked for.
    pub(crate) scale: Option<(Scale, bool)>,
}

impl QuestionForm {
    /// Reads a question. Cost O(words · words of the schema's phrases).
    pub fn read(searcher: &Searcher, question: &Question) -> Self {
        let (text, schema) = (question.text.as_str(), &searcher.knowledge().schema);
        let expected = Expected::of(text, schema);
        let is_choice = comparison::is_choice(text);
        let compares = is_choice || expected == Expected::YesNo;
        let names = searcher.names_in(text);
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        Self {
            expected,
            decomposition: Embedded.steps(text, &known, schema),
            asked: asked(text, &names),
            names,
            counted: counted(text, schema),
            level: level::asked(text, searcher),
            is_foreign: is_foreign(searcher, text),
            is_choice,
            alternatives: if compares {
                comparison::alternatives(searcher, text)
            } else {
                Vec::new()
            },
            scale: comparison::scale(text),
        }
    }

    /// Whether a text may say what is asked for: it has one of the words that ask it, a number where one is asked for, and
    /// where things are counted, right before them.
    pub(crate) fn may_be_said_by(&self, text: &str) -> bool {
        let words = stems(text);
        if !self.asked.is_empty() && !self.asked.iter().any(|asked| words.contains(asked)) {
            return false;
        }
        if self.expected != Expected::Number {
            return true;
        }
        let numbers = literals(text, Span::new(0, text.len())).into_iter();
        let mut numbers = numbers.filter(|literal| literal.serves(ValueKind::Number));
        let Some(counted) = &self.counted else {
            return numbers.next().is_some();
        };
        numbers.any(|number| {
            // A quantity takes its unit along.
            let counts = &text[number.span.start as usize..];
            let words = name::words(counts).take(MAX_COUNTED);
            words.flat_map(term::terms).any(|term| term == *counted)
        })
    }

    /// Whether it is decided by comparing things rather than read from a passage.
    pub fn is_decided(&self) -> bool {
        self.expected == Expected::YesNo || self.is_choice
    }
}

/// The stems of a text's words, without stop words.
pub(crate) fn stems(text: &str) -> Vec<String> {
    let words = name::words(text).map(str::to_lowercase);
    let telling = words.filter(|word| !term::is_stop_word(word));
    telling.map(|word| stem(&word)).collect()
}

/// The stems of a question between spaces outside the names in it.
fn asked(question: &str, names: &[String]) -> Vec<String> {
    if question.contains(term::is_ideograph) {
        return Vec::new();
    }
    let rest = names
        .iter()
        .fold(question.to_owned(), |rest, name| rest.replace(name, " "));
    stems(&rest)
}

/// The term of the noun after "how many".
fn counted(question: &str, schema: &Schema) -> Option<String> {
    let counts = question.to_lowercase().contains("how many ");
    let noun = counts.then(|| Expected::noun(question, schema)).flatten()?;
    term::terms(&noun).pop()
}

/// Whether a word of a question, written as a name, stands in no passage. The first word is written so anyway.
fn is_foreign(searcher: &Searcher, question: &str) -> bool {
    let words = question
        .split_whitespace()
        .map(|word| word.trim_start_matches(|ch: char| !ch.is_alphanumeric()));
    let names = words.skip(1).filter(|word| word.starts_with(char::is_uppercase));
    let mut terms = names.flat_map(term::terms);
    terms.any(|term| searcher.passages().document_frequency(&term) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_has_a_number_before_it() {
        let schema = Schema::general().unwrap();
        let check = |question: &str, text: &str, expected| {
            let form = QuestionForm {
                expected: Expected::Number,
                names: Vec::new(),
                asked: Vec::new(),
                decomposition: Decomposition::whole(question, &schema),
                counted: counted(question, &schema),
                level: None,
                is_foreign: false,
                is_choice: false,
                alternatives: Vec::new(),
                scale: None,
            };
            assert_eq!(form.may_be_said_by(text), expected, "{question} {text}");
        };
        check("How many horses did Mara own?", "She kept 12 young horses.", true);
        check("How many horses did Mara own?", "Her horses ran 150 miles.", false);
        check("How long is it?", "It is 150 miles long.", true);
        check("How long is it?", "It is very long.", false);
        check("How many piers has Tidd?", "Of the piers nobody knows.", false);
    }
}
