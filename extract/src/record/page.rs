//! A document as the filler sees it: labelled values, sentences, headings.

mod contest;
mod grid;
mod ranking;

pub(super) use contest::Contest;
pub(super) use grid::labels;
pub(super) use ranking::Ranking;

use super::thesaurus::{Unit, units};
use crate::sentence;
use banyan_engine::{Document, Span};
use std::collections::BTreeSet;

/// Longest label in words.
const MAX_LABEL_WORDS: usize = 6;
/// Longest labelled value in bytes that is read. Arbitrary: longer ones are prose.
const MAX_VALUE: usize = 300;
/// A line shorter than this ends its paragraph: prose that is wrapped has longer lines. Arbitrary.
const MIN_WRAPPED: usize = 50;
/// Longest line in bytes that may be the heading of a list. Arbitrary.
const MAX_HEADING: usize = 80;

/// A label with its value: `| Teams | 13`, `Rooms: 120`, `- Price – $90`.
#[derive(Clone, Debug)]
pub struct Field {
    /// The label's bytes.
    pub label: Span,
    /// The label's units.
    pub units: Vec<Unit>,
    /// The value's bytes; several lines where the value goes on.
    pub value: Span,
}

/// A word of a sentence.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its bytes.
    pub span: Span,
    /// In lower case.
    pub lower: String,
    /// Whether it begins with a capital letter.
    pub is_capital: bool,
    /// The punctuation between it and the word before.
    pub gap: String,
}

/// A sentence, its words, and what they may mean.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Its bytes.
    pub span: Span,
    /// Its words.
    pub tokens: Vec<Token>,
    /// Its units; positions count `tokens`.
    pub units: Vec<Unit>,
    /// How many of the page's short lines stand before it: the last of them may be its heading.
    pub n_lines: usize,
}

/// A document, read.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// The document.
    pub document: &'a Document,
    /// Labelled values, in order.
    pub fields: Vec<Field>,
    /// Sentences, in order.
    pub sentences: Vec<Sentence>,
    /// Short lines that are neither: headings and items of lists.
    pub lines: Vec<Span>,
    /// The units of each of these lines.
    pub headings: Vec<Vec<Unit>>,
    /// What two sides scored against each other, in order.
    pub(super) contests: Vec<Contest>,
    /// Lists in which names are ranked by a number.
    pub(super) rankings: Vec<Ranking>,
    /// Lists of bullets: the units of their headings, and how many bullets.
    pub(super) lists: Vec<(Vec<Unit>, usize)>,
    /// Words that the document writes small somewhere, so that a capital at a sentence's beginning makes no name.
    common: BTreeSet<String>,
}

impl<'a> Page<'a> {
    /// Reads a document by itself. Cost O(length).
    pub fn new(document: &'a Document) -> Self {
        Self::with_labels(document, &BTreeSet::new())
    }

