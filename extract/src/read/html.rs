//! HTML: the text is what a reader sees of the page's own matter, the title its first heading of level one, else its `<title>`.

use super::SOFT_HYPHEN;
use super::sheet::Sheet;
use banyan_engine::{Document, Span};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use html5gum::emitters::default::DefaultEmitter;
use html5gum::{HtmlString, StartTag, Token, Tokenizer};

/// What holds a page's own matter, where it says so.
const MAIN: &[&str] = &["main", "article"];
/// What stands beside that, or is not read at all.
const BESIDE: &[&str] = &[
    "aside", "button", "footer", "iframe", "nav", "noscript", "object", "script", "select", "style", "svg", "template",
];
/// What nobody reads, whatever it stands beside.
const UNREAD: &[&str] = &["script", "style", "template"];
/// Elements that are paragraphs of their own, and those that only begin a line.
const PARAGRAPHS: &[&str] = &[
    "article",
    "blockquote",
    "details",
    "dl",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "main",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "ul",
];
const LINES: &[&str] = &[
    "address",
    "br",
    "caption",
    "dd",
    "div",
    "dt",
    "figcaption",
    "header",
    "li",
    "option",
    "summary",
    "tr",
];
/// Bytes within which a page says how it is encoded, by the standard.
const HEAD_BYTES: usize = 1_024;

type Element = Token<usize>;

/// The text of a page in the encoding that it names, else UTF-8, else what browsers take for Western European.
pub(super) fn decode(bytes: &[u8]) -> String {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => named(&bytes[..bytes.len().min(HEAD_BYTES)]).unwrap_or(WINDOWS_1252),
    };
    encoding.decode(bytes).0.into_owned()
}

/// The encoding that the head of a page names.
fn named(head: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let (_, after) = head.split_once("charset=")?;
    let label = after.trim_start_matches(['"', '\'']);
    Encoding::for_label(label.split(['"', '\'', '>', ';', ' ', '/']).next()?.as_bytes())
}

/// One document of a page. Cost O(bytes).
pub(super) fn document(file: &str, source: &str) -> Document {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    let elements: Vec<Element> = Tokenizer::new_with_emitter(source, emitter)
        .filter_map(Result::ok)
        .collect();
    let begins = |name: &&&str| {
        elements
            .iter()
            .any(|one| matches!(one, Token::StartTag(tag) if is(&tag.name, name)))
    };
    let own = MAIN.iter().find(begins).copied();
    // What stands above the matter of a page is no part of it; above that of a part it is.
    let banner = own.is_none().then_some("header");
    let page = Page::of(source, &elements, own, BESIDE.iter().copied().chain(banner).collect());
    if page.sheet.text.trim().is_empty() {
        // The page calls all of it something else.
        return Page::of(source, &elements, None, UNREAD.to_vec()).sheet.finish(file);
    }
    page.sheet.finish(file)
}

#[derive(Default)]
struct Page<'a> {
    sheet: Sheet<'a>,
    /// The element that holds the page's own matter, and how many of them are open; all is its own where there is none.
    own: Option<&'static str>,
    n_own: usize,
    /// Elements that are passed over.
    passed_over: Vec<&'static str>,
    /// That which is being passed over, and how many of its name are open.
    beside: Option<(Vec<u8>, usize)>,
    /// What `<title>` says.
    named: String,
    in_named: bool,
    in_head: bool,
    n_pre: usize,
    /// Numbers of the next items of the lists around this place.
    lists: Vec<Option<u32>>,
    /// Cells of the row that is being read, and whether one of them is.
    n_cells: usize,
    in_cell: bool,
    /// Rows of the table so far.
    n_rows: usize,
}

impl<'a> Page<'a> {
    fn of(source: &'a str, elements: &[Element], own: Option<&'static str>, passed_over: Vec<&'static str>) -> Self {
        let mut page = Self {
            sheet: Sheet::new(source, None),
            own,
            passed_over,
            ..Self::default()
        };
        page.take_all(elements);
        page
    }

