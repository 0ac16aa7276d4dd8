//! Results to stdout, remarks to stderr.

use anyhow::{Context, Result};
use banyan::eval::report::{self, Part, Report};
use banyan::{Event, Progress};
use serde::Serialize;
use serde_json::Value;
use std::io::Write;

pub(crate) fn text(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}").context("cannot write to stdout")
}

pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(value).context("cannot encode JSON")?;
    text(&json)
}

pub(crate) fn progress(is_quiet: bool) -> Progress {
    Progress::new(move |event| {
        if let Event::Remark(line) = event
            && !is_quiet
        {
            // Remarks are a courtesy: a closed stderr must not end the work.
            drop(writeln!(std::io::stderr(), "{line}"));
        }
    })
}

pub(crate) fn parts(parts: Vec<Part>) -> Result<()> {
    text(&report::text(&Report {
        parts,
        ..Report::default()
    }))
}

/// Sets down every number of `figures`, those of lists by the name of their item, as totals over `n`.
pub(crate) fn set_down(part: &mut Part, method: &str, n: usize, figures: &impl Serialize) -> Result<()> {
    fn walk(part: &mut Part, method: &str, n: usize, path: &str, value: &Value) {
        let below = |name: &str| format!("{path} {name}").trim_start().to_owned();
        match value {
            Value::Number(number) => part.total(method, path, n, number.as_f64().unwrap_or(f64::NAN)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    walk(part, method, n, &below(name), value);
                }
            }
            Value::Array(items) => {
                for item in items {
                    walk(part, method, n, &below(item["name"].as_str().unwrap_or_default()), item);
                }
            }
            _ => {}
        }
    }
    let value = serde_json::to_value(figures).context("cannot encode JSON")?;
    walk(part, method, n, "", &value);
    Ok(())
}
