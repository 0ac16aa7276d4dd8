//! Tolerant JSON: every value in a model's reply, whatever stands around it and however it is written.
//!
//! One pass over at most [`MAX_BYTES`]; nesting beyond [`MAX_DEPTH`] is read over, so neither size nor depth can cost
//! more than a constant times the length. Valid JSON is read exactly. What is written wrongly is repaired where it has
//! one likely meaning, and counted as [`DefectKind::Syntax`]. Where the text breaks off, complete values are kept and
//! the item that was open is dropped.

mod marks;

use crate::stated::{Defect, DefectKind};
use marks::{closers, is_blank, is_end_of_value, literal};
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;

/// Longest reply that is read, in bytes; arbitrary, sixty times the longest that is asked for. The rest is cut off.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// Deepest nesting that is kept; arbitrary, four times what any reply that is asked for needs.
const MAX_DEPTH: usize = 32;
/// How many starts are tried where the first gives nothing; arbitrary. It keeps the cost linear.
const MAX_STARTS: usize = 8;
/// Ends of what models think aloud.
const THINKING: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
];

/// What a text holds.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) values: Vec<Value>,
    /// Repairs, one a kind; what was left out.
    pub(super) defects: Vec<Defect>,
    /// Whether the text ends within the last value.
    pub(super) is_cut: bool,
    /// The key of the outermost object under which it ends.
    pub(super) cut_key: Option<String>,
}

/// Every value in the text. Cost O(length).
pub(super) fn read(text: &str) -> Found {
    let end = text.floor_char_boundary(MAX_BYTES);
    let mut reader = Reader::default();
    reader.text = reader.after_thinking(&text[..end]);
    let mut found = Found::default();
    while let Some(start) = reader.rest().find(['{', '[']) {
        reader.note_outside(reader.at + start);
        reader.is_cut = false;
        found.values.extend(reader.value());
        found.is_cut |= reader.is_cut;
    }
    if found.values.len() > 1 {
        reader.note("several values");
    }
    reader.note_outside(reader.text.len());
    let syntax = reader.repairs.iter();
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

/// Reads values by descent; the depth is bounded, so the stack is. Every step moves forward, and looks ahead over white
/// space and one bare key at most.
#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Repairs by what was repaired.
    repairs: BTreeMap<&'static str, u64>,
    /// The closing brackets that are still to come, outermost first.
    open: Vec<char>,
    /// Brackets of `open` that a bracket further out has closed already.
    n_closed: usize,
    n_too_deep: usize,
    is_cut: bool,
    cut_key: Option<String>,
}

impl<'t> Reader<'t> {
    fn note(&mut self, what: &'static str) {
        *self.repairs.entry(what).or_default() += 1;
    }

    /// Looks at the text between values, up to `end`: white space is free, fences and prose count.
    fn note_outside(&mut self, end: usize) {
        for (n, piece) in self.text[self.at.min(end)..end].split("```").enumerate() {
            let word = piece.trim();
            let is_language = n > 0 && word.len() <= 10 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if n > 0 {
                self.note("code fence");
            }
            if !word.is_empty() && !is_language {
                self.note("text around the JSON");
            }
        }
        self.at = end;
    }

