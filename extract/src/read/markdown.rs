//! Markdown: the title is that of the front matter, else the heading of the first level above all text, else the name of the
//! file; the text is the fields and the description of the front matter and what a reader sees; HTML goes.

use super::front::{self, linked};
use super::sheet::Sheet;
use banyan_engine::{Document, Span};
use pulldown_cmark::{Event, LinkType, OffsetIter, Options, Parser, Tag, TagEnd};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// What writers of notes use beside the standard.
const OPTIONS: Options = Options::ENABLE_WIKILINKS
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_FOOTNOTES);

/// Elements of HTML that stand by themselves.
const BLOCKS: &[&str] = &[
    "blockquote",
    "caption",
    "dd",
    "div",
    "dt",
    "figcaption",
    "li",
    "p",
    "td",
    "th",
    "tr",
];

/// What begins HTML in which a line is never a heading.
const RAW: &[&str] = &["<pre", "<textarea"];

/// What begins HTML that no reader sees, after its bracket, and what ends it.
const HIDDEN: &[(&str, &str)] = &[("!--", "-->"), ("script", "</script>"), ("style", "</style>")];

/// Longest tag of a template, in bytes; it bounds the cost of one that is never closed. Arbitrary.
const MAX_TEMPLATE: usize = 400;
/// What begins and ends one, and a comment in a note.
const TEMPLATES: &[(&str, &str)] = &[("{%", "%}"), ("{{", "}}"), ("%%", "%%")];

/// What tells of which kind a quoted note is: "> [!tip] Title".
static CALLOUT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^> *\[![\w|\- ]{1,60}\][+-]?[ \r]*\n?").ok());
/// What a block is linked by, at its end: "^8d9d50".
static BLOCK_ID: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?:^| +)\^[A-Za-z0-9-]{4,40}$").ok());
/// What makes a link of the brackets before it.
static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\([^()\n]{0,400}\)").ok());

/// How many bytes at the beginning of a text are what a pattern says.
fn length(pattern: Option<&Regex>, text: &str) -> usize {
    let found = pattern.and_then(|pattern| pattern.find(text));
    found.map_or(0, |found| found.len())
}

/// One document of a Markdown file. Tables stay as they are written. Cost O(bytes).
pub(super) fn document(file: &str, source: &str) -> Document {
    let (front, body) = front::parted(source);
    let mut page = Page {
        sheet: Sheet::new(source, front.title),
        deepest_title: Some(1),
        ..Page::default()
    };
    for (field, value) in &front.fields {
        page.sheet.stands(field.at);
        page.sheet.push(&field.text);
        page.sheet.push(": ");
        page.sheet.stands(value.at);
        page.sheet.push(&value.text);
        page.sheet.end_line(1);
    }
    page.sheet.end_line(2);
    // Where the page begins with its description, it would be there twice.
    let description = front.description.filter(|one| !body.contains(&one.text));
    if let Some(description) = description {
        page.sheet.stands(description.at);
        page.sheet.push(&description.text);
        page.sheet.end_line(2);
    }
    page.read(body, source.len() - body.len());
    page.sheet.finish(file)
}

/// One document of a file of another kind, of which this is the Markdown, and whose pages begin at these bytes of it, if
/// it has pages. The title is the first heading where none is given. Cost O(bytes).
pub(super) fn paged(file: &str, title: Option<String>, source: &str, mut begins: Vec<(usize, u32)>) -> Document {
    begins.reverse();
    let mut page = Page {
        sheet: Sheet::new(source, title),
        deepest_title: Some(6),
        ..Page::default()
    };
    page.sheet.begins = begins;
    page.read(source, 0);
    let mut document = page.sheet.finish(file);
    // The lines are not those of the file.
    document.layout.places.clear();
    document.mark_lines();
    document
}

/// What stands before an item of a list without numbers, so that what reads the text knows the item as one.
const BULLET: char = '•';

#[derive(Default)]
struct Page<'a> {
    sheet: Sheet<'a>,
    in_block: bool,
    /// Whether HTML is being read that keeps its lines as they are.
    in_raw: bool,
    /// What ends the HTML that is being read and that no reader sees: a comment, a script, a style.
    hidden_until: Option<&'static str>,
    /// What ends the tag of a template that is being read.
    in_template: Option<&'static str>,
    /// Number of the next item of each list around this place.
    lists: Vec<Option<u64>>,
    /// The deepest level of a heading that is still a title; none behind the first text of a note.
    deepest_title: Option<u8>,
    /// Whether the wiki link that is being read, if one is, has no words of its own.
    link: Option<bool>,
    /// The byte of the source up to which no reader sees anything.
    unseen_until: usize,
}

fn events(source: &str) -> OffsetIter<'_> {
    Parser::new_ext(source, OPTIONS).into_offset_iter()
}

