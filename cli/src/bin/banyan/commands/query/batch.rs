//! `banyan query --batch`: many questions to a store that is opened once.

use super::View;
use crate::args::Query;
use crate::{Outcome, render};
use anyhow::{Context, Result, bail};
use banyan::{AskOptions, Banyan, Environment, counted};
use banyan_retrieve::reason::ReasonError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// Questions answered between two writes.
const ROUND: usize = 64;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Line {
    /// What the answer is to be found by; the number of the line where the file has none.
    #[serde(default)]
    id: Value,
    pub(super) question: String,
}

/// A question that a model gave no usable reply to.
#[derive(Serialize)]
struct Failed<'a> {
    id: &'a Value,
    question: &'a str,
    error: String,
}

#[derive(Serialize)]
struct Answered<'a> {
    id: &'a Value,
    #[serde(flatten)]
    view: View<'a>,
}

/// Every question of `file`, checked; blank lines are passed over. `-` is stdin.
pub(super) fn read(file: &Path) -> Result<Vec<Line>> {
    let name = file.display();
    let bytes = render::input(file)?;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        let place = || format!("{name} line {number}");
        let line = std::str::from_utf8(line).with_context(|| format!("{}: expected UTF-8", place()))?;
        if !line.trim().is_empty() {
            let parsed = parse(line.trim(), number).with_context(place)?;
            banyan::check_question(&parsed.question).with_context(place)?;
            lines.push(parsed);
        }
    }
    if lines.is_empty() {
        bail!("{name}: no questions; expected one a line");
    }
    Ok(lines)
}

fn parse(line: &str, number: u64) -> Result<Line> {
    let mut parsed = if line.starts_with('{') {
        serde_json::from_str(line).context("expected an object with `question` and, if you like, `id`")?
    } else {
        Line {
            id: Value::Null,
            question: line.to_owned(),
        }
    };
    if parsed.id.is_null() {
        parsed.id = number.into();
    }
    Ok(parsed)
}

/// Answers `lines` in parallel and prints a JSON object for each, in their order. Where a model gives no usable reply
/// to one, its object says so; what every further question would fail of ends the batch.
pub(super) fn run(
    banyan: &Banyan,
    lines: &[Line],
    args: &Query,
    options: &AskOptions,
    env: &Environment,
) -> Result<Outcome> {
    let (mut n_answered, mut n_failed) = (0, 0);
    banyan.session(options, |session| {
        for round in lines.chunks(ROUND) {
            env.stop.check()?;
            let questions: Vec<&str> = round.iter().map(|line| line.question.as_str()).collect();
            for (line, answered) in round.iter().zip(session.ask_all(&questions)?) {
                let printed = match answered {
                    Ok(answered) => {
                        n_answered += usize::from(answered.reply.is_answered());
                        let view = View::of(session.knowledge(), &answered, args.top_k.into());
                        serde_json::to_string(&Answered { id: &line.id, view })
                    }
                    Err(error) if ends_job(&error) => return Err(error),
                    Err(error) => {
                        n_failed += 1;
                        serde_json::to_string(&Failed {
                            id: &line.id,
                            question: &line.question,
                            error: format!("{error:#}"),
                        })
                    }
                };
                render::encoded(&printed.context("cannot encode JSON")?)?;
            }
        }
        Ok(())
    })?;
    env.progress.remark(&format!(
        "{n_answered} of {} answered",
        counted(lines.len(), "question")
    ));
    if n_failed > 0 {
        bail!(
            "{} without a usable reply; their lines say why",
            counted(n_failed, "question")
        );
    }
    Ok(if n_answered > 0 {
        Outcome::Done
    } else {
        Outcome::NoAnswer
    })
}

/// Whether every further question would fail of the same.
fn ends_job(error: &anyhow::Error) -> bool {
    error.downcast_ref::<ReasonError>().is_none_or(ReasonError::ends_job)
}
