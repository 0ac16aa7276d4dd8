//! The pieces that JSON is made of, read tolerantly: every call moves forward and looks ahead only over white space.

use super::json::{Repairs, literal};

/// Longest bare key that is looked for behind a comma, in bytes; arbitrary. It bounds the look ahead.
const MAX_BARE_KEY: usize = 40;

/// One piece.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lexeme<'t> {
    /// The bracket that opens a list or object, told by the one that closes it: `]` or `}`.
    Open(char),
    /// `]` or `}`.
    Close(char),
    Comma,
    Colon,
    /// In quotation marks, with escapes resolved.
    Text(String),
    /// Without quotation marks; trimmed, not empty.
    Word(&'t str),
    /// The text ends, perhaps within a piece.
    End,
}

/// A position in a text.
pub(super) struct Scanner<'t> {
    text: &'t str,
    pub(super) at: usize,
}

impl<'t> Scanner<'t> {
    /// At the byte `at` of a text.
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// The next piece; `is_key` where an object expects a key.
    pub(super) fn next(&mut self, is_key: bool, repairs: &mut Repairs) -> Lexeme<'t> {
        self.skip_blank(repairs);
        let Some(ch) = self.rest().chars().next() else {
            return Lexeme::End;
        };
        if self.rest().starts_with("```") {
            return Lexeme::End;
        }
        let single = match ch {
            '{' => Lexeme::Open('}'),
            '}' => Lexeme::Close('}'),
            '[' | '(' => Lexeme::Open(']'),
            ']' | ')' => Lexeme::Close(']'),
            ',' => Lexeme::Comma,
            ':' => Lexeme::Colon,
            _ if closers(ch).is_some() => return self.quoted(ch, is_key, repairs),
            _ => return self.word(is_key),
        };
        if ch == '(' {
            repairs.note("round bracket");
        }
        self.at += ch.len_utf8();
        single
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Moves over white space and comments.
    fn skip_blank(&mut self, repairs: &mut Repairs) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(is_blank);
            self.at += rest.len() - trimmed.len();
            let length = if trimmed.starts_with("//") || trimmed.starts_with('#') {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else {
                return;
            };
            repairs.note("comment");
            self.at += length;
        }
    }

    /// A text in quotation marks. A mark inside that cannot be its end is part of it.
    fn quoted(&mut self, open: char, is_key: bool, repairs: &mut Repairs) -> Lexeme<'t> {
        let closers = closers(open).unwrap_or(&[]);
        if open != '"' {
            repairs.note("quotation mark");
        }
        self.at += open.len_utf8();
        let mut content = String::new();
        loop {
            let rest = self.rest();
            let plain = rest
                .find(|ch| ch == '\\' || closers.contains(&ch))
                .unwrap_or(rest.len());
            content.push_str(&rest[..plain]);
            self.at += plain;
            let mut ahead = self.rest().chars();
            match ahead.next() {
                None => return Lexeme::End,
                Some('\\') => {
                    self.at += 1;
                    self.escape(&mut content, repairs);
                }
                Some(mark) => {
                    self.at += mark.len_utf8();
                    if is_key || is_end_of_value(ahead.as_str()) {
                        return Lexeme::Text(content);
                    }
                    repairs.note("quotation mark inside a text");
                    content.push(mark);
                }
            }
        }
    }

    /// What stands behind a backslash.
    fn escape(&mut self, content: &mut String, repairs: &mut Repairs) {
        let Some(ch) = self.rest().chars().next() else {
            return;
        };
        self.at += ch.len_utf8();
        match ch {
            'n' => content.push('\n'),
            't' => content.push('\t'),
            'r' => content.push('\r'),
            'b' => content.push('\u{8}'),
            'f' => content.push('\u{c}'),
            '"' | '\\' | '/' => content.push(ch),
            'u' => content.push(self.code_point(repairs)),
            _ => {
                repairs.note("escape");
                content.push(ch);
            }
        }
    }

    /// Four hexadecimal digits, or twice four for a pair of surrogates; a replacement character for anything else.
    fn code_point(&mut self, repairs: &mut Repairs) -> char {
        let Some(unit) = self.hex4() else {
            repairs.note("escape");
            return char::REPLACEMENT_CHARACTER;
        };
        let mut units = vec![unit];
        if (0xd800..0xdc00).contains(&unit) && self.rest().starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            match self.hex4().filter(|low| (0xdc00..0xe000).contains(low)) {
                Some(low) => units.push(low),
                None => self.at = before,
            }
        }
        let decoded = char::decode_utf16(units).next().and_then(Result::ok);
        decoded.unwrap_or_else(|| {
            repairs.note("escape");
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

    /// Characters up to the next that ends a bare word. A word that the text ends in may be half of one.
    fn word(&mut self, is_key: bool) -> Lexeme<'t> {
        let rest = self.rest();
        let mut n_open = 0_u32;
        let ends = |ch: char| match ch {
            ',' | '{' | '}' | '[' | ']' | '"' | '\n' => true,
            ':' => is_key,
            '(' => {
                n_open += 1;
                false
            }
            ')' => {
                let is_end = n_open == 0;
                n_open = n_open.saturating_sub(1);
                is_end
            }
            _ => false,
        };
        let Some(length) = rest.find(ends) else {
            self.at = self.text.len();
            return Lexeme::End;
        };
        self.at += length;
        Lexeme::Word(rest[..length].trim_end_matches(is_blank))
    }
}

/// White space, and marks that are as good as none.
fn is_blank(ch: char) -> bool {
    ch.is_whitespace() || matches!(ch, '\u{feff}' | '\u{200b}')
}

/// The marks that may end a text that begins with this one.
fn closers(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '“' | '”' | '„' => Some(&['”', '“', '"']),
        '‘' | '’' | '‚' => Some(&['’', '‘', '\'']),
        _ => None,
    }
}

/// Whether a mark before this ends a value. Always so in valid JSON: there a comma or a closing bracket follows.
fn is_end_of_value(after: &str) -> bool {
    let trimmed = after.trim_start_matches(is_blank);
    let blank = &after[..after.len() - trimmed.len()];
    match trimmed.chars().next() {
        None | Some('}' | ']') => true,
        Some(')') => trimmed[1..]
            .trim_start_matches(is_blank)
            .starts_with([',', ')', ']', '}']),
        Some(',') => is_start_of_item(&trimmed[1..]),
        Some('/' | '#') => trimmed.starts_with("//") || trimmed.starts_with("/*") || trimmed.starts_with('#'),
        Some('`') => trimmed.starts_with("```"),
        // A comma is missing.
        Some(ch) => blank.contains('\n') || (!blank.is_empty() && closers(ch).is_some()),
    }
}

/// Whether what follows a comma can be a further item, rather than the rest of a sentence.
fn is_start_of_item(after: &str) -> bool {
    let trimmed = after.trim_start_matches(is_blank);
    let Some(first) = trimmed.chars().next() else {
        return true;
    };
    if !first.is_alphabetic() {
        return true;
    }
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let length = trimmed
        .bytes()
        .take(MAX_BARE_KEY)
        .take_while(|byte| is_letter(*byte))
        .count();
    let (word, behind) = trimmed.split_at(length);
    behind.trim_start_matches(is_blank).starts_with(':') || literal(word).is_some()
}