impl Page<'_> {
    /// Takes Markdown that stands `above` bytes down the source.
    fn read(&mut self, body: &str, above: usize) {
        for (event, range) in events(body) {
            self.take(&event, range, above);
        }
        self.sheet.end_heading();
    }

    /// Takes an event of a part of the source that stands `above` bytes down.
    fn take(&mut self, event: &Event<'_>, range: Range<usize>, above: usize) {
        let (at, end) = (above + range.start, above + range.end);
        if at < self.unseen_until && self.hides(event, at..end) {
            return;
        }
        if matches!(event, Event::Code(_) | Event::Text(_) | Event::Html(_)) && !self.sheet.in_title {
            let before = match event {
                Event::Code(_) => self.sheet.source[at..].bytes().take_while(|byte| *byte == b'`').count(),
                Event::Text(text) if self.link == Some(true) => text.find(linked(text)).unwrap_or_default(),
                _ => 0,
            };
            self.sheet.stands(at + before);
        }
        match event {
            Event::Code(_) | Event::SoftBreak | Event::HardBreak if self.in_template.is_some() => {}
            Event::Code(text) => {
                let start = self.sheet.text.len();
                self.sheet.push(text);
                if !self.sheet.in_title {
                    self.sheet.code.push(Span::new(start, self.sheet.text.len()));
                }
            }
            Event::Text(text) if self.in_block => {
                let start = self.sheet.text.len();
                self.sheet.push(text);
                self.sheet.blocks.push(Span::new(start, self.sheet.text.len()));
            }
            Event::Text(text) if is_attributes(text) => {}
            Event::Text(text) if self.link == Some(true) => {
                let shown = linked(text);
                self.prose(shown, at + text.find(shown).unwrap_or_default());
            }
            Event::Text(text) => {
                let ends = self.sheet.source[end..].starts_with(['\r', '\n']) || end == self.sheet.source.len();
                let id = BLOCK_ID
                    .as_ref()
                    .and_then(|pattern| pattern.find(text))
                    .filter(|_| ends);
                self.prose(&text[..id.map_or(text.len(), |id| id.start())], at);
            }
            // To the standard all up to the next empty line is HTML, to a writer a heading right below a tag is none.
            Event::Html(html) if html.starts_with('#') && !self.in_raw && self.hidden_until.is_none() => {
                self.sheet.end_line(2);
                events(html).for_each(|(event, range)| self.take(&event, range, at));
            }
            Event::Html(html) => {
                self.in_raw |= RAW.iter().any(|tag| html.trim_start().starts_with(tag));
                self.html(html);
            }
            Event::End(TagEnd::HtmlBlock) => (self.in_raw, self.hidden_until) = (false, None),
            Event::Start(Tag::CodeBlock(_)) => self.in_block = true,
            Event::Start(Tag::Heading { level, .. }) => self.heading(*level as u8),
            Event::Start(
                Tag::Strikethrough
                | Tag::Image {
                    link_type: LinkType::WikiLink { .. },
                    ..
                },
            ) => self.hide(end),
            Event::Start(Tag::BlockQuote(_)) => self.hide(at + length(CALLOUT.as_ref(), &self.sheet.source[at..end])),
            Event::Start(Tag::Link {
                link_type: LinkType::WikiLink { has_pothole },
                ..
            }) => {
                self.link = Some(!has_pothole);
            }
            // "[[1]](x.md)" is a link around "[1]".
            Event::End(TagEnd::Link) => {
                let address = length(ADDRESS.as_ref(), &self.sheet.source[end..]);
                if self.link.take().is_some() {
                    self.hide(end + address);
                }
            }
            // Pictures and their links may stand above a title.
            Event::Start(Tag::Paragraph) => self.begin_text(&['!', '[', '<', '{'], at),
            Event::SoftBreak | Event::HardBreak => self.sheet.push("\n"),
            Event::InlineHtml(html) if opens_line(html) => self.sheet.push("\n"),
            Event::End(TagEnd::Heading(_)) if self.sheet.in_title => self.sheet.in_title = false,
            Event::Start(Tag::List(first)) => {
                self.begin_text(&[], at);
                self.sheet.end_line(1);
                self.lists.push(*first);
            }
            Event::Start(Tag::Item) => {
                self.sheet.end_line(1);
                let mark = self.mark();
                self.sheet.push(&mark);
            }
            Event::End(TagEnd::Item) => self.sheet.end_line(1),
            Event::End(TagEnd::List(_)) => {
                self.lists.pop();
                self.sheet.end_line(if self.lists.is_empty() { 2 } else { 1 });
            }
            Event::End(end @ (TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::CodeBlock)) => {
                self.in_block &= *end != TagEnd::CodeBlock;
                self.in_template = None;
                self.sheet.end_heading();
                self.sheet.end_line(2);
            }
            _ => {}
        }
    }

    /// No heading of a note below its first text is its title; what begins with one of these marks is no text.
    fn begin_text(&mut self, marks: &[char], at: usize) {
        let block = &self.sheet.source[at..];
        if block.starts_with("[[") || !block.starts_with(marks) {
            self.deepest_title = self.deepest_title.filter(|deepest| *deepest > 1);
        }
    }

    fn heading(&mut self, level: u8) {
        let is_title = self.deepest_title.is_some_and(|deepest| level <= deepest);
        if self.sheet.title.is_none() && is_title {
            self.sheet.title = Some(String::new());
            self.sheet.in_title = true;
        } else {
            self.sheet.title.get_or_insert_default();
            self.sheet.heading = Some((self.sheet.text.len(), level));
        }
    }

    /// What stands before the next item of the list that is being read.
    fn mark(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            _ => format!("{BULLET} "),
        }
    }

    /// Nothing is seen up to a byte of the source.
    fn hide(&mut self, end: usize) {
        self.unseen_until = self.unseen_until.max(end);
    }

    /// Whether an event that begins where nothing is seen is not; takes what of its text is.
    fn hides(&mut self, event: &Event<'_>, range: Range<usize>) -> bool {
        let from = self.unseen_until;
        match event {
            Event::Text(text) if range.end > from => {
                if let Some(rest) = text.get(from - range.start..) {
                    if !self.sheet.in_title {
                        self.sheet.stands(from);
                    }
                    self.prose(rest, from);
                }
                true
            }
            Event::Text(_) | Event::Code(_) | Event::InlineHtml(_) | Event::SoftBreak | Event::HardBreak => true,
            _ => false,
        }
    }

    /// Takes text that stands at a byte of the source without the tags of a template, which no reader sees:
    /// `{% include note.html %}`, `{{ site.name }}`. One that its paragraph does not close is text.
    fn prose(&mut self, text: &str, at: usize) {
        let mut rest = text;
        loop {
            if let Some(end) = self.in_template {
                let Some((_, after)) = rest.split_once(end) else { return };
                (self.in_template, rest) = (None, after);
                if !self.sheet.in_title {
                    self.sheet.stands(at + text.len() - rest.len());
                }
            }
            let from = at + text.len() - rest.len();
            let source = self.sheet.source;
            let closes = |start: usize, end: &str| {
                let near = source.get(from + start..)?;
                let near = &near[..near.floor_char_boundary(MAX_TEMPLATE)];
                near.split("\n\n").next()?.contains(end).then_some(())
            };
            let opened = TEMPLATES.iter().filter_map(|(begin, end)| {
                let mut starts = rest.match_indices(begin).map(|(start, _)| start);
                let start = starts.find(|start| *begin != "{{" || is_template(source, from + start))?;
                closes(start + begin.len(), end).map(|()| (start, begin.len(), *end))
            });
            let Some((start, length, end)) = opened.min() else {
                return self.sheet.push(rest);
            };
            self.sheet.push(&rest[..start]);
            (self.in_template, rest) = (Some(end), &rest[start + length..]);
        }
    }

    /// Takes what stands between the tags of HTML, each block and each cell of a table in a paragraph of its own, and
    /// leaves out what no reader sees.
    fn html(&mut self, html: &str) {
        let mut rest = html;
        while !rest.is_empty() {
            if let Some(end) = self.hidden_until {
                let Some((_, after)) = rest.split_once(end) else {
                    return;
                };
                (self.hidden_until, rest) = (None, after);
                continue;
            }
            let (text, after) = rest.split_once('<').unwrap_or((rest, ""));
            let begins = self.sheet.text.ends_with("\n\n");
            let text = html_escape::decode_html_entities(if begins { text.trim_start() } else { text });
            self.sheet.push(&text);
            let hidden = HIDDEN.iter().find(|(begin, _)| after.starts_with(begin));
            if let Some((begin, end)) = hidden {
                (self.hidden_until, rest) = (Some(*end), &after[begin.len()..]);
                continue;
            }
            let (tag, after) = after.split_once('>').unwrap_or((after, ""));
            if opens_line(tag) {
                self.sheet.end_line(1);
            }
            if tag.strip_prefix('/').is_some_and(|name| BLOCKS.contains(&name.trim())) {
                self.sheet.end_line(2);
            }
            rest = after;
        }
    }
}

/// Whether a tag, with its brackets or without, begins a new line: `<br>`, `<br/>`, or that of an element that stands by itself.
fn opens_line(tag: &str) -> bool {
    let name = tag
        .trim_start_matches('<')
        .split([' ', '/', '>'])
        .next()
        .unwrap_or_default();
    name.eq_ignore_ascii_case("br") || BLOCKS.iter().any(|block| name.eq_ignore_ascii_case(block))
}

/// Whether braces at a byte begin a tag of a template: formulas have such, too.
fn is_template(source: &str, at: usize) -> bool {
    let (before, inner) = source.split_at_checked(at).unwrap_or_default();
    let inner = inner.trim_start_matches("{{");
    let inner = inner.trim_start_matches([' ', '<', '%', '-', '~']);
    let is_joined = before.ends_with(|ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '^' | '{' | '}'));
    !is_joined && inner.starts_with(|ch: char| ch.is_alphabetic() || matches!(ch, '_' | '.' | '`'))
}

/// Whether a line is kramdown's list of attributes, which no reader sees: `{: .note}`.
fn is_attributes(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("{:") && text.ends_with('}')
}

#[cfg(test)]
mod tests;
