//! Markdown: the title is that of the front matter, else the first heading, the text is the fields and the description of
//! the front matter and what a reader sees; HTML goes.

use super::sheet::Sheet;
use banyan_engine::{Document, Span};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

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
/// What begins and ends one.
const TEMPLATES: &[(&str, &str)] = &[("{%", "%}"), ("{{", "}}")];

/// One document of a Markdown file. Tables stay as they are written. Cost O(bytes).
pub(super) fn document(file: &str, source: &str) -> Document {
    let (front, body) = parted(source);
    let mut page = Page {
        sheet: Sheet::new(source, front.title.map(str::to_owned)),
        ..Page::default()
    };
    let stands = |page: &mut Page, part: &str| {
        page.sheet.stands(part.as_ptr() as usize - source.as_ptr() as usize);
        page.sheet.push(part);
    };
    for (field, value) in &front.fields {
        stands(&mut page, field);
        page.sheet.push(": ");
        stands(&mut page, value);
        page.sheet.end_line(1);
    }
    if !front.fields.is_empty() {
        page.sheet.end_line(2);
    }
    if let Some(description) = front.description {
        stands(&mut page, description);
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

/// What begins and ends front matter, and what stands between a field and its value: YAML and TOML.
const FRONT: [(&str, char); 2] = [("---", ':'), ("+++", '=')];

/// Fields that Jekyll, Hugo, Docusaurus, `MkDocs`, Eleventy and Obsidian read themselves.
const SETTINGS: &[&str] = &[
    "aliases",
    "cascade",
    "categories",
    "category",
    "comments",
    "cssclass",
    "cssclasses",
    "custom_edit_url",
    "date",
    "draft",
    "eleventynavigation",
    "excerpt",
    "has_children",
    "hide",
    "hide_table_of_contents",
    "hide_title",
    "icon",
    "id",
    "image",
    "keywords",
    "lang",
    "language",
    "lastmod",
    "layout",
    "linktitle",
    "markup",
    "nav_exclude",
    "nav_order",
    "navigation",
    "outputs",
    "pagination_next",
    "pagination_prev",
    "parent",
    "permalink",
    "publish",
    "published",
    "redirect_from",
    "redirect_to",
    "redirects",
    "search_exclude",
    "sidebar",
    "sidebar_class_name",
    "sidebar_label",
    "sidebar_position",
    "slug",
    "tag",
    "tags",
    "template",
    "thumbnail",
    "toc",
    "updated",
    "url",
    "weight",
];

/// Whether a field says something to a reader: it begins no list or block, and is no switch, address or path.
fn tells(field: &str, value: &str) -> bool {
    let is_setting = SETTINGS.binary_search(&field.to_lowercase().as_str()).is_ok();
    let is_word = field.starts_with(char::is_alphabetic) && value.contains(char::is_alphanumeric);
    let is_plain = !value.starts_with(['[', '{', '>', '|', '&', '*', '!', '/', '.']) && !value.contains("://");
    is_word && is_plain && !is_setting && !matches!(value, "true" | "false" | "null")
}

/// What front matter says of a page.
#[derive(Default)]
struct Front<'a> {
    title: Option<&'a str>,
    /// What the page is about, where that stands on one line.
    description: Option<&'a str>,
    /// What else stands on one line each, and is not for the program that shows the page.
    fields: Vec<(&'a str, &'a str)>,
}

/// The front matter, where there is some, and what follows it.
fn parted(source: &str) -> (Front<'_>, &str) {
    let nothing = || (Front::default(), source);
    let mut lines = source.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let Some((fence, sign)) = FRONT.iter().find(|(fence, _)| first.trim_end() == *fence) else {
        return nothing();
    };
    let (mut front, mut length) = (Front::default(), first.len());
    for line in lines {
        length += line.len();
        if line.trim_end() == *fence {
            return (front, &source[length..]);
        }
        let Some((field, value)) = line.split_once(*sign) else {
            continue;
        };
        let value = Some(value.trim().trim_matches(['"', '\''])).filter(|value| !value.is_empty());
        match field.trim_end() {
            "title" => front.title = front.title.or(value),
            // Other marks begin a value that goes on below.
            "description" => front.description = value.filter(|value| !value.starts_with(['>', '|'])),
            field => front
                .fields
                .extend(value.filter(|value| tells(field, value)).map(|value| (field, value))),
        }
    }
    nothing()
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
}

impl Page<'_> {
    /// Takes Markdown that stands `above` bytes down the source.
    fn read(&mut self, body: &str, above: usize) {
        for (event, range) in Parser::new(body).into_offset_iter() {
            self.take(&event, above + range.start);
        }
        self.sheet.end_heading();
    }

    /// Takes an event that stands at a byte of the source.
    fn take(&mut self, event: &Event<'_>, at: usize) {
        if matches!(event, Event::Code(_) | Event::Text(_) | Event::Html(_)) && !self.sheet.in_title {
            let marks = self.sheet.source[at..].bytes().take_while(|byte| *byte == b'`').count();
            self.sheet
                .stands(at + if matches!(event, Event::Code(_)) { marks } else { 0 });
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
            Event::Text(text) => self.prose(text, at),
            // To the standard all up to the next empty line is HTML, to a writer a heading right below a tag is none.
            Event::Html(html) if html.starts_with('#') && !self.in_raw && self.hidden_until.is_none() => {
                self.sheet.end_line(2);
                let inner = Parser::new(html).into_offset_iter();
                inner.for_each(|(event, range)| self.take(&event, at + range.start));
            }
            Event::Html(html) => {
                self.in_raw |= RAW.iter().any(|tag| html.trim_start().starts_with(tag));
                self.html(html);
            }
            Event::End(TagEnd::HtmlBlock) => (self.in_raw, self.hidden_until) = (false, None),
            Event::Start(Tag::CodeBlock(_)) => self.in_block = true,
            Event::Start(Tag::Heading { level, .. }) if self.sheet.title.is_some() => {
                self.sheet.heading = Some((self.sheet.text.len(), *level as u8));
            }
            Event::SoftBreak | Event::HardBreak => self.sheet.push("\n"),
            Event::InlineHtml(html) if opens_line(html) => self.sheet.push("\n"),
            Event::Start(Tag::Heading { .. }) if self.sheet.title.is_none() => {
                self.sheet.title = Some(String::new());
                self.sheet.in_title = true;
            }
            Event::End(TagEnd::Heading(_)) if self.sheet.in_title => self.sheet.in_title = false,
            Event::Start(Tag::List(first)) => {
                self.sheet.end_line(1);
                self.lists.push(*first);
            }
            Event::Start(Tag::Item) => {
                self.sheet.end_line(1);
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => format!("{BULLET} "),
                };
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
            let ahead = self
                .sheet
                .source
                .get(at + text.len() - rest.len()..)
                .unwrap_or_default();
            let closes = |start: usize, end: &str| {
                let near = ahead.get(start..)?;
                let near = &near[..near.floor_char_boundary(MAX_TEMPLATE)];
                near.split("\n\n").next()?.contains(end).then_some(())
            };
            let opened = TEMPLATES.iter().filter_map(|(begin, end)| {
                let start = rest.find(begin)?;
                closes(start, end).map(|()| (start, begin.len(), *end))
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

/// Whether a line is kramdown's list of attributes, which no reader sees: `{: .note}`.
fn is_attributes(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("{:") && text.ends_with('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_those_that_a_reader_sees() {
        let source = "---\ntitle: On teak\n---\n# Teak\n\nWood.\n{: .note}\n\n<div>\n## Use\n</div>\n\nShips.\n\n\
            ## How long it lasts in water, in earth, in air, and in none of the three\n\nAges.\n";
        let found = document("notes.md", source);
        assert!(
            found.text.starts_with("Teak\n\nWood.\n\nUse\n\nShips.\n\nHow"),
            "{}",
            found.text
        );
        let paths: Vec<String> = ["Wood", "Ships", "Ages"]
            .iter()
            .map(|word| found.section(u32::try_from(found.text.find(word).unwrap()).unwrap()))
            .collect();
        assert_eq!(
            paths,
            ["", "Use", "How long it lasts in water, in earth, in air, and in none …"]
        );
    }

    #[test]
    fn a_word_is_cited_where_it_stands_in_the_file() {
        let source = "---\ntitle: On teak\ndescription: \"Of Skelva.\"\n---\n# Teak\n\n\nWood *of* `Asia`.\n\n{{ x }} Tidd.\n\n- ä [Ondle](x.md)\n\n<div>\nLast.\n</div>\n";
        let found = document("notes.md", source);
        for word in ["Skelva", "Wood", "Asia", "Tidd", "Ondle", "Last"] {
            let place = found.place(u32::try_from(found.text.find(word).unwrap()).unwrap());
            let at = source.find(word).unwrap();
            let line = source[..at].matches('\n').count() + 1;
            let column = source[..at].rsplit('\n').next().unwrap().chars().count() + 1;
            assert_eq!((place.line as usize, place.column as usize), (line, column), "{word}");
        }
    }

    fn check(source: &str, title: &str, text: &str) {
        let found = document("notes.md", source);
        assert_eq!((found.title.as_str(), found.text.as_str()), (title, text));
    }

    #[test]
    fn markup_goes_and_what_a_reader_sees_stays() {
        check("---\ntags: x\n---\n\nOnly *text*.\n", "notes", "Only text.");
        check(
            "---\r\ntitle: 'On teak'\r\n---\r\n# Teak\n\nWood.\n",
            "On teak",
            "Teak\n\nWood.",
        );
        check("---\ntitle: Teak\n---", "Teak", "");
        check(
            "---\ntitle: Teak\ndescription: 'Teak is a wood.'\n---\n\n## Use\n",
            "Teak",
            "Teak is a wood.\n\nUse",
        );
        check(
            "+++\ntitle = \"Teak\"\ndescription = \"\"\n+++\nWood.\n",
            "Teak",
            "Wood.",
        );
        check("---\n\nOnly a rule.\n", "notes", "Only a rule.");
        assert!(SETTINGS.is_sorted());
        check(
            "---\nHouse: Skelva\nborn: 1990-04-02\nlayout: page\ntags: [a, b]\nseen: true\nfrom:\n  - x: y\n---\nWood.\n",
            "notes",
            "House: Skelva\nborn: 1990-04-02\n\nWood.",
        );
        check(
            "Before.\n\n# Teak `wood`\nA [tree](x.md) of\n**Asia**, 4 \\* 5 &amp; ![a *leaf*](l.png).\n\n## Use\n",
            "Teak wood",
            "Before.\n\nA tree of\nAsia, 4 * 5 & a leaf.\n\nUse",
        );
        check(
            "- a\n- b\n  - c\n\n3. d\n4. e\n\nf",
            "notes",
            "• a\n• b\n• c\n\n3. d\n4. e\n\nf",
        );
        check(
            "<table><tr><td>Ondle &lt; 3</td>\n<td>lifts <b>water</b></td></tr>\n</table>\n\nEnd.",
            "notes",
            "Ondle < 3\n\nlifts water\n\nEnd.",
        );
        check(
            "One.\n\n<!-- Not\n\n## shown\n-->\n\n<style>\np { color: red }\n</style>\n\n<div>\n<script>f(1 < 2);</script>\nTwo. \
             <!-- no -->\n</div>\n\n<pre>\n# kept\n</pre>\n",
            "notes",
            "One.\n\nTwo. \n\n# kept",
        );
        check(
            "{% include \"note_a.html\" %}\n\nWood of {{ site.`x` }}Asia {{ at last.\n\n`{{ kept }}`\n",
            "notes",
            "Wood of Asia {{ at last.\n\n{{ kept }}",
        );
        check(
            "| Ann Reed<br>Tidd | Mara<br/>Voss<li>Ansay |\n",
            "notes",
            "| Ann Reed\nTidd | Mara\nVoss\nAnsay |",
        );
        check("```rust\nlet *a;\n\nlet b;\n```\nc", "notes", "let *a;\n\nlet b;\n\nc");
        check(
            "> quoted\n\n| a | b |\n|---|---|\n| 1 | *2* |\n",
            "notes",
            "quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        );
    }

    /// Each of these took minutes at this size, four times as long at twice the size.
    #[test]
    fn marks_that_are_never_closed_cost_no_more_than_others() {
        for marks in ["[", "![", "[a](", "*a _", "> ", "`a ``", "<a "] {
            let text = document("notes.md", &marks.repeat(400_000)).text;
            assert!(text.len() <= marks.len() * 400_000);
        }
    }
}
