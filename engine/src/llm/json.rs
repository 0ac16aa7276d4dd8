//! Tolerant JSON: every value in a model's reply, whatever stands around it and however it is written.
//!
//! One pass over at most [`MAX_BYTES`]; nesting beyond [`MAX_DEPTH`] is read over, so neither size nor depth can cost more
//! than a constant times the length. Valid JSON is read exactly. What is written wrongly is repaired where it has one
//! likely meaning, and counted as [`DefectKind::Syntax`]. Where the text breaks off, complete values are kept and the item
//! that was open is dropped.

use super::lexeme::{Lexeme, Scanner};
use crate::stated::{Defect, DefectKind};
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;

/// Longest reply that is read, in bytes; arbitrary, sixty times the longest that is asked for. The rest is cut off.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// Deepest nesting that is kept; arbitrary, four times what any reply that is asked for needs.
pub(super) const MAX_DEPTH: usize = 32;
/// How many starts are tried where the first gives nothing; arbitrary. It keeps the cost linear.
const MAX_STARTS: usize = 8;
/// Tags in which models think aloud.
const THINKING: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// What a text holds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Its values, in order.
    pub(super) values: Vec<Value>,
    /// Repairs, one a kind; what was left out.
    pub(super) defects: Vec<Defect>,
    /// Whether the text ends within the last value.
    pub(super) is_cut: bool,
    /// The key of the outermost object under which it ends.
    pub(super) cut_key: Option<String>,
}

