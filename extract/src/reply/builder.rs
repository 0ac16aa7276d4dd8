//! The containers of a value while it is read, with the marks between its items judged.

use super::lexeme::Bracket;
use super::repair::{Repair, Repairs};
use super::value::Value;
use std::collections::BTreeSet;

/// A container that is open.
enum Frame {
    List(Vec<Value>),
    Object {
        entries: Vec<(String, Value)>,
        key: Option<String>,
        has_colon: bool,
    },
}

impl Frame {
    fn bracket(&self) -> Bracket {
        match self {
            Self::List(_) => Bracket::List,
            Self::Object { .. } => Bracket::Object,
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::List(items) => items.is_empty(),
            Self::Object { entries, .. } => entries.is_empty(),
        }
    }

    /// Adds a finished value.
    fn add(&mut self, value: Value) {
        match self {
            Self::List(items) => items.push(value),
            Self::Object {
                entries,
                key,
                has_colon,
            } => {
                entries.push((key.take().unwrap_or_default(), value));
                *has_colon = false;
            }
        }
    }
}

/// The containers that are open, outermost first.
#[derive(Default)]
pub(super) struct Builder {
    stack: Vec<Frame>,
    /// Whether an item was just finished, so that a comma is due.
    after_item: bool,
}

impl Builder {
    /// How many containers are open.
    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Whether the next piece is a key.
    pub(super) fn wants_key(&self) -> bool {
        matches!(self.stack.last(), Some(Frame::Object { key: None, .. }))
    }

    pub(super) fn open(&mut self, bracket: Bracket, repairs: &mut Repairs) {
        self.begin_item(repairs);
        self.stack.push(match bracket {
            Bracket::List => Frame::List(Vec::new()),
            Bracket::Object => Frame::Object {
                entries: Vec::new(),
                key: None,
                has_colon: false,
            },
        });
    }

    pub(super) fn put(&mut self, value: Value, repairs: &mut Repairs) {
        self.begin_item(repairs);
        match (self.stack.last_mut(), value) {
            (Some(Frame::Object { key: key @ None, .. }), Value::Text(text)) => *key = Some(text),
            (Some(frame), value) => {
                frame.add(value);
                self.after_item = true;
            }
            (None, _) => {}
        }
    }

    /// Notes the comma or the colon that is missing before a value.
    fn begin_item(&mut self, repairs: &mut Repairs) {
        if self.after_item {
            repairs.note(Repair::Comma);
        }
        if let Some(Frame::Object {
            key: Some(_),
            has_colon: false,
            ..
        }) = self.stack.last()
        {
            repairs.note(Repair::Colon);
        }
        self.after_item = false;
    }

    pub(super) fn comma(&mut self, repairs: &mut Repairs) {
        if let Some(frame @ Frame::Object { key: Some(_), .. }) = self.stack.last_mut() {
            repairs.note(Repair::Colon);
            frame.add(Value::Null);
        } else if !self.after_item {
            repairs.note(Repair::Comma);
        }
        self.after_item = false;
    }

    pub(super) fn colon(&mut self, repairs: &mut Repairs) {
        match self.stack.last_mut() {
            Some(Frame::Object {
                key: Some(_),
                has_colon,
                ..
            }) if !*has_colon => *has_colon = true,
            _ => repairs.note(Repair::Colon),
        }
    }

    /// Closes the innermost container of this kind, and those within it that were left open. The root if it is that one.
    pub(super) fn close(&mut self, bracket: Bracket, repairs: &mut Repairs) -> Option<Value> {
        let Some(depth) = self.stack.iter().rposition(|frame| frame.bracket() == bracket) else {
            repairs.note(Repair::Bracket);
            return None;
        };
        let is_trailing = !self.after_item && self.stack.last().is_some_and(|frame| !frame.is_empty());
        let is_pending = matches!(self.stack.last(), Some(Frame::Object { key: Some(_), .. }));
        if is_trailing && !is_pending {
            repairs.note(Repair::Comma);
        }
        while self.stack.len() > depth {
            if self.stack.len() > depth + 1 {
                repairs.note(Repair::Bracket);
            }
            let root = self.pop(false, repairs);
            if root.is_some() {
                return root;
            }
        }
        None
    }

    /// Closes everything: the text is at its end. What was open is marked.
    pub(super) fn cut(mut self) -> Value {
        while !self.stack.is_empty() {
            if let Some(root) = self.pop(true, &mut Repairs::default()) {
                return root;
            }
        }
        Value::Null
    }

    /// Closes the innermost container and adds it to the one around it; without one it is the root.
    fn pop(&mut self, is_cut: bool, repairs: &mut Repairs) -> Option<Value> {
        let value = match self.stack.pop()? {
            Frame::List(items) => Value::List { items, is_cut },
            Frame::Object { mut entries, key, .. } => {
                if let Some(key) = key.filter(|_| !is_cut) {
                    repairs.note(Repair::Colon);
                    entries.push((key, Value::Null));
                }
                let distinct: BTreeSet<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
                if distinct.len() < entries.len() {
                    repairs.note(Repair::DuplicateKey);
                }
                Value::Object { entries, is_cut }
            }
        };
        self.after_item = true;
        match self.stack.last_mut() {
            Some(parent) => {
                parent.add(value);
                None
            }
            None => Some(value),
        }
    }
}
