//! Questions as words, names, variables and marks.

use banyan_engine::{Span, name};
use banyan_extract::gazetteer;

/// What a token of a question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word in lower case, or a number.
    Word,
    /// A name: capitalised words with the small words between them, or what stands in quotation marks.
    Name,
    /// `#k`.
    Variable,
    /// A comma, a question mark …
    Mark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) span: Span,
    pub(super) text: &'a str,
}

impl Token<'_> {
    pub(super) fn is_of(&self, words: &[&str]) -> bool {
        self.kind == Kind::Word && words.contains(&self.text.to_ascii_lowercase().as_str())
    }

    /// Whether it stands for a thing: a name or a variable.
    pub(super) fn is_thing(&self) -> bool {
        matches!(self.kind, Kind::Name | Kind::Variable)
    }
}

/// Small words that may stand between the capitalised words of one name.
const INNER: &[&str] = &[
    "da", "de", "del", "der", "des", "di", "du", "la", "le", "of", "the", "van", "von", "y",
];
/// Quotation marks, opening and closing.
const QUOTES: &[(char, char)] = &[('"', '"'), ('“', '”'), ('«', '»'), ('„', '“')];
/// Words that begin a question and so have a capital without being names.
const OPENERS: &[&str] = &[
    "a", "an", "are", "at", "besides", "between", "both", "by", "can", "could", "did", "do", "does", "during", "for",
    "from", "had", "has", "have", "how", "if", "in", "is", "name", "of", "on", "out", "the", "to", "under", "was",
    "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "with",
];

/// The tokens of a question, in order, without overlap; `known` are names that stand in it word for word, of which the
/// longest counts. Cost O(length · known).
pub(super) fn tokens<'a>(text: &'a str, known: &[&str]) -> Vec<Token<'a>> {
    let plain = pieces(text);
    let mut tokens: Vec<Token<'a>> = Vec::new();
    let mut at = 0;
    while at < plain.len() {
        let end =
            known_end(text, &plain, at, known).or_else(|| starts_name(&plain, at).then(|| name_end(text, &plain, at)));
        let mut token = plain[at];
        // "English" says which cricketer is meant, and is no name of a thing.
        let end =
            end.filter(|end| *end > at + 1 || token.kind == Kind::Name || gazetteer::country_of(token.text).is_none());
        if let Some(end) = end {
            token.kind = Kind::Name;
            token.span.end = plain[end - 1].span.end;
            token.text = token.span.of(text);
        }
        tokens.push(token);
        at = end.unwrap_or(at + 1);
    }
    tokens
}

/// One past the last piece of the longest known name that begins at `at`.
fn known_end(text: &str, pieces: &[Token<'_>], at: usize, known: &[&str]) -> Option<usize> {
    let rest = text.get(pieces[at].span.start as usize..)?;
    let name = known
        .iter()
        .filter(|name| rest.starts_with(**name))
        .max_by_key(|name| name.len())?;
    let last = pieces[at].span.start as usize + name.len();
    let n = pieces[at..]
        .iter()
        .take_while(|piece| piece.span.end as usize <= last)
        .count();
    let is_open = name.contains('(') && !name.contains(')');
    let closes = pieces.get(at + n).is_some_and(|piece| piece.text == ")");
    (n > 0).then_some(at + n + usize::from(is_open && closes))
}

/// Words, quoted passages, variables and marks.
fn pieces(text: &str) -> Vec<Token<'_>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(ch) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if ch.is_whitespace() {
            at += ch.len_utf8();
            continue;
        } else if let Some(length) = quoted(rest, ch) {
            (Kind::Name, length)
        } else if ch == '#' && rest[1..].starts_with(|ch: char| ch.is_ascii_digit()) {
            (Kind::Variable, 1 + run(&rest[1..], |ch| ch.is_ascii_digit()))
        } else if rest.starts_with("'s") || rest.starts_with("’s") {
            (Kind::Mark, ch.len_utf8() + 1)
        } else if ch.is_alphanumeric() {
            (Kind::Word, word_length(rest))
        } else {
            (Kind::Mark, ch.len_utf8())
        };
        let span = Span::new(at, at + length);
        pieces.push(Token {
            kind,
            span,
            text: &text[at..at + length],
        });
        at += length;
    }
    pieces
}

