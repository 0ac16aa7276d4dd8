//! What a reader sees of a file with markup, while it is gathered: text, headings, code, and where in the file each stands.

use super::{called, origin};
use banyan_engine::document::{LISTED, Layout, Page, Place};
use banyan_engine::index::term;
use banyan_engine::{Document, Span};

#[derive(Default)]
pub(super) struct Sheet<'a> {
    pub(super) title: Option<String>,
    pub(super) in_title: bool,
    pub(super) source: &'a str,
    pub(super) text: String,
    places: Vec<Place>,
    /// The bytes of the source at which pages begin that were not come to yet, with their numbers, the last first.
    pub(super) begins: Vec<(usize, u32)>,
    pages: Vec<Page>,
    /// The last place that was looked at, by the byte of the file and by that of the text.
    known: Option<(Place, Place)>,
    pub(super) headings: Vec<(Span, u8)>,
    pub(super) blocks: Vec<Span>,
    pub(super) code: Vec<Span>,
    /// The heading that is being read: where it begins, its level.
    pub(super) heading: Option<(usize, u8)>,
}

impl<'a> Sheet<'a> {
    /// An empty sheet of a file that holds `source`.
    pub(super) fn new(source: &'a str, title: Option<String>) -> Self {
        Self {
            title,
            source,
            ..Self::default()
        }
    }

    /// Notes that what comes next stands at a byte of the source, where that does not go without saying.
    pub(super) fn stands(&mut self, at: usize) {
        let [source, text] = [at, self.text.len()].map(|at| Span::new(at, at).start);
        while let Some((_, number)) = self.begins.pop_if(|(begin, _)| *begin <= at) {
            self.pages.pop_if(|page| page.at == text);
            self.pages.push(Page { at: text, number });
        }
        let (in_file, told) = self.known.unwrap_or((Place::FIRST, Place::FIRST));
        let in_file = in_file.onward(self.source, source);
        let mut told = told.onward(&self.text, text);
        if (in_file.line, in_file.column) != (told.line, told.column) {
            told = Place { at: text, ..in_file };
            self.places.push(told);
        }
        self.known = Some((in_file, told));
    }

    /// Keeps the heading that was read. The first one of a page whose front matter has named it in nearly the same words
    /// is its title again, and no section's.
    pub(super) fn end_heading(&mut self) {
        let Some((start, level)) = self.heading.take() else {
            return;
        };
        let span = Span::new(start, self.text.trim_end().len());
        if span.start < span.end {
            let title = self.title.as_deref().unwrap_or_default();
            let repeats = self.headings.is_empty() && level == 1 && are_alike(title, &self.text[start..]);
            self.headings.push((span, if repeats { LISTED } else { level }));
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        if self.text.is_empty() && !self.in_title {
            return self.text.push_str(text.trim_start());
        }
        match &mut self.title {
            Some(title) if self.in_title => title.push_str(text),
            _ => self.text.push_str(text),
        }
    }

    /// Takes away the space behind the last word of a line of prose.
    pub(super) fn end_words(&mut self) {
        let in_block = self.blocks.last().map_or(0, |block| block.end as usize);
        let end = self.text.trim_end_matches(' ').len();
        self.text.truncate(end.max(in_block));
    }

    /// Sees to it that what comes begins `n` lines further down than the last text.
    pub(super) fn end_line(&mut self, n: usize) {
        let text = self.text.trim_end_matches('\n').len();
        if text > 0 {
            let breaks = "\n".repeat(n.saturating_sub(self.text.len() - text));
            self.text.push_str(&breaks);
        }
    }

    /// The document of a file, which is called so where the sheet has no title.
    pub(super) fn finish(self, file: &str) -> Document {
        let title = self.title.filter(|title| !title.trim().is_empty());
        let title = title.map_or_else(|| called(file).to_owned(), |title| title.trim().to_owned());
        let mut document = Document::new(title, self.text.trim_end(), origin(file, None, None));
        let end = Span::new(0, document.text.len()).end;
        let within = |block: Span| Span {
            end: block.end.min(end),
            ..block
        };
        // What ends a file and is no text leaves places behind the last word.
        let (mut places, mut pages) = (self.places, self.pages);
        places.retain(|place| place.at <= end);
        pages.retain(|page| page.at <= end);
        document.layout = Layout {
            blocks: self.blocks.into_iter().map(within).collect(),
            code: self.code,
            places,
            pages,
            ..Layout::with_headings(self.headings)
        };
        document
    }
}

/// Whether the terms of one title are all among those of the other.
fn are_alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(term::terms);
    let holds = |all: &[String], some: &[String]| !some.is_empty() && some.iter().all(|word| all.contains(word));
    holds(&one, &other) || holds(&other, &one)
}
