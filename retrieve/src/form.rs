//! One reading of a question against a knowledge, which reader, comparison, agent and answer go by.

use crate::decompose::{Decomposition, Embedded};
use crate::question::{Expected, Question};
use crate::searcher::Searcher;
use banyan_engine::index::term;
use comparison::{Alternative, Scale};

pub(crate) mod comparison;

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
            names,
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

    /// Whether it is decided by comparing things rather than read from a passage.
    pub fn is_decided(&self) -> bool {
        self.expected == Expected::YesNo || self.is_choice
    }
}

/// Whether a word of a question, written as a name, stands in no passage. The first word is written so anyway.
fn is_foreign(searcher: &Searcher, question: &str) -> bool {
    let words = question
        .split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let names = words.skip(1).filter(|word| word.starts_with(char::is_uppercase));
    let mut terms = names.flat_map(term::terms);
    terms.any(|term| searcher.passages().document_frequency(&term) == 0)
}
