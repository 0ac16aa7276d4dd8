//! Tolerant JSON: every value of a text, whatever stands around it and however it is written.
//!
//! One pass with an explicit stack. A container beyond [`MAX_DEPTH`] is read over. Valid JSON is read exactly.

use super::builder::Builder;
use super::lexeme::{Lexeme, Scanner, literal};
use super::repair::{Repair, Repairs};
use super::value::Value;

/// Deepest nesting that is kept; arbitrary, four times what any known shape needs.
pub(super) const MAX_DEPTH: usize = 32;
/// How many starts are tried where the first gives nothing; arbitrary. It keeps the cost linear.
const MAX_STARTS: usize = 8;
/// Tags in which models think aloud.
const THINKING: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// Every value in the text, in order. Cost O(length).
pub(super) fn values(text: &str, repairs: &mut Repairs) -> Vec<Value> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = start_of_value(text, at) {
        repairs.note_outside(&text[at..start]);
        let mut scanner = Scanner { text, at: start };
        found.push(value(&mut scanner, repairs));
        at = scanner.at;
    }
    repairs.note_outside(&text[at..]);
    if found.len() > 1 {
        repairs.note(Repair::Several);
    }
    found
}

/// Where objects begin that a bracket in the prose before them may have hidden.
pub(super) fn fresh_starts(text: &str) -> impl Iterator<Item = usize> {
    let is_object = |at: &usize| text[at + 1..].trim_start().starts_with(['"', '\'', '“']);
    let starts = text.match_indices('{').map(|(at, _)| at);
    starts.filter(is_object).take(MAX_STARTS)
}

/// The text behind a block of thoughts; nothing if the reply ends before the thoughts do.
pub(super) fn after_thinking<'t>(text: &'t str, repairs: &mut Repairs) -> &'t str {
    let trimmed = text.trim_start().trim_start_matches('\u{feff}');
    if trimmed.starts_with(['{', '[']) {
        return trimmed;
    }
    for tag in THINKING {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let is_open = trimmed
            .get(..open.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(&open));
        let end = trimmed.find(&close).map(|at| &trimmed[at + close.len()..]);
        let rest = match end {
            // A server may keep the opening tag to itself.
            Some(rest) if is_open || rest.contains(['{', '[']) => rest,
            None if is_open => "",
            _ => continue,
        };
        repairs.note(Repair::Thinking);
        return rest;
    }
    trimmed
}

/// The next opening bracket; or the quotation mark that the whole text stands in.
fn start_of_value(text: &str, from: usize) -> Option<usize> {
    let blank = text.len() - text.trim_start().len();
    if from == 0 && text[blank..].starts_with('"') {
        return Some(blank);
    }
    text[from..].find(['{', '[']).map(|at| from + at)
}

/// The value that begins here.
fn value(scanner: &mut Scanner<'_>, repairs: &mut Repairs) -> Value {
    let mut builder = Builder::default();
    loop {
        let value = match scanner.next(builder.wants_key(), repairs) {
            Lexeme::End => return builder.cut(),
            Lexeme::Open(bracket) if builder.depth() < MAX_DEPTH => {
                builder.open(bracket, repairs);
                continue;
            }
            Lexeme::Open(_) => {
                repairs.note_depth();
                read_over(scanner, repairs);
                Value::Null
            }
            Lexeme::Close(bracket) => match builder.close(bracket, repairs) {
                Some(root) => return root,
                None => continue,
            },
            Lexeme::Comma => {
                builder.comma(repairs);
                continue;
            }
            Lexeme::Colon => {
                builder.colon(repairs);
                continue;
            }
            Lexeme::Text(text) => Value::Text(text),
            Lexeme::Word(word) if builder.wants_key() => {
                repairs.note(Repair::Quote);
                Value::Text(word.to_owned())
            }
            Lexeme::Word(word) => bare(word, repairs),
        };
        if builder.depth() == 0 {
            return value;
        }
        builder.put(value, repairs);
    }
}

/// Moves behind the container that was just opened.
fn read_over(scanner: &mut Scanner<'_>, repairs: &mut Repairs) {
    let mut n_open = 1_usize;
    while n_open > 0 {
        match scanner.next(false, repairs) {
            Lexeme::Open(_) => n_open += 1,
            Lexeme::Close(_) => n_open -= 1,
            Lexeme::End => return,
            _ => {}
        }
    }
}

/// A word without quotation marks: a literal, a number, or a text whose marks are missing.
fn bare(word: &str, repairs: &mut Repairs) -> Value {
    if let Some(meaning) = literal(word) {
        if !matches!(word, "true" | "false" | "null") {
            repairs.note(Repair::Literal);
        }
        return meaning;
    }
    let is_number =
        word.starts_with(|ch: char| ch.is_ascii_digit() || "+-.".contains(ch)) && word.parse::<f64>().is_ok();
    if is_number {
        return Value::Number(word.to_owned());
    }
    repairs.note(Repair::Quote);
    Value::Text(word.to_owned())
}
