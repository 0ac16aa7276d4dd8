//! Files to documents: the bytes come from the caller, who owns the paths.

use crate::error::FileError;
use banyan_engine::{Document, Origin};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

mod code;
mod epub;
mod front;
mod html;
mod json;
mod line;
mod mail;
mod markdown;
mod notebook;
mod office;
mod outline;
mod pages;
mod pdf;
mod rows;
mod sheet;
mod table;

pub use json::Fields;
pub use table::rows;

/// Longest line that is taken for text. Arbitrary: a book is 1–5 MB, a 16 MB line is a data dump.
const MAX_LINE_BYTES: usize = 16 << 20;
/// Largest file, so that spans fit 32 bits.
const MAX_FILE_BYTES: usize = u32::MAX as usize;

fn refused(file: &str, reason: impl Into<String>) -> FileError {
    FileError::new(file, format!(": {}", reason.into()))
}

/// Extensions that [`parse`] knows, in lower case.
pub const EXTENSIONS: &[&str] = &[
    "adoc", "asciidoc", "csv", "doc", "docx", "eml", "epub", "htm", "html", "ipynb", "json", "jsonl", "markdown",
    "mbox", "md", "ndjson", "org", "parquet", "pdf", "ppt", "pptx", "rst", "text", "tsv", "txt", "xhtml", "xls",
    "xlsx",
];
/// Where a word may be broken at the end of a line.
const SOFT_HYPHEN: char = '\u{ad}';
/// Those of files of pages and of offices.
const OFFICE: &[&str] = &["doc", "docx", "ppt", "pptx", "xls", "xlsx"];

/// What a file holds.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Found {
    /// In file order.
    pub documents: Vec<Document>,
    /// What there is to say of how it was read, and of what could not be.
    pub remarks: Vec<String>,
}

impl From<Vec<Document>> for Found {
    fn from(documents: Vec<Document>) -> Self {
        Self {
            documents,
            remarks: Vec::new(),
        }
    }
}

impl From<Document> for Found {
    fn from(document: Document) -> Self {
        vec![document].into()
    }
}

/// Whether files of this name are read by programs of a size that nobody can vouch for, whatever the bytes.
pub fn is_intricate(file: &str) -> bool {
    let kind = extension(file);
    ["epub", "pdf"].contains(&kind.as_str()) || OFFICE.contains(&kind.as_str())
}

/// Whether [`parse`] knows the extension of this file name.
pub fn is_readable(file: &str) -> bool {
    EXTENSIONS.contains(&extension(file).as_str()) || is_code(file)
}

/// Whether a file of this name holds source code.
pub fn is_code(file: &str) -> bool {
    code::is_code(file)
}

/// The documents in a file called `file` with these bytes, in file order.
///
/// | extension | documents |
/// |---|---|
/// | `txt`, `text` | one, without Project Gutenberg's licence; the title is the file's stem. Where every line is `id: <id>\tChunk: <text>`, one a line |
/// | `rst`, `adoc`, `asciidoc`, `org` | the same, as they are written |
/// | `md`, `markdown` | one; the title is the front matter's, else the first heading, else the stem; its description leads; markup goes |
/// | `html`, `htm`, `xhtml` | one, of the page's own matter, in the encoding that it names; the title is its first heading of level one, else its `<title>`, else the stem |
/// | `jsonl`, `ndjson` | one a line: `{"id"?, "title"?, "text"}` |
/// | `parquet` | one a row, of the same columns; in JSON and here `chunk` is as good as `text`, and `idx` as `id` |
/// | `json` | one object of that shape or an array of them; the reference's and `HippoRAG`'s corpora are such arrays |
/// | `csv`, `tsv` | one a row: of the same columns where there is such a text, else each value under the name of its column |
/// | `xlsx`, `xls` | the same for each sheet |
/// | `pdf` | one, of its layer of text, without what runs along its pages; a place is a page |
/// | `docx`, `doc` | one |
/// | `epub` | one, whose sections are the chapters |
/// | `eml`, `mbox` | one a message |
/// | `ipynb` | one, of its texts and code |
/// | `pptx`, `ppt` | one; a place is a slide |
/// | of source code, as `c`, `py` | one, whose prose is what its comments say |
///
/// Cost O(bytes).
///
/// # Errors
/// [`FileError`], which names file, place, what was expected and what was found.
pub fn parse(file: &str, bytes: Vec<u8>) -> Result<Vec<Document>, FileError> {
    Ok(parse_fields(file, bytes, &Fields::default())?.documents)
}

