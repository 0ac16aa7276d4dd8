//! Source code: what its comments say is prose, and the rest is code. Comments on one line with code are code.

use super::sheet::Sheet;
use super::{extension, file_name};
use banyan_engine::{Document, Span};

/// How comments are written.
struct Language {
    /// Endings of its files.
    endings: &'static [&'static str],
    /// What begins a comment that ends with its line.
    lines: &'static [&'static str],
    /// What begins and ends one of several lines.
    blocks: &'static [(&'static str, &'static str)],
}

const LANGUAGES: &[Language] = &[
    Language {
        endings: &[
            "c", "cc", "cpp", "cs", "css", "cu", "cxx", "dart", "go", "groovy", "h", "hh", "hpp", "java", "js", "jsx",
            "kt", "mjs", "proto", "rs", "scala", "scss", "sol", "swift", "ts", "tsx", "zig",
        ],
        lines: &["//"],
        blocks: &[("/*", "*/")],
    },
    Language {
        endings: &["py", "pyi"],
        lines: &["#"],
        blocks: &[("\"\"\"", "\"\"\""), ("'''", "'''")],
    },
    Language {
        endings: &[
            "bash", "cmake", "ex", "exs", "jl", "nim", "pl", "pm", "r", "rb", "sh", "tcl", "tf", "zsh",
        ],
        lines: &["#"],
        blocks: &[("=begin", "=end")],
    },
    Language {
        endings: &["php"],
        lines: &["//", "#"],
        blocks: &[("/*", "*/")],
    },
    Language {
        endings: &["hs", "lua", "sql", "vhd"],
        lines: &["--"],
        blocks: &[("/*", "*/"), ("{-", "-}")],
    },
    Language {
        endings: &["clj", "el", "lisp", "scm"],
        lines: &[";"],
        blocks: &[],
    },
    Language {
        endings: &["ml", "mli"],
        lines: &[],
        blocks: &[("(*", "*)")],
    },
];

/// Words by which comments call for work.
const MARKERS: [&str; 5] = ["BUG", "FIXME", "HACK", "TODO", "XXX"];

/// Whether a file of this name holds source code in a language that is known.
pub(super) fn is_code(file: &str) -> bool {
    language(file).is_some()
}

fn language(file: &str) -> Option<&'static Language> {
    let ending = extension(file);
    LANGUAGES.iter().find(|one| one.endings.contains(&ending.as_str()))
}

/// A stretch of several lines that is being read, until the mark that ends it.
#[derive(Clone, Copy)]
enum Open {
    Comment(&'static str),
    /// A text within the code, as between three quotes.
    Text(&'static str),
}

/// One document, under the name of its file. Cost O(bytes).
pub(super) fn document(file: &str, text: &str) -> Option<Document> {
    let language = language(file)?;
    let mut sheet = Sheet::new(text, Some(file_name(file).to_owned()));
    let mut open: Option<Open> = None;
    let (mut at, mut is_code) = (0, false);
    for line in text.split_inclusive('\n') {
        let is_for_shell = at == 0 && line.starts_with("#!");
        let words = if is_for_shell {
            None
        } else {
            said(language, line.trim(), &mut open)
        };
        if let Some(words) = words {
            let words = without_marker(words.trim());
            // A line without a letter is drawn.
            let is_drawn = !words.contains(char::is_alphanumeric);
            if is_code || is_drawn {
                sheet.end_line(2);
            }
            if !is_drawn {
                sheet.stands(at + (words.as_ptr() as usize - line.as_ptr() as usize));
                sheet.push(words);
                sheet.push("\n");
            }
            is_code = false;
        } else if line.trim().is_empty() && !is_code {
            sheet.end_line(2);
        } else {
            if !is_code {
                sheet.end_line(2);
                sheet.stands(at);
                let start = sheet.text.len();
                sheet.blocks.push(Span::new(start, start));
            }
            is_code = true;
            sheet.text.push_str(line);
            if let Some(block) = sheet.blocks.last_mut() {
                *block = Span::new(block.start as usize, sheet.text.len());
            }
        }
        at += line.len();
    }
    Some(sheet.finish(file))
}

/// What a line says where it is all comment.
fn said<'a>(language: &Language, line: &'a str, open: &mut Option<Open>) -> Option<&'a str> {
    match *open {
        Some(Open::Comment(close)) => {
            let Some((words, behind)) = line.split_once(close) else {
                return Some(without_stars(line, close));
            };
            *open = None;
            return behind.trim().is_empty().then(|| without_stars(words, close));
        }
        Some(Open::Text(close)) => {
            if line.matches(close).count() % 2 == 1 {
                *open = None;
            }
            return None;
        }
        None => {}
    }
    if let Some((mark, words)) = language
        .lines
        .iter()
        .find_map(|mark| Some((mark, line.strip_prefix(mark)?)))
    {
        return Some(words.trim_start_matches(|ch| mark.ends_with(ch) || ch == '!'));
    }
    let begun = language.blocks.iter();
    let begun = begun.filter_map(|(begin, close)| Some((line.strip_prefix(begin)?, *close)));
    if let Some((rest, close)) = begun.into_iter().next() {
        if let Some((words, behind)) = rest.split_once(close) {
            return behind.trim().is_empty().then(|| without_stars(words, close));
        }
        *open = Some(Open::Comment(close));
        return Some(without_stars(rest, close));
    }
    // Quotes begin and end alike, wherever on a line they stand.
    let mut quotes = language.blocks.iter().filter(|(begin, close)| begin == close);
    let left_open = quotes.find(|(quote, _)| line.matches(quote).count() % 2 == 1);
    *open = left_open.map(|(_, close)| Open::Text(close));
    None
}