    /// Reads a document of a corpus whose tables have these labels. Cost O(length).
    pub(super) fn with_labels(document: &'a Document, labels: &BTreeSet<String>) -> Self {
        let text = document.text.as_str();
        let lines = lines(text);
        let cells = grid::cells(text, &lines);
        let mut page = Self {
            document,
            contests: contest::contests(text, &lines, &cells),
            rankings: ranking::rankings(text, &lines),
            lists: lists(text, &lines),
            fields: Vec::new(),
            sentences: Vec::new(),
            lines: Vec::new(),
            headings: Vec::new(),
            common: BTreeSet::new(),
        };
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            if let Some((label, value)) = field(text, line) {
                let (value, next) = continued(text, &lines, at, value);
                page.fields.push(Field {
                    label,
                    units: units(label.of(text)),
                    value,
                });
                at = next;
            } else if line.of(text).starts_with('|') || line.of(text).is_empty() {
                at += 1;
            } else {
                let end = paragraph(text, &lines, at);
                page.paragraph(Span {
                    start: line.start,
                    end: lines[end - 1].end,
                });
                at = end;
            }
        }
        page.fields.extend(grid::fields(text, &cells, labels));
        page.headings = page.lines.iter().map(|line| units(line.of(text))).collect();
        let small = page
            .sentences
            .iter()
            .flat_map(|sentence| &sentence.tokens)
            .filter(|token| !token.is_capital);
        page.common = small.map(|token| token.lower.clone()).collect();
        page
    }

    /// Whether a word of a sentence begins a name: it has a capital that its place does not explain.
    pub fn is_name(&self, sentence: &Sentence, at: usize) -> bool {
        let begins = |token: &Token| self.common.contains(&token.lower) || units(&token.lower).is_empty();
        let token = sentence.tokens.get(at);
        token.is_some_and(|token| token.is_capital && (at > 0 || !begins(token)))
    }

    /// Whether the document writes a word small somewhere.
    pub fn mentions(&self, word: &str) -> bool {
        self.common.contains(word)
    }

    /// The units of the short line last before a sentence; none before the first.
    pub fn heading_of(&self, sentence: &Sentence) -> &[Unit] {
        let last = sentence.n_lines.checked_sub(1);
        last.and_then(|last| self.headings.get(last)).map_or(&[], Vec::as_slice)
    }

    fn paragraph(&mut self, block: Span) {
        let text = self.document.text.as_str();
        let offset = block.start as usize;
        let body = block.of(text);
        if body.len() < MIN_WRAPPED && !body.ends_with(['.', '!', '?']) {
            self.lines.push(block);
        }
        for part in sentence::split(body) {
            let span = Span::new(offset + part.start as usize, offset + part.end as usize);
            self.sentences.push(Sentence {
                n_lines: self.lines.len(),
                ..Sentence::new(text, span)
            });
        }
    }
}

impl Sentence {
    /// Cuts a sentence into words. Cost O(length).
    pub fn new(text: &str, span: Span) -> Self {
        let tokens = tokens(text, span);
        let lower: Vec<String> = tokens.iter().map(|token| token.lower.clone()).collect();
        let units = super::thesaurus::units_of(&lower);
        Self {
            span,
            tokens,
            units,
            n_lines: 0,
        }
    }
}

/// The lines of a text, without white space around them.
fn lines(text: &str) -> Vec<Span> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let lead = line.len() - line.trim_start().len();
        let begin = start + if bare.is_empty() { 0 } else { lead };
        lines.push(Span::new(begin, begin + bare.len()));
        start += line.len();
    }
    lines
}

/// Lists under a line that ends with no mark but a colon: bullets, or short lines that are set in further than it.
fn lists(text: &str, lines: &[Span]) -> Vec<(Vec<Unit>, usize)> {
    let indent = |line: &Span| {
        let before = &text[..line.start as usize];
        before.len() - before.trim_end_matches([' ', '\t']).len()
    };
    let is_bullet = |line: &Span| line.of(text).starts_with(['-', '*', '•', '·']);
    let is_item = |line: &Span, heading: &Span| {
        let body = line.of(text);
        let is_name = body.starts_with(char::is_uppercase) && body.len() < MIN_WRAPPED && !body.contains(['|', '[']);
        is_bullet(line) || is_name && indent(line) > indent(heading)
    };
    let mut lists = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let body = lines[at].of(text);
        let is_heading =
            !body.is_empty() && body.len() < MAX_HEADING && !body.ends_with(['.', '!', '?']) && !is_bullet(&lines[at]);
        let first = (at + 1..lines.len()).find(|next| !lines[*next].of(text).is_empty());
        let n = match first {
            Some(first) if is_heading => lines[first..]
                .iter()
                .take_while(|line| is_item(line, &lines[at]))
                .count(),
            _ => 0,
        };
        if n > 1 {
            lists.push((units(body.split('[').next().unwrap_or(body)), n));
        }
        at += n.max(1);
    }
    lists
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
            && field(text, lines[end]).is_none();
        if !goes_on {
            break;
        }
        end += 1;
    }
    end
}

