//! Input from files or stdin, results to stdout, progress and remarks to stderr.

use crate::Outcome;
use anyhow::{Context, Result};
use banyan::{Event, Progress, Unit, counted};
use banyan_engine::document::one_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

const ITEMS: &str = "{msg:<28} {wide_bar:.green/dim} {human_pos}/{human_len} {eta:>5}";
const BYTES: &str = "{msg:<28} {wide_bar:.green/dim} {bytes}/{total_bytes} {eta:>5}";

/// The bytes of a file, or of stdin for `-`.
pub(crate) fn input(file: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).context("stdin: cannot read")?;
    } else {
        bytes = std::fs::read(file).with_context(|| format!("{}: cannot read", file.display()))?;
    }
    Ok(bytes)
}

pub(crate) fn text(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{}", harmless(text)).context("cannot write to stdout")
}

/// A text that a terminal only shows: what would steer it or turn the order of letters round, as documents may hold, is
/// spelled out.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    spelled(text, |ch| ch.escape_unicode().to_string())
}

fn spelled(text: &str, spell: impl Fn(char) -> String) -> Cow<'_, str> {
    let steers = |ch: char| {
        (ch.is_control() && !matches!(ch, '\n' | '\t'))
            || matches!(ch, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for ch in text.chars() {
        if steers(ch) {
            shown += &spell(ch);
        } else {
            shown.push(ch);
        }
    }
    Cow::Owned(shown)
}

pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    encoded(&serde_json::to_string_pretty(value).context("cannot encode JSON")?)
}

/// Prints JSON; within its strings what would steer a terminal is escaped as JSON has it.
pub(crate) fn encoded(json: &str) -> Result<()> {
    let json = spelled(json, |ch| format!("\\u{:04x}", u32::from(ch)));
    writeln!(std::io::stdout(), "{json}").context("cannot write to stdout")
}

/// Prints a value as text, or as JSON where that was asked for.
pub(crate) fn show(value: &(impl Serialize + Display), is_json: bool) -> Result<Outcome> {
    if is_json {
        json(value)?;
    } else {
        text(value.to_string().trim_end())?;
    }
    Ok(Outcome::Done)
}

/// A report in words: one of the templates, filled with what JSON shows.
pub(crate) fn page(template: &str, value: &impl Serialize) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.context("wrong syntax of templates")?);
    environment.add_filter("counted", |n: usize, noun: &str| counted(n, noun));
    environment.add_filter("words", |text: &str| one_line(text));
    environment.add_filter("marking", |text: &str, part: Option<&str>| marked(text, part));
    let page = environment.render_str(template, Value::from(Serde(value)));
    Ok(page.context("cannot write the report")?.trim_end().to_owned())
}

/// A text with the first place of a part of it, as whole words, between `**`.
fn marked(text: &str, part: Option<&str>) -> String {
    let part = part.unwrap_or_default();
    let is_whole = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + part.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    };
    let mut places = text.match_indices(part).map(|(at, _)| at).filter(is_whole);
    match places.next().filter(|_| !part.is_empty()) {
        Some(at) => format!("{}**{part}**{}", &text[..at], &text[at + part.len()..]),
        None => text.to_owned(),
    }
}

/// Prints a value by a template, or as JSON where that was asked for.
pub(crate) fn report(value: &impl Serialize, template: &str, is_json: bool) -> Result<Outcome> {
    if is_json {
        json(value)?;
    } else {
        text(&page(template, value)?)?;
    }
    Ok(Outcome::Done)
}

/// What a store is called: its directory, without the ending.
pub(crate) fn stem(store: &Path) -> String {
    let name = store.canonicalize().unwrap_or_else(|_| store.to_owned());
    let name = name.file_stem().unwrap_or(name.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A number as JSON shows it: with the digits that tell it from its neighbours, and no more.
pub(crate) fn number(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| value.into())
}

/// Draws bars where stderr is a terminal and prints remarks, or is silent.
pub(crate) fn progress(is_quiet: bool) -> Progress {
    if is_quiet {
        return Progress::default();
    }
    let is_drawn = std::io::stderr().is_terminal();
    let current: Mutex<Option<ProgressBar>> = Mutex::default();
    Progress::new(move |event| {
        let mut current = current.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Begin { what, total, unit } if is_drawn => *current = Some(bar(what, total, unit)),
            // Where nothing is drawn, at least a download is announced.
            Event::Begin {
                what, unit: Unit::Byte, ..
            } => remark(&format!("{what} …")),
            Event::At { done, total } => {
                if let Some(bar) = current.as_ref() {
                    bar.set_length(total);
                    bar.set_position(done);
                }
            }
            Event::End => {
                if let Some(bar) = current.take() {
                    bar.finish_and_clear();
                }
            }
            Event::Remark(line) => match current.as_ref() {
                Some(bar) => bar.suspend(|| remark(line)),
                None => remark(line),
            },
            _ => {}
        }
    })
}

fn bar(what: &str, total: u64, unit: Unit) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let template = match unit {
        Unit::Item => ITEMS,
        Unit::Byte => BYTES,
    };
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(what.to_owned());
    bar
}

/// A line to stderr. Remarks are a courtesy: a closed stderr must not end the work.
fn remark(line: &str) {
    drop(writeln!(std::io::stderr(), "{}", harmless(line)));
}