/// As [`parse`], with the records of JSON and Parquet read from these fields.
///
/// # Errors
/// As [`parse`].
pub fn parse_fields(file: &str, bytes: Vec<u8>, fields: &Fields) -> Result<Found, FileError> {
    if !is_readable(file) {
        let known = EXTENSIONS.join(", ");
        return Err(refused(file, format!("unknown kind of file; expected one of {known}")));
    }
    let kind = extension(file);
    if kind == "parquet" {
        let rows = table::read(file, bytes, table::MAX_BYTES, Some(fields))?;
        return Ok(json::records(file, "row", rows.into_iter().map(Value::Object), fields)?.into());
    }
    if is_intricate(file) {
        let read = || match kind.as_str() {
            "epub" => epub::read(file, bytes),
            "pdf" => pdf::read(file, &bytes),
            _ => office::read(file, &bytes, fields),
        };
        let broken = |_| {
            Err(refused(
                file,
                "its reader failed; save it anew with the program it is from",
            ))
        };
        return catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(broken);
    }
    match kind.as_str() {
        "eml" => return mail::message(file, &bytes),
        "mbox" => return mail::mailbox(file, &bytes),
        _ => {}
    }
    let text = if ["htm", "html", "xhtml"].contains(&kind.as_str()) {
        decode(file, html::decode(&bytes).into_bytes())?
    } else {
        decode(file, bytes)?
    };
    // A JSON document may stand on one line; texts and records may not.
    if !["ipynb", "json"].contains(&kind.as_str()) {
        check_lines(file, &text)?;
    }
    match kind.as_str() {
        "ipynb" => notebook::document(file, &text).map(Found::from),
        "json" => Ok(json::array(file, &text, fields)?.into()),
        "jsonl" | "ndjson" => Ok(json::lines(file, &text, fields)?.into()),
        "csv" => rows::read(file, None, text.as_bytes(), rows::separator(&text), fields),
        "tsv" => rows::read(file, None, text.as_bytes(), b'\t', fields),
        "md" | "markdown" => Ok(markdown::document(file, &text).into()),
        "htm" | "html" | "xhtml" => Ok(html::document(file, &text).into()),
        _ => {
            if let Some(document) = code::document(file, &text) {
                return Ok(document.into());
            }
            if let Some(chunks) = line::chunks(file, &text) {
                return Ok(chunks.into());
            }
            let text = without_licence(&text);
            let layout = outline::layout(text);
            let mut document = Document::new(stem(file), text, origin(file, None, None));
            document.layout = layout;
            document.mark_lines();
            Ok(document.into())
        }
    }
}

fn decode(file: &str, bytes: Vec<u8>) -> Result<String, FileError> {
    let n = bytes.len();
    if n > MAX_FILE_BYTES {
        let reason = format!("{n} bytes; expected at most {MAX_FILE_BYTES}: split it");
        return Err(refused(file, reason));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..offset].split(|byte| *byte == b'\n').count();
        let advice = "expected UTF-8 text: convert it, for example with `iconv -t UTF-8`";
        refused(file, format!("not UTF-8 at byte {offset} (line {line}); {advice}"))
    })?;
    let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let whole = bare.replace(SOFT_HYPHEN, "");
    if whole.trim().is_empty() {
        return Err(refused(file, "empty; expected text"));
    }
    Ok(whole)
}

/// A text without the licence of Project Gutenberg, which stands at the end of each of its books and tells nothing of it.
fn without_licence(text: &str) -> &str {
    const END: &str = "*** END OF TH";
    let ends = text.match_indices(END).map(|(at, _)| text.split_at(at));
    let mut ends = ends.filter(|(_, rest)| rest.lines().next().is_some_and(|line| line.contains("GUTENBERG")));
    let book = ends.next().map(|(book, _)| book.trim_end());
    book.filter(|book| !book.is_empty()).unwrap_or(text)
}

fn check_lines(file: &str, text: &str) -> Result<(), FileError> {
    let Some((line, found)) = long_line(text) else {
        return Ok(());
    };
    let advice = "this looks like data rather than text, break it into lines";
    let reason = format!("line {line} has {found} bytes; expected at most {MAX_LINE_BYTES}: {advice}");
    Err(refused(file, reason))
}

/// The first line that is longer than any text has: its number, from 1, and its bytes.
fn long_line(text: &str) -> Option<(usize, usize)> {
    let mut lines = (1..).zip(text.lines());
    let (number, line) = lines.find(|(_, line)| line.len() > MAX_LINE_BYTES)?;
    Some((number, line.len()))
}

fn origin(file: &str, record: Option<String>, line: Option<usize>) -> Origin {
    Origin {
        file: file.to_owned(),
        record,
        line: line.and_then(|line| u32::try_from(line).ok()),
    }
}

