//! `banyan parse`: what the parser sees in a text, for those who write schemas and patterns.

use crate::Outcome;
use crate::args::{Global, Parse};
use crate::compose::open_parser;
use crate::progress::Progress;
use crate::{corpus, render};
use anyhow::{Result, bail};
use banyan_extract::parse::Token;
use banyan_extract::read::is_readable;
use serde::Serialize;
use std::path::Path;

/// A text with its words in order.
#[derive(Serialize)]
struct Parsed<'a> {
    text: &'a str,
    tokens: Vec<Word<'a>>,
}

/// A word; `head` counts the tokens of its text from 0, and a root is its own head.
#[derive(Serialize)]
struct Word<'a> {
    start: u32,
    end: u32,
    text: &'a str,
    tag: &'a str,
    head: usize,
    label: &'a str,
    /// As `B-ORG` at the first word of an entity, `I-ORG` at the others.
    entity: Option<String>,
    starts_sentence: bool,
}

/// Parses what was typed, whatever `--parser` says.
pub(crate) fn run(args: &Parse, global: &Global, progress: Progress) -> Result<Outcome> {
    let texts = texts(&args.text)?;
    let pipeline = open_parser(global, progress)?;
    let parsed: Vec<Parsed> = texts
        .iter()
        .map(|text| Parsed {
            text,
            tokens: pipeline.parse(text).iter().map(|token| word(text, token)).collect(),
        })
        .collect();
    if args.json {
        render::json(&parsed)?;
    } else {
        let tables: Vec<String> = parsed.iter().map(table).collect();
        render::text(&tables.join("\n\n"))?;
    }
    Ok(Outcome::Done)
}

/// The texts of the file of this name, else what was typed; what looks like a name is not taken for a text.
fn texts(typed: &str) -> Result<Vec<String>> {
    let path = Path::new(typed);
    let is_name = is_readable(typed) && !typed.contains(char::is_whitespace);
    if is_name || path.is_file() || path.is_dir() {
        let documents = corpus::parse(path)?;
        return Ok(documents.into_iter().map(|document| document.text).collect());
    }
    if typed.trim().is_empty() {
        bail!("the text is empty; expected a sentence or a file");
    }
    Ok(vec![typed.to_owned()])
}

fn word<'a>(text: &'a str, token: &Token<'a>) -> Word<'a> {
    Word {
        start: token.span.start,
        end: token.span.end,
        text: token.span.of(text),
        tag: token.tag,
        head: token.head,
        label: token.label,
        entity: token
            .entity
            .map(|entity| format!("{}-{}", if entity.begins { "B" } else { "I" }, entity.label)),
        starts_sentence: token.starts_sentence,
    }
}

/// A line a word, an empty line before each further sentence.
fn table(parsed: &Parsed) -> String {
    let mut lines = Vec::new();
    for (at, word) in parsed.tokens.iter().enumerate() {
        if at > 0 && word.starts_sentence {
            lines.push(String::new());
        }
        let shown = if word.tag == "_SP" {
            word.text.escape_debug().to_string()
        } else {
            word.text.to_owned()
        };
        let entity = word.entity.as_deref().unwrap_or("-");
        lines.push(format!(
            "{at:>4}  {shown:<20} {:<6} {:>4}  {:<10} {entity}",
            word.tag, word.head, word.label
        ));
    }
    lines.join("\n")
}