/// The length of a passage in quotation marks that `text` begins with, marks included.
fn quoted(text: &str, first: char) -> Option<usize> {
    let (open, close) = QUOTES.iter().find(|(open, _)| *open == first)?;
    let inner = &text[open.len_utf8()..];
    let end = inner.find(*close).filter(|end| *end > 0)?;
    Some(open.len_utf8() + end + close.len_utf8())
}

fn run(text: &str, is_in: impl Fn(char) -> bool) -> usize {
    text.find(|ch| !is_in(ch)).unwrap_or(text.len())
}

/// Letters and digits, with dots, hyphens and apostrophes between them, but not a possessive ending.
fn word_length(text: &str) -> usize {
    let mut length = run(text, char::is_alphanumeric);
    while let Some(joint) = text[length..].chars().next() {
        let after = &text[length + joint.len_utf8()..];
        let part = run(after, char::is_alphanumeric);
        let is_joint = matches!(joint, '-' | '.' | '\'' | '’' | '&' | '/' | ',');
        let is_number = joint != ','
            || (text[..length].ends_with(|ch: char| ch.is_ascii_digit())
                && after.starts_with(|ch: char| ch.is_ascii_digit()));
        let is_ending = matches!(joint, '\'' | '’') && &after[..part] == "s";
        if !is_joint || !is_number || part == 0 || is_ending {
            break;
        }
        length += joint.len_utf8() + part;
    }
    while name::is_sign(text, length) {
        length += 1;
    }
    // The dot of an initial or an abbreviation belongs to it.
    let is_initial = length == 1 && text.starts_with(char::is_uppercase);
    if text[length..].starts_with('.')
        && (is_initial
            || text[..length].contains('.')
            || matches!(&text[..length], "Mr" | "Mrs" | "Ms" | "Dr" | "St" | "Jr" | "Sr"))
    {
        length += 1;
    }
    length
}

fn has_capital(token: &Token<'_>) -> bool {
    token.kind == Kind::Name || (token.kind == Kind::Word && token.text.starts_with(|ch: char| ch.is_uppercase()))
}

fn starts_name(pieces: &[Token<'_>], at: usize) -> bool {
    let token = &pieces[at];
    if token.kind == Kind::Name {
        return true;
    }
    let opens = at == 0 || matches!(pieces[at - 1].text, "." | "?" | "!");
    has_capital(token) && !(opens && OPENERS.contains(&token.text.to_lowercase().as_str()))
}

/// One past the last piece of the name that begins at `at`: capitalised words, digits after them, small words between
/// two of them, a comma before a further place or "Jr.", and a bracket behind.
fn name_end(text: &str, pieces: &[Token<'_>], at: usize) -> usize {
    if text[pieces[at].span.start as usize..].starts_with(|ch| QUOTES.iter().any(|(open, _)| *open == ch)) {
        return at + 1;
    }
    let mut end = at + 1;
    loop {
        let joins = |n: usize| {
            pieces
                .get(n)
                .is_some_and(|token| has_capital(token) && token.kind == Kind::Word)
        };
        let is_number = |n: usize| {
            pieces
                .get(n)
                .is_some_and(|token| token.kind == Kind::Word && token.text.starts_with(|ch: char| ch.is_ascii_digit()))
        };
        let is_small = |n: usize| pieces.get(n).is_some_and(|token| token.is_of(INNER));
        let is = |n: usize, mark: &str| pieces.get(n).is_some_and(|token| token.text == mark);
        if joins(end) || is_number(end) {
            end += 1;
        } else if matches_small(&is_small, &joins, end) {
            end += small_run(&is_small, end) + 1;
        } else if (is(end, ",") || is(end, ":")) && joins(end + 1) {
            end += 2;
        } else if is(end, "(") {
            match (end..pieces.len().min(end + 6)).find(|n| is(*n, ")")) {
                Some(close) => end = close + 1,
                None => return end,
            }
        } else {
            return end;
        }
    }
}

fn small_run(is_small: &impl Fn(usize) -> bool, at: usize) -> usize {
    (0..3).take_while(|n| is_small(at + n)).count()
}

fn matches_small(is_small: &impl Fn(usize) -> bool, joins: &impl Fn(usize) -> bool, at: usize) -> bool {
    let n = small_run(is_small, at);
    n > 0 && n < 3 && joins(at + n)
}

/// The words of a text in lower case with one space between them.
pub(super) fn plain(text: &str) -> String {
    let words: Vec<String> = text
        .split(|ch: char| !ch.is_alphanumeric() && !matches!(ch, '\'' | '#'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}