/// Label and value of a line that has both.
fn field(text: &str, line: Span) -> Option<(Span, Span)> {
    let body = line.of(text);
    if let Some(row) = body.strip_prefix('|') {
        let cells: Vec<&str> = row.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let [label, value] = cells[..] else { return None };
        let is_rule = |cell: &str| cell.chars().all(|ch| matches!(ch, '-' | ':' | ' '));
        return (!is_rule(label) && is_label(label)).then(|| (within(text, label), within(text, value)));
    }
    let bare = body.trim_start_matches(['-', '*', '•', '·', '–', '+', ' ', '\t']);
    let is_item = bare.len() < body.len();
    let colon = bare
        .find(':')
        .filter(|at| !bare[at + 1..].starts_with(|ch: char| ch.is_ascii_digit() || ch == '/'));
    let dash = [" – ", " — ", " - "]
        .iter()
        .find_map(|dash| bare.find(dash).map(|at| (at, dash.len())));
    let tab = bare.find('\t').map(|at| (at, 1));
    let cut = colon
        .map(|at| (at, 1))
        .or(tab)
        .or(dash.filter(|_| is_item || bare.len() < 80));
    let (at, length) = cut?;
    let label = bare[..at].trim_matches(|ch: char| ch == '*' || ch == '_' || ch.is_whitespace());
    let value = bare[at + length..].trim_matches(|ch: char| ch == '*' || ch.is_whitespace());
    let fits = is_label(label) && !value.is_empty() && value.len() <= MAX_VALUE;
    fits.then(|| (within(text, label), within(text, value)))
}

fn is_label(label: &str) -> bool {
    let n_words = label.split_whitespace().count();
    (1..=MAX_LABEL_WORDS).contains(&n_words)
        && label.chars().any(char::is_alphabetic)
        && !label.contains(['.', ';', '!', '?', '"'])
}

/// The span of a part of `text`.
fn within(text: &str, part: &str) -> Span {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    Span::new(start, start + part.len())
}

/// The value with the lines that continue it, and the line after them: rows of a table go on where a line begins without
/// a bar.
fn continued(text: &str, lines: &[Span], at: usize, value: Span) -> (Span, usize) {
    let mut next = at + 1;
    let mut whole = value;
    if lines[at].of(text).starts_with('|') {
        while let Some(line) = lines.get(next) {
            let body = line.of(text);
            let goes_on = !body.is_empty() && !body.starts_with('|') && body.len() < MIN_WRAPPED && !body.contains(':');
            if !goes_on || line.end - whole.start > u32::try_from(MAX_VALUE).unwrap_or(u32::MAX) {
                break;
            }
            whole.end = line.end;
            next += 1;
        }
        // A row that is followed by prose does not swallow it: only rows go on, and only up to the next row.
        if !lines.get(next).is_some_and(|line| line.of(text).starts_with('|')) {
            return (value, at + 1);
        }
    }
    (whole, next)
}

fn tokens(text: &str, span: Span) -> Vec<Token> {
    let (offset, body) = (span.start as usize, span.of(text));
    let mut tokens: Vec<Token> = Vec::new();
    let (mut begin, mut last_end) = (None, 0);
    let is_in_word = |ch: char, at: usize| {
        ch.is_alphanumeric()
            || matches!(ch, '\'' | '’')
                && body[..at].ends_with(char::is_alphanumeric)
                && body[at + ch.len_utf8()..].starts_with(char::is_alphabetic)
    };
    for (at, ch) in body.char_indices().chain([(body.len(), ' ')]) {
        match (begin, is_in_word(ch, at.min(body.len()))) {
            (None, true) => begin = Some(at),
            (Some(start), false) => {
                let word = &body[start..at];
                let bare = word.trim_end_matches("'s").trim_end_matches("’s");
                tokens.push(Token {
                    span: Span::new(offset + start, offset + start + bare.len()),
                    lower: bare.to_lowercase(),
                    is_capital: word.starts_with(char::is_uppercase),
                    gap: body[last_end..start].to_owned(),
                });
                (begin, last_end) = (None, start + bare.len());
            }
            _ => {}
        }
    }
    tokens
}