fn file_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

fn extension(file: &str) -> String {
    let name = file_name(file);
    name.rsplit_once('.')
        .map_or_else(String::new, |(_, end)| end.to_lowercase())
}

/// Whether a document's title is the name of its file, which somebody chose to find the file by.
pub(crate) fn is_named_by_file(document: &Document) -> bool {
    let is_named = |origin: &Origin| {
        let names = [stem(&origin.file), file_name(&origin.file)];
        origin.record.is_none() && names.contains(&document.title.as_str())
    };
    document.origins.iter().any(is_named)
}

/// Whether a document is a record with a title of its own; the name or first heading of a file need not name anything.
pub(crate) fn is_record(document: &Document) -> bool {
    let mut origins = document.origins.iter();
    origins.any(|origin| origin.record.is_some() || origin.line.is_some())
}

/// A file's name without what tells its kind.
/// What a file is called that has no title: its name, or that of its folder where the name says nothing.
fn called(file: &str) -> &str {
    let (own, folder) = (stem(file), file.rsplit(['/', '\\']).nth(1));
    let is_name = |folder: &&str| !matches!(*folder, "" | "." | "..");
    let is_unnamed = matches!(&*own.to_lowercase(), "index" | "_index" | "readme");
    folder.filter(is_name).filter(|_| is_unnamed).unwrap_or(own)
}

fn stem(file: &str) -> &str {
    let name = file_name(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, text: &str, expected: &[(&str, &str)]) {
        let documents = parse(file, text.as_bytes().to_vec()).unwrap();
        let found: Vec<_> = documents.iter().map(|d| (d.title.as_str(), d.text.as_str())).collect();
        assert_eq!(found, expected);
    }

    fn refuse(file: &str, bytes: &[u8], expected: &str) {
        let message = parse(file, bytes.to_vec()).unwrap_err().to_string();
        assert!(message.starts_with(file) && message.contains(expected), "{message}");
    }

    #[test]
    fn a_place_far_down_a_text_is_told_from_the_last_note_before_it() {
        let text = "A line of prose.\n".repeat(1_000);
        let document = parse("a.txt", text.clone().into_bytes()).unwrap().remove(0);
        assert!(document.layout.places.len() > 1);
        let at = u32::try_from(text.len()).unwrap() - 10;
        let place = document.place(at);
        assert_eq!((place.line, place.column), (1_000, 8));
    }

    #[test]
    fn no_place_lies_behind_the_text() {
        let text = "One line of Kesterwick.\n\n> {% hint %}\n\n{% endhint %}\n";
        let document = parse("a.md", text.into()).unwrap().remove(0);
        let end = u32::try_from(document.text.len()).unwrap();
        let mut places = document.layout.places.iter();
        assert!(places.all(|place| place.at <= end), "{document:?}");
    }

    #[test]
    fn every_kind_of_file_gives_its_documents() {
        check("a/Teak.txt", "A tree.", &[("Teak", "A tree.")]);
        let licensed = "A tree.\n\n*** END OF THE PROJECT GUTENBERG EBOOK TEAK ***\n\nYou may copy it.";
        check("a/Teak.txt", licensed, &[("Teak", "A tree.")]);
        check(
            "b.md",
            "# Teak *wood*\n\nA [tree](x.md) of **Asia**.\n",
            &[("Teak wood", "A tree of Asia.")],
        );
        check(
            "c.jsonl",
            "{\"title\":\"T\",\"text\":\"x\"}\n\n{\"id\":7,\"text\":\"y\"}\n",
            &[("T", "x"), ("7", "y")],
        );
        check("d.json", "[{\"title\":\"T\",\"text\":\"x\",\"idx\":0}]", &[("T", "x")]);
        check(
            "e.json",
            "{\"title\":\"T\",\"text\":\"\\ufeffx\"}",
            &[("T", "\u{feff}x")],
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        refuse("a.txt", b" \n", "empty");
        refuse("a.txt", b"ok\nbad \xff", "byte 7 (line 2)");
        refuse("a.pkg", b"x", "unknown kind");
        refuse("a.jsonl", b"{\"text\":\"x\"}\n{\"title\":1}", "line 2");
        refuse("a.jsonl", b"{\"text\":7}", "found a number");
        refuse("a.jsonl", b"{\"text\":", "line 1");
        refuse("a.json", b"[{\"text\":\"x\"},{}]", "record 2");
        refuse("a.json", b"[]", "an empty array");
        refuse("a.txt", &vec![b'x'; MAX_LINE_BYTES + 1], "line 1 has");
    }
}