    fn take_all(&mut self, elements: &[Element]) {
        for element in elements {
            match element {
                Token::StartTag(tag) => self.start(tag),
                Token::EndTag(tag) => self.end(&tag.name),
                Token::String(text) => self.text(&String::from_utf8_lossy(text), text.span.start),
                Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
        }
        self.sheet.end_heading();
        let named = self.named.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.sheet.title.as_deref().is_none_or(|title| title.trim().is_empty()) {
            self.sheet.title = Some(named);
        }
    }

    /// Whether what stands here is read.
    fn is_read(&self) -> bool {
        self.beside.is_none() && (self.own.is_none() || self.n_own > 0) && !self.in_head
    }

    fn start(&mut self, tag: &StartTag<usize>) {
        let name = tag.name.as_slice();
        if let Some((beside, n)) = &mut self.beside {
            *n += usize::from(name == beside.as_slice());
            return;
        }
        if !tag.self_closing && self.passed_over.iter().any(|one| is(&tag.name, one)) {
            self.beside = Some((name.to_vec(), 1));
            return;
        }
        self.in_head |= name == b"head";
        self.in_named |= name == b"title";
        if name == b"body" {
            (self.in_head, self.in_named) = (false, false);
        }
        self.n_own += usize::from(self.own.is_some_and(|own| is(&tag.name, own)));
        if !self.is_read() {
            return;
        }
        self.breaks(&tag.name);
        match name {
            b"pre" => self.n_pre += 1,
            b"ul" => self.lists.push(None),
            b"ol" => self.lists.push(Some(1)),
            b"li" => {
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".to_owned(),
                };
                self.sheet.push(&mark);
            }
            b"table" => self.n_rows = 0,
            b"tr" => self.n_cells = 0,
            b"td" | b"th" => {
                self.end_cell();
                self.sheet.push(if self.n_cells == 0 { "| " } else { " " });
                (self.in_cell, self.n_cells) = (true, self.n_cells + 1);
            }
            b"h1" if self.sheet.title.is_none() => {
                self.sheet.title = Some(String::new());
                self.sheet.in_title = true;
            }
            [b'h', level @ b'1'..=b'6'] => self.sheet.heading = Some((self.sheet.text.len(), level - b'0')),
            _ => {}
        }
    }

    fn end(&mut self, name: &HtmlString) {
        if let Some((beside, n)) = &mut self.beside {
            *n -= usize::from(name.as_slice() == beside.as_slice());
            if *n == 0 {
                self.beside = None;
            }
            return;
        }
        match name.as_slice() {
            b"head" => self.in_head = false,
            b"title" => self.in_named = false,
            _ => {}
        }
        if self.is_read() {
            match name.as_slice() {
                b"pre" => self.n_pre = self.n_pre.saturating_sub(1),
                b"ul" | b"ol" => drop(self.lists.pop()),
                b"td" | b"th" => self.end_cell(),
                b"tr" => self.end_row(),
                [b'h', b'1'..=b'6'] => {
                    self.sheet.in_title = false;
                    self.sheet.end_heading();
                }
                _ => {}
            }
            self.breaks(name);
        }
        if self.own.is_some_and(|own| is(name, own)) {
            self.n_own = self.n_own.saturating_sub(1);
        }
    }

    /// Begins what comes on a line or in a paragraph of its own, where the element does; within a cell nothing does.
    fn breaks(&mut self, name: &HtmlString) {
        let is_among = |names: &[&str]| names.iter().any(|one| is(name, one));
        let n = match () {
            () if is_among(PARAGRAPHS) && !self.lists.is_empty() => 1,
            () if is_among(PARAGRAPHS) => 2,
            () if is_among(LINES) => 1,
            () => return,
        };
        if self.in_cell {
            self.space();
        } else {
            self.sheet.end_words();
            self.sheet.end_line(n);
        }
    }

    fn end_cell(&mut self) {
        if std::mem::take(&mut self.in_cell) {
            self.space();
            self.sheet.push("|");
        }
    }

    /// Ends a row; below the first stands what tells it from the others, as in Markdown.
    fn end_row(&mut self) {
        self.end_cell();
        if self.n_cells == 0 {
            return;
        }
        if self.n_rows == 0 {
            self.sheet.end_line(1);
            self.sheet.push(&format!("|{}", "---|".repeat(self.n_cells)));
        }
        (self.n_rows, self.n_cells) = (self.n_rows + 1, 0);
    }

    /// A space, where there is none yet.
    fn space(&mut self) {
        if !self.sheet.text.ends_with(char::is_whitespace) {
            self.sheet.push(" ");
        }
    }

