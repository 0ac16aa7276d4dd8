//! A document as the reader of records sees it: labelled values, and sentences in words.

use super::term::{Term, terms, terms_of};
use crate::field::{cells, is_label, labelled, within};
use crate::sentence;
use banyan_engine::{Document, Span, name};
use regex::{Match, Regex};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A line shorter than this ends its paragraph: prose that is wrapped has longer lines. Arbitrary.
const MIN_WRAPPED: usize = 50;
/// A label with its value: `| Teams | 13 |`, `Rooms: 120`, `- Price – $90`.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) label: Span,
    pub(super) terms: Vec<Term>,
    pub(super) value: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Its bytes, without a genitive's `'s`.
    pub(super) span: Span,
    pub(super) lower: String,
    /// Whether it begins with a capital letter.
    pub(super) is_capital: bool,
    /// The punctuation and the white space between it and the word before.
    pub(super) gap: String,
}

#[derive(Clone, Debug)]
pub(super) struct Sentence {
    pub(super) span: Span,
    pub(super) tokens: Vec<Token>,
    /// Its terms; positions count `tokens`.
    pub(super) terms: Vec<Term>,
}

#[derive(Clone, Debug)]
pub(super) struct Page<'a> {
    pub(super) document: &'a Document,
    pub(super) fields: Vec<Field>,
    /// Sentences, in order; headings are among them.
    pub(super) sentences: Vec<Sentence>,
    /// Words that the document writes small somewhere, and with a capital within a sentence: they tell what a capital at
    /// a sentence's beginning means.
    small: BTreeSet<String>,
    capital: BTreeSet<String>,
}

impl<'a> Page<'a> {
    /// Reads a document. Cost O(length).
    pub(super) fn new(document: &'a Document) -> Self {
        let text = document.text.as_str();
        let lines = lines(text);
        let (mut fields, mut sentences) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            if let Some((own, next)) = header_table(text, &lines, at) {
                fields.extend(own);
                at = next;
            } else if let Some((label, value)) = labelled(text, line) {
                fields.push(field(text, label, value));
                at += 1;
            } else if line.of(text).starts_with('|') || line.of(text).is_empty() {
                at += 1;
            } else {
                let end = paragraph(text, &lines, at);
                let parts = sentence::split(line.to(lines[end - 1]).of(text)).into_iter();
                sentences.extend(parts.map(|part| Sentence::new(text, part.moved(line.start))));
                at = end;
            }
        }
        let (mut small, mut capital) = (BTreeSet::new(), BTreeSet::new());
        for sentence in &sentences {
            for (at, token) in sentence.tokens.iter().enumerate() {
                if !token.is_capital {
                    small.insert(token.lower.clone());
                } else if at > 0 {
                    capital.insert(token.lower.clone());
                }
            }
        }
        Self {
            document,
            fields,
            sentences,
            small,
            capital,
        }
    }

    /// Whether a word of a sentence has a capital that its place does not explain. The first word of a sentence is a name
    /// only where the next one is, too, or where it has its capital elsewhere.
    pub(super) fn is_name(&self, sentence: &Sentence, at: usize) -> bool {
        let Some(token) = sentence.tokens.get(at).filter(|token| token.is_capital) else {
            return false;
        };
        let is_word = self.small.contains(&token.lower) || super::term::is_function(&token.lower);
        let goes_on = || {
            sentence
                .tokens
                .get(1)
                .is_some_and(|next| next.is_capital && next.gap == " ")
        };
        at > 0 || !is_word && (self.capital.contains(&token.lower) || goes_on())
    }
}

impl Sentence {
    fn new(text: &str, span: Span) -> Self {
        let tokens = tokens(text, span);
        let lower: Vec<String> = tokens.iter().map(|token| token.lower.clone()).collect();
        Self {
            span,
            terms: terms_of(&lower),
            tokens,
        }
    }

    pub(super) fn range(&self, from: usize, to: usize) -> Span {
        self.tokens[from].span.to(self.tokens[to - 1].span)
    }

    /// The first word that begins at or after a byte.
    pub(super) fn token_at(&self, byte: u32) -> usize {
        self.tokens.partition_point(|token| token.span.start < byte)
    }
}

/// The lines of a text, without white space around them.
fn lines(text: &str) -> Vec<Span> {
    let lines = text.split_inclusive('\n').map(str::trim);
    lines.map(|line| within(text, line)).collect()
}

/// One past the last line of the paragraph that begins at `at`.
fn paragraph(text: &str, lines: &[Span], at: usize) -> usize {
    let mut end = at + 1;
    while end < lines.len() {
        let (before, next) = (lines[end - 1].of(text), lines[end].of(text));
        let goes_on = before.len() >= MIN_WRAPPED
            && !before.ends_with(['.', '!', '?', ':'])
            && !next.is_empty()
            && !next.starts_with(['|', '-', '*', '•', '#'])
            && labelled(text, lines[end]).is_none();
        if !goes_on {
            break;
        }
        end += 1;
    }
    end
}

/// The values of a table that has a header and one row, and the line after it.
fn header_table(text: &str, lines: &[Span], at: usize) -> Option<(Vec<Field>, usize)> {
    let is_row = |line: &&Span| line.of(text).starts_with('|');
    let n = lines[at..].iter().take_while(is_row).count();
    let is_first = at == 0 || !is_row(&&lines[at - 1]);
    let rows: Vec<Vec<&str>> = lines[at..at + n].iter().filter_map(|line| cells(text, *line)).collect();
    let [header, values] = &rows[..] else { return None };
    // Rows of two cells are labels with values beside them.
    let is_table = is_first && header.len() == values.len() && header.len() > 2;
    let pairs = header
        .iter()
        .zip(values)
        .filter(|(label, value)| is_label(label) && !value.is_empty());
    let fields = pairs.map(|(label, value)| field(text, within(text, label), within(text, value)));
    is_table.then(|| (fields.collect(), at + n))
}

fn field(text: &str, label: Span, value: Span) -> Field {
    Field {
        terms: terms(label.of(text)),
        label,
        value,
    }
}

/// A word with its apostrophes, without signs. A pattern that compiles once, which tests hold, so `None` is impossible.
static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let part = r"[\p{Alphabetic}\p{N}]";
    Regex::new(&format!(r"{part}+(?:['’]\p{{Alphabetic}}{part}*)*")).ok()
});

fn tokens(text: &str, span: Span) -> Vec<Token> {
    let (offset, body) = (span.start as usize, span.of(text));
    let mut last = 0;
    let found = WORD.iter().flat_map(|pattern| pattern.find_iter(body));
    let token = |word: Match<'_>| {
        let bare = word.as_str().trim_end_matches("'s").trim_end_matches("’s");
        let (start, mut end) = (word.start(), word.start() + bare.len());
        while name::is_sign(body, end) {
            end += 1;
        }
        let bare = &body[start..end];
        let gap = body[last..start].to_owned();
        last = end;
        Token {
            span: Span::new(offset + start, offset + end),
            lower: name::plain(bare),
            is_capital: bare.starts_with(char::is_uppercase),
            gap,
        }
    };
    found.map(token).collect()
}
