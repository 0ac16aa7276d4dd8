//! Relative clauses that stand behind the verb: "Where did the band form that made Teak?".

use super::super::token::{self, Kind};
use super::noun::is_head;
use super::{AUXILIARY, PREPOSITION, RELATIVE};
use banyan_engine::Schema;
use banyan_engine::index::term;

/// Words that open such a clause.
const OPENERS: &[&str] = &["who", "that", "which"];

/// A question with such a clause put beside its noun: "Where did the band that made Teak form?". Else the question as it is.
pub(super) fn straightened(question: &str, names: &[&str], schema: &Schema) -> String {
    let tokens = token::tokens(question, names);
    let is_word = |at: usize| tokens[at].kind == Kind::Word;
    let is_verb = |at: usize| {
        let lower = tokens[at].text.to_lowercase();
        let is_other = tokens[at].is_of(PREPOSITION) || tokens[at].is_of(RELATIVE) || term::is_stop_word(&lower);
        is_word(at) && !is_other && !is_head(&lower, schema)
    };
    let opener = (4..tokens.len()).find(|at| {
        tokens[*at].is_of(OPENERS)
            && is_verb(at - 1)
            && is_word(at - 2)
            && is_head(tokens[at - 2].text, schema)
            && tokens[at - 3].is_of(&["the"])
            && tokens[at - 4].is_of(AUXILIARY)
    });
    let Some(opener) = opener else {
        return question.to_owned();
    };
    let verb = &tokens[opener - 1];
    let end = question.trim_end_matches(['?', '.', ' ']).len();
    let clause = question[tokens[opener].span.start as usize..end].trim();
    format!("{}{clause} {}?", &question[..verb.span.start as usize], verb.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_behind_the_verb_goes_to_its_noun() {
        let schema = Schema::general().unwrap();
        let check = |question, expected| assert_eq!(straightened(question, &[], &schema), expected);
        check(
            "Where did the band form that made the album Teak?",
            "Where did the band that made the album Teak form?",
        );
        check(
            "To whom was the engineer apprenticed who designed Tidd Bridge?",
            "To whom was the engineer who designed Tidd Bridge apprenticed?",
        );
        let straight = "Where did the band that made Teak form?";
        check(straight, straight);
    }
}
