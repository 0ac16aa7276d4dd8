//! Files to documents: the bytes come from the caller, who owns the paths.

use banyan_engine::{Document, Origin};

mod json;
mod line;
mod markdown;
mod table;

pub use json::Fields;
pub use table::rows;

/// Longest line that is taken for text. Arbitrary: a book is 1–5 MB, a 16 MB line is a data dump.
const MAX_LINE_BYTES: usize = 16 << 20;
/// Largest file, so that spans fit 32 bits.
const MAX_FILE_BYTES: usize = u32::MAX as usize;

/// Why a file gives no documents.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Nothing but white space.
    #[error("{file}: empty; expected text")]
    Empty {
        /// The file.
        file: String,
    },
    /// Not UTF-8.
    #[error(
        "{file}: not UTF-8 at byte {offset} (line {line}); expected UTF-8 text: convert it, for example with `iconv -t UTF-8`"
    )]
    Encoding {
        /// The file.
        file: String,
        /// First bad byte.
        offset: usize,
        /// Its line, from 1.
        line: usize,
    },
    /// A line longer than any text has.
    #[error(
        "{file}: line {line} has {found} bytes; expected at most {expected}: this looks like data rather than text, break it into lines"
    )]
    LongLine {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// Its length in bytes.
        found: usize,
        /// The limit in bytes.
        expected: usize,
    },
    /// A file beyond 4 GiB.
    #[error("{file}: {found} bytes; expected at most {expected}: split it")]
    TooLarge {
        /// The file.
        file: String,
        /// Its length in bytes.
        found: usize,
        /// The limit in bytes.
        expected: usize,
    },
    /// JSON of another shape.
    #[error("{file}: {place}: expected {expected}, found {found}")]
    Shape {
        /// The file.
        file: String,
        /// Line or record.
        place: String,
        /// What a document has.
        expected: String,
        /// What is there.
        found: String,
    },
    /// No table, or one that is broken.
    #[error("{file}: not a parquet table: {reason}")]
    Table {
        /// The file.
        file: String,
        /// What the library says.
        reason: String,
    },
    /// A table that is, or unpacks to, more than is read.
    #[error("{file}: {what}; at most {expected} bytes are unpacked of one table: split it")]
    Unpacked {
        /// The file.
        file: String,
        /// What is too large.
        what: String,
        /// The limit in bytes.
        expected: u64,
    },
    /// An extension that no reader knows.
    #[error("{file}: unknown kind of file; expected one of {expected}")]
    Kind {
        /// The file.
        file: String,
        /// Known extensions.
        expected: String,
    },
}

/// Extensions that [`parse`] knows, in lower case.
pub const EXTENSIONS: &[&str] = &["json", "jsonl", "markdown", "md", "ndjson", "parquet", "text", "txt"];

/// Whether [`parse`] knows the extension of this file name.
pub fn is_readable(file: &str) -> bool {
    EXTENSIONS.contains(&extension(file).as_str())
}

/// The documents in a file called `file` with these bytes, in file order.
///
/// | extension | documents |
/// |---|---|
/// | `txt`, `text` | one; the title is the file's stem. Where every line is `id: <id>\tChunk: <text>`, one a line |
/// | `md`, `markdown` | one; the title is the first heading, else the stem; markup is removed |
/// | `jsonl`, `ndjson` | one a line: `{"id"?, "title"?, "text"}` |
/// | `parquet` | one a row, of the same columns; in JSON and here `chunk` is as good as `text`, and `idx` as `id` |
/// | `json` | one object of that shape or an array of them; the reference's and `HippoRAG`'s corpora are such arrays |
///
/// Cost O(bytes).
///
/// # Errors
/// [`ReadError`], which names file, place, what was expected and what was found.
pub fn parse(file: &str, bytes: Vec<u8>) -> Result<Vec<Document>, ReadError> {
    parse_fields(file, bytes, &Fields::default())
}

/// As [`parse`], with the records of JSON and Parquet read from these fields.
///
/// # Errors
/// As [`parse`].
pub fn parse_fields(file: &str, bytes: Vec<u8>, fields: &Fields) -> Result<Vec<Document>, ReadError> {
    if !is_readable(file) {
        return Err(ReadError::Kind {
            file: file.to_owned(),
            expected: EXTENSIONS.join(", "),
        });
    }
    let kind = extension(file);
    if kind == "parquet" {
        return json::records(file, table::documents(file, bytes, fields)?, fields);
    }
    let text = decode(file, bytes)?;
    // A JSON document may stand on one line; texts and records may not.
    if kind != "json" {
        check_lines(file, &text)?;
    }
    match kind.as_str() {
        "json" => json::array(file, &text, fields),
        "jsonl" | "ndjson" => json::lines(file, &text, fields),
        "md" | "markdown" => Ok(vec![markdown::document(file, &text)]),
        _ => match line::chunks(file, &text) {
            Some(chunks) => Ok(chunks),
            None => Ok(vec![Document::new(stem(file), text, origin(file, None, None))]),
        },
    }
}

fn decode(file: &str, bytes: Vec<u8>) -> Result<String, ReadError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge {
            file: file.to_owned(),
            found: bytes.len(),
            expected: MAX_FILE_BYTES,
        });
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..offset].split(|byte| *byte == b'\n').count() - 1;
        ReadError::Encoding {
            file: file.to_owned(),
            offset,
            line,
        }
    })?;
    if text
        .trim_matches(|ch: char| ch.is_whitespace() || ch == '\u{feff}')
        .is_empty()
    {
        return Err(ReadError::Empty { file: file.to_owned() });
    }
    Ok(match text.strip_prefix('\u{feff}') {
        Some(bare) => bare.to_owned(),
        None => text,
    })
}

fn check_lines(file: &str, text: &str) -> Result<(), ReadError> {
    match long_line(text) {
        None => Ok(()),
        Some((line, found)) => Err(ReadError::LongLine {
            file: file.to_owned(),
            line,
            found,
            expected: MAX_LINE_BYTES,
        }),
    }
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
    fn every_kind_of_file_gives_its_documents() {
        check("a/Teak.txt", "A tree.", &[("Teak", "A tree.")]);
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
        refuse("a.pdf", b"x", "unknown kind");
        refuse("a.jsonl", b"{\"text\":\"x\"}\n{\"title\":1}", "line 2");
        refuse("a.jsonl", b"{\"text\":7}", "found a number");
        refuse("a.jsonl", b"{\"text\":", "line 1");
        refuse("a.json", b"[{\"text\":\"x\"},{}]", "record 2");
        refuse("a.json", b"[]", "an empty array");
        refuse("a.txt", &vec![b'x'; MAX_LINE_BYTES + 1], "line 1 has");
    }
}