/// What a comment says without the word that calls for work before it: `TODO(ada): `.
fn without_marker(words: &str) -> &str {
    let marker = MARKERS.iter().find_map(|marker| words.strip_prefix(marker));
    let Some(rest) = marker.filter(|rest| !rest.starts_with(char::is_alphanumeric)) else {
        return words;
    };
    let owner = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    owner.map_or(rest, |(_, rest)| rest).trim_start_matches([':', ' '])
}

/// A line of a comment without the stars that are drawn before it in some languages.
fn without_stars<'a>(line: &'a str, close: &str) -> &'a str {
    if close == "*/" {
        return line.trim_start().trim_start_matches(['*', '!']);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_prose_and_the_rest_is_code_at_its_own_lines() {
        let source = "/* The *ferry* leaves at nine.\n * It is late.\n */\n#include <a.h>\n\nint n = 3; // three\n\n  /// Counts\n  /// boats.\n  int boats(void);\n/**/ int x;\n";
        let found = document("src/ferry.c", source).unwrap();
        assert_eq!(found.title, "ferry.c");
        assert_eq!(
            found.text,
            "The *ferry* leaves at nine.\nIt is late.\n\n#include <a.h>\n\nint n = 3; // three\n\nCounts\nboats.\n\n  int boats(void);\n/**/ int x;"
        );
        let code: Vec<&str> = found
            .layout
            .blocks
            .iter()
            .map(|block| block.of(&found.text).trim())
            .collect();
        assert_eq!(
            code,
            ["#include <a.h>\n\nint n = 3; // three", "int boats(void);\n/**/ int x;"]
        );
        for (words, line) in [("It is", 2), ("#include", 4), ("boats.", 9), ("int boats", 10)] {
            let at = u32::try_from(found.text.find(words).unwrap()).unwrap();
            assert_eq!(found.place(at).line, line, "{words}");
        }
    }

    #[test]
    fn docstrings_are_prose() {
        let source = "#!/usr/bin/env python3\ndef a():\n    \"\"\"Gives one.\n\n    -5 is no answer.\n    \"\"\"\n    return 1\n";
        let found = document("a.py", source).unwrap();
        assert_eq!(
            found.text,
            "#!/usr/bin/env python3\ndef a():\n\nGives one.\n\n-5 is no answer.\n\n    return 1"
        );
        assert!(document("a.txt", "x").is_none());
    }

    #[test]
    fn texts_within_code_are_code() {
        for code in [
            "SQL = \"\"\"\nSELECT Ada\n\"\"\"\n",
            "print(r\"\"\"\nAda\n\"\"\".strip())\n",
            "a = '''Ada'''; b = \"\"\"Bo\n'''\n\"\"\"\n",
        ] {
            let found = document("a.py", &format!("{code}def b():\n    '''Gives two.'''\n")).unwrap();
            let blocks: Vec<&str> = found.layout.blocks.iter().map(|block| block.of(&found.text)).collect();
            assert_eq!(blocks, [format!("{code}def b():\n")], "{}", found.text);
            assert!(found.text.ends_with("\n\nGives two."), "{}", found.text);
        }
        let source = "/* TODO(ada): One.\n * -1 means none. */\n//===\n/* a\n*/ int ada;\n";
        let found = document("a.c", source).unwrap();
        assert_eq!(found.text, "One.\n-1 means none.\n\na\n\n*/ int ada;");
    }
}