    /// The text behind a block of thoughts; nothing if the reply ends before the thoughts do.
    fn after_thinking(&mut self, text: &'t str) -> &'t str {
        let trimmed = text.trim_start().trim_start_matches('\u{feff}');
        if trimmed.starts_with(['{', '[']) {
            return trimmed;
        }
        for (open, close) in THINKING {
            let start = trimmed.get(..open.len());
            let is_open = start.is_some_and(|start| start.eq_ignore_ascii_case(open));
            let rest = match trimmed.find(close).map(|at| &trimmed[at + close.len()..]) {
                // A server may keep the opening tag to itself.
                Some(rest) if is_open || rest.contains(['{', '[']) => rest,
                None if is_open => "",
                _ => continue,
            };
            self.note("thoughts before the answer");
            return rest;
        }
        trimmed
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The next character that is not white space, or `None` where the text or its fence ends.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest().trim_start_matches(is_blank);
        self.at = self.text.len() - rest.len();
        rest.chars().next().filter(|_| !rest.starts_with("```"))
    }

    /// The value that stands here; `None` where the text ends within it or there is none.
    fn value(&mut self) -> Option<Value> {
        match self.peek() {
            None => {
                self.is_cut = true;
                None
            }
            Some(bracket @ ('{' | '[')) => {
                self.at += 1;
                if self.open.len() == MAX_DEPTH {
                    self.n_too_deep += 1;
                    self.read_over();
                    return Some(Value::Null);
                }
                self.open.push(if bracket == '{' { '}' } else { ']' });
                let value = if bracket == '{' { self.object() } else { self.list() };
                self.open.pop();
                Some(value)
            }
            Some('}' | ']' | ',' | ':') => None,
            Some(mark) if !closers(mark).is_empty() => self.quoted(mark, false).map(Value::String),
            Some(_) => self.word(false).map(|word| self.bare(word)),
        }
    }

    /// Moves to the next entry of the container that is being read; false where there is none. `n` were there before.
    fn has_next(&mut self, n: usize) -> bool {
        let mut wants_comma = n > 0;
        loop {
            match self.peek() {
                None => {
                    self.is_cut = true;
                    return false;
                }
                Some(',') => {
                    if !std::mem::take(&mut wants_comma) {
                        self.note("comma");
                    }
                }
                Some(':') => self.note("colon"),
                Some(bracket @ ('}' | ']')) => {
                    if self.closes(bracket) {
                        if n > 0 && !wants_comma {
                            self.note("comma");
                        }
                        self.at += 1;
                        return false;
                    }
                }
                Some(_) => {
                    if wants_comma {
                        self.note("comma");
                    }
                    return true;
                }
            }
            self.at += 1;
        }
    }

    fn list(&mut self) -> Value {
        let mut items = Vec::new();
        let mut n = 0;
        while self.has_next(n) {
            n += 1;
            let item = self.value();
            // An item within which the text ends is kept where it holds complete items of its own.
            items.extend(item.filter(|item| !self.is_cut || holds_containers(item)));
            if self.is_done() {
                break;
            }
        }
        Value::Array(items)
    }

    fn object(&mut self) -> Value {
        let mut entries = Map::new();
        let mut n = 0;
        while self.has_next(n) {
            n += 1;
            let key = match self.peek() {
                Some(mark) if !closers(mark).is_empty() => self.quoted(mark, true),
                Some('{' | '[') => {
                    // A value without a key has no place.
                    self.note("colon");
                    self.value();
                    if self.is_done() {
                        break;
                    }
                    continue;
                }
                _ => {
                    self.note("quotation mark");
                    self.word(true).map(str::to_owned)
                }
            };
            let Some(key) = key else { break };
            match self.peek() {
                Some(':') => self.at += 1,
                Some(_) => self.note("colon"),
                None => {}
            }
            let value = self.value();
            if self.is_cut && self.open.len() == 1 {
                self.cut_key.get_or_insert_with(|| key.clone());
            }
            let is_lost = self.is_cut && !value.as_ref().is_some_and(is_container);
            if !is_lost && entries.insert(key, value.unwrap_or_default()).is_some() {
                self.note("repeated key");
            }
            if self.is_done() {
                break;
            }
        }
        Value::Object(entries)
    }

    /// Whether a closing bracket closes the innermost container; one that closes a container further out closes this one,
    /// too, and all between them. One that closes nothing is passed over.
    fn closes(&mut self, bracket: char) -> bool {
        let Some(depth) = self.open.iter().rposition(|open| *open == bracket) else {
            self.note("bracket");
            return false;
        };
        self.n_closed = self.open.len() - 1 - depth;
        for _ in 0..self.n_closed {
            self.note("bracket");
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
    fn read_over(&mut self) {
        let mut n_open = 1_usize;
        while n_open > 0 {
            match self.peek() {
                None => {
                    self.is_cut = true;
                    return;
                }
                Some('{' | '[') => n_open += 1,
                Some('}' | ']') => n_open -= 1,
                Some(mark) if !closers(mark).is_empty() => {
                    self.quoted(mark, false);
                    continue;
                }
                Some(ch) => {
                    self.at += ch.len_utf8();
                    continue;
                }
            }
            self.at += 1;
        }
    }

    /// A text in quotation marks; `None` where it does not end. A mark inside that cannot be its end is part of it.
    fn quoted(&mut self, open: char, is_key: bool) -> Option<String> {
        if open != '"' {
            self.note("quotation mark");
        }
        self.at += open.len_utf8();
        let mut content = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.find(|ch| ch == '\\' || closers(open).contains(&ch));
            let plain = plain.unwrap_or(rest.len());
            content.push_str(&rest[..plain]);
            self.at += plain;
            let Some(mark) = self.rest().chars().next() else {
                self.is_cut = true;
                return None;
            };
            self.at += mark.len_utf8();
            if mark == '\\' {
                self.escape(&mut content);
            } else if is_key || is_end_of_value(self.rest()) {
                return Some(content);
            } else {
                self.note("quotation mark inside a text");
                content.push(mark);
            }
        }
    }

    /// What stands behind a backslash.
    fn escape(&mut self, content: &mut String) {
        let Some(ch) = self.rest().chars().next() else {
            return;
        };
        self.at += ch.len_utf8();
        content.push(match ch {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            '"' | '\\' | '/' => ch,
            'u' => self.code_point(),
            _ => {
                self.note("escape");
                ch
            }
        });
    }

    /// Four hexadecimal digits, or twice four for a pair of surrogates; a replacement character for anything else.
    fn code_point(&mut self) -> char {
        let mut units: Vec<u16> = self.hex4().into_iter().collect();
        if let [0xd800..0xdc00] = units[..]
            && self.rest().starts_with("\\u")
        {
            self.at += 2;
            units.extend(self.hex4());
        }
        let decoded = char::decode_utf16(units).next().and_then(Result::ok);
        decoded.unwrap_or_else(|| {
            self.note("escape");
            char::REPLACEMENT_CHARACTER
        })
    }

    fn hex4(&mut self) -> Option<u16> {
        let digits = self.rest().get(..4)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let unit = u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
        self.at += 4;
        Some(unit)
    }

    /// Characters up to the next that ends a bare word; `None` where the text ends in it, as that may be half of one.
    fn word(&mut self, is_key: bool) -> Option<&'t str> {
        let rest = self.rest();
        let ends = |ch: char| matches!(ch, ',' | '{' | '}' | '[' | ']' | '"' | '\n') || (is_key && ch == ':');
        let Some(length) = rest.find(ends) else {
            self.at = self.text.len();
            self.is_cut = true;
            return None;
        };
        self.at += length;
        Some(rest[..length].trim_end_matches(is_blank))
    }

    /// A word without quotation marks: a literal, a number, or a text whose marks are missing.
    fn bare(&mut self, word: &str) -> Value {
        if let Some(meaning) = literal(word) {
            if !matches!(word, "true" | "false" | "null") {
                self.note("literal");
            }
            return meaning;
        }
        if let Ok(number) = word.parse::<Number>() {
            return Value::Number(number);
        }
        self.note("quotation mark");
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