    /// Takes text that stands at a byte of the page; in all but what is set as it is written, white space is one space.
    fn text(&mut self, text: &str, at: usize) {
        let text = &text.replace(SOFT_HYPHEN, "");
        if self.in_named && self.beside.is_none() {
            self.named.push_str(text);
        }
        if !self.is_read() || self.in_named {
            return;
        }
        if self.n_pre > 0 && !self.in_cell {
            let start = self.sheet.text.len();
            self.sheet.stands(at);
            self.sheet.push(text);
            self.sheet.blocks.push(Span::new(start, self.sheet.text.len()));
            return;
        }
        let mut written = at;
        for part in text.split_inclusive(char::is_whitespace) {
            let word = part.trim_end();
            if !word.is_empty() {
                if !self.sheet.in_title {
                    self.sheet.stands(written);
                }
                self.sheet.push(word);
            }
            if word.len() < part.len() {
                if self.sheet.in_title {
                    self.sheet.push(" ");
                } else {
                    self.space();
                }
            }
            written += part.len();
        }
    }
}

fn is(name: &HtmlString, expected: &str) -> bool {
    name.as_slice() == expected.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, title: &str, text: &str) {
        let found = document("page.html", source);
        assert_eq!((found.title.as_str(), found.text.as_str()), (title, text), "{source}");
    }

    #[test]
    fn a_page_is_its_own_matter() {
        check("<p>Only <b>text</b>,\n  4 &lt; 5.", "page", "Only text, 4 < 5.");
        check(
            "<html><head><title>Teak\n — Woods</title><style>p{}</style></head><body><header><h1>Woods</h1></header>\
             <nav><a>Home</a></nav><p>A tree.</p><script>f(1<2)</script><footer>2026</footer></body>",
            "Teak — Woods",
            "A tree.",
        );
        check(
            "<title>Site</title><div>Menu</div><main><header><h1>Teak <i>wood</i></h1></header><p>Of Asia.</p><h2>Use</h2>Ships.</main>More",
            "Teak wood",
            "Of Asia.\n\nUse\n\nShips.",
        );
        check("<nav><p>All is a menu.</p></nav>", "page", "All is a menu.");
        check("<p>Halle&shy;wick, Halle\u{ad}wick", "page", "Hallewick, Hallewick");
        check("<title>T</title><nav>never closed <p>x", "T", "never closed\n\nx");
    }

    #[test]
    fn lists_tables_and_code_stay_what_they_are() {
        check(
            "<ul><li>a<li>b<ol><li>c</li><li>d</ol></ul>e",
            "page",
            "• a\n• b\n1. c\n2. d\n\ne",
        );
        check(
            "<table><tr><th>Ship<th>Built</tr><tr><td><p>Dipper</p></td><td>1901</td></tr></table>After",
            "page",
            "| Ship | Built |\n|---|---|\n| Dipper | 1901 |\n\nAfter",
        );
        let found = document("page.html", "<p>Call</p><pre>let a;\n  let b;</pre>");
        assert_eq!(found.text, "Call\n\nlet a;\n  let b;");
        assert_eq!(found.layout.blocks[0].of(&found.text), "let a;\n  let b;");
    }

    #[test]
    fn a_word_is_cited_where_it_stands_and_a_section_is_known() {
        let source = "<body>\n<h1>Ships</h1>\n<h2>Of <b>iron</b></h2>\n<p>The   Dipper\n  and the\n<i>Skelva</i>.</p>";
        let found = document("page.html", source);
        for word in ["iron", "Dipper", "and", "Skelva"] {
            let at = u32::try_from(found.text.find(word).unwrap()).unwrap();
            let (place, before) = (found.place(at), &source[..source.find(word).unwrap()]);
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            let line = before.matches('\n').count() + 1;
            assert_eq!((place.line as usize, place.column as usize), (line, column), "{word}");
            assert_eq!(found.section(at), "Of iron");
        }
    }

    #[test]
    fn a_page_is_read_in_its_own_encoding() {
        assert_eq!(decode("<p>Bäume".as_bytes()), "<p>Bäume");
        assert_eq!(decode(b"<p>B\xe4ume"), "<p>Bäume");
        let koi8 = b"<meta charset='koi8-r'><p>\xd7\xc5\xd3\xcc\xcf";
        assert!(decode(koi8).ends_with("весло"));
        assert_eq!(decode(b"\xff\xfeh\0i\0"), "hi");
    }

    /// Nothing that is never closed costs more than its bytes.
    #[test]
    fn a_page_of_marks_is_read_in_time_that_grows_with_its_length() {
        for marks in ["<div>", "<td>", "<!--", "<a href='", "&", "<ul><li>"] {
            document("page.html", &marks.repeat(100_000));
        }
    }
}