/// Repairs by what was repaired.
#[derive(Debug, Default)]
pub(super) struct Repairs(BTreeMap<&'static str, u64>);

impl Repairs {
    /// Counts one.
    pub(super) fn note(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    /// Looks at text outside any value: white space is free, fences and prose count.
    fn note_outside(&mut self, text: &str) {
        for (n, piece) in text.split("```").enumerate() {
            let word = piece.trim();
            let is_language = n > 0 && word.len() <= 10 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if n > 0 {
                self.note("code fence");
            }
            if !word.is_empty() && !is_language {
                self.note("text around the JSON");
            }
        }
    }
}

/// Every value in the text. Cost O(length).
pub(super) fn read(text: &str) -> Found {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut reader = Reader::default();
    let mut found = Found::default();
    let answer = after_thinking(&text[..end], &mut reader.repairs);
    let mut at = 0;
    while let Some(start) = start_of_value(answer, at) {
        reader.repairs.note_outside(&answer[at..start]);
        let mut scanner = Scanner::new(answer, start);
        let first = scanner.next(false, &mut reader.repairs);
        reader.is_cut = false;
        found.values.extend(reader.value(first, &mut scanner));
        found.is_cut |= reader.is_cut;
        at = scanner.at;
    }
    if found.values.len() > 1 {
        reader.repairs.note("several values");
    }
    reader.repairs.note_outside(&answer[at..]);
    let syntax = reader.repairs.0.iter();
    let syntax = syntax.map(|(what, n)| Defect::new(DefectKind::Syntax, format!("{n} × {what}")));
    found.defects.extend(syntax);
    if reader.n_too_deep > 0 {
        let detail = format!("{} values", reader.n_too_deep);
        found.defects.push(Defect::new(DefectKind::TooDeep, detail));
    }
    if end < text.len() {
        let detail = format!("{} bytes beyond the first {MAX_BYTES}", text.len() - end);
        found.defects.push(Defect::new(DefectKind::TooLong, detail));
    }
    found.cut_key = reader.cut_key;
    found
}

/// Where objects begin that a bracket in the prose before them may have hidden.
pub(super) fn fresh_starts(text: &str) -> impl Iterator<Item = usize> {
    let is_object = |at: &usize| text[at + 1..].trim_start().starts_with(['"', '\'', '“']);
    let starts = text.match_indices('{').map(|(at, _)| at);
    starts.filter(is_object).take(MAX_STARTS)
}

/// The text behind a block of thoughts; nothing if the reply ends before the thoughts do.
fn after_thinking<'t>(text: &'t str, repairs: &mut Repairs) -> &'t str {
    let trimmed = text.trim_start().trim_start_matches('\u{feff}');
    if trimmed.starts_with(['{', '[']) {
        return trimmed;
    }
    for tag in THINKING {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let start = trimmed.get(..open.len());
        let is_open = start.is_some_and(|start| start.eq_ignore_ascii_case(&open));
        let rest = match trimmed.find(&close).map(|at| &trimmed[at + close.len()..]) {
            // A server may keep the opening tag to itself.
            Some(rest) if is_open || rest.contains(['{', '[']) => rest,
            None if is_open => "",
            _ => continue,
        };
        repairs.note("thoughts before the answer");
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

/// Reads values by descent; the depth is bounded, so the stack is.
#[derive(Default)]
struct Reader {
    repairs: Repairs,
    /// The closing brackets that are still to come, outermost first.
    open: Vec<char>,
    /// Brackets of `open` that a bracket further out has closed already.
    n_closed: usize,
    n_too_deep: usize,
    is_cut: bool,
    cut_key: Option<String>,
}

impl Reader {
    /// The value that begins with this piece; `None` where the text ends within it or it is no value.
    fn value(&mut self, first: Lexeme<'_>, scanner: &mut Scanner<'_>) -> Option<Value> {
        match first {
            Lexeme::Open(_) if self.open.len() == MAX_DEPTH => {
                self.n_too_deep += 1;
                self.read_over(scanner);
                Some(Value::Null)
            }
            Lexeme::Open(close) => {
                self.open.push(close);
                let value = match close {
                    '}' => self.object(scanner),
                    _ => self.list(scanner),
                };
                self.open.pop();
                Some(value)
            }
            Lexeme::Text(text) => Some(Value::String(text)),
            Lexeme::Word(word) => Some(self.bare(word)),
            Lexeme::End => {
                self.is_cut = true;
                None
            }
            Lexeme::Close(_) | Lexeme::Comma | Lexeme::Colon => None,
        }
    }

    fn list(&mut self, scanner: &mut Scanner<'_>) -> Value {
        let mut items = Vec::new();
        let mut wants_comma = false;
        loop {
            match scanner.next(false, &mut self.repairs) {
                Lexeme::Close(bracket) if self.closes(bracket) => {
                    if !wants_comma && !items.is_empty() {
                        self.repairs.note("comma");
                    }
                    return Value::Array(items);
                }
                Lexeme::Close(_) => {}
                Lexeme::Comma if wants_comma => wants_comma = false,
                Lexeme::Comma => self.repairs.note("comma"),
                Lexeme::Colon => self.repairs.note("colon"),
                first => {
                    if wants_comma && first != Lexeme::End {
                        self.repairs.note("comma");
                    }
                    let item = self.value(first, scanner);
                    // An item within which the text ends is kept where it holds complete items of its own.
                    items.extend(item.filter(|item| !self.is_cut || holds_containers(item)));
                    wants_comma = true;
                    if self.is_done() {
                        return Value::Array(items);
                    }
                }
            }
        }
    }

    fn object(&mut self, scanner: &mut Scanner<'_>) -> Value {
        let mut entries = Map::new();
        let mut wants_comma = false;
        loop {
            let key = match scanner.next(true, &mut self.repairs) {
                Lexeme::Close(bracket) if self.closes(bracket) => {
                    if !wants_comma && !entries.is_empty() {
                        self.repairs.note("comma");
                    }
                    return Value::Object(entries);
                }
                Lexeme::Comma if wants_comma => {
                    wants_comma = false;
                    continue;
                }
                Lexeme::Comma => {
                    self.repairs.note("comma");
                    continue;
                }
                Lexeme::Close(_) => continue,
                Lexeme::Colon => {
                    self.repairs.note("colon");
                    continue;
                }
                Lexeme::Text(key) => key,
                Lexeme::Word(word) => {
                    self.repairs.note("quotation mark");
                    word.to_owned()
                }
                Lexeme::End => {
                    self.is_cut = true;
                    return Value::Object(entries);
                }
                open @ Lexeme::Open(_) => {
                    // A value without a key has no place.
                    self.repairs.note("colon");
                    self.value(open, scanner);
                    if self.is_done() {
                        return Value::Object(entries);
                    }
                    continue;
                }
            };
            if wants_comma {
                self.repairs.note("comma");
            }
            wants_comma = true;
            let value = self.entry(&key, scanner);
            let is_lost = self.is_cut && value.as_ref().is_none_or(|value| !is_container(value));
            if !is_lost && entries.insert(key, value.unwrap_or_default()).is_some() {
                self.repairs.note("repeated key");
            }
            if self.is_done() {
                return Value::Object(entries);
            }
        }
    }

    /// The value behind a key; `None` where there is none.
    fn entry(&mut self, key: &str, scanner: &mut Scanner<'_>) -> Option<Value> {
        let mut next = scanner.next(false, &mut self.repairs);
        if next == Lexeme::Colon {
            next = scanner.next(false, &mut self.repairs);
        } else if next != Lexeme::End {
            self.repairs.note("colon");
        }
        let value = match next {
            Lexeme::Comma => None,
            Lexeme::Close(bracket) => {
                // It closes this object or one further out; the caller is to see it again.
                scanner.at -= bracket.len_utf8();
                None
            }
            next => self.value(next, scanner),
        };
        if self.is_cut && self.open.len() == 1 {
            self.cut_key.get_or_insert_with(|| key.to_owned());
        }
        value
    }

    /// Whether a closing bracket closes the innermost container; one that closes a container further out closes this one,
    /// too, and all between them. One that closes nothing is passed over.
    fn closes(&mut self, bracket: char) -> bool {
        let Some(depth) = self.open.iter().rposition(|open| *open == bracket) else {
            self.repairs.note("bracket");
            return false;
        };
        self.n_closed = self.open.len() - 1 - depth;
        for _ in 0..self.n_closed {
            self.repairs.note("bracket");
        }
        true
    }

    /// Whether the container around the value that was just read has ended with it.
    fn is_done(&mut self) -> bool {
        let is_closed = self.n_closed > 0;
        self.n_closed = self.n_closed.saturating_sub(1);
        is_closed || self.is_cut
    }

    /// Moves behind the container that was just opened.
    fn read_over(&mut self, scanner: &mut Scanner<'_>) {
        let mut n_open = 1_usize;
        while n_open > 0 {
            match scanner.next(false, &mut self.repairs) {
                Lexeme::Open(_) => n_open += 1,
                Lexeme::Close(_) => n_open -= 1,
                Lexeme::End => {
                    self.is_cut = true;
                    return;
                }
                _ => {}
            }
        }
    }

    /// A word without quotation marks: a literal, a number, or a text whose marks are missing.
    fn bare(&mut self, word: &str) -> Value {
        if let Some(meaning) = literal(word) {
            if !matches!(word, "true" | "false" | "null") {
                self.repairs.note("literal");
            }
            return meaning;
        }
        if let Ok(number) = word.parse::<Number>() {
            return Value::Number(number);
        }
        self.repairs.note("quotation mark");
        Value::String(word.to_owned())
    }
}

fn is_container(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn holds_containers(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_container),
        Value::Object(entries) => entries.values().any(is_container),
        _ => false,
    }
}

/// The literals of JSON and of the languages that models mix it up with.
pub(super) fn literal(word: &str) -> Option<Value> {
    match word {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        "null" | "None" | "NULL" | "nil" | "undefined" | "NaN" | "nan" | "Infinity" | "-Infinity" => Some(Value::Null),
        _ => None,
    }
}
