//! What was read: documents, the chunks they are cut into, and questions with gold answers.

use crate::id::{DocumentId, DocumentIndex};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A half-open byte range `start..end` of a document's text, on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of these byte offsets; offsets beyond 4 GiB are clamped (readers refuse such files).
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self {
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// The part of `text` that the span covers; empty where it does not fit `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// From where this span starts to where `last` ends.
    #[must_use]
    pub fn to(self, last: Self) -> Self {
        Self {
            start: self.start,
            end: last.end,
        }
    }

    /// The span as it stands `offset` bytes further down.
    #[must_use]
    pub fn moved(self, offset: u32) -> Self {
        Self {
            start: self.start + offset,
            end: self.end + offset,
        }
    }

    /// Whether `other` lies within this span.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two spans share a byte.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// Where a document came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Origin {
    /// The file, as the user named it or as it was found below a directory the user named.
    pub file: String,
    /// The record's own id, for files that hold several documents.
    pub record: Option<String>,
    /// Line of the record, from 1; positions may change while the document does not, so a dump leaves them out.
    pub line: Option<u32>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.record {
            Some(record) => write!(f, "{}#{record}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// One text with a title. Equal title and text mean the same document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Content address.
    pub id: DocumentId,
    /// Title: the entity that the document is about.
    pub title: String,
    /// The text that every span counts its bytes in.
    pub text: String,
    /// What its markup says of the text.
    pub layout: Layout,
    /// All places it was read from, sorted, at least one.
    pub origins: Vec<Origin>,
}

/// Parts of a text that are no prose, as the markup of its file tells; each list in text order, without overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Layout {
    /// Headings.
    pub headings: Vec<Heading>,
    /// Blocks of code.
    pub blocks: Vec<Span>,
    /// Code within a line.
    pub code: Vec<Span>,
    /// Where the text goes on elsewhere in its file than its own lines tell; sorted by byte.
    pub places: Vec<Place>,
    /// Where the pages of a file begin that has pages and no lines; sorted by byte.
    #[serde(default)]
    pub pages: Vec<Page>,
}

/// Where a page of a file begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Page {
    /// Its first byte in the text.
    pub at: u32,
    /// Its number in the file, from 1.
    pub number: u32,
}

/// Where in its file a byte of a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The byte of the text.
    pub at: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Place {
    /// Where a text begins that is the whole of its file.
    pub const FIRST: Self = Self {
        at: 0,
        line: 1,
        column: 1,
    };

    /// The place of byte `at` of `text`, where all between stands in the file as it does here. Cost O(bytes between).
    #[must_use]
    pub fn onward(self, text: &str, at: u32) -> Self {
        let between = Span {
            start: self.at,
            end: at,
        }
        .of(text);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let last = between.rsplit('\n').next().unwrap_or_default();
        let n_lines = count(between.matches('\n').count());
        Self {
            at,
            line: self.line.saturating_add(n_lines),
            column: count(last.chars().count()).saturating_add(if n_lines == 0 { self.column } else { 1 }),
        }
    }
}

/// A heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Heading {
    /// Where it stands.
    pub span: Span,
    /// 1 for the highest; [`LISTED`] for what begins no section.
    pub level: u8,
    /// Position of the heading of the section around its own; none at the top.
    pub parent: Option<u32>,
}

/// Level of a line of a table of contents, and of a title that the text says again, below all headings: nothing is its
/// section.
pub const LISTED: u8 = u8::MAX;
/// Most characters of a heading in a path. Arbitrary.
const MAX_HEADING: usize = 60;

impl Layout {
    /// A layout with these headings, in text order, each with its level. Cost O(n).
    pub fn with_headings(headings: impl IntoIterator<Item = (Span, u8)>) -> Self {
        let mut layout = Self::default();
        let mut open: Vec<u32> = Vec::new();
        for (at, (span, level)) in (0..).zip(headings) {
            while level != LISTED
                && open
                    .last()
                    .is_some_and(|above| layout.headings[*above as usize].level >= level)
            {
                open.pop();
            }
            let parent = open.last().copied();
            layout.headings.push(Heading { span, level, parent });
            if level != LISTED {
                open.push(at);
            }
        }
        layout
    }

    /// The heading at a place, if there is one. Cost O(log n).
    pub fn heading(&self, place: Span) -> Option<&Heading> {
        let at = self.headings.partition_point(|heading| heading.span.end <= place.start);
        self.headings.get(at).filter(|heading| heading.span.overlaps(place))
    }
}

/// A heading of one line, cut after a word where it is long.
fn shortened(heading: String) -> String {
    let Some((end, _)) = heading.char_indices().nth(MAX_HEADING) else {
        return heading;
    };
    let cut = heading[..end].rfind(' ').unwrap_or(end);
    format!("{} …", heading[..cut].trim_end())
}

/// The first of `spans`, sorted and without overlap, that shares a byte with `span`. Cost O(log n).
pub fn overlapping(spans: &[Span], span: Span) -> Option<Span> {
    let at = spans.partition_point(|other| other.end <= span.start);
    spans.get(at).copied().filter(|other| other.overlaps(span))
}

/// Bytes of text between lines whose place is noted. Arbitrary: quickly counted, and few notes.
const BETWEEN_MARKS: u32 = 4096;

impl Document {
    /// Where in its file a byte of the text stands; in a file of several documents, where in its own text. Cost O(bytes
    /// since the markup before it).
    pub fn place(&self, at: u32) -> Place {
        let places = &self.layout.places;
        let n_before = places.partition_point(|place| place.at <= at);
        let last = n_before.checked_sub(1).map_or(Place::FIRST, |last| places[last]);
        last.onward(&self.text, at)
    }

    /// The page of its file that a byte of the text stands on; none where the file has no pages. Cost O(log pages).
    pub fn page(&self, at: u32) -> Option<u32> {
        let pages = &self.layout.pages;
        let n_before = pages.partition_point(|page| page.at <= at);
        pages.get(n_before.saturating_sub(1)).map(|page| page.number)
    }

    /// Where a byte of the text stands, for people: its file, or the document's id where no file is known, and its page,
    /// else line and column.
    pub fn locate(&self, at: u32) -> String {
        let origin = self
            .origins
            .first()
            .map_or_else(|| self.id.to_string(), ToString::to_string);
        if let Some(page) = self.page(at) {
            return format!("{origin}#page={page}");
        }
        let place = self.place(at);
        format!("{origin}:{}:{}", place.line, place.column)
    }

    /// Notes the place of a line every few thousand bytes, so that [`Document::place`] need not count from the first;
    /// for a document that is the whole of its file. Cost O(length).
    pub fn mark_lines(&mut self) {
        let mut last = Place::FIRST;
        for (end, _) in self.text.match_indices('\n') {
            let next = u32::try_from(end + 1).unwrap_or(u32::MAX);
            if next - last.at >= BETWEEN_MARKS {
                last = last.onward(&self.text, next);
                self.layout.places.push(last);
            }
        }
    }

    /// A document with one origin.
    pub fn new(title: impl Into<String>, text: impl Into<String>, origin: Origin) -> Self {
        let (title, text) = (title.into(), text.into());
        Self {
            id: DocumentId::of(&title, &text),
            title,
            text,
            layout: Layout::default(),
            origins: vec![origin],
        }
    }

    /// The headings of the sections that a place lies in, the highest first: `Advanced › SSL`; empty where no heading
    /// stands above. A place at a heading lies in the section that begins there, and in that of a heading right below.
    /// Cost O(log headings + depth).
    pub fn section(&self, place: u32) -> String {
        let headings = &self.layout.headings;
        let mut n_above = headings.partition_point(|heading| heading.span.start <= place);
        let follows = |last: &Heading, next: &Heading| {
            let between = self.text.get(last.span.end as usize..next.span.start as usize);
            last.span.end > place && between.is_some_and(|text| text.trim().is_empty())
        };
        let is_right_below = |n_above: usize| match (headings[..n_above].last(), headings.get(n_above)) {
            (Some(last), Some(next)) => follows(last, next),
            _ => false,
        };
        while is_right_below(n_above) {
            n_above += 1;
        }
        self.path(n_above)
    }

    /// What stands before a chunk that begins at a place: the title, and the sections around it. A heading that the chunk
    /// begins with is left to its text.
    pub fn heading_at(&self, place: u32) -> String {
        let headings = &self.layout.headings;
        let section = self.path(headings.partition_point(|heading| heading.span.start < place));
        let separator = if section.is_empty() { "" } else { " › " };
        format!("{}{separator}{section}", self.heading())
    }

    /// The path to the last of the first `n_above` headings.
    fn path(&self, n_above: usize) -> String {
        let headings = &self.layout.headings;
        let mut at = n_above.checked_sub(1);
        let mut path: Vec<String> = Vec::new();
        while let Some(heading) = at.and_then(|at| headings.get(at)) {
            let words: Vec<&str> = heading.span.of(&self.text).split_whitespace().collect();
            let words = words.join(" ");
            if heading.level != LISTED && words != self.title.trim() {
                path.push(shortened(words));
            }
            at = heading.parent.map(|parent| parent as usize);
        }
        path.reverse();
        path.join(" › ")
    }

    /// The title as it stands before a chunk, cut to 100 characters so that it leaves room for text.
    pub fn heading(&self) -> &str {
        self.title
            .char_indices()
            .nth(100)
            .map_or(&self.title, |(end, _)| &self.title[..end])
    }
}

/// A stretch of text on one line, single spaces between its words. Cost O(length).
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Brings documents into canonical order (title, then content address) and joins equal ones.
///
/// Returns how many were joined into another. Cost O(n log n).
pub fn canonicalise(documents: &mut Vec<Document>) -> usize {
    let before = documents.len();
    documents.sort_by(|a, b| (&a.title, a.id, &a.layout).cmp(&(&b.title, b.id, &b.layout)));
    documents.dedup_by(|later, first| {
        let same = later.id == first.id;
        if same {
            first.origins.append(&mut later.origins);
        }
        same
    });
    for document in documents.iter_mut() {
        document.origins.sort();
        // A place that was read again counts once, with the later line.
        document.origins.dedup_by(|later, first| {
            let same = (&later.file, &later.record) == (&first.file, &first.record);
            if same {
                first.line = later.line;
            }
            same
        });
    }
    before - documents.len()
}

/// A passage that fits the embedder: the unit that is ranked, embedded and cited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The document it is part of.
    pub document: DocumentIndex,
    /// Its bytes in the document's text; whole sentences wherever one sentence fits.
    pub span: Span,
    /// Its length in tokens of the chunker's counter, title included.
    pub n_tokens: u32,
}
